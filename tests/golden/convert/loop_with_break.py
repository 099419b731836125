def first_negative(xs):
    found = None
    for x in xs:
        if x < 0:
            found = x
            break
    return found
