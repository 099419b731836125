"""`python -m lantern.stage --reply-fd N`: stages a file for the command line.

A request, JSON, comes on standard input: {"file", "source", the text of a file that is not there, "entry" or null, "emit", "dtype",
"mode": "compile", "run", "check" or "plot", "arguments": [flags]}; to check, also {"calls", "seed"}; to plot, the arguments are plots.py's.
The reply, JSON, goes to descriptor N, so that the user's prints cannot damage it: {"sexpr", "arguments", "name", "diagnostics", "exit",
"imports": the Python files that the program's file imports (but NumPy's), "entry": to run, what the program calls it}; and where `emit` asks for it "staging", the annotated source, or to "explore" "sources": [{"file", "decisions"}],
what became of the `if`s, loops and calls of each file that the program comes from (decisions.rows).
"""
from __future__ import annotations

import contextlib
import functools
import json
import linecache
import math
import os
import re
import sys
import types as python_types
import warnings

from lantern import flags
from lantern.annotations import annotations_of, static
from lantern.export import entries as marked_entries
from lantern.lazy_numpy import NoNumPy
from lantern.nearest import did_you_mean, nearest
from lantern.staging import convert, entry
from lantern.staging.calls import underlying
from lantern.staging.errors import Place, StagingError, define_place, from_exception

MODULE = "__lantern_program__"


def main():
    if len(sys.argv) != 3 or sys.argv[1] != "--reply-fd":
        sys.exit(__doc__.splitlines()[0])
    descriptor = int(sys.argv[2])
    request = json.load(sys.stdin)
    use_terminal()
    reply = plot(request) if request.get("mode") == "plot" else stage(request)
    flush_output(reply)
    with os.fdopen(descriptor, "w", encoding="utf-8", errors="surrogateescape") as out:
        json.dump(reply, out)


def flush_output(reply):
    """What has been printed goes out before the reply, which says so where it cannot."""
    try:
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())     # what is left is written when Python ends
        if not reply["diagnostics"]:
            reply["diagnostics"].append(diagnostic(cannot_write(error)))
            reply["exit"] = 1


def cannot_write(error):
    return StagingError("LT0802", f"cannot write to standard output: {error.strerror}")


def plot(request):
    """The reply to a request to draw: it stages nothing."""
    from lantern import plots
    diagnostics = plots.reply_to(request)
    return {"diagnostics": diagnostics, "exit": 1 if diagnostics else 0}


def use_terminal():
    """The request has come on standard input: what the user's code and a debugger read is the terminal, if there is one."""
    try:
        if not os.isatty(2):
            raise OSError
        sys.stdin = open("/dev/tty", encoding="utf-8")
    except OSError:
        sys.stdin = open(os.devnull, encoding="utf-8")
        sys.breakpointhook = pass_over


def pass_over(*_, **__):
    """`breakpoint()` where nobody could answer."""
    warnings.warn("breakpoint() is passed over: there is no terminal to debug from", RuntimeWarning, stacklevel=2)


