"""Gradients of recursions over a million nodes (of trees that Python made, a quarter of a million by default): right, and for the memory that the saved values need."""
import os
import pathlib
import subprocess
import sys

import pytest
from thorough import THOROUGH

BUILD = pathlib.Path(os.environ.get("LANTERN_BUILD", pathlib.Path(__file__).parents[3] / "build")).resolve()
pytestmark = pytest.mark.optimised      # without optimisation, frames take twice as much
NODES = 1_000_001
NODES_OF_PYTHON = NODES if THOROUGH > 1 else 250_001     # which Python makes and sums more slowly than they are differentiated
PROGRAM = '''
import resource
import sys

import lantern as lt

lt.set_default_dtype("f64")


@lt.struct
class Tree:
    value: float
    left: "Tree | None"
    right: "Tree | None"


def total(w: float, tree: Tree):
    if tree.left is None or tree.right is None:
        return w * tree.value
    return w * w * tree.value + 0.5 * total(w, tree.left) + 0.5 * total(w, tree.right)


def leaf(i):
    return Tree(0.5 + i % 7, None, None)


def chain(count):
    tree = leaf(0)
    for i in range(count // 2):
        tree = Tree(1.0, tree, leaf(i))
    return tree


def balanced(count):
    level = [leaf(i) for i in range((count + 1) // 2)]
    while len(level) > 1:
        level = [Tree(1.0, a, b) for a, b in zip(level[::2], level[1::2])] + level[len(level) // 2 * 2:]
    return level[0]


def sums(tree):
    """Of the values of leaves and of the others, each weighted by a half for each level."""
    at_leaves = within = 0.0
    pending = [(tree, 1.0)]
    while pending:
        node, weight = pending.pop()
        if node.left is None:
            at_leaves += weight * node.value
        else:
            within += weight * node.value
            pending += [(node.left, weight / 2), (node.right, weight / 2)]
    return at_leaves, within


make, wrt, count = {"chain": chain, "balanced": balanced}[sys.argv[1]], sys.argv[2], int(sys.argv[3])
gradient_of = lt.value_and_grad(lt.function(total), wrt=wrt)
gradient_of(0.5, make(101))
tree, w = make(count), 0.5
at_leaves, within = sums(tree)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
value, gradient = gradient_of(w, tree)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 / count)
assert abs(value - (w * at_leaves + w * w * within)) <= 1e-9 * abs(value)
if wrt == "w":
    assert abs(gradient - (at_leaves + 2 * w * within)) <= 1e-9 * abs(gradient)
else:
    pending, seen = [(gradient, 1.0)], 0
    while pending:
        node, weight = pending.pop()
        seen += 1
        assert abs(node.value - weight * (w if node.left is None else w * w)) <= 1e-12
        pending += [(child, weight / 2) for child in (node.left, node.right) if child is not None]
    assert seen == count
'''


@pytest.mark.slow
@pytest.mark.parametrize("shape, wrt", [("chain", "w"), ("balanced", "tree")])
def test_nodes_that_python_made(tmp_path, shape, wrt):
    script = tmp_path / "tree.py"
    script.write_text(PROGRAM)
    done = subprocess.run([sys.executable, str(script), shape, wrt, str(NODES_OF_PYTHON)], env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
                          capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < 1000       # bytes a node: what stands for it between Python and the program, too


READ = '''
import lantern as lt

lt.set_default_dtype("f64")


@lt.struct
class Tree:
    label: int
    word: int
    left: "Tree | None"
    right: "Tree | None"


def total(w: float, tree: Tree):
    if tree.left is None or tree.right is None:
        return w * tree.label
    return w * w * tree.label + 0.5 * total(w, tree.left) + 0.5 * total(w, tree.right)


@lt.export
def value(path: str):
    for tree in lt.treebank(path, lt.vocabulary(path), Tree):
        print(total(0.5, tree))


@lt.export
def gradient(path: str):
    for tree in lt.treebank(path, lt.vocabulary(path), Tree):
        print(lt.grad(total)(0.5, tree))
'''


def balanced(count):
    level = ["(1 a)"] * ((count + 1) // 2)
    while len(level) > 1:
        level = [f"(2 {a} {b})" for a, b in zip(level[::2], level[1::2])] + level[len(level) // 2 * 2:]
    return level[0] + "\n"


def chain(count):
    return "(2 " * (count // 2) + "(1 a)" + " (3 b))" * (count // 2) + "\n"


@pytest.mark.slow
@pytest.mark.parametrize("shape", [balanced, chain])
def test_a_million_nodes_out_of_a_file(tmp_path, shape):
    (tmp_path / "model.py").write_text(READ)
    (tmp_path / "trees.txt").write_text(shape(NODES))

    def run(entry):
        process = subprocess.Popen([BUILD / "bin" / "lantern", "run", "model.py", entry, "--path", "trees.txt"], cwd=tmp_path, stdout=subprocess.PIPE, text=True)
        printed = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        assert status == 0
        return float(printed), usage.ru_maxrss * 1024

    run("value")                            # builds it: the C++ compiler's memory counts, too
    (value, without), (gradient, taken) = run("value"), run("gradient")
    assert value > 0.0 and gradient > 0.0
    assert taken - without < 300 * NODES    # about 220 bytes a node: the frames of the function and of what follows each call
