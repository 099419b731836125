"""What is measured: programs that print a rate."""
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
RUNTIME = ROOT / "runtime" / "include"
LONGEST = 600  # seconds; nothing here takes that long
RATE = re.compile(r"([0-9.]+) trees/s")


class BenchmarkError(Exception):
    """A peer cannot be built or run; the message is for the reader of the table."""


class Peer:
    """A command whose standard output has a rate in it."""

    def __init__(self, name, command, note=""):
        self.name, self.command, self.note = name, [str(word) for word in command], note

    def trial(self):
        """The rate that a fresh run of the command prints."""
        output = output_of(self.command, self.name)
        found = RATE.search(output)
        if not found or float(found[1]) <= 0:
            raise BenchmarkError(f"{self.name} printed no rate:\n{output}")
        return float(found[1])


def output_of(command, what):
    """Standard output of a command; one that fails is a BenchmarkError with the end of what it said."""
    python_path = os.pathsep.join(filter(None, [str(ROOT / "python"), os.environ.get("PYTHONPATH")]))
    try:
        done = subprocess.run([str(word) for word in command], env={**os.environ, "PYTHONPATH": python_path}, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=LONGEST)
    except OSError as error:
        raise BenchmarkError(f"{what}: {error}") from None
    if done.returncode:
        said = "\n".join((done.stderr or done.stdout).strip().splitlines()[-10:])
        raise BenchmarkError(f"{what} ended with exit code {done.returncode}:\n{said}")
    return done.stdout


def lantern(*arguments):
    """Standard output of the lantern command of this build."""
    build = pathlib.Path(os.environ.get("LANTERN_BUILD", ROOT / "build"))
    return output_of([build / "bin" / "lantern", *arguments], "lantern")


def build_cpp(source, folder):
    """The path of a program that is built from one source file on the runtime, with the flags of generated code."""
    program = folder / source.stem
    inputs = [*source.parent.glob("*.h"), source, *RUNTIME.rglob("*.h")]
    if not program.exists() or program.stat().st_mtime < max(path.stat().st_mtime for path in inputs):
        eigen = subprocess.run(["pkg-config", "--variable=includedir", "eigen3"], capture_output=True, text=True).stdout.strip() \
            if _has("pkg-config") else ""
        output_of([os.environ.get("LANTERN_CXX", "c++"), "-std=c++17", "-O3", "-march=native", "-fno-math-errno", f"-I{RUNTIME}",
                   "-isystem", pathlib.Path(eigen or "/usr/include") / "eigen3", source, "-o", program], f"building {source.name}")
    return program


def python_with(module):
    """A Python that can import a module: this one, else the python3 that PATH has outside the virtual environment."""
    for candidate in dict.fromkeys([sys.executable, os.path.realpath(sys.executable), "/usr/bin/python3"]):
        if os.path.exists(candidate) and subprocess.run(
                [candidate, "-c", f"import {module}"], capture_output=True, timeout=LONGEST).returncode == 0:
            return candidate
    return None


def _has(program):
    return any(os.access(pathlib.Path(folder) / program, os.X_OK) for folder in os.get_exec_path())
