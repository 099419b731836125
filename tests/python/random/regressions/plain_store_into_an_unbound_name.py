# The value is evaluated before the name.
def program_0(i, j, x, p, xs, u, box):
    if float():
        ys = 1
    ys[1] = 1 % i
