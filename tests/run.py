"""Runs every test and ends with one line, `N passed, N failed`, what failed above it.

First the C++ unit tests (ctest), then the Python tests, those not marked `slow` first. Each folder of Python tests has a
process of its own, each file of slow ones, two at a time: what one does to its interpreter no other sees. The exit status is
zero only if something ran in each suite and nothing failed; a suite that is killed or dies without a report counts as a failure.
"""

import argparse
import concurrent.futures
import pathlib
import subprocess
import sys
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
NOTHING_COLLECTED = 5  # pytest's exit status
LONGEST = ("test_convert_library_tests", "test_roundtrip", "frontend")  # begin first, so that the others run beside them


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
    """Runs one suite; its output, its exit status (None: stopped), and whether it left a report."""
    report.unlink(missing_ok=True)
    try:
        done = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=seconds)
        return name, done.stdout, done.returncode, report
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

    files = sorted((ROOT / "tests/python").glob("*/test_*.py"))
    suites = [("fast", "not slow", sorted({file.parent for file in files})),
              ("slow", "slow", [file for file in files if "mark.slow" in file.read_text()])]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for which, expression, paths in suites:
            def suite(path):
                report = build / f"pytest-{which}-{path.parent.name}-{path.stem}.xml"
                command = [sys.executable, "-m", "pytest", "-q", "-ra", path, "-m", expression, f"--junitxml={report}"]
                return run_suite(f"{path.relative_to(ROOT / 'tests/python')} ({which})", command, report, 1200)
            for result in pool.map(suite, sorted(paths, key=lambda path: path.stem not in LONGEST)):
                count(result, totals, may_be_empty=which == "fast")

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
