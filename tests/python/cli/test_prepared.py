"""What all programs have in common is compiled once, for a machine, a compiler, its flags and the runtime's headers."""
import concurrent.futures
import contextlib
import os
import pathlib
import pty
import re
import shutil
import subprocess

import pytest
from thorough import THOROUGH

RUNTIME = pathlib.Path(__file__).parents[3] / "runtime" / "include"

# A compiler that notes what it is told, and writes something where it is told to.
NOTES = """#!/bin/sh
echo "$@" >> "$(dirname "$0")/calls"
while [ "$#" -gt 1 ]; do [ "$1" = -o ] && echo made > "$2"; shift; done
"""


@pytest.fixture
def cache(tmp_path):
    return tmp_path / "cache"


@pytest.fixture
def compiler(tmp_path):
    path = tmp_path / "compiler.sh"
    path.write_text(NOTES)
    path.chmod(0o755)
    return path


@pytest.fixture
def build(lantern, program, cache):
    """build(3, …) compiles a program that no other number gives, and is what is in the cache for all programs then."""

    def run(number, **env):
        name = program(f"model_{number}.sexpr", f"(define f ((x f64)) (* x {number}.0)) (export f)")
        done = lantern("compile", name, "--emit", "so", env={"LANTERN_CACHE": str(cache), "LANTERN_PREPARED": str(cache / "nothing"), **{key: str(value) for key, value in env.items()}})
        assert (done.returncode, done.stderr) == (0, "")
        assert pathlib.Path(done.stdout.strip()).exists()
        made = {}
        for path in cache.glob("runtime-*"):
            with contextlib.suppress(FileNotFoundError):    # of a process that has just finished
                made[path.name] = path.read_bytes()
        return made

    return run


def kinds(made):
    return sorted(name.partition(".")[2] for name in made)


FILES = ["h.f32.o", "h.gch", "h.o"]


def test_programs_share_one_header_and_its_objects(build, compiler):
    first = build(1, LANTERN_CXX=compiler)
    assert kinds(first) == FILES
    calls = (compiler.parent / "calls").read_text().splitlines()
    assert all(sum(word in call for call in calls) == 1 for word in ("c++-header", "functions.cpp", "functions_f32.cpp"))
    assert not any("functions_f64.cpp" in call for call in calls)
    assert build(2, LANTERN_CXX=compiler) == first
    added = (compiler.parent / "calls").read_text().splitlines()[len(calls):]
    assert len(added) == 2      # it is compiled, and linked
    header = next(name for name in first if name.endswith(".gch"))[:-len(".gch")]
    assert f"-include {compiler.parent}/cache/{header}" in added[0] and all(f"{compiler.parent}/cache/{header}.{kind}" in added[1] for kind in ("o", "f32.o"))


def test_what_f64_needs_is_made_for_the_first_program_that_lacks_it(build, compiler):
    """As the linker says."""
    linker = NOTES.replace("while", 'case "$*" in *no-undefined*) exit 1; esac\nwhile')
    compiler.write_text(linker)
    calls = compiler.parent / "calls"
    assert kinds(build(1, LANTERN_CXX=compiler)) == sorted([*FILES, "h.f64.o"])
    made = [call for call in calls.read_text().splitlines() if "functions_f64.cpp" in call]
    assert len(made) == 1 and ".h.f64.o" in calls.read_text().splitlines()[-1]
    before = len(calls.read_text().splitlines())
    build(2, LANTERN_CXX=compiler)
    assert len(calls.read_text().splitlines()) == before + 2


def test_another_compiler_has_its_own(build, compiler):
    """One that was updated is another."""
    first = build(1, LANTERN_CXX=compiler)
    compiler.write_text(NOTES + "# of another version\n")
    assert len(build(2, LANTERN_CXX=compiler).keys() - first.keys()) == len(FILES)


def test_a_compiler_is_found_as_the_shell_finds_it(build, compiler):
    path = f"{compiler.parent}:{os.environ['PATH']}"
    first = build(1, LANTERN_CXX=compiler.name, PATH=path)
    compiler.write_text(NOTES + "# of another version\n")
    assert len(build(2, LANTERN_CXX=compiler.name, PATH=path).keys() - first.keys()) == len(FILES)


