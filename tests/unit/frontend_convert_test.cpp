#include <doctest/doctest.h>

#include <string>

#include "frontend/convert.h"

using namespace lantern;

namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string body(const std::string& statements) {
  return convert("def f(a, b, c):\n" + statements, "t.py").text;
}

void check_each(const std::vector<std::pair<std::string, std::string>>& cases) {
  for (const auto& row : cases) {
    const std::string text = body("    " + row.first + "\n");
    INFO(text);
    CHECK_MESSAGE(contains(text, row.second), row.first);
  }
}

}  // namespace

TEST_CASE("expressions become operators with their places") {
  check_each({
      {"a(b, *c, k=1)", "ag__.callee(a, (2, 5))(b, *ag__.spread(c, \"call\", (2, 10)), k=1)"},
      {"a.b(c)", "ag__.method(a, \"b\", (2, 5))(c)"},
      {"a.b", "ag__.getattr_(a, \"b\", (2, 5))"},
      {"a[b]", "ag__.getitem(a, b, (2, 5))"},
      {"a[1:b]", "ag__.getitem(a, slice(1, b, None), (2, 5))"},
      {"a + -b", "ag__.binary(\"+\", a, ag__.unary(\"-\", b, (2, 9)), (2, 5))"},
      {"a < b", "ag__.compare(\"<\", a, b, (2, 5))"},
      {"a < b is c", "ag__.compare_chain(a, \"<\", b, (\"is\", lambda: c), (2, 5))"},
      {"a is not b", "ag__.is_not(a, b, (2, 5))"},
      {"a not in b", "ag__.not_in(a, b, (2, 5))"},
      {"a and not b", "ag__.and_(a, lambda: ag__.not_(b, (2, 11)), (2, 5))"},
      {"not (a or b)", "ag__.not_(ag__.or_(a, lambda: b, (2, 10)), (2, 5))"},
      {"a and b if b and c else c", "ag__.if_exp(ag__.all_true(b, lambda: c, (2, 16)), lambda: ag__.and_(a, lambda: b, (2, 5)), lambda: c, (2, 5))()"},
      {"a if b or not (c and b) else b", "ag__.any_true(b, lambda: ag__.not_(ag__.all_true(c, lambda: b, (2, 20)), (2, 15)), (2, 10))"},
      {"a if b else c", "ag__.if_exp(b, lambda: a, lambda: c, (2, 5))()"},
      {"lambda x: x", "ag__.converted_lambda(lambda x: x)"},
      {"[x for x in a]", "[x for x in a] if ag__.plain() else comprehension_(a, ag__.list_of((2, 5)))"},
      {"f'{a!r:>{b}}'", "ag__.fstring(ag__.field(a, \"r\", ag__.fstring(\">\", ag__.field(b), (2, 8))), (2, 5))"},
      {"a and (x := b)", "ag__.callee(operand_, (2, 5))()"},
  });
}

TEST_CASE("statements become operators that keep Python's order") {
  check_each({
      {"x = a", "x = ag__.bind(\"x\", a, (2, 5))"},
      {"x, y = a", "x, y = ag__.unpack(a, 2, (\"x\", \"y\"), (2, 5))"},
      {"a.b = c", "ag__.setattr_(c, a, \"b\", (2, 5))"},
      {"a[0] = c", "a = ag__.setitem(c, a, 0, (2, 5))"},
      {"glob[0] = c", "ag__.store_item(c, glob, 0, (2, 5))"},
      {"a.b.c = b()", "ag__.setattr_(ag__.callee(b, (2, 13))(), ag__.getattr_(a, \"b\", (2, 5)), \"c\", (2, 5))"},
      {"a += b", "a = ag__.inplace(\"+\", a, b, (2, 5))"},
      {"a[b()] += c", "index__ = ag__.callee(b, (2, 7))()"},
      {"del a.b, c[0]", "ag__.delattr_(a, \"b\", (2, 9))"},
      {"assert a, b", "ag__.assert_(a, lambda: b, (2, 5))"},
      {"raise a", "ag__.raise_(a, (2, 5))"},
      {"raise a from b", "ag__.raise_from(a, b, (2, 5))"},
      {"raise", "ag__.reraise((2, 5))"},
      {"global g; g = a", "ag__.stored_global(\"g\", (2, 15))"},
  });
}

