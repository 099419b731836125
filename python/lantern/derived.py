"""Classes that are derived from Python's numbers and texts, and from NumPy's arrays: arithmetic of their own is none of compiled code's."""
import functools

from lantern.lazy_numpy import np

# What of a class decides neither what operators give nor what it is as a number.
_BESIDE = frozenset(("__new__", "__init__", "__init_subclass__", "__subclasshook__", "__class__", "__doc__", "__repr__", "__str__", "__format__", "__hash__", "__dir__",
                     "__sizeof__", "__reduce__", "__reduce_ex__", "__getnewargs__", "__getattribute__", "__setattr__", "__delattr__", "__getstate__", "__getformat__", "__setformat__"))


@functools.lru_cache(maxsize=1000)
def has_meaning_of_its_own(kind, base):
    """Whether operators may give another thing of a `kind` than of the `base`, of Python's, that it is derived from."""
    special = (name for name in vars(base) if name.startswith("__") and name not in _BESIDE)
    return kind is not base and any(getattr(kind, name) is not getattr(base, name) for name in special)


def check(value, what=""):
    """Raises TypeError for masked arrays, matrices and other arrays of a class of their own, and for numbers and texts that compute in a way of their own.

    what: it is, in the error.
    """
    kind, what = type(value), what and f"{what}: "
    if issubclass(kind, np.ndarray):
        if kind is not np.ndarray and kind is not np.memmap:
            raise TypeError(f"{what}an array of the class {kind.__name__!r}, which may compute in a way of its own, has no staged counterpart: "
                            "np.asarray(…) has its elements alone")
    elif not issubclass(kind, np.generic):
        base = next((base for base in (int, float, str) if issubclass(kind, base)), None)
        if base and has_meaning_of_its_own(kind, base):
            raise TypeError(f"{what}a value of type {kind.__name__!r}, which computes in a way of its own, has no staged counterpart: {base.__name__}(…) of it has")
