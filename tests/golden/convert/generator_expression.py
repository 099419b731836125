def first_hit(xs):
    return any((hit := x) > 3 for x in xs) and hit
