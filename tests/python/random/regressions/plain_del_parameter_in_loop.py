# A parameter that a loop deletes had no value when the function began.
def program_0(i, j, x, p, xs, u, box):
    if 1 >= x:
        while 1:
            del x
