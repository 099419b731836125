"""Converted modules of the standard library pass CPython's own tests of them."""

import importlib.util
import os
import pathlib
import subprocess
import sys

import pytest
from converter import Converter

# Module, its test, and what to leave out: tests of tracebacks, signatures, sources and other places where a converted
# function is rightly seen to be another function.
MODULES = {
    "textwrap": ("test.test_textwrap", ()),
    "heapq": ("test.test_heapq", ()),
    "bisect": ("test.test_bisect", ()),
    "fractions": ("test.test_fractions", ()),
    "statistics": ("test.test_statistics", ()),
    "configparser": ("test.test_configparser", ()),
    "argparse": ("test.test_argparse", ()),
    "shlex": ("test.test_shlex", ()),
    "string": ("test.test_string", ()),
    "copy": ("test.test_copy", ()),
    "csv": ("test.test_csv", ()),
    "calendar": ("test.test_calendar", ()),
    "colorsys": ("test.test_colorsys", ()),
    "graphlib": ("test.test_graphlib", ()),
    "pprint": ("test.test_pprint", ()),
    "fnmatch": ("test.test_fnmatch", ()),
    "html.parser": ("test.test_htmlparser", ()),
}
FAST = ("textwrap", "configparser", "shlex")

RUN = """
import sys, importlib, importlib.util, unittest
import lantern.operators
name, test, path = sys.argv[1:4]
spec = importlib.util.find_spec(name)
module = importlib.util.module_from_spec(spec)
sys.modules[name] = module
parent, _, child = name.rpartition(".")
if parent: setattr(importlib.import_module(parent), child, module)
source = open(path).read()
sys.setrecursionlimit(20000)
exec(compile(source, spec.origin, "exec"), module.__dict__)
suite = unittest.defaultTestLoader.loadTestsFromName(test)
result = unittest.TextTestRunner(verbosity=0).run(suite)
bad = [str(t.id()) for t, _ in result.failures + result.errors]
print("BAD", *bad)
sys.exit(0 if result.testsRun and not bad else 1)
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", FAST if os.environ.get("LANTERN_FAST") else MODULES)
def test_module_passes_its_tests(name, tmp_path):
    test, left_out = MODULES[name]
    if importlib.util.find_spec("test") is None or importlib.util.find_spec(test) is None:
        pytest.skip(f"this Python comes without {test}")
    with Converter() as converter:
        reply = converter.answer(importlib.util.find_spec(name).origin)
    assert "error" not in reply
    path = tmp_path / "converted.py"
    path.write_text(reply["code"])
    package = pathlib.Path(__file__).resolve().parents[3] / "python"
    environment = {**os.environ, "PYTHONPATH": f"{package}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}
    run = subprocess.run(
        [sys.executable, "-c", RUN, name, test, path],
        capture_output=True, text=True, cwd=tmp_path, env=environment, timeout=300,
    )
    bad = run.stdout.rpartition("BAD")[2].split()
    unexpected = [each for each in bad if not any(word in each for word in left_out)]
    assert "BAD" in run.stdout and not unexpected, run.stderr[-4000:]
