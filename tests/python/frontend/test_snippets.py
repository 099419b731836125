"""Corners of Python 3.11's grammar: the same tree for CPython before and after parse and unparse."""

import ast

import pytest

from roundtrip import Roundtrip

EXPRESSIONS = r"""
(print >> f, x)
print >> f
(print), x
match
match(x)
match[x]
match.y
match * a
match - 1
case
type(x).y
type[x]
_
(a := 1)
[a := 1, b := 2]
f(a := 1, b=(c := 2))
x[(a := 1)]
{(a := 1): (b := 2)}
lambda: (yield)
lambda x, /, y, *, z=1: (x, y, z)
lambda *a, **k: (a, k)
lambda *, k: k
lambda x=lambda: 1: x
lambda: lambda: 1
(lambda x: x)(1)
[lambda: x for x in y]
a if b else c if d else e
(a if b else c) if d else e
a if (b if c else d) else e
not a in b
not (not a)
(not a) == b
a == (b == c)
a < b <= c != d is not e not in f
-x ** 2
(-x) ** 2
2 ** -x
2 ** 3 ** 4
(2 ** 3) ** 4
a - (b - c)
a - b - c
a ^ b & c | d
(a ^ b) & c
a & b ^ c & d ^ e
a << b + c
~-+x
1 .real
1.0.real
(1).real
0xFF_ff + 0o17 + 0b1_0 + 1_000.5e-1_0 + 1j + .5 + 5. + 1e5J
-1 + 2j
...
... .x
a and b and c
(a and b) and c
a and (b and c)
a or b and not c
x[1:2, ::3, :, a:b:c]
x[1,]
x[()]
x[*a]
x[*a, b]
x[1:2, *a]
x[a, b][c]
x[...]
[*a, *b]
{*a, *b}
(*a, *b)
{**a, 'b': 1, **c}
f(*a, b, *c, d=1, **e, **g)
f(*a or b)
f(*a if b else c)
f(*a.b(c)[d])
x[*[1, 2]], (*[1], 2), f(*[1], *{}), [*(1, 2)], {*"a"}, *(yield_), *b'a' + c
f(*(a) or b, *[c][0], *{})
((x := a) or b or c), ((x := a) ^ b & c), ((x := a).b(c)[d] < e)
f(x := a if b else c for d in e)
[x := a if b else c, y := a or b]
[x := a < b, (x := a) < b]
[*a | b]
f(x for x in y)
f((x for x in y), 1)
[x for x in y if a if b for z in w]
{x: y for x, y in z}
{x for *x, in y}
[x for x in (a if b else c)]
[x for x in y if (a if b else c)]
[x for x, in y]
()
(a,)
((a, b), c)
[[], {}, set(), ()]
"a" 'b' r'\c' u"d"
b"a" B'b' rb'\c' bR"\d"
'''a
"b" ''' "c"
"\
joined"
"\N{EN DASH}\x41\u0041\101\
" '\'' "\""
f""
f"a{x}b{y!r}c{z!s:>10}d{w:{v}.{u}}"
f"{x!a}{{}}{{{x}}}"
f"{x=}{y = }{z=!s}{w=:>5}{ v  =  !r:^{n} }"
f"{a['b']}" f'{a["b"]}'
f'{"a" "b"}'
f'''{a["b"] + 'c'}
{
x
}'''
f"{ {1: 2}[1] }{ {x for x in y} }"
f"{(lambda x: x)(1)}{(lambda: 1)!r}"
f"{a if b else c}{a if b else (lambda: 1)}"
f"{x:=10}{x:={w}}{(x:=10)}"
f"{a != b}{a == b}{a >= b}"
f"{x,}{x, y}{*a, b}"
f"{yield_}{(yield)}"
f"{x:%H:%M}{x:a{y}b{z}c}"
f"{f'{x}'}"
rf"\d{x}\{y}"
Rf'{x}' fr"{y}" F"{z}"
f"a" "b" f'{c}' "{d}"
f"\N{EN DASH}{x}\x41"
"{x}" "}" f"{{" "{"
f'{x:{"{"}>10}'
""
(yield)
(yield x)
(yield x, y)
(yield *a, b)
(yield from x)
x @ y // z % w
nonlocal_
ªº
ﬁ
变量.属性
a.b.c(d)(e)[f].g
(await_)
(a
 .b
 # comment
 (c))
(a.
b)
(a +
b)
{
'a':
1}
a <\
b
x if y else\
 z
""".strip("\n")

