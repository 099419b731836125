"""`functools.lru_cache` and `functools.cache` of a function that the program makes, while it is staged:

    @functools.cache
    def ways(i, rest): ...

The function that looks for its arguments in a dict of the program's, which keeps all that it has given. That a cache of Python's forgets what is
oldest, of more than `maxsize`, is seen by nothing but how often the function runs.
"""
from __future__ import annotations

import functools

from lantern.staging import library
from lantern.staging.errors import StagingError

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


def made(trace, cache, at):
    """What stands for a cache of Python's that is made here: of a function of the user's, by values alone."""
    from lantern.staging.calls import is_users, underlying
    parameters, function = cache.cache_parameters(), cache.__wrapped__
    if parameters["typed"] or parameters["maxsize"] == 0 or not is_users(underlying(function)[0]):
        return cache

    def key_of(arguments, keywords):
        if keywords:
            raise StagingError("LT0310", f"'{function.__name__}', which looks for its arguments in a cache, is called with keywords", trace.place(),
                               "give it all its arguments by position")
        return arguments if len(arguments) > 1 else arguments[0] if arguments else 0

    trace.at = at
    cached, cached.cache_clear = _made(trace, function, key_of)
    return cached
