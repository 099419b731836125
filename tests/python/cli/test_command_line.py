"""What the command says where the command line, a file or a folder is not as it should be, and its exit codes."""
import json
import os

import pytest

import lantern as lt

AS_ROOT = os.geteuid() == 0


def test_version(lantern):
    done = lantern("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"lantern {lt.__version__}\n", "")


def test_help_is_on_standard_output(lantern):
    done = lantern("compile", "--help")
    assert done.returncode == 0
    assert "--emit" in done.stdout and "--entry" in done.stdout and done.stderr == ""


@pytest.mark.parametrize(("arguments", "message", "helps"), [
    ([], "error: a subcommand is required: compile, run, check, explore, plot, explain, doctor, completion, man [LT0810]", "lantern --help"),
    (["--verson"], "error: there is no option '--verson' [LT0810]", "did you mean '--version'? See lantern --help"),
    (["compile"], "error: FILE is required [LT0810]", "lantern compile --help"),
    (["compile", "x.py", "--emit", "asm"], "error: --emit: asm not in {analysis,python,staging,sexpr,ir,cps,cpp,so} [LT0810]",
     "lantern compile --help"),
])
def test_bad_command_line(lantern, arguments, message, helps):
    done = lantern(*arguments)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"{message}\n  hint: {helps}\n")


@pytest.mark.parametrize(("text", "hint"), [
    ("", "it is the name of the function to call"),
    ("import lantern as lt\n\n@lt.export\ndef f(): pass\n", "its entry is 'f'"),
    ("import lantern as lt\n\n@lt.export\ndef f(): pass\n\n@lt.export\ndef g(): pass\n", "its entries are 'f', 'g'"),
])
def test_no_entry_to_run(lantern, program, text, hint):
    done = lantern("run", program("model.py", text))
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"error: ENTRY is required [LT0810]\n  hint: {hint}\n")


def test_missing_file(lantern):
    done = lantern("compile", "nowhere.py")
    assert done.returncode == 4
    assert done.stderr == "error: cannot read 'nowhere.py': No such file or directory [LT0801]\n"


def test_folder_instead_of_file(lantern, tmp_path):
    (tmp_path / "model.py").mkdir()
    done = lantern("compile", "model.py")
    assert (done.returncode, done.stderr) == (4, "error: cannot read 'model.py': it is a folder [LT0801]\n")


@pytest.mark.skipif(AS_ROOT, reason="root reads everything")
def test_unreadable_file(lantern, program, tmp_path):
    name = program("model.py", "")
    (tmp_path / name).chmod(0)
    done = lantern("compile", name)
    assert (done.returncode, done.stderr) == (4, "error: cannot read 'model.py': Permission denied [LT0801]\n")


def test_unknown_suffix(lantern, program):
    done = lantern("compile", program("model.txt", ""))
    assert (done.returncode, done.stderr) == (2, "error: 'model.txt' is neither a .py nor a .sexpr file [LT0805]\n")


@pytest.mark.parametrize("stage", ["python", "staging"])
def test_emit_python_of_an_sexpr_file(lantern, program, stage):
    done = lantern("compile", program("model.sexpr", ""), "--emit", stage)
    assert (done.returncode, done.stderr) == (2, f"error: --emit {stage} is of a Python file [LT0805]\n")


def test_entry_of_an_sexpr_file(lantern, program):
    done = lantern("compile", program("model.sexpr", ""), "--emit", "sexpr", "--entry", "f")
    assert done.returncode == 2
    assert done.stderr == ("error: --entry chooses among the functions of a Python file [LT0805]\n"
                           "  hint: an .sexpr file has (export …) items\n")


def test_emit_sexpr_lays_a_program_out(lantern, program):
    done = lantern("compile", program("model.sexpr", "(define f (x) ; comment\n (let y (+ x 1.50) (let z y z)))"),
                   "--emit", "sexpr")
    assert done.returncode == 0
    assert done.stdout == "(define f (x)\n  (let y (+ x 1.5)\n  (let z y\n  z)))\n"


def test_sexpr_errors_are_all_reported_at_their_places(lantern, program):
    done = lantern("compile", program("model.sexpr", "(define f (x)\n  (+ x 12abc \"\\q\")))\n"), "--emit", "sexpr")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "model.sexpr:2:8: error: '12abc' is not a number [LT0203]\n"
        '    (+ x 12abc "\\q")))\n'
        "         ^~~~~\n"
        "  hint: an integer is digits, a float has a point or an exponent: 12, -3.5, 1e-3\n"
        "model.sexpr:2:15: error: this backslash opens no escape [LT0206]\n"
        '    (+ x 12abc "\\q")))\n'
        "                ^\n"
        "  hint: the escapes are \\\" \\\\ \\n \\t \\r and \\xHH, H a hexadecimal digit\n"
        "model.sexpr:2:20: error: this ')' closes nothing [LT0202]\n"
        '    (+ x 12abc "\\q")))\n'
        "                     ^\n"
        "  hint: take it out, or open the list it is meant to close\n"
        "3 errors\n")


