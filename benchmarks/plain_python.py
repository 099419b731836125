"""How much slower converted Python is where nothing is staged: modules of the standard library, plain and converted.

    python3 benchmarks/plain_python.py [MODULE…]      prints a line a module: seconds plain, seconds converted, their ratio
"""
import importlib.util
import pathlib
import sys
import time
import types

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))
sys.setrecursionlimit(10_000)

RECURSION = """
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)

def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))

class Tree:
    def __init__(self, depth):
        self.left, self.right = (Tree(depth - 1), Tree(depth - 1)) if depth else (None, None)

    def size(self):
        if self.left is None:
            return 1
        return self.left.size() + self.right.size() + 1
"""

LINES = [f"line {i * i % 97} of a text that is compared" for i in range(150)]
OTHER = [line.replace("7", "seven") for line in LINES[3:] + LINES[:3]]

WORKLOADS = {
    "recursion": lambda m: (m.fibonacci(15), m.ackermann(2, 20), m.Tree(9).size()),
    "difflib": lambda m: list(m.unified_diff(LINES, OTHER)) and m.SequenceMatcher(None, " ".join(LINES[:20]), " ".join(OTHER[:20])).ratio(),
    "heapq": lambda m: m.heapify([i * 7919 % 1009 for i in range(1009)]) or list(m.merge(range(500), range(700))),
    "bisect": lambda m: [m.bisect_left(range(1000), i) for i in range(1000)],
    "textwrap": lambda m: m.fill(" ".join(LINES), 60),
    "fractions": lambda m: sum((m.Fraction(1, n) for n in range(1, 60)), m.Fraction(0)),
    "statistics": lambda m: (m.pstdev(range(200)), m.median(range(500)), m.quantiles(range(300), n=10)),
    "copy": lambda m: m.deepcopy({i: [LINES, {"k": (i, [i])}] for i in range(100)}),
    "shlex": lambda m: m.split(" ".join(LINES[:40])),
    "colorsys": lambda m: [m.hsv_to_rgb(*m.rgb_to_hsv(i / 255, i / 510, 0.3)) for i in range(256)],
    "graphlib": lambda m: list(m.TopologicalSorter({i: range(max(0, i - 5), i) for i in range(300)}).static_order()),
}
WITHOUT = {"heapq": "_heapq", "bisect": "_bisect"}      # the accelerator that would take the converted code's place


def module_of(name, convert):
    """A fresh module, its source converted where `convert`."""
    from lantern import core, operators  # noqa: F401  before a module of theirs is taken away
    if name == "recursion":
        source, filename = RECURSION, "recursion.py"
    else:
        spec = importlib.util.find_spec(name)
        source, filename = pathlib.Path(spec.origin).read_text(), spec.origin
    if convert:
        source = core.convert(source, filename)["code"]
    module = types.ModuleType(name)
    before = dict(sys.modules)
    sys.modules[name] = module
    sys.modules[WITHOUT.get(name, name)] = None if name in WITHOUT else module
    try:
        exec(compile(source, filename, "exec"), module.__dict__)
    finally:
        sys.modules.clear()
        sys.modules.update(before)
    return module


def seconds(work, module):
    work(module)
    best = float("inf")
    for _ in range(5):
        begin = time.perf_counter()
        work(module)
        best = min(best, time.perf_counter() - begin)
    return best


def main():
    for name in sys.argv[1:] or WORKLOADS:
        work = WORKLOADS[name]
        plain, converted = (seconds(work, module_of(name, convert)) for convert in (False, True))
        print(f"{name:12} {plain:9.5f} s  {converted:9.5f} s  {converted / plain:6.1f} ×", flush=True)


if __name__ == "__main__":
    main()
