"""How much of what could go on for hours a run of the tests does. LANTERN_THOROUGH=20 is an hour more, and what to run before a release."""
import os

THOROUGH = int(os.environ.get("LANTERN_THOROUGH", 1))


def many(count):
    """So many random programs, by default."""
    return count * THOROUGH


def one_in(step):
    """Of a long list every so many, by default: list[::one_in(3)]."""
    return max(step // THOROUGH, 1)


def one_of(ways, turn):
    """Of the ways in which a question is asked that several tests ask the one that is this test's, by default."""
    return ways if THOROUGH > 1 else [ways[turn % len(ways)]]
