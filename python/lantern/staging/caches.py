"""`functools.lru_cache` and `functools.cache` of a function that the program makes, while it is staged, or that was there before:

    @functools.cache
    def ways(i, rest): ...

The function that looks for its arguments in a dict of the program's, which keeps all that it has given. That a cache of Python's forgets what is
oldest, of more than `maxsize`, is seen by nothing but how often the function runs.
"""
from __future__ import annotations

import functools

from lantern.staging import library
from lantern.staging.errors import Place, StagingError, note_tracing

KIND = type(functools.lru_cache(len))


def _cached(function, key_of):
    memo = {}

    def cached(*arguments, **keywords):
        key = key_of(arguments, keywords)
        if key in memo:
            return memo[key]
        result = function(*arguments)
        memo[key] = result
        return result

    def cache_clear():
        memo.clear()

    return cached, cache_clear


_made = library.define(_cached)


def can_be_made(cache):
    from lantern.staging.calls import is_users, underlying
    parameters = cache.cache_parameters()
    return not parameters["typed"] and parameters["maxsize"] != 0 and is_users(underlying(cache.__wrapped__)[0])


def stand_in(trace, cache, at):
    """What stands for a cache of Python's that is made here: of a function of the user's, by values alone."""
    function = cache.__wrapped__
    if not can_be_made(cache):
        return cache

    def key_of(arguments, keywords):
        if keywords:
            raise StagingError("LT0310", f"'{function.__name__}', which looks for its arguments in a cache, is called with keywords", trace.place(),
                               "give it all its arguments by position")
        return arguments if len(arguments) > 1 else arguments[0] if arguments else 0

    trace.at = at
    cached, cached.cache_clear = _made(trace, function, key_of)
    return cached


class Defined:
    """Where a function is defined."""

    def __init__(self, code):
        self.place = Place(code.co_filename, code.co_firstlineno, 1)


class Caches:
    """Caches that were there before the trace. A function that calls one of these makes one of its own where it begins, once the trace has learned of
    that; what it calls finds that in turn."""

    def __init__(self, trace):
        self._trace = trace
        self._wanted = {}       # code of a function → the caches that it calls
        self._made = {}         # (id of a frame, id of a cache) → (the frame, the cache, what stands for it there)

    def begin(self, frame):
        """A function is traced from its beginning."""
        for cache in self._wanted.get(frame.specialisation.function.__code__, ()):
            self._make(Defined(cache.__wrapped__.__code__), frame, cache)

    @note_tracing
    def _make(self, made, frame, cache):
        """made: says where what is made here is of the user's, by which its dict is told from those of other caches."""
        self._made[id(frame), id(cache)] = frame, cache, stand_in(self._trace, cache, self._trace.at)

    def find(self, cache, own, error):
        """What stands for a cache here; the error, if nothing can, as of a method. own: the object that it is one of."""
        frame = self._trace.frame
        while frame is not None:
            known = self._made.get((id(frame), id(cache)))
            if known is not None:
                return known[2]
            frame = frame.outer
        if self._trace.frame is not None and not own and can_be_made(cache) and not _OF_EFFECTS & set(cache.__wrapped__.__code__.co_names):
            error.cache = self._trace.frame.specialisation.function.__code__, cache
        self._trace.lessons.take(error)
        return None

    def learn(self, error):
        """Whether an error is not there any more once a function makes its own cache."""
        code, cache = getattr(error, "cache", (None, None))
        known = self._wanted.setdefault(code, [])
        if cache is None or any(cache is each for each in known):
            return False
        known.append(cache)
        return True


_OF_EFFECTS = {"print", "random"}       # which would be there again in each call of what is compiled
