def program_0(i, j, x, p, xs, u, box):
    while 1:
        n
    if 1:
        n = 7
    else:
        n
