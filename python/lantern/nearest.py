"""What a mistyped name is likely to have meant."""
from __future__ import annotations

import builtins
import re

from lantern import habits


def nearest(name, known):
    """The known name that is most like it; None if none is. One of the same letters comes first: 'tanh' for 'tahn'."""
    import difflib  # where a name is not known alone: it takes time to load
    near = difflib.get_close_matches(name, known)
    near.sort(key=lambda each: sorted(each) != sorted(name))
    return near[0] if near else None


def did_you_mean(name, known):
    """The question that a hint asks; None if no known name is near."""
    near = nearest(name, known)
    return near and f"did you mean '{near}'?"


_UNEXPECTED = r"(\w+)(?:\.__init__)?\(\) got an unexpected keyword argument '(\w+)'"


def hint_of(exception):
    """What a name that an exception says is not known is likely to have meant; None if there is nothing. Python 3.10 says which it was."""
    name, traceback = getattr(exception, "name", None), exception.__traceback__
    keyword = re.search(_UNEXPECTED, str(exception)) if isinstance(exception, TypeError) else None
    if keyword:
        return habits.of_keyword(*keyword.groups())
    if not isinstance(name, str):
        return None
    if isinstance(exception, AttributeError) and hasattr(exception, "obj"):
        habit = habits.of_object(exception.obj, name)
        if habit:
            return habit
        names = dir(exception.obj)
    elif isinstance(exception, NameError) and traceback is not None:
        while traceback.tb_next is not None:
            traceback = traceback.tb_next
        frame = traceback.tb_frame
        names = [*frame.f_locals, *frame.f_globals, *dir(builtins)]
    else:
        return None
    return did_you_mean(name, [each for each in names if not each.endswith("__") and each != name])
