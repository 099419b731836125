def program_0(i: int, j: int, x: float, p: bool, t: Node, xs: list[int]):
    if j in (j, xs[0]):
        pass
    else:
        -x
