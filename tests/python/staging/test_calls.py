"""Calls that staged values reach: specialisation, recursion, captured values."""
import pytest


def test_a_function_is_traced_once(stage):
    f = stage("""
    def double(x):
        return x + x

    def f(x: float):
        return double(double(x))
    """)
    assert f.text.count("(define double") == 1 and f(1.5) == 6.0


def test_static_arguments_specialise(stage):
    f = stage("""
    def scale(x, n):
        return x * n

    def f(x: float):
        return scale(x, 2) + scale(x, 3) + scale(x, 2)
    """)
    assert f.text.count("(define scale") == 2 and f(1.0) == 7.0


def test_keyword_default_and_star_arguments(stage):
    f = stage("""
    def g(a, *rest, b=2.0, **more):
        return a - b * rest[0] + more["c"]

    def f(x: float):
        return g(x, x, c=x) + g(x, x, b=x, c=1.0)
    """)
    x = 3.0
    assert f(x) == (x - 2 * x + x) + (x - x * x + 1)


def test_several_results_and_containers(stage):
    f = stage("""
    def g(pair, table):
        a, b = pair
        return {"sum": a + b, "both": (b, a), "name": "g", "none": None}, table["x"] * 2

    def f(x: float, y: float):
        first, second = g((x, y), {"x": y})
        assert first["name"] == "g" and first["none"] is None
        return first["sum"] + second - first["both"][0]
    """)
    assert f(1.0, 10.0) == 11.0 + 20.0 - 10.0


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


def test_methods_and_attributes(stage):
    f = stage("""
    class Scale:
        def __init__(self, by):
            self.by = by

        def __call__(self, x):
            return self.apply(x)

        def apply(self, x):
            return x * self.by

    def f(x: float):
        twice, thrice = Scale(2), Scale(x)
        return twice(x) + thrice(x)
    """)
    assert f(3.0) == 15.0


def test_an_attribute_that_changes_makes_a_new_specialisation(stage):
    f = stage("""
    class Model:
        def step(self, x):
            return x * self.i

    def f(x: float):
        model = Model()
        for i in range(1, 4):
            model.i = i
            x = model.step(x)
        return x
    """)
    assert f.text.count("(define step") == 3 and f(1.0) == 6.0


def test_staged_attributes_become_extra_formals(stage):
    f = stage("""
    class Model:
        def step(self, x):
            return x * self.h

    def f(x: float, y: float):
        model = Model()
        model.h = x
        a = model.step(y)
        model.h = y
        return a + model.step(y)
    """)
    assert f(2.0, 3.0) == 15.0 and f.text.count("(define step") == 1


def test_closures_over_staged_values(stage):
    f = stage("""
    def f(x: float, y: float):
        def g(z):
            return z * x + inner(z)
        def inner(z):
            return z - y
        return g(2.0 * x) + g(y)
    """)
    def f2(x, y):
        return ((2 * x) * x + (2 * x - y)) + (y * x + (y - y))
    assert f(3.0, 5.0) == f2(3.0, 5.0)


def test_a_recursive_closure_captures(stage):
    f = stage("""
    def f(x: float, n: int):
        def g(k):
            if k == 0:
                return 0.0
            return x + g(k - 1)
        return g(n)
    """)
    assert f(2.5, 4) == 10.0


def test_a_closure_made_anew_finds_its_own_cells(stage):
    f = stage("""
    def adder(a):
        def add(x):
            return x + a
        return add

    def f(x: float, y: float):
        return adder(x)(1.0 * y) + adder(y)(1.0 * x)
    """)
    assert f(2.0, 3.0) == 10.0


def test_lambdas_and_functions_as_arguments(stage):
    f = stage("""
    def apply(g, x):
        return g(x)

    def f(x: float):
        return apply(lambda v: v + 1 if v > 0 else v, x) * apply(lambda v: -v, x)
    """)
    assert f(2.0) == -6.0


def test_a_function_that_fills_a_list_is_inlined(stage):
    f = stage("""
    def fill(items, x):
        items.append(x)
        items.append(x * 2)

    def f(x: float):
        items = []
        fill(items, x)
        return items[0] + items[1]
    """)
    assert f(1.0) == 3.0


def test_a_function_that_returns_an_object_is_inlined(stage):
    f = stage("""
    class Box:
        def __init__(self, value):
            self.value = value

    def box(x):
        return Box(x * 2)

    def f(x: float):
        return box(x).value
    """)
    assert f(1.5) == 3.0


def test_a_function_for_its_effect(stage):
    f = stage("""
    def show(x):
        if x > 0:
            print(x)
            show(x - 1)

    def f(x: float):
        show(x)
    """)
    f(2.0)
    assert f.machine.printed == ["2.0", "1.0"]


def test_globals_are_read_when_staging(stage):
    f = stage("""
    FACTOR = 3

    def g(x):
        return x * FACTOR

    def f(x: float):
        return g(x)
    """)
    assert "(* x 3)" in f.text


def test_a_library_s_function_is_called_as_it_is(stage):
    f = stage("""
    import functools

    def f(x: float):
        return functools.reduce(lambda a, b: a * b, [x, 2.0, x])
    """)
    assert f(3.0) == 18.0


def test_inheritance_and_super(stage):
    f = stage("""
    class Base:
        def __init__(self, k):
            self.k = k

        def run(self, x):
            return x + self.k

    class Derived(Base):
        def __init__(self, k):
            super().__init__(k + 1)

        def run(self, x):
            return super().run(x) * 2

    def f(x: float):
        return Derived(1).run(x)
    """)
    assert f(3.0) == 10.0


@pytest.mark.parametrize("dtype, text", [("f32", "f32"), ("f64", "f64")])
def test_wrong_arguments(error_of, dtype, text):
    error = error_of("""
    def g(a, b):
        return a

    def f(x: float):
        return g(x)
    """)
    assert error.code == "LT0309" and "TypeError" in error.message and error.place.line == 5
