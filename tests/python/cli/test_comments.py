"""What the user says in comments and docstrings stands in the C++, where the code that it speaks of does."""
import re

PROGRAM = """import lantern as lt


# A binary tree.
@lt.struct
class Tree:
    value: float  # of a leaf, else 0
    left: "Tree | None"  # type: ignore
    # may be missing,
    # as the left
    right: "Tree | None"


# Weighs what is below.
@lt.export
def weigh(tree: Tree, w: float) -> float:
    # nothing hangs here \\
    if tree.left is None:  # a leaf
        return tree.value * w
    scale = 2  # known while staging
    # the left first,
    # then the right
    a = weigh(tree.left, w)
    b = weigh(
        tree.right,  # /* checked */ by solve(x), read_npz<T>
        w)
    # clang-format off
    # \u202eboth\u2066
    return (
        a * b)


@lt.export
def slope(tree: Tree, w: float) -> float:
    \"\"\"The derivative with\\ud800
    respect to w.

    Not this.
    \"\"\"
    # "in quotes"
    return lt.grad(weigh, "w")(tree, w)
"""


def comments_of(text):
    return [line.strip() for line in text.split("\n") if re.match(r"\s*///? (?!Code generated|m\.py:\d+  )", line)]


def test_they_stand_in_front_of_what_they_speak_of(lantern, program):
    done = lantern("compile", program("m.py", PROGRAM), "--emit", "cpp")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.findall("#include .*", done.stdout) == ['#include "lantern/api.h"', '#include "lantern/tape.h"']
    structure, *body = re.split(r"\n(?=// m\.py:)", done.stdout)
    assert "/// A binary tree.\nstruct Tree {\n  double value;  // of a leaf, else 0\n  const Tree* left;\n  const Tree* right;  // may be missing, as the left\n" in structure
    assert comments_of(body[0]) == ["/// Weighs what is below.", "// nothing hangs here", "// a leaf", "// the left first,", "// then the right", "// /* checked */ by solve(x), read_npz<T>", "// both"]
    assert re.search(r"// a leaf\n *if \(!tree.left\)", body[0]) and re.search(r"// then the right\n *const double a = weigh", body[0])
    forward, reverse, entry = body[1:4]
    assert comments_of(forward) == comments_of(body[0])[1:] and comments_of(reverse) == []
    assert comments_of(entry) == ["/// The derivative with?", "/// respect to w.", '// "in quotes"']


def test_a_program_of_sexprs_says_them_too(lantern, program):
    text = lantern("compile", program("m.py", PROGRAM), "--emit", "sexpr").stdout
    assert lantern("compile", program("m.sexpr", text), "--emit", "cpp").stdout == lantern("compile", "m.py", "--emit", "cpp").stdout.replace(" m.py. DO", " m.sexpr. DO")
