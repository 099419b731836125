"""Places that are certainly there are read and written without a look at the size, `xs[i]` in C++, too; others are looked for, and an IndexError is Python's."""
import linecache
import re

import pytest

import lantern as lt

# name: the body of f(xs: list[float], n: int), what of its C++ has places that are there, and what looks for places; nothing else does
PROGRAMS = {
    "a loop to the length": ("""
    total = 0.0
    for i in range(len(xs)):
        total += xs[i]
    return total
""", ["total += xs[i];"], []),
    "one before and one behind": ("""
    total = 0.0
    for i in range(1, len(xs) - 1):
        total += xs[i - 1] * xs[i + 1]
    return total
""", ["total += xs[i - 1] * xs[i + 1];"], []),
    "steps that are known": ("""
    total = 0.0
    for i in range(1, len(xs)):
        for before, scale in ((0, 1), (1, 3)):
            total += xs[(i - before) * 1 // scale]
    return total
""", ["xs[i]", "xs[(i - 1) / 3]"], []),
    "one too many": ("""
    total = 0.0
    for i in range(len(xs)):
        total += xs[i + 1] if n > i else xs[i]
    return total
""", ["xs[i]"], ["index(xs, i + 1"]),
    "one too early": ("""
    total = 0.0
    for i in range(-1, len(xs)):
        total += xs[i]
    return total
""", [], ["index(xs, i"]),
    "another list's length": ("""
    ys = [1.0] * n
    ys.append(2.0)
    total = 0.0
    for i in range(len(xs)):
        total += xs[i] * ys[i]
    return total
""", ["xs[i]"], ["index(x3, i"]),
    "from behind": ("""
    total = 0.0
    for i in range(len(xs) - 1, -1, -1):
        total = total * 0.5 + xs[i] + xs[len(xs) - 1 - i]
    return total
""", ["xs[i]", "xs[length(xs) - 1 - i]"], []),
    "a search by halves": ("""
    low, high = 0, len(xs)
    while low < high:
        middle = (low + high) // 2
        if xs[middle] < n:
            low = middle + 1
        else:
            high = middle
    return low
""", ["(low + high) / 2", "xs[middle]"], []),
    "a search by halves, to the last": ("""
    low, high = 0, len(xs) - 1
    while low <= high:
        middle = low + (high - low) // 2
        if xs[middle] == n:
            return middle
        if xs[middle] < n:
            low = middle + 1
        else:
            high = middle - 1
    return -1
""", ["xs[middle]"], []),
    "a search by halves with a bound that is too far": ("""
    low, high = 0, len(xs) + n
    while low < high:
        middle = (low + high) // 2
        if xs[middle] < n:
            low = middle + 1
        else:
            high = middle
    return low
""", [], ["index(xs, middle"]),
    "insertion": ("""
    ys = list(xs)
    for i in range(1, len(ys)):
        y = ys[i]
        j = i - 1
        while j >= 0 and ys[j] > y:
            ys[j + 1] = ys[j]
            j -= 1
        ys[j + 1] = y
    return ys
""", ["while (j >= 0 && ys[j] > y) {", "ys[j + 1] = ys[j];", "ys[j + 1] = y;"], []),
    "two loops that exchange": ("""
    ys = list(xs)
    for i in range(len(ys)):
        for j in range(len(ys) - 1 - i):
            if ys[j] > ys[j + 1]:
                ys[j], ys[j + 1] = ys[j + 1], ys[j]
    return ys
""", ["ys[j] > ys[j + 1]", "ys[j] = ys[j + 1];"], []),
    "a list that grows by one in each turn": ("""
    sums = [0.0]
    for i in range(len(xs)):
        sums.append(sums[i] + xs[i])
    return sums
""", ["append(sums, sums[i] + xs[i])"], []),
    "a list that grows in some turns": ("""
    some = [0.0]
    for i in range(len(xs)):
        if xs[i] > n:
            some.append(some[i] + xs[i])
    return some
""", ["xs[i] > static_cast<double>(n)"], ["index(some, i"]),
    "a list that gets shorter": ("""
    ys = list(xs)
    total = 0.0
    for i in range(len(xs)):
        total += ys[i]
        if n > 1:
            ys.pop()
    return total
""", [], ["index(ys, i"]),
    "rows as long as each other": ("""
    table = [[0.0] * n for _ in range(len(xs))]
    for i in range(len(xs)):
        for j in range(n):
            table[i][j] = xs[i] * j
    return [sum(row) for row in table]
""", ["table[i][j] = xs[i] * static_cast<double>(j);"], []),
    "rows of which one is shorter": ("""
    table = [[0.0] * n for _ in range(len(xs))]
    if n > 2:
        table.append([0.0])
    for i in range(len(table)):
        for j in range(n):
            table[i][j] = 1.0 * j
    return [sum(row) for row in table]
""", [], ["set_item(table_2[i], j"]),
    "rows that grow": ("""
    table = [[0.0] * n for _ in range(len(xs))]
    for i in range(len(xs)):
        if i > 0:
            table[i - 1].append(1.0)
        for j in range(n + i % 2):
            table[i][j] = xs[i] * j
    return [sum(row) for row in table]
""", ["xs[i]"], ["set_item(table[i], j"]),
    "a condition in front": ("""
    total = 0.0
    for k in range(50):
        place = n - k
        if 0 <= place < len(xs):
            total += xs[place]
        if place < len(xs):
            total += xs[place] * 0.5
    return total
""", ["+ xs[place];"], ["index(xs, place"]),
    "a remainder": ("""
    total = 0.0
    if len(xs) > 0:
        for i in range(70):
            total += xs[(i * 3 + 1) % len(xs)]
    return total
""", ["xs[(i * 3 + 1) % length(xs)]"], []),
    "a remainder of what may be negative": ("""
    return xs[(n - 3) % len(xs)]
""", ["xs[modulo(checked_subtract(n, 3"], []),
    "a remainder, beside what it says nothing of": ("""
    ys = [x for x in xs if x > n]
    return ys[n % len(ys)] + ys[-1]
""", ["x1[x6]"], ["index(x1, -1"]),
    "a remainder that a branch chooses": ("""
    ys = [x for x in xs if x > n]
    return ys[n % len(ys) if n > 2 else 5 % len(ys)] + ys[0]
""", ["x1[x6]"], ["index(x1, 0"]),
    "a remainder on both ways, where the list changes": ("""
    ys = [x for x in xs if x > n]
    if n > 2:
        i = 7 % len(ys)
        for k in range(len(ys)):
            ys[k] += 1.0
    else:
        i = 5 % len(ys)
        for k in range(len(ys)):
            ys[k] += 2.0
    return ys[i] + ys[-1]
""", ["ys[i]"], ["index(ys, -1"]),
    "what is left": ("""
    i = 0
    while i < len(xs) and xs[i] < n:
        i += 1
    rest = 0.0
    while i < len(xs):
        rest += xs[i]
        i += 2
    return rest
""", ["while (i < length(xs) && xs[i] < static_cast<double>(n)) {", "rest += xs[i];"], []),
    "left early": ("""
    last = 0
    for i in range(len(xs)):
        if xs[i] > n:
            break
        last = i + 1
    return xs[last] if last < len(xs) else -1.0
""", ["xs[i]", "xs[last]"], []),
    "what stands behind a check": ("""
    a = xs[n]
    b = xs[n]
    return a * 2.0 + b
""", [], ["index(xs, n"]),
    "an assertion": ("""
    assert 0 <= n < len(xs), "no such place"
    return xs[n]
""", ["return xs[n];"], []),
    "what was taken out": ("""
    ys = list(xs)
    size = len(ys)
    if len(ys) > 2:
        ys.pop()
        return ys[size - 2] + ys[size - 1]
    return 0.0
""", ["x3[size - 2]"], ["index(x3, size - 1"]),
    "as many as a number that may be negative": ("""
    ys = [1.0] * n
    total = 0.0
    for i in range(n + 2):
        total += ys[i]
    return total
""", [], ["index(x1, i"]),
    "a stack": ("""
    stack, total = list(xs), 0.0
    while stack:
        total = total * 0.5 + stack[-1]
        stack[-1] = total
        stack.pop()
    return total
""", ["stack[length(stack) - 1] = total;"], []),
    "an array as long as a number": ("""
    m = max(n, 0) + 2
    u, v = np.zeros((m, m + 1)), np.zeros(m)
    for i in range(1, m):
        for j in range(1, m):
            u[i, j] = u[i - 1, j + 1] + j
        v[i] = u[i, i] * 2.0
    return float(v[m - 1])
""", ["u[i][j] = u[i - 1][j + 1] + ", "v[i] = u[i][i] * ", "return v[m - 1];"], []),
    "an array that is a little shorter": ("""
    v = np.zeros(max(n, 0) + 1)
    for i in range(max(n, 0) + 2):
        v[i] = 1.0
    return float(v[0])
""", [], ["set_item(v, i"]),
    "a heap": ("""
    heap = list(xs)
    for start in range(len(heap) // 2 - 1, -1, -1):
        i = start
        while 2 * i + 1 < len(heap):
            child = 2 * i + 1
            if child + 1 < len(heap) and heap[child + 1] < heap[child]:
                child += 1
            if heap[i] <= heap[child]:
                break
            heap[i], heap[child] = heap[child], heap[i]
            i = child
    return heap
""", ["heap[child + 1] < heap[child]", "heap[i] <= heap[child]"], []),
}
BORDER = """
    total = 0.0
    for i in range(len(xs)):
        if {}:
            total += {}
        else:
            total += {}
    return total
"""
BEHIND, BESIDE = "xs[i - 1] + xs[i - 2]", "xs[i + 1] + xs[i - 1]"
for condition, *ways in (("i < 1", "0.0", BEHIND), ("i <= 0", "0.0", BEHIND), ("i > 0", BEHIND, "0.0"), ("i >= 1", BEHIND, "0.0"),
                         ("i == len(xs) - 2", BESIDE, "0.0"), ("i != len(xs) - 1", BESIDE, "0.0")):
    there, may_be_missing = ("xs[i - 1]", "index(xs, i - 2") if BEHIND in ways else ("xs[i + 1]", "index(xs, i - 1")
    PROGRAMS[f"behind {condition}"] = BORDER.format(condition, *ways), [there], [may_be_missing]