def stage(request):
    """The reply to a request."""
    reply = {"sexpr": "", "arguments": {}, "name": program_name(request["file"]), "diagnostics": [], "exit": 0}
    ours = set(sys.modules)
    try:
        with entry.default_dtype(request.get("dtype")), entry.reporting():
            module = load(request["file"], request.get("source"))
            run = request.get("mode") == "run"
            if run and not request.get("entry"):
                raise StagingError("LT0810", "ENTRY is required", None, listed(marked_in(module)) or "it is the name of the function to call")
            functions = entries(module, request["file"], request.get("entry"))
            if request.get("mode") == "check":
                known = given_flags(functions[0], request["file"], request["arguments"]) if request.get("entry") else {}
                check_reply(reply, functions, request, known)
                return reply
            statics = {}
            if run:
                statics, reply["arguments"] = parse_flags(functions[0], request["file"], request.get("arguments") or [])
            noting = request.get("emit") in ("staging", "explore")
            with convert.noting_decisions() if noting else contextlib.nullcontext():
                program, staged = entry.stage_entries(functions, statics=statics, runs=run, name=request.get("entry"))
            if noting:
                from lantern.staging import decisions
                if request["emit"] == "staging":
                    reply["staging"] = decisions.listing(program, request["file"])
                else:
                    files = dict.fromkeys([request["file"], *decisions.files(program)])
                    reply["sources"] = [{"file": file, "decisions": decisions.rows(program, file)} for file in files if linecache.getlines(file)]
            reply["folders"] = sorted(program.trace.header_folders)
            reply["imports"] = imported(set(sys.modules) - ours)
            if run:
                reply["entry"] = staged[0].exported
            reply["arguments"] = {staged[0].spelled(name): value for name, value in reply["arguments"].items()}
            listing = all(program.is_listing(one.specialisation) for one in staged)
            reply["sexpr"] = entry.program_text(program, staged, locations=not (listing and request.get("emit") == "sexpr"))
            if request.get("emit") not in ("sexpr", "staging") and any(one.of_untyped for one in staged):
                entry.compile_entries(reply["sexpr"], staged, request["file"], "ir")     # now, since the command line does not know which have no type
    except (StagingError, NoNumPy) as error:
        error = from_exception(error)
        if os.environ.get("LANTERN_TRACEBACK"):
            import traceback
            traceback.print_exc()
        reply["diagnostics"].extend(diagnostic(each) for each in error.all())
        reply["exit"] = reply["diagnostics"][0]["outcome"]
    except SystemExit as end:
        error = from_exception(end)
        error.hint = "what a script does stands under: if __name__ == '__main__':"
        reply["diagnostics"].append(diagnostic(error))
        reply["exit"] = 1
    except _Helped:
        pass
    return reply


def imported(names):
    """The files of these modules, of those that are Python and neither of this package nor NumPy's."""
    files = (getattr(sys.modules[name], "__file__", None) for name in names if name != MODULE and name.partition(".")[0] not in ("lantern", "numpy"))
    return sorted({os.path.abspath(file) for file in files if isinstance(file, str) and file.endswith(".py")})


class _Helped(BaseException):
    """Among the flags is --help, which argparse has answered."""


def diagnostic(error):
    """An error as the command line reads it."""
    result = error.diagnostic()
    result["notes"] = [{"message": note} if isinstance(note, str) else note for note in result["notes"]]
    result["outcome"] = _OUTCOMES.get(error.code, 1)
    return result


_OUTCOMES = {"LT0802": 4, "LT0804": 4, "LT0807": 2, "LT0810": 2}     # the environment's, and the command line's


def program_name(file):
    """The file's name without its ending, as an identifier."""
    name = "".join(c if c.isascii() and c.isalnum() else "_" for c in os.path.splitext(os.path.basename(file))[0])
    return name if name and not name[0].isdigit() else "program_" + name


_ENCODING = re.compile(rb"(?:[ \t\f]*(?:#[^\r\n]*)?(?:\r\n?|\n))?[ \t\f]*#[^\r\n]*?coding[:=][ \t]*[-\w.]+")      # PEP 263: of the first line, or of the next behind no code


def check_encoding(source, file):
    """Raises LT0101 for a file in no encoding: of what stands in comments, `compile` takes bytes that the interpreter does not."""
    try:
        source.decode()
    except UnicodeDecodeError as error:
        before = source[:error.start]
        if not _ENCODING.match(source):
            place = Place(file, before.count(b"\n") + 1, len(before.rpartition(b"\n")[2].decode()) + 1)
            raise StagingError("LT0101", "the file is not UTF-8, and declares no other encoding", place,
                               "save it as UTF-8, or name its encoding on the first line: # -*- coding: latin-1 -*-") from None


def load(file, source=None):
    """Runs the file as a module; the module. source: its text, where there is no such file."""
    try:
        if source is None:
            with open(file, "rb") as opened:
                source = opened.read()
            check_encoding(source, file)
        else:
            linecache.cache[file] = len(source), None, source.splitlines(True), file
    except OSError as error:
        raise StagingError("LT0311", f"'{file}' cannot be read: {error.strerror}", Place(file)) from None
    code = convert.compiled(source, file)
    module = python_types.ModuleType(MODULE)
    module.__file__ = file
    sys.modules[MODULE] = module
    sys.path.insert(0, os.path.dirname(os.path.abspath(file)))
    sys.argv[:] = [file]
    try:
        exec(code, vars(module))
    except StagingError:
        raise
    except Exception as error:
        raise from_exception(error) from error
    return module


