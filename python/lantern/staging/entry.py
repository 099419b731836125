"""Where staging starts: a function, the types of its parameters; what comes out: a program's text."""
from __future__ import annotations

import contextlib
import inspect
import typing

from lantern import core, dispatch, types
from lantern.annotations import annotations_of, from_annotation, static
from lantern.kinds import Opened, Same, at
from lantern.lazy_numpy import np
from lantern.staging import calls, enumerations, instances, merge, none_in_lists, perhaps_none
from lantern.staging.arguments import put_back
from lantern.staging.convert import converted, mark
from lantern.staging.errors import Abandon, Errors, NeedsInlining, Raised, StagingError, define_place, from_exception
from lantern.staging.host_calls import HostCalls
from lantern.staging.keys import MOST_BYTES
from lantern.staging.program import Program, export_node
from lantern.staging.sharing import WritesBox
from lantern.staging.shown_results import print_result
from lantern.staging.trace import Trace
from lantern.staging.values import Staged


def placeholder(type_):
    """What stands for a staged argument; a type that is None is inferred."""
    return Staged(type_, None)


def placeholders(trace, kinds):
    """{parameter: what stands for its argument}. kinds: {parameter: its kind (kinds.py), or None: to be inferred}."""
    opened = {}     # path → what stands for a dict, a list or a tuple

    def of(path, kind):
        if isinstance(kind, types.Known):
            trace.contents.note(*[kind.value] if isinstance(kind.value, (np.ndarray, tuple)) else ())    # which are constants of the program
            return kind.value
        if isinstance(kind, Same):
            return opened[kind.path]
        if not isinstance(kind, Opened):
            return placeholder(kind)
        opened[path] = kind.together([of((*path, key), part) for key, part in kind.items()])
        return trace.lists.given(opened[path])
    return {name: of((name,), kind) for name, kind in kinds.items()}


@contextlib.contextmanager
def reporting():
    """Whatever the user's code raises while it is staged becomes a StagingError at the user's line."""
    try:
        yield
    except StagingError:
        raise
    except (NeedsInlining, WritesBox) as signal:
        raise signal.error from None
    except (Abandon, Raised) as signal:
        raise StagingError("LT0307", "the recursion has no path that ends") from signal
    except Exception as error:
        raise from_exception(error) from error


default_dtype = types.default_dtype_of_staging


def _settled(trace, run):
    """What `run` gives, which traces, as often as it takes."""
    return trace.ranges.settle(lambda: trace.empties.settle(run))


def trace_entry(trace, function, arguments):
    """Traces `function` with placeholders and static values for its parameters; the Specialisation."""
    plain, first, keywords = calls.opened(function)
    signature = inspect.signature(plain)
    names = list(signature.parameters)[:len(first)]
    values = {**dict(zip(names, first)), **keywords, **arguments}
    bound = inspect.BoundArguments(signature, {name: values[name] for name in signature.parameters if name in values})
    bound.apply_defaults()
    with trace.running():
        return _settled(trace, lambda: trace.specialisations.specialise(plain, converted(plain), bound, fixed_types=True)[0])


def _showing(function):
    """The function, which prints what it returns."""
    plain = calls.opened(function)[0]

    def shown(*values, **keywords):
        result = calls.call(dispatch.active_trace(), function, values, keywords, None)
        print_result(dispatch.active_trace(), result)
        return result
    shown.__name__, shown.__signature__, shown.__lantern_place__ = plain.__name__, inspect.signature(plain), define_place(plain)
    return mark(shown)


def _nested(type_, values):
    """A value of that type; the compiled entry gives a tuple's elements, and those of tuples within it, one by one; a list
    of tuples as so many lists."""
    if isinstance(type_, types.Tuple):
        parts = tuple(_nested(element, values) for element in type_.elements)
        return parts if type_.of is None else type_.of.together(parts, None)
    if types.is_list_of_tuples(type_):
        return [_nested(type_.element, iter(row)) for row in zip(*[next(values) for _ in types.leaves(type_)])]
    return next(values)


