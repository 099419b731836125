# The exception takes the jump's place; swallowed, the loop's body goes on.
def program_0(i, j, x, p, xs, u, box):
    while tick():
        with Manager('a', 1):
            with Manager('bc', 1):
                try:
                    break
                finally:
                    s = s
            t = t
