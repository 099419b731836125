"""What the command tells of its passes: the programs between them, their times, and a program that shows a bug."""
import pathlib
import re

import pytest

EXAMPLES = pathlib.Path(__file__).parents[3] / "examples"
TREE_PROD = EXAMPLES / "tree_prod.py"
PASSES = ["read", "check", "unwrap-entry", "merge-functions", "forward-mode", "hoist", "share-values", "read-transposed", "activity", "nested-gradients", "inline-calls", "accumulate-gradients", "join-products", "batch", "loops-to-recursion", "take-snapshots", "tape-recursions", "inline-gradients", "integer-ranges", "lower", "defer-values", "write-in-place", "tidy", "fuse-adjoints", "join-adjoints", "defer-adjoints", "share-loops", "overwrite-values", "defer-steps", "model-use", "emit", "format", "build"]


def test_the_program_behind_a_pass(lantern):
    done = lantern("compile", TREE_PROD, "--emit", "cpp", "--print-after", "check", "--print-after=lower")
    assert done.returncode == 0 and "tree_prod" in done.stdout
    assert re.findall("^; after (.*)$", done.stderr, re.M) == ["check", "lower"]
    assert done.stderr.split("; after check\n")[1].startswith(lantern("compile", TREE_PROD, "--emit", "ir").stdout.split("\n")[0])


def test_the_program_behind_every_pass(lantern):
    done = lantern("compile", TREE_PROD, "--emit", "cpp", "--print-after", "all")
    printed = re.findall("^; after (.*)$", done.stderr, re.M)
    assert printed == ["read", "check", "unwrap-entry", "merge-functions", "forward-mode", "hoist", "share-values", "read-transposed", "integer-ranges", "lower", "defer-values", "write-in-place", "tidy", "fuse-adjoints", "join-adjoints", "defer-adjoints", "share-loops", "overwrite-values", "defer-steps", "emit"]    # no loop carries an adjoint
    assert done.stdout in done.stderr


def test_what_was_made_before_an_error_is_shown(lantern, program):
    done = lantern("compile", program("wrong.sexpr", "(define f ((x f64)) (matmul x x)) (export f)"), "--emit", "ir", "--print-after", "all")
    assert done.returncode == 1
    assert done.stderr.startswith("; after read\n(define f") and "wrong.sexpr:1:" in done.stderr


def test_how_long_each_pass_took(lantern):
    done = lantern("compile", TREE_PROD, "--emit", "so", "--time-passes")
    assert done.returncode == 0
    head, *rows, total = done.stderr.splitlines()
    assert head.split() == ["pass", "ms", "%"] and total.startswith("all ")
    assert [row.split()[0] for row in rows] == [name for name in PASSES if name != "format"]    # nobody reads it
    assert abs(sum(float(row.split()[1]) for row in rows) - float(total.split()[1])) < 0.1


def test_names_of_thousands_of_values_are_found_at_once(lantern, program):
    terms = "x"
    for i in range(2000):       # whose values the gradient reads
        terms = f"(+ (* (sin (* x {i}.5)) (exp x)) {terms})"
    path = program("long.sexpr", f"(define f ((x f64)) {terms}) (define g ((x f64)) (value-and-grad f (wrt x) x)) (export g)")
    rows = lantern("compile", path, "-o", "out", "--time-passes").stderr.splitlines()
    taken = {name: float(ms) for name, ms, *_ in map(str.split, rows[1:])}
    assert taken["emit"] < taken["all"] / 2     # which it was nearly all of, with each name looked for from the first on


@pytest.mark.parametrize("disabled", ["join-products", "defer-values", "tidy", "fuse-adjoints", "join-adjoints", "defer-adjoints", "share-loops", "overwrite-values", "defer-steps", "unwrap-entry", "merge-functions", "tape-recursions", "inline-gradients"])
def test_a_program_without_a_pass_is_as_good(lantern, program, tmp_path, disabled):
    """It differs in its text alone: it still builds, without a warning."""
    assert lantern("compile", TREE_PROD, "--emit", "so", "--disable-pass", disabled, "-o", "out").returncode == 0
    if disabled == "tidy":
        assert lantern("compile", TREE_PROD, "--emit", "cpp", "--disable-pass", disabled).stdout != lantern("compile", TREE_PROD, "--emit", "cpp").stdout


