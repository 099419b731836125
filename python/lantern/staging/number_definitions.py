"""What functions of `math`, and methods of Python's numbers, do in Python: converted and traced where one of them meets a staged number.

They mean what Python's do, with its errors; a whole number beyond 64 bits is an error of its own. Nothing here is called as it stands.
"""
from __future__ import annotations

import math


def gcd(a, b):
    while b:
        a, b = b, a % b
    return abs(a)


def lcm(a, b):
    if a == 0 or b == 0:
        return 0
    common, rest = a, b
    while rest:
        common, rest = rest, common % rest
    return abs(a // common * b)


def factorial(n):
    if n < 0:
        raise ValueError("factorial() not defined for negative values")
    result = 1
    for k in range(2, n + 1):
        result = result * k
    return result


def perm(n, k):
    if n < 0:
        raise ValueError("n must be a non-negative integer")
    if k < 0:
        raise ValueError("k must be a non-negative integer")
    result = 1 if k <= n else 0
    for place in range(k if k <= n else 0):
        result = result * (n - place)
    return result


def comb(n, k):
    if n < 0:
        raise ValueError("n must be a non-negative integer")
    if k < 0:
        raise ValueError("k must be a non-negative integer")
    fewest = min(k, n - k)
    result = 1 if fewest >= 0 else 0
    for place in range(fewest):
        factor, divisor = n - place, place + 1      # which divides result * factor: what both have in common goes first, so that nothing grows in vain
        common, rest = result, divisor
        while rest:
            common, rest = rest, common % rest
        result = result // common * (factor // (divisor // common))
    return result


def isqrt(n):
    if n < 0:
        raise ValueError("isqrt() argument must be nonnegative")
    root = int(n ** 0.5)
    while root > 0 and root > n // root:
        root = root - 1
    while root + 1 <= n // (root + 1):
        root = root + 1
    return root


def power_modulo(base, exponent, modulus):
    if modulus == 0:
        raise ValueError("pow() 3rd argument cannot be 0")
    if exponent < 0:
        size = abs(modulus)
        old, rest, factor, other = base % size, size, 1, 0
        while rest:
            quotient = old // rest
            old, rest = rest, old - quotient * rest
            factor, other = other, factor - quotient * other
        if old != 1 and size != 1:
            raise ValueError("base is not invertible for the given modulus")
        base, exponent = factor % size, -exponent
    result = 1 % modulus
    base = base % modulus
    while exponent > 0:
        if exponent % 2 == 1:
            result = result * base % modulus
        exponent = exponent // 2
        if exponent > 0:
            base = base * base % modulus
    return result


def remainder_of_division(x, y):
    """math.fmod"""
    infinity = float("inf")
    if (abs(x) == infinity and y == y) or (y == 0.0 and x == x):
        raise ValueError("math domain error")
    if x != x or x == 0.0 and y == y:      # -0.0, too
        return x
    rest = abs(x) % abs(y)
    return -rest if x < 0.0 else rest


def is_close(a, b, relative, absolute):
    if relative < 0.0 or absolute < 0.0:
        raise ValueError("tolerances must be non-negative")
    infinity = float("inf")
    if a == b:
        return True
    if abs(a) == infinity or abs(b) == infinity:
        return False
    difference = abs(a - b)
    return difference <= relative * abs(a) or difference <= relative * abs(b) or difference <= absolute


def distance(p, q):
    if len(p) != len(q):
        raise ValueError("both points must have the same number of dimensions")
    total = 0.0
    for a, b in zip(p, q):
        total = math.hypot(total, a - b)        # which has a derivative at 0
    return total


def product(values, start):
    for value in values:
        start = start * value
    return start


def sum_of_products(p, q):
    if len(p) != len(q):
        raise ValueError("Inputs are not the same length")
    total = 0
    for a, b in zip(p, q):
        total = total + a * b
    return total


def is_integer(x):
    return x - x == 0.0 and x // 1.0 == x


def bit_length(n):
    size = 0
    rest = n if n >= 0 else -(n + 1)
    if n < 0 and rest & (rest + 1) == 0:
        size = 1        # of -(2**k), whose magnitude is one bit longer than that of the number above it
    while rest > 0:
        rest = rest // 2
        size = size + 1
    return size


def rounded_to(n, unit):
    """round(n, -digits) of a whole number; unit: 10**digits."""
    below = n // unit * unit
    rest = n - below
    if rest * 2 > unit or rest * 2 == unit and below // unit % 2 == 1:
        below = below + unit
    return below
