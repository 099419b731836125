"""Lists that a structure holds: in Python it sees what changes of them later, so that nothing may."""
import pytest
from compiled_table import Table, module_of

from lantern.staging import entry
from lantern.staging.errors import StagingError

BOX = '''
import lantern as lt


@lt.struct
class Box:
    xs: list[int]
    k: int
'''
SAME = '''

def new_in_each_turn(n: int):
    boxes = [Box([7], 0)]
    for i in range(n):
        xs = [i]
        xs.append(n)
        boxes.append(Box(xs, i))
    return sum(sum(box.xs) for box in boxes)


def new_where_it_is_put(n: int):
    boxes = [Box([7], 0)]
    for i in range(n):
        boxes.append(Box([i, n], i))
    return sum(sum(box.xs) for box in boxes)


def on_one_path(n: int):
    xs = [1, 2]
    if n > 2:
        box = Box(xs, 1)
    else:
        xs.append(n)
        box = Box(xs, 2)
    return sum(box.xs) + sum(xs)


def a_copy(n: int):
    xs = [1, 2]
    xs.append(n)
    box = Box(list(xs), 1)
    xs.append(4)
    return sum(box.xs) + sum(Box(xs, 2).xs)


def another_list_of_that_name(n: int):
    xs = [1, 2]
    box = Box(xs, 1)
    xs = xs + [3]
    xs.append(n)
    return sum(box.xs) + sum(xs)
'''
NAMES = ["new_in_each_turn", "new_where_it_is_put", "a_copy", "another_list_of_that_name", "on_one_path"]
REFUSED = {
    "behind_it": ("xs = [0] * n\n    box = Box(xs, 1)\n    for i in range(n): xs[i] = i + 1\n    return sum(box.xs)", "is changed, and was put into a Box at "),
    "in_the_turn_before": ("xs, boxes = [0], [Box([0], 0)]\n    for i in range(n):\n        xs[0] = i\n        boxes.append(Box(xs, i))\n    return sum(boxes[1].xs)",
                           "is changed, and was put into a Box at "),
    "later_in_the_turn": ("xs, total = [0], 0\n    for i in range(n):\n        box = Box(xs, i)\n        xs.append(i)\n        total += sum(box.xs)\n    return total", "is changed, and was put into a Box at "),
}


def test_they_are_pythons():
    table = Table(BOX + SAME, NAMES)
    for name in NAMES:
        for n in (1, 3):
            assert table.compiled[name](n) == table.plain[name](n), (name, n)


@pytest.mark.parametrize("name", REFUSED)
def test_a_later_change_is_refused(name):
    body, words = REFUSED[name]
    with pytest.raises(StagingError) as caught:
        entry.stage_entries([module_of(f"{BOX}\n\ndef f(n: int):\n    {body}\n").f])
    assert caught.value.code == "LT0305" and words in caught.value.message and "list(…)" in caught.value.hint
