# `n += 1` reads n first.
def program_0(i, j, x, p, xs, u, box):
    for k in (1 for e in xs[5:]):
        n = 1

    def f0():
        nonlocal n
        n += 1
    f0()
