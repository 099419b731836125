"""Counts the instructions of a training step and of compiling it, and holds them against benchmarks/count/baseline.json.

    instructions.py [--write] [--output DIR]

The exit status is 1 where a count has grown by more than its tolerance. --write makes the counts of now the baseline.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent))

from peers import BenchmarkError, LONGEST, build_cpp, compiler, lantern, lantern_command, output_of

BASELINE = HERE / "baseline.json"
TOLERANCE = {"step": 0.02, "convert": 0.05, "compile": 0.05}
MEANING = {"step": "a step of training the TreeLSTM, a tree", "convert": "examples/tree_lstm.py to converted Python",
           "compile": "its S-expressions to C++"}
TREES = 4
COUNTED = re.compile(r"Collected : (\d+)")


def instructions(command, folder):
    """How many instructions a command executes; what it starts is not counted."""
    valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder / 'callgrind.out'}"]
    try:
        done = subprocess.run([*valgrind, *map(str, command)], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=LONGEST,
                              env={**os.environ, "LC_ALL": "C"})
    except OSError as error:
        raise BenchmarkError(f"valgrind: {error}") from None
    found = COUNTED.search(done.stderr)
    if done.returncode or not found:
        raise BenchmarkError(f"{' '.join(map(str, command))} ended with exit code {done.returncode}:\n{done.stderr[-2000:]}")
    return int(found[1])


def counts(folder):
    """{what: its instructions}. A step is what one more pass over a few trees takes, a tree."""
    model = HERE.parent / "ours" / "treelstm.py"
    lantern("compile", model, "-o", folder)
    train = build_cpp(HERE / "train.cpp", folder, folder / "treelstm.cpp", march="x86-64-v3")
    trees = (ROOT / "examples" / "data" / "sample" / "dev.txt").read_text("utf-8").splitlines()[:TREES]
    treebank = folder / "trees.txt"
    treebank.write_text("\n".join(trees) + "\n", "utf-8")
    once, twice = (instructions([train, treebank, passes], folder) for passes in (1, 2))
    sexpr = folder / "treelstm.sexpr"
    sexpr.write_text(lantern("compile", model, "--emit", "sexpr"), "utf-8")
    return {"step": (twice - once) // TREES,
            "convert": instructions([lantern_command(), "compile", ROOT / "examples" / "tree_lstm.py", "--emit", "python"], folder),
            "compile": instructions([lantern_command(), "compile", sexpr, "--emit", "cpp"], folder)}


def environment():
    """What counts are bound to: the compiler of the step, and how the lantern command was built."""
    version = output_of([compiler(), "-dumpfullversion", "-dumpversion"], "the compiler").strip()
    cache = (lantern_command().parents[1] / "CMakeCache.txt").read_text("utf-8")
    settings = dict(re.findall(r"^(CMAKE_BUILD_TYPE|CMAKE_CXX_COMPILER):\w+=(.*)$", cache, re.MULTILINE))
    return f"{_real_name(compiler())} {version}; lantern built {settings['CMAKE_BUILD_TYPE']} by {_real_name(settings['CMAKE_CXX_COMPILER'])}"


def _real_name(program):
    return os.path.basename(os.path.realpath(shutil.which(program) or program))


def compare(measured, baseline):
    """A line for each count, and whether one of them has grown by more than its tolerance."""
    lines, grown = [], False
    for what, count in measured.items():
        change = count / baseline[what] - 1
        lines.append(f"{what}: {count:,} instructions ({MEANING[what]}), {abs(change):.1%} {'more' if change > 0 else 'fewer'} than {baseline[what]:,}")
        if abs(change) > TOLERANCE[what]:
            lines[-1] += f"; the tolerance is {TOLERANCE[what]:.0%}. If that is meant: python3 benchmarks/count/instructions.py --write"
        grown |= change > TOLERANCE[what]
    return lines, grown


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="make the counts of now the baseline")
    parser.add_argument("--output", type=pathlib.Path, help="folder for what is built (default: one that is removed)")
    arguments = parser.parse_args()
    try:
        with tempfile.TemporaryDirectory() as temporary:
            folder = (arguments.output or pathlib.Path(temporary)).resolve()
            folder.mkdir(parents=True, exist_ok=True)
            measured = counts(folder)
        bound_to = environment()
    except (BenchmarkError, subprocess.TimeoutExpired) as error:
        sys.exit(f"instructions: {error}")
    if arguments.write:
        BASELINE.write_text(json.dumps({"environment": bound_to, "instructions": measured}, indent=1) + "\n", "utf-8")
        return
    baseline = json.loads(BASELINE.read_text("utf-8"))
    if baseline["environment"] != bound_to:
        print(f"not compared: the baseline is of {baseline['environment']}, this is {bound_to}")
        return
    lines, grown = compare(measured, baseline["instructions"])
    print("\n".join(lines))
    sys.exit(grown)


if __name__ == "__main__":
    main()
