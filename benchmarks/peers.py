"""What is measured: programs that print lines of measurements (trial/timing.py says which)."""
import functools
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
RUNTIME = ROOT / "runtime" / "include"
LONGEST = 600  # seconds; nothing here takes that long
AGREE = 1e-3   # peers compute in f32, each in an order of its own


class BenchmarkError(Exception):
    """A peer cannot be built or run; the message is for the reader of the table."""


class Measurements:
    """What a trial printed: rates {case: units/s}, values {name: (number, scale)}, and memory (bytes before, peak) or None."""

    def __init__(self, output, who):
        self.rates, self.values, self.memory = {}, {}, None
        for line in output.splitlines():
            kind, *fields = line.split("\t")
            if kind == "rate":
                self.rates[fields[0]] = float(fields[1])
            elif kind == "value":
                self.values[fields[0]] = float(fields[1]), float(fields[2])
            elif kind == "memory":
                self.memory = int(fields[0]), int(fields[1])
        if not self.rates or min(self.rates.values()) <= 0:
            raise BenchmarkError(f"{who} printed no rate:\n{output}")

    def disagreement(self, other):
        """The first value that both have and that differs, as text; None if none does."""
        for name in sorted(self.values.keys() & other.values.keys()):
            (a, scale), (b, _) = self.values[name], other.values[name]
            if not abs(a - b) <= AGREE * scale:
                return f"{name} is {a:g} and {b:g}"
        return None


class Peer:
    """A command that prints measurements.

    case: of the rates that it prints without one. optional: if it fails, that is a note and no error.
    """

    def __init__(self, name, command, note="", case="", optional=False):
        self.name, self.command, self.note = name, [str(word) for word in command], note
        self.case, self.optional = case, optional

    def trial(self):
        """The measurements of a fresh run of the command."""
        measured = Measurements(output_of(self.command, self.name), self.name)
        measured.rates = {case or self.case: rate for case, rate in measured.rates.items()}
        return measured


class Roster:
    """The peers of a workload, ours first, and what is left out, each with the reason in a line."""

    def __init__(self, arguments, folder):
        self.peers, self.absent = [], []
        self._without, self._cases, self._folder = arguments.without, arguments.cases, folder

    def chosen(self, case):
        """Whether --cases wants a case."""
        return self._cases in case

    def ours(self, script, *words, note, case="", name="lantern"):
        """benchmarks/ours/SCRIPT."""
        self.peers.append(Peer(name, [sys.executable, HERE / "ours" / script, *words], note, case))

    def by_hand(self, source, *words, note, case=""):
        """benchmarks/limit/SOURCE, built."""
        if self._wants("limit", "the hand-written program"):
            program = build_cpp(HERE / "limit" / source, self._folder)
            self.peers.append(Peer("by hand", [program, *words], f"`benchmarks/limit`, {note}", case))

    def plain(self, name, script, *words, note="", case=""):
        """benchmarks/plain/SCRIPT, in this Python, which has NumPy."""
        if self._wants("plain", name):
            self.peers.append(Peer(name, [sys.executable, HERE / "plain" / script, *words], note, case, optional=True))

    def torch(self, how, script, *words, note="", case=""):
        """benchmarks/torch/SCRIPT, in a Python that has PyTorch."""
        name = f"PyTorch, {how}"
        if not self._wants("torch", name):
            return
        if python := python_with("torch", "numpy"):
            self.peers.append(Peer(name, [python, HERE / "torch" / script, *words], note, case, optional=True))
        else:
            self._leave_out(f"{name}: no Python here can import torch and numpy (pip install torch numpy).")

    def _wants(self, kind, name):
        unwanted = any(word == kind or word in name for word in self._without)
        if unwanted:
            self._leave_out(f"{name}: left out by --without.")
        return not unwanted

    def _leave_out(self, line):
        if line not in self.absent:
            self.absent.append(line)


def output_of(command, what, **environment):
    """Standard output of a command; one that fails is a BenchmarkError with the end of what it said."""
    python_path = os.pathsep.join(filter(None, [str(ROOT / "python"), str(HERE / "trial"), os.environ.get("PYTHONPATH")]))
    try:
        done = subprocess.run([str(word) for word in command], env={**os.environ, "PYTHONPATH": python_path, **environment}, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=LONGEST)
    except OSError as error:
        raise BenchmarkError(f"{what}: {error}") from None
    if done.returncode:
        said = "\n".join((done.stderr or done.stdout).strip().splitlines()[-10:])
        raise BenchmarkError(f"{what} ended with exit code {done.returncode}:\n{said}")
    return done.stdout


def lantern_command():
    """The lantern command of this build."""
    return pathlib.Path(os.environ.get("LANTERN_BUILD", ROOT / "build")) / "bin" / "lantern"


def lantern(*arguments, **environment):
    """Its standard output."""
    return output_of([lantern_command(), *arguments], "lantern", **environment)


def compiler():
    """The C++ compiler, as Lantern chooses it."""
    return os.environ.get("LANTERN_CXX") or "c++"


def build_cpp(source, folder, *others, march="native"):
    """The path of a program that is built from one source file (and others) on the runtime, with the flags of generated code."""
    program = folder / source.stem
    inputs = [*source.parent.glob("*.h"), source, *others, *RUNTIME.rglob("*.h")]
    if not program.exists() or program.stat().st_mtime < max(path.stat().st_mtime for path in inputs):
        eigen = subprocess.run(["pkg-config", "--variable=includedir", "eigen3"], capture_output=True, text=True).stdout.strip() \
            if _has("pkg-config") else ""
        flags = os.environ.get("LANTERN_CXXFLAGS", "").split()
        output_of([compiler(), "-std=c++17", "-O3", f"-march={march}", "-fno-math-errno", *flags, f"-I{RUNTIME}", f"-I{folder}",
                   "-isystem", pathlib.Path(eigen or "/usr/include") / "eigen3", source, *others, "-o", program], f"building {source.name}")
    return program


@functools.lru_cache(maxsize=None)
def python_with(*modules):
    """A Python that can import modules: this one, else the python3 that PATH has outside the virtual environment."""
    candidates = [sys.executable, os.path.realpath(sys.executable),
                  *(os.path.join(folder, "python3") for folder in os.get_exec_path()), "/usr/bin/python3"]
    for candidate in dict.fromkeys(candidates):
        if os.path.exists(candidate) and subprocess.run(
                [candidate, "-c", "; ".join(f"import {module}" for module in modules)], capture_output=True, timeout=LONGEST).returncode == 0:
            return candidate
    return None


def _has(program):
    return any(os.access(pathlib.Path(folder) / program, os.X_OK) for folder in os.get_exec_path())
