"""The Python that the command starts: what it is told, what it may reply, and what may go wrong with it.

A shell script stands in for Python, so that each way of failing is at hand. Descriptor 3 takes the reply.
"""
import json
import os
import signal
import subprocess
import sys
import time

import pytest

REPLY = """cat >/dev/null
echo '{"sexpr": "(f  x)"}' >&3"""

MODEL = """import lantern as lt

@lt.export
def double(x: float = 1.0):
    return x * 2
"""


@pytest.fixture
def emit(lantern, program, python_that):
    """Compiles an empty model.py as far as its S-expressions, with a stand-in for Python."""

    def run(body, **options):
        return lantern("compile", program("model.py", ""), "--emit", "sexpr", "--python", python_that(body), **options)

    return run


def test_reply_becomes_the_program(emit):
    done = emit(REPLY)
    assert (done.returncode, done.stdout, done.stderr) == (0, "(f x)\n", "")


def test_what_the_program_prints_stays_apart_from_the_reply(emit):
    done = emit(f'echo "(hello"; echo oops >&2\n{REPLY}')
    assert (done.returncode, done.stdout, done.stderr) == (0, "(hello\n(f x)\n", "oops\n")


def test_request(lantern, program, python_that, tmp_path):
    lantern("compile", program("model.py", ""), "--emit", "ir", "--entry", "train", "--dtype", "f64", "--python",
            python_that(f"cat > request; {REPLY}"))
    assert json.loads((tmp_path / "request").read_text()) == {
        "file": "model.py", "entry": "train", "emit": "ir", "dtype": "f64", "mode": "compile", "arguments": []}


def test_flags_behind_the_entry_are_the_entrys(lantern, program, python_that, tmp_path):
    """Even those that are spelt like the command's own."""
    lantern("run", "--dtype", "f64", "--python",
            python_that("cat > request\necho '{\"exit\": 0}' >&3"), program("model.py", ""), "train", "--dtype", "x", "--help")
    request = json.loads((tmp_path / "request").read_text())
    assert (request["mode"], request["entry"], request["dtype"]) == ("run", "train", "f64")
    assert request["arguments"] == ["--dtype", "x", "--help"]


def test_environment_says_which_package_and_library_are_ours(emit, tmp_path):
    emit(f'echo "$PYTHONPATH" > path; echo "$LANTERN_PACKAGE" > package; echo "$LANTERN_LIBRARY" > library\n{REPLY}', env={"PYTHONPATH": "/theirs"})
    assert (tmp_path / "path").read_text() == "/theirs\n"
    assert os.path.exists(os.path.join((tmp_path / "package").read_text().strip(), "__init__.py"))
    assert os.path.exists((tmp_path / "library").read_text().strip())


def test_another_package_called_lantern_is_passed_over(lantern, program, tmp_path):
    (tmp_path / "lantern").mkdir()
    program("lantern/__init__.py", "raise SystemExit('the wrong one')")
    done = lantern("compile", program("model.py", MODEL), "--emit", "sexpr", env={"PYTHONPATH": str(tmp_path)})
    assert (done.returncode, done.stderr) == (0, "") and "(define double" in done.stdout


def test_the_active_environments_python_goes_before_the_wheels(lantern, program, python_that, tmp_path):
    stand_in = python_that(f"touch started\n{REPLY}")
    wheels = {"LANTERN_PYTHON": str(stand_in), "VIRTUAL_ENV": ""}
    assert lantern("compile", program("model.py", ""), "--emit", "sexpr", env=wheels).stdout == "(f x)\n"
    (tmp_path / "started").unlink()
    active = {**wheels, "VIRTUAL_ENV": sys.prefix}
    assert "(define double" in lantern("compile", program("model.py", MODEL), "--emit", "sexpr", env=active).stdout
    assert not (tmp_path / "started").exists()


def test_python_is_not_found(lantern, program):
    done = lantern("compile", program("model.py", ""), "--python", "/nowhere/python3")
    assert done.returncode == 4
    assert done.stderr == ("error: cannot start '/nowhere/python3': No such file or directory [LT0803]\n"
                           "  hint: install Python 3, or name one by --python PATH\n")


def test_no_python_on_the_path(lantern, program):
    done = lantern("compile", program("model.py", ""), env={"PATH": "/nowhere", "VIRTUAL_ENV": ""})
    assert done.returncode == 4
    assert done.stderr.startswith("error: cannot start 'python3': No such file or directory [LT0803]\n")


