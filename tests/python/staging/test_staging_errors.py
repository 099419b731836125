"""Errors: code, place, variable, remedy."""
import sys

import pytest

from lantern.staging.errors import in_annotations

sys.path.insert(0, __file__.rsplit("/", 2)[0] + "/random")
from compiled import INTERNAL  # noqa: E402


def test_an_undefined_variable(error_of):
    error = error_of("""
    def f(x: float):
        return x + missing
    """)
    assert error.code == "LT0301" and "missing" in error.message and error.place.line == 2
    assert error.place.column == (16 if sys.version_info >= (3, 11) else 5)       # earlier Pythons keep no columns: the line's


def test_a_wrong_shape_names_place_and_variables(error_of):
    error = error_of("""
    def f(x: lt.Tensor[3]):
        w = lt.zeros(5, 4)
        y = w @ x
        return y
    """)
    assert error.code.startswith("LT04") and "4" in error.message and "3" in error.message
    assert error.place.line == 3
    assert "lt.Tensor[lt.f32, 5, 4] by lt.Tensor[lt.f32, 3]" in error.message
    assert error.notes == ["'w' is lt.Tensor[lt.f32, 5, 4]", "'x' is lt.Tensor[lt.f32, 3]"]


def test_a_string_that_no_text_can_have(error_of):
    error = error_of("""
    def f(x: float):
        print("\\ud800é")
        return x
    """)
    assert error.code == "LT0312" and error.place.line == 2 and "the string '\\ud800\\xe9' has half a character" in error.message


@pytest.mark.parametrize("expression, message, hint", [
    ("-xs", "'neg' needs a number or an array, not list[float]", "lt.stack(…) makes an array of a list"),
    ("xs[x]", "'index' needs an integer as its index, not float", "int(x) makes a whole number of it"),
    ("'x is ' + x", "'+' needs a number or an array, not str", "make text of the other: str(x), or an f-string, f'{x}'"),
])
def test_a_value_where_another_is_wanted(error_of, expression, message, hint):
    error = error_of(f"def f(xs: list[float], x: float):\n    return {expression}\n")
    assert (error.message, error.hint) == (message, hint)


@pytest.mark.parametrize("attribute, hint", [
    ("numpy()", "it is an array already: leave '.numpy()' out"), ("item()", "give the element's index: x[0]"),
    ("sort()", "write x = np.sort(x)"), ("fill(1.0)", "write x[...] = value"), ("tanspose()", "did you mean 'transpose'?"), ("nothing_like_it", None)])
def test_an_attribute_that_arrays_have_elsewhere(error_of, attribute, hint):
    error = error_of(f"""
    def f(x: lt.Tensor[3]):
        return x.{attribute}
    """)
    assert error.code == "LT0310" and error.hint == hint and error.place.line == 2


@pytest.mark.parametrize("call, hint", [
    ("np.add(x, x, out=x)", "write x[...] = numpy.add(…) in place of out=x"), ("np.fill_diagonal(x, 1.0)", "write x[i, i] = value, where i = np.arange(n)")])
def test_a_function_of_numpy_s_that_changes_an_array(error_of, call, hint):
    error = error_of(f"""
    import numpy as np
    def f(x: lt.Tensor[3, 3]):
        {call}
        return x
    """)
    assert error.code == "LT0310" and error.hint == hint and error.place.line == 3


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
    ("x.as_integer_ratio()", "LT0310", "as_integer_ratio"),
    ("[1, 2, 3][n]", None, ""),
    ("'abc'[n]", None, ""),
    ("{1: float}[n](x)", "LT0310", "dict"),
    ("list(range(n))", None, ""),
    ("round(n, n)", "LT0310", "digits"),
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
    assert "(let x0 (full f64 x)\n  (let x1 (exp x0)" in f.text     # NumPy makes an array of rank 0
    error = error_of("""
    import numpy as np

    def f(x: float):
        return np.fft.fft(x)
    """)
    assert error.place.line == 4
    error = error_of("""
    import numpy as np

    def f(x: float):
        return np.spacing(x)
    """)
    assert "numpy.spacing" in error.message and error.place.line == 4


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
    assert "cannot print 'y', of type lt.Tensor[lt.f64, 2], when the program runs" in str(error)


def test_a_field_of_a_type_that_staged_code_does_not_have(error_of):
    error = error_of("""
    @lt.struct
    class Point:
        x: float
        y: complex

    def f(p: Point):
        return p.x
    """)
    assert (error.code, error.place.line, error.place.column) == ("LT0311", 4, 5)
    assert "field 'y' of structure 'Point'" in error.message and "an lt.struct class" in error.hint


@pytest.mark.parametrize("type_", ["tuple[float, float]", "list[tuple[str, int]]"])
def test_a_field_that_holds_tuples(error_of, type_):
    error = error_of(f"""
    @lt.struct
    class Point:
        x: float
        where: {type_}

    def f(p: Point):
        return p.x
    """)
    assert (error.code, error.place.line, error.place.column) == ("LT0311", 4, 5)
    assert f"field 'where' of structure 'Point' holds tuples, as {type_}" in error.message and "a field of each" in error.hint


def test_the_errors_of_both_paths_in_one_run(error_of):
    error = error_of("""
    def f(x: float):
        if x > 0:
            if x > 1:
                y = None + 1
            else:
                y = 'a'.b
        else:
            y = missing
        return y
    """)
    assert [(each.code, each.place.line) for each in error.all()] == [("LT0309", 4), ("LT0309", 6), ("LT0301", 8)]
    assert str(error).count(": error LT") == 3


