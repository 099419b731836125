"""The names of the AutoGraph paper's listings: `import lantern.autograph as ag`."""
from __future__ import annotations

import functools
import inspect
import textwrap

from lantern.dispatch import active_trace
from lantern.ops import stack  # noqa: F401
from lantern.staging.calls import do_not_convert  # noqa: F401
from lantern.staging.convert import convert_text, converted


def convert(recursive=True):
    """`@ag.convert()`: a function that staged values may reach; an entry of a file that marks none by `@lt.export`.

    Called with Python values it does what the plain function does. `recursive` is accepted as in the paper; the functions that
    it calls are always converted.
    """
    del recursive

    def decorate(function):
        @functools.wraps(function)
        def wrapper(*arguments, **keywords):
            trace = active_trace()
            if trace is None:
                return function(*arguments, **keywords)
            from lantern.staging.calls import call
            return call(trace, function, arguments, keywords, None)

        wrapper.__lantern_function__ = function
        wrapper.__lantern_ag_entry__ = True
        return wrapper
    return decorate


def to_graph(function):
    """The converted twin of a function."""
    return converted(getattr(function, "__lantern_function__", function))


def to_code(function):
    """The converted source of a function."""
    function = getattr(function, "__lantern_function__", function)
    source = inspect.getsource(inspect.getmodule(function))
    code = function.__code__
    reply = convert_text(source, code.co_filename, {"line": code.co_firstlineno, "name": code.co_name})
    if "unconverted" in reply:
        return textwrap.dedent(inspect.getsource(function))
    return reply["code"]
