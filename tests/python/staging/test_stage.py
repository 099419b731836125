"""`python -m lantern.stage`: requests and replies."""
import os
import subprocess
import sys

import pytest

from lantern import stage


@pytest.fixture
def reply_to(converter, tmp_path):
    def reply(source, **request):
        file = tmp_path / "program.py"
        file.write_text(source)
        return stage.stage({"file": str(file), "entry": None, "emit": "sexpr", "mode": "compile", **request})
    return reply


def test_marked_functions_are_the_entries(reply_to):
    reply = reply_to("import lantern as lt\n@lt.export\ndef f(x: float):\n    return x\n\ndef g(x: float):\n    return x\n")
    assert "(export f" in reply["sexpr"] and "define g" not in reply["sexpr"] and reply["name"] == "program"


def test_an_entry_by_name(reply_to):
    reply = reply_to("def f(x: float):\n    return x\n", entry="f")
    assert "(export f" in reply["sexpr"]


@pytest.mark.parametrize("source, request_, code, line, words", [
    ("x = = 1\n", {}, "LT0101", 1, "invalid syntax"),
    ("x = 1\nraise ValueError('no')\n", {}, "LT0309", 2, "ValueError: no"),
    ("x = 1\n", {}, "LT0311", 0, "marks no entry"),
    ("def f(x: float): return x\n", {"entry": "g"}, "LT0311", 0, "no function 'g'"),
    ("import nowhere_at_all\n", {}, "LT0309", 1, "nowhere_at_all"),
    ("def f(x: float):\n    return x + y\n", {"entry": "f"}, "LT0301", 2, "'y'"),
    ("def f(x: 'Nothing'):\n    return x\n", {"entry": "f"}, "LT0311", 1, "'Nothing'"),
    ("def f(x: 'float | None' = None):\n    return 2 if x is None else x\n", {"entry": "f"}, "LT0311", 1, "'x' of entry 'f' is float | None"),
    ("def f(x: float):\n    if x > 0:\n        return 'a', x\n", {"entry": "f"}, "LT0306", 1, "the result of entry 'f' may be None"),
    ("import numpy as np\ndef f(x: np.ndarray):\n    return x\n", {"entry": "f"}, "LT0311", 2, "how many axes"),
    ("def f(x: float, rate: float = None):\n    return x\n", {"entry": "f"}, "LT0311", 1, "the default of parameter 'rate' of entry 'f' is None, and its annotation says float"),
    ("def f(n: int = 2.5):\n    return n\n", {"entry": "f"}, "LT0311", 1, "is 2.5, and its annotation says int"),
    ("def f(x: float = True):\n    return x\n", {"entry": "f"}, "LT0311", 1, "is True, and its annotation says float"),
    ("def f(*x):\n    return x\n", {"entry": "f"}, "LT0311", 1, "any number"),
    ("import lantern as lt\nclass M(lt.Module):\n    def __init__(self, init):\n        self.w = lt.Parameter(2, init)\n"
     "@lt.export\ndef f():\n    return M(lt.init.zeros()).w\n@lt.export\ndef g():\n    return M(lt.init.uniform()).w\n", {}, "LT0311", 9,
     "entries 'f' and 'g' each make a 'w'"),
])
def test_errors(reply_to, source, request_, code, line, words):
    reply = reply_to(source, **request_)
    assert reply["exit"] == 1 and reply["sexpr"] == ""
    [diagnostic] = reply["diagnostics"]
    assert (diagnostic["code"], diagnostic["line"]) == (code, line) and words in diagnostic["message"]
    assert diagnostic["file"].endswith("program.py") and diagnostic["outcome"] == 1


def test_a_file_that_is_missing(converter, tmp_path):
    [diagnostic] = stage.stage({"file": str(tmp_path / "none.py"), "emit": "sexpr"})["diagnostics"]
    assert diagnostic["code"] == "LT0311" and "cannot be read" in diagnostic["message"]


def test_flags_become_arguments_and_static_values(reply_to):
    source = ('import lantern as lt\n@lt.export\ndef f(x: float, n: lt.static[int] = 2, deep: bool = True):\n    """Doc.\n\n'
              '    Args:\n        x: the number\n    """\n    return x * n if deep else x\n')
    reply = reply_to(source, mode="run", entry="f", arguments=["--x", "1.5", "--n", "7", "--no-deep"])
    assert reply["arguments"] == {"x": 1.5, "deep": False} and "(* x 7)" in reply["sexpr"]


