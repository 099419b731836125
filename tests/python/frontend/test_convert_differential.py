"""Converted functions that touch nothing staged behave as before: results, effects and their order, exceptions."""

import ast
import copy
import functools
import inspect
import pathlib
import sys
import types

import pytest
from converter import Converter
from plain_log import LOG

HERE = pathlib.Path(__file__).parent
FILES = [HERE / f"plain_{topic}.py" for topic in ("control_flow", "names", "exceptions", "comprehensions")]
FILES += [HERE / "plain_match.py"] if sys.version_info >= (3, 10) else []
LEFT_ALONE = {"yields", "frame_of_its_own"}


@functools.lru_cache(maxsize=None)
def plain(file):
    return load(file, file.read_text())


@functools.lru_cache(maxsize=None)
def converted(file):
    with Converter() as converter:
        reply = converter.answer(file)
    assert "error" not in reply, reply["error"]
    assert {function for function, *_ in reply["left_alone"]} <= LEFT_ALONE
    return load(file, reply["code"])


def load(file, source):
    module = types.ModuleType(file.stem)
    exec(compile(source, str(file), "exec"), module.__dict__)
    return module


def outcome(module, function, arguments):
    LOG.clear()
    module.TOTAL = 0
    arguments = copy.deepcopy(arguments)
    try:
        result = "returned", repr(getattr(module, function)(*arguments))
    except Exception as error:
        result = "raised", type(error).__name__, str(error), repr(error.__cause__), error.__suppress_context__
    return result, repr(arguments), list(LOG)


def cases():
    return [(file, function.__name__, arguments) for file in FILES for function, *arguments in plain(file).CASES]


@pytest.mark.parametrize("file, function, arguments", cases(), ids=lambda part: part if isinstance(part, str) else None)
def test_same_outcome(file, function, arguments):
    expected = outcome(plain(file), function, arguments)
    assert outcome(converted(file), function, arguments) == expected


def functions_of(source):
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef):
            yield min([d.lineno for d in node.decorator_list] + [node.lineno]), node.name


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_single_functions(file):
    """Each function by itself, as the stager converts it: the code of a factory around the original's cells."""
    from lantern import operators

    twin = load(file, file.read_text())
    with Converter() as converter:
        for line, name in functions_of(file.read_text()):
            reply = converter.answer(file, line=line, name=name)
            original = getattr(twin, name)
            if "unconverted" in reply or inspect.isgeneratorfunction(original):     # of which there is another one where something is staged
                continue
            space = {}
            exec(compile(reply["code"], str(file), "exec"), twin.__dict__, space)
            made = space["factory__"](operators)
            function = types.FunctionType(made.__code__, twin.__dict__, name, original.__defaults__, made.__closure__)
            function.__kwdefaults__ = original.__kwdefaults__
            setattr(twin, name, function)
    for function, *arguments in plain(file).CASES:
        name = function.__name__
        assert outcome(twin, name, arguments) == outcome(plain(file), name, arguments), name


def test_factory_of_a_closure(tmp_path):
    source = (
        "def outer(a, b):\n"
        "    def inner(c):\n"
        "        nonlocal a\n"
        "        if c:\n"
        "            a = a + b\n"
        "        return a\n"
        "    return inner\n"
    )
    path = tmp_path / "closure.py"
    path.write_text(source)
    with Converter() as converter:
        reply = converter.answer(path, line=2, name="inner")
    assert reply["free"] == ["a", "b"]
    space, original = {}, {}
    exec(source, original)
    inner = original["outer"](1, 10)
    exec(reply["code"], space)
    from lantern import operators

    made = space["factory__"](operators, None, None)
    cells = dict(zip(inner.__code__.co_freevars, inner.__closure__))
    cells["ag__"] = types.CellType(operators)
    twin = types.FunctionType(made.__code__, {}, "inner", None, tuple(cells[n] for n in made.__code__.co_freevars))
    assert (twin(True), inner(True), twin(False)) == (11, 21, 21)


def test_positions_of_a_converted_file():
    with Converter() as converter:
        reply = converter.answer(FILES[0])
    lines, original = reply["code"].splitlines(), FILES[0].read_text().splitlines()
    names = 0
    for out_line, out_column, line, column, end_line, end_column in reply["map"]:
        text = lines[out_line - 1][out_column - 1:]
        if line == end_line and original[line - 1][column - 1 : end_column - 1] == "note":
            names += text.startswith("note")
    assert names > 1


def test_deep_code_is_left_alone(tmp_path):
    deep = "def f(x):\n" + "".join("    " * (i + 1) + "if x:\n" for i in range(80)) + "    " * 82 + "return x\n"
    long = "def g(x):\n    return " + "x + " * 500 + "x\n"
    path = tmp_path / "deep.py"
    path.write_text(deep + long)
    with Converter() as converter:
        reply = converter.answer(path)
    assert [(function, code) for function, code, *_ in reply["left_alone"]] == [("f", "LT0154"), ("g", "LT0154")]
    assert "retval_" not in reply["code"]


if __name__ == "__main__":
    sys.exit(pytest.main([__file__, *sys.argv[1:]]))
