"""What goes with every subcommand: help, suggestions, standard input and output, quiet and verbose; and the subcommands about the command itself."""
import os
import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
SUBCOMMANDS = ["compile", "run", "check", "explore", "plot", "explain", "doctor", "completion", "man"]
PROGRAM = """\
import lantern as lt


@lt.export
def double(x: float = 1.0):
    print("twice", x * 2)
    return x * 2
"""


def test_every_subcommand_is_listed(lantern):
    listed = lantern("--help").stdout.partition("Subcommands:\n")[2].partition("\n\n")[0]
    assert [line.split()[0] for line in listed.splitlines()] == SUBCOMMANDS


@pytest.mark.parametrize("subcommand", SUBCOMMANDS)
def test_every_help_has_an_example(lantern, subcommand):
    done = lantern(subcommand, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(rf"Examples:\n.*lantern {subcommand}", done.stdout), done.stdout


@pytest.mark.parametrize(("arguments", "message", "hint"), [
    (["comple", "x.py"], "there is no subcommand 'comple'", "did you mean 'compile'? See lantern --help"),
    (["--diagnostics-format", "text"], "a subcommand is required: compile, run, check, explore, plot, explain, doctor, completion, man", "lantern --help"),
    (["frobnicate"], "there is no subcommand 'frobnicate'", "lantern --help"),
    (["compile", "x.py", "--emitt", "cpp"], "there is no option '--emitt'", "did you mean '--emit'? See lantern compile --help"),
    (["explore", "x.py", "--shedule=auto"], "there is no option '--shedule'", "did you mean '--schedule'? See lantern explore --help"),
    (["compile", "x.py", "--verbsoe"], "there is no option '--verbsoe'", "did you mean '--verbose'? See lantern compile --help"),
    (["compile", "x.py", "--emit", "cp"], "--emit: cp not in {analysis,python,staging,sexpr,ir,cps,cpp,so}", "did you mean 'cps'? See lantern compile --help"),
])
def test_what_is_mistyped_is_guessed(lantern, arguments, message, hint):
    done = lantern(*arguments)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"error: {message} [LT0810]\n  hint: {hint}\n")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("line", "code", "hint"), [
    ("y = lt.sigmoyd(x)", "LT0309", "did you mean 'sigmoid'?"),
    ("y = lt.tahn(x)", "LT0309", "did you mean 'tanh'?"),
    ("scale = 2.0; y = scael * x", "LT0301", "did you mean 'scale'?"),
    ("y = zzzzzz * x", "LT0301", None),
    ("y = lt.Adam(0.1)", "LT0309", "write lt.optim.Adam"),
    ("lt.Matrix(n)", "LT0309", 'an array is annotated by its shape: x: lt.Tensor["n"], lt.Tensor["n", 2], or lt.Tensor[lt.f64, "n"]'),
    ("lt.no_grad()", "LT0309", "leave it out: gradients are taken where lt.value_and_grad is called, and nowhere else"),
    ("y = lt.cat([x, x])", "LT0309", "write lt.concat"),
    ("lt.optim.Adam(0.1).zero_grad()", "LT0309", "leave it out: gradients are a value, and each call of lt.value_and_grad gives new ones"),
    ("lt.optim.SGD(lr=0.1)", "LT0309", "what is 'lr' elsewhere is learning_rate here"),
    ("f = lambda a: a; y = f(dim=0)", "LT0309", None),
    ("y = lt.sum(lt.ones(3), dim=0)", "LT0309", "what is 'dim' elsewhere is axis here"),
    ("y = lt.ones(3).softmax()", "LT0310", "write lt.softmax(x)"),
    ("y = lt.ones(3).tanh()", "LT0310", "write lt.tanh(x)"),
    ("y = lt.ones(3).cuda()", "LT0310", "leave it out: programs run on the processor"),
])
def test_names_in_python_are_guessed(lantern, program, line, code, hint):
    done = lantern("compile", program("model.py", PROGRAM.replace("print(\"twice\", x * 2)", line)), "--emit", "sexpr")
    assert done.returncode == 1 and f"[{code}]" in done.stderr
    assert re.findall(r"hint: (.*)", done.stderr) == ([hint] if hint else [])


