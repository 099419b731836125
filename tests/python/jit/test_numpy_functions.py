"""NumPy's functions on staged values: what NumPy gives, dtype included, or an error of ours."""
import pathlib
import sys
import warnings

import numpy as np
import pytest

import lantern as lt
import lantern.autograph as ag
from lantern import compiled, core
from lantern.exceptions import CoreError
from lantern.function import Function
from lantern.staging import entry
from lantern.staging.errors import StagingError
from lantern.staging.program import Program, export_node
from lantern.staging.trace import Trace

sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).parents[1] / "staging")]
import numpy_cases  # noqa: E402
from staged_source import module_of  # noqa: E402
from thorough import one_in  # noqa: E402

CASES = list(numpy_cases.cases())
FIRST_OF_TWO = ("float32", "int64")     # of the floats, and of the other dtypes


def is_run(name):
    """A run compiles each call with a dtype of floats and with another one, and its neighbour with the others; when it is thorough, with all."""
    dtype, _, number = name.rpartition("_")
    return dtype == "numbers" or (int(number) + (dtype in FIRST_OF_TWO)) % one_in(2) == 0


def traced(trace, function, arguments):
    kinds = Function(function).kinds(dict(zip(function.__code__.co_varnames, arguments)))
    with entry.default_dtype("f64"), entry.reporting():
        return entry.trace_entry(trace, function, entry.placeholders(trace, kinds))


def refusal(function, arguments):
    """The error that staging or the compiler gives, or None."""
    trace = Trace()
    try:
        made = traced(trace, function, arguments)
        core.compile(Program(trace, [made]).text(exports=[export_node(made.spelling, [])]), "program.sexpr", {"emit": "cps"})
    except (StagingError, CoreError) as error:
        return error
    return None


@pytest.fixture(scope="module")
def programs():
    """{name: its Python function}, {name: its compiled form, the error that refuses it, or None where it is not run}: all in one object.
    One that is not run is left out where another dtype's has shown that the call is taken."""
    plain, found, entries, taken = {}, {}, {}, set()
    for name, shown, text, arguments in sorted(CASES, key=lambda case: not is_run(case[0])):
        if name not in found and (is_run(name) or shown not in taken):
            plain[name] = module_of(f"import numpy as np\n{text}\n").f
            found[name] = refusal(plain[name], arguments)
            if found[name] is None:
                taken.add(shown)
    trace = Trace()
    for name, _, _, arguments in CASES:
        if name not in entries and is_run(name) and found[name] is None:
            entries[name] = traced(trace, plain[name], arguments)
    program = Program(trace, list(entries.values()))
    text = program.text(exports=[export_node(made.spelling, []) for made in entries.values()])
    loaded = compiled.Program(compiled.build(text, "numpy_cases", "programs"), {})

    def caller(made):
        def run(*arguments):
            values = iter(loaded.entry(made.spelling)(*arguments))
            return made.result.rebuild(iter([entry._nested(join.type, values) for join in made.result.joins()]))
        return run
    found.update({name: caller(made) for name, made in entries.items()})
    return plain, found


def outcome(function, arguments):
    """The result in comparable parts, or the exception's class."""
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return function(*arguments)
    except Exception as error:
        return type(error)


def same(a, b):
    if isinstance(a, (tuple, list)) or isinstance(b, (tuple, list)):
        return isinstance(a, (tuple, list)) and isinstance(b, (tuple, list)) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, type) or isinstance(b, type):
        return a is b
    if isinstance(a, str):
        return a == b
    if a is None or b is None:
        return a is b
    a, b = np.asarray(a), np.asarray(b)
    tolerance = 1e-5 if a.dtype == np.float32 else 1e-12
    return a.dtype == b.dtype and a.shape == b.shape and np.allclose(a, b, rtol=tolerance, atol=tolerance, equal_nan=True)


