"""NumPy, imported when something of it is first used: what stages a program that does not use it need not wait for it.

    from lantern.lazy_numpy import np

`np` reads as the module. Until NumPy is imported, by whomever, its classes that are asked for are stand-ins, which nothing is an
instance of, as nothing can be one of NumPy's: an `isinstance` imports nothing. Afterwards, `np` is the module itself in every module of ours.
"""
import sys


class _StandIn(type):
    """The class of such a class. One that has been kept, in a tuple for `isinstance`, answers for NumPy's when that is there."""

    def __instancecheck__(cls, value):
        return is_imported() and isinstance(value, getattr(np, cls.__name__))

    def __subclasscheck__(cls, other):
        return is_imported() and issubclass(other, getattr(np, cls.__name__))

    def __eq__(cls, other):
        return other is cls or is_imported() and other is getattr(np, cls.__name__)

    __hash__ = None     # NumPy's class would not be found where this one is a key


class _LazyNumPy:
    """What stands for the module before it is imported."""
    _classes = {name: _StandIn(name, (), {}) for name in ("ndarray", "generic", "integer", "bool_", "str_", "ufunc", "vectorize")}

    def __getattr__(self, name):
        return self._classes[name] if name in self._classes and not is_imported() else getattr(_imported(), name)


class NoNumPy(ImportError):
    """`diagnostics`: as the command line has them."""

    def __init__(self, error):
        super().__init__(f"the Python at {sys.executable} has no working NumPy: {error}")
        self.diagnostics = [{"code": "LT0804", "message": str(self), "hint": f"{sys.executable} -m pip install numpy"}]


def is_imported():
    """Whether NumPy is there. Where it is not, nothing is an array or a number of NumPy's, and no function is."""
    return "numpy" in sys.modules


def _imported():
    """NumPy, which becomes what our modules call `np`."""
    try:
        import numpy
    except ImportError as error:
        raise NoNumPy(error) from error
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "lantern" and isinstance(vars(module).get("np"), _LazyNumPy):
            module.np = numpy
    return numpy


np = _imported() if is_imported() else _LazyNumPy()
