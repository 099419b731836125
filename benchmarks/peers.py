"""What is measured: programs that print lines of measurements (trial/timing.py says which)."""
import functools
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
RUNTIME = ROOT / "runtime" / "include"
MEBIBYTE = 1 << 20
LONGEST = 600  # seconds; nothing here takes that long
AGREE = 1e-3   # peers compute in f32, each in an order of its own


# The libraries that peers use: {module: (name for the reader, packages that have its version)}.
LIBRARIES = {"numpy": ("NumPy", ["numpy"]), "torch": ("PyTorch", ["torch"]), "jax": ("JAX", ["jax"]),
             "tensorflow": ("TensorFlow", ["tensorflow_cpu", "tensorflow"]), "dynet": ("DyNet", ["dyNET"])}


class BenchmarkError(Exception):
    """A peer cannot be built or run; the message is for the reader of the table, `reason` its one line."""

    def __init__(self, message, reason=None):
        super().__init__(message)
        self.reason = reason or message.splitlines()[-1]


class NoCase(BenchmarkError):
    """None of a workload's cases is wanted."""


class Measurements:
    """What a trial printed: rates {case: units/s, round by round}, latencies {case: microseconds, percentile by percentile}, values
    {name: (number, scale)}, and memory (bytes before, peak, code) or None."""

    def __init__(self, output, who):
        self.rates, self.latencies, self.values, self.memory = {}, {}, {}, None
        for line in output.splitlines():
            kind, *fields = line.split("\t")
            if kind == "rate":
                self.rates[fields[0]] = [float(field) for field in fields[1:]]
            elif kind == "latency":
                self.latencies[fields[0]] = [float(field) for field in fields[1:]]
            elif kind == "value":
                self.values[fields[0]] = float(fields[1]), float(fields[2])
            elif kind == "memory":
                self.memory = tuple(map(int, fields))
        if not (self.rates or self.memory) or any(not of_case or min(of_case) <= 0 for of_case in self.rates.values()):
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

    case: of the rates that it prints without one. optional: if it fails, that is a note and no error. trials: it takes part in no more
    than so many, since it is slow to start. limit: seconds, after which it has failed. of_memory: not the rates are what is wanted, but how
    many MiB are in use at most, less those before, with the code that was mapped and without. environment: variables that are set for it.
    """

    def __init__(self, name, command, note="", case="", optional=False, trials=None, limit=LONGEST, of_memory=False, environment={}):
        self.name, self.command, self.note = name, [str(word) for word in command], note
        self.case, self.optional, self.trials, self.limit, self.of_memory = case, optional, trials, limit, of_memory
        self.environment = dict(environment)

    def measurements(self, output):
        """Those of a run of the command that has printed this."""
        measured = Measurements(output, self.name)
        if self.of_memory:
            before, peak, code = measured.memory
            taken = {self.case: peak - before, f"{self.case}, code apart": peak - before - code}
            measured.rates, measured.latencies, measured.memory = {case: [size / MEBIBYTE] for case, size in taken.items()}, {}, None
            return measured
        measured.rates, measured.latencies = ({case or self.case: numbers for case, numbers in of_case.items()}
                                              for of_case in (measured.rates, measured.latencies))
        return measured


class Roster:
    """The peers of a workload, ours first, the versions of the libraries that they use, and what is left out, each with the reason in a line."""

    def __init__(self, arguments, folder, of_memory=False):
        self.peers, self.absent, self.versions = [], [], {}
        self._without, self._cases, self._folder, self._of_memory = arguments.without, arguments.cases, folder, of_memory

    def chosen(self, *groups):
        """Those of some cases that --cases wants; of several groups, of each. An error where it wants none at all."""
        found = [[case for case in cases if self._cases in case] for cases in groups]
        if not any(found):
            raise NoCase(f"no case has '{self._cases}' in its name, of: {'; '.join(case for cases in groups for case in cases)}")
        return found[0] if len(groups) == 1 else found

    def ours(self, script, *words, note, case="", name="lantern", **environment):
        """benchmarks/ours/SCRIPT. LANTERN_CXXFLAGS is added to what there is of it."""
        if flags := environment.get("LANTERN_CXXFLAGS"):
            environment["LANTERN_CXXFLAGS"] = f"{os.environ.get('LANTERN_CXXFLAGS', '')} {flags}".strip()
        self._add(name, [sys.executable, HERE / "ours" / script, *words], note, case, environment=environment)

    def loaded(self, what, treebank, of_case, *, note, case="", name="lantern"):
        """The TreeLSTM's shared object for a case, in a program that has neither Python nor the compiler: benchmarks/ours/loaded.cpp."""
        built = output_of([sys.executable, HERE / "ours" / "shared_object.py", treebank, of_case], name)
        shared_object, *parameters = built.splitlines()
        program = build_cpp(HERE / "ours" / "loaded.cpp", self._folder)
        self._add(name, [program, shared_object, what, treebank, of_case, *parameters], note, case)

    def by_hand(self, source, *words, note, case="", name="by hand"):
        """benchmarks/limit/SOURCE, built."""
        if self._wants("limit", name):
            program = build_cpp(HERE / "limit" / source, self._folder)
            self._add(name, [program, *words], f"`benchmarks/limit`, {note}", case)

    def plain(self, name, script, *words, note="", case="", trials=None):
        """benchmarks/plain/SCRIPT, in this Python, which has NumPy."""
        if self._wants("plain", name):
            self._add(name, [sys.executable, HERE / "plain" / script, *words], note, case, optional=True, trials=trials)
            self._tell_version("numpy", sys.executable)

    def library(self, module, how, script, *words, note="", case="", trials=None, limit=LONGEST):
        """benchmarks/MODULE/SCRIPT, in a Python that has the library of that name. how: for the reader, it is used."""
        name = f"{LIBRARIES[module][0]}, {how}"
        if not self._wants(module, name):
            return
        if python := python_with(module, "numpy"):
            # What torch.compile is killed at in a trial of its own, which takes too long, is not left half-written for the next.
            environment = {"TORCHINDUCTOR_CACHE_DIR": str(pathlib.Path(self._folder) / "inductor")}
            self._add(name, [python, HERE / module / script, *words], note, case, optional=True, trials=trials, limit=limit, environment=environment)
            self._tell_version(module, python)
        else:
            self._leave_out(f"{name}: no Python here can import {module} and numpy (make peers installs them).")

    def _add(self, *words, **more):
        self.peers.append(Peer(*words, of_memory=self._of_memory, **more))

    def _wants(self, kind, name):
        unwanted = any(word == kind or word in name for word in self._without)
        if unwanted:
            self._leave_out(f"{name}: left out by --without.")
        return not unwanted

    def _leave_out(self, line):
        if line not in self.absent:
            self.absent.append(line)

    def _tell_version(self, module, python):
        name, packages = LIBRARIES[module]
        self.versions[name] = version_of(python, *packages)


