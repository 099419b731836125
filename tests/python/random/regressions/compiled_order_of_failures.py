# Which of two operands fails first: C++ leaves their order open.
def program_0(i: int, j: int, x: float, p: bool, t: Node, xs: list[int]):
    n = xs[0] - 1 % len(xs)
    return n + xs[j] * (j // i)
