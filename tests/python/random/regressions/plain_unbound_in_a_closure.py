# Seen from a generator expression, a lambda or a nested function, it is a free variable.
def program_0(i, j, x, p, xs, u, box):
    def nested():
        return k
    try:
        nested()
    except NameError as error:
        print(type(error), error)
    try:
        (lambda: k)()
    except NameError as error:
        print(type(error), error)
    try:
        print([k for e in u])
    except NameError as error:
        print(type(error), error)
    if any((k := k) for e in u):
        if k:
            pass
