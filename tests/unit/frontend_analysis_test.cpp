#include <doctest/doctest.h>

#include <memory>

#include "frontend/analysis/liveness.h"
#include "frontend/analysis/reaching.h"
#include "frontend/parse.h"

using namespace lantern;
using namespace lantern::analysis;
using namespace lantern::syntax;

namespace {

// A function, and everything that the analyses say of it.
struct Analysed {
  explicit Analysed(const std::string& source) : module(parse_text(source, std::make_shared<const std::string>("t.py"))) {
    def = as<FunctionDef>(module.body[0]);
    bindings = bindings_of(def->parameters, def->body);
    graph = control_flow_graph(def->body);
    for (const Node& node : graph.nodes) uses.push_back(uses_of(node, "ag__"));
    const auto formals = parameter_names(def->parameters);
    reaching = std::make_unique<ReachingDefinitions>(graph, uses, bindings.locals, NameSet(formals.begin(), formals.end()));
    liveness = std::make_unique<Liveness>(graph, uses, NameSet{});
  }

  // The node that begins in a line.
  int at(int line) const {
    for (std::size_t i = 2; i < graph.nodes.size(); ++i) {
      if (graph.nodes[i].stmt && graph.nodes[i].stmt->range.line == line) return static_cast<int>(i);
    }
    FAIL("no node in line " << line);
    return -1;
  }

  Module module;
  FunctionDef* def;
  Bindings bindings;
  Graph graph;
  std::vector<Uses> uses;
  std::unique_ptr<ReachingDefinitions> reaching;
  std::unique_ptr<Liveness> liveness;
};

ExprPtr expression(const std::string& source) {
  Module module = parse_text(source + "\n", nullptr);
  return std::move(as<ExprStmt>(module.body[0])->value);
}

}  // namespace

TEST_CASE("a qualified name is a way from a name by attributes and literal keys") {
  CHECK(qualified_name(*expression("self.cache['k'].x[-1]"))->text() == "self.cache['k'].x[-1]");
  CHECK(qualified_name(*expression("a"))->is_simple());
  CHECK_FALSE(qualified_name(*expression("a[i]")));
  CHECK_FALSE(qualified_name(*expression("f(a).b")));
  CHECK(qualified_name(*qualified_name(*expression("a.b[0]"))->expression())->text() == "a.b[0]");
}

TEST_CASE("a place may be within one that it begins with, or one that ends as what holds it does") {
  const auto may_be_within = [](const char* place, const char* other) { return qualified_name(*expression(place))->may_be_within(*qualified_name(*expression(other))); };
  for (const char* other : {"a.b", "a.b.c", "d.b", "d[0].c"}) CHECK(may_be_within("a.b.c[0]", other));
  for (const char* other : {"a.b.c[0]", "a.b.c[1]", "a", "b", "d.a", "d[0]", "d.b[0]", "a.b.c[0].d"}) CHECK_FALSE(may_be_within("a.b.c[0]", other));
  CHECK(may_be_within("a[0][1]", "a[0]"));
  CHECK_FALSE(may_be_within("a[0][1]", "d[0]"));
}

TEST_CASE("a function binds what its own code stores to, in order, nested scopes left out") {
  const Analysed f(
      "def f(a, *, k=1, **m):\n"
      "    global g\n"
      "    import os.path, sys as s\n"
      "    x, (y, *z) = g = a.b = a\n"
      "    for i in a:\n"
      "        with a as w: pass\n"
      "    def h(q): r = (never := q)\n"
      "    [t for u in a if (t := u)]\n"
      "    class C: c = 1\n"
      "    try: pass\n"
      "    except E as e: pass\n"
      "    match a:\n"
      "        case {'k': v, **rest}: pass\n");
  CHECK(f.bindings.locals == std::vector<std::string>{"a", "k", "m", "os", "s", "x", "y", "z", "g", "i", "w", "h", "t",
                                                      "C", "e", "v", "rest"});
  CHECK(f.bindings.globals == NameSet{"g"});
  CHECK_FALSE(f.bindings.is_local("g"));
}

