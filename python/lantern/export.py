"""Entries: the functions of a file that `lantern compile` compiles, and that `lantern.main()` offers on the command line."""
from __future__ import annotations

import sys


def export(function):
    """Marks a function as an entry of its file."""
    function.__lantern_export__ = True
    return function


def entries(names):
    """{name: function} of the marked functions among a module's names, in order of definition."""
    return {function.__name__: function for function in names.values()
            if callable(function) and getattr(function, "__lantern_export__", False)}


def main(arguments=None):
    """Runs an entry of the calling file, eagerly, and prints what it returns: `python FILE.py ENTRY --flags`."""
    from lantern import flags
    from lantern.shown import shown
    names = sys._getframe(1).f_globals
    marked = entries(names)
    arguments = sys.argv[1:] if arguments is None else arguments
    if not arguments or arguments[0] not in marked:
        print(f"usage: {sys.argv[0]} {{{','.join(marked)}}} [--flags]", file=sys.stderr)
        sys.exit(0 if arguments[:1] in (["-h"], ["--help"]) else 2)
    function = marked[arguments[0]]
    values = flags.parser_of(function, f"{sys.argv[0]} {arguments[0]}").parse_args(arguments[1:])
    text = shown(function(**vars(values)))
    if text is not None:
        print(text)
