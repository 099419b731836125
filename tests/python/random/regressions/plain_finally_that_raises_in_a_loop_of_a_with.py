def program_549238(i, j, x, p, xs, u, box):
    with Manager('a', 1) as t:
        for k in xs:
            try:
                return
            finally:
                d
        ys = 1
    ys
