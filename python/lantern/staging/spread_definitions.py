"""What calls with `*xs` ask, in Python: converted and traced. Nothing here is called as it stands."""
from __future__ import annotations


def check_columns(size, count):
    if size < count:
        raise ValueError(f"not enough values to unpack (expected {count}, got {size})")
    if size > count:
        raise ValueError(f"too many values to unpack (expected {count})")


def check_count(values, missing, takes, others):
    size = len(values)
    if size > len(missing):
        raise TypeError(f"{takes}{size + others} were given")
    if size < len(missing):
        raise TypeError(missing[size])


def shortest(rows):
    if len(rows) == 0:
        return 0
    least = len(rows[0])
    for row in rows:
        if len(row) < least:
            least = len(row)
    return least


def of_any(rows, count):
    return count if rows > 0 else 0


def texts(result, values):
    for value in values:
        result.append(str(value))
