"""Runs every test and ends with one line, `N passed, N failed`, what failed above it.

The C++ unit tests (ctest), which are compiled first, are a suite; so is each folder of Python tests, in a process of its own, and
each file of those marked `slow`: what one does to its interpreter no other sees. They run two at a time, the longest first; what
builds in the build folder, too, waits for the unit tests. The exit status is zero only if something ran in each suite and nothing
failed; a suite that is killed or dies without a report counts as a failure.
"""

import argparse
import concurrent.futures
import dataclasses
import pathlib
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
NOTHING_COLLECTED = 5  # pytest's exit status
# The suites that take ten seconds and more, the longest first: begun last, one would run on alone. The seconds that each took stand
# beside its name in the output, and those of the processor, which other work on the machine does not change, at the output's end.
LONGEST = ("jit", "lists", "compile", "package", "numeric", "cli", "bench/test_bench.py", "examples", "bench/test_instructions.py", "staging",
           "frontend/test_convert_library_tests.py", "package/test_clang.py", "jit/test_numpy_functions.py", "autograph",
           "lists/test_gradients_around_recursions.py", "docs", "autograph/test_python_page.py", "eager", "numeric/test_gradient_programs.py",
           "random/test_typed_programs.py", "data", "docs/test_tutorial.py", "lists/test_aliases.py", "docs/test_errors.py", "frontend",
           "lists/test_array_memory.py", "training", "docs/test_calling.py", "cli/test_prepared.py", "compile/test_tree_prod.py",
           "depth/test_deep_gradients.py", "numeric/test_taped_recursions.py")


class Totals:
    def __init__(self):
        self.passed = self.failed = self.skipped = 0
        self.failures = []  # a line each

    def fail(self, line):
        self.failed += 1
        self.failures.append(line)

    def add(self, report):
        """Counts the test cases of a JUnit file."""
        for case in xml.etree.ElementTree.parse(report).iter("testcase"):
            outcomes = {child.tag for child in case}
            if outcomes & {"failure", "error"} or case.get("status") == "fail":
                self.fail(f"{case.get('classname')} :: {case.get('name')}")
            elif "skipped" in outcomes or case.get("status") in ("notrun", "disabled"):
                self.skipped += 1
            else:
                self.passed += 1

    @property
    def ran(self):
        return self.passed + self.failed


@dataclasses.dataclass
class Suite:
    name: str
    command: list
    report: pathlib.Path    # where its JUnit file goes
    seconds: int            # the most that it may take
    may_be_empty: bool = False
    marked: str = ""        # the tests that it is made of: "slow" or "not slow"


def units(build):
    """A suite beside it has the other core: sources are compiled one by one."""
    report = build / "ctest.xml"
    command = 'cmake --build "$0" --parallel 1 && ctest --test-dir "$0" --output-on-failure --timeout 300 --output-junit "$1"'
    return Suite("ctest", ["bash", "-c", command, build, report], report, 1800)


def python_suites(build):
    python = ROOT / "tests/python"
    files = sorted(python.glob("*/test_*.py"))
    suites = [(folder, "not slow") for folder in sorted({file.parent for file in files})]
    suites += [(file, "slow") for file in files if "mark.slow" in file.read_text()]

    def suite(path, marked):
        report = build / f"pytest-{'slow' if marked == 'slow' else 'fast'}-{path.parent.name}-{path.stem}.xml"
        command = [sys.executable, "-m", "pytest", "-q", "-ra", path, "-m", marked, f"--junitxml={report}"]
        return Suite(path.relative_to(python).as_posix(), command, report, 1200, may_be_empty=marked == "not slow", marked=marked)
    return [suite(path, marked) for path, marked in suites]


def run_suite(suite, units_ended):
    """Runs one suite; its name, its output, its exit status (None: stopped), and where its report is, if it left one."""
    suite.report.unlink(missing_ok=True)
    if suite.name == "package":     # the wheel is built in the same folder
        units_ended.wait()
    name = f"{suite.name} ({suite.marked})" if suite.marked else suite.name
    begun = time.monotonic()
    try:
        done = subprocess.run(suite.command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=suite.seconds)
        return f"{name}: {time.monotonic() - begun:.0f} s", done.stdout, done.returncode, suite.report
    except subprocess.TimeoutExpired as stopped:
        return name, (stopped.stdout or b"") + f"\n{name}: not finished after {suite.seconds} seconds, stopped\n".encode(), None, suite.report
    finally:
        if suite.name == "ctest":
            units_ended.set()


def count(result, totals, may_be_empty=False):
    name, output, status, report = result
    print(f"--- {name}", flush=True)
    sys.stdout.buffer.write(output)
    sys.stdout.flush()
    before_failed, before_ran = totals.failed, totals.ran
    if report.exists():
        totals.add(report)
    if totals.ran == before_ran and may_be_empty and status in (0, NOTHING_COLLECTED):
        return
    if totals.ran == before_ran:
        totals.fail(f"{name}: no test ran (exit status {status})")
    elif status != 0 and totals.failed == before_failed:
        totals.fail(f"{name}: exit status {status}, though its report holds no failure")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="the CMake build folder")
    build = parser.parse_args().build.resolve()
    totals = Totals()

    suites = python_suites(build)
    suites.sort(key=lambda suite: LONGEST.index(suite.name) if suite.name in LONGEST else len(LONGEST))
    suites.insert(0, units(build))
    units_ended = threading.Event()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for suite, result in zip(suites, pool.map(lambda suite: run_suite(suite, units_ended), suites)):
            count(result, totals, suite.may_be_empty)

    if totals.skipped:
        print(f"{totals.skipped} skipped (the reasons stand above)")
    for line in totals.failures:
        print(f"failed: {line}")
    print(f"{totals.passed} passed, {totals.failed} failed", flush=True)
    return 0 if totals.failed == 0 and totals.passed else 1


if __name__ == "__main__":
    sys.exit(main())