TEST_CASE("uses tell reads, writes, and what closures capture apart") {
  const Analysed f(
      "def f(xs, k):\n"
      "    a = [x + k for x in xs]\n"
      "    b = sum(x * k for x in xs)\n"
      "    c = lambda x, y=k: x + a\n"
      "    d = k and (e := a)\n"
      "    del a\n"
      "    g = ag__.and_(lambda: b, lambda: k)\n"
      "    def h(x, y=b):\n"
      "        nonlocal d\n"
      "        d = x + c\n");
  CHECK(f.uses[f.at(2)].reads == NameSet{"k", "xs"});
  CHECK(f.uses[f.at(2)].captured.empty());
  CHECK(f.uses[f.at(3)].reads == NameSet{"sum", "xs"});
  CHECK(f.uses[f.at(3)].captured == NameSet{"k"});
  CHECK(f.uses[f.at(4)].reads == NameSet{"k"});
  CHECK(f.uses[f.at(4)].captured == NameSet{"a"});
  CHECK(f.uses[f.at(5)].writes == NameSet{"d"});
  CHECK(f.uses[f.at(5)].may_write == NameSet{"e"});
  CHECK(f.uses[f.at(6)].deletes == NameSet{"a"});
  CHECK(f.uses[f.at(7)].reads.count("b"));
  CHECK(f.uses[f.at(7)].captured.empty());
  CHECK(f.uses[f.at(8)].captured == NameSet{"c", "d"});
  CHECK(f.uses[f.at(8)].may_write == NameSet{"d"});
}

TEST_CASE("free names are those that no scope inside binds") {
  const Analysed f("def f(a):\n    b = a + c\n    return lambda d: [e for e in d if a or g]\n");
  CHECK(free_names(*f.def) == NameSet{"c", "g"});
}

TEST_CASE("control flow: what falls through, what jumps, what catches") {
  const Analysed f(
      "def f(a):\n"
      "    while a:\n"
      "        if a > 1:\n"
      "            break\n"
      "        try:\n"
      "            x = a\n"
      "        except E:\n"
      "            continue\n"
      "    return a\n");
  CHECK(f.graph.nodes[f.at(4)].next == std::vector<int>{f.at(9)});  // break: behind the loop
  CHECK(f.graph.nodes[f.at(8)].next == std::vector<int>{f.at(2)});  // continue: to the test
  CHECK(f.graph.nodes[f.at(9)].next == std::vector<int>{exit_node});
  const int catcher = f.graph.nodes[f.at(6)].exceptional[0];
  CHECK(f.graph.nodes[catcher].part == Part::handlers);
  CHECK(f.graph.statements.at(f.def->body[0].get()).contains(f.at(8)));
}

TEST_CASE("a block completes unless every way through it jumps") {
  const auto ends = [](const std::string& body) { return !completes(Analysed("def f(a):\n" + body).def->body); };
  CHECK(ends("    if a: return 1\n    else: raise a\n"));
  CHECK_FALSE(ends("    if a: return 1\n"));
  CHECK(ends("    while True: a()\n"));
  CHECK_FALSE(ends("    while True:\n        if a: break\n"));
  CHECK(ends("    try: return 1\n    except E: raise\n"));
  CHECK_FALSE(ends("    with a: raise a\n"));  // the manager may swallow it
}

TEST_CASE("a definition may reach, may not, or may be missing") {
  const Analysed f(
      "def f(a):\n"
      "    if a:\n"
      "        x = 1\n"
      "    a(x)\n"
      "    x = 2\n"
      "    a(x)\n"
      "    del x\n"
      "    a(x)\n");
  CHECK(f.reaching->may_be_undefined(f.at(4), "x"));
  CHECK(f.reaching->may_be_defined(f.at(4), "x"));
  CHECK_FALSE(f.reaching->may_be_undefined(f.at(6), "x"));
  CHECK_FALSE(f.reaching->may_be_defined(f.at(8), "x"));
  CHECK_FALSE(f.reaching->may_be_undefined(f.at(4), "a"));
  CHECK(f.reaching->before(f.at(6), "x").size() == 1);
}

TEST_CASE("an exception may come before a binding or behind it") {
  const Analysed f("def f(a):\n    try:\n        x = a()\n    except E:\n        a(x)\n");
  CHECK(f.reaching->may_be_undefined(f.at(5), "x"));
  CHECK(f.reaching->may_be_defined(f.at(5), "x"));
}

TEST_CASE("what enters a loop is not what goes round in it") {
  const Analysed f("def f(a):\n    x = 1\n    while a:\n        del x\n");
  const Region loop = f.graph.statements.at(f.def->body[1].get());
  CHECK(f.reaching->may_be_undefined(f.at(3), "x"));
  CHECK(f.reaching->entering(loop, "x").size() == 1);
  CHECK_FALSE(f.reaching->entering(loop, "x")[0].undefined);
}

TEST_CASE("a name is live until it is bound again") {
  const Analysed f(
      "def f(a):\n"
      "    x = a\n"
      "    y = x\n"
      "    while y:\n"
      "        y = x = y - 1\n"
      "    return y\n");
  CHECK(f.liveness->is_live(f.at(3), "x"));
  CHECK_FALSE(f.liveness->is_live(f.at(4), "x"));
  CHECK(f.liveness->is_live(f.at(4), "y"));
  const Region loop = f.graph.statements.at(f.def->body[2].get());
  CHECK(f.liveness->live_after(loop) == NameSet{"y"});
}
