# Control enters a `try` at its body, not at its handlers.
def program_0(i, j, x, p, xs, u, box):
    if 1:
        try:
            del x
        except 1:
            n = 1
    n
