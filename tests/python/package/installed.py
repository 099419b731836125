"""Commands that know nothing of this repository, and the build that they come from."""
import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).parents[3]
BUILD = pathlib.Path(os.environ.get("LANTERN_BUILD", ROOT / "build")).resolve()
# What the tests' own process is told of this repository, installed parts are not.
NOT_TOLD = ("PYTHONPATH", "LANTERN_LIBRARY", "LANTERN_BUILD", "LANTERN_RUNTIME", "VIRTUAL_ENV")


def run(*command, cwd=None, expect=0, **env):
    """Runs a command that knows nothing of this repository; its output. Fails where its exit status is another."""
    environment = {name: value for name, value in os.environ.items() if name not in NOT_TOLD}
    done = subprocess.run([str(word) for word in command], cwd=cwd, env={**environment, "NO_COLOR": "1", "PATH": "/usr/bin:/bin", **env}, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
    assert done.returncode == expect, f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stdout}"
    return done.stdout


def cached(variable):
    """A variable of the build, as CMake keeps it."""
    return re.search(rf"^{variable}:\w+=(.*)$", (BUILD / "CMakeCache.txt").read_text(), re.MULTILINE)[1]
