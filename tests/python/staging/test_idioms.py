"""Idioms of Python on staged values: what each program gives staged is what it gives plainly, or an error that names the cause."""
import pytest

PROGRAMS = {
    "a call binds a nonlocal under a staged condition": """
        def f(x: float):
            k = 1.0
            def change():
                nonlocal k
                k = k + x
            if x > 0:
                change()
            return k
        """,
    "a closure sees what either branch stored": """
        def f(x: float):
            k = 1.0
            def get():
                return k * x
            if x > 0:
                k = 2.0
            else:
                k = 3.0
            return get()
        """,
    "a closure called in a loop and behind it": """
        def f(x: float):
            k = 1.0
            def get():
                return k * x
            while k < 10:
                k = k + get() * get() + 1
            return get()
        """,
}


def outcome(function, argument):
    try:
        return repr(function(argument))
    except Exception as error:
        return getattr(error, "kind", type(error).__name__), str(error)


@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS)
def test_as_plain(stage, source):
    f = stage(source)
    for x in (3.0, -2.0, 0.5, 0.0):
        assert outcome(f, x) == outcome(f.module.f, x), x
