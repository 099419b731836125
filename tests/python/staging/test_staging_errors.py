"""Errors: code, place, variable, remedy."""
import sys

import pytest


def test_an_undefined_variable(error_of):
    error = error_of("""
    def f(x: float):
        return x + missing
    """)
    assert error.code == "LT0301" and "missing" in error.message and error.place.line == 2
    assert error.place.column == (16 if sys.version_info >= (3, 11) else 0)       # earlier Pythons keep no columns


def test_a_wrong_shape_names_place_and_variables(error_of):
    error = error_of("""
    def f(x: lt.Tensor[3]):
        w = lt.zeros(5, 4)
        y = w @ x
        return y
    """)
    assert error.code.startswith("LT04") and "4" in error.message and "3" in error.message
    assert error.place.line == 3
    assert any("'w'" in note for note in error.notes) and any("'x'" in note for note in error.notes)


def test_an_exception_of_the_user_s_code(error_of):
    error = error_of("""
    def g(x):
        return [1, 2][5] * x

    def f(x: float):
        return g(x)
    """)
    assert error.code == "LT0309" and "IndexError" in error.message and error.place.line == 2


def test_an_attribute_that_does_not_exist(error_of):
    error = error_of("""
    class Model:
        pass

    def f(x: float):
        return Model().weight * x
    """)
    assert error.code == "LT0309" and "'weight'" in error.message and error.place.line == 5


@pytest.mark.parametrize("expression, code, word", [
    ("int(3) if x.is_integer() else 1", "LT0310", "is_integer"),
    ("[1, 2, 3][n]", None, ""),
    ("{1: 2}[n]", "LT0310", "dict"),
    ("'abc'[n]", "LT0310", "str"),
    ("list(range(n))", None, ""),
    ("round(x, 2)", "LT0310", "round"),
    ("sorted([x, 1.0])", None, ""),
    ("x(1)", "LT0310", "called"),
    ("n in xs", None, ""),
    ("type(x)", "LT0310", "isinstance"),
])
def test_what_has_no_staged_meaning(error_of, stage, expression, code, word):
    source = f"""
    def f(x: float, n: int, xs: list[float]):
        return {expression}
    """
    if code is None:
        try:
            stage(source)
        except Exception as error:
            assert "LT03" in str(error)
        return
    error = error_of(source)
    assert error.code == code and word in str(error) and error.place.line == 2


def test_truth_asked_by_python_itself(error_of):
    error = error_of("""
    import json

    @ag.do_not_convert
    def plain(x):
        if x > 0:
            return 1
        return 0

    def f(x: float):
        return plain(x)
    """)
    assert error.code == "LT0303" and error.place.line == 5 and "do_not_convert" in error.hint


def test_the_message_shows_the_line(error_of):
    error = error_of("""
    def f(x: float):
        return x + missing
    """)
    text = str(error)
    assert ": error LT0301" in text and "return x + missing" in text
    if sys.version_info >= (3, 11):     # earlier Pythons keep no columns
        assert ":2:16: error" in text and "\n                 ^" in text


def test_a_required_static_parameter(error_of):
    error = error_of("""
    def f(x: float, n: lt.static[int]):
        return x * n
    """)
    assert error.code == "LT0311" and "'n'" in error.message


def test_numpy_functions_are_mapped_or_refused_by_name(stage, error_of):
    f = stage("""
    import numpy as np

    def f(x: float):
        return np.exp(x) + np.maximum(x, 1.0)
    """)
    assert "(exp x)" in f.text
    error = error_of("""
    import numpy as np

    def f(x: float):
        return np.fft.fft(x)
    """)
    assert error.place.line == 4
    error = error_of("""
    import numpy as np

    def f(x: float):
        return np.arctan(x)
    """)
    assert "numpy.arctan" in error.message and error.place.line == 4


def test_an_integer_that_does_not_fit(error_of):
    error = error_of("""
    def f(n: int):
        return n + 2**70
    """)
    assert error.code == "LT0312" and "64 bits" in error.message


def test_an_array_is_not_printed(error_of):
    error = error_of("""
    def f(x: float):
        y = lt.stack(x, x)
        print("y:", y)
        return x
    """)
    assert (error.code, error.place.line) == ("LT0409", 3)
    assert "cannot print 'y', of type (tensor f64 2), when the program runs" in str(error)
