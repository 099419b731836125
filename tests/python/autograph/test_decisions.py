"""`--emit staging`: what each `if`, loop and call became, and the value that decided."""
import pytest

from lantern import stage as staging

CASES = [
    ("if x > 0: pass", "if: staged by 'x'"),
    ("if N > 2: pass", "if: Python, True"),
    ("if x is None: pass", "if: Python, False"),
    ("if not (x > 0): pass", "if: staged by 'x'"),
    ("if x > 0 and n > 0: pass", "if: staged by 'x'"),
    ("if t.left is None: pass", "if: staged by 't.left'"),
    ("y = x if n else 1.0", "if: staged by 'n'"),
    ("y = x if N else 1.0", "if: Python, True"),
    ("if N > 5:\n        while n > 0: n -= 1", "while: not reached"),
    ("for i in range(3):\n        if i % 2: pass", "if: Python, False, True"),
    ("while x > 1: x = x / 2", "while: staged by 'x'"),
    ("k = 0\n    while k < 3: k += 1", "while: unrolled × 3"),
    ("q = [n]\n    while q:\n        if q.pop() > 2: q.append(1)", "while: staged"),
    ("q = collections.deque([n])\n    while q:\n        if q.popleft() > 2: q.append(1)", "while: staged"),
    ("y = max([x, n], default=0) + sum([x for _ in range(n)])", "max(): staged by 'x'"),
    ("for i in range(n): pass", "for: staged by 'n'"),
    ("for i in range(n): pass", "range(): staged by 'n'"),
    ("for i in range(3): pass", "for: unrolled × 3 by range(0, 3)"),
    ("for i in [x, n]: pass", "for: unrolled × 2 by list"),
    ("for i in (): pass", "for: unrolled × 0 by tuple"),
    ("for i in range(4):\n        if i == n: break", "for: unrolled × 4 by range(0, 4)"),
    ("for i in range(99):\n        if i == n: break", "for: staged"),
    ("for i in lt.range(3): pass", "for: staged"),
    ("y = helper(x)", "helper(): staged by 'x'"),
    ("y = helper(1)", "helper(): Python"),
    ("y = any([x > 0, n > 1])", "any(): staged by 'x'"),
    ("y = len('ab')", "len(): Python"),
    ("y = len(v)", "len(): Python"),
    ("y = Box(x)", "Box(): Python"),
    ("y = Box(x).method(2)", "method(): Python"),
    ("y = Box(1.0).method(x)", "method(): staged by 'x'"),
    ("y = down(3, x)", "down(): unrolled × 3 by 'k'"),
    ("y = fall(n)", "fall(): staged by 'n'"),
    ("print(N)", "print(): staged"),
    ("for y in each(t): x += y", "for: staged by the generator 'each'"),
]
PROGRAM = '''
import collections
import lantern as lt
N = 3

@lt.struct
class T:
    left: "T | None"

class Box:
    def __init__(self, value):
        self.value = value
    def method(self, k):
        return self.value > k

def helper(v):
    return v > 0

def each(t):
    if t is not None:
        yield from each(t.left)
        yield 1.0

def down(k, y):
    return y if k == 0 else down(k - 1, y + 1)

def fall(k):
    return 0 if k <= 0 else fall(k - 1)

@lt.export
def main(x: float, n: int, t: T, v: lt.Tensor[3]):
    {code}
    return x
'''


def listing(tmp_path, source):
    path = tmp_path / "program.py"
    path.write_text(source, "utf-8")
    reply = staging.stage({"file": str(path), "entry": None, "emit": "staging", "mode": "compile", "dtype": "f64"})
    assert reply["diagnostics"] == []
    return reply["staging"]


@pytest.mark.parametrize("code, mark", CASES)
def test_marks(converter, tmp_path, code, mark):
    text = listing(tmp_path, PROGRAM.replace("{code}", code))
    marks = [line.split("  # ", 1)[1] for line in text.splitlines() if "  # " in line]
    assert any(mark == part for line in marks for part in line.split("; ")), text


def test_only_comments_are_added(converter, tmp_path):
    source = PROGRAM.replace("{code}", "if x > 0: pass")
    text = listing(tmp_path, source)
    assert [line.split("  # ")[0].rstrip() for line in text.splitlines()] == [line.rstrip() for line in source.splitlines()]
