"""`try` statements that may go several ways: what leaves them, and what their handlers see."""
import pytest
from staged_source import assert_is_python, module_of

import lantern as lt


def as_in_python(stage, source, *arguments):
    assert_is_python(stage, source, [(argument,) for argument in arguments])


def test_the_message_of_a_text_that_is_no_number():
    plain = module_of("""
    def f(text: str):
        try:
            return str(int(text))
        except ValueError as error:
            return str(error)
    """).f
    compiled = lt.function(plain)
    for text in ("x", "", "12", "it's", "a" * 198, "a" * 199, "é" * 300):
        assert compiled(text) == plain(text)


@pytest.mark.parametrize("always", ["raise ValueError('always')", "[1][3]", "{}['k']"])
def test_what_a_finally_raises_hides_no_error_of_the_staging(error_of, always):
    error = error_of(f"""
    def f(n: int):
        try:
            print(n)
            y = int('101', n)
            print(y)
        finally:
            {always}
        return y
    """)
    assert error.code == "LT0313" and "'parse-int' may raise" in error.message and error.place.line == 4 and not error.others


def test_what_a_generators_finally_raises_hides_no_error_of_the_staging(error_of):
    error = error_of("""
    def f(n: int):
        def powers():
            for k in (1, 2):
                try:
                    y = int('101', n)
                    print(y)
                finally:
                    {}['q']
                yield y
        t = 0.0
        try:
            for y in powers():
                t += y
        except KeyError:
            t = -1.0
        return t
    """)
    assert error.code == "LT0313" and "'parse-int' may raise" in error.message and error.place.line == 5


def test_what_a_finally_does_where_the_ways_part_is_nothing(stage):
    source = """
    class Counter:
        def __init__(self):
            self.n = 0

        def step(self, k):
            self.n += k
            if k > 5:
                raise KeyError(k)

    def f(n: int):
        counter = Counter()
        try:
            for i in range(n):
                try:
                    counter.step(i)
                    print("behind")
                finally:
                    try:
                        raise ValueError(counter.n)
                    except ValueError:
                        print(counter.n)
        except KeyError:
            counter.n += 100
        return counter.n
    """
    as_in_python(stage, source, 0, 3, 8)


def test_what_a_method_stores_of_another_object_each_time(stage):
    as_in_python(stage, """
    class Point:
        def __init__(self, a):
            self.a, self.p = a, 0

        def put(self, xs, i):
            self.p = xs[i]
            self.a += 1

    def f(i: int):
        xs = [1, 2, 3]
        points = [Point(1), Point(2)]
        for point in points:
            try:
                point.put(xs, i)
            except IndexError:
                point.a += 100
        return points[0].a, points[0].p, points[1].a, points[1].p
    """, -4, -1, 2, 3)


@pytest.mark.parametrize("turn, handled", [
    ("out.append(items.pop())", "IndexError"),
    ("a, b = items.pop(0), items.pop()\n            out.append(a * b)", "IndexError"),
    ("k = table[k]\n            out.append(k)\n            if len(out) > 6: return out, items, -k", "KeyError"),
    ("k = text.index('a', k) + 1\n            if k == 3: continue\n            out.append(k)", "ValueError"),
    ("k = pull(k)\n            out.append(k)\n            if k == 4: break", "(IndexError, KeyError)"),
])
def test_a_loop_that_ends_by_an_exception_alone(stage, turn, handled):
    as_in_python(stage, f"""
    def f(n: int):
        items, out, k, text, table = list(range(n)), [], 0, "a" * n, {{0: 3, 3: 5, 5: n, 7: 0}}

        def pull(k):
            return items.pop() + table[k]

        try:
            while True:
                {turn.replace('            ', '                ')}
        except {handled}:
            out.append(-1)
        return out, items, k
    """, 0, 1, 3, 7, 12)


LISTS_IN_TRIES = {
    "dict": ("if n not in d: d[n] = [0]\nd[n].append(2)", "finally: print('fin')"),
    "list": ("rows[n].append(5)\nrows[n + 1].append(6)", "except IndexError: rows.append([9])"),
    "list and finally": ("rows[n] = [n]\nrows[n].append(5)\nrows[n + 1].append(7)", "except IndexError: rows.append([9])\nfinally: rows[0].append(0)"),
    "object": ("if n not in accounts: accounts[n] = Account(n)\naccounts[n].history.append(n)\nif len(accounts[n].history) > 1: raise ValueError('full')",
               "except ValueError as e: print(e)\nfinally: print('fin')"),
}


@pytest.mark.parametrize("name", LISTS_IN_TRIES)
def test_lists_that_stand_elsewhere_are_changed(name):
    """Each way runs again what has been emitted, and reads what is in a list as it is then."""
    body, handlers = LISTS_IN_TRIES[name][0].replace("\n", "\n" + " " * 16), LISTS_IN_TRIES[name][1].replace("\n", "\n" + " " * 12)
    plain = module_of(f"""
    class Account:
        def __init__(self, name):
            self.name, self.history = name, []

    def f(k: int):
        d, rows, accounts, n = {{}}, [[1], [2, 2], [3]], {{}}, k
        while n < k + 4:
            try:
                {body}
            {handlers}
            n += 1 + (n + k) % 2
        return d, rows, [(a.name, a.history) for a in accounts.values()]
    """).f
    compiled = lt.function(plain)
    for k in (0, 1, 2, 3, -1, -4):
        assert compiled(k) == plain(k), k


@pytest.mark.slow
def test_methods_that_raise_of_objects_that_a_later_turn_makes():
    """Of so many ways that the methods are functions of their own, which read what is empty in the first turn."""
    plain = module_of("""
    class Account:
        def __init__(self):
            self.balance = 0

        def deposit(self, amount):
            if amount <= 0:
                raise ValueError("amount must be positive")
            self.balance += amount

        def withdraw(self, amount):
            if amount > self.balance:
                raise ValueError("insufficient")
            self.balance -= amount

    class Bank:
        def __init__(self):
            self.accounts = {}

        def get(self, name):
            if name not in self.accounts:
                self.accounts[name] = Account()
            return self.accounts[name]

        def run(self, parts):
            try:
                if parts[0] == "dep":
                    self.get(parts[1]).deposit(int(parts[2]))
                elif parts[0] == "wd":
                    self.accounts[parts[1]].withdraw(int(parts[2]))
                elif parts[0] == "xfer":
                    self.get(parts[1]).withdraw(int(parts[3]))
            except ValueError as e:
                return str(e)
            return ""

    def f(text: str):
        bank = Bank()
        said = [bank.run(command.split()) for command in text.split(";")]
        return said, [(name, account.balance) for name, account in bank.accounts.items()]
    """).f
    compiled = lt.function(plain)
    for text in ("dep a 100;wd a 30", "dep a -1;dep b 5;wd b 7;xfer a b 3", "dep a 10;xfer a b 3;xfer b a x"):
        assert compiled(text) == plain(text), text
