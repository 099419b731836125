"""Classes that are derived from Python's numbers and texts (lantern/derived.py), under each Python that is there: its numbers have other methods."""
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAM = """
from lantern.derived import has_meaning_of_its_own
class Metres(float): pass
class Angle(float):
    def __add__(self, other): return Angle(other)
class Name(str): pass
class Loud(str):
    def __getitem__(self, key): return "!"
print(*[has_meaning_of_its_own(*each) for each in ((float, float), (int, int), (str, str), (Metres, float), (Angle, float), (Name, str), (Loud, str))])
"""


@pytest.mark.parametrize("python", [sys.executable, "python3.9", "python3.10", "python3.12", "python3.13"])
def test_what_computes_in_a_way_of_its_own(python):
    if not shutil.which(python) or subprocess.run([python, "-c", ""], capture_output=True).returncode:
        pytest.skip(f"{python} is not there")
    done = subprocess.run([python, "-c", PROGRAM], env={**os.environ, "PYTHONPATH": str(ROOT / "python")}, capture_output=True, text=True)
    assert done.stdout.split() == ["False", "False", "False", "False", "True", "False", "True"], done.stderr
