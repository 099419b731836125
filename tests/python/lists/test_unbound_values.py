"""Values of every type that one path of a loop or branch leaves unset, compiled: what reads them gives what Python gives."""
import pytest
from compiled_table import Table, cases_of, outcome

import lantern as lt

SOURCE = """
@lt.struct
class Point:
    x: float
    name: str
    row: lt.Tensor[lt.f64, 2]


@lt.struct
class Node:
    value: float
    next: "Node | None"


def chain(n: int):
    node = None
    for i in lt.range(n):
        node = Node(i * 1.0, node)
    return node


def number(n: int):
    for i in lt.range(n):
        if i * i > 5:
            y = i * 0.5
            break
    else:
        return -1.0
    return y


def text(n: int):
    for i in lt.range(n):
        if i > 2:
            y = f"at {i}"
            break
    else:
        y = "nowhere"
    return y


def array(n: int):
    for i in lt.range(n):
        if i > 2:
            y = lt.full(2, i * 1.0, dtype=lt.f64)
            break
    else:
        return 0.0
    return (y[0] + y[1]).item()


def array_of_any_size(n: int):
    found = False
    for i in lt.range(n):
        if i == 3:
            y = lt.full(i + n, 2.0, dtype=lt.f64)
            found = True
    if found:
        return lt.sum(y).item()
    return 0.0


def number_of_rank_0(n: int):
    found = False
    for i in lt.range(n):
        if i == 3:
            y = lt.sum(lt.full(i, 2.0, dtype=lt.f64))
            found = True
    return y.item() if found else 0.0


def pair(n: int):
    for i in lt.range(n):
        if i > 2:
            y = i, (f"{i}", 2.0)
            break
    else:
        y = 0, ("", 1.0)
    return y[0], y[1][0], y[1][1]


def a_list(n: int):
    found = False
    for i in lt.range(n):
        if i == 3:
            y = [i, n]
            found = True
    if found:
        y.append(7)
        return y[0] + y[1] + len(y)
    return 0


def list_of_pairs(n: int):
    found = False
    for i in lt.range(n):
        if i == 3:
            y = [(i, 1.0), (n, 2.0)]
            found = True
    if found:
        return y[1][0] + y[0][1]
    return 0.0


def a_structure(n: int):
    for i in lt.range(n):
        if i > 2:
            p = Point(i * 2.0, f"p{i}", lt.full(2, 1.0, dtype=lt.f64))
            break
    else:
        return 0.0
    return p.x + p.row[1].item() + len(p.name)


def an_optional(n: int):
    found = False
    for i in lt.range(n):
        if i > 2:
            node = Node(i * 1.0, Node(7.0, None)) if i > 3 else Node(1.0, None)
            rest = node.next
            found = True
    if found and rest is not None:
        return rest.value
    return 0.0


def last(n: int):
    node = chain(n)
    while True:
        if node is None:
            return -1.0
        if node.next is None:
            end = node
            break
        node = node.next
    return end.value


def best(n: int):
    best = None
    for i in lt.range(n):
        node = Node(i * 3.0 - i * i, None)
        if best is None or node.value > best.value:
            best = node
    if best is None:
        return -1.0
    return best.value


def first_and_last(n: int):
    first = final = None
    node = chain(n)
    while node is not None:
        if first is None:
            first = node
        final = node
        node = node.next
    if first is not None and final is not None:
        return first.value * 10 + final.value
    return -1.0


def number_beside_a_flag(n: int):
    y, has = 0.0, False         # what the error for `y = None` proposes
    for i in lt.range(n):
        if not has and i > 2:
            y, has = i * 1.5, True
    return y if has else -1.0


def perhaps_no_turn(n: int):
    for i in lt.range(n):
        p = Point(i * 2.0, f"p{i}", lt.full(2, i * 1.0, dtype=lt.f64))
        rows = [i] * i
        if i * i > 5:
            break
    return p.x + p.row[1].item() + len(p.name) + len(rows) + i


def of_the_turn_before(x: float, n: int):
    total = 0.0
    for i in lt.range(n):
        if i > 0:
            total += before * x
        before = x * x * i
        if before > 20:
            break
    return total + before * i


def gradient_of_the_turn_before(n: int):
    return lt.value_and_grad(of_the_turn_before)(1.5, n)


def errors_in_order(n: int):
    xs = [1, 2]
    xs.append(n)
    x = float(xs[n])
    y = xs[-n - 1]
    return x


def returned_in_a_loop(n: int):
    node = chain(n)
    while node is not None:
        if node.value < 2:
            return node
        node = node.next
    return Node(-1.0, None)


def of_a_structure(n: int):
    return returned_in_a_loop(n).value


def of_a_returned_string(n: int):
    for i in lt.range(n):
        if i > 2:
            return f"{i}"
    return "none"


def of_a_returned_list(n: int):
    for i in lt.range(n):
        if i > 2:
            return [i, n]
    return [0]
"""

CALLS = {name: (0, 1, 3, 4, 6) for name in (
    "number", "text", "array", "array_of_any_size", "number_of_rank_0", "pair", "a_list", "list_of_pairs", "a_structure", "an_optional",
    "last", "best", "first_and_last", "number_beside_a_flag", "perhaps_no_turn", "gradient_of_the_turn_before",
    "errors_in_order", "of_a_structure", "of_a_returned_string", "of_a_returned_list")}


@pytest.fixture(scope="module")
def table():
    return Table(SOURCE, list(CALLS))


def test_of_two_operations_that_fail_the_first_says_so(table):
    """Both indices are out of the list; the value of the second is not used."""
    line = SOURCE.splitlines().index("    x = float(xs[n])")      # the table's module begins with its second line
    with pytest.raises(IndexError, match=rf":{line}:"):
        table.compiled["errors_in_order"](6)


@pytest.mark.parametrize("name, arguments", cases_of(CALLS))
def test_as_plain(table, name, arguments):
    assert outcome(table.compiled[name], arguments) == outcome(table.plain[name], arguments)


def test_gradient_of_what_is_set_on_some_turn():
    """x_0 > 1 is the first of x, x², …; the derivative of its square by x."""
    @lt.function
    def slope(x: float):
        def power(x):
            y = 1.0
            for i in lt.range(6):
                y = y * x
                if y > 1.0:
                    found = y
                    break
            else:
                found = y * 3.0
            return found * found
        return lt.grad(power)(x)

    assert abs(slope(1.5) - 2 * 1.5) < 1e-12
    assert abs(slope(0.5) - 9 * 12 * 0.5 ** 11) < 1e-12
