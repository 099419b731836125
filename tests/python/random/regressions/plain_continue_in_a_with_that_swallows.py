def program_0(i, j, x, p, xs, u, box):
    while i < 6:
        i += 1
        if 1:
            with Manager('a', 1):
                with Manager('', 1) as s, Manager('inner'):
                    t
                    continue
                print
