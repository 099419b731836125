"""What differs on two paths, or cannot be staged: one diagnostic, with the places that led to it and a remedy."""
import pytest

# The body of f(x: float, n: int): the code, what the message says, the line of the error, the lines of its notes.
SITES = {
    "None": ("y = None\nif x > 0:\n  y = range(n)\nreturn y", "LT0306", "'y' is a Python value of type 'range' that differs", 2, [3]),
    "None in a loop": ("y = None\nfor i in range(n):\n  y = range(n)\nreturn y", "LT0306", "'y' is a Python value of type 'range' that differs", 2, [3]),
    "no value on a path of return": ("if x > 0:\n  return 1j", "LT0306", "the result is a Python value of type 'complex' that differs", 1, None),
    "dtypes": ("if x > 0:\n  y = str(n)\nelse:\n  y = x * 2\nreturn y", "LT0306", "'y' is str on one path", 1, [2, 4]),
    "a dtype in a loop": ("y = n + 1\nfor i in range(n):\n  y = str(i)\nreturn y", "LT0306", "'y' is int before", 2, [1, 3]),
    "ranks": ("y = lt.zeros(2)\nif x > 0:\n  y = lt.zeros(2, 2)\nreturn y", "LT0306", "'y' is lt.Tensor[lt.f32, 2, 2] on one path", 2, [3, 1]),
    "a rank in a loop": ("y = lt.zeros(2)\nfor i in range(n):\n  y = lt.zeros(2, 2)\nreturn y", "LT0306", "'y' is lt.Tensor[lt.f32, 2] before", 2, [1, 3]),
    "structure": ("if x > 0:\n  y = (1, 2)\nelse:\n  y = (1, 2, 3)\nreturn y", "LT0306", "'y' is tuple[int, int] on one path", 1, [2, 4]),
    "structure in a loop": ("y = (1,)\nfor i in range(n):\n  y = y + (i,)\nreturn y", "LT0306", "'y' changes its number", 2, [1, 3]),
    "a known index": ("y = [x, x]\nreturn y[2]", "LT0309", "IndexError", 2, []),
    "an error in NumPy": ("y = n\nreturn __import__('numpy').sum([1.0], axis=5) * x", "LT0309", "axis 5 is out of bounds", 2, []),
    "an error in a library": ("return __import__('statistics').mean([]) * x", "LT0309", "StatisticsError", 1, []),
    "an error in Cython": ("return __import__('numpy').random.default_rng('a').random() * x", "LT0309", "TypeError", 1, []),
    "text in a library": ("return __import__('string').Template('$a').substitute(a=n)", "LT0303", "Python makes text of it", 1, []),
    "a result that is an object": ("return __import__('io').StringIO()", "LT0312", "'f' returns a Python object of type 'StringIO', which what is compiled cannot", 0, []),
    "a list that is stale where the function ends": ("a, b = [x], [x]\nt = [a, b]\nt[n].append(x)\nreturn a, b", "LT0305", "may have changed through another name", 0, []),
    "an index in C": ("return sum([range(9)[n]])", "LT0310", "'n'", 1, None),
    "a bool in C": ("return __import__('operator').truth(x)", "LT0303", "whether it is true", 1, []),
    "a hash in C": ("return frozenset([n, 1]) and 1", "LT0303", "'n' is known only when the program runs, and Python needs its hash", 1, []),
    "an unrolled loop": ("for i in [0] * 20000:\n  x = x + 1\nreturn x", "LT0315", "unrolled more than 10000 times", 1, []),
    "an unrolled loop that is left": ("for i in [0] * 400:\n  x = x + 1\n  if x > 9: break\nreturn x", "LT0315", "unrolled more than 300 times", 1, []),
    "a bytearray": ("seen = bytearray()\nfor i in range(n):\n  seen.append(1)\nreturn len(seen)", "LT0305", "a bytearray, 'seen', is changed inside a staged", 3, []),
    "a key": ("return {'a': abs, 'b': float}[str(n)](x)", "LT0310", "an element of a Python dict is chosen by", 1, []),
    "text by %": ("return '%c %g' % (n, x)", "LT0310", "'%c' of a value that is known only when the program runs", 1, []),
    "turns before the condition becomes staged": ("b = Box()\ni = 0\nwhile i < 3:\n  b.bump()\n  i = i + x\nreturn b.n", "LT0305", "'b'", 3, []),
}
BOX = """
class Box:
    @ag.do_not_convert
    def bump(self):
        self.n = getattr(self, "n", 0) + 1

def f(x: float, n: int):
"""


@pytest.mark.parametrize("title", SITES)
@pytest.mark.filterwarnings("ignore::lantern.exceptions.UnconvertedWarning")
def test_one_diagnostic_with_its_sites_and_a_remedy(error_of, title):
    body, code, text, line, sites = SITES[title]
    error = error_of(BOX + "".join(f"    {row}\n" for row in body.splitlines()))
    first = BOX.lstrip("\n").count("\n")
    assert (error.code, error.place.line) == (code, first + line) and text in error.message and error.place.column
    if sites is not None:
        assert [int(note.split(":")[1]) - first for note in error.notes if "assigned here" in note] == sites
    assert error.hint or code == "LT0309"
    assert error.others == []


def test_an_instance_that_changes_is_to_be_made_anew(error_of):
    """Not a structure, which does not change either. (What `typing` gives a class is not known to be the same of one that is derived from it.)"""
    error = error_of("""
    import typing

    class Complex(typing.Generic[typing.TypeVar("T")]):
        def __init__(self, re, im):
            self.re, self.im = re, im

    def f(x: float, n: int):
        z = Complex(x, x)
        for i in range(n):
            z = Complex(z.re * z.im, z.re)
        z.im = 0.0
        return z.re
    """)
    assert error.code == "LT0306" and "make a new Complex with what has changed" in error.hint and "@lt.struct" not in error.hint


@pytest.mark.parametrize("title, hint", [
    ("a key", "choose by comparisons"), ("an unrolled loop", "lt.range(n)")])
def test_a_remedy_that_fits(error_of, title, hint):
    assert hint in error_of(BOX + "".join(f"    {row}\n" for row in SITES[title][0].splitlines())).hint
