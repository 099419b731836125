"""Converted Python of a function: made by the core once per code object, compiled with the original's places."""
from __future__ import annotations

import __future__
import ast
import contextlib
import functools
import inspect
import linecache
import operator
import sys
import types as python_types

from lantern import syntax
from lantern.exceptions import CoreError
from lantern.staging import comments, conversions, recursion
from lantern.staging.debugging import codes_within, may_stop, show_names
from lantern.staging.errors import Place, StagingError, is_converted_code, note_converted
from lantern.staging.identity import IdentityDict, IdentitySet
from lantern.staging.verbosity import say, warn_unconverted

# Marks of functions, as attributes.
DO_NOT_CONVERT = "__lantern_do_not_convert__"   # by ag.do_not_convert
NOT_RECURSIVE = "__lantern_not_recursive__"     # by ag.convert(recursive=False): what it calls is not converted
LOOPS = "__lantern_loops__"                     # of a generator function: itself, and what stands for it where something is staged
REQUESTED = "__lantern_requested__"             # by ag.convert(): converted, wherever it comes from
INLINED = "__lantern_inlined__"     # part of the code that calls it, whatever it is given


def requested(function):
    """A definition of ours that others of ours call: it is converted, and part of the code that calls it."""
    setattr(function, REQUESTED, True)
    return function


# What a file says by `from __future__ import …`: functions have it, and what they `compile` has it from them.
_FUTURE = functools.reduce(operator.or_, (getattr(__future__, name).compiler_flag for name in __future__.all_feature_names))

plain_modules = set()   # the names of modules that are not converted, by ag.do_not_convert

_factories = {}      # (file, code, recursive, noting) → function with the converted code, or None for one that stays as it is
_noting = False      # whether functions are converted to note what they do
_made = {}           # id of the code of a function that conversion has made of a part of another → it
_within = set()      # ids of the code of the functions within converted functions
_reasons = IdentityDict()   # code → why the function stays as it is
_requested = IdentitySet()  # the code of those that stay so because the user has asked for it


def mark(function):
    """`@ag__.converted`: the function's body is converted already."""
    recursion.allow_plain()
    _note_converted(function.__code__, 1)
    function.__lantern_converted__ = True
    return function


def _note_converted(code, outer):
    """Of a code object and those within it, the first `outer` are those of functions of the user's, which the others are within."""
    if not is_converted_code(code):
        codes = codes_within(code)
        note_converted(codes)
        _within.update(map(id, codes[outer:]))


def is_converted(function):
    return getattr(function, "__lantern_converted__", False)


def is_made_by_conversion(code):
    """Whether a code object is of a branch, a loop's body or another function that is none of the user's."""
    return id(code) in _made


def is_made_by_converted_code(function):
    """Whether the variables in a function's closure are those of a converted function, whose statements carry them as state."""
    return id(function.__code__) in _within


def is_of_plain_module(function):
    """Whether a function's module, or a package around it, is marked by ag.do_not_convert."""
    if not plain_modules:
        return False
    name = function.__globals__.get("__name__") or ""
    return any(name == plain or name.startswith(plain + ".") for plain in plain_modules)


def leave_alone(function, reason, diagnostic=None):
    """Notes, once, that a function stays plain Python; warns of it if nobody has asked for that: there is a diagnostic then."""
    if function.__code__ not in _reasons:
        reason = f"{reason} [{diagnostic}]" if diagnostic else reason
        _reasons[function.__code__] = reason
        if diagnostic:
            warn_unconverted(function, reason)
        else:
            _requested.add(function.__code__)
            say(1, f"'{function.__qualname__}' runs as plain Python: {reason}")


def note_reason(function, reason):
    """Notes why a function runs as plain Python that is staged elsewhere."""
    _reasons.setdefault(function.__code__, reason)


def is_left_by_request(code):
    """Whether a code object is of a function that stays plain Python because the user has asked for that."""
    return code in _requested


