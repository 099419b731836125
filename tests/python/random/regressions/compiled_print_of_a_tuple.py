def program_0(i: int, j: int, x: float, p: bool, t: Node, xs: list[int]):
    v = (i, x)
    print(v, (p,), ((i, 'a'), 2.5))
    return v