@pytest.mark.parametrize("flag, message", [
    ("--print-after=nothing", "there is no pass 'nothing'"),
    ("--disable-pass=check", "there is no pass 'check' that can be left out"),
])
def test_a_pass_that_there_is_not(lantern, flag, message):
    done = lantern("compile", TREE_PROD, "--emit", "ir", flag)
    assert done.returncode == 2 and message in done.stderr and "there are: " in done.stderr


def test_a_bug_leaves_the_program_that_shows_it(lantern, tmp_path):
    done = lantern("compile", TREE_PROD, "--emit", "cpp", "--bug-in", "lower", env={"TMPDIR": str(tmp_path)})
    assert done.returncode == 3 and "[LT0901]" in done.stderr and done.stdout == ""
    [kept] = tmp_path.glob("lantern-bug-tree_prod-*.sexpr")
    assert f"lantern compile {kept} --emit cpp" in done.stderr
    again = lantern("compile", kept.name, "--emit", "cpp")
    assert again.returncode == 0 and "tree_prod" in again.stdout
    assert lantern("compile", kept.name, "--emit", "cpp", "--bug-in", "lower", env={"TMPDIR": "/nowhere"}).returncode == 3


BATCHED = """
import lantern as lt

class Model(lt.Module):
    def __init__(self):
        self.w = lt.Parameter((80, 80))

    def chain(self, x, n):
        if n == 0:
            return x
        print(n)
        return self.w @ self.chain(x, n - 1)

    def tree(self, x, n):
        if n == 0:
            return x
        return self.w @ (self.tree(x, n - 1) + self.tree(x * 2.0, n - 2 if n > 1 else 0))

    def scale(self, x, n):
        return x * 0.5 if n == 0 else self.scale(x, n - 1)

    def loss(self, x, n):
        total = 0.0
        for i in lt.range(n):
            total += lt.sum(self.tree(x, i))
        for i in lt.range(n):
            x = self.tree(x, i)
        for i in lt.range(n):
            if lt.sum(x) > 9.0:
                break
            x = self.tree(x, 1)
        return lt.sum(self.chain(x, n) + self.chain(x, n)) + lt.sum(self.scale(x, n) * self.scale(x, n)) + total

@lt.export
def f(n: int):
    model = Model()
    return lt.value_and_grad(model.loss)(lt.ones(80), n)[0]
"""



def test_what_is_batched_is_said_and_what_not_and_why(lantern, program):
    file = program("model.py", BATCHED)
    said = lantern("compile", "--remarks", "--emit", "cps", file).stderr.splitlines()
    assert said == [
        "model.py:22:5: the gradient of 'loss' is taken as a whole: it prints, draws or changes something, which keeps its order",
        "model.py:17:26: 2 calls from here on are batched",
        "model.py:14:5: calls of 'tree_1' are not batched: it has no product of a large parameter with a vector to share",
        "model.py:8:5: calls of 'chain' are not batched: it prints, draws or changes something, which keeps its order",
        "model.py:19:5: calls of 'scale' are not batched: it has no product of a large parameter with a vector to share",
        "model.py:24:9: the turns of this loop are batched",
        "model.py:26:9: the turns of this loop are not batched: its calls depend on the turn before",
        "model.py:28:9: the turns of this loop are not batched: it can end early",
    ]
    assert not re.search("batched", lantern("compile", "--remarks", "--schedule", "depth-first", "--emit", "cps", file).stderr)
    assert "together" not in lantern("compile", "--schedule", "depth-first", "--emit", "cps", file).stdout
    assert lantern("compile", "--schedule", "sideways", file).returncode == 2


