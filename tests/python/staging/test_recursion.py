"""Functions that call themselves, or one another: their results, their types, where they end; and what may not go through them."""
import pytest


def test_recursion_of_any_argument_order(stage):
    f = stage("""
    @lt.struct
    class Tree:
        value: float
        left: "Tree | None"
        right: "Tree | None"

    def walk(scale, tree, depth):
        if tree is None:
            return 0.0, depth
        a, m = walk(tree=tree.left, depth=depth + 1, scale=scale)
        b, n = walk(scale, tree.right, depth + 1)
        return a + b + tree.value * scale, max(m, n)

    def f(tree: Tree):
        return walk(2.0, tree, 0)
    """)
    tree = make(f.module.Tree, (1.0, (2.0, None, (3.0, None, None)), None))
    assert f(tree) == (12.0, 3)
    assert f.text.count("(define walk") == 1


def make(cls, spec):
    return None if spec is None else cls(spec[0], make(cls, spec[1]), make(cls, spec[2]))


def test_mutual_recursion(stage):
    f = stage("""
    def even(n):
        if n == 0:
            return True
        return odd(n - 1)

    def odd(n):
        if n == 0:
            return False
        return even(n - 1)

    def f(n: int):
        return even(n), odd(n)
    """)
    assert f(4) == (True, False) and f(7) == (False, True)
    assert f.text.count("(define even") == 1 and f.text.count("(define odd") == 1