def why_plain():
    """Notes for an error in code that runs now: that it is plain Python, and why; none where it is converted."""
    frame = sys._getframe(1)
    while frame is not None:
        reason = _reasons.get(frame.f_code)
        if reason is not None:
            return [f"'{frame.f_code.co_name}' runs as plain Python: {reason}"]
        frame = frame.f_back
    return []


def plain_generator():
    """The name of the user's generator that runs now, as plain Python, or None."""
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_code in _reasons:
            return frame.f_code.co_name if frame.f_code.co_flags & inspect.CO_GENERATOR else None
        frame = frame.f_back
    return None


def converted(function, recursive=True):
    """The converted twin of a function: same cells, globals, defaults; itself if it cannot or need not be converted.

    recursive: whether its calls convert what they call.
    """
    if is_converted(function) or function.__code__.co_flags & inspect.CO_GENERATOR and loops_of(function) is not None:
        return function
    return _twin(function, recursive)


def loops_of(function):
    """What stands for a generator function where something is staged, which takes who goes through it first; None of one that stays plain Python."""
    whose, loops = getattr(function, LOOPS, (None, None))
    if whose is not function:       # another's, whose attributes functools.wraps has copied
        twin = _twin(function, True)
        loops = None if twin is function else twin
        setattr(function, LOOPS, (function, loops))
    return loops


def _twin(function, recursive):
    code, recursive = function.__code__, recursive and not getattr(function, NOT_RECURSIVE, False)
    key = (code.co_filename, code, recursive, _noting)       # the file, since code of another may be equal
    if key not in _factories:
        _factories[key] = _factory(function, recursive)
    template = _factories[key]
    if template is None:
        return function
    closure = _closure(template, function, dict(zip(code.co_freevars, function.__closure__ or ())))
    twin = python_types.FunctionType(template.__code__, function.__globals__, function.__name__, function.__defaults__, closure)
    twin.__dict__.update(function.__dict__)
    twin.__kwdefaults__ = function.__kwdefaults__
    twin.__annotations__ = function.__annotations__
    twin.__qualname__, twin.__module__, twin.__doc__ = function.__qualname__, function.__module__, function.__doc__
    return mark(twin)


def _closure(template, function, own):
    """The cells of a function's twin: its own, and of a lambda, those with the functions that its comprehensions have become, which know its cells."""
    cells = []
    for name, given in zip(template.__code__.co_freevars, template.__closure__ or ()):
        if name not in own and isinstance(given.cell_contents, python_types.FunctionType):
            made = given.cell_contents
            _note_converted(made.__code__, 0)
            given = python_types.CellType(python_types.FunctionType(made.__code__, function.__globals__, made.__name__, made.__defaults__,
                                                                    _closure(made, function, own)))
        cells.append(own.get(name, given))
    return tuple(cells)


def source_of(function):
    """The text of the file, notebook cell or registered `exec` that a function comes from; "" if there is none."""
    return "".join(linecache.getlines(function.__code__.co_filename, function.__globals__))


def options_of(function, source):
    """What tells the core which function of a source is meant."""
    code = function.__code__
    options = {"line": code.co_firstlineno, "name": code.co_name}
    if code.co_name == "<lambda>":
        options["column"] = _column_of_lambda(source, code)
    return options


def _factory(function, recursive):
    """A function with the converted code, whose cells are placeholders; None if it is to stay as it is."""
    code = function.__code__
    source = source_of(function)
    if not source:
        leave_alone(function, "its source is not available", "LT0158")
        return None
    try:
        conversion = _conversion(function, source, options_of(function, source))
    except _Unconverted as unconverted:
        leave_alone(function, *unconverted.args)
        return None
    say(1, f"'{function.__qualname__}' is converted")
    say(2, conversion.text)
    comments.note(code.co_filename, source, conversion.comments)
    names = {}
    exec(conversion.module, function.__globals__, names)
    factory = next(value for value in names.values() if isinstance(value, python_types.FunctionType))
    placeholders = [None] * (factory.__code__.co_argcount - 1)
    made = factory(_operators(recursive, _noting), *placeholders)
    made.__code__ = _renamed(made.__code__, made.__qualname__, function, conversion.own_name)
    return made