def test_other_flags_have_their_own(build, compiler):
    first = build(1, LANTERN_CXX=compiler)
    assert len(build(2, LANTERN_CXX=compiler, LANTERN_CXXFLAGS="-DA").keys() - first.keys()) == len(FILES)


@pytest.mark.parametrize("changed", ["runtime.h", "definitions/text.h", "precompiled/instances.h"])
def test_other_headers_have_their_own(build, compiler, tmp_path, changed):
    runtime = tmp_path / "runtime"
    shutil.copytree(RUNTIME, runtime)
    first = build(1, LANTERN_CXX=compiler, LANTERN_RUNTIME=runtime)
    with open(runtime / "lantern" / changed, "a", encoding="utf-8") as file:
        file.write("// another\n")
    assert len(build(2, LANTERN_CXX=compiler, LANTERN_RUNTIME=runtime).keys() - first.keys()) == len(FILES)


@pytest.mark.parametrize("linkers, taken", [(["mold", "gold"], ["mold"]), (["gold"], ["gold"]), ([], [])])
def test_the_quickest_linker_that_is_there_links(build, compiler, tmp_path, linkers, taken):
    folder = tmp_path / "programs"
    folder.mkdir()
    (folder / "dirname").symlink_to(shutil.which("dirname"))
    for linker in linkers:
        (folder / f"ld.{linker}").symlink_to("/bin/true")
    build(1, LANTERN_CXX=compiler, PATH=folder)
    links = [line for line in (tmp_path / "calls").read_text().splitlines() if "--gc-sections" in line]
    assert [re.findall(r"-fuse-ld=(\w+)", line) for line in links] == [taken] * len(links) and links


def test_where_the_compiler_cannot_use_it_its_own_linker_links(build, compiler, tmp_path):
    folder = tmp_path / "programs"
    folder.mkdir()
    (folder / "dirname").symlink_to(shutil.which("dirname"))
    (folder / "ld.mold").symlink_to("/bin/true")
    compiler.write_text(NOTES.replace("while", 'case "$*" in *-fuse-ld=mold*) exit 1; esac\nwhile'))
    assert kinds(build(1, LANTERN_CXX=compiler, PATH=folder)) == FILES
    assert "-include" in (tmp_path / "calls").read_text().splitlines()[-3]


@pytest.mark.parametrize("missing", FILES)
def test_what_is_missing_is_made_again(build, compiler, cache, missing):
    first = build(1, LANTERN_CXX=compiler)
    next(cache.glob(f"*.{missing}")).unlink()
    assert build(2, LANTERN_CXX=compiler) == first


@pytest.mark.parametrize("part", ["functions.cpp", "functions_f32.cpp", "declarations.h"])
def test_without_it_a_program_is_compiled_whole(build, compiler, part):
    """As where the runtime is one that cannot be compiled apart."""
    compiler.write_text(NOTES.replace("while", f"case \"$*\" in *{part}*) exit 1; esac\nwhile"))
    assert build(1, LANTERN_CXX=compiler) == {}
    [call] = [call for call in (compiler.parent / "calls").read_text().splitlines() if "-shared" in call]
    assert "-include" not in call and ".h.o" not in call


def test_where_none_is_wanted_each_program_is_compiled_whole(build, compiler):
    assert build(1, LANTERN_CXX=compiler, LANTERN_PREPARED="none") == {}
    [call] = (compiler.parent / "calls").read_text().splitlines()
    assert "-shared" in call and "-include" not in call


def test_processes_that_race_leave_one(build, compiler):
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda number: build(number, LANTERN_CXX=compiler), range(6)))
    assert kinds(build(7, LANTERN_CXX=compiler)) == FILES


DRAWS = """
import lantern as lt

@lt.export
def draw():
    x = lt.uniform(0.0, 1.0, 3)
    y = lt.uniform(2.0, 3.0)
    print(float(lt.sum(x @ lt.ones(3, 2))) < 10.0 * float(y), 2.0)
"""