INFERENCE = """
import lantern as lt
class Model(lt.Module):
    def __init__(self):
        self.w = lt.Parameter((80, 80), lt.init.uniform(-1, 1))

    def score(self, x):
        return lt.sum(self.w @ x) if lt.sum(x) > 0.0 else self.score(x + 1.0)

    def scores(self, xs):
        return self.w @ xs if lt.sum(xs) > 0.0 else self.scores(xs + 1.0)

@lt.export
def f(data: lt.Tensor["n", 80], rows: lt.Tensor["n", 80, 80]):
    model = Model()
    total = 0.0
    for x in data:
        total += model.score(x)
    for xs in rows:
        total += lt.sum(model.scores(xs))
    for x in data:
        total += model.score(x)
        print(total)
    return total, [model.score(x) for x in data]
"""


def test_what_is_batched_where_nothing_is_differentiated(lantern, program):
    file = program("model.py", INFERENCE)
    given = lantern("compile", "--remarks", "--emit", "cps", file)
    assert given.stderr.splitlines() == [
        "model.py:10:5: calls of 'scores' are not batched: it has no product of a large parameter with a vector to share",
        "model.py:17:5: the turns of this loop are batched",
        "model.py:21:5: the turns of this loop are not batched: it prints, draws, changes or raises something, which keeps its order",
        "model.py:24:39: the turns of this loop are batched",
    ]
    assert given.stdout.count("each λ") == 2
    assert "each λ" not in lantern("compile", "--schedule", "depth-first", "--emit", "cps", file).stdout


SUMS = """
import lantern as lt

class Model(lt.Module):
    def __init__(self):
        self.w = lt.Parameter((80, 80))

    def term(self, i):
        return lt.sum(self.w @ lt.ones(80)) * i

    def of_calls(self, n):
        total = 0.0
        for i in lt.range(n):
            total += self.term(i)
        return total / n

    def of_rows(self, rows):
        return lt.mean(lt.vmap(lambda row: lt.sum(lt.tanh(self.w @ row)))(rows)) + 0.1 * lt.sum(self.w * self.w)

    def of_squares(self, n):
        return self.of_calls(n) ** 2

    def no_sum(self, n):
        total = 0.0
        for i in lt.range(n):
            total = 0.5 * total + self.term(i)
        return total

    def scaled(self, n):
        scale = lt.sum(self.w)
        total = 0.0
        for i in lt.range(n):
            total += scale * self.term(i)
        return total

@lt.export
def f(n: int):
    model = Model()
    rows = lt.ones((n, 80))
    in_parts = lt.value_and_grad(model.of_calls)(n)[0] + lt.value_and_grad(model.of_rows)(rows)[0] + model.of_calls(n)
    return in_parts + lt.value_and_grad(model.of_squares)(n)[0] + lt.value_and_grad(model.no_sum)(n)[0] + lt.value_and_grad(model.scaled)(n)[0]
"""


def test_which_gradients_are_taken_in_parts_is_said_and_which_not_and_why(lantern, program):
    file = program("model.py", SUMS)
    said = [line for line in lantern("compile", "--remarks", "--emit", "cps", file).stderr.splitlines() if "gradient of" in line]
    assert said == [
        "model.py:17:5: the gradient of 'of_rows' is taken term by term",
        "model.py:25:9: the gradient of 'no_sum' is taken as a whole: 'total_1' is more than added to in the turns of this loop",
        "model.py:33:22: the gradient of 'scaled' is taken as a whole: 'scale', which depends on a parameter, is from outside of the turn",
        "model.py:11:5: the gradient of 'of_calls_in_parts' is taken term by term",
    ]
    whole = lantern("compile", "--remarks", "--disable-pass", "accumulate-gradients", "--emit", "cpp", file)
    assert whole.returncode == 0 and "gradient of" not in whole.stderr and "each_term" not in whole.stdout
    by_environment = lantern("compile", "--remarks", "--emit", "cpp", file, env={"LANTERN_DISABLE_PASS": "accumulate-gradients"})
    assert by_environment.stdout == whole.stdout
    wrong = lantern("compile", "--emit", "cpp", file, env={"LANTERN_DISABLE_PASS": "tidy,nothing"})
    assert wrong.returncode == 2 and "there is no pass 'nothing' that can be left out [LT0809]" in wrong.stderr
