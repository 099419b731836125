"""Runs every test and ends with one line, `N passed, N failed`.

First the C++ unit tests (ctest), then the Python tests, those not marked `slow` first. The exit status is
zero only if something ran in each suite and nothing failed; a suite that is killed or dies without
a report counts as a failure.
"""

import argparse
import pathlib
import subprocess
import sys
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
NOTHING_COLLECTED = 5  # pytest's exit status


class Totals:
    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def add(self, report):
        """Counts the test cases of a JUnit file."""
        for case in xml.etree.ElementTree.parse(report).iter("testcase"):
            outcomes = {child.tag for child in case}
            if outcomes & {"failure", "error"} or case.get("status") == "fail":
                self.failed += 1
            elif "skipped" in outcomes or case.get("status") in ("notrun", "disabled"):
                self.skipped += 1
            else:
                self.passed += 1

    @property
    def ran(self):
        return self.passed + self.failed


def run_suite(name, command, report, seconds, totals, may_be_empty=False):
    report.unlink(missing_ok=True)
    before_failed, before_ran = totals.failed, totals.ran
    try:
        status = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, timeout=seconds).returncode
    except subprocess.TimeoutExpired:
        print(f"{name}: not finished after {seconds} seconds, stopped", file=sys.stderr)
        status = -1
    if report.exists():
        totals.add(report)
    if totals.ran == before_ran and may_be_empty and status in (0, NOTHING_COLLECTED):
        return
    if totals.ran == before_ran:
        print(f"{name}: no test ran (exit status {status})", file=sys.stderr)
        totals.failed += 1
    elif status != 0 and totals.failed == before_failed:
        print(f"{name}: exit status {status}, though its report holds no failure", file=sys.stderr)
        totals.failed += 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="the CMake build folder")
    build = parser.parse_args().build.resolve()
    totals = Totals()

    report = build / "ctest.xml"
    ctest = ["ctest", "--test-dir", build, "--output-on-failure", "--timeout", "300", "--parallel", "2"]
    run_suite("ctest", [*ctest, "--output-junit", report], report, 600, totals)

    pytest = [sys.executable, "-m", "pytest", "-q", "-ra", "tests"]
    for which, expression in (("fast", "not slow"), ("slow", "slow")):
        report = build / f"pytest-{which}.xml"
        command = [*pytest, "-m", expression, f"--junitxml={report}"]
        run_suite(f"pytest ({which})", command, report, 840, totals, may_be_empty=which == "slow")

    sys.stderr.flush()
    if totals.skipped:
        print(f"{totals.skipped} skipped (the reasons stand above)")
    print(f"{totals.passed} passed, {totals.failed} failed", flush=True)
    return 0 if totals.failed == 0 and totals.passed else 1


if __name__ == "__main__":
    sys.exit(main())
