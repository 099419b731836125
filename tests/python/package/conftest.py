"""Lantern as users have it: a wheel in an environment of its own, and an installed prefix. Both come from the build that is there."""
import os
import pathlib
import sys

import pytest

from installed import BUILD, ROOT, cached, run


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    """The wheel, by the tools that `pip wheel .` calls, which find their work done in the build folder: with the programs that did it."""
    folder, cache = tmp_path_factory.mktemp("wheel"), BUILD / "CMakeCache.txt"
    programs = [str(pathlib.Path(cached(name)).parent) for name in ("CMAKE_COMMAND", "CMAKE_MAKE_PROGRAM")]
    before = cache.read_bytes()
    try:
        run(sys.executable, "-m", "pip", "wheel", ROOT, "--no-deps", "--no-build-isolation", "-w", folder, "--config-settings", f"build-dir={BUILD}",
            "--config-settings", f"cmake.build-type={cached('CMAKE_BUILD_TYPE')}", PATH=os.pathsep.join([*programs, os.environ["PATH"]]))
    finally:
        cache.write_bytes(before)
        run(cached("CMAKE_COMMAND"), BUILD)  # the build folder is as it was
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="session")
def environment(wheel, tmp_path_factory):
    """A virtual environment that the wheel and what it asks for is installed in; nothing is installed twice over the network: pip keeps it."""
    folder = tmp_path_factory.mktemp("environment")
    run(sys.executable, "-m", "venv", "--without-pip", folder)
    run(sys.executable, "-m", "pip", "--python", folder / "bin/python", "install", "--quiet", "--disable-pip-version-check", wheel)
    return folder


@pytest.fixture(scope="session")
def prefix(tmp_path_factory):
    """What `cmake --install` makes."""
    folder = tmp_path_factory.mktemp("prefix")
    run(cached("CMAKE_COMMAND"), "--install", BUILD, "--prefix", folder)
    return folder
