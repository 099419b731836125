def program_105723(i, j, x, p, xs, u, box):
    if p:
        ys = (k := 1)
    else:
        ys[1 - k] += 1