@pytest.mark.parametrize(("text", "code", "hint"), [
    ("(define f ((x f64)) (sigmoyd x))", "LT0236", "did you mean 'sigmoid'?"),
    ("(define twice ((x f64)) (+ x x)) (define f ((x f64)) (twcie x))", "LT0236", "did you mean 'twice'?"),
    ("(define f ((value f64)) (+ vaule 1.0))", "LT0231", "did you mean 'value'?"),
    ("(parameter weight (tensor f32 2) (fill 0.0)) (define f () (initialize wieght 2))", "LT0233", "did you mean 'weight'?"),
    ("(define f ((x f64)) (+ qqqq 1.0))", "LT0231", "bind it with let, or make it a formal of the function"),
])
def test_names_in_s_expressions_are_guessed(lantern, program, text, code, hint):
    done = lantern("compile", program("model.sexpr", text), "--emit", "ir")
    assert done.returncode == 1
    assert f"[{code}]" in done.stderr and f"  hint: {hint}\n" in done.stderr


def test_a_mistyped_entry_is_guessed(lantern, program):
    done = lantern("compile", program("model.py", PROGRAM), "--entry", "doubel", "--emit", "sexpr")
    assert done.returncode == 1 and "has no function 'doubel'" in done.stderr and "hint: did you mean 'double'?" in done.stderr


# --- standard input and output ---


def test_python_on_standard_input(command, tmp_path):
    def lantern(*arguments, text=PROGRAM):
        return subprocess.run([command, *arguments], cwd=tmp_path, input=text, capture_output=True, text=True, timeout=120)

    (tmp_path / "double.py").write_text(PROGRAM)
    from_file = lantern("compile", "double.py", "--emit", "cpp")
    from_input = lantern("compile", "-", "--emit", "cpp", "-o", "-")
    assert from_input.returncode == 0, from_input.stderr
    assert from_input.stdout.replace("stdin_program", "double_").replace("<stdin>", "double.py") == from_file.stdout
    assert lantern("compile", "-", "--emit", "staging").stdout == lantern("compile", "double.py", "--emit", "staging").stdout
    assert lantern("run", "-", "double", "--x", "4").stdout == "twice 8.0\n8.0\n"
    wrong = lantern("compile", "-", "--emit", "sexpr", text=PROGRAM.replace("return x", "return y"))
    assert (wrong.returncode, wrong.stdout) == (1, "")
    assert wrong.stderr.startswith("<stdin>:7:12: error: name 'y' is not defined [LT0301]\n      return y * 2\n             ^\n")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["double.py"]
    page = lantern("explore", "-", "-o", "-").stdout
    assert page.startswith("<!doctype html>") and "<stdin>" not in page.partition("<body>")[0]


def test_s_expressions_on_standard_input(command):
    def lantern(text):
        return subprocess.run([command, "compile", "-", "--emit", "sexpr"], input=text, capture_output=True, text=True, timeout=60)

    assert lantern("; a comment\n(define f (x)   x)").stdout == "(define f (x) x)\n"
    assert lantern("(define f (x").stderr.startswith("<stdin>:1:")


def test_two_files_do_not_go_to_standard_output(lantern, program):
    done = lantern("compile", program("model.py", PROGRAM), "-o", "-")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == ("error: a header and a source do not go to standard output together [LT0805]\n"
                           "  hint: --emit cpp prints both as one text\n")


def test_verbose_and_quiet(lantern, program):
    name = program("model.py", "import warnings\nwarnings.warn('careful')\n" + PROGRAM)
    plain = lantern("compile", name, "-o", "out")
    assert "careful" in plain.stderr and "wrote" not in plain.stderr
    verbose = lantern("-v", "compile", name, "-o", "out")
    assert "wrote out/model.cpp\nwrote out/model.h\n" in verbose.stderr and "lantern: 'double' is converted\n" in verbose.stderr
    assert lantern("compile", name, "-o", "out", "--quiet").stderr == ""
    assert "LT0801" in lantern("compile", "missing.py", "-q").stderr


# --- about the command itself ---


def test_explain(lantern):
    done = lantern("explain", "lt0301")
    assert done.returncode == 0
    assert done.stdout.startswith("LT0301\n\nA variable has no value here")
    assert "\nmodel.py:\n\n    import lantern as lt\n" in done.stdout and "```" not in done.stdout
    codes = re.findall(r"^## (LT\d{4})$", "".join(page.read_text() for page in (ROOT / "docs/errors").glob("*.md")), re.MULTILINE)
    listed = lantern("explain").stdout.splitlines()
    assert [line.split()[0] for line in listed] == sorted(codes)
    assert all(len(line) > 12 for line in listed)


def test_explain_leaves_code_as_it_is(lantern):
    assert "`def f[T](x)`" in lantern("explain", "LT0159").stdout and "`def f[T](x)`" in lantern("explain").stdout


