# `k` is a local without a value, not a free variable of the operand.
def program_0(i, j, x, p, xs, u, box):
    y = j and k
    k = 1