TEST_CASE("only what outlives a branch is its state") {
  const std::string text = body("    if a:\n        x = b\n        y = x\n    else:\n        y = c\n    return y\n");
  CHECK(contains(text, "set_state__, (\"y\",), 1, (2, 5))"));
  CHECK_FALSE(contains(text, "nonlocal x"));
  CHECK_FALSE(contains(text, "ag__.ld("));
}

TEST_CASE("a variable that one branch writes and the other reads is state, but no output") {
  const std::string text = body("    x = a\n    if a:\n        x = b\n    else:\n        c(x)\n");
  CHECK(contains(text, "(\"x\",), 0, (3, 5))"));
}

TEST_CASE("attributes that a branch stores to are outputs") {
  const std::string text = body("    if a:\n        b.n.k = c\n");
  CHECK(contains(text, "(\"b.n.k\",), 1, (2, 5))"));
  CHECK(contains(text, "ag__.ldu(lambda: ag__.own(b.n).k, \"b.n.k\")"));
}

TEST_CASE("a variable that may have no value is read through ld") {
  const std::string text = body("    if a:\n        x = b\n    return x\n");
  CHECK(contains(text, "x = ag__.Undefined(\"x\")"));
  CHECK(contains(text, "return ag__.ld(x)"));
}

TEST_CASE("early returns need no flag, returns in loops do") {
  CHECK_FALSE(contains(body("    if a: return 1\n    if b: return 2\n    return 3\n"), "do_return_"));
  CHECK(contains(body("    for x in a:\n        if x: return 1\n"), "do_return_"));
}

TEST_CASE("names of ours give way to the user's") {
  const std::string text = convert("def f(ag__, if_body__):\n    if ag__: return if_body__\n", "t.py").text;
  CHECK(contains(text, "import lantern.operators as ag__1"));
  CHECK(contains(text, "def if_body__1():"));
}

TEST_CASE("private names and super keep their class") {
  const std::string text = convert("class C:\n    def f(self):\n        return super().f(self.__x)\n", "t.py").text;
  CHECK(contains(text, "super(__class__, self)"));
  CHECK(contains(text, "ag__.getattr_(self, \"_C__x\", (3, 26))"));
}

TEST_CASE("what else than an assignment stores to a global is noted behind it") {
  const std::string text = convert("def f(x):\n    global g\n    if (g := x): pass\n    return (g := 2)\n", "t.py").text;
  CHECK(contains(text, "value__ = (g := ag__.bind(\"g\", 2, (4, 13)))\n    ag__.stored_global(\"g\", (4, 5))\n    return value__"));
  CHECK(contains(text, "ag__.stored_global(\"g\", (3, 5))"));
}

TEST_CASE("the import stands behind docstring and future imports") {
  const std::string text = convert("'''doc'''\nfrom __future__ import annotations\nimport os\n", "t.py").text;
  CHECK(text.find("lantern.operators") > text.find("__future__"));
  CHECK(text.find("lantern.operators") < text.find("import os"));
}

TEST_CASE("one function is a factory over its free variables") {
  const std::string source = "def outer(a):\n    @deco\n    def inner(x: int = 1):\n        return a + x + g\n    return inner\n";
  const Conversion conversion = SourceFile(source, "t.py").convert({2, "inner", 0});
  CHECK(conversion.free_variables == std::vector<std::string>{"a"});
  CHECK(contains(conversion.text, "def factory__(ag__, a):"));
  CHECK(contains(conversion.text, "def inner(x=None):"));
  CHECK_FALSE(contains(conversion.text, "deco"));
  CHECK(contains(conversion.text, "return inner"));
}

TEST_CASE("a global function that calls itself calls the global") {
  const std::string text = SourceFile("def f(x):\n    return f(x - 1)\n", "t.py").convert({1, "f", 0}).text;
  CHECK(contains(text, "def f__(x):"));
  CHECK(contains(text, "ag__.callee(f, "));
  CHECK(contains(text, "return f__"));
}