def test_flags_that_are_wrong_and_help(reply_to, capsys):
    source = "def f(x: float):\n    return x\n"
    refused = reply_to(source, mode="run", entry="f", arguments=["--y", "1"])
    assert refused["exit"] == 2 and refused["diagnostics"][0]["code"] == "LT0807" and "--x" in refused["diagnostics"][0]["message"]
    assert reply_to(source, mode="run", entry="f", arguments=["--help"])["exit"] == 0
    assert "--x FLOAT" in capsys.readouterr().out


MODELS = """
import lantern as lt


class M(lt.Module):
    def __init__(self):
        self.w = lt.Parameter((), lt.init.zeros())
        self.turns = lt.Variable(0)


first, second = M(), M()


@lt.export
def f():
    first.turns.assign(first.turns + 1)
    return first.w


@lt.export
def g():
    second.turns.assign(second.turns + 1)
    return second.w


@lt.export
def h(path: str):
    lt.load(path, M())
"""


def test_models_of_two_entries_are_two(reply_to):
    reply = reply_to(MODELS.partition("@lt.export\ndef h")[0])
    assert "(parameter w_2 " in reply["sexpr"] and "(state turns_2 " in reply["sexpr"]
    assert "(update (turns " in reply["sexpr"] and "(update (turns_2 " in reply["sexpr"]


def test_a_model_that_is_made_to_load_another_is_that(reply_to):
    reply = reply_to(MODELS.replace("first, second = M(), M()", "first = second = M()"))
    assert reply["sexpr"].count("(parameter ") == 1 and "(initialize w)" in reply["sexpr"]


def test_which_of_two_models_is_loaded_is_not_guessed(reply_to):
    [diagnostic] = reply_to(MODELS)["diagnostics"]
    assert diagnostic["code"] == "LT0310" and "parameters of the program: w, w_2" in diagnostic["message"]


def test_a_formal_and_a_parameter_of_one_name(reply_to):
    source = ("import lantern as lt\nclass M(lt.Module):\n    def __init__(self, n):\n        self.size = lt.Parameter((n, 2))\n"
              "@lt.export\ndef f(size: int):\n    return M(size).size[0]\n")
    reply = reply_to(source, mode="run", entry="f", arguments=["--size", "3"])
    assert "(initialize size size_1 2)" in reply["sexpr"] and reply["arguments"] == {"size": 3} and "(export f (size (" in reply["sexpr"]
    reply = reply_to(source)
    assert "(initialize size size_1 2)" in reply["sexpr"] and "(export f (size_1" in reply["sexpr"]


def test_a_program_does_without_the_slow_modules_that_it_does_not_import(tmp_path):
    """What is loaded beside NumPy takes time before anything is compiled."""
    file = tmp_path / "program.py"
    file.write_text("import lantern as lt\n@lt.export\ndef f(x: float, n: int = 2):\n    return lt.exp(x) * n\n")
    code = ("import sys, numpy; before = set(sys.modules); from lantern import stage\n"
            f"assert stage.stage({{'file': {str(file)!r}, 'emit': 'cpp', 'mode': 'compile'}})['sexpr']\n"
            "slow = {'argparse', 'csv', 'difflib', 'logging', 'numpy.random', 'secrets', 'statistics', 'uuid', 'zipfile'}\n"
            "print(sorted(slow & set(sys.modules) - before))")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_a_module_of_the_users_is_not_pythons_of_that_name(reply_to, tmp_path, monkeypatch):
    """Staging refuses to ask Python's `secrets` or `uuid` for what differs from run to run; these are not they."""
    monkeypatch.delitem(sys.modules, "secrets", raising=False)
    (tmp_path / "secrets.py").write_text("def choice(values):\n    return values[0]\n")
    monkeypatch.setattr(sys, "path", list(sys.path))
    reply = reply_to("import secrets\ndef f(x: float):\n    return x * secrets.choice([2.0, 3.0])\n", entry="f")
    sys.modules.pop("secrets", None)
    assert reply["diagnostics"] == [] and "(* x 2.0)" in reply["sexpr"]
