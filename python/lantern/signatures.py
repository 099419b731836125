"""The signature of a function: before 2.4, NumPy does not say those of its own that go element by element."""
import inspect

from lantern.lazy_numpy import np


def signature_of(function):
    """As `inspect.signature`. Of a ufunc of NumPy's: (x, /, **keywords), or (x1, x2, /, **keywords), as newer ones say themselves."""
    try:
        return inspect.signature(function)
    except ValueError:
        if not isinstance(function, np.ufunc):
            raise
    names = ["x"] if function.nin == 1 else [f"x{number}" for number in range(1, function.nin + 1)]
    own = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_ONLY) for name in names]
    return inspect.Signature([*own, inspect.Parameter("keywords", inspect.Parameter.VAR_KEYWORD)])
