"""`if`s of a `try` statement both of whose branches go on, and raise what is handled: their ways come together again behind them."""
import math

import pytest
from staged_source import assert_is_python

import lantern as lt
from lantern.staging import attempts

READER = """
class Unexpected(ValueError):
    def __init__(self, what, at):
        super().__init__(f"{what} at {at}")
        self.at = at

class Deep(Exception):
    pass

class Reader:
    def __init__(self, text):
        self.text, self.at, self.depth, self.words = text, 0, 0, 0

    def peek(self):
        if self.at >= len(self.text):
            raise Unexpected("end", self.at)
        return self.text[self.at]

    def word(self, w):
        for c in w:
            if self.at >= len(self.text) or self.text[self.at] != c:
                raise Unexpected("word", self.at)
            self.at += 1
        self.words += 1

    def number(self):
        start = self.at
        while self.at < len(self.text) and self.text[self.at] in "0123456789.eE+-":
            self.at += 1
        try:
            return float(self.text[start:self.at])
        except ValueError:
            raise ValueError(f"no number: {self.text[start:self.at]}")

    def array(self):
        self.at += 1
        total = 0.0
        while True:
            total += self.value()
            c = self.peek()
            if c == ",":
                self.at += 1
            elif c == "]":
                self.at += 1
                return total
            else:
                raise Unexpected(c, self.at)

    def value(self):
        c = self.peek()
        self.depth += 1
        if self.depth > 3:
            raise Deep(f"deeper than {self.depth}")
        if c == "[":
            v = self.array()
        elif c == "t":
            self.word("true")
            v = 1.0
        elif c == "n":
            self.word("null")
            v = 0.0
        else:
            v = self.number()
        self.depth -= 1
        return v

def f(text: str):
    r = Reader(text)
    try:
        v = r.value()
        if r.at < len(text):
            raise Unexpected(text[r.at], r.at)
    except Unexpected as e:
        print("unexpected", e, e.at)
        return -1.0, r.at, r.words
    except ValueError as e:
        print(e)
        return -2.0, r.at, r.words
    except Deep as e:
        print(e)
        return -3.0, r.at, r.words
    return v, r.depth, r.words
"""
TEXTS = ["", "[1,2.5]", "[1 2]", "tru", "true", "[[[1]]]", "[[1],[]", "[null,true,-3]", "1e", "[1]x", "-", "[1,"]


def test_a_parser_of_many_methods(stage):
    assert_is_python(stage, READER, [(text,) for text in TEXTS])


MIXED = """
class Low(Exception):
    def __init__(self, n):
        super().__init__(f"{n} is low")
        self.n = n

def scaled(k):
    if k < 0:
        raise Low(k)
    return k if k < 2 else scaled(k - 2) + 6 // (k - 3)

def f(xs: list[int], i: int, j: int):
    d, out, y, z = {1: 5, 2: 7}, [0], 0, 3
    try:
        if i > 0:
            y = xs[i]
        elif i < -1:
            y = scaled(j)
        else:
            z = 8 // j
        out.append(y)
        y += xs[j] if j > i else d[i + 1]
        for x in xs:
            y += d[x]
            out[0] += 1
        z = z * 2
    except (IndexError, ZeroDivisionError) as e:
        print(e)
        y = -y
    except KeyError as e:
        print("key", e)
        z = -1
    except Low as e:
        print(e.n)
        out.append(e.n)
    finally:
        print(y, z)
    return y, z, out
"""
CASES = [([], 0, 1), ([3, 1, 2], 1, 2), ([5], 0, 0), ([1, 2, 2], 1, 0), ([1, 2, 2, 1], 2, 2), ([1, 2], -1, 1), ([4, 1], -3, 4), ([4, 5], -2, -1), ([1], -2, 3),
         ([2, 2, 2], 0, 2), ([1, 1, 5], 1, 2), ([9, 9], 1, 1)]


@pytest.mark.parametrize("most", [0, 1, 3, 8])
def test_however_early_they_do(stage, monkeypatch, most):
    """Each of the ways that a statement may be staged is the same program."""
    monkeypatch.setattr(attempts, "MOST_BEFORE_JOINING", most)
    assert_is_python(stage, MIXED, CASES)


def test_what_follows_is_there_once(stage):
    source = """
    def f(xs: list[int], i: int, j: int):
        y = 0
        try:
    """ + "".join(f"""
            if i > {k}:
                y += xs[{k}]
            else:
                y += xs[j - {k}]
    """ for k in range(8)) + """
            y *= 1000
        except IndexError:
            y = -y
        return y
    """
    staged = stage(source)
    assert staged.text.count("1000") == 1
    for xs, i, j in (([], 0, 0), ([1, 2, 3, 4], 2, 3), ([1] * 9, 4, 8), (list(range(9)), 8, 7)):
        y = 0
        try:
            for k in range(8):
                y += xs[k] if i > k else xs[j - k]
            y *= 1000
        except IndexError:
            y = -y
        assert staged(xs, i, j) == y


def test_a_variable_of_one_branch_has_a_value_behind_it(stage):
    assert_is_python(stage, """
    def g(n):
        if n < 0:
            raise KeyError(n)
        if n < 2:
            return n
        if n % 2 == 0:
            v = g(n - 3)
        else:
            v = 10 // (n - 3)
        return v + 7 // n

    def f(n: int):
        try:
            return g(n)
        except KeyError as e:
            print(e)
            return -1
        except ZeroDivisionError:
            return -2
    """, [(n,) for n in range(-2, 12)])


def checked(k):
    if k > 4:
        raise ValueError(k)
    return k + 1


def handled(x: float, k: int, m: int):
    y = x
    try:
        if k > 1:
            y = y * checked(k)
        else:
            y = y + 6 // (k + 1)
        if m > 1:
            y = y * y * checked(m)
        else:
            y = math.sin(y) * (4 // m)
        y = y * 3.0
    except ValueError:
        return y * 2.0
    except ZeroDivisionError:
        return y * y
    return y


def test_gradients(monkeypatch):
    monkeypatch.setattr(attempts, "MOST_BEFORE_JOINING", 0)
    both = lt.value_and_grad(lt.function(handled), wrt="x")
    for k in (-1, 0, 3, 6):
        for m in (0, 1, 3, 7):
            value, slope = both(0.7, k, m)
            assert value == pytest.approx(handled(0.7, k, m), rel=1e-12)
            assert slope == pytest.approx((handled(0.7 + 1e-6, k, m) - handled(0.7 - 1e-6, k, m)) / 2e-6, rel=1e-6)
