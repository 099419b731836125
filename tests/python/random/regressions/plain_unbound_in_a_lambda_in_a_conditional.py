def program_30428(i, j, x, p, xs, u, box):
    print(j)
    with Manager('', 1) as t, Manager('inner'):
        if (j := 1) if p else (lambda i: n)(1):
            pass
        n = 1
