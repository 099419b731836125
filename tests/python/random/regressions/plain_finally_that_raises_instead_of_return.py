def program_0(i, j, x, p, xs, u, box):
    while i:
        i -= 1
        try:
            try:
                return 1
            finally:
                raise ValueError
        except ValueError:
            pass
    try:
        try:
            return 3
        finally:
            raise ValueError
    except ValueError:
        pass
    return 2
