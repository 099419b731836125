"""`try` of what fails when the program runs: its ways are branches, and each gives what Python gives."""
import pytest
from staged_source import assert_is_python

PRELUDE = """
import collections
import math

import numpy as np

class MyError(Exception):
    pass

class Box:
    def __init__(self, n):
        self.n, self.log = n, []

    def take(self, k):
        if k > self.n:
            raise ValueError(f"only {self.n}")
        self.n -= k
        self.log.append(k)
        return k

def kinds():
    return KeyError, ZeroDivisionError

def helper(xs, i):
    if i > 2:
        raise ValueError("too much")
    return xs[i]

def table(xs):
    d = {}
    for i, x in enumerate(xs):
        d[x] = i
    return d
"""

# Each is the body of f(xs: list[int], i: int, j: int); it is run for each of the cases, plainly and staged.
BODIES = {
    "an index": "try:\n  y = xs[i]\nexcept IndexError as e:\n  print(e)\n  y = -1\nreturn y",
    "a division": "try:\n  y = i / j\nexcept ZeroDivisionError as e:\n  print(e)\n  y = 0.5\nreturn y",
    "a whole division": "try:\n  y = i // j + i % j\nexcept ArithmeticError as e:\n  print(e)\n  y = 0\nreturn y",
    "a key": "d = table(xs)\ntry:\n  y = d[i]\nexcept KeyError as e:\n  print(e)\n  y = -1\nreturn y",
    "a key that is taken out": "d = table(xs)\ntry:\n  y = d.pop(i)\nexcept LookupError:\n  y = -1\nreturn y, sorted(d.keys())",
    "a place of a value": "try:\n  y = xs.index(i)\nexcept ValueError:\n  y = -1\nreturn y",
    "a pop": "q = [x + j for x in range(i)]\ntry:\n  y = q.pop()\n  y += q.pop()\nexcept IndexError as e:\n  print(e)\n  y = -1\nreturn y, q",
    "a pop of a place": "q = [x for x in range(i)]\ntry:\n  y = q.pop(j)\nexcept IndexError:\n  y = -1\nreturn y, q",
    "a store": "q = [0] * 3\ntry:\n  q[i] = 5\n  q[j] += 1\nexcept IndexError as e:\n  print(e)\nreturn q",
    "a text": "try:\n  y = 'abc'[i] + str(j)[1]\nexcept IndexError as e:\n  y = str(e)\nreturn y",
    "a number in a text": "s = ['12', ' -7_0 ', 'x', '', '1__0'][i % 5]\ntry:\n  y = int(s)\nexcept ValueError as e:\n  print(e)\n  y = -1\nreturn y",
    "a float in a text": "s = ['1.5', 'x', '1e3', '.', '-inf'][i % 5]\ntry:\n  y = float(s)\nexcept ValueError as e:\n  print(e)\n  y = -1.0\nreturn y",
    "a root": "try:\n  y = math.sqrt(j) + math.log(i)\nexcept ValueError:\n  y = -1.0\nreturn y",
    "an assertion": "try:\n  assert i > 0, 'not positive'\nexcept AssertionError as e:\n  print(e)\n  i = 0\nreturn i",
    "an assertion that says more": "try:\n  assert i > 0, f'{i} is not positive'\nexcept AssertionError as e:\n  print(e)\n  i = 0\nreturn i",
    "a raise": "try:\n  if i == 2:\n    raise MyError(f'no {j}')\n  y = 1\nexcept MyError as e:\n  print(e)\n  y = 2\nreturn y",
    "a raise in one of several": "try:\n  if i == 0:\n    y = 1\n  elif i == 1:\n    raise KeyError('a')\n  elif i == 2:\n    y = 1 // j\n  else:\n    raise ValueError\n"
                                 "except (KeyError, ZeroDivisionError):\n  y = -1\nexcept ValueError:\n  y = -2\nreturn y",
    "a callee": "try:\n  y = helper(xs, i)\nexcept (ValueError, IndexError) as e:\n  print(e)\n  y = -1\nreturn y",
    "a return": "try:\n  return xs[i]\nexcept IndexError:\n  return -1\nfinally:\n  print('end')",
    "variables are as they were": "s = 0\ntry:\n  s = 1\n  s += xs[i]\n  s *= 2\n  s += xs[j]\n  s *= 3\nexcept IndexError:\n  s = -s\nreturn s",
    "lists are as they were": "out = []\ntry:\n  out.append(1)\n  out.append(xs[i])\n  out.append(2)\nexcept IndexError:\n  out.append(-1)\nreturn out",
    "objects are as they were": "b, bad = Box(i), 0\nfor k in xs:\n  try:\n    b.take(k)\n  except ValueError as e:\n    bad += 1\n    print(e)\nreturn b.n, bad, b.log",
    "what is printed": "try:\n  print('one')\n  y = xs[i]\n  print('two')\n  y += xs[j]\n  print('three')\nexcept IndexError:\n  print('none')\n  y = 0\nreturn y",
    "else and finally": "try:\n  y = xs[i]\nexcept IndexError:\n  y = -1\nelse:\n  y += 10 // j\nfinally:\n  print('end')\nreturn y",
    "finally alone": "try:\n  y = xs[i]\nfinally:\n  print('end')\nreturn y",
    "finally, with one in it": "try:\n  y = xs[i]\nfinally:\n  try:\n    print(1 // j)\n  except ZeroDivisionError:\n    print('no')\nreturn y",
    "what no handler is for": "try:\n  y = xs[i] // j\nexcept KeyError:\n  y = 1\nreturn y",
    "one in another": "try:\n  try:\n    y = xs[i] // j\n  finally:\n    print('inner')\nexcept ZeroDivisionError:\n  y = 5\nexcept IndexError:\n  y = 6\nreturn y",
    "one in another, behind what is printed": "try:\n  try:\n    print(i)\n    y = xs[i]\n  except IndexError:\n    y = 7 // (3 - j)\nexcept ZeroDivisionError:\n  y = 6\nreturn y",
    "raised again": "try:\n  try:\n    y = xs[i]\n  except IndexError:\n    print('inner')\n    raise\nexcept LookupError as e:\n  y = len(str(e))\nreturn y",
    "raised from": "try:\n  try:\n    y = xs[i]\n  except IndexError as e:\n    raise MyError('from') from e\nexcept MyError as e:\n  print(e)\n  y = 0\nreturn y",
    "in every handler": "try:\n  y = xs[i] // j\nexcept:\n  y = -1\nreturn y",
    "by what is computed": "try:\n  y = i // j\nexcept kinds():\n  y = 0\nreturn y",
    "in a conditional expression": "try:\n  y = xs[i] if j > 0 else 0\nexcept IndexError:\n  y = -1\nreturn y",
    "in an and": "try:\n  y = j > 0 and xs[i] > 1\nexcept IndexError:\n  y = False\nreturn y",
    "in a branch": "try:\n  if j > 0:\n    y = xs[i]\n  else:\n    y = 3\n  y += 1\nexcept IndexError:\n  y = -1\nreturn y",
    "in a loop": "y = 0\nfor x in xs:\n  try:\n    if x == i:\n      raise ValueError\n    y += 10 // (x - j)\n  except ValueError:\n    continue\n  except ZeroDivisionError:\n    break\n  y += 1\nreturn y",
    "around a loop": "y = 0\ntry:\n  for x in xs:\n    y += xs[x + i]\n    print(y)\nexcept IndexError as e:\n  print(e)\n  y = -y\nreturn y",
    "around a loop, by two classes": "y = 0\ntry:\n  for x in xs:\n    y += xs[x + i] // (x - j)\nexcept IndexError:\n  y = -y\nexcept ZeroDivisionError:\n  y = 100 + y\nreturn y",
    "around loops in loops": "y = 0\ntry:\n  for x in xs:\n    for z in xs:\n      if z == i:\n        raise MyError\n      y += z\n    y += xs[j]\nexcept MyError:\n  y = -y\nexcept IndexError:\n  y = 100 + y\nreturn y",
    "around a while": "y = 0\ntry:\n  while y < 10:\n    i += xs[y]\n    y += 1\n    if i > 20:\n      break\n  else:\n    i += 1000\nexcept IndexError:\n  y = -y\nreturn y, i",
    "around the test of a while": "y = 0\ntry:\n  while xs[y] != i:\n    y += 1\nexcept IndexError:\n  y = -y\nreturn y",
    "around a loop that returns": "try:\n  for k, x in enumerate(xs):\n    if x == i:\n      return k\n    if x < 0:\n      raise LookupError\n  raise ValueError\nexcept ValueError:\n  return -1\nexcept LookupError:\n  return -2",
    "around a comprehension": "try:\n  y = [xs[x + i] for x in xs]\nexcept IndexError:\n  y = [-1]\nreturn y",
    "around a sum": "try:\n  y = sum(xs[x + i] for x in xs)\nexcept IndexError:\n  y = -1\nreturn y",
    "around a loop, finally": "y = 0\ntry:\n  for x in xs:\n    y += xs[x + i]\nfinally:\n  print(y)\nreturn y",
    "around a loop that changes lists": "out, seen = [], {}\ntry:\n  for x in xs:\n    seen[x] = seen.get(x, 0) + 1\n    out.append(xs[x + i])\nexcept IndexError:\n  pass\nreturn out, sum(seen.values())",
    "around a loop that is unrolled": "y = 0\ntry:\n  for k in range(3):\n    if k == i:\n      raise ValueError\n    y += xs[k]\nexcept ValueError:\n  y = -y\nexcept IndexError:\n  y = 99\nreturn y",
    "until it fails": "n = 0\nwhile True:\n  try:\n    x = xs[n]\n  except IndexError:\n    break\n  n += 1\nreturn n",
    "around a loop whose exception is shown": "d, y = table(xs), 0\ntry:\n  for k in range(j + 1):\n    y += d[k]\nexcept KeyError as e:\n  print(e)\n  y = -1\nreturn y",
    "around a loop with exceptions of values": "y = 0.0\ntry:\n  for k, x in enumerate(xs):\n    if x == j:\n      raise MyError('found', k, x / 2)\n    if x == i:\n      raise ValueError(f'{x} at {k}')\n    y += x\n"
                                               "except MyError as e:\n  return e.args[1] + e.args[2]\nexcept ValueError as e:\n  print(e)\nreturn y",
    "around a loop whose exceptions' classes the function makes": "def made():\n  class Low(Exception):\n    pass\n  return Low\nA, B = made(), made()\ntry:\n  for x in xs:\n    if x == j:\n      raise A(x + i)\n"
                                                                  "    if x == i:\n      raise B(x)\nexcept A as e:\n  return e.args[0]\nexcept B as e:\n  return 1000 + e.args[0]\nreturn 100",
    "around a loop whose exception holds a list": "try:\n  for x in xs:\n    if x == j:\n      raise ValueError([1, 2], x + i)\nexcept ValueError as e:\n  return e.args[1]\nreturn 100",
    "around a loop that reads numbers": "out = []\ntry:\n  for w in ['3', str(i), 'x' * j, '7']:\n    out.append(int(w))\nexcept ValueError as e:\n  print(e)\nreturn out",
    "a deque": "q, out = collections.deque(xs), []\nwhile True:\n  try:\n    out.append(q.popleft())\n  except IndexError as e:\n    print(e)\n    break\nreturn out",
    "a float's whole number": "x = [i / 2, math.inf, -math.inf, math.nan][j % 4]\ntry:\n  y = int(x)\nexcept OverflowError as e:\n  print(e)\n  y = -1\nexcept ValueError as e:\n  print(e)\n  y = -2\nreturn y",
    "a power": "x, y = i / 2, j - 2.0\ntry:\n  y = abs(x) ** y\nexcept ZeroDivisionError as e:\n  print(e)\n  y = -1.0\nreturn y",
    "a square that is too large": "x, y = [i / 2, 1e200, -1e200, -math.inf, math.nan][j], 0.0\ntry:\n  y = x ** 2 + x ** 3\nexcept OverflowError as e:\n  print(e)\nfinally:\n  y += 1.0\nreturn str(y)",
    "a power of infinity": "try:\n  return (0.0 * i) ** (-math.inf if j > 1 else -2.0)\nexcept ZeroDivisionError:\n  return -1.0",
    "a power of whole numbers": "try:\n  return (i * i) ** j\nexcept ArithmeticError:\n  return -1",
    "a character's number": "try:\n  return ord('ab' [:i])\nexcept TypeError as e:\n  print(e)\n  return -1",
    "a number's character, where nobody handles what is no C int": "try:\n  return chr((i - 1) * 10 ** (3 * j))\nexcept ValueError:\n  return 'none'",
    "a number's character": "try:\n  return chr((i - 1) * 10 ** (3 * j))\nexcept OverflowError as e:\n  print(e)\nexcept ValueError as e:\n  print(e)\nreturn ''",
    "both ends of a deque": "q, out = collections.deque(xs), []\nfor k in range(3):\n  try:\n    out.append(q.popleft() - q.pop())\n  except IndexError as e:\n    print(e)\n    q.append(k)\nreturn out",
    "a separator": "try:\n  return len('a,b,,c'.split(',,'[:j]))\nexcept ValueError as e:\n  print(e)\n  return -1",
    "parts of a text": "try:\n  a, b = 'x=1=2'[:i + 1].split('=')\n  return int(b)\nexcept ValueError:\n  return -1",
    "a part of a list": "try:\n  return xs[i:][0]\nexcept IndexError:\n  return -1",
    "an array's place": "a = np.ones(4)\ntry:\n  a[i] = 2.0\n  a[j] += 1.0\nexcept IndexError as e:\n  print(e)\nreturn float(a[0] + a[-1])",
    "a place on each axis": "a = np.ones((3, 2))\ntry:\n  a[i, j] = 5.0\nexcept IndexError as e:\n  print(e)\nreturn float(np.sum(a))",
    "a name that a function keeps": "e, y = None, 0\ntry:\n  y = xs[i]\nexcept IndexError as e:\n  f = lambda: str(e)\n  y = len(f())\nreturn y",
}
CASES = [([1, 2, 3], 0, 1), ([1, 2, 3], 2, 0), ([1, 2], 5, 3), ([1, 2], -3, 1), ([4, 0, 1], 1, 4)]


