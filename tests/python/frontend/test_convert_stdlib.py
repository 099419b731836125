"""Files of the standard library that CPython compiles still compile when they are converted: one in ten, or all (thorough.py)."""

import pathlib
import resource
import sysconfig
import warnings

import pytest
from converter import Converter
from thorough import one_in

STDLIB = pathlib.Path(sysconfig.get_paths()["stdlib"])
# Refused by the Python grammar itself; test_roundtrip.py lists them too.
NOT_PARSED = {"test/test_compile.py", "test/badsyntax_future8.py"}


def files():
    return sorted(p for p in STDLIB.rglob("*.py") if "site-packages" not in p.parts)[::one_in(10)]


def compiles(source, name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(source, name, "exec", dont_inherit=True)
        except (SyntaxError, ValueError) as error:
            return f"{type(error).__name__}: {error}"
    return None


@pytest.mark.slow
def test_converted_standard_library_compiles():
    wrong, converted, left_alone = [], 0, {}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with Converter() as converter:
        for path in files():
            name = path.relative_to(STDLIB).as_posix()
            if name in NOT_PARSED:
                continue
            reply = converter.answer(path)
            problem = reply.get("error") or compiles(reply["code"], name)
            if problem:
                if not compiles(path.read_bytes(), name):   # as it stands CPython takes it
                    wrong.append(f"{name}: {problem}")
                continue
            converted += reply["code"].count("ag__.converted\n")
            for _function, code, _reason, _line in reply["left_alone"]:
                left_alone[code] = left_alone.get(code, 0) + 1
    print(f"{converted} functions converted, left alone: {left_alone}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{seconds:.1f} s on one core")
    assert not wrong, "\n".join(wrong)
    assert seconds < 60
    assert converted > 20 * sum(left_alone.values())