@pytest.mark.slow
def test_each_call_gives_what_numpy_gives_or_is_refused(programs):
    plain, found = programs
    wrong, accepted = [], set()
    for name, text, _, arguments in CASES:
        function = found.get(name)
        if name not in found or isinstance(function, Exception):
            continue
        accepted.add(text)
        if function is None:
            continue
        expected, result = outcome(plain[name], arguments), outcome(function, arguments)
        if isinstance(result, type) and not isinstance(expected, type) and result in numpy_cases.MAY_STOP.get(text, ()):
            continue
        if not same(expected, result):
            wrong.append(f"{name}: {text} gives {result!r}, not {expected!r}")
    assert not wrong, "\n".join(wrong)
    assert sorted({text for _, text, _, _ in CASES} - accepted) == sorted(numpy_cases.REFUSED)


# Functions of NumPy's that look at an operand without asking for its elements.
WITHOUT_ELEMENTS = {"iterable", "info", "typename", "broadcast_shapes", "may_share_memory", "shares_memory", "iscomplexobj", "isrealobj",
                    "isfortran", "issubdtype", "issubclass_", "issctype", "obj2sctype", "get_include", "show_config", "show_runtime", "get_printoptions",
                    "set_printoptions", "printoptions", "geterr", "seterr", "geterrcall", "seterrcall", "errstate", "getbufsize", "setbufsize", "save",
                    "disp", "lookfor", "source", "who", "deprecate", "deprecate_with_doc", "safe_eval", "fromfile", "get_array_wrap", "byte_bounds",
                    "set_string_function", "add_docstring", "add_newdoc", "add_newdoc_ufunc", "maximum_sctype", "sctype2char", "cast", "test",
                    "frombuffer", "fromstring", "from_dlpack",      # these want memory, and say that there is none
                    "bmat"}      # takes what is no ndarray for nothing


def public_functions():
    for name in sorted(set(dir(np)) - WITHOUT_ELEMENTS):
        if name.startswith("_"):
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            function = getattr(np, name, None)
        if callable(function) and not isinstance(function, type):
            yield name, function


@pytest.mark.parametrize("arguments", [("v",), ("v", "v"), ("v", 1), (1, "v"), (["v", "v"],)], ids=str)
def test_every_function_of_numpy_has_a_counterpart_or_our_error(arguments):
    """In code that is not converted, too, and though it swallows the error."""
    from lantern import dispatch
    from lantern.numpy_functions.calls import FUNCTIONS
    value, silent = np.array([1.0, 0.5, 2.0]), []

    def staged(argument, v):
        return [v if part == "v" else part for part in argument] if isinstance(argument, list) else v if argument == "v" else argument

    class Found(Exception):
        """What a call gave."""

    for name, function in public_functions():
        @ag.do_not_convert
        def call(v):
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    result = function(*(staged(argument, v) for argument in arguments))
            except Exception as error:
                result = error
            raise Found(result)

        def program(v):
            call(v)
        trace = Trace()
        with pytest.raises(StagingError) as caught:
            traced(trace, program, (value,))
        if trace.refusals:
            continue
        (result,) = caught.value.__cause__.args
        if isinstance(result, StagingError):
            silent.append((name, "not remembered", result))
        elif function not in FUNCTIONS and not dispatch.is_staged(result):      # it wanted no elements, or never met them
            expected = outcome(function, [staged(argument, value) for argument in arguments])
            result = type(result) if isinstance(result, Exception) else result
            if not (isinstance(expected, type) or same(expected, result) or name.startswith("empty") and expected.dtype == result.dtype and expected.shape == result.shape):
                silent.append((name, result, expected))
    assert not silent, "\n".join(map(str, silent))


VIEWS_AND_COPIES = [
    ("a.flatten()", True), ("a.copy()", True), ("np.array(a)", True), ("np.copy(a)", True), ("np.positive(a)", True), ("+a", True),
    ("a.astype(float)", True), ("np.concatenate([a])", True), ("a * 1", True), ("np.where(a > 0, a, a)", True), ("np.array(a, dtype=float)", True),
    ("a.ravel()", False), ("np.asarray(a)", False), ("a.T", False), ("np.transpose(a)", False), ("a.reshape(3, 1)", False), ("a[None]", False),
    ("np.squeeze(a.reshape(1, 3))", False), ("np.expand_dims(a, 1)", False), ("np.atleast_1d(a)", False),
    ("np.atleast_2d(a)", False), ("np.flipud(a)", False), ("np.cumprod(a)", True), ("np.append(a, [])", True), ("np.rollaxis(a, 0)", None)]
