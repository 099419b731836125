"""What is printed of what an entry returns, by `lantern run FILE ENTRY` (staging/shown_results.py) and by `python FILE ENTRY`."""
from __future__ import annotations

from lantern.lazy_numpy import np
from lantern.staging.definitions import text_of_array

_KINDS = (bool, int, float, str, type(None))


def shown(value):
    """Its text, which is print's but that arrays are lists, and large ones their shapes; None: it is not printed."""
    if value is None or not _has_text(value):
        return None
    return value if type(value) is str else _text(value)


def _has_text(value):
    if type(value) in (list, tuple, dict):
        return all(map(_has_text, value.values() if type(value) is dict else value))
    return type(value) in _KINDS or isinstance(value, (np.ndarray, np.generic))


def _text(value):
    if isinstance(value, np.ndarray) and value.ndim:
        return text_of_array(value)
    if isinstance(value, (np.ndarray, np.generic)):
        return str(value)
    if type(value) is dict:
        return "{" + ", ".join(f"{key!r}: {_text(each)}" for key, each in value.items()) + "}"
    if type(value) in (list, tuple):
        begin, end = "[]" if type(value) is list else "()"
        return begin + ", ".join(map(_text, value)) + ("," if type(value) is tuple and len(value) == 1 else "") + end
    return repr(value)
