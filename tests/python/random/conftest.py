import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "frontend")]

# The generators are written with `match`.
collect_ignore_glob = ["test_*.py"] if sys.version_info < (3, 10) else []
