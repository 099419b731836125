"""Recursion behind and in loops."""
from programs import runs


# Recursion in each


def depth_first(n, acc):
    if n <= 0:
        return acc
    for i in range(n):
        acc = acc + i
    return depth_first(n - 2, acc)


@runs((5,), (0,))
def recursion_behind_a_loop(n):
    return depth_first(n, 0)


def tree_count(n):
    total = 1
    for i in range(n):
        total += tree_count(i)
    return total


@runs((0,), (5,))
def recursion_in_a_for(n):
    return tree_count(n)


def collatz(n, steps):
    while n > 1:
        if n % 2:
            return collatz(3 * n + 1, steps + 1)
        n = n // 2
        steps += 1
    return steps


@runs((6,), (7,), (1,))
def recursion_in_a_while_with_return(n):
    return collatz(n, 0)


def search(xs, low, high, wanted):
    while low < high:
        middle = (low + high) // 2
        if xs[middle] == wanted:
            return middle
        if xs[middle] < wanted:
            return search(xs, middle + 1, high, wanted)
        high = middle
    return -1


@runs(([1, 3, 5, 9], 5), ([1, 3, 5, 9], 4), ([], 1), ([9], 9))
def recursion_over_a_list(xs: list[int], wanted: int):
    return search(xs, 0, len(xs), wanted)


def ackermann(m, n):
    while m > 0:
        if n == 0:
            n = 1
        else:
            n = ackermann(m, n - 1)
        m -= 1
    return n + 1


@runs((2, 3), (0, 5))
def recursion_in_a_while(m, n):
    return ackermann(m, n)


def all_paths(n, k):
    count = 0
    for i in range(k):
        if n == 0:
            break
        if i % 2:
            continue
        count += 1 + all_paths(n - 1, k)
    else:
        count += 100
    return count


@runs((3, 2), (0, 3), (2, 0))
def recursion_with_break_continue_else(n, k):
    return all_paths(n, k)