def test_python_is_not_executable(lantern, program):
    done = lantern("compile", program("model.py", ""), "--python", "./" + program("python", "#!/bin/sh\n"))
    assert (done.returncode, done.stderr.split("\n")[0]) == (
        4, "error: cannot start './python': Permission denied [LT0803]")


def test_python_without_numpy_names_the_remedy(emit):
    done = emit(f'exec "{sys.executable}" -S "$@"')
    assert done.returncode == 4
    assert "has no working NumPy: No module named 'numpy' [LT0804]\n  hint: " in done.stderr
    assert "-m pip install numpy, or name another Python by --python\n" in done.stderr


def test_numpy_that_does_not_load_is_said_where_it_is_used(lantern, program, tmp_path):
    (tmp_path / "broken").mkdir()
    program("broken/numpy.py", "raise ImportError('libblas.so is not there')")
    uses = "import lantern as lt\n\n@lt.export\ndef f(x: float):\n    return x * lt.constant([1.0, 2.0])\n"
    done = lantern("compile", program("uses.py", uses), "--emit", "sexpr", env={"PYTHONPATH": str(tmp_path / "broken")})
    assert done.returncode == 4 and done.stderr.startswith("uses.py:5:16: error: the Python at "), done.stderr
    assert "has no working NumPy: libblas.so is not there [LT0804]\n" in done.stderr and "-m pip install numpy" in done.stderr
    done = lantern("compile", program("model.py", MODEL), "--emit", "sexpr", env={"PYTHONPATH": str(tmp_path / "broken")})
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", ["tree_lstm", "list_ops", "rnn"])
def test_numpy_is_not_imported_for_a_program_that_does_not_use_it(command, lantern, python_that, tmp_path, name):
    """It would take as long as all else that is imported."""
    example = command.parents[2] / f"examples/{name}.py"
    done = lantern("compile", str(example), "--emit", "sexpr", "--python", python_that(f'exec "{sys.executable}" -X importtime "$@" 2> imported'))
    imported = {line.rpartition("|")[2].strip() for line in (tmp_path / "imported").read_text().splitlines()}
    assert done.returncode == 0 and "lantern.staging.entry" in imported
    assert "numpy" not in imported


def test_python_ends_without_a_reply(emit):
    done = emit("exit 7")
    assert done.returncode == 4
    assert done.stderr == ("error: Python ended with exit code 7 before the program was staged [LT0806]\n"
                           "  hint: does the file call os._exit?\n")


def test_python_is_killed(emit):
    done = emit("kill -SEGV $$")
    assert done.returncode == 4
    assert done.stderr.startswith("error: Python was ended by signal 11 (Segmentation fault) while it ran the program [LT0806]\n")


@pytest.mark.parametrize("reply", ["(f x)", "[1]", "{}", '{"sexpr": 1}', '{"diagnostics": 3}'])
def test_a_reply_that_is_not_one_is_a_bug_of_ours(emit, reply):
    done = emit(f"cat >/dev/null; echo '{reply}' >&3")
    assert done.returncode == 3
    assert done.stderr.startswith("error: this is a bug in Lantern, in ")


def test_a_child_that_keeps_the_reply_open_is_not_waited_for(emit):
    start = time.monotonic()
    done = emit(f"sleep 30 </dev/null >/dev/null 2>&1 &\n{REPLY}")
    assert (done.returncode, done.stdout) == (0, "(f x)\n")
    assert time.monotonic() - start < 20


def test_a_long_reply_arrives_whole(emit):
    done = emit("cat >/dev/null\n(printf '{\"sexpr\": \"'; head -c 3000000 /dev/zero | tr '\\0' x; printf '\"}') >&3")
    assert (done.returncode, len(done.stdout)) == (0, 3_000_001)


def test_a_python_that_does_not_read_its_request(lantern, program, python_that):
    done = lantern("run", "--python", python_that("exec 0</dev/null; sleep 0.2; echo '{\"exit\": 0}' >&3"),
                   program("model.py", ""), "train", *(["x" * 100_000] * 5))
    assert (done.returncode, done.stderr) == (0, "")


