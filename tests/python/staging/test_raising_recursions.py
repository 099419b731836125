"""Functions that call themselves and raise what is handled around them: each call gives what Python gives."""
import pytest
from staged_source import assert_is_python

import lantern as lt

PRELUDE = """
class Low(Exception):
    def __init__(self, n):
        super().__init__(f"{n} is low")
        self.n = n

def product(k):
    if k < -2:
        raise ValueError(f"negative {k}")
    if k == 3:
        raise KeyError(k)
    return 1 if k <= 0 else k * product(k - 2)

def expression(tokens, at):
    v, at = atom(tokens, at)
    while at < len(tokens) and tokens[at] in ("+", "/"):
        w, behind = atom(tokens, at + 1)
        v = v + w if tokens[at] == "+" else v / w
        at = behind
    return v, at

def atom(tokens, at):
    if at >= len(tokens):
        raise ValueError("unexpected end")
    if tokens[at] == "(":
        v, at = expression(tokens, at + 1)
        if at >= len(tokens) or tokens[at] != ")":
            raise SyntaxError(f"no ) at {at}")
        return v, at + 1
    return float(tokens[at]), at + 1

class Parser:
    def __init__(self, tokens):
        self.tokens, self.at = tokens, 0

    def next(self):
        if self.at >= len(self.tokens):
            raise ValueError("unexpected end")
        self.at += 1
        return self.tokens[self.at - 1]

    def value(self):
        token = self.next()
        if token == "-":
            return -self.value()
        if token != "(":
            return int(token)
        v = 0
        while self.tokens[self.at] != ")":
            v += self.value()
        self.next()
        return v

class Node:
    def __init__(self, v):
        self.v, self.kids, self.seen = v, [], False

def even(n):
    if n < 0:
        raise ArithmeticError("below zero")
    return True if n == 0 else odd(n - 1)

def odd(n):
    return False if n == 0 else even(n - 1)

def walk(n):
    if n > 8:
        raise Low(n)
    return n if n < 3 else walk(n - 5) + 1

def first(xs, place):
    return place if xs[place] == 0 else first(xs, place + 1)
"""
TEXTS = ["1 + 2", "( 1 + 2 ) / 4", "( 1 + 2", "1 +", "1 + x", "", "( 1 / ( 0 + 0 ) )", "( ( 7 ) 8 )", "- - 3", "( 4 - 5 6 )", "- ( 1 2", ")"]
NUMBERS = [0, 1, 3, 4, 5, 9, 12, -1, -3]

# The parameter, its type and its values; bodies of f.
BODIES = {
    "two exceptions": ("n: int", NUMBERS, "try:\n  y = product(n) + 1\nexcept ValueError as e:\n  print(e)\n  y = -1\nexcept KeyError as e:\n  print('key', e)\n  y = -2\nreturn y"),
    "a class of both": ("n: int", NUMBERS, "try:\n  return str(product(n))\nexcept Exception as e:\n  return str(e)"),
    "one of them is not handled": ("n: int", NUMBERS, "try:\n  return product(n)\nexcept ValueError:\n  return -1"),
    "outside and inside": ("n: int", NUMBERS[:6], "y = product(4)\ntry:\n  y += product(n)\nexcept LookupError as e:\n  y += e.args[0]\ntry:\n  y += product(n - 4)\nexcept (ValueError, KeyError):\n  y -= 100\nreturn y"),
    "finally": ("n: int", NUMBERS, "y = 0\ntry:\n  y = product(n)\nexcept KeyError:\n  y = -2\nfinally:\n  print(y)\nreturn y"),
    "in a loop": ("n: int", NUMBERS, "y = 0\ntry:\n  for k in range(n):\n    y += product(k)\nexcept KeyError as e:\n  y = -y - e.args[0]\nreturn y"),
    "in each turn": ("n: int", NUMBERS, "y = 0\nfor k in range(n):\n  try:\n    y += product(k)\n  except KeyError:\n    y += 1000\nreturn y"),
    "functions that call each other": ("n: int", NUMBERS, "try:\n  return even(n)\nexcept ArithmeticError as e:\n  print(e)\n  return False"),
    "an attribute": ("n: int", NUMBERS, "try:\n  return walk(n)\nexcept Low as e:\n  print(e)\n  return 100 * e.n"),
    "an index": ("n: int", NUMBERS, "try:\n  return first([3, n, 1], 0)\nexcept IndexError as e:\n  print(e)\n  return -1"),
    "within the function": ("n: int", NUMBERS, "def g(k):\n  if k > 9:\n    raise ValueError\n  if k < 0:\n    return k\n  try:\n    return g(k + 4) + 1\n  except ValueError:\n    return k\nreturn g(n)"),
    "around an operation behind a call of itself": ("n: int", NUMBERS[:4], "xs = [4, 0, 3]\ndef g(k):\n  try:\n    y = g(k - 1) if k > 0 else 7\n  except IndexError:\n    y = 1\n  return y + xs[k]\n"
                                                               "try:\n  return g(n)\nexcept IndexError:\n  return -1"),
    "what it gives may be None": ("n: int", NUMBERS, "def g(k):\n  if k > 8:\n    raise ValueError\n  return None if k == 1 else k if k < 3 else g(k - 3)\ntry:\n  y = g(n)\nexcept ValueError:\n  y = -1\n"
                                            "return 100 if y is None else y"),
    "nothing is given": ("n: int", NUMBERS, "seen = []\ndef go(k):\n  seen.append(k)\n  if len(seen) > 3:\n    raise StopIteration\n  if k > 0:\n    go(k - 1)\ntry:\n  go(n)\nexcept StopIteration:\n  seen.append(-1)\nreturn seen"),
    "its own finally": ("n: int", NUMBERS, "log = []\ndef g(k):\n  if k == 2:\n    raise ValueError\n  try:\n    return 1 if k <= 0 else g(k - 2) + 1\n  finally:\n    log.append(k)\n"
                                  "try:\n  y = g(n)\nexcept ValueError:\n  y = -1\nreturn y, log"),
    "what only the place says": ("n: int", NUMBERS, "xs = [4, n, 1]\ndef go(i):\n  if i == len(xs):\n    return []\n  if xs[i] < 0:\n    raise ValueError(f'{i}')\n  return [xs[i] * 2] + go(i + 1)\n"
                                           "try:\n  return go(0)\nexcept ValueError as e:\n  return [-int(str(e))]"),
    "objects that change": ("n: int", NUMBERS, "nodes, out = [Node(k) for k in range(4)], []\nfor k, p in enumerate([0, 0, 1, n % 4]):\n  if k > 0:\n    nodes[p].kids.append(nodes[k])\n"
                                      "def go(node):\n  if node.seen:\n    raise ValueError(f'twice {node.v}')\n  node.seen = True\n  out.append(node.v)\n  for kid in node.kids:\n    go(kid)\n"
                                      "try:\n  go(nodes[0])\nexcept ValueError as e:\n  print(e)\nreturn out, sum([node.seen for node in nodes])"),
    "a parser": ("text: str", TEXTS, "tokens = text.split()\ntry:\n  v, at = expression(tokens, 0)\n  if at != len(tokens):\n    raise SyntaxError('rest')\n  return v, 'fine'\n"
                              "except SyntaxError as e:\n  return -1.0, e.msg\nexcept ValueError as e:\n  return -2.0, str(e)\nexcept ZeroDivisionError:\n  return -3.0, ''"),
    "a parser that is an object": ("text: str", TEXTS, "p = Parser(text.split())\ntry:\n  v = p.value()\nexcept ValueError as e:\n  print(e)\n  v = -1\nexcept IndexError as e:\n  print(e)\n  v = -2\nreturn v, p.at"),
}


