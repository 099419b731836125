"""Random control flow, staged, against plain Python: a program is refused only where some path reads a variable without a value."""
import itertools
import sys

import pytest

from control_flow_programs import CALLS, Skeleton
from interpreter import Machine, Raised
from lantern.staging import entry
from lantern.staging.errors import StagingError
from staged_source import module_of

sys.path[:0] = [__file__.rsplit("/", 2)[0] + folder for folder in ("/lists", "/random")]
from compiled import INTERNAL  # noqa: E402
from compiled_table import Table, outcome  # noqa: E402

SEED = 7
PRELUDE = "YES, NO = True, False\n"
CERTAIN, UNSURE = 240, 80     # programs whose variables have a value wherever they are read, and those where some path has none
COMPILED = 40                 # of those that are accepted; the others are interpreted


def skeletons(unbound, count):
    made = (Skeleton(SEED, number) for number in itertools.count())
    return list(itertools.islice((each for each in made if each.unbound is unbound), count))


@pytest.fixture(scope="module")
def programs(converter):
    return {each.number: each for each in (*skeletons(False, CERTAIN), *skeletons(True, UNSURE))}


@pytest.fixture(scope="module")
def staged(programs):
    """({number: the plain function}, {number: the text of its program}, {number: the error} of those that are not staged)."""
    plain, texts, errors = {}, {}, {}
    for number, program in programs.items():
        plain[number] = vars(module_of(PRELUDE + program.text))[f"program_{number}"]
        try:
            texts[number] = entry.program_text(*entry.stage_entries([plain[number]]), locations=False)
        except StagingError as error:
            errors[number] = error
    return plain, texts, errors


def test_only_what_is_unbound_is_refused(programs, staged):
    plain, _, errors = staged
    for number, error in errors.items():
        program, results = programs[number], {outcome(plain[number], call) for call in CALLS}
        always_raises = error.code == "LT0309" and results <= {"ValueError", "UnboundLocalError"}
        assert always_raises or program.unbound and error.code in ("LT0301", "LT0302"), f"{program.text}\n{error}"
        assert not INTERNAL.search(str(error)), str(error)
    assert len(errors) < UNSURE + CERTAIN / 10      # a program that always raises has no result to compile


def test_what_is_accepted_does_as_python_does(programs, staged):
    plain, texts, _ = staged
    for number, text in texts.items():
        name, machine = f"program_{number}", Machine(text)
        for call in CALLS:
            try:
                got = machine.call(name, *call)
            except Raised as error:
                got = error.kind
            assert got == outcome(plain[number], call), f"{call}\n{programs[number].text}\n{text}"


def test_compiled_it_does_as_python_does(programs, staged):
    accepted = [programs[number] for number in staged[1]][-COMPILED:]
    names = [f"program_{each.number}" for each in accepted]
    table = Table(PRELUDE + "\n".join(each.text for each in accepted), names)
    for name, program in zip(names, accepted):
        for call in CALLS:
            assert outcome(table.compiled[name], call) == outcome(table.plain[name], call), f"{call}\n{program.text}"
