"""No Python effect escapes a trace."""
import pytest


@pytest.mark.parametrize("change, what", [
    ("seen.append(x)", "a list"),
    ("table['a'] = x", "an item of a dict"),
    ("table.update(a=x)", "a dict"),
    ("model.count = 1", "attribute 'count'"),
    ("seen[0] = 1", "an item of a list"),
    ("del table['b']", "an item of a dict"),
    ("seen += [x]", "a list"),
])
def test_a_change_of_something_older_than_the_trace(error_of, change, what):
    error = error_of(f"""
    class Model:
        pass

    seen, table, model = [0], {{"b": 1}}, Model()

    def f(x: float):
        global seen
        {change}
        return x
    """)
    assert error.code == "LT0305" and what in error.message and error.place.line == 8


def test_an_attribute_that_is_a_variable_is_changed_by_assign(error_of):
    error = error_of("""
    class Model(lt.Module):
        def __init__(self):
            self.count = lt.Variable(0)

        def step(self):
            self.count += 1
            return self.count

    model = Model()

    def f(x: float):
        return model.step() * x
    """)
    assert error.code == "LT0305" and error.hint == "it is an lt.Variable, whose value is changed by its method, count.assign(…)"


@pytest.mark.parametrize("change", ["count.value = x", "count.value += x", "count[...] = x"])
def test_a_variable_is_changed_by_assign_only(error_of, change):
    error = error_of(f"""
    import lantern as lt

    count = lt.Variable(0.0)

    def f(x: float):
        {change}
        return x
    """)
    assert error.code == "LT0305" and error.place.line == 6 and "assign" in str(error)


def test_a_global_that_is_set(error_of):
    error = error_of("""
    count = 0

    def f(x: float):
        global count
        count = count + 1
        return x
    """)
    assert error.code == "LT0305" and "'count'" in error.message


@pytest.mark.parametrize("store", ["if (count := 1) > 0: pass", "def count(): pass", "class count: pass", "while (count := 0): pass",
                                   "with contextlib.nullcontext(1) as count: pass", "return x + (count := 1)",
                                   "try: {}[1]\n        except KeyError as count: pass"])
def test_a_global_that_is_set_otherwise_than_by_an_assignment(error_of, store):
    error = error_of(f"""
    import contextlib
    count = 0

    def f(x: float):
        global count
        {store}
        return x
    """)
    assert error.code == "LT0305" and "'count'" in error.message and error.place.line in (6, 7)


def test_a_slice_of_a_list_may_change(stage):
    f = stage("""
    def f(x: float):
        xs = [x, 2.0]
        xs[0:1] += [5.0]
        return len(xs) + xs[1]
    """)
    assert f(1.0) == 8.0


def test_what_the_trace_made_may_change(stage):
    f = stage("""
    class Box:
        pass

    def f(x: float):
        items, table, box = [], {}, Box()
        items.append(x)
        items += [x]
        table["x"] = x
        box.value = x
        box.value += 1
        del table["x"]
        return items[0] + items[1] + box.value + len(table)
    """)
    assert f(1.0) == 4.0


def test_a_list_made_before_a_staged_condition(stage):
    f = stage("""
    def f(x: float):
        items = []
        if x > 0:
            items.append(x)
        return len(items)
    """)
    assert f(1.0) == 1 and f(-1.0) == 0


def test_attributes_that_the_statement_carries_as_state(stage):
    f = stage("""
    class Box:
        pass

    def f(x: float):
        box = Box()
        box.value = 0.0
        if x > 0:
            box.value = x * 2
        return box.value
    """)
    assert f(2.0) == 4.0 and f(-2.0) == 0.0


def test_nonlocals_are_state(stage):
    f = stage("""
    def f(x: float):
        count = 0
        def bump():
            nonlocal count
            count = count + 1
        bump()
        bump()
        return x + count
    """)
    assert f(1.0) == 3.0


def test_a_staged_value_does_not_leave_its_scope(error_of):
    error = error_of("""
    class Box:
        pass

    def keep(box, x):
        setattr(box, "value", x * 2)
        return x

    def f(x: float):
        box = Box()
        if x > 0:
            keep(box, x)
        return box.value
    """)
    assert error.code in ("LT0304", "LT0305")


def test_a_retraced_function_changes_nothing_twice(stage):
    f = stage("""
    def count(n):
        calls = []
        calls.append(n)
        if n == 0:
            return 0
        return count(n - 1) + 0.5 * len(calls)

    def f(n: int):
        return count(n)
    """)
    assert f(3) == 1.5


def test_effects_stay_whenever_python_collects_what_a_first_try_has_left(stage):
    """A loop that becomes staged is traced again; Python may put a new value where one of the first try was."""
    turns = 100
    f = stage(f"""
    import gc

    @ag.do_not_convert
    def collect():
        gc.collect()

    def f(x: float, p: bool):
        for turn in tuple(range({turns})):
            left = 2
            while left > 0 and ((x > turn) != (x < 2)) != ((x == 7) != p):
                collect()
                left -= 1
                print("turn")
        return x
    """)
    assert f.text.count('(print "turn")') == turns
