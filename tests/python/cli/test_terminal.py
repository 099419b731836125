"""`breakpoint()` in a file that the command stages: at the terminal, or passed over with a warning."""
import os
import pty

PROGRAM = '''\
import lantern as lt

@lt.export
def f(x: float):
    y = x * 2
    breakpoint()
    return y
'''


def test_without_a_terminal_it_is_passed_over(lantern, tmp_path):
    file = tmp_path / "program.py"
    file.write_text(PROGRAM)
    done = lantern("compile", file, "--emit", "sexpr")
    assert done.returncode == 0, done.stderr
    assert "RuntimeWarning: breakpoint() is passed over: there is no terminal to debug from" in done.stderr
    assert "program.py:6" in done.stderr and "(define f" in done.stdout


def test_at_a_terminal_it_stops_there(command, tmp_path):
    file = tmp_path / "program.py"
    file.write_text(PROGRAM)
    child, terminal = pty.fork()
    if child == 0:
        os.execv(command, [str(command), "compile", str(file), "--emit", "sexpr"])
    os.write(terminal, b"p str(y.type)\nc\n")
    shown = b""
    try:
        while chunk := os.read(terminal, 4096):
            shown += chunk
    except OSError:         # the terminal's other end is closed
        pass
    _, status = os.waitpid(child, 0)
    text = shown.decode()
    assert os.waitstatus_to_exitcode(status) == 0, text
    assert "program.py(6)f()" in text or "program.py(7)f()" in text, text
    assert "'f64'" in text and "(define f" in text
