"""A product of C++ that holds a model (examples/downstream), from an installed Lantern and from C++ that stands alone."""
import os
import re
import shutil
import subprocess
import sys

import pytest

from installed import BUILD, ROOT, cached, run
from thorough import one_of

CXX = shutil.which("clang++-14") or shutil.which("clang++") or "g++"
DOWNSTREAM = ROOT / "examples/downstream"
TREES = ["(3 (2 It) (4 (2 's) (3 lovely)))", "(1 (2 Not) (3 (3 good) (2 films)))", "(2 unheard)"]

WEIGHTS = """
import sys
import lantern as lt
sys.path[:0] = [sys.argv[1]]
from sentiment import labels, model
from tree_lstm import Tree, TreeLSTM

lt.seed(1)
words = lt.vocabulary("train.txt")
fresh = TreeLSTM(len(words), 300, 150)
lt.save("weights", fresh, words)
model.__dict__.update(fresh.__dict__)
for tree in lt.treebank("trees.txt", words, Tree):
    print(*labels(tree))
"""


@pytest.fixture(scope="module")
def weights(tmp_path_factory):
    """A folder with weights, three trees, and the labels that plain Python gives the trees' phrases."""
    folder = tmp_path_factory.mktemp("weights")
    (folder / "train.txt").write_text("\n".join(TREES[:2]) + "\n")
    (folder / "trees.txt").write_text("\n".join(TREES) + "\n")
    (folder / "weights.py").write_text(WEIGHTS)
    printed = run(sys.executable, "weights.py", DOWNSTREAM, cwd=folder, PYTHONPATH=str(ROOT / "python"))
    (folder / "labels").write_text(printed)
    return folder


def by_cmake(folder, prefix):
    run(cached("CMAKE_COMMAND"), "-S", DOWNSTREAM, "-B", folder, f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_CXX_FLAGS=-O0 -DLANTERN_PACKETS_AS_COMPILED -Wall -Wextra -Werror",
        f"-DCMAKE_CXX_COMPILER={CXX}", PATH=os.environ["PATH"])
    run(cached("CMAKE_COMMAND"), "--build", folder, PATH=os.environ["PATH"])


def by_hand(folder, _):
    """Plain commands: the generated copy and the example's own sources are all there is."""
    run(BUILD / "bin/lantern", "compile", DOWNSTREAM / "sentiment.py", "--standalone", "-o", folder / "generated", PATH=os.environ["PATH"])
    flags = ("-std=c++17", "-O0", "-DLANTERN_PACKETS_AS_COMPILED", "-Wall", "-Wextra", "-Werror", "-Igenerated", "-isystem", "/usr/include/eigen3")
    run(CXX, *flags, "-c", "generated/sentiment.cpp", cwd=folder)
    for program in ("score", "learn"):
        for name in (f"{program}.cpp", "phrases.h"):
            shutil.copy(DOWNSTREAM / name, folder)
        run(CXX, *flags, f"{program}.cpp", "sentiment.o", "-o", program, cwd=folder)


def scored(program, weights, text):
    done = subprocess.run([program, weights], input=text, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("build", one_of([by_cmake, by_hand], 0))    # test_standalone.py has programs that are built by hand
def test_it_labels_as_python_does_and_learns(build, weights, prefix, tmp_path):
    build(tmp_path, prefix)
    code, printed, said = scored(tmp_path / "score", weights / "weights", "".join(f"{tree}\n" for tree in TREES))
    assert (code, said) == (0, "")
    # A phrase's label stands before its parts in brackets, and behind them in what Python gives: each line's are the same.
    assert [sorted(re.findall(r"\((\d)", line)) for line in printed.splitlines()] == [sorted(line.split()) for line in (weights / "labels").read_text().splitlines()]
    assert [re.match(r"\((\d)", line)[1] for line in printed.splitlines()] == [line.split()[-1] for line in (weights / "labels").read_text().splitlines()]
    assert [re.sub(r"\(\d", "(", line) for line in printed.splitlines()] == [re.sub(r"\(\d", "(", tree) for tree in TREES]

    printed = run(tmp_path / "learn", weights / "weights", weights / "trees.txt", "12", "learnt", cwd=tmp_path)
    losses = [float(line.rpartition(" ")[2]) for line in printed.splitlines()]
    assert len(losses) == 12 and losses[-1] < 0.2 * losses[0]
    assert scored(tmp_path / "score", tmp_path / "learnt", "".join(f"{tree}\n" for tree in TREES)) == (0, "".join(f"{tree}\n" for tree in TREES), "")

    code, printed, said = scored(tmp_path / "score", tmp_path / "learnt", "It 's lovely\n")
    assert code == 0 and said == "line 1: plain words, taken as a right-branching tree\n" and printed == TREES[0] + "\n"
    for line, why in [("(3 (2 It)", "column 10: the tree does not end"), ("(3 It 's)", "column 7: a phrase is one word or two phrases"), ("(7 It)", "column 2: a label is"),
                      ("(2 It) (2 It)", "column 8: one tree a line"), ("()", "column 2: a label is"), ("(3 ((2 a)))", "column 5: a label is"), ("", "the line is empty"),
                      ("(3 (2 It))", "column 10: a phrase is one word or two phrases"), (")(", "column 1: this stands outside the tree")]:
        code, printed, said = scored(tmp_path / "score", tmp_path / "learnt", line + "\n")
        assert (code, printed) == (1, "") and why in said, (line, said)
    code, printed, said = scored(tmp_path / "score", tmp_path / "nothing", "It\n")
    assert (code, printed) == (1, "") and "FileNotFoundError" in said