def test_diagnostics_in_the_reply_are_shown_as_ours(emit, program):
    reply = {"diagnostics": [
        {"code": "LT0301", "file": "model.py", "line": 2, "column": 10, "end_line": 2, "end_column": 11,
         "message": "'h' may have no value here", "hint": "set it before the 'if'", "notes": ["it is set in one branch"],
         "source_line": "  return h"}]}
    program("reply", json.dumps(reply))
    done = emit("cat >/dev/null; cat reply >&3")
    assert done.returncode == 1
    assert done.stderr == ("model.py:2:10: error: 'h' may have no value here [LT0301]\n"
                           "    return h\n"
                           "           ^\n"
                           "note: it is set in one branch\n"
                           "  hint: set it before the 'if'\n")


SHOWN = '''import lantern as lt

@lt.export
def show(n: int, x: float = float("inf"), y: float = 1.0):
    """Shows 100% of it.

    Args:
        n: 50% of it
        x: %d
    """
    print(n, x, y)
'''


@pytest.mark.parametrize(("flags", "message", "hint"), [
    ((), "the following arguments are required: --n", "lantern run model.py show --help"),
    (("--n", "1", "--depth", "2"), "unrecognized arguments: --depth 2", "lantern run model.py show --help"),
    (("--n", "1", "--hlep"), "unrecognized arguments: --hlep", "did you mean '--help'? See lantern run model.py show --help"),
    (("--n", "many"), "argument --n: invalid int value: 'many'", "lantern run model.py show --help"),
])
def test_flags_that_the_entry_does_not_take(lantern, program, flags, message, hint):
    done = lantern("run", program("model.py", SHOWN), "show", *flags)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"error: 'show' cannot be called with these flags: {message} [LT0807]\n  hint: {hint}\n")


def test_numbers_that_flags_give(lantern, program):
    file = program("model.py", SHOWN)
    assert lantern("run", file, "show", "--n", "9223372036854775807", "--y", "nan").stdout == "9223372036854775807 inf nan\n"
    assert lantern("run", file, "show", "--n=-9223372036854775808", "--x=-inf", "--y", "1e400").stdout == "-9223372036854775808 -inf inf\n"
    done = lantern("run", file, "show", "--n", "9223372036854775808")
    assert done.returncode == 2 and "these flags: argument --n: 9223372036854775808 does not fit in 64 bits [LT0807]\n" in done.stderr
    helped = lantern("run", file, "show", "--help")
    assert helped.returncode == 0 and "50% of it\n" in helped.stdout and "%d (default: inf)\n" in helped.stdout


@pytest.fixture
def interrupted(command, tmp_path):
    """interrupted("compile", …) is interrupted once there is a file `started`, as by a terminal, which sends the signal to the whole group. → its status, and stderr."""

    def run(*arguments):
        process = subprocess.Popen([command, *arguments], cwd=tmp_path, start_new_session=True, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                   preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))  # a shell's background ignores it
        deadline = time.monotonic() + 30
        while not (tmp_path / "started").exists():
            assert time.monotonic() < deadline
            time.sleep(0.02)
        time.sleep(0.2)
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=30)
        return process.returncode, errors

    return run


@pytest.mark.parametrize("body", ["touch started; exec sleep 60", "trap 'exit 1' INT; touch started; sleep 60"], ids=["by the signal", "by an error"])
def test_an_interrupt_ends_both(interrupted, program, python_that, body):
    status, errors = interrupted("compile", program("model.py", ""), "--python", python_that(body))
    assert (status, errors) == (-signal.SIGINT, "")


WAITS = "import pathlib, time\nimport lantern as lt\nimport lantern.autograph as ag\n\n@ag.do_not_convert\ndef wait():\n    pathlib.Path('started').touch()\n    time.sleep(60)\n\n"


@pytest.mark.parametrize("body", ["wait()\n", "@lt.export\ndef f():\n    wait()\n"], ids=["as the file is loaded", "as it is staged"])
def test_an_interrupt_has_no_traceback(interrupted, program, tmp_path, body):
    assert interrupted("compile", program("model.py", WAITS + body), "-o", "made") == (-signal.SIGINT, "")
    assert not (tmp_path / "made").exists()


def test_an_interrupt_that_the_file_handles(interrupted, program, tmp_path):
    handles = "try:\n    wait()\nexcept KeyboardInterrupt:\n    pass\n\n@lt.export\ndef f(x: float):\n    return x\n"
    assert interrupted("compile", program("model.py", WAITS + handles), "-o", "made") == (0, "")
    assert (tmp_path / "made" / "model.h").exists()
