def program_0(i: int, j: int, x: float, p: bool, t: Node, xs: list[int]):
    y = int(x / 0.0 if i == 99 else x)
    return (y, int((x + 1e300) * 1e300 - (x + 1e300) * 1e300) if i == 7 else 0)
