"""`lantern check FILE.py`: each entry runs as plain Python and compiled, on random arguments, and must give the same.

Compared are results, what is printed, exceptions, parameters afterwards, and, of a function that gives a number, its gradient
with finite differences of the plain function. Where something differs, the operator that differs first is named.
"""
from lantern.check.entries import check_entries  # noqa: F401
