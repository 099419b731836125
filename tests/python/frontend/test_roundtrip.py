"""Files that CPython's own compile() accepts mean the same after parse and unparse: the standard library of this Python and of the
others on the machine, each judged by its own interpreter, and NumPy's. One in six, or all (thorough.py)."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import pytest
import roundtrip_files
from roundtrip import Roundtrip
from thorough import one_in

HERE = pathlib.Path(__file__).resolve().parent
STDLIB = roundtrip_files.standard_library()
SAMPLE = one_in(9)

# The grammar (tree-sitter-python 0.23.6) refuses what ast.parse() takes, though compile() does not: clearly, too.
REFUSED = {
    "test/test_future_stmt/badsyntax_future8.py",  # `from __future__ import *`
}
# Syntax that came with Python 3.12: type parameters, `type X = …`, and f-strings with line ends or their own
# quotes in a field. Each file that is refused says so at its line; may only shrink.
KNOWN_FAILURES_3_12 = {
    "dataclasses.py", "typing.py", "test/test_builtin.py", "test/test_codecs.py", "test/test_dataclasses/__init__.py",
    "test/test_fstring.py", "test/test_funcattrs.py", "test/test_functools.py",
    "test/test_inspect/inspect_stringized_annotations_pep695.py", "test/test_reprlib.py", "test/test_type_aliases.py",
    "test/test_type_params.py", "test/test_typing.py", "test/typinganndata/ann_module695.py",
    "test/typinganndata/mod_generics_cache.py",
}


def library_of(python):
    run = subprocess.run([python, "-c", "import sysconfig; print(sysconfig.get_paths()['stdlib'])"], capture_output=True, text=True)
    return run.stdout.strip()


def others():
    """{version: interpreter} of the other Pythons that run here, from 3.9 on: in PATH, or installed by pyenv."""
    pyenv = pathlib.Path(os.environ.get("PYENV_ROOT", pathlib.Path.home() / ".pyenv")) / "versions"
    found = {}
    for minor in range(9, 15):
        here = [shutil.which(f"python3.{minor}"), *sorted(map(str, pyenv.glob(f"3.{minor}.*/bin/python3")))]
        if minor != sys.version_info.minor:
            found.update({f"3.{minor}": path for path in here if path and library_of(path)})
    return found


def report(result, known):
    failures = {name: reason for name, reason in result["failures"].items() if name not in known}
    assert result["checked"] > 20
    assert not failures, f"{len(failures)} of {result['checked']} files:\n" + "\n".join(list(failures.values())[:40])


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="the tree is that of Python 3.11's grammar")
def test_standard_library():
    report(roundtrip_files.check(STDLIB, SAMPLE), set())


OTHERS = others()
OLDEST_AND_NEWEST = [*OTHERS][:1] + [*OTHERS][1:][-1:]      # what lies between is for the most part in one of them
OF_OTHERS = 3 * SAMPLE      # most of what they hold is in this Python's library, too


@pytest.mark.slow
@pytest.mark.parametrize("version", OLDEST_AND_NEWEST)
def test_other_standard_libraries(version):
    done = [STDLIB, *(library_of(OTHERS[other]) for other in OLDEST_AND_NEWEST[:OLDEST_AND_NEWEST.index(version)])]
    command = [OTHERS[version], HERE / "roundtrip_files.py", library_of(OTHERS[version]), str(OF_OTHERS), *done]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode and "No module named" in run.stderr:
        pytest.skip(f"Python {version} comes without a module that the test needs: {run.stderr.splitlines()[-1]}")
    assert run.returncode == 0, run.stderr
    report(json.loads(run.stdout), KNOWN_FAILURES_3_12)


@pytest.mark.slow
def test_numpy():
    numpy = pytest.importorskip("numpy")
    report(roundtrip_files.check(pathlib.Path(numpy.__file__).parent, SAMPLE), set())


def test_refused_clearly():
    with Roundtrip() as roundtrip:
        for known in sorted(REFUSED):
            if (STDLIB / known).exists():
                answer = roundtrip.answer(STDLIB / known)
                assert answer["code"] == "LT0101" and answer["line"] > 0 and "^" in answer["error"]
