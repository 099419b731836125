"""How many seconds each step from Python to a loaded shared object takes: the first program on a machine, any other, and the same again.

    compiling.py LINES [small]        LINES: of the long program of S-expressions; small: what programs have in common is taken where it has been made
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

import lantern as lt
from timing import line
from trees import made, tree_by_tree

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMAND = pathlib.Path(os.environ.get("LANTERN_BUILD", ROOT / "build")) / "bin" / "lantern"
LINES_EACH = 10


def long_program(lines):
    """So many lines of S-expressions: functions of ten lines, each of which calls the one before; the last one's gradient."""
    count = max(1, lines // LINES_EACH)
    text = ["(define f0 ((x f64) (y f64)) (* x y))"]
    for i in range(1, count):
        text += [f"(define f{i} ((x f64) (y f64))", f"  (let a (f{i - 1} x y)"]
        text += [f"  (let {new} ({operator} {old} {other})" for new, operator, old, other in
                 [("b", "+", "a", "x"), ("c", "*", "b", "y"), ("d", "tanh", "c", ""), ("e", "-", "d", "a"), ("g", "*", "e", "x")]]
        text += ["  (if (< g 0.0)", "    (- g y)", "    (+ g y)))))))))"]
    text += [f"(define run ((x f64) (y f64)) (value-and-grad f{count - 1} (wrt x) x y))", "(export run)"]
    return "\n".join(text).replace(" )", ")") + "\n"


def seconds(work):
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def compiled(*words):
    done = subprocess.run([COMMAND, "compile", *words], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return done.stdout


def main():
    with tempfile.TemporaryDirectory() as folder:
        shared = os.environ.get("LANTERN_CACHE") or os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "lantern")
        os.environ["LANTERN_CACHE"] = os.path.join(folder, "cache")
        os.environ["LANTERN_PREPARED"] = shared if sys.argv[2:] == ["small"] else os.path.join(folder, "nothing came with the build")
        model = ROOT / "examples" / "tree_lstm.py"
        for name in ("TreeLSTM, Python to C++", "TreeLSTM, Python to C++: the same again"):
            line("rate", name, seconds(lambda: compiled(model, "-o", os.path.join(folder, "out")))[0])

        source = os.path.join(folder, "long.sexpr")
        text = long_program(int(sys.argv[1]))
        pathlib.Path(source).write_text(text, "utf-8")
        taken, _ = seconds(lambda: compiled(source, "-o", os.path.join(folder, "out")))
        line("rate", f"{text.count(chr(10)):,} lines of S-expressions to C++", taken)

        program = compiled(ROOT / "benchmarks" / "ours" / "treelstm.py", "--emit", "sexpr")
        for state in ("the first without `make`", "any other", "the same again"):
            if state == "any other":
                for path in pathlib.Path(os.environ["LANTERN_CACHE"]).glob("*/*.so"):
                    path.unlink()
            line("rate", f"TreeLSTM, S-expressions to a loaded shared object: {state}", seconds(lambda: load(program))[0])

        one = pathlib.Path(folder, "one.txt")
        one.write_text("(3 (2 a) (3 (2 b) (2 c)))\n", "utf-8")
        model, Tree = made("gates", 5)
        train = lt.function(tree_by_tree(model, Tree, lt.optim.Adagrad(0.05)))
        line("rate", "TreeLSTM with a matrix for each gate, Python to the end of its first step", seconds(lambda: train(str(one), 1))[0])

        # Loops over known ranges, of which a program that has each turn by itself would take minutes.
        lt.function(lambda w, x: np.sum(w @ x))(np.ones((3, 3)), np.ones(3))     # the first with arrays of f64 waits for what such have in common
        table = np.random.default_rng(1).normal(size=(100, 90))
        line("rate", "a product with a known table of 100 x 90, Python to its first value", seconds(lambda: lt.function(lambda x: table @ x)(np.ones(90)))[0])
        random, nodes = np.random.default_rng(0), max(12, int(sys.argv[1]) // 50)
        lists = max(20, int(sys.argv[1]) * 3 // 10)
        known = random.integers(0, lists, (lists, 5)).tolist()
        line("rate", f"a recursion over {lists:,} known lists, Python to its first value", seconds(lambda: lt.function(reach_over(known))(0, 2))[0])
        neighbours = random.integers(0, nodes, (nodes, 4)).tolist()
        for what, loss, weights, xs in (
                (f"rounds of messages over {nodes} nodes", lambda w, xs: messages(w, xs, neighbours), random.normal(size=(2, 8, 8)) * 0.3, random.normal(size=(nodes, 8))),
                ("an LSTM over 20 words", lstm, random.normal(size=(4, 16, 32)) * 0.3, random.normal(size=(20, 16)))):
            line("rate", f"{what}, Python to its first gradient", seconds(lambda: lt.value_and_grad(lt.function(loss))(weights, xs))[0])


def reach_over(neighbours):
    def reach(node: int, depth: int) -> float:
        if depth == 0:
            return 0.5 * node
        total = 0.0
        for near in neighbours[node]:
            total += reach(near, depth - 1)
        return total
    return reach


def messages(w, x, neighbours):
    """Three rounds in which each node [8] hears its neighbours."""
    for _ in range(3):
        rows = []
        for i in range(len(x)):
            heard = np.zeros(8)
            for j in neighbours[i]:
                heard = heard + x[j]
            rows.append(np.tanh(w[0] @ x[i] + w[1] @ heard))
        x = np.stack(rows)
    return np.sum(x * x)


def lstm(w, xs):
    h, c = np.zeros(16), np.zeros(16)
    for t in range(len(xs)):
        parts = np.concatenate([xs[t], h])
        i, f, o, g = (w[k] @ parts for k in range(4))
        c = c / (1.0 + np.exp(-f)) + np.tanh(g) / (1.0 + np.exp(-i))
        h = np.tanh(c) / (1.0 + np.exp(-o))
    return np.sum(h * h)


def load(program):
    """Compiles and loads a program in a process that has the package loaded."""
    from lantern import compiled as library
    return library.Program(library.build(program, "treelstm.sexpr", "treelstm"), {})


if __name__ == "__main__":
    main()