STATEMENTS = [
    "def f(a, *, b): pass\ndef g(a, /, *, b=1, **c): pass\ny = *(x, n), b\nz = lambda *, a: [*[a], a]\n",
    "print >>f, x\nprint >> sys.stderr, 'a', *b\nprint >> a | b\n",
    "match = 1\nmatch.x = 2\nmatch[0] = 3\nmatch, y = 1, 2\nmatch: int = 1\ncase = 1\ntype = 1\ntype(x).y = 3\ntype[x] = 3\n_ = 1\n",
    "match(x)\nmatch (x, y)\nmatch -x\nmatch [a]\n",
    "a = b = c, d = *e, f = g\n",
    "(a, b), [c, *d], e.f, g[h] = i\n",
    "x = yield\nx = yield y\nx = y = yield z, w\nx += yield\nyield\nyield a, b\nyield from c\n",
    "a += 1; b -= 1; c *= 1; d @= 1; e /= 1; f //= 1; g %= 1; h **= 1; i >>= 1; j <<= 1; k &= 1; l ^= 1; m |= 1\n",
    "a += b, c\n",
    "x = *[1], 2\nfor x in *(1, 2), 3: pass\n*[a, b], c = x\n[a, *(b, c)] = x\nfor *[a], b in c: pass\n",
    "def f():\n    *[a], b = c\n    return *(1, 2), 3\n    yield *[1], *'a'\n",
    "x: (y := 1) + 2\nx: int\nx: int = 1\n(x): int = 1\nx.y: int\nx[y]: 'a b' = z, w\n(x.y): int\n",
    "x: list[int] | None = None\ny: dict[str, list[int]][a](b) or c\nz: a[1:2, ::3, *b]\n",
    "del a, b[c], d.e\ndel (a, b)\ndel [a, b]\ndel (a)\ndel a,\n",
    "for x in y: pass\nelse: pass\nfor x, in *a, b: continue\nfor (x, y), *z in w: break\nfor x[0] in y: pass\n",
    "while (x := f()): pass\nelse: y\nwhile x := f(): pass\n",
    "if a: b\nelif c: d\nelif (e := 1): f\nelse: g\n",
    "if a:\n  if b: c\n  else: d\nelse:\n  if e: f\n  else: g\n",
    "with a: pass\nwith a as b, c as (d, e), f as g.h, i as j[k], l: pass\n",
    "with (a as b, c): pass\nwith (a, b): pass\nwith ((a, b)): pass\nwith (a, b) as c: pass\nwith (a): pass\nwith (a as b): pass\nwith (a, b), c: pass\n",
    "with (yield): pass\n" "with (a := b): pass\n" "with (a, *b): pass\n" "with (x for x in y): pass\n" "with (): pass\n" "with (a).b as c, (d): pass\n",
    "with (\n  a as b,\n  c as d,\n): pass\n",
    "with a if b else c as d, lambda: e as f: pass\nwith (a if b else c as d): pass\nwith (a, b if c else lambda: d as e): pass\n"
    "try: a\nexcept A if b else C as d: e\nexcept (lambda: A) as b: c\n",
    "raise\nraise a\nraise a from b\nassert a\nassert a, b\nassert (a, b)\n",
    "try: a\nexcept: b\ntry: a\nexcept A: b\nexcept (A, B) as c: d\nelse: e\nfinally: f\ntry: a\nfinally: b\n",
    "try: a\nexcept* A: b\nexcept *(B, C) as d: e\n",
    "import a, b.c as d, e . f\nfrom . import a\nfrom .. import (a as b, c,)\nfrom ...a.b import *\nfrom .... import a\nfrom . . a import b\n",
    "from __future__ import annotations\nfrom __future__ import (division as d, generators)\n",
    "global a, b\n",
    "def f():\n  nonlocal_ = 1\n  def g():\n    nonlocal nonlocal_, h\n  h = 1\n",
    "def f(a, b: int, /, c=1, d: int = 2, *args: int, e, f: int = 3, **kwargs: str) -> int: pass\n",
    "def f(a, /): pass\ndef f(*, a): pass\ndef f(a, /, *, b): pass\ndef f(a=1, /, b=2): pass\ndef f(*a: *b): pass\ndef f(a, b,): pass\n",
    "@a\n@b.c(d)[e]\n@(f := g)\n@lambda x: x\ndef h(): pass\n@i\nclass J: pass\n@k\nasync def l(): pass\n",
    "class A: pass\nclass A(): pass\nclass A(B, *C, d=E, **F): pass\nclass A((x for x in y)): 'doc'\n",
    "async def f():\n  await x\n  await x ** 2\n  -await x\n  await x.y(z)[w]\n  async for a in b: pass\n  else: c\n  async with a as b, c: pass\n  [x async for x in y if await z]\n  return await a, await b\n",
    "def f():\n  return\n  return a, b\n  return *a, b\n  return (yield)\n",
    "def f():\n  '''doc\n  string'''\n  'not doc'\nclass A:\n  r'doc'\n",
    "a; b; c;\nif a: b; c\n",
    "*a, b\n*a,\n(a, b)\na,\n",
    "lambda: 0\n(yield)\n'x'\n",
    "a,\nb, c = d\n",
    "def f():\n    a; b,  # c\n    # d\n    e, f = *g, h\n    i += j,\n    k: l = m\n    return n,\n    class o: p,\n    q,\n    @r\n    def s(): pass\n",
    "def f():\n    if a: return\n    match(x)[0]:\n        case-1: a: list[int] = [a]\n    match[x], y:\n        case-1.5+2j: pass\n    match[x].y, *z:\n      case 'a'|(b): pass\n",
    "match x:\n  case 1: return_ = x,\n  case[y]: pass\n",
    "match x:\n  case 1 | -1 | 1.5 | -2j | 1+2j | -1-2.5j: pass\n  case 'a' 'b' | b'c' | None | True | False: pass\n  case a.b | c.d.e: pass\n  case _: pass\n  case y: pass\n",
    "match x, y:\n  case a, b: pass\n  case a,: pass\n  case *a, b: pass\n  case [a, *_, b]: pass\n  case []: pass\n  case (): pass\n  case (a,): pass\n  case (a): pass\n  case [(a, b), *c]: pass\n  case (a | b) as c: pass\n  case a.b() as c: pass\n",
    "match x:\n  case {}: pass\n  case {'a': 1, -1: b, c.d: e, None: f, **g}: pass\n  case {**g}: pass\n  case {1+2j: (a | b)}: pass\n  case {'a': b as c}: pass\n",
    "match x:\n  case A(): pass\n  case A(b, c.d, e=f, g=1 | 2): pass\n  case a.B(x=(1 as y), z=[w]): pass\n  case A(x=1 as y): pass\n  case A(B(C(d))): pass\n  case A(x=-1): pass\n  case A(1 as b, c as d): pass\n",
    "match x:\n  case a if b: pass\n  case a if (b := c): pass\n  case a if b := c: pass\n  case (1 as a) | (2 as a): pass\n  case ((1 as a) as b): pass\n",
    "match (x, *y):\n  case [1]: pass\nmatch x := y:\n  case 1: pass\nmatch -x:\n  case 1: pass\nmatch (yield):\n  case 1: pass\nmatch *a, b:\n  case 1: pass\nmatch x,:\n  case 1: pass\nmatch {}:\n  case 1: pass\nmatch [a]:\n  case 1: pass\n",
    "match[a]:\n  case 1: pass\nmatch[a], b:\n  case i, [j]: pass\nmatch[a][0] + (c):\n  case -1: pass\nmatch(a).b:\n  case A(i): pass\n",
    "k = j, 1\n[x][0] += 3\nk = j, 1; k = 2, 3  # to here\n\n# and on\n(x).a += 3\nk = j, 'a'\n'b'[1] += 2\nk: int = j, 1\n{x}[0] += 1\n",
    "if x:\n  k = j, 1\n  [x][0] += 3\n  if y: k = j, 1\n  else: k = j, f()\nelse:\n  k = j, 1;\n  (x).a += 1\n  k = j\n[x][0] += 3\n",
    "match (a).b:\n  case [i]: pass\nmatch  (a, b)[0]:\n  case (i): pass\nmatch [a], b:\n  case [i]: pass\nmatch [a][0] + (c):\n  case -1: pass\nmatch (a)**2 if (b) else [c]:\n  case (i): pass\nmatch\t(\n a).b:\n  case [i]: pass\n",
    "if 1:\n    # comment\n  # odd comment\n    a\n# other\n    b\n        # deeper\nc\n",
    "def f():\n        x = (a +\n  b)\n        y = [\nc]\n        return x\n",
    "if a:\n" + " " * 300 + "if b:\n" + " " * 301 + "c\n" + " " * 300 + "d\ne\n",
    "if a:\n\tif b:\n\t    c\n\t    if d:\n\t    \te\n\tf\n",
    "if a:\n    b\n\\\n    c\nd\n",
    "if a:\n    \\\n  b\n    c\n",
    "if a:\n\tb\n\tif c:\n\t\td\ne\n",
    "if a:\n    b\n\f\nc\n\fd\n",
    "x = 1 \\\n  + 2\nif a and \\\n   b:\n  c\n",
    "x = [  # comment\n  1,  # one '\n  # two (\n  2]\n",
    "#comment only\n",
    "",
    "\n\n\n",
    "pass",
    "if a:\n  pass\n  # end",
    "x = 'a' \\\n    'b'\n",
    "x = ('a'\n     'b' # c\n     f'{d}')\n",
    "if x:\n    y = '''\nunindented\n'''\n    z\n",
    "async def f():\n    return [i async for i in a], {i: j async for i, j in b}, {i async for i in c}, (i async for i in d)\n",
    "def f(x, *, match, case, type, _): return match(case)[type](_)\n",
    "f(match=1, case=2, type=3, print=4)\nclass match(type): pass\ndef case(): pass\nfor match in case: pass\nimport match, case as type\n",
    "try:\n  pass\nexcept a.b[c] as d:\n  pass\nexcept (yield):\n  pass\n",
    "while 1:\n  try: continue\n  finally: break\n",
    "if (a,\n    b): pass\nelif not(c): d\n",
    "if(a)or(b):pass\nreturn_=not(a)\nx=1if y else 2\n",
    "0xfor x\n0o17if y else z\n1or 2\n",
    "def f() -> (yield): pass\ndef g(a: (yield) = (yield)): pass\n",
]


def same_after_roundtrip(tmp_path, source):
    path = tmp_path / "snippet.py"
    path.write_text(source, encoding="utf-8")
    with Roundtrip() as roundtrip:
        answer = roundtrip.answer(path)
    assert "error" not in answer, answer["error"]
    again = answer["text"]
    assert ast.dump(ast.parse(again)) == ast.dump(ast.parse(source)), again
    path.write_text(again, encoding="utf-8")
    with Roundtrip() as roundtrip:
        assert roundtrip.answer(path)["text"] == again  # unparse . parse is the identity on what unparse prints


def expressions():
    """One expression a line; a line that does not parse alone continues on the next."""
    pending = ""
    for line in EXPRESSIONS.split("\n"):
        pending += line + "\n"
        try:
            ast.parse(pending)
        except SyntaxError:
            continue
        yield pending
        pending = ""
    assert not pending, f"not an expression: {pending}"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("source", list(expressions()))
def test_expression(tmp_path, source):
    same_after_roundtrip(tmp_path, source)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("source", STATEMENTS)
def test_statements(tmp_path, source):
    same_after_roundtrip(tmp_path, source)
