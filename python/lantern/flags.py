"""Command-line flags of a function: from its parameters' names, annotations, defaults, and the docstring's `Args:`.

`learning_rate: float = 0.05` becomes `--learning-rate`, a bool `--frozen/--no-frozen`; no default: required.
"""
from __future__ import annotations

import inspect
import re

from lantern.annotations import annotations_of, static

_PARSERS = {bool: None, int: int, float: float, str: str}


def parser_of(function, program=None, all_optional=False):
    """An argparse parser whose result has one attribute a parameter of `function`, by the parameter's name.

    Raises TypeError for a parameter that no flag can give a value. all_optional: such a parameter has no flag, and the result
    holds only what flags give.
    """
    import argparse     # which takes long to load, and `describe` does without
    about, help_of = describe(function)
    parser = argparse.ArgumentParser(prog=program or function.__name__, description=about, allow_abbrev=False)
    annotations = annotations_of(function)
    for name, parameter in inspect.signature(function).parameters.items():
        required = parameter.default is inspect.Parameter.empty
        kind = _kind(annotations.get(name), parameter.default)
        if kind is None and all_optional:
            continue
        if kind is None:
            what = "is not annotated as bool, int, float or str" if name not in annotations else "is neither bool, int, float nor str"
            raise TypeError(f"parameter '{name}' of {function.__name__} {what}: no flag can give it a value")
        options = {"dest": name, "required": required and not all_optional, "help": help_of.get(name, "").replace("%", "%%")}
        if all_optional:
            options["default"] = argparse.SUPPRESS
        elif not required:
            options["default"] = parameter.default
            options["help"] = (options["help"] + f" (default: {parameter.default!r})".replace("%", "%%")).strip()
        flag = "--" + name.replace("_", "-")
        if kind is bool:
            parser.add_argument(flag, action=argparse.BooleanOptionalAction, **options)
        else:
            parser.add_argument(flag, type=kind, metavar=kind.__name__.upper(), **options)
    return parser


def _kind(annotation, default):
    if isinstance(annotation, static):
        annotation = annotation.annotation
    if annotation in _PARSERS:
        return annotation
    return type(default) if annotation is None and type(default) in _PARSERS else None


def describe(function):
    """(what the docstring says first, {parameter: what its `Args:` section says})."""
    lines = (inspect.getdoc(function) or "").encode("utf-8", "replace").decode().split("\n")     # half characters (surrogates) are question marks
    about, arguments, inside, name = [], {}, False, None
    for line in lines:
        if re.fullmatch(r"Args:\s*", line):
            inside = True
        elif not inside:
            about.append(line)
        elif match := re.fullmatch(r"\s+\*{0,2}(\w+)(?:\s*\([^)]*\))?:\s*(.*)", line):
            name, arguments[match[1]] = match[1], match[2]
        elif line.startswith("  ") and name and line.strip():
            arguments[name] += " " + line.strip()
        elif line.strip():
            break
    return "\n".join(about).strip(), arguments
