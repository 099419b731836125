"""What a traceback shows: the user's lines, each once, and none of the package's."""
import linecache
import pathlib
import sys
import traceback

import numpy as np
import pytest

import lantern as lt

PACKAGE = str(pathlib.Path(lt.__file__).parent)
clean = pytest.mark.skipif(sys.version_info < (3, 11), reason="before Python 3.11 a traceback keeps the frame that it is raised again in")


def check(x):
    if x.shape[0] > 2:
        return int(f"{x.ndim} is")      # raises while it is staged
    return x


def user_raises(v, n: int):
    total = 0.0
    for i in range(n):
        if n > 1:
            total = total + lt.sum(check(v))
    return total


def is_refused(v, n: int):
    for i in range(n):
        if n > 1:
            return frozenset((n, 1))
    return 0


def divides(v, n: int):
    total = 0.0
    for i in range(n):
        if n > 1:
            total = total + 1 / (n - 2)
    return total


def called_back(x):
    raise ValueError(x)


def calls_back(v, n: int):
    for i in range(n):
        if n > 1:
            lt.py_function(called_back, (i,), None)
    return 0


def lines_of(error):
    """(function, text) of the frames of an exception, from this file's outermost one on."""
    return [(frame.name, frame.line) for frame in traceback.extract_tb(error.__traceback__)]


def caught_of(function, *arguments):
    with pytest.raises(Exception) as caught:
        function(*arguments)        # the user's call
    return caught.value


V = np.arange(3.0)
STAGING = [("caught_of", "function(*arguments)        # the user's call")]


@clean
@pytest.mark.parametrize("function, frames", [
    (user_raises, [("user_raises", "total = total + lt.sum(check(v))"), ("check", 'return int(f"{x.ndim} is")      # raises while it is staged')]),
    (is_refused, [("is_refused", "return frozenset((n, 1))")]),
    (divides, [("divides", "total = total + 1 / (n - 2)")]),
    (calls_back, [("called_back", "raise ValueError(x)")]),
])
def test_a_traceback_shows_the_users_lines_alone(function, frames):
    error = caught_of(lt.function(function), V, 2)
    own = lines_of(error)
    assert own == [*STAGING, *frames]
    text = "".join(traceback.format_exception(type(error), error, error.__traceback__))
    assert PACKAGE not in text
    for frame in traceback.extract_tb(error.__traceback__):
        assert linecache.getline(frame.filename, frame.lineno).strip() == frame.line


@clean
def test_gradients_show_them_alone():
    error = caught_of(lt.value_and_grad(lt.function(divides)), V, 2)
    assert PACKAGE not in "".join(traceback.format_exception(type(error), error, error.__traceback__))


def test_a_gradient_that_is_refused_is_at_the_function_of_another_file(tmp_path, monkeypatch):
    (tmp_path / "sums_of_pairs.py").write_text("\n\ndef total(pairs):\n    return sum(x * k for x, k in pairs)\n")
    monkeypatch.syspath_prepend(tmp_path)
    import sums_of_pairs
    with pytest.raises(lt.CoreError, match="LT0502") as caught:
        lt.value_and_grad(lt.function(sums_of_pairs.total), wrt="pairs")([(1.0, 2), (3.0, 1)])
    place = caught.value.diagnostics[0]
    assert (pathlib.Path(place["file"]).name, place["line"], place["column"]) == ("sums_of_pairs.py", 3, 1)


def test_post_mortem_stops_in_the_users_frame():
    error = caught_of(lt.function(user_raises), V, 2)
    last = list(traceback.walk_tb((error.__cause__ or error).__traceback__))[-1][0]
    assert last.f_code.co_name == "check" and "x" in last.f_locals


def test_a_whole_traceback_can_be_asked_for(monkeypatch):
    monkeypatch.setenv("LANTERN_TRACEBACK", "1")
    error = caught_of(lt.function(user_raises), V, 2)
    assert PACKAGE in "".join(traceback.format_exception(type(error), error, error.__traceback__))
