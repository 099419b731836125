def program_0(i, j, x, p, xs, u, box):
    k, i = (1, 1)
    del i
    1 and i
