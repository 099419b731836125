def norm(p, limit):
    match p:
        case Point(x=0, y=k):
            return k
        case [k, *_] if k > limit:
            return limit
        case _:
            return None