@pytest.mark.optimised
def test_numbers_of_f64_that_are_drawn_and_printed_need_nothing_of_arrays_of_f64(command, lantern, program, cache, tmp_path):
    """What came with the build serves here, but for what is of those arrays."""
    shipped = tmp_path / "shipped"
    shipped.mkdir()
    for file in (command.parents[1] / "lib/lantern/prepared").glob("runtime-*"):
        if not file.name.endswith(".f64.o"):
            (shipped / file.name).symlink_to(file)
    assert kinds(path.name for path in shipped.iterdir()) == FILES
    done = lantern("run", program("draw.py", DRAWS), "draw", env={"LANTERN_CACHE": str(cache), "LANTERN_PREPARED": str(shipped)})
    assert (done.returncode, done.stdout) == (0, "True 2.0\n"), done.stderr
    assert not list(cache.glob("runtime-*"))


GATES = """
import lantern as lt


class Cell(lt.Module):
    def __init__(self):
        self.wz, self.wr, self.uz, self.ur = (lt.Parameter((80, 80), lt.init.uniform(-0.1, 0.1)) for _ in range(4))

    def step(self, x, h, n):
        if n == 0:
            return h
        z, r = lt.sigmoid(self.wz @ x + self.uz @ h), lt.tanh(self.wr @ x + self.ur @ h)
        return self.step(x, z * h, n - 1) + self.step(x, z * r, n - 1)


model = Cell()


@lt.export
def train(n: int = 2):
    loss, slopes = lt.value_and_grad(lambda: lt.sum(model.step(lt.ones(80), lt.ones(80), n)))()
    lt.optim.SGD(0.1).step(slopes)
    return loss
"""


@pytest.mark.optimised
def test_kernels_of_products_are_no_part_of_a_program(command, lantern, program, cache, compiler, tmp_path):
    """With a matrix for each gate, too: they would take most of what a program takes to compile."""
    compiler.write_text(NOTES.replace("while", 'for word; do case $word in */gates.*.cpp) cp "$word" "$(dirname "$0")/unit.cpp";; esac; done\nwhile'))
    file = program("gates.py", GATES)
    done = lantern("compile", file, "--emit", "so", env={"LANTERN_CACHE": str(cache), "LANTERN_PREPARED": str(cache / "nothing"), "LANTERN_CXX": str(compiler)})
    assert (done.returncode, done.stderr) == (0, "")
    told, = (call.split() for call in (tmp_path / "calls").read_text().splitlines() if "/gates." in call and call.startswith("-c "))
    header, = (command.parents[1] / "lib/lantern/prepared").glob("runtime-*.gch")
    told[told.index("-include") + 1] = str(header.with_suffix(""))
    told[told.index("-o") + 1] = made = str(tmp_path / "gates.o")
    folder, = cache.glob("*/gates.h")
    subprocess.run(["c++", *(str(tmp_path / "unit.cpp") if "/gates." in word and word.endswith(".cpp") else word for word in told), "-I", folder.parent], check=True)
    symbols = subprocess.run(["nm", "-C", made], check=True, capture_output=True, text=True).stdout
    assert re.search(r"^ +U (void )?lantern::detail::blocks_times_vectors<float>", symbols, re.M)   # it asks for them
    kernels = set(re.findall(r"^[0-9a-f]+ .*lantern::detail::as_compiled::(\w+)", symbols, re.M))
    assert kernels <= {"PendingBlock", "pack_panels", "step_block", "step_rows", "step_rows_of_block"}, kernels      # a step is the program's


@pytest.fixture
def small_runtime(tmp_path):
    """The runtime, with a header that has all of it, and nothing apart from that."""
    folder = tmp_path / "small_runtime"
    shutil.copytree(RUNTIME, folder)
    for path in (folder / "lantern/precompiled").iterdir():
        if path.suffix == ".cpp":
            path.write_text("")
    (folder / "lantern/precompiled/declarations.h").write_text('#pragma once\n#include "lantern/precompiled/contents.h"\n')
    return folder


