"""`breakpoint()` and `pdb.set_trace()` stop in the user's frame: plainly, eagerly, converted and while staging."""
import os
import pathlib
import subprocess
import sys

import pytest

import lantern as lt

PROGRAM = '''\
import pdb
import lantern as lt
import lantern.autograph as ag

def helper(x, scale=2.0):
    total = x * scale
    for i in range(2):
        half = total / 2
        if x > 0:
            above = half
            {stop}
            total = total + above
    return total

def run(x):
    return helper(x) + 1

{call}
'''
CALLS = {
    "plain": "print('result', run(3.0))",
    "converted": "print('result', ag.to_graph(helper)(3.0) + 1)",
    "decorated": "print('result', ag.convert()(run)(3.0))",
    "eager": "with lt.eager(): print('result', lt.function(run)(3.0))",
    "staged": "print('result', bool(lt.function(run).text(3.0)))",
}


@pytest.mark.parametrize("stop", ["breakpoint()", "pdb.set_trace()"])
@pytest.mark.parametrize("how", CALLS)
def test_it_stops_in_the_users_frame(converter, tmp_path, how, stop):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.format(stop=stop, call=CALLS[how]))
    commands = "p scale, i, 'here'\np half is not None, above is half, total is not None\np x\nn\nc\n" + "c\n" * 20
    done = subprocess.run([sys.executable, program], input=commands, capture_output=True, text=True, timeout=120,
                          env={**os.environ, "PYTHONPATH": str(pathlib.Path(lt.__file__).parents[1])})
    assert "Error" not in done.stdout + done.stderr, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    stops = [number for number, line in enumerate(lines) if line.removeprefix("(Pdb) ").startswith(f"> {program}(")]
    at, text = (11, stop) if sys.version_info >= (3, 13) else (12, "total = total + above")     # where Python's pdb stops
    assert lines[stops[0]].removeprefix("(Pdb) ") == f"> {program}({at})helper()", done.stdout
    assert lines[stops[0] + 1] == f"-> {text}"
    assert "(Pdb) (2.0, 0, 'here')" in lines
    assert "(Pdb) (True, True, True)" in lines
    assert ("(Pdb) <staged x: f64>" if how == "staged" else "(Pdb) 3.0") in lines
    assert any(line.endswith("result True" if how == "staged" else "result 14.5") for line in lines), done.stdout


def test_a_breakpoint_changes_nothing(converter, tmp_path, monkeypatch):
    import lantern as lt
    from staged_source import module_of
    monkeypatch.setenv("PYTHONBREAKPOINT", "0")
    texts = [lt.function(module_of(f"""
    def f(x):
        y = 1
        if x > 0:
            {stop}
            y = 2
            z = 'a'
        else:
            z = 3
        while x > 0:
            {stop}
            x = x - y
        return x
    """).f).text(3.0) for stop in ("breakpoint()", "pass")]
    without_places = [text.split("(locations")[0] for text in texts]
    assert without_places[0] == without_places[1]


def test_tracebacks_name_the_users_function(converter):
    import traceback
    import lantern.autograph as ag
    from staged_source import module_of
    with pytest.raises(ZeroDivisionError) as caught:
        ag.to_graph(module_of("def f(x):\n    for i in [1]:\n        if x > 0:\n            y = x / 0\n    return x\n").f)(1)
    frames = [frame for frame in traceback.extract_tb(caught.value.__traceback__) if frame.filename.startswith("program_")]
    assert {frame.name for frame in frames} == {"f"} and frames[-1].lineno == 4