def test_diagnostics_as_json(lantern, program):
    done = lantern("compile", program("model.sexpr", "(f"), "--emit", "sexpr", "--diagnostics-format=json")
    assert done.returncode == 1
    (diagnostic,) = json.loads(done.stderr)
    rendered = diagnostic.pop("rendered")
    assert rendered.startswith("model.sexpr:1:1: error: this '(' is never closed [LT0201]\n")
    assert diagnostic == {
        "code": "LT0201", "file": "model.sexpr", "line": 1, "column": 1, "end_line": 1, "end_column": 2,
        "message": "this '(' is never closed", "hint": "close it with ')'", "notes": [], "source_line": "(f",
        "outcome": 1}


def test_bad_command_line_as_json(lantern):
    done = lantern("compile", "--diagnostics-format", "json")
    assert done.returncode == 2
    assert [d["code"] for d in json.loads(done.stderr)] == ["LT0810"]


def test_five_million_parentheses_are_an_error(lantern, program):
    done = lantern("compile", program("deep.sexpr", "(" * 5_000_000), "--emit", "sexpr")
    assert done.returncode == 1
    assert "deep.sexpr:1:2000001: error: lists nest deeper than 2000000 [LT0208]" in done.stderr
    assert len(done.stderr) < 1000


def test_emit_into_a_folder(lantern, program, tmp_path):
    done = lantern("compile", program("model.sexpr", "(f  x)"), "--emit", "sexpr", "-o", "made/here", "-v")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "wrote made/here/model.sexpr\n"
    assert (tmp_path / "made/here/model.sexpr").read_text() == "(f x)\n"


def test_output_folder_that_cannot_be_made(lantern, program, tmp_path):
    (tmp_path / "taken").write_text("a file")
    done = lantern("compile", program("model.sexpr", "(f x)"), "--emit", "sexpr", "-o", "taken/out")
    assert done.returncode == 4
    assert done.stderr.startswith("error: cannot write 'taken/out/model.sexpr': ") and "[LT0802]" in done.stderr
    assert sorted(p.name for p in tmp_path.iterdir()) == ["model.sexpr", "taken"]


@pytest.mark.skipif(AS_ROOT, reason="root writes everywhere")
def test_unwritable_output_folder(lantern, program, tmp_path):
    (tmp_path / "out").mkdir(mode=0o500)
    done = lantern("compile", program("model.sexpr", "(f x)"), "--emit", "sexpr", "-o", "out")
    assert done.returncode == 4
    assert done.stderr == "error: cannot write 'out/model.sexpr': Permission denied [LT0802]\n"
    assert not list((tmp_path / "out").iterdir())


PRINTS = "import lantern as lt\n@lt.export\ndef main():\n    print('hello')\n"


@pytest.mark.parametrize("name, text, arguments", [
    ("model.sexpr", "(f x)", ("compile", "model.sexpr", "--emit", "sexpr")), ("model.py", PRINTS, ("run", "model.py", "main")),
    ("model.py", "def main(path: str): pass\n", ("check", "model.py", "main")), ("model.py", PRINTS, ("--help",))], ids=["compile", "run", "check", "help"])
def test_full_disk_behind_standard_output(lantern, program, monkeypatch, name, text, arguments):
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    program(name, text)
    with open("/dev/full", "w") as full:
        done = lantern(*arguments, stdout=full)
    assert done.returncode == 4
    assert done.stderr == "error: cannot write to standard output: No space left on device [LT0802]\n"


def test_standard_output_is_closed(lantern, program):
    """As to other commands, there is nowhere to write to then."""
    program("model.py", PRINTS)
    done = lantern("run", "model.py", "main", stdout=None, preexec_fn=lambda: os.close(1))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name, why", [("m" * 300 + ".py", "File name too long"), ("itself.py", "Too many levels of symbolic links")])
def test_a_file_that_cannot_be_looked_at(lantern, tmp_path, name, why):
    (tmp_path / "itself.py").symlink_to("itself.py")
    done = lantern("compile", name)
    assert (done.returncode, done.stderr) == (4, f"error: cannot read '{name}': {why} [LT0801]\n")