def test_the_errors_of_several_entries_in_one_run():
    from lantern.staging import entry
    from lantern.staging.errors import StagingError
    from staged_source import module_of
    module = module_of("""
    def shared(x):
        return missing + x

    def f(x: float):
        return shared(x)

    def g(x: float):
        return shared(x) + {}[3]

    def h(x: float):
        return {}[1] * x
    """)
    with pytest.raises(StagingError) as caught:
        entry.stage_entries([module.f, module.g, module.h])
    assert [each.place.line for each in caught.value.all()] == [2, 11]      # the shared one once


def test_how_often_a_loop_is_unrolled_is_the_users_to_say(stage, error_of, monkeypatch):
    source = """
    def f(x: float):
        for i in [1] * 7:
            x = x + i
        return x
    """
    monkeypatch.setenv("LANTERN_UNROLL", "6")
    assert error_of(source).code == "LT0315"
    monkeypatch.setenv("LANTERN_UNROLL", "7")
    assert stage(source)(1.0) == 8.0


@pytest.mark.parametrize("source", [
    """
    def f(n: int):
        for i in range(n):
            if i > 2:
                return i
            if i > 1:
                return "text"
        return 0
    """, """
    def f(n: int):
        for i in range(n):
            if i > 2:
                return [i, 1]
        return [1.0, 2.0, "x"]
    """, """
    def f(n: int):
        while n > 0:
            n -= 1
            if n > 2:
                return {"a": n}
        return {"b": n}
    """, """
    def f(n: int):
        for i in range(n):
            if i > 2:
                return lambda: i
        return 1
    """, """
    def f(n: int):
        for i in range(n):
            for j in range(n):
                if j > i:
                    return (i, j)
        return (i, 1, 2)
    """, """
    def f(n: int):
        kept = bytearray()
        def g(k):
            kept.append(1)
        for i in range(n):
            def h(k):
                for j in range(k):
                    if j > 1:
                        g(j)
            h(i)
        return 1
    """, """
    class Box:
        pass

    def f(n: int):
        box = Box()
        def g(k):
            if k > 2:
                vars(box).update(k=k)
        for i in range(n):
            def h(k):
                while k > 0:
                    k -= 1
                    g(k)
            h(i)
        return 1
    """, """
    def f(n: int):
        for i in range(n):
            a, (b, c) = (1, 2) if i > 2 else (1, (2, 3))
        return a
    """,
])
def test_no_error_speaks_of_what_the_converter_makes(error_of, source):
    text = str(error_of(source))
    assert not INTERNAL.search(text), text


def test_the_new_value_of_a_variable_has_its_shape(error_of):
    error = error_of("""
    w = lt.Variable(lt.zeros(2))
    def f(x: float):
        w.assign(w + 1.0)
        w.assign(lt.zeros(3) + x)
        return x
    """)
    assert (error.code, error.place.line, error.message) == ("LT0402", 4, "the new value of 'Variable' has the shape [3], and [2] is expected")


def test_logging(error_of):
    error = error_of("""
    import logging
    log = logging.getLogger("program")
    def f(x: float):
        if x > 0:
            log.warning("positive")
        return x
    """)
    assert (error.code, error.place.line, error.message) == ("LT0310", 5, "a message is logged while the program is staged, not when it runs")


def test_an_entry_that_returns_what_has_no_staged_counterpart(error_of):
    error = error_of("""
    class Box:
        pass
    box = Box()
    def f(x: float):
        return box
    """)
    assert (error.code, error.place.line) == ("LT0312", 4) and "'Box'" in error.message


@pytest.mark.parametrize("number", ["complex(x, 1.0)", "cmath.sqrt(x)", "(1 + 2j) * x"])
def test_complex_numbers(error_of, number):
    error = error_of(f"import cmath\ndef f(x: float):\n    return abs({number})\n")
    assert (error.code, error.place.line) == ("LT0312", 3) and "complex" in error.message and "two floats" in error.hint


@pytest.mark.parametrize("message, shown", [
    ("not (tensor f32 3 ?)", "not lt.Tensor[lt.f32, 3, None]"), ("(list (optional Tree)) and (tuple i64 (tensor f64))!", "list[Tree | None] and tuple[int, lt.Tensor[lt.f64]]!"),
    ("a type is (tensor DTYPE DIM…) or (list TYPE", "a type is (tensor DTYPE DIM…) or (list TYPE"), ("f(list) of (a tensor)", "f(list) of (a tensor)")])
def test_types_in_messages_are_annotations(message, shown):
    assert in_annotations(message) == shown


@pytest.mark.parametrize("asked, hint", [
    ("getattr(v, 'visit_' + name)(x)", "by a dict of what is meant: {'a': self.visit_a, 'b': self.visit_b}[name]"),
    ("getattr(v, name, x)", "by a dict of what is meant"),
    ("1.0 if hasattr(v, name) else x", "name in ('a', 'b')"),
    ("setattr(v, name, x)", "self.values[name] = x"),
    ("delattr(v, name)", "del self.values[name]"),
])
def test_an_attribute_whose_name_only_the_program_knows(error_of, asked, hint):
    error = error_of(f"""
    class V:
        def __init__(self): self.a = 1.0
        def visit_a(self, x): return x

    def f(name: str, x: float):
        v = V()
        y = {asked}
        return x
    """)
    assert error.code == "LT0310" and "of an attribute whose name is known only when the program runs" in error.message and hint in error.hint
    assert error.place.line == 7