def test_explain_what_there_is_not(lantern):
    done = lantern("explain", "LT9999")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: there is no diagnostic 'LT9999' [LT0805]\n  hint: ")


def test_doctor(lantern):
    done = lantern("doctor")
    assert (done.returncode, done.stderr) == (0, "")
    found = dict(re.findall(r"^  ok       (.{12}) (.*)$", done.stdout, re.MULTILINE))
    assert {name.strip() for name in found} >= {"command", "headers", "library", "package", "Python", "NumPy", "C++ compiler", "building"}
    assert re.fullmatch(r"a program was built in \d+\.\d s", found["building    "])
    assert done.stdout.endswith("\nNothing is missing.\n")


def test_doctor_says_what_is_missing_and_how_to_get_it(lantern, python_that):
    done = lantern("doctor", "--python", python_that("exit 1"), env={"LANTERN_CXX": "no-such-compiler"})
    assert done.returncode == 4
    assert "missing  Python" in done.stdout and "→ apt-get install python3" in done.stdout
    assert "missing  C++ compiler there is no C++ compiler 'no-such-compiler'" in done.stdout and "→ apt-get install g++" in done.stdout
    assert "missing  building" in done.stdout
    assert done.stdout.endswith("\n3 things are missing.\n")


def completions(command, *words):
    """What bash offers for the last word."""
    script = f"source <({command} completion bash); COMP_WORDS=({' '.join(repr(word) for word in words)}); COMP_CWORD={len(words) - 1}; _lantern; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    return done.stdout.split()


def test_bash_completes(command, tmp_path):
    assert completions(command, "lantern", "comp") == ["compile", "completion"]
    assert "--emit" in completions(command, "lantern", "compile", "--")
    assert completions(command, "lantern", "compile", "--emit", "cp") == ["cps", "cpp"]
    assert completions(command, "lantern", "compile", "x.py", "--schedule", "b") == ["batched"]
    assert completions(command, "lantern", "completion", "f") == ["fish"]
    (tmp_path / "model.py").touch()
    (tmp_path / "model.txt").touch()
    assert completions(command, "lantern", "compile", f"{tmp_path}/mo") == [f"{tmp_path}/model.py"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_are_what_the_shell_reads(lantern, shell, tmp_path):
    script = lantern("completion", shell).stdout
    assert all(name in script for name in SUBCOMMANDS) and "depth-first" in script
    if not shutil.which(shell):
        pytest.skip(f"there is no {shell} to read it")
    (tmp_path / "script").write_text(script)
    read = subprocess.run([shell, "-n", tmp_path / "script"], capture_output=True, text=True, timeout=60)
    assert (read.returncode, read.stderr) == (0, "")


def test_no_such_shell(lantern):
    done = lantern("completion", "tcsh")
    assert done.returncode == 2 and "tcsh not in {bash,zsh,fish}" in done.stderr


def test_the_manual_page(lantern, tmp_path):
    page = lantern("man").stdout
    assert page.startswith('.TH LANTERN 1 "" "lantern 0.1.0"')
    for name in SUBCOMMANDS:
        assert f"\n.SH LANTERN {name.upper()}\n" in page
    assert "\\fB\\-\\-emit\\fR \\fISTAGE\\fR" in page
    assert all(line.split()[0] in (".TH", ".SH", ".TP", ".PP", ".br", ".nf", ".fi") for line in page.splitlines() if line.startswith("."))
    if not shutil.which("groff"):
        pytest.skip("there is no groff to lay it out")
    laid_out = subprocess.run(["groff", "-man", "-Tutf8", "-ww"], input=page, capture_output=True, text=True, timeout=60)
    assert laid_out.stderr == ""


def test_colours_only_where_wanted(command, tmp_path):
    """On a terminal, errors have colours, and say where more is to be had; not under NO_COLOR."""
    import pty
    def stderr_of(environment):
        master, slave = pty.openpty()
        subprocess.run([command, "compile", "missing.py"], cwd=tmp_path, stdin=subprocess.DEVNULL, stderr=slave, timeout=60,
                       env={**{k: v for k, v in os.environ.items() if k != "NO_COLOR"}, **environment})
        os.close(slave)
        text = os.read(master, 10_000).decode()
        os.close(master)
        return text

    assert "\033[1;31m" in stderr_of({}) and "\033[1;31m" in stderr_of({"NO_COLOR": ""})
    assert "\033" not in stderr_of({"NO_COLOR": "1"})
    assert "lantern explain LT0801 says more" in stderr_of({})
