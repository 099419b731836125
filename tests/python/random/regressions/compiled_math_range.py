def program_0(i: int, j: int, x: float, p: bool, t: Node, xs: list[int]):
    if i > 2:
        x = math.exp(x * 4000)
    return (math.sin(x), math.pow(j, 2), math.fabs(j))