class _Unconverted(Exception):
    """A function stays as it is. args: why, and the code of the diagnostic."""


def _conversion(function, source, options):
    """What a function is converted to. Raises _Unconverted."""
    code = function.__code__
    made_from = (code.co_filename, source, sorted(options.items()), code.co_freevars, code.co_flags & _FUTURE)
    kept = conversions.find(function, made_from)
    if kept is not None:
        return kept
    try:
        reply = convert_text(source, code.co_filename, options)
    except CoreError as error:
        if not error.diagnostics or error.diagnostics[0]["code"] != "LT0101":
            raise
        found = error.diagnostics[0]        # Python has read the file, and the converter cannot
        raise _Unconverted(f"its file has syntax that the converter does not read, in line {found['line']}: {found['message']}", "LT0159") from None
    if "unconverted" in reply:
        raise _Unconverted(reply["unconverted"], reply["diagnostic"])
    tree = syntax.parse_converted(reply["code"], reply["map"])
    stops = may_stop(reply["code"])
    if stops:
        show_names(tree, code)
    own_name = _rename(tree.body[0], code)
    module = compile(tree, code.co_filename, "exec", code.co_flags & _FUTURE, dont_inherit=True)
    made = conversions.Conversion(reply["code"], tuple(map(tuple, reply.get("comments", ()))), own_name, module)
    if not stops:       # what is shown there is of this run's code
        conversions.keep(made, function, made_from)
    return made


@contextlib.contextmanager
def noting_decisions():
    """Within it, functions are converted so that they note what their `if`s, loops and calls do (decisions.py)."""
    global _noting
    before, _noting = _noting, True
    try:
        yield
    finally:
        _noting = before


@functools.lru_cache(maxsize=None)
def _operators(recursive, noting):
    """What converted code knows as `ag__`."""
    from lantern import operators
    if not recursive:
        as_they_are = {name: functools.partial(getattr(operators, name), recursive=False) for name in ("callee", "method")}
        operators = python_types.SimpleNamespace(**{**vars(operators), **as_they_are})
    if noting:
        from lantern.staging.decisions import noting_operators
        return noting_operators(operators)
    return operators


def operators_now():
    """What code that is converted now knows as `ag__`."""
    return _operators(True, _noting)


def _renamed(code, prefix, function, own_name):
    """A code object, and those within, with the names that tracebacks and errors show.

    Qualified names begin as the original's does; a function that conversion has made is called like the user's around it.
    """
    users = {each.co_name for each in codes_within(function.__code__)}

    def is_users(code):
        return code.co_name in users or code.co_name.startswith("<")

    made = {each.co_name for each in codes_within(code)[1:] if not is_users(each)}

    def qualified(name):
        if name != prefix and not name.startswith(prefix + "."):
            return name
        within, kept = name[len(prefix):].split("."), []
        for each in within:
            if each == "<locals>" and kept[-1] in made:
                kept.pop()
            else:
                kept.append(each)
        return function.__qualname__ + ".".join(kept)

    def renamed(code, name, is_made=False):
        constants, before, is_class_body = [], None, not code.co_flags & inspect.CO_NEWLOCALS      # which sets its `__qualname__`
        for each in code.co_consts:
            if isinstance(each, python_types.CodeType):
                constants.append(renamed(each, each.co_name if is_users(each) else name, not is_users(each)))
            else:       # before Python 3.11 the qualified name of a function is a constant behind its code
                is_qualified_name = isinstance(each, str) and isinstance(before, python_types.CodeType)
                names = is_class_body and isinstance(each, str) or is_qualified_name and not hasattr(code, "co_qualname")
                constants.append(qualified(each) if names else each)
            before = each
        code = code.replace(co_consts=tuple(constants), co_name=name)
        if hasattr(code, "co_qualname"):
            code = code.replace(co_qualname=qualified(code.co_qualname))
        if is_made:
            _made[id(code)] = code
        return code

    return renamed(code, own_name)