@pytest.mark.parametrize("title", BODIES)
def test_as_in_python(stage, title):
    source = PRELUDE + "def f(xs: list[int], i: int, j: int):\n" + "".join(f"  {line}\n" for line in BODIES[title].splitlines())
    assert_is_python(stage, source, CASES)


def test_what_is_emitted_before_ways_part_is_emitted_once(stage):
    staged = stage("""
    def f(xs: list[int], i: int):
        s = 0
        try:
            for x in xs:
                s += x
            y = xs[s]
        except IndexError:
            y = s
        return y
    """)
    assert staged.text.count("(for ") == 1 and staged([1, 1, 7], 0) == 9


def test_a_way_that_ends_needs_nothing_of_what_comes_behind(stage):
    staged = stage("""
    def f(xs: list[int], i: int):
        try:
            return xs[i]
        except IndexError:
            return -1
    """)
    assert staged.text.count("(if ") == 1


@pytest.mark.parametrize("operation, handled", [
    ("np.linalg.inv(a)", "np.linalg.LinAlgError"), ("np.linalg.det(a)", "ValueError"), ("a[i]", "IndexError"), ("lt.cross_entropy(a, i)", "Exception"),
    ("lt.read_csv('numbers.csv', lt.Tensor[lt.f64, None, 2])", "lantern.exceptions.DataError"), ("lt.read_npy('numbers.npy', lt.Tensor[lt.f64, None])", "OSError")])
def test_what_an_array_may_hold_and_a_file_is_handled(error_of, operation, handled):
    """Nothing says before whether it fails, so it is refused."""
    error = error_of(f"""
    import numpy as np
    import lantern.exceptions
    def f(a: lt.Tensor["f64", 2, 2], i: lt.Tensor["i64", 2]):
        try:
            return lt.sum({operation})
        except {handled}:
            return 0.0
    """)
    assert error.code == "LT0313" and "would catch it" in error.message


def test_what_no_operation_raises_is_not(stage):
    staged = stage("""
    class Missing(IndexError):
        pass
    def f(xs: list[int], i: int):
        try:
            return xs[i]
        except Missing:
            return -1
    """)
    assert "(if" not in staged.text and staged([3, 4], 1) == 4


def test_a_statement_of_too_many_ways(error_of):
    steps = "".join(f"            if xs[{k}] > n:\n                s += xs[n - {k}]\n" for k in range(14))
    error = error_of(f"""
    def f(xs: list[int], n: int):
        s = 0
        try:
{steps}
        except IndexError:
            s = -1
        return s
    """)
    assert error.code == "LT0313" and "too many ways" in error.message and error.hint
