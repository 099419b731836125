"""Which variables the C++ has: those of the source, where one name serves for what the form between them has several for."""
import re

import pytest

import lantern as lt

PROGRAMS = {
    "a loop's state, changed by a branch": ("""
def f(n: int, limit: int):
    best, place = -1, -1
    for i in lt.range(n):
        x = (i * 7 + 3) % 11
        if x > best and x < limit:
            best = x
            place = i
    return best, place
""", ["best = x", "place = i"], r"\b(best|place)_\d"),
    "what a branch gives": ("""
def f(n: int, limit: int):
    if n > limit:
        y = n - limit
        z = y * y
    elif n == limit - 1:
        z = n
        y = z + 1
    else:
        y = limit
        z = limit * n
    for i in lt.range(n):
        z = z + i * y
    return y, z
""", ["z = checked_multiply(y, y", "} else if (n == checked_subtract(limit, 1"], r"\b(y|z)_\d"),
    "branches that leave": ("""
def f(n: int, limit: int):
    if n > limit:
        if n > 2 * limit:
            return 1, n
        else:
            return 2, limit
    elif n == limit:
        raise ValueError("the same")
    return 3, 3
""", [], r"else"),
    "a loop in a loop": ("""
def f(n: int, limit: int):
    total, turns = 0, 0
    for i in lt.range(n):
        for j in lt.range(i):
            if total > limit:
                total = total - j
            else:
                total = total + i
        turns = turns + total
    return total, turns
""", ["total = checked_add(total, i", "total = checked_subtract(total, j"], r"\btotal_\d"),
    "loops in a loop that go on from its variables": ("""
def f(n: int, limit: int):
    i, j = 0, n
    while i < j:
        while i * i < limit:
            i += 1
        while j > 2 * limit:
            j -= 1
        if i < j:
            i, j = i + 1, j - 2
    return i, j
""", [], r"\b(i|j)_\d"),
    "a text that gets longer by two": ("""
def f(n: int, limit: int):
    text = ""
    for i in lt.range(n):
        if i > limit:
            text += ","
        text += "x"
    return len(text), n
""", ["text = join_texts(text, \",\")"], r"\btext_\d"),
    "a value of before, beside a constant": ("""
def f(n: int, limit: int):
    sign = 1
    if n > limit:
        n = limit - n
        sign = -1
    total = 0
    while n > total:
        total += 2 * n - total + 1
    return sign * total, n
""", ["int64_t sign = 1;", "n = checked_subtract(limit, n"], r"\b(n|sign)_\d"),
    "continue": ("""
def f(n: int, limit: int):
    total = 0
    for i in lt.range(n):
        if i % 3 == limit:
            continue
        total += i
        if total % 2 == 0:
            total += limit
    return total, n
""", ["== limit) continue;"], r"!="),
    "functions that do the same": ("""
def halves(x):
    if x <= 1:
        return x
    return halves(x // 2) + 1
def f(n: int, limit: int):
    return halves(n) + halves(n + 1), halves(limit)
""", [], r"halves_1"),
    "a loop that calls what takes no memory": ("""
def gcd(a, b):
    while b != 0:
        a, b = b, a % b
    return a
def f(n: int, limit: int):
    count = 0
    for i in lt.range(n):
        if gcd(i, n) == 1:
            count += 1
    return count, limit
""", ["gcd(i, n) == 1"], r"arena"),
    "the larger and the smaller": ("""
def f(n: int, limit: int):
    low, high = max(0, n - limit), min(n, limit, 9)
    return low, high
""", ["std::max<int64_t>(0, checked_subtract(n, limit", "std::min<int64_t>(std::min(n, limit), 9)"], r"\?"),
    "tuples in order": ("""
def f(n: int, limit: int):
    if (n % 3, limit, n) < (limit % 3, n, 5):
        return 1, 2
    return n, limit
""", ["&& n < 5"], r"\bx\d+ \?"),
    "what most ways of a branch give": ("""
def f(n: int, limit: int):
    if n > limit:
        kind, rest = 1, 0
    elif n > limit // 2:
        kind, rest = 2, 0
    elif n > limit // 3:
        kind, rest = 3, n % 3
    else:
        kind, rest = 4, 0
    total = 0
    while total < n:
        total += kind + rest
    return total, rest
""", ["int64_t rest = 0;"], r" rest = 0;[^}]* rest = 0;"),
    "a result that is of lists": ("""
def g(n, xs):
    if n > 3:
        for i in range(n):
            xs = xs + [i]
        return xs, n
    return xs, 0
def f(n: int, limit: int):
    xs, m = g(n, [limit])
    return len(xs), m
""", [], r"\bx\d+\{\}"),
    "characters that are there": ("""
def f(n: int, limit: int):
    text = str(n) + str(limit)
    i = 0
    while i < len(text) and text[i] == text[0]:
        i += 1
    return i, limit
""", ["while (i < length(text) && character(text, i) == character(text, 0"], r"\bbool\b"),
    "a slice that is gone through": ("""
def f(n: int, limit: int):
    xs = [i * limit for i in range(n)]
    total = 0
    for x in xs[n // 3:]:
        total += x
    for i in range(len(xs)):
        xs[i] += 1
    for x in xs[1:]:
        xs[0] += x
    return total, xs[0] if n > 0 else 0
""", ["for (const int64_t x : part_of("], r": slice\("),
    "tuples that are equal": ("""
def f(n: int, limit: int):
    if (n, limit) == (limit, n):
        return 1, 2
    return n, limit
""", [], r"true"),
    # Names that may not be one: both live.
    "a swap": ("""
def f(n: int, limit: int):
    a, b = 1, limit
    for i in lt.range(n):
        if i % 3 == 1:
            a, b = b, a + i
        else:
            c = a
            a = b + 1
            b = c
    return a, b
""", [], None),
    "the one before": ("""
def f(n: int, limit: int):
    now, before, rises = limit, 0, 0
    for i in lt.range(n):
        last = now
        if (i * 5) % 7 > 3:
            now = now + i
        if now > last:
            rises = rises + last - before
        before = last
    return now, rises + before
""", [], None),
    "one value for two": ("""
def f(n: int, limit: int):
    low, high = limit, limit
    for i in lt.range(n):
        middle = (low * 3 + i) % 17
        if middle > low:
            low = middle
            high = middle
        else:
            high = low
            low = middle
    return low, high
""", [], None),
    "a bound that changes": ("""
def f(n: int, limit: int):
    count = 0
    m = n
    for i in lt.range(m):
        if m > limit:
            m = m - 1
        count = count + m
    while m > 0:
        k = m
        while k > 0:
            k = k - 2
        m = m - 1 + k * 0
        count = count + k
    return count, m
""", [], None),
    # Returns and breaks, which are flags in the form between.
    "returns": ("""
def f(n: int, limit: int):
    if n > limit:
        if n > 2 * limit:
            return 1, n
        n = n - 1
    for i in lt.range(n):
        for j in lt.range(i):
            if i * j > limit + 20:
                return i, j
        if i == 11:
            return -1, i
    while True:
        n = n // 2
        if n < 3:
            return n, limit
        limit = limit + n
""", ["return {1, n};", "return {-1, i};", "while (true) {", "return {n_3, limit};"], r"bool"),
    "what a break leaves as it is": ("""
def f(n: int, limit: int):
    last, total = 0, 0
    for i in lt.range(n):
        if total > limit:
            break
        x = i * 3 % 7
        if x == 5:
            total = total + 100
            if i > 2:
                break
        last = i
        total = total + x
    return last, total
""", ["break;"], None),
    "breaks, turns that go on, and what is left at the end": ("""
def f(n: int, limit: int):
    found, steps = -1, 0
    for i in lt.range(2, n + 2):
        steps = steps + 1
        k = 2
        while k * k <= i and steps < 1000:
            if k == limit:
                k = k + 1
                continue
            steps = steps + 1
            if i % k == 0:
                break
            k = k + 1
        else:
            found = i
            if found > limit:
                break
        if steps % 5 == 4:
            continue
        steps = steps + 2
    else:
        steps = -steps
    return found, steps
""", ["break;"], None),
    "a loop that is left at the end of a turn": ("""
def f(n: int, limit: int):
    steps, total = 0, 0
    while total * total < 100 * n:
        total += steps % 4
        steps += 1
        if steps > limit * 5:
            break
    for i in lt.range(n):
        steps += i
        if steps * 2 > limit:
            break
    return steps, total
""", ["> checked_multiply(limit, 5", "> limit) {\n      break;"], r"\bstop"),
    "a loop that is left by what it is given at the end of a turn": ("""
def f(n: int, limit: int):
    a, b = n, limit
    for i in lt.range(9):
        a, b = b, a + i
        if a > b:
            break
    stop, k = False, 0
    while not stop and k < n:
        k, stop = k + 2, k * limit > 20
    return a + k, b + stop
""", [], None),
    "a search that counts": ("""
def f(n: int, limit: int):
    found, i = -1, 0
    for x in lt.range(n):
        if x * 5 % 7 > limit:
            found = i
            break
        i += 1
    return found, limit
""", ["found = i;\n      break;\n    }\n    i = checked_add(i, 1"], r"\bfound_\d|\bbool\b|\bstop"),
    "a search whose count is read behind it": ("""
def f(n: int, limit: int):
    found, i = False, 0
    for x in lt.range(n):
        found = x * 5 % 7 > limit
        i += 1
        if found:
            break
    return (1 if found else 0), i
""", ["return {1, i};", "i += 1;"], r"\bstop"),
    "a search that goes through two branches": ("""
def f(n: int, limit: int):
    total, seen = 0, 0
    for x in lt.range(n):
        if x % 3 == 1:
            continue
        total += x
        seen += 1
        if total > limit:
            break
    return total, seen
""", ["> limit) {\n      break;"], r"\bbool\b|\bstop"),
    "what all, any, max and index look for": ("""
def f(n: int, limit: int):
    xs = [k * 5 % 7 for k in range(n)]
    place = 0
    if any(x > limit for x in xs) and all(x < 6 for x in xs):
        place = max(xs) + xs.index(max(xs))
    return place, min(xs, default=limit)
""", ["= true;\n      break;"], r"\bstop"),
    "conditions": ("""
def f(n: int, limit: int):
    a = n > 3 and limit > 4
    b = n < 10 or limit // (n - 11) > 2
    if not a and 2 < n < limit:
        return 1, n
    if a or not b or (n != limit and not n == 12):
        return 2, limit
    c = 0
    if n > 0 and limit > 0 and (n < 9 or n > 14 or n == limit):
        c = 5
    if b:
        c = c + 1
    elif a:
        c = 2
    return c, 3
""", ["n > 3 && limit > 4", "n < 10 ||", "n > 2 && n < limit", "n > 0 && limit > 0 && (n < 9 || n > 14 || n == limit)"], None),
    "a branch that leaves behind an else": ("""
def f(n: int, limit: int):
    steps = 0
    if n > limit:
        steps = 1
    elif n == limit - 1:
        return 5, 5
    else:
        for i in lt.range(n):
            if i > limit:
                steps = steps + 10
            elif i == 3:
                break
            else:
                steps = steps + 100
            steps = steps + 1000
    return n, steps
""", ["} else if (n == "], None),
    "a flag that is read again": ("""
def f(n: int, limit: int):
    done, i, where = False, 0, 0
    while not done:
        i = i + 1
        done = i * i > n
        if done:
            where = where + i
        if i > limit and not done:
            done = True
            where = -i
    if done and where < 0:
        return where, i
    return i, where + done
""", [], None),
    "a return out of a loop within a loop": ("""
def f(n: int, limit: int):
    for i in lt.range(n):
        for j in lt.range(i):
            if i * j == limit:
                return i, j
    return -1, n
""", ["return {i, j};", "return {-1, n};"], r"\bx\d|\bbool\b|break"),
    "a flag that is read behind what else is counted": ("""
def f(n: int, limit: int):
    place = 0
    while place < n:
        found = False
        for i in lt.range(place):
            if i * i > limit:
                found = True
                break
        place += 2
        if found:
            return place, n
    return -1, place
""", ["found = true;\n        break;", "if (found) {"], r"\bplace_\d"),
    "a number that a branch chooses": ("""
def f(n: int, limit: int):
    cost = 0 if n == limit else 1
    size = n if n > limit else limit
    if n < 3:
        weight = 1
    elif n < limit:
        weight = size
    else:
        weight = 3 * size
    return cost * size, weight
""", ["const int64_t cost = n == limit ? 0 : 1;", "const int64_t size = std::max(limit, n);", "weight = n < 3 ? 1 : n < limit ? size : checked_multiply(3, size"], r"\{\};"),
    "what a branch chooses at some length": ("""
def f(n: int, limit: int):
    if n * n + limit * limit > 7 * n + limit:
        y = n * n * n - limit * limit + 3 * n
    else:
        y = limit * n - n * n * n + 4 * limit - n
    return y, n
""", ["  if (checked_add(", "  } else {"], None),
    "two loops over one name, and one within them": ("""
def f(n: int, limit: int):
    total = 0
    for i in lt.range(n):
        for j in lt.range(limit):
            total += i * j
    for i in lt.range(limit):
        for j in lt.range(n):
            total -= i - j
    return total, n
""", [], r"\b(i|j|total)_\d"),
    "a loop within one over the same name": ("""
def f(n: int, limit: int):
    total = 0
    for i in lt.range(n):
        y = i
        for i in lt.range(y):
            total += i
        total += y * 10
    return total, n
""", ["int64_t i_1 = 0;"], None),
    "arguments that change": ("""
def f(n: int, limit: int):
    while n > 1:
        n = n // 2
        limit += n
    return n, limit
""", ["while (n > 1) {", "n /= 2;"], r"\b(n|limit)_\d"),
    "an argument that is read behind its change": ("""
def f(n: int, limit: int):
    m = n
    while m > limit and m > 0:
        m = m // 2
    return n, m
""", ["return {n, m};"], r"\bm_\d"),
    "a list that is made to be filled": ("""
def f(n: int, limit: int):
    sums = [0] * (n + 1)
    for i in lt.range(n):
        sums[i + 1] = sums[i] + i * limit
    return sums[n], len(sums)
""", ["List<int64_t> sums = repeated<int64_t>(0, "], r"\bsums_\d|= sums;|\bx\d+ = append"),
}
ARGUMENTS = [(0, 1), (1, 5), (7, 3), (5, 6), (9, 5), (12, 100), (20, -4)]
SHOWN = """

def shown_{0}(n: int, limit: int):
    a, b = f_{0}(n, limit)
    print(a, b)

"""