def _is_whole(type_):
    """Whether a compiled entry gives such a value in one."""
    return not isinstance(type_, types.Tuple) and not types.is_list_of_tuples(type_)


def _whether_read_holds(trace, reads):
    """A function: whether every attribute, global, cell and container that the trace, which is over, has read holds what it held."""
    trace.contents.note(*(read.value for read in reads.values.values() if isinstance(read.value, np.ndarray) and read.value.nbytes > MOST_BYTES))
    names, contents = reads.without_made(trace.ages.is_made_here).holding(), trace.contents.still_hold()
    return names if contents is None else lambda: names() and contents()


class StagedFunction:
    """A function staged for the JIT: the program's text, its entry's name, the globals that it refers to.

    valid(): whether what the trace has read of Python's state holds what it held.
    gives_back(result, arguments by name): the result with the caller's own dicts and lists in it; None where it has none.
    """

    def __init__(self, program, entry, wrt=()):
        self.program = program
        self.text = program.text(exports=[export_node(entry.spelling, [])])
        self.entry = entry.spelling
        self.globals = {reference.spelling: reference.target for reference in program.references}
        self.structs = {name: type_.declaration for name, type_ in program.trace.structs.items()}
        self.exceptions = program.trace.exceptions
        self.files = {define.place.file for define in program.defines if define.place is not None}
        self.callbacks = program.trace.host_calls.callbacks
        self.speaks = any(f"({name}" in self.text for name in ("print", "progress", "py-function", "extern"))
        self.header_folders = sorted(program.trace.header_folders)
        self.wrt = wrt
        self._specialisation = entry
        self.valid = _whether_read_holds(program.trace, entry.reads)
        type_ = entry.result.type if type(entry.result) is merge.Join else None     # else parts of it are known, or in containers
        self._is_value = type_ is not None and _is_whole(type_)
        self._is_tuple = isinstance(type_, types.Tuple) and type_.of is None and all(map(_is_whole, type_.elements))
        self.gives_back = self._with_arguments if entry.references else None

    def rebuild(self, values):
        """The function's result, of the values that the compiled entry gives: static parts, tuples and all."""
        if self._is_value:
            return values[0]
        if self._is_tuple:
            return tuple(values)
        values, plan = iter(values), self._specialisation.result
        return plan.rebuild(iter([_nested(join.type, values) for join in plan.joins()]))


    def _with_arguments(self, result, given):
        """The result with the caller's own dicts and lists, where it gives them back. given: the arguments by name."""
        return put_back(result, {path: at(path, given) for path in self._specialisation.references})


_PLAIN = object()


def stage_function(function, kinds, dtype=None, wrt=_PLAIN, observe=None):
    """Stages a function for the JIT. kinds: {parameter: its kind (kinds.py), or None: to be inferred}. wrt: also its gradient with
    respect to that. observe: see Trace."""
    trace = Trace(observe)
    trace.host_calls = HostCalls()
    arguments = placeholders(trace, kinds)
    with default_dtype(dtype), reporting():
        if wrt is _PLAIN:
            entry = trace_entry(trace, function, arguments)
            return StagedFunction(Program(trace, [entry]), entry)
        entry, references = _trace_gradient(trace, function, arguments, wrt)
        return StagedFunction(Program(trace, [entry]), entry, references)


def _trace_gradient(trace, function, arguments, wrt):
    """An entry that gives the value of a function and its gradients, flat in one tuple."""
    from lantern.grad import Gradients
    plain = calls.opened(function)[0]
    parameters = list(inspect.signature(function).parameters.values())
    references = []

    @mark
    def gradient(*values, **keywords):
        value, gradients = trace.value_and_grad(function, wrt, values, keywords)
        if isinstance(gradients, Gradients):
            references[:] = list(gradients)
            return (value, *gradients.values())
        references[:] = list(wrt) if isinstance(wrt, (tuple, list)) else [wrt if wrt is not None else parameters[0].name]
        return (value, *gradients) if isinstance(wrt, (tuple, list)) else (value, gradients)

    gradient.__name__ = f"{plain.__name__}_and_gradient".replace("<lambda>", "lambda")
    gradient.__lantern_place__ = define_place(plain)
    signature = inspect.Signature([p.replace(default=p.empty) for p in parameters])
    bound = inspect.BoundArguments(signature, {p.name: arguments.get(p.name, p.default) for p in parameters})
    with trace.running():
        made = _settled(trace, lambda: trace.specialisations.specialise(gradient, gradient, bound, fixed_types=True)[0])
    return made, tuple(references)


