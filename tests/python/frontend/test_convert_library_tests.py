"""Converted modules of the standard library pass CPython's own tests of them: whole files converted, or function by function. By default each way
has every sixteenth module, and small ones have one of them; LANTERN_THOROUGH=8 has each module one way, but some of the slow, and 16 all.

The tests are those that come with the Python that runs this (Debian has them in libpython3.11-testsuite); where they are
missing, this fails.
"""

import importlib.util
import json
import pathlib
import subprocess
import sys

import pytest
from thorough import THOROUGH, one_in

RUNNER = pathlib.Path(__file__).with_name("run_library_tests.py")

# Modules that are soon tested, all in one process, and where their tests are not in test_NAME.
SMALL = ("abc", "base64", "bisect", "cmd", "colorsys", "copy", "copyreg", "filecmp", "fileinput", "fnmatch", "fractions", "functools", "genericpath",
         "getopt", "gettext", "glob", "graphlib", "hmac", "html", "linecache", "locale", "mimetypes", "netrc", "numbers", "pkgutil",
         "pprint", "quopri", "reprlib", "sched", "secrets", "stat", "string", "stringprep", "symtable", "tabnanny", "timeit", "uuid", "wave", "zipapp")
ELSEWHERE = {"numbers": "test.test_abstract_numbers"}
# Modules, CPython's tests of them if they are not test_NAME.
def together(names):
    return {",".join(names): ",".join(ELSEWHERE.get(name, f"test.test_{name}") for name in names)}


MODULES = {
    **together(SMALL[::2]),
    **together(SMALL[1::2]),
    "argparse": None,
    "ast": None,
    "calendar": None,
    "collections": None,
    "configparser": None,
    "contextlib": None,
    "csv": None,
    "dataclasses": None,
    "difflib": None,
    "email.message,email._header_value_parser,email.header,email.utils": "test.test_email.test_message,test.test_email.test__header_value_parser",
    "enum": None,
    "heapq": None,
    "html.parser": "test.test_htmlparser",
    "inspect": None,
    "ipaddress": None,
    "json,json.decoder,json.encoder,json.scanner": "test.test_json",
    "optparse": None,
    "pathlib": None,
    "queue": None,
    "random": None,
    "shlex": None,
    "statistics": None,
    "textwrap": None,
    "types": None,
    "unittest.mock": "unittest.test.testmock.testmock",
    "urllib.parse": "test.test_urlparse",
    "weakref": None,
}
BY_DEFAULT = dict(zip(MODULES, ("functions", "file")))      # the small ones
SLOW = ("queue", "statistics", "weakref")   # ten seconds or more each way: function by function alone

# Tests (by how their names begin) that see that converted code is other code, and why. This list may only shrink.
FRAMES = "the branches of an `if` and the bodies of loops are frames of their own: who counts frames counts them"
KNOWN = {
    "test.test_contextlib.TestExitStack.test_exit_exception_traceback": FRAMES,
    "test.test_enum.TestSpecial.test_pickle_enum_function": FRAMES,
    "test.test_weakref.MappingTestCase.test_remove_closure": "a converted function closes over the operators",
}


def report_of(how, names, tests, folder):
    path = folder / f"{how}.json"
    run = subprocess.run([sys.executable, RUNNER, how, names, tests, path], capture_output=True, text=True, cwd=folder, timeout=600)
    assert path.exists(), run.stdout + run.stderr
    return json.loads(path.read_text())


def is_tried(turn, names, how):
    if names in BY_DEFAULT and THOROUGH == 1:
        return how == BY_DEFAULT[names]
    return (turn + (how == "file")) % one_in(16) == 0 and (how == "functions" or names not in SLOW)


@pytest.mark.slow
@pytest.mark.parametrize("names, how", [(names, how) for turn, names in enumerate(MODULES, -1) for how in ("functions", "file") if is_tried(turn, names, how)],
                         ids=lambda text: text if len(text) < 60 else f"{text.partition(',')[0]} and others")
def test_module_passes_its_tests(names, how, tmp_path):
    tests = MODULES[names] or f"test.test_{names}"
    assert importlib.util.find_spec("test") and all(map(importlib.util.find_spec, tests.split(","))), (
        f"this Python comes without {tests}: install its tests (Debian: libpython3.11-testsuite)")
    report = report_of(how, names, tests, tmp_path)
    bad = {test: text for test, text in report["bad"].items() if not test.startswith(tuple(KNOWN))}
    if bad:     # what fails here without any conversion, too, says nothing about it
        plain = report_of("plain", names, tests, tmp_path)["bad"]
        bad = {test: text for test, text in bad.items() if test not in plain}
    assert not bad, "\n\n".join(f"{test}\n{text}" for test, text in bad.items())
    assert report["ran"] and report["converted"]