def _rename(factory, code):
    """A function that calls itself by a global name, or by a method's, must not see the factory's local one.

    Renames the function within the factory; its name.
    """
    made, last = factory.body[-2:] if len(factory.body) > 1 else (None, factory.body[-1])
    if not isinstance(last.value, ast.Name) or made.name in code.co_freevars:      # a lambda, behind the functions of its comprehensions
        return code.co_name
    name, made.name = made.name, made.name + "__converted"
    last.value.id = made.name
    return name


def convert_text(source, filename, options=None):
    """The core's reply: {'code', 'map'}, or {'unconverted': reason, 'diagnostic': its code}."""
    from lantern import core
    return core.convert(source, filename, options or {})


def _column_of_lambda(source, code):
    """Where the lambda begins that a code object is of (1-based): of several on a line, the one that compiles to it."""
    tree, lambdas = _lambdas_of(source)
    candidates = lambdas.get(code.co_firstlineno)
    if not candidates:
        return 1
    chosen = candidates[0]
    if len(candidates) > 1:
        places = list(code.co_positions()) if hasattr(code, "co_positions") else None      # Python 3.11
        said = [node for node in candidates if _span(node.body) in places] if places else ()     # no other's code has an instruction of its body as a whole
        chosen = said[0] if len(said) == 1 else next((node for node in candidates if _is_of(code, places, node, tree, source)), chosen)
    line = source.split("\n")[chosen.lineno - 1].encode()
    return len(line[:chosen.col_offset].decode()) + 1


@functools.lru_cache(maxsize=16)
def _lambdas_of(source):
    """(a file's tree, {line: the lambdas that begin in it})."""
    tree, lambdas = syntax.parse(source), {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Lambda):
            lambdas.setdefault(node.lineno, []).append(node)
    return tree, lambdas


def _span(node):
    """As `co_positions` says it."""
    return node.lineno, node.end_lineno, node.col_offset, node.end_col_offset


def _is_of(code, places, node, tree, source):
    """Whether a code object is a lambda's: the lambda is compiled in a line of its own, to be found again."""
    far = len(source) + 1
    with syntax.one_at_a_time:      # the tree is kept
        ast.increment_lineno(node, far)
        try:
            made = _code_at(compile(tree, code.co_filename, "exec", dont_inherit=True), far + code.co_firstlineno)
        finally:
            ast.increment_lineno(node, -far)
    if places is not None:
        moved = [(p[0] and p[0] - far, p[1] and p[1] - far, *p[2:]) for p in made.co_positions()]
        return places == moved
    return _shape(made) == _shape(code)


def _code_at(code, line):
    for constant in code.co_consts:
        if isinstance(constant, python_types.CodeType):
            found = constant if constant.co_firstlineno == line and constant.co_name == "<lambda>" else _code_at(constant, line)
            if found is not None:
                return found
    return None


def _shape(code):
    """What tells one code object from another, but for their places."""
    constants = tuple(_shape(c) if isinstance(c, python_types.CodeType) else (type(c), c) for c in code.co_consts)
    return code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars


def compiled(source, filename):
    """The code of a file; raises LT0101 in our form, where CPython does not take it."""
    try:
        return compile(source, filename, "exec", dont_inherit=True)
    except SyntaxError as error:
        raise StagingError("LT0101", error.msg, Place(filename, error.lineno or 0, error.offset or 0)) from None
    except ValueError as error:
        raise StagingError("LT0101", str(error), Place(filename)) from None