class StagedEntry:
    """An entry of a file: its name, its Specialisation, what its docstring says first, what the command line says of its parameters, and what is said of
    those without a type where the types in it do not fit."""

    def __init__(self, name, specialisation, doc, parameters, of_untyped=None):
        self.name, self.specialisation, self.doc, self.parameters, self.of_untyped = name, specialisation, doc, parameters, of_untyped

    def spelled(self, name):
        """What a parameter is called in the text."""
        return next((f.staged.spelling for f in self.specialisation.formals if f.path == (name,)), name)

    @property
    def exported(self):
        """What the entry is called in the text, and in what comes of it."""
        return self.name if self.name.isascii() and self.name.isidentifier() else self.specialisation.spelling

    def export(self):
        parameters = [(self.spelled(name), default, doc) for name, default, doc in self.parameters]
        return export_node(self.specialisation.spelling, parameters, self.doc, self.exported)


_OF_NUMBERS_AND_TEXTS = (types.bool_, types.i32, types.i64, types.f32, types.f64, types.string)


def _is_a(default, type_):
    """Whether a default is what the annotation says; a whole number is a float, too."""
    return isinstance(default, (bool, int, float, str)) and types.type_of(default) in ((types.i64, type_) if type_ == types.f64 else (type_,))


def entry_types(function, statics=None):
    """{parameter: Type or None} of an entry, static parameters left out. Raises StagingError for what cannot be staged.

    statics: {parameter: value} of parameters that are known.
    """
    annotations = annotations_of(function)
    signature = inspect.signature(function)
    plain, _ = calls.underlying(function)
    place = define_place(plain)
    found = {}
    for name, parameter in signature.parameters.items():
        annotation = annotations.get(name)
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise StagingError("LT0311", f"entry '{function.__name__}' takes any number of arguments ('{name}')", place,
                               "give each parameter a name")
        if statics and name in statics:
            continue
        if isinstance(annotation, static):
            if parameter.default is parameter.empty:
                raise StagingError("LT0311", f"parameter '{name}' of entry '{function.__name__}' is static, but has no value", place,
                                   "give it a default, or run the entry with the flag for it")
            continue
        if annotation is None and name in annotations:
            continue
        if annotation is None:
            default = parameter.default
            if isinstance(default, (bool, int, float, str)):
                found[name] = types.type_of(default)
            elif default is parameter.empty:
                found[name] = None
            continue
        type_ = from_annotation(annotation, instances.annotated)
        if type_ is None and np.ndarray in (annotation, typing.get_origin(annotation)):
            raise StagingError("LT0311", f"parameter '{name}' of entry '{function.__name__}' is an array, and how many axes it has is not said", place,
                               "lt.Tensor[lt.f64, None, None] has two, of any length")
        if type_ is None:
            raise StagingError("LT0311", f"the annotation {annotation!r} of parameter '{name}' names no type that staged code has",
                               place, f"give the member's value, and look it up: {annotation.__name__}(value)" if enumerations.is_enumeration(annotation) else
                               "bool, int, float, str, lt.Tensor[...], an lt.struct class, list[...] and `| None` of these do")
        if type_ in _OF_NUMBERS_AND_TEXTS and parameter.default is not parameter.empty and not _is_a(parameter.default, type_):
            raise StagingError("LT0311", f"the default of parameter '{name}' of entry '{function.__name__}' is {parameter.default!r}, and its annotation says "
                               f"{types.annotation(type_)}", place, "give one of that type, or none")
        if missing := none_in_lists.annotated(type_):
            raise StagingError("LT0311", f"parameter '{name}' of entry '{function.__name__}' is {types.annotation(type_)}, and only structures can be "
                               "None in a program that is compiled ahead of time", place,
                               f"annotate it {types.annotation(type_).replace(f'{types.annotation(missing)} | None', types.annotation(missing))} and give it a number for None, or "
                               f"lt.static[{types.annotation(type_)}] to have it known")
        found[name] = type_
    return found


