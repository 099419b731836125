"""`break`, `continue`, `return` and `raise` in loops, and what else leaves them."""
from programs import runs


@runs((10, 3), (2, 5), (0, 0))
def break_in_while(n, k):
    i = 0
    while i < n:
        if i == k:
            break
        i += 1
    return i


@runs((10, 3), (2, 5), (0, 0))
def break_in_for(n, k):
    last = -1
    for i in range(n):
        if i == k:
            break
        last = i
    return last


@runs((10,), (0,))
def continue_in_for(n):
    total = 0
    for i in range(n):
        if i % 3 == 0:
            continue
        total += i
    return total


@runs((10,), (0,))
def continue_in_while(n):
    total = 0
    while n > 0:
        n -= 1
        if n % 2:
            continue
        total += n
    return total


@runs((4, 3), (9, 1))
def break_and_continue(n, k):
    total = 0
    for i in range(n):
        if i % 2:
            continue
        for j in range(n):
            if j > k:
                break
            if j == i:
                continue
            total += i + j
    return total


@runs((3,), (12,))
def while_else(n):
    while n > 0:
        if n == 10:
            break
        n -= 1
    else:
        n = -100
    return n


@runs((10, 3), (2, 5), (0, 0))
def return_in_for(n, k):
    for i in range(n):
        if i * i > k:
            return i
    return -1


@runs((10, 3), (2, 5), (0, 0))
def return_in_nested_loops(n, k):
    for i in range(n):
        for j in range(n):
            if i * j > k:
                return i, j
    return -1, -1


@runs((10,), (100,), (0,))
def while_true_with_return(n):
    i = 0
    while True:
        if i * i > n:
            return i
        i += 1


@runs((10,), (0,))
def while_true_with_break(n):
    i = 0
    while True:
        i += 1
        if i > n:
            break
    return i


@runs(([3, 5, 7],), ([2, 4],), ([],))
def staged_break_in_a_loop_over_a_staged_list(xs: list[int]):
    found = -1
    for x in xs:
        if x > 4:
            found = x
            break
    return found


@runs((2,), (9,), (0,))
def staged_break_in_a_python_loop(n):
    total = 0
    for i in range(4):
        if i == n:
            break
        total += i
    return total


@runs((2,), (9,))
def staged_return_in_a_python_loop(n):
    for i in (1, 2, 3):
        if i == n:
            return i * 10
    return 0


@runs((2,), (0,))
def raise_in_a_loop(n):
    for i in range(n):
        if i == 1:
            raise ValueError("one")
    return n


@runs((False, 1.0), (True, 1.0), (False, 5.0))
def raise_in_a_loop_whose_condition_becomes_staged(p, x):
    while True:
        x = x + 1
        if p:
            raise ValueError("stopped")
        if x > 3:
            break
    return x