CALLS = [([3.0, 1.0, 2.0, 5.0, 4.0], 2), ([], 0), ([1.0], 1), ([2.0, 2.0, 7.0], 0), ([4.0, 3.0], 3), ([1.0, 2.0, 3.0], -1), ([0.5, 1.5], 1)]


def text_of(source, number=""):
    return f"import numpy as np\n\nimport lantern as lt\n\n\n@lt.export\ndef at_{number}(xs: 'list[float]', n: int):{source}"


def function_of(text, file):
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    names = {}
    exec(compile(text, file, "exec"), names)
    return names


@pytest.fixture(scope="module")
def bodies(lantern_in, tmp_path_factory):
    """The C++ of each, all compiled as one, as it is and without the pass."""
    folder = tmp_path_factory.mktemp("places")
    (folder / "program.py").write_text("\n\n".join(text_of(source, number) for number, (source, _, _) in enumerate(PROGRAMS.values())))

    def compiled(*options):
        text = lantern_in(folder, "compile", "program.py", "--emit", "cpp", *options).stdout
        return {name: re.search(rf"^\S[^\n]* at_{number}(_on_stack)?\([^;]*?\{{\n.*?^\}}", text, re.MULTILINE | re.DOTALL)[0] for number, name in enumerate(PROGRAMS)}
    return compiled(), compiled("--disable-pass", "integer-ranges")


def outcome(function, xs, n):
    try:
        return function(list(xs), n)
    except (IndexError, ZeroDivisionError, AssertionError) as error:
        return type(error), re.sub(r"^\S+:\d+:\d+: ", "", str(error))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("number,name", list(enumerate(PROGRAMS)))
def test_they_give_what_python_gives(number, name):
    plain = function_of(text_of(PROGRAMS[name][0]), f"places_{number}.py")["at_"]
    compiled = lt.function(plain)
    for xs, n in CALLS:
        assert outcome(compiled, xs, n) == outcome(plain, xs, n), (xs, n)


@pytest.mark.parametrize("name", PROGRAMS)
def test_only_what_may_be_missing_is_looked_for(bodies, name):
    _, there, looked_for = PROGRAMS[name]
    body, with_looks = bodies[0][name], bodies[1][name]
    assert [each for each in there if each not in body] == [], body
    assert [each for each in looked_for if each not in body] == [], body
    assert looked_for or not re.search(r"\b(index|set_item)\(", body), body
    assert not re.search(r"\w\[\w", with_looks), with_looks