def numbered(source, number):
    return source.replace("def f(", f"def f_{number}(")


@pytest.fixture(scope="module")
def compiled(lantern_in, tmp_path_factory):
    """Of all programs, compiled as one: the C++ of each, and what it prints, as it is and without the pass that tidies."""
    folder, sources = tmp_path_factory.mktemp("variables"), [source for source, _, _ in PROGRAMS.values()]
    lines = [f"    shown_{number}({n} * one, {limit} * one)\n" for number in range(len(sources)) for n, limit in ARGUMENTS]
    (folder / "program.py").write_text("import lantern as lt\n" + "".join(numbered(source, number) + SHOWN.format(number) for number, source in enumerate(sources)) +
                                       "@lt.export\ndef main(one: int = 1):\n" + "".join(lines))
    text = lantern_in(folder, "compile", "program.py", "--emit", "cpp").stdout
    of_each = [text[text.index(f"  f_{number}(n, limit)"):text.index(f"  shown_{number}(n, limit)")] for number in range(len(sources))]
    assert all(f"f_{number}(int64_t" in each for number, each in enumerate(of_each))
    ran, untidied = lantern_in(folder, "run", "program.py", "main"), lantern_in(folder, "run", "--disable-pass", "tidy", "program.py", "main")
    assert (ran.stderr, untidied.stderr) == ("", "")
    printed = [done.stdout.splitlines() for done in (ran, untidied)]
    return {name: (of_each[number], *(lines[number * len(ARGUMENTS):(number + 1) * len(ARGUMENTS)] for lines in printed)) for number, name in enumerate(PROGRAMS)}


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_values_are_python_s_and_the_names_the_source_s(compiled, name):
    source, written, unwanted = PROGRAMS[name]
    text, printed, untidied = compiled[name]
    assert [line for line in written if line not in text] == [], text
    assert unwanted is None or not re.search(unwanted, text), text
    names = {"lt": lt}
    exec(source, names)
    expected = ["{} {}".format(*names["f"](*each)) for each in ARGUMENTS]
    assert printed == expected
    assert untidied == expected