_OF_TYPES = frozenset(("LT0306", "LT0309", "LT0310", "LT0312", "LT0403", "LT0409", "LT0411"))     # what a wrong type may cause


def _of_untyped(function, types_of_parameters):
    """A note on the parameters that nothing says the types of; None where there are none."""
    names = [f"'{name}'" for name, type_ in types_of_parameters.items() if type_ is None]
    if not names:
        return None
    verb = "has" if len(names) == 1 else "have"
    place = define_place(calls.underlying(function)[0])
    return f"{place}: {' and '.join(names)} {verb} no annotation: list[float] or lt.Tensor[lt.f64, None], say, would tell the type"


@contextlib.contextmanager
def _noting(*notes):
    """Adds notes to errors of types."""
    try:
        yield
    except StagingError as error:
        for each in error.all():
            if each.code in _OF_TYPES:
                each.notes += filter(None, notes)
        raise


def compile_entries(text, staged, file, emit):
    """The text that the core emits of entries' program. Where types do not fit, the error has a note on parameters without one."""
    with _noting(*(each.of_untyped for each in staged)), reporting():
        return core.compile(text, file, {"emit": emit, "name": "program"})


def stage_entries(functions, dtype=None, statics=None, runs=False, name=None):
    """(Program, [StagedEntry]) of functions of a file. statics: {parameter: value} known before staging. runs: the program is its
    one entry, called once, and begins with what the file has made when it was loaded. name: what one entry is known by, if not its own."""
    trace, problems = Trace(), Errors()
    staged = []
    with default_dtype(dtype), reporting():
        for function in functions:
            with problems.part(), reporting():
                known = statics or {}
                types_of_parameters = entry_types(function, known)
                signature = inspect.signature(function)
                arguments = {name: placeholder(type_) for name, type_ in types_of_parameters.items()}
                arguments |= {name: value for name, value in known.items() if name in signature.parameters}
                of_untyped = _of_untyped(function, types_of_parameters)
                trace.specialisations.inlined.clear()       # what another entry calls a function with is nothing to this one
                with _noting(of_untyped), reporting():
                    specialisation = trace_entry(trace, _showing(function) if runs else function, arguments)
                if perhaps_none.is_in(specialisation.result) and not runs:
                    raise StagingError("LT0306", f"the result of entry '{function.__name__}' may be None, and only structures can be None in what a program gives "
                                       "that is compiled ahead of time", specialisation.place, merge.remedy_of_missing(specialisation.result))
                if runs:
                    specialisation.block.entries[:0] = trace.globals.made_before(specialisation.place)
                staged.append(StagedEntry(name or function.__name__, specialisation, *_described(function, types_of_parameters), of_untyped))
        problems.report()
        return Program(trace, [entry.specialisation for entry in staged]), staged


def _described(function, types_of_parameters):
    """The first paragraph of the docstring, and (name, default or ..., doc) of the staged parameters."""
    from lantern import flags
    about, documentation = flags.describe(function)
    result = []
    for name, parameter in inspect.signature(function).parameters.items():
        if name in types_of_parameters:
            default = parameter.default
            simple = isinstance(default, (bool, int, float, str))
            result.append((name, default if simple else ..., documentation.get(name, "")))
    return " ".join(about.partition("\n\n")[0].split()), result


def program_text(program, entries, locations=True):
    """The text of a file's program. Entries without types are printed as listings, and have no flags to export."""
    exports = [entry.export() for entry in entries if not program.is_listing(entry.specialisation)]
    return program.text(locations, exports)
