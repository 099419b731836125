#include <doctest/doctest.h>

#include "frontend/build.h"
#include "frontend/parse.h"
#include "frontend/unparse.h"
#include "frontend/walk.h"

using namespace lantern;
using namespace lantern::syntax;

namespace {

Module parsed(std::string_view text) { return parse_text(text, std::make_shared<const std::string>("test.py")); }

std::string again(std::string_view text) { return unparse(parsed(text)).text; }

ExprPtr expression(std::string_view text) {
  Module module = parsed(text);
  return std::move(as<ExprStmt>(module.body.at(0))->value);
}

}  // namespace

TEST_CASE("text comes back as a person would have written it") {
  CHECK(again("x=(1+2)*3 ; y=[ a ,b ]") == "x = (1 + 2) * 3\ny = [a, b]\n");
  CHECK(again("if a : b\nelif c: d\nelse: e\n") == "if a:\n    b\nelif c:\n    d\nelse:\n    e\n");
  CHECK(again("import a\ndef f(x:int=1,*,y=2)->int:return x\nz\n") ==
        "import a\n\n\ndef f(x: int = 1, *, y=2) -> int:\n    return x\n\n\nz\n");
  CHECK(again("class A:\n  '''doc'''\n  def f(self): pass\n  def g(self): pass\n") ==
        "class A:\n    '''doc'''\n\n    def f(self):\n        pass\n\n    def g(self):\n        pass\n");
  CHECK(again("x = 0XFF, 1_0, r'\\d' \"b\"  # comment\n") == "x = 0XFF, 1_0, r'\\d' \"b\"\n");
  CHECK(again("for i,j in x: print(f'{i!r:>{j}}', *k, **l)") == "for i, j in x:\n    print(f'{i!r:>{j}}', *k, **l)\n");
  CHECK(again("") == "");
}

TEST_CASE("parentheses stand where they are needed") {
  for (const std::string text : {"(a + b) * c", "a - (b - c)", "(-x) ** 2", "-x ** 2", "(await a).b", "(a, b)[0]", "not (a and b)",
                                 "(a if b else c) if d else e", "(lambda: x)()", "(yield_ := 1)", "a[b, c:d]", "f((a, b))",
                                 "(x for x in y)", "f(x for x in y)", "(1).real", "*a, b", "a[(*b,)]"}) {
    CHECK(again(text) == text + "\n");
  }
}

TEST_CASE("nodes that passes make are printed") {
  Block body;
  body.push_back(nonlocal_({"x", "y"}));
  body.push_back(assign(name("x"), call(dotted_name("lt.add"), list_of<ExprPtr>(name("y"), number(-2)))));
  body.push_back(return_(strings({"a", "it's \"b\"\n"})));
  Block module;
  module.push_back(function_def("get_state", parameters({"x"}), std::move(body)));
  module.push_back(if_(not_(boolean(true)), list_of<StmtPtr>(pass())));
  CHECK(unparse(module).text ==
        "def get_state(x):\n    nonlocal x, y\n    x = lt.add(y, -2)\n    return \"a\", \"it's \\\"b\\\"\\n\"\n\n\n"
        "if not True:\n    pass\n");
}

TEST_CASE("code in an f-string finds quotes that fit, or becomes str.format") {
  const auto with_field = [](std::string_view text, ExprPtr field) {
    ExprPtr literal = expression(text);
    for (StringPart& part : as<String>(literal)->tokens[0].parts) {
      if (part.value) part.value = std::move(field);
    }
    return to_source(*literal);
  };
  const auto call_with = [](std::string_view argument) { return call(name("g"), list_of<ExprPtr>(string(argument))); };
  CHECK(with_field("f\"it's {x}\"", call_with("a")) == "f'it\\'s {g(\"a\")}'");
  CHECK(with_field("f'{{{x!r:>3}\\n'", call_with("a")) == "f'{{{g(\"a\")!r:>3}\\n'");
  CHECK(with_field("f'{{{x!r:>3}\\n'", call_with("\n")) == "'{{{!r:>3}\\n'.format(g(\"\\n\"))");
  CHECK(with_field("rf'\\d{x}' '{'", call_with("\n")) == "r'\\d{}' '{{'.format(g(\"\\n\"))");
}

TEST_CASE("a string's value is known where it is plain") {
  const auto value = [](std::string_view text) { return string_value(*expression(text)); };
  CHECK(value("'a' \"b\"") == "ab");
  CHECK(value("'\\n\\x41\\101\\u00e9\\d\\\n!'") == "\nAA\u00e9\\d!");
  CHECK(value("r'\\n'") == "\\n");
  CHECK(!value("b'a'"));
  CHECK(!value("f'{a}'"));
  CHECK(!value("'\\N{EN DASH}'"));
  const std::string nasty = "'\"\\\t\n\r\x01\x7f{}é";
  CHECK(string_value(*expression(to_source(*string(nasty)))) == nasty);
}

