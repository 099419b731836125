def rotated(xs):
    first, *rest = xs
    return [*rest, first]