def check_reply(reply, functions, request, known):
    """Checks functions, and completes the reply to a request."""
    from lantern.check import check_entries
    differences = check_entries(functions, request["calls"], request["seed"], request["dtype"], known)
    reply["diagnostics"].extend(map(diagnostic, differences))
    reply["exit"] = 1 if differences else 0


def entries(module, file, name=None):
    """The functions that the file exports: marked by lt.export, else by ag.convert(), or the one called `name`."""
    names, marked = vars(module), marked_in(module)
    if name is None:
        if not marked:
            raise StagingError("LT0311", f"'{file}' marks no entry", Place(file),
                               "mark a function by @lt.export, or name one by --entry")
        return marked
    found = names.get(name)
    if found is None or not callable(found) or isinstance(found, type):
        functions = [each for each, value in names.items() if callable(value) and not isinstance(value, type)]
        of_class = name.partition(".")[0] in names and "an entry is a function of the file: write one that makes the object, and calls its method"
        raise StagingError("LT0311", f"'{file}' has no function '{name}'", Place(file), of_class or did_you_mean(name, functions) or listed(marked))
    return [found]


def marked_in(module):
    names = vars(module)
    return list(marked_entries(names).values()) or [value for value in names.values() if getattr(value, "__lantern_ag_entry__", False)]


def listed(functions):
    """A hint that names a file's entries; None if there are none."""
    names = ", ".join(f"'{function.__name__}'" for function in functions)
    return f"its entries are {names}" if len(functions) > 1 else f"its entry is {names}" if functions else None


def parse_flags(function, file, arguments):
    """{parameter: value} of an entry's flags: of those that are known while staging, and of those that the program gets."""
    try:
        parser = flags.parser_of(function, f"lantern run {file} {function.__name__}")
    except TypeError as error:
        raise StagingError("LT0311", str(error), define_place(underlying(function)[0]), "entries that are run take bool, int, float and str") from None
    values, annotations = parsed(parser, arguments), annotations_of(function)
    statics = {name: value for name, value in values.items() if isinstance(annotations.get(name), static)}
    return statics, {name: passed(parser, name, value) for name, value in values.items() if name not in statics}


def passed(parser, name, value):
    """A value as the program gets it, in JSON, which has no infinities. What a program cannot have is an error of the command line's."""
    if isinstance(value, int) and not -2**63 <= value < 2**63:
        refuse(parser, f"argument --{name.replace('_', '-')}: {value} does not fit in 64 bits")
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def given_flags(function, file, arguments):
    """{parameter: value} of those of its parameters that are given by a flag."""
    return parsed(flags.parser_of(function, f"lantern check {file} {function.__name__}", all_optional=True), arguments)


def parsed(parser, arguments):
    parser.error, parser.print_help = functools.partial(refuse, parser), functools.partial(print_help, parser)
    try:
        return vars(parser.parse_args(arguments))
    except SystemExit:
        raise _Helped from None


def print_help(parser):
    """What argparse prints, which passes over that it cannot be written."""
    try:
        print(parser.format_help(), end="", flush=True)
    except OSError as error:
        raise cannot_write(error) from None


def refuse(parser, message):
    """Raises the error of flags that a function cannot be called with: `message` is argparse's."""
    help_ = f"{parser.prog} --help"
    unknown = re.match(r"unrecognized arguments: --([^\s=]+)", message)
    meant = unknown and nearest(unknown[1], re.findall(r"--([\w-]+)", parser.format_help()))
    raise StagingError("LT0807", f"'{parser.prog.rpartition(' ')[2]}' cannot be called with these flags: {message}", None,
                       f"did you mean '--{meant}'? See {help_}" if meant else help_)


if __name__ == "__main__":
    main()
