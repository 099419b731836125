"""What the command tells of its passes: the programs between them, their times, and a program that shows a bug."""
import pathlib
import re

import pytest

EXAMPLES = pathlib.Path(__file__).parents[3] / "examples"
TREE_PROD = EXAMPLES / "tree_prod.py"
PASSES = ["read", "check", "unwrap-entry", "forward-mode", "activity", "nested-gradients", "loops-to-recursion", "lower", "tidy", "model-use", "emit", "format", "build"]


def test_the_program_behind_a_pass(lantern):
    done = lantern("compile", TREE_PROD, "--emit", "cpp", "--print-after", "check", "--print-after=lower")
    assert done.returncode == 0 and "tree_prod" in done.stdout
    assert re.findall("^; after (.*)$", done.stderr, re.M) == ["check", "lower"]
    assert done.stderr.split("; after check\n")[1].startswith(lantern("compile", TREE_PROD, "--emit", "ir").stdout.split("\n")[0])


def test_the_program_behind_every_pass(lantern):
    done = lantern("compile", TREE_PROD, "--emit", "cpp", "--print-after", "all")
    printed = re.findall("^; after (.*)$", done.stderr, re.M)
    assert printed == ["read", "check", "unwrap-entry", "forward-mode", "lower", "tidy", "emit"]    # no loop carries an adjoint
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


@pytest.mark.parametrize("disabled", ["tidy", "unwrap-entry"])
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
