"""What a mistyped name is likely to have meant."""
from __future__ import annotations


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