@pytest.mark.parametrize("title", BODIES)
def test_as_in_python(stage, title):
    parameter, values, body = BODIES[title]
    source = PRELUDE + f"def f({parameter}):\n" + "".join(f"  {line}\n" for line in body.splitlines())
    assert_is_python(stage, source, [(value,) for value in values])


def decayed(x, k: int):
    if k > 5:
        raise ValueError("k")
    if x > 100.0:
        raise OverflowError("x")
    return x * x if k == 0 else x * decayed(x * 0.5 + k, k - 1)


def handled(x: float, k: int):
    try:
        return decayed(x, k) + x
    except ValueError:
        return 3.0 * x
    except OverflowError:
        return 7.0 * x * x


def test_gradients():
    both = lt.value_and_grad(lt.function(handled), wrt="x")
    for x, k in ((1.3, 2), (0.7, 5), (1.0, 7), (250.0, 1), (2.0, 0)):
        value, slope = both(x, k)
        assert value == pytest.approx(handled(x, k), rel=1e-12)
        assert slope == pytest.approx((handled(x + 1e-6, k) - handled(x - 1e-6, k)) / 2e-6, rel=1e-6)


def test_a_class_that_the_function_makes_is_refused(error_of):
    error = error_of("""
    def f(n: int):
        class Found(Exception):
            pass
        def g(k):
            if k > 5:
                raise Found
            return k if k == 0 else g(k - 1)
        try:
            return g(n)
        except Found:
            return -1
    """)
    assert error.code == "LT0313" and "does not settle" in error.message and "in the module" in error.hint


def test_what_is_neither_number_nor_text_is_refused(error_of):
    error = error_of("""
    def f(n: int):
        def g(k):
            if k > 5:
                raise ValueError([k])
            return k if k == 0 else g(k - 1)
        try:
            return g(n)
        except ValueError as e:
            return len(e.args[0])
    """)
    assert error.code == "LT0313" and "raises ValueError" in error.message and error.place.line == 4


def test_a_call_gives_no_more_than_is_raised(stage):
    staged = stage("""
    def f(n: int):
        def g(k):
            if k > 9:
                raise ValueError
            return k if k <= 0 else g(k - 1)
        try:
            return g(n)
        except ValueError:
            return -1
    """)
    assert "-> (tuple i64 i64)" in staged.text
    assert staged(3) == 0 and staged(12) == -1


def test_ways_of_a_statement_do_not_double_at_each_call(stage):
    """Of two functions that call each other, and change what is around them: each turn of the recursion would part them once more."""
    assert_is_python(stage, """
    def f(n: int):
        a, b = 0, 1
        def one(k):
            nonlocal a, b
            if k <= 0:
                b = b * 2 % 97
                return 1
            a = (a + b) % 97
            if k % 2 == 0 and k > 3:
                raise ValueError(str(a))
            return other(k - 1) if a % 3 != 1 else a % 4
        def other(k):
            nonlocal a, b
            if k <= 1:
                b = b + a % 3
                return 1
            a = (a + one(k - 3)) % 97
            return other(k - 3) if b % 2 == 1 else 0
        total = 0
        for start in (n - 1, n, 3):
            try:
                total += one(start)
            except ValueError as error:
                total -= len(str(error))
        return total, a, b
    """, [(0,), (1,), (4,), (7,), (12,)])
