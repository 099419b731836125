# Read outside the branch, it was a global.
def program_0(i, j, x, p, xs, u, box):
    if q:
        q = 1
