"""`ag.convert`, `do_not_convert`, `to_graph`, `to_code`, verbosity; functions from cells, from `exec`, without source."""
import contextlib
import functools
import importlib
import inspect
import linecache
import os
import pathlib
import subprocess
import sys
import textwrap
import warnings

import pytest

import lantern as lt
import lantern.autograph as ag
from lantern.staging.errors import StagingError
from staged_source import module_of

pytestmark = pytest.mark.usefixtures("converter")


def kept(x):
    return x if x > 0 else -x


class Model:
    scale = 3

    def method(self, x, *more, power=2, **rest):
        if x > 0:
            return x ** power * self.scale + sum(more) + len(rest)
        return kept(x)

    def __call__(self, x):
        return self.method(x)

    @staticmethod
    @ag.convert()
    def static(x):
        return x + 1

    @ag.convert()
    @classmethod
    def of_class(cls, x):
        return cls.scale * x

    @ag.do_not_convert()
    def plain(self, x):
        return x


def counter(start):
    total = start

    def count(x):
        nonlocal total
        if x:
            total += x
        return total
    return count


absolute = lambda x: x if x > 0 else -x      # noqa: E731


@pytest.mark.parametrize("function, arguments", [
    (kept, (-3,)), (Model().method, (2, 5, 6)), (Model().method, (-2,)), (Model(), (4,)), (absolute, (-7,)),
    (functools.partial(Model().method, 2), (9,)), (Model.static, (1,)), (Model.of_class, (2,)), (counter(5), (2,)),
], ids=str)
def test_to_graph_gives_a_twin(function, arguments):
    assert ag.to_graph(function)(*arguments) == function(*arguments) or function.__name__ == "count"


def test_a_twin_shares_cells_defaults_and_keywords():
    count = counter(5)
    twin = ag.to_graph(count)
    assert [twin(2), count(1), twin(0)] == [7, 8, 8]
    twin = ag.to_graph(Model().method)
    assert twin(2, 1, power=3, a=1, b=2) == Model().method(2, 1, power=3, a=1, b=2) == 27
    assert ag.to_graph(kept).__name__ == "kept" and ag.to_graph(twin) is not None


