"""NumPy's functions on what stands for an array: a staged value, a Parameter, what a tape records.

Each function here has NumPy's meaning for the arguments that it takes, dtypes included. Whatever else NumPy has is refused by
name. Numbers alone become arrays of rank 0 first, as NumPy makes its own scalars of them: unlike Python's numbers they
promote, and follow IEEE.

The tables of them are filled when one is first called: they need NumPy (lazy_numpy.py).
"""
from lantern.lazy_numpy import is_imported, np
from lantern.numpy_functions.operands import METHODS, holds_operators  # noqa: F401


def is_one(function):
    """Whether a function is one of NumPy's that has a counterpart."""
    try:
        return is_imported() and function in _calls().FUNCTIONS
    except TypeError:   # not hashable
        return False


def takes(function, values):
    """Whether a call of a function of NumPy's is ours: something staged, or a parameter or state, is among what it is given, in lists and tuples, too."""
    return is_one(function) and holds_operators(values)


def call_ufunc(ufunc, method, operands, keywords):
    """`ufunc(*operands, **keywords)`, or a method of it."""
    return _calls().call_ufunc(ufunc, method, operands, keywords)


def call_function(function, operands, keywords):
    """`function(*operands, **keywords)` of NumPy's."""
    return _calls().call_function(function, operands, keywords)


def call_method(name, value, operands, keywords):
    """`value.name(*operands, **keywords)` of an array."""
    return _calls().call_method(name, value, operands, keywords)


def by_elements(function):
    """The name of what NumPy has to go through arrays' elements in Python, if the function is one of these; else None."""
    if not is_imported():
        return None
    names = ("ndenumerate", "nditer", "ndindex")
    return "vectorize" if isinstance(function, np.vectorize) else next((name for name in names if function is getattr(np, name)), None)


def is_joiner(value):
    """Whether a value is np.r_ or np.c_, which make arrays of what they are indexed by."""
    return is_imported() and (value is np.r_ or value is np.c_)


def call_index(joiner, key):
    """`np.r_[key]` or `np.c_[key]`."""
    return _calls().call_index(joiner, key)


def _calls():
    from lantern.numpy_functions import calls
    return calls