def output_of(command, what, limit=LONGEST, **environment):
    """Standard output of a command; one that fails is a BenchmarkError with the end of what it said."""
    try:
        done = subprocess.run([str(word) for word in command], env=environment_with(**environment), text=True, stdin=subprocess.DEVNULL, capture_output=True, timeout=limit)
    except OSError as error:
        raise BenchmarkError(f"{what}: {error}") from None
    except subprocess.TimeoutExpired:
        raise too_long(what, limit) from None
    if done.returncode:
        raise failure(what, done.returncode, done.stderr or done.stdout)
    return done.stdout


def environment_with(**variables):
    """That of this process, in which a Python finds lantern and what trials share."""
    python_path = os.pathsep.join(filter(None, [str(ROOT / "python"), str(HERE / "trial"), os.environ.get("PYTHONPATH")]))
    return {**os.environ, "PYTHONPATH": python_path, **variables}


def failure(what, code, said):
    """The error of a program that has ended with an exit code other than 0, and said so."""
    lines = said.strip().splitlines()
    return BenchmarkError("\n".join([f"{what} ended with exit code {code}:", *lines[-10:]]), _reason(lines))


def too_long(what, limit):
    return BenchmarkError(f"{what} takes more than {limit} seconds", f"takes more than {limit} seconds")


def _reason(said):
    """The first line of the error that a program ended with: behind a Python traceback, that of the exception, which may begin on the next."""
    begin = max((i for i, line in enumerate(said) if line.startswith("Traceback (most recent call last)")), default=None)
    if begin is None:
        return said[-1] if said else "no message"
    lines = [line.rstrip() for line in said[begin + 1:] if line.strip()]
    at = next((i for i, line in enumerate(lines) if not line[0].isspace()), len(lines) - 1)
    return " ".join(line.strip() for line in lines[at:at + (2 if lines[at].endswith(":") else 1)])


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
        output_of([compiler(), "-std=c++17", "-O3", f"-march={march}", "-DLANTERN_PACKETS_AS_COMPILED", "-fno-math-errno", *flags, f"-I{RUNTIME}", f"-I{folder}",
                   "-isystem", pathlib.Path(eigen or "/usr/include") / "eigen3", source, *others, "-o", program], f"building {source.name}")
    return program


@functools.lru_cache(maxsize=None)
def python_with(*modules):
    """A Python that can import modules: this one, that of `make peers`, else a python3 that PATH has."""
    candidates = [sys.executable, os.path.realpath(sys.executable), ROOT / "build" / "peers" / "bin" / "python3",
                  *(os.path.join(folder, "python3") for folder in os.get_exec_path()), "/usr/bin/python3"]
    for candidate in dict.fromkeys(map(str, candidates)):
        if os.path.exists(candidate) and subprocess.run(
                [candidate, "-c", "; ".join(f"import {module}" for module in modules)], capture_output=True, timeout=LONGEST).returncode == 0:
            return candidate
    return None


@functools.lru_cache(maxsize=None)
def version_of(python, *packages):
    """The version of the first of some packages that a Python has."""
    find = "import sys, importlib.metadata as m; print(*(d.version for d in m.distributions() if d.metadata['Name'].replace('-', '_') in sys.argv[1:]))"
    return subprocess.run([python, "-c", find, *packages], capture_output=True, text=True, timeout=LONGEST).stdout.split()[0]


def _has(program):
    return any(os.access(pathlib.Path(folder) / program, os.X_OK) for folder in os.get_exec_path())