TEST_CASE("places are lines and columns of characters") {
  const Module module = parsed("é = 1\nif é:\n    é = f(é ,\n  2)\n");
  const auto* branch = as<If>(module.body.at(1));
  const auto* assignment = as<Assign>(branch->body.at(0));
  CHECK(assignment->value->range == Range{3, 9, 4, 5});
  CHECK(as<Call>(assignment->value)->args[0]->range == Range{3, 11, 3, 12});
  const Diagnostic diagnostic = module.diagnostic("LT0199", assignment->value->range, "odd");
  CHECK(diagnostic.source_line == "    é = f(é ,");
  CHECK(diagnostic.location.column == 9);
}

TEST_CASE("the source map leads from the output to the user's text") {
  Module module = parsed("x = 1; y = f( x )\n");
  ExprPtr wrapped = call(name("wrap"), list_of<ExprPtr>(std::move(as<Assign>(module.body[1])->value)));
  inherit(wrapped, {1, 12, 1, 18});
  as<Assign>(module.body[1])->value = std::move(wrapped);
  const Unparsed result = unparse(module);
  REQUIRE(result.text == "x = 1\ny = wrap(f(x))\n");
  const auto origin_of = [&](const Range& output) {
    for (const Mapping& mapping : result.map) {
      if (mapping.output == output) return mapping.origin;
    }
    return Range{};
  };
  CHECK(origin_of({2, 1, 2, 15}) == Range{1, 8, 1, 18});    // the assignment
  CHECK(origin_of({2, 5, 2, 15}) == Range{1, 12, 1, 18});   // wrap(…): made here
  CHECK(origin_of({2, 10, 2, 14}) == Range{1, 12, 1, 18});  // f(x)
  CHECK(origin_of({2, 12, 2, 13}) == Range{1, 15, 1, 16});  // x
}

TEST_CASE("copies are deep, and the same code") {
  const Module module = parsed("match x:\n    case A(b, c=[1, *d]) as e if f:\n        g = lambda h=1, *i: f'{h}' 'j'\n");
  const StmtPtr copy = clone(module.body[0]);
  CHECK(same_code(*copy, *module.body[0]));
  CHECK(copy->range == module.body[0]->range);
  CHECK(!same_code(*expression("a + b"), *expression("a + (b)()")));
  CHECK(same_code(*expression("(a+b)"), *expression("a   + b")));
}

TEST_CASE("walks reach what stands directly in a node") {
  const Module module = parsed("@d\ndef f(a: b = c, *e: g) -> h:\n    i\nmatch j:\n    case k.l | {m.n: o, **p} if q: r\n");
  std::vector<std::string> found;
  const auto collect = [&](const Expr& each) { found.push_back(to_source(each)); };
  for_each_expression(*module.body[0], collect);
  CHECK(found == std::vector<std::string>{"d", "c", "b", "g", "h"});
  found.clear();
  for_each_expression(*module.body[1], collect);
  CHECK(found == std::vector<std::string>{"j", "k.l", "m.n", "q"});
  found.clear();
  for_each_child(*expression("[f(x, y=z)[i:j] for a in b if f'{c:{d}}']"), [&](const Expr& each) {
    collect(each);
    for_each_child(each, collect);
  });
  CHECK(found == std::vector<std::string>{"b", "a", "f'{c:{d}}'", "c", "d", "f(x, y=z)[i:j]", "f(x, y=z)", "i:j"});
  const Module patterns = parsed("match x:\n    case [a, {'k': b, **c}, *d, D(e, f=g) as h]: pass\n");
  CHECK(captured_names(*as<Match>(patterns.body[0])->cases[0].pattern) == std::vector<std::string>{"a", "b", "c", "d", "e", "g", "h"});
}

TEST_CASE("deep trees are parsed, copied, printed and destroyed") {
  std::string sum = "a";
  for (int i = 0; i < 50'000; ++i) sum += " + a";
  const ExprPtr deep = expression(sum);
  CHECK(to_source(*clone(deep)) == sum);
  CHECK(to_source(*expression(std::string(20'000, '(') + "a" + std::string(20'000, ')'))) == "a");
  CHECK(again(std::string(20'000, '[') + std::string(20'000, ']')).size() == 40'001);
}

TEST_CASE("errors have a place") {
  const auto error = [](std::string_view text) {
    try {
      parsed(text);
    } catch (const Failure& failure) {
      return render(failure.diagnostics);
    }
    return std::string();
  };
  CHECK(error("x = (1,\n") == "test.py:1:5: error: '(' was never closed [LT0101]\n  x = (1,\n      ^\n");
  CHECK(error("if x\n    y\n") == "test.py:1:5: error: expected ':' [LT0101]\n  if x\n      ^\n");
  CHECK(error("x = 1\n  y\n") == "test.py:2:3: error: unexpected indent [LT0101]\n    y\n    ^\n");
}
