def program_0(i: int, j: int, x: float, p: bool, t: Node, xs: list[int]):
    return xs[j]
