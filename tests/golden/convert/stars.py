def rotated(xs):
    first, *rest = xs
    return [*rest, first]


def called(f, xs, options):
    return f(*xs, **{**options, "k": 1})
