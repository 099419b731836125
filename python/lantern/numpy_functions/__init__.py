"""NumPy's functions on what stands for an array: a staged value, a Parameter, what a tape records.

Each function here has NumPy's meaning for the arguments that it takes, dtypes included. Whatever else NumPy has is refused by
name. Numbers alone become arrays of rank 0 first, as NumPy makes its own scalars of them: unlike Python's numbers they
promote, and follow IEEE.
"""
from lantern.numpy_functions import (  # noqa: F401  they fill the tables
    choosing, elementwise, joining, linear_algebra, new, ordering, reductions, sampled, shapes)
from lantern.numpy_functions.calls import call_function, call_index, call_method, call_ufunc, is_one, takes  # noqa: F401
from lantern.numpy_functions.operands import FUNCTIONS, METHODS  # noqa: F401