CHANGED = np.array([1.0, -2.0, 4.0])


def changed_behind(expression):
    """A function that makes a view, or a copy, and then writes to what it is of."""
    def program(v):
        a = v.copy()
        b = view(a)
        a[0] = 9.0
        return b
    view = module_of(f"import numpy as np\ndef view(a): return {expression}\n").view
    return program, view


@pytest.fixture(scope="module")
def compiled_copies():
    """What those of copies give that are compiled together, by expression; of none, if that fails: each is then compiled alone."""
    def results(v):
        return tuple(program(v) for program in programs)
    expressions = [expression for expression, is_copy in VIEWS_AND_COPIES if is_copy]
    programs = [changed_behind(expression)[0] for expression in expressions]
    try:
        return dict(zip(expressions, lt.function(results)(CHANGED)))
    except Exception:
        return {}


@pytest.mark.parametrize("expression, is_copy", VIEWS_AND_COPIES)
def test_a_view_is_not_read_after_its_memory_is_written(compiled_copies, expression, is_copy):
    (program, view), value = changed_behind(expression), CHANGED
    error = refusal(program, (value,))
    assert np.shares_memory(view(value), value) is not is_copy
    if is_copy:
        assert error is None, str(error)
        compiled = compiled_copies[expression] if expression in compiled_copies else lt.function(program)(value)
        np.testing.assert_array_equal(compiled, program(value))
    else:
        assert error.code == ("LT0310" if is_copy is None else "LT0317"), str(error)


# Derivatives where a formula that is right elsewhere would overflow, or divide zero by zero.
EDGES = {
    ("logaddexp", 1000.0, -1000.0): (1, 0), ("logaddexp", -1e9, 1e9): (0, 1), ("logaddexp", 700.0, 700.0): (0.5, 0.5),
    ("logaddexp", float("inf"), float("inf")): (0.5, 0.5), ("logaddexp", float("-inf"), float("-inf")): (0.5, 0.5), ("logaddexp", 1.0, float("-inf")): (1, 0),
    ("hypot", 3e200, 4e200): (0.6, 0.8), ("hypot", 0.0, 0.0): (0, 0), ("hypot", 0.0, -2.0): (0, -1),
    ("arctan2", 1e200, 1e200): (5e-201, -5e-201), ("arctan2", 0.0, 0.0): (0, 0), ("arctan2", 0.0, -2.0): (-0.5, 0),
    ("copysign", -3.0, -0.0): (1, 0), ("copysign", 0.0, 2.0): (0, 0), ("heaviside", 0.0, 0.5): (0, 1), ("heaviside", 2.0, 0.5): (0, 0),
}


def test_derivatives_at_the_edges():
    names = sorted({name for name, _, _ in EDGES})
    module = module_of("import numpy as np\n" + "".join(f"def {name}(v, w): return np.sum(np.{name}(v, w))\n" for name in names))
    derivatives = [lt.grad(getattr(module, name), wrt=("v", "w")) for name in names]
    points = [[point[1:] for point in EDGES if point[0] == name] for name in names]
    arguments = tuple(tuple(np.array(operand) for operand in zip(*of_one)) for of_one in points)

    def gradients(arguments):
        return tuple(derivative(v, w) for derivative, (v, w) in zip(derivatives, arguments))
    for found in (gradients(arguments), lt.function(gradients)(arguments)):
        for name, of_one, both in zip(names, points, found):
            np.testing.assert_allclose(np.stack(both, 1), [EDGES[(name, *point)] for point in of_one], rtol=1e-14, err_msg=name)
