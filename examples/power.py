"""Recursion on whole numbers, and a loop that ends where its data say so, both differentiated.

    lantern run examples/power.py main --base 1.5 --exponent 10
    python examples/power.py main --base 1.5 --exponent 10          the same, in plain Python
"""
import lantern as lt


def power(base: float, exponent: int):
    """base to a whole number that is not negative, in as many multiplications as it has binary digits, or twice that."""
    if exponent == 0:
        return 1.0
    half = power(base, exponent // 2)
    if exponent % 2 == 1:
        return half * half * base
    return half * half


def root(square: float, tolerance: float = 1e-12):
    """The square root by Newton's method; ValueError for what has none."""
    if square < 0:
        raise ValueError(f"{square} has no real root")
    x = 1.0
    while abs(x * x - square) > tolerance * square:
        x = 0.5 * (x + square / x)
    return x


def distance(base: float, exponent: int):
    """The square root of a power: its derivative goes through the loop and the recursion."""
    return root(power(base, exponent))


@lt.export
def main(base: float = 1.5, exponent: int = 10):
    """Prints a power, the square root of it, and their derivatives.

    Args:
        base: what is raised
        exponent: how often it is multiplied
    """
    value, slope = lt.value_and_grad(power)(base, exponent)
    print(f"{base} to the {exponent} is {value:.6f}, and changes by {slope:.6f} times a change of {base}")
    value, slope = lt.value_and_grad(distance)(base, exponent)
    print(f"the square root of that is {value:.6f}, and changes by {slope:.6f} times it")


if __name__ == "__main__":
    lt.main()
