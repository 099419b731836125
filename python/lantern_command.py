"""The command `lantern` of an installed wheel: the program that lies in the package, told which Python it was installed into.

Beside the package and not inside it: the command would wait for all that `import lantern` imports.
"""
import importlib.util
import os
import sys


def main():
    """Becomes the program. Raises FileNotFoundError if the wheel is not whole."""
    package = importlib.util.find_spec("lantern").submodule_search_locations[0]
    os.environ.setdefault("LANTERN_PYTHON", sys.executable)
    os.execv(os.path.join(package, "bin", "lantern"), ["lantern", *sys.argv[1:]])
