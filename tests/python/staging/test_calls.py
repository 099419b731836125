"""Calls that staged values reach: specialisation, captured values."""
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


LAMBDAS = {
    "lambda xs, k: [x * k for x in xs]": ([1.0, 2.0], 3.0), "lambda xs, k: sum(x for x in xs if x > k)": ([1.0, 2.0], 1.0),
    "made(1.0)": ([1.0, 2.0], 3.0), "made(None)": ([1.0, 2.0], 3.0),
    "lambda xs, k: [(lambda y: [y * z for z in xs])(x)[0] for x in xs]": ([1.0, 2.0], 3.0),
    "lambda xs, k: {i: [x + y + k for y in [x]] for i, x in enumerate([1, 2])}[1][0]": ([1.0], 3.0),
}


@pytest.mark.parametrize("function", LAMBDAS)
def test_a_lambda_with_comprehensions(stage, function):
    f = stage(f"""
def made(k):
    return lambda xs, n: [0.0 if k is None else x * k for x in xs if (lambda y: k is None or y > k)(x)]

g = {function}

def f(xs: list[float], k: float):
    return g(xs, k)
""")
    assert f(*LAMBDAS[function]) == f.module.g(*LAMBDAS[function])


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


def test_what_a_value_is_is_asked_in_plain_code(stage):
    """isinstance answers there as in Python, and not of what stands for the value while staging."""
    f = stage("""
    import numpy as np

    @ag.do_not_convert
    def doubled(x): return x * 2 if isinstance(x, (float, np.ndarray)) and not isinstance(x, int) else x * 3

    def f(x: float, n: int):
        return doubled(x), doubled(n)
    """)
    assert f(1.5, 2) == (3.0, 6)
