def program_0(i: int, j: int, x: float, p: bool, t: Node, xs: list[int]):
    j = int(x)
    return (0, 0.0)[1] - j