def test_three_functions_that_call_one_another(stage):
    f = stage("""
    def a(n):
        if n < 0:
            return 0
        return 1 + b(n - 1)

    def b(n):
        return c(n - 1) + 0.5

    def c(n):
        if n > 100:
            return b(n // 2)
        return a(n - 1)

    def f(n: int):
        return a(n)
    """)
    def a(n): return 0 if n < 0 else 1 + b(n - 1)
    def b(n): return c(n - 1) + 0.5
    def c(n): return b(n // 2) if n > 100 else a(n - 1)
    assert [f(n) for n in (-1, 5, 300)] == [a(-1), a(5), a(300)]


def test_the_result_type_widens_over_the_recursion(stage):
    f = stage("""
    def count(n):
        if n == 0:
            return 0
        return count(n - 1) + 0.5

    def f(n: int):
        return count(n)
    """)
    assert "(define count ((n i64)) -> f64" in f.text and f(4) == 2.0


def test_a_recursion_without_an_end(error_of):
    error = error_of("""
    def g(x):
        return g(x - 1) + 1

    def f(x: float):
        return g(x)
    """)
    assert error.code == "LT0307" and "'g'" in error.message


def test_a_static_number_that_changes_under_a_staged_condition_becomes_staged(stage):
    f = stage("""
    def depth(x, n):
        if x < 1:
            return n
        return depth(x / 2, n + 1)

    def f(x: float):
        return depth(x, 0)
    """)
    assert "(define depth ((x f64) (n i64))" in f.text
    assert [f(x) for x in (0.5, 8.0)] == [0, 4]


def test_a_static_number_that_is_staged_on_the_recursive_call_is_staged_from_the_first(stage):
    f = stage("""
    def best(x, alpha, beta, scale):
        if x < 1 or alpha >= beta:
            return alpha * scale
        return best(x / 2, -beta, max(alpha, -int(x)), scale) + best(x / 3, alpha, 7 if x > 4 else beta, x)

    def f(x: float):
        return best(x, -9, 9, 2)
    """)
    assert f.text.count("(define best") == 2      # scale is an int at first
    assert [f(x) for x in (0.5, 8.0)] == [f.function(x) for x in (0.5, 8.0)]


def test_a_static_number_that_changes_under_python_control_unrolls(stage):
    f = stage("""
    def power(x, n):
        if n == 0:
            return 1.0
        return x * power(x, n - 1)

    def f(x: float):
        return power(x, 3)
    """)
    assert f(2.0) == 8.0 and "(define power_2" in f.text and "if" not in f.text


def test_recursion_without_staged_arguments_under_a_staged_condition(stage):
    f = stage("""
    def f(x: float):
        def up(n):
            if x < n:
                return n
            return up(n * 2)
        return up(1)
    """)
    assert [f(x) for x in (0.5, 5.0)] == [1, 8]


def test_another_static_argument_that_changes_for_ever(error_of):
    error = error_of("""
    def g(x, names):
        if x < 1:
            return x
        return g(x / 2, names + ("a",))

    def f(x: float):
        return g(x, ())
    """)
    assert error.code == "LT0308" and "names" in error.message and error.place.line == 4


def test_an_endless_recursion_under_python_control(error_of):
    error = error_of("""
    def g(x, n):
        return g(x, n + 1)

    def f(x: float):
        return g(x, 0)
    """)
    assert error.code in ("LT0308", "LT0307")


@pytest.mark.parametrize("body, line, message, hint", [
    # what a function binds by nonlocal, and calls itself
    ("""
    def f(n: int):
        found = []
        def go(k):
            nonlocal found
            if k > 0:
                go(k - 1)
                found = found + [k]
        go(n)
        return found
    """, 7, "the nonlocal variable 'found' is set while the program is staged: the change would not be part of the program",
     "change it in its place, found.append(…), or return the new one"),
    # a list that a function has been given, and another one
    ("""
    def others(n: int, xs):
        if n <= 0:
            return xs
        return [n] + others(n - 1, xs)
    def f(n: int):
        own = [0]
        found = others(n, own)
        own.append(1)
        return len(found)
    """, 9, "the list 'result' may have changed through another name: by the list 'own', at FILE:8:5",
     "make a copy where the two part: list(…)"),
    ("""
    def others(n: int, xs):
        if n <= 0:
            return xs
        return [n] + others(n - 1, xs)
    def f(n: int):
        own = [0]
        found = others(n, own)
        found[0] = 1
        return own[0] + n
    """, 9, "the list 'own' may have changed through another name: by the list 'result', at FILE:8:5",
     "make a copy where the two part: list(…)"),
])
def test_state_of_a_recursion(error_of, body, line, message, hint):
    error = error_of(body)
    assert (error.place.line, error.message.replace(error.place.file, "FILE"), error.hint) == (line, message, hint)


def test_a_list_that_is_given_back_on_one_path(stage):
    f = stage("""
    def sort(xs):
        if len(xs) <= 1:
            return xs
        pivot, *rest = xs
        return sort([x for x in rest if x < pivot]) + [pivot] + sort([x for x in rest if x >= pivot])
    def both(xs, ys, n):
        if n <= 0:
            return xs, ys
        if n == 2:
            return ys, [1]
        return both(ys, xs, n - 1)
    def f(n: int):
        xs, ys = both([n, 7, n * n % 5], [3, n, 9 - n, 0], n)
        return sort(xs), sort(ys), xs
    """)
    for n in range(6):
        assert f(n) == f.function(n)


@pytest.mark.parametrize("walk", [
    "np.tanh(sum([walk(k, w) for k in t.kids])) if t.kids else w * t.value",
    "w * t.value if not t.kids else np.outer(w, w) @ sum(walk(k, w) for k in t.kids) + w",
    "w * (t.value + sum(walk(k, w)[0] for k in t.kids))",
    "1 + sum(walk(k, w) for k in t.kids)",
    "t.value + w[0] * sum([other(k, w) for k in t.kids])",
])
def test_sums_of_what_recursive_calls_give(stage, walk):
    """Of numbers or of arrays: which is known once another path has given the type, if there is one."""
    f = stage(f"""
    import numpy as np

    @lt.struct
    class Tree:
        value: float
        kids: "list[Tree]"

    def walk(t, w):
        return {walk}

    def other(t, w):
        return w[1] * t.value - sum(walk(k, w) for k in t.kids)

    def f(t: Tree, x: float):
        return np.sum(walk(t, np.array([x, 2.0])))
    """)
    leaf = f.module.Tree
    tree = leaf(1.0, [leaf(2.0, []), leaf(3.0, [leaf(0.1, []), leaf(0.2, [])])])
    assert f(tree, 0.3) == pytest.approx(f.module.f(tree, 0.3), rel=1e-12)
