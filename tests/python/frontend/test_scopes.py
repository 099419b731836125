"""The scopes that `--emit analysis` prints are those of Python's own symbol table."""

import pathlib
import re
import subprocess
import symtable
import sys
import warnings

import pytest
from converter import BUILD
from roundtrip_files import python_files, standard_library

SCOPE = re.compile(r"^(?P<indent> *)(?:(?P<module>module)|(?:class|function|comprehension) (?P<name>\S+), line (?P<line>\d+))(?:: (?P<names>.*))?$")
MEANINGS = ("declared global", "parameter", "local", "free", "global")

SOURCES = {
    "parameters": "def f(a, /, b, *c, d=1, **e):\n    return a\n",
    "closures": "def f(a):\n    b = 1\n    def g(c=b):\n        nonlocal b\n        b = a + c + h\n    return g\n",
    "global": "x = 1\ndef f():\n    global x\n    x = 2\n    def g():\n        return x\n    return g\n",
    "classes": "def f(a):\n    class C(a):\n        b = a\n        def g(self):\n            return b, a, super().g, __class__\n    return C\n",
    "class hides": "x = 0\nclass C:\n    x = 1\n    def f(self): return x\n    y = [x for _ in x]\n",
    "comprehensions": "def f(a):\n    return [a for b in a if b], {b: c for b, c in a}, {a for b in a}, (z for y in a for z in y)\n",
    "walrus": "def f(a):\n    return [y := x for x in a], (z := 1), [[w := v for v in u] for u in a]\n",
    "lambdas": "def f(a):\n    return lambda b, c=a: (d := b) + c + a + d\n",
    "except as": "def f(a):\n    try: a()\n    except E as e: return lambda: e\n",
    "match": "def f(a):\n    match a:\n        case [b, *c] | {'k': b, **c}: pass\n        case K(d, k=e) as g if (h := d): pass\n",
    "del": "def f(a):\n    del a, b\n",
    "imports": "def f():\n    import a.b, c.d as e\n    from g import h, i as j\n",
    "loops and with": "def f(a):\n    for b, (c, *d) in a: pass\n    with a as e, a as (g, h[0]): pass\n",
    "decorators": "def f(a):\n    @a\n    def g(b=a) -> a: pass\n    @a\n    class C(a, k=a): pass\n",
    "annotations": "def f():\n    a: int\n    b: int = 1\n    c.d: int = 2\n",
    "nonlocal in a branch": "def f(a):\n    b = 1\n    def g():\n        if a:\n            nonlocal b\n            b = 2\n    g()\n",
    "shadowing": "def f(len):\n    def g():\n        def h():\n            return len\n        return h\n    return g\n",
    "augmented": "def f():\n    a += 1\n    b[0] += c\n    d.e += 1\n",
    "async": "async def f(a):\n    async for b in a: pass\n    async with a as c: pass\n    return [d async for d in a]\n",
}


def printed(path):
    """(name, line, {variable: meaning}) of every scope that the command lists, the module's first."""
    run = subprocess.run([BUILD / "bin" / "lantern", "compile", "--emit", "analysis", path], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    for line in run.stdout.splitlines():
        if not line:
            return
        found = SCOPE.match(line)
        names = {}
        for group in (found["names"] or "").split("; "):
            meaning = next((m for m in MEANINGS if group.startswith(m + " ")), None)
            for name in group[len(meaning) + 1:].split(", ") if meaning else ():
                names[name.removesuffix(" (shared)")] = meaning
        yield found["name"] or "module", int(found["line"] or 0), names


def tabled(path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        table = symtable.symtable(path.read_bytes().decode("utf-8"), str(path), "exec")

    def scopes(table, class_name):
        name, line = (table.get_name(), table.get_lineno()) if table.get_type() != "module" else ("module", 0)
        yield name, line, {unmangled(s.get_name(), class_name): meaning(s, table) for s in table.get_symbols() if s.get_name()[0] != "."}
        for child in table.get_children():
            yield from scopes(child, name if table.get_type() == "class" else class_name)

    return scopes(table, "")


def unmangled(name, class_name):
    found = re.match(r"_[^_].*?(__.+)$", name)
    return found[1] if found and not found[1].endswith("__") else name


def meaning(symbol, table):
    if table.get_type() == "module":
        return "global"
    if symbol.is_parameter():
        return "parameter"
    if symbol.is_declared_global():
        return "declared global"
    return "free" if symbol.is_free() else "global" if symbol.is_global() else "local"


def differences(path):
    ours = sorted(((n, l, sorted(v.items())) for n, l, v in printed(path)), key=repr)
    theirs = sorted(((n, l, sorted(v.items())) for n, l, v in tabled(path)), key=repr)
    return [f"{path.name}: {a} should be {b}" for a, b in zip(ours, theirs) if a != b] + ["scopes are missing"] * (len(ours) != len(theirs))


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_scopes(tmp_path, source):
    path = tmp_path / "source.py"
    path.write_text(source)
    assert not differences(path)


@pytest.mark.slow
@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="other versions inline comprehensions or have more scopes")
def test_scopes_of_the_standard_library():
    checked, wrong = 0, []
    for path in python_files(standard_library(), sample=25):
        try:
            compile(path.read_bytes(), str(path), "exec", dont_inherit=True)
            path.read_bytes().decode("utf-8")
        except (SyntaxError, ValueError):
            continue
        checked += 1
        wrong += differences(pathlib.Path(path))
    assert checked > 20 and not wrong, "\n".join(wrong[:10])
