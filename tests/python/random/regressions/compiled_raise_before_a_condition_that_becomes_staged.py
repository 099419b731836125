def program_0(i: int, j: int, x: float, p: bool, t: Node, xs: list[int]):
    while 1:
        x -= x
        if p:
            raise ZeroDivisionError
        if 1 / x:
            break
