def program_0(i, j, x, p, xs, u, box):
    if p:
        del x
    if i:
        x = 1
    return x
