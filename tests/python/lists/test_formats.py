"""Text laid out by `%` and `format`, and lines that several prints write: what the compiled program gives is what Python gives."""
import pytest
from compiled_table import Table, cases_of, outcome

import lantern as lt
from lantern.staging.errors import StagingError

SOURCE = r"""
def numbers(x: float, n: int, b: bool):
    return "%.3f %d %s %5d|%-6d|%+d|%06.2f|% d|%5.1f%%|%e|%G" % (x, n, b, n, n, n, x, n, x, x, x), "%i %u %x %X %.0f %.f %5.1e" % (n, b, n, n, n, x, n)


def alone(x: float, s: str):
    return "%s" % x, "%r" % x, "%g" % x, "<%s>" % s, "%5.1f" % x


def beside_known_text(x: float, s: str):
    return "%-5s|%.1f|%s|%3d%%" % ("ab", x, s, 12), "%(a).2f %(b)s %(a)d" % {"a": x, "b": s}


def of_a_list(xs: list[float]):
    return "%s has %d" % (xs, len(xs)), "{} {}".format(xs, len(xs))


def fields(x: float, n: int, s: str):
    return "{} {:.2f} {n:>4} {s}|{s!s}".format(x, x, n=n, s=s), "{1:<5}|{0:+.1e}|{{}}|{1}".format(x, n), "{:<5s}|{:08.3f}".format("ab", x)


def raised(x: float):
    if x > 0:
        raise ValueError("x is %.2f, %s" % (x, "positive"))
    return x


def lines(n: int, x: float):
    for i in range(n):
        print(i, end=" " if i < n - 1 else "\n")
    print(x, n, sep="|", end="!\n")
    print(end="")
    print([x], (n, x), None, True, end=";")
    print("done", end=None)
    return n


def write(x: float):
    print(x, "written", end="")
    return 2 * x
"""
CALLS = {
    "numbers": [(3.14159, 42, True), (-3.75, -5, False), (0.0, 0, True), (1e15, 255, False)],
    "alone": [(2.5, "text"), (-1e-7, ""), (float("inf"), "é")],
    "beside_known_text": [(2.5, "text"), (-0.125, "%d")], "of_a_list": [([1.0, 0.1],), ([],)],
    "fields": [(2.25, 7, "text"), (-1e30, -7, "{}")], "raised": [(-1.0,), (2.0,)], "lines": [(3, 1.5), (0, -1.0)], "write": [(1.5,)],
}


@pytest.fixture(scope="module")
def table():
    return Table(SOURCE, list(CALLS))


@pytest.mark.parametrize("name, arguments", cases_of(CALLS))
def test_compiled_is_python(table, capfd, name, arguments):
    expected = outcome(table.plain[name], arguments), capfd.readouterr().out
    assert (outcome(table.compiled[name], arguments), capfd.readouterr().out) == expected


def test_a_line_in_parts_is_written_once_where_a_gradient_is_taken(capfd):
    def power(x: float, n: int):
        y = x
        for i in range(n):
            y = y * x
            print(f"{y:.1f}", end=", ")
        print()
        return y

    assert lt.value_and_grad(lt.function(power), wrt="x")(2.0, 2) == (8.0, 12.0)
    assert capfd.readouterr().out == "4.0, 8.0, \n"


@pytest.mark.parametrize("text, code, message", [
    ("'%d %d' % n", "LT0309", "TypeError: not enough arguments for format string"),
    ("'%d' % (n, n)", "LT0309", "TypeError: not all arguments converted during string formatting"),
    ("'%d' % s", "LT0309", "TypeError: %d format: a real number is required, not str"),
    ("'{} {}'.format(n)", "LT0309", "IndexError: Replacement index 1 out of range for positional args tuple"),
])
def test_what_is_refused(text, code, message):
    with pytest.raises(StagingError) as caught:
        Table(f"def f(n: int, s: str):\n    return {text}\n", ["f"])
    assert (caught.value.code, caught.value.message) == (code, message)
