def program_0(i: int, j: int, x: float, p: bool, t: Node, xs: list[int]):
    c3 = j % 5
    while c3 > 0 and (i + i > i ** 2 % 31 or all(p for m in range(i % 4) if p)):
        c3 -= 1
        continue
    return c3
