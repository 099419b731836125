"""Runs every test and ends with one line, `N passed, N failed`, what failed above it.

The C++ unit tests (ctest), which are compiled first, and before them what optimised programs have in common, are a suite; so is each folder
of Python tests, in a process of its own, and so are those in it that are marked `slow`: what one does to its interpreter no other sees. They
run two at a time, the longest first; what builds in the build folder, too, waits for the unit tests. The exit status is zero only if
something ran in each suite and nothing failed; a suite that is killed or dies without a report counts as a failure.
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
LONGEST = ("jit", "lists", "compile", "package", "numeric", "bench, slow", "cli", "docs, slow", "staging", "lists, slow", "autograph", "frontend, slow", "random, slow",
           "examples", "depth, slow", "jit, slow", "package, slow", "docs", "frontend", "autograph, slow", "eager", "numeric, slow", "data", "training",
           "compile, slow", "cli, slow")


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


def units(build):
    """A suite beside it has the other core: sources are compiled one by one."""
    report = build / "ctest.xml"
    command = 'make --no-print-directory prepared && cmake --build "$0" --parallel 1 && ctest --test-dir "$0" --output-on-failure --timeout 300 --output-junit "$1"'
    return Suite("ctest", ["bash", "-c", command, build, report], report, 1800)


def python_suites(build):
    files = sorted((ROOT / "tests/python").glob("*/test_*.py"))
    folders = sorted({file.parent for file in files})
    slow = [file for file in files if "mark.slow" in file.read_text()]

    def suite(name, paths, marked):
        report = build / f"pytest-{name.replace(', ', '-')}.xml"
        command = [sys.executable, "-m", "pytest", "-q", "-ra", *paths, "-m", marked, f"--junitxml={report}"]
        return Suite(name, command, report, 1200, may_be_empty=marked == "not slow")
    return [suite(folder.name, [folder], "not slow") for folder in folders] + \
        [suite(f"{folder.name}, slow", [file for file in slow if file.parent == folder], "slow") for folder in sorted({file.parent for file in slow})]


def run_suite(suite, units_ended):
    """Runs one suite; its name, its output, its exit status (None: stopped), and where its report is, if it left one."""
    suite.report.unlink(missing_ok=True)
    if suite.name == "package":     # the wheel is built in the same folder
        units_ended.wait()
    begun = time.monotonic()
    try:
        done = subprocess.run(suite.command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=suite.seconds)
        return f"{suite.name}: {time.monotonic() - begun:.0f} s", done.stdout, done.returncode, suite.report
    except subprocess.TimeoutExpired as stopped:
        return suite.name, (stopped.stdout or b"") + f"\n{suite.name}: not finished after {suite.seconds} seconds, stopped\n".encode(), None, suite.report
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