@pytest.mark.parametrize("future, annotation", [("", int), ("from __future__ import annotations\n", "int")])
def test_what_a_file_has_of_the_future_its_functions_have(future, annotation, tmp_path, monkeypatch):
    (tmp_path / "of_the_future.py").write_text(future + "def f(x):\n    def g(a: int): return a\n    return g, compile('1', 'x', 'eval').co_flags\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "of_the_future", raising=False)
    function = importlib.import_module("of_the_future").f
    made, flags = ag.to_graph(function)(1)
    assert made.__annotations__ == {"a": annotation} and flags == function(1)[1]


def test_what_is_no_python_function_is_refused():
    for value, message in [(len, "is not written in Python"), (Model, "'Model' is a class"), (3, "is not written in Python")]:
        for tool in (ag.to_graph, ag.to_code):
            with pytest.raises(TypeError, match=message):
                tool(value)
    with pytest.raises(TypeError, match="mark its methods"):
        ag.convert()(Model)
    with pytest.raises(TypeError, match="mark its methods"):
        ag.do_not_convert(Model)
    with pytest.raises(TypeError, match="members of ag.Feature"):
        ag.convert(optional_features=["LISTS"])
    assert ag.to_graph(kept, optional_features=(ag.Feature.LISTS, ag.Feature.EQUALITY_OPERATORS))(2) == 2


def test_to_code_is_the_function_as_in_its_file():
    code = ag.to_code(Model().method)
    assert code.startswith('@ag__.converted\ndef method(self, x, *more, power=2, **rest):\n')
    assert "ag__.if_stmt(" in code and code == ag.to_code(Model.method)
    assert ag.to_code(absolute).startswith("lambda x: ag__.if_exp(")
    assert ag.to_code(counter(1)).startswith("@ag__.converted\ndef count(x):\n    nonlocal total\n")
    assert ag.to_code(Model.of_class).startswith("@ag__.method(ag, \"convert\"") or "def of_class(cls, x):" in ag.to_code(Model.of_class)
    with pytest.raises(OSError, match="not available"):
        ag.to_code(without_source())


def without_source(source="def f(x):\n    if x > 0:\n        return x\n    return -x\n", name="f", file="<string>"):
    names = {"lt": lt, "ag": ag, "__name__": "interactive"}
    exec(compile(source, file, "exec"), names)
    return names[name]


def test_a_function_without_source_runs_plain_with_a_warning():
    function = without_source()
    with pytest.warns(lt.UnconvertedWarning, match=r"'f' runs as plain Python: its source is not available \[LT0158\]"):
        assert ag.to_graph(function) is function
    with warnings.catch_warnings():
        warnings.simplefilter("error")      # said once
        assert ag.to_graph(function)(-2) == 2


def test_a_generator_stays_plain_with_a_warning_and_an_error_that_says_so(stage, error_of):
    source = """
    def pick(x):
        if x > 0:
            x = yield x
        yield 1.0

    def f(x: float):
        total = 0.0
        for y in pick(x):
            total += y
        return total
    """
    with pytest.warns(lt.UnconvertedWarning, match=r"'pick' runs as plain Python: it is a generator whose 'yield' has a value \[LT0151\]"):
        error = error_of(source)
    assert (error.code, error.place.line) == ("LT0303", 2)
    assert error.notes == ["'pick' runs as plain Python: it is a generator whose 'yield' has a value [LT0151]"]
    assert error.hint == "have 'pick' return a list: append to it where it yields"


def test_an_operation_that_fails_in_a_generator_says_so_too(error_of):
    with pytest.warns(lt.UnconvertedWarning, match="'products' runs as plain Python"):
        error = error_of("""
    def products(m, x):
        with open("/dev/null"):
            yield m @ x

    def f(m: lt.Tensor[lt.f64, 2, 3], x: lt.Tensor[lt.f64, 2]):
        return sum(products(m, x))
    """)
    assert (error.code, error.place.line) == ("LT0403", 3)
    assert error.notes[0] == "'products' runs as plain Python: it is a generator that yields within a 'try' or 'with' [LT0151]"


@pytest.mark.parametrize("mark", ["@ag.do_not_convert", "@ag.do_not_convert()"])
def test_do_not_convert_is_named_as_the_cause(error_of, mark):
    error = error_of(f"""
    {mark}
    def plain(x):
        return 1.0 if x > 0 else x

    def f(x: float):
        return plain(x)
    """)
    assert (error.code, error.place.line) == ("LT0303", 3)
    assert error.notes == ["'plain' runs as plain Python: it is marked ag.do_not_convert"]


def test_do_not_convert_takes_methods_partials_and_builtins():
    for function, argument in [(Model().method, 2), (functools.partial(kept, -1), None), (abs, -3), (Model().plain, 4)]:
        arguments = () if argument is None else (argument,)
        assert ag.do_not_convert(function)(*arguments) == function(*arguments)
    assert ag.do_not_convert(kept) is kept
    del kept.__lantern_do_not_convert__


def test_not_recursive_leaves_callees_alone(stage, error_of):
    source = """
    def sign(x):
        return 1.0 if x > 0 else -1.0

    @ag.convert(recursive={})
    def f(x: float):
        if x > 1:
            x = x * 2
        return sign(x) * abs(x)
    """
    assert [stage(source.format(True))(x) for x in (3.0, -3.0)] == [6.0, -3.0]
    error = error_of(source.format(False))
    assert (error.code, error.place.line) == ("LT0303", 2)
    assert error.notes == ["'sign' runs as plain Python: its caller is converted with recursive=False"]


def test_a_library_function_is_converted_where_the_user_asks(stage, error_of, tmp_path, monkeypatch):
    source = """
    from textwrap import indent
    import library_of_somebody as library
    def f(x: float):
        return library.sign(x)
    def g(x: float):
        return ag.convert()(library.sign)(x)
    """
    from lantern.staging import errors
    (tmp_path / "library_of_somebody.py").write_text("def sign(x):\n    return 1.0 if x > 0 else -1.0\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(errors, "LIBRARIES", (*errors.LIBRARIES, f"{tmp_path.resolve()}/"))
    errors.is_librarys.cache_clear()
    assert error_of(source).code == "LT0303"
    assert stage(source, "g")(-2.0) == -1.0


CELL = """
def cell(x):
    if x > 0:
        return x * 2
    return x

pick = lambda x: 1.0 if x > 0 else 0.0
"""


@pytest.mark.parametrize("file", ["<ipython-input-3-0123abcd>", "/tmp/ipykernel_17/4211.py", "<generated by a tool>"])
def test_cells_that_linecache_knows_are_converted(file, monkeypatch):
    monkeypatch.setitem(linecache.cache, file, (len(CELL), None, CELL.splitlines(True), file))
    cell, pick = without_source(CELL, "cell", file), without_source(CELL, "pick", file)
    assert "ag__.if_stmt" in ag.to_code(cell)
    assert [ag.to_graph(cell)(x) for x in (2, -2)] == [4, -2]
    fast = lt.function(lambda x: cell(x) + pick(x))
    assert fast.text(2.0).count("(if ") == 2


def test_the_prompt_and_exec(tmp_path):
    """Typed at the prompt a function has no source: it runs, and a warning says why it is not staged."""
    typed = textwrap.dedent("""
        import lantern as lt, lantern.autograph as ag
        def f(x):
            return x + 1 if x > 0 else x

        @ag.convert()
        def g(x: float):
            return f(x)

        print(g(2.0), ag.to_graph(f)(3.0))
        lt.function(g)(1.0)
    """)
    done = subprocess.run([sys.executable, "-i", "-c", ""], input=typed, capture_output=True, text=True, timeout=120,
                          env={**os.environ, "PYTHONPATH": str(pathlib.Path(lt.__file__).parents[1])})
    assert "3.0 4.0" in done.stdout
    if sys.version_info >= (3, 13):     # the prompt keeps what is typed
        assert "2.0" in done.stdout.split("3.0 4.0")[1] and "Warning" not in done.stderr
        return
    assert done.stderr.count("UnconvertedWarning: 'f' runs as plain Python: its source is not available [LT0158]") == 1
    assert "error LT0303: " in done.stderr and "is known only when the program runs" in done.stderr
    assert "note: 'f' runs as plain Python: its source is not available [LT0158]" in done.stderr


SAID = """
def helper(x):
    return x + 1 if x > 0 else x

def words():
    yield "a"

def f(x: float):
    for word in words():
        x = helper(x)
    return x
"""


@pytest.mark.parametrize("level, said", [
    (0, []), (1, ["'f' is converted", "'helper' is converted"]),
    (2, ["'f' is converted", "def factory__", "ag__.for_stmt", "'helper' is converted"])])
def test_verbosity(stage, capsys, monkeypatch, level, said):
    monkeypatch.setenv("LANTERN_VERBOSITY", str(level))
    with warnings.catch_warnings(record=True):
        stage(SAID)
    out, err = capsys.readouterr()
    assert out == "" and (err == "") is (level == 0)
    assert [text for text in said if text not in err] == []


def test_set_verbosity_overrides_the_environment(stage, capsys, monkeypatch):
    from lantern.staging import verbosity
    monkeypatch.setenv("LANTERN_VERBOSITY", "2")
    monkeypatch.setattr(verbosity, "_level", None)
    monkeypatch.setattr(verbosity, "_to_stdout", False)
    ag.set_verbosity(0)
    stage(SAID.replace("in words()", "in 'ab'"))
    assert capsys.readouterr() == ("", "")
    ag.set_verbosity(1, alsologtostdout=True)
    stage(SAID.replace("in words()", "in 'ab'"))
    out, err = capsys.readouterr()
    assert out == err and "lantern: 'f' is converted\n" in out
    for wrong in (-1, True, "1"):
        with pytest.raises(ValueError, match="a verbosity is"):
            ag.set_verbosity(wrong)


def test_trace_prints_while_staging(stage, capsys):
    stage("""
    def f(x: float):
        ag.trace("x is", x)
        return x
    """)
    assert capsys.readouterr().out == "x is <staged x: f64>\n"


def test_equal_code_of_two_files_keeps_its_file(stage):
    source = "def f(x: float):\n    return f.missing(x)\n"
    files = []
    for _ in range(2):
        module = module_of(source)
        files.append(ag.to_graph(module.f).__code__.co_filename == module.f.__code__.co_filename)
    assert files == [True, True]


def test_signature_and_name_survive():
    decorated = Model.static
    assert decorated.__name__ == "static" and list(inspect.signature(decorated).parameters) == ["x"]
    assert module_of("@ag.convert(optional_features=ag.Feature.ALL, user_requested=False)\ndef f(x):\n  return x\n").f(2) == 2
    assert issubclass(StagingError, Exception)


def test_a_refused_global_has_its_value_back(error_of):
    source = """
    TOTAL = 3.0
    def f(x: float):
        global TOTAL, NEW
        {}
        return x
    """
    for store in ("TOTAL = x", "TOTAL = 1.0; TOTAL = x", "NEW = x"):
        module = module_of(source.format(store))
        with pytest.raises(StagingError, match="LT0305"):
            lt.function(module.f).text(2.0)
        assert module.TOTAL == 3.0 and not hasattr(module, "NEW")


def test_a_module_can_be_left_alone(converter):
    from lantern.staging import convert
    from staged_source import module_of
    helper = module_of("""
    def positive(x):
        return 1.0 if x > 0 else 2.0

    def twice(x):
        return x + x
    """)
    program = module_of("""
    def twice(x: float):
        return helper.twice(x)

    def positive(x: float):
        return helper.positive(x)
    """)
    program.helper = helper
    assert "(if x0 1.0 2.0)" in lt.function(program.positive).text(1.0)
    try:
        assert ag.do_not_convert(helper) is helper
        assert "(+ x x)" in lt.function(program.twice).text(1.0)
        with pytest.raises(StagingError, match="LT0303(.|\n)*'positive' runs as plain Python: it is marked ag.do_not_convert"):
            lt.function(program.positive).text(1.0)
    finally:
        convert.plain_modules.discard(helper.__name__)


def test_a_generator_that_a_library_runs_says_that_it_stays_plain(converter):
    @contextlib.contextmanager
    def one_more(n):
        yield n + 1

    def f(n):
        with one_more(n) as m:
            return m * 2

    with pytest.warns(lt.UnconvertedWarning, match="'.*one_more' runs as plain Python: it is a generator"):
        assert lt.function(f)(3) == f(3)
