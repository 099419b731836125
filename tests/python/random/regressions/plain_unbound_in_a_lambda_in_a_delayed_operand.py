def program_14125(i, j, x, p, xs, u, box):
    if sum((1 for e in xs)):
        n = 1
    elif 1 > i == (lambda i: n)(1) % (i := 1):
        pass
