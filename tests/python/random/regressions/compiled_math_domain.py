# What Python raises for a number, though the value is not used.
def program_0(i: int, j: int, x: float, p: bool, t: Node, xs: list[int]):
    y = math.sqrt(x)
    if i == 0:
        z = math.log(i)
    return j
