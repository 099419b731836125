"""Runs every test and ends with one line, `N passed, N failed`, what failed above it.

First the C++ unit tests (ctest), then the Python tests. Each folder of Python tests has a process of its own, each file of
those marked `slow`, two at a time, the longest first: what one does to its interpreter no other sees. The exit status is
zero only if something ran in each suite and nothing failed; a suite that is killed or dies without a report counts as a failure.
"""

import argparse
import concurrent.futures
import pathlib
import subprocess
import sys
import time
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
NOTHING_COLLECTED = 5  # pytest's exit status
# The suites that take more than a minute, the longest first: begun last, one would run on alone. The seconds that each took stand beside its
# name in the output.
LONGEST = ("frontend/test_convert_library_tests.py", "examples", "compile", "random/test_typed_programs.py", "jit", "numeric", "frontend", "lists",
           "frontend/test_roundtrip.py", "frontend/test_convert_stdlib.py", "jit/test_numpy_functions.py", "numeric/test_gradient_programs.py",
           "autograph", "bench/test_bench.py")


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


def run_suite(name, command, report, seconds):
    """Runs one suite; its name, its output, its exit status (None: stopped), and where its report is, if it left one."""
    report.unlink(missing_ok=True)
    begun = time.monotonic()
    try:
        done = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=seconds)
        return f"{name}: {time.monotonic() - begun:.0f} s", done.stdout, done.returncode, report
    except subprocess.TimeoutExpired as stopped:
        return name, (stopped.stdout or b"") + f"\n{name}: not finished after {seconds} seconds, stopped\n".encode(), None, report


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

    report = build / "ctest.xml"
    ctest = ["ctest", "--test-dir", build, "--output-on-failure", "--timeout", "300", "--parallel", "2"]
    count(run_suite("ctest", [*ctest, "--output-junit", report], report, 600), totals)
    after_ctest = totals.ran

    python = ROOT / "tests/python"
    files = sorted(python.glob("*/test_*.py"))
    suites = [(folder, "not slow") for folder in sorted({file.parent for file in files})]
    suites += [(file, "slow") for file in files if "mark.slow" in file.read_text()]
    names = {path: path.relative_to(python).as_posix() for path, _ in suites}
    suites.sort(key=lambda suite: LONGEST.index(names[suite[0]]) if names[suite[0]] in LONGEST else len(LONGEST))

    def run(suite):
        path, marked = suite
        report = build / f"pytest-{'slow' if marked == 'slow' else 'fast'}-{path.parent.name}-{path.stem}.xml"
        command = [sys.executable, "-m", "pytest", "-q", "-ra", path, "-m", marked, f"--junitxml={report}"]
        return run_suite(f"{names[path]} ({marked})", command, report, 1200)

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for (_, marked), result in zip(suites, pool.map(run, suites)):
            count(result, totals, may_be_empty=marked == "not slow")

    if totals.ran == after_ctest:
        totals.fail("no Python test ran")
    if totals.skipped:
        print(f"{totals.skipped} skipped (the reasons stand above)")
    for line in totals.failures:
        print(f"failed: {line}")
    print(f"{totals.passed} passed, {totals.failed} failed", flush=True)
    return 0 if totals.failed == 0 and totals.passed else 1


if __name__ == "__main__":
    sys.exit(main())