@pytest.mark.slow
def test_what_serves_no_longer_is_not_taken_and_forgotten(build, cache, small_runtime):
    """As where a disk was full, or the system's headers were updated. What is missing then is made again (above)."""
    first = build(1, LANTERN_RUNTIME=small_runtime)
    assert kinds(first) == FILES
    for number, kind in enumerate(FILES if THOROUGH > 1 else ["h.o"], 2):
        for name, contents in first.items():
            (cache / name).write_bytes(contents)
        next(cache.glob(f"runtime-*.{kind}")).write_bytes(b"of another compiler")
        assert build(number, LANTERN_RUNTIME=small_runtime) == {}


def test_those_that_were_used_last_stay(build, compiler, cache):
    """Each is a hundred megabytes."""
    cache.mkdir()
    for age in range(12):
        for kind in FILES:
            path = cache / f"runtime-{age}.{kind}"
            path.write_bytes(b"")
            os.utime(path, (1_000_000_000 - age,) * 2)
    kept = build(1, LANTERN_CXX=compiler)
    assert len(kept) == 8 * len(FILES) and {f"runtime-{age}.{kind}" for age in range(7) for kind in FILES} < kept.keys()


def test_what_came_with_the_build_is_taken_where_it_is(build, compiler, cache, tmp_path):
    made = build(1, LANTERN_CXX=compiler)
    shipped = tmp_path / "shipped"
    shipped.mkdir()
    for name in made:
        (cache / name).rename(shipped / name)
    assert build(2, LANTERN_CXX=compiler, LANTERN_PREPARED=shipped) == {}
    assert f"-include {shipped}" in (compiler.parent / "calls").read_text().splitlines()[-2]
    compiler.write_text(NOTES + "# of another version\n")
    assert kinds(build(3, LANTERN_CXX=compiler, LANTERN_PREPARED=shipped)) == FILES


def test_at_a_terminal_it_is_said_once(command, program, compiler, cache, tmp_path):
    file = program("model.sexpr", "(define f ((x f64)) (* x 17.5)) (export f)")
    environment = {**os.environ, "LANTERN_CXX": str(compiler), "LANTERN_CACHE": str(cache), "LANTERN_PREPARED": str(cache / "nothing")}
    told = []
    for _ in range(2):
        child, terminal = pty.fork()
        if child == 0:
            os.chdir(tmp_path)
            os.execve(command, [str(command), "compile", str(file), "--emit", "so"], environment)
        shown = b""
        with contextlib.suppress(OSError):      # the terminal's other end is closed
            while chunk := os.read(terminal, 4096):
                shown += chunk
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0, shown
        told.append(b"compiling the runtime for this compiler and processor, once" in shown)
    assert told == [True, False]


def test_a_program_holds_what_it_calls_of_the_runtime(lantern, program):
    """By the names in its table of symbols."""
    held = []
    for number, body in enumerate(["(* x 2.0)", '(let words (read-vocabulary "none") (* x (cast f64 (length words))))']):
        name = program(f"holds_{number}.sexpr", f"(define f ((x f64)) {body}) (export f)")
        done = lantern("compile", name, "--emit", "so")
        assert (done.returncode, done.stderr) == (0, "")
        held.append(pathlib.Path(done.stdout.strip()).read_bytes())
    assert [b"read_vocabulary" in each for each in held] == [False, True]
    assert len(held[0]) < len(held[1])


@pytest.mark.optimised     # what it has in common with others came with the build
@pytest.mark.parametrize("left", [0, 64, 2000], ids=lambda left: f"{left} bytes")
def test_a_program_that_is_not_there_to_its_end_is_built_anew(lantern, program, cache, left):
    file = program("model.py", "import lantern as lt\n\n\n@lt.export\ndef f(x: float = 1.0):\n    return x * 2\n")
    for _ in range(2):
        done = lantern("run", file, "f", env={"LANTERN_CACHE": str(cache)})
        assert (done.returncode, done.stdout, done.stderr) == (0, "2.0\n", "")
        built, = cache.glob("*/model.so")
        built.write_bytes(built.read_bytes()[:left])