TEST_CASE("lambdas on one line are told apart by column") {
  const std::string source = "f, g = lambda x: x + 1, lambda y: y - 1\n";
  CHECK(contains(SourceFile(source, "t.py").convert({1, "<lambda>", 25}).text, "return lambda y:"));
  CHECK_THROWS_AS(SourceFile(source, "t.py").convert({1, "<lambda>", 0}), Failure);
  CHECK_THROWS_AS(SourceFile(source, "t.py").convert({7, "h", 0}), Failure);
}

TEST_CASE("what cannot be converted faithfully is left alone, and says why") {
  const auto code = [](const std::string& source) {
    const Conversion conversion = convert(source, "t.py");
    return conversion.unconverted.empty() ? "" : conversion.unconverted[0].code;
  };
  CHECK(code("async def f(): pass\n") == "LT0150");
  CHECK(code("def f():\n    yield 1\n") == "");
  CHECK(code("def f():\n    return (yield 1)\n") == "LT0151");
  CHECK(code("def f(a):\n    with a:\n        yield 1\n") == "LT0151");
  CHECK(code("def f(a):\n    try: pass\n    finally: return 1\n") == "LT0152");
  CHECK(code("def f(a):\n    return locals()\n") == "LT0153");
  CHECK(code("def f(a):\n    return eval('a')\n") == "LT0153");
  CHECK(code("def f(a):\n    return eval('a', {})\n") == "");
}

TEST_CASE("nesting costs memory, not a crash") {
  std::string nested = "def f(a):\n    return ";
  for (int i = 0; i < 20'000; ++i) nested += "-";
  const Conversion conversion = convert(nested + "a\n", "t.py");
  CHECK(conversion.unconverted[0].code == "LT0154");
  std::string chain = "def f(a):\n    if a: b()\n";
  for (int i = 0; i < 300; ++i) chain += "    elif a == " + std::to_string(i) + ": c()\n";
  CHECK(convert(chain, "t.py").unconverted.empty());
  std::string deep = "def f(a):\n";
  for (int i = 0; i < 62; ++i) deep += std::string(i + 1, ' ') + "if a: b()\n" + std::string(i + 1, ' ') + "else:\n";
  CHECK(convert(deep + std::string(63, ' ') + "c()\n", "t.py").unconverted.empty());
  std::string yields = "def f(a):\n";
  for (int i = 0; i < 58; ++i) yields += "    if a: yield 1\n";
  CHECK(convert(yields, "t.py").unconverted.empty());
  for (int i = 0; i < 8; ++i) yields += "    yield 1\n";
  CHECK(convert(yields, "t.py").unconverted[0].code == "LT0154");     // what follows each stands in a branch
  std::string loops = "def f(a):\n";
  for (int i = 0; i < 62; ++i) loops += std::string(i + 1, ' ') + "while a:\n";
  CHECK(convert(loops + std::string(63, ' ') + "c()\n", "t.py").unconverted[0].code == "LT0154");
}

TEST_CASE("a closed-over variable is state where the closure may be called behind the statement") {
  const std::string closure = "    k = a\n    def g(): return k\n";
  CHECK(contains(body(closure + "    if a: k = b\n    return g()\n"), "(\"k\",), 1, (4, 5))"));
  CHECK(contains(body(closure + "    if a: k = b\n    k = c\n    return g()\n"), "(), 0, (4, 5))"));
  CHECK(contains(body("    k = a\n    def g():\n        nonlocal k\n        k = b\n    if a: g()\n    return k\n"), "(\"k\",), 1, (6, 5))"));
}

TEST_CASE("comments speak of the logical line that they stand in, or in front of at its indentation") {
  const SourceFile file(
      "x = \"# no comment\"  # a name\n"
      "# two lines\n"
      "#: of one\n"
      "\n"
      "y = (1,  # within\n"
      "  # the same\n"
      "  2)\n"
      "# noqa: E501\n"
      "# -----\n"
      "if x:  # type: ignore\n"
      "  z = y\n"
      "  # of nothing behind\n"
      "w = \"\"\"\n"
      "# text\n"
      "\"\"\"\n"
      "# the end\n",
      "t.py");
  std::string found;
  for (const auto& comment : file.comments()) found += std::to_string(comment.line) + "-" + std::to_string(comment.end_line) + " " + comment.text + "\n";
  CHECK(found ==
        "1-4 a name\n"
        "5-9 two lines\nof one\nwithin\nthe same\n");
}
