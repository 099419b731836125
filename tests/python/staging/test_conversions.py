"""What a function is converted to is kept, and read in the next run if nothing that it comes from has changed."""
import json
import os
import subprocess
import sys

import pytest

MODEL = '''"""A model."""
BASE = 10


class Model:
    def scaled(self, x):
        # by what is known
        if x > BASE:        # much
            return x * 2
        return x


def outer(x):
    factor = 3

    def inner(y):
        while y > 0:
            y = y - factor
        return y

    return inner(x) + (lambda z: z if z < 0 else -z)(x)


def fails(x):
    if x:
        return [][x]
    return x
'''

# Converts functions of a module, calls the twins, and says what that took of the core and what came of it.
RUN = '''
import importlib.util, json, sys, traceback
from lantern import core
from lantern.staging import comments, conversions, convert
spec = importlib.util.spec_from_file_location("model", sys.argv[1])
model = importlib.util.module_from_spec(spec)
spec.loader.exec_module(model)
asked, of_core = [], core.convert
core.convert = lambda source, file, options: asked.append(options["name"]) or of_core(source, file, options)
if sys.argv[2:]:
    conversions._CONVERTER = (*conversions._CONVERTER, sys.argv[2])
scaled, outer, fails = (convert.converted(f) for f in (model.Model.scaled, model.outer, model.fails))
results = [scaled(None, 30), scaled(None, 3), outer(7)]
try:
    fails(1)
except IndexError as error:
    at = [(frame.name, frame.lineno, frame.line) for frame in traceback.extract_tb(error.__traceback__) if frame.filename == sys.argv[1]]
names = [f.__code__.co_qualname if hasattr(f.__code__, "co_qualname") else f.__code__.co_name for f in (scaled, outer, fails)]
print(json.dumps({"asked": asked, "results": results, "at": at, "names": names, "comments": sorted(map(str, comments._of_files[sys.argv[1]][1].items()))}))
'''


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "model.py"
    path.write_text(MODEL, "utf-8")
    return path


@pytest.fixture
def run(tmp_path, model):
    """run() is what a process of its own says; its cache is tmp_path / cache, unless it is told another."""

    def in_process(*words, cache=tmp_path / "cache"):
        environment = {**os.environ, "LANTERN_CACHE": str(cache), "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run([sys.executable, "-c", RUN, model, *words], capture_output=True, text=True, env=environment, timeout=60)
        assert (done.returncode, done.stderr) == (0, "")
        return json.loads(done.stdout)

    return in_process


ALL = ["scaled", "outer", "fails"]


def kept(tmp_path):
    return sorted((tmp_path / "cache" / "converted").iterdir())


def test_the_next_run_asks_nothing_of_the_converter(run, tmp_path):
    first = run()
    assert first["asked"] == ALL and first["results"] == [60, 3, -9]
    assert first["at"][-1] == ["fails", 26, "return [][x]"]
    assert any("by what is known" in comment for comment in first["comments"])
    files = {path: path.stat().st_mtime_ns for path in kept(tmp_path)}
    assert len(files) == 3 and all(len(path.name) == 8 for path in files)      # none is left half-written
    assert run() == {**first, "asked": []}
    assert {path: path.stat().st_mtime_ns for path in kept(tmp_path)} == files


def test_a_changed_file_is_converted_anew_and_takes_the_old_ones_place(run, model, tmp_path):
    run()
    files = kept(tmp_path)
    model.write_text("# moved\n" + MODEL.replace("x * 2", "x * 5"), "utf-8")
    changed = run()
    assert changed["asked"] == ALL and changed["results"] == [150, 3, -9]
    assert changed["at"][-1] == ["fails", 27, "return [][x]"]
    assert kept(tmp_path) == files
    assert run()["asked"] == []


def test_another_converter_converts_anew(run, tmp_path):
    part = tmp_path / "part.py"
    part.write_text("")
    assert run(part)["asked"] == ALL
    assert run(part)["asked"] == []
    part.write_text("pass\n")
    assert run(part)["asked"] == ALL


@pytest.mark.parametrize("content", [b"", b"nonsense", b"\xe9\x03\x00\x00\x00"], ids=["empty", "nonsense", "a number"])
def test_a_file_that_is_none_of_ours_is_replaced(run, tmp_path, content):
    first = run()
    for path in kept(tmp_path):
        path.write_bytes(content)
    assert run() == first
    assert run()["asked"] == []


def test_without_a_place_all_is_converted_each_time(run, tmp_path):
    (tmp_path / "file").write_text("")
    assert run(cache=tmp_path / "file") == run(cache=tmp_path / "file" / "cache")
    assert run(cache=tmp_path / "file")["asked"] == ALL
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "model.py"]


def test_what_stops_in_a_debugger_is_not_kept(run, model, tmp_path):
    model.write_text(MODEL.replace("    factor = 3", "    factor = 3\n    if x > 1000:\n        breakpoint()"), "utf-8")
    assert run()["asked"] == ALL
    assert run()["asked"] == ["outer"]


def test_a_function_whose_source_is_in_no_file_is_not_kept(tmp_path, monkeypatch):
    import linecache

    from lantern.staging import convert
    monkeypatch.setenv("LANTERN_CACHE", str(tmp_path))
    text = "def f(x):\n    if x:\n        return 1\n    return 2\n"
    names = {}
    exec(compile(text, "<cell 17>", "exec"), names)
    monkeypatch.setitem(linecache.cache, "<cell 17>", (len(text), None, text.splitlines(True), "<cell 17>"))
    assert convert.converted(names["f"])(True) == 1
    assert list(tmp_path.iterdir()) == []
