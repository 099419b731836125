// The control-flow graph, the definitions and the functions that reach a line, and what is live there, construct by
// construct: as `--emit analysis` prints them.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "frontend/analysis/listing.h"
#include "frontend/parse.h"

using namespace lantern;

namespace {

// The notes beside each line of the last function in a source, joined by " / ".
std::map<int, std::string> notes_of(const std::string& source) {
  std::string text = analysis::listing(syntax::parse_text(source, std::make_shared<const std::string>("t.py")));
  text = text.substr(text.find("\n\n") + 2);
  std::map<int, std::string> notes;
  int line = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string row = text.substr(begin, end - begin);
    begin = end + 1;
    if (row.empty()) break;  // the next function
    if (row.size() < 6 || row[6] != '|') continue;
    if (row[4] != ' ') line = std::stoi(row.substr(0, 5));
    const std::size_t bar = row.find(" | ", 8);
    if (bar == std::string::npos) continue;
    std::string& note = notes[line];
    note += (note.empty() ? "" : " / ") + row.substr(bar + 3);
  }
  return notes;
}

struct Line {
  int line;
  std::string notes;  // how they begin, or " · " and a part of them, or "!" and what is no part of them
};

struct Case {
  const char* what;
  std::string source;
  std::vector<Line> lines;
};

void check(const std::vector<Case>& cases) {
  for (const Case& each : cases) {
    const auto notes = notes_of(each.source);
    for (const Line& line : each.lines) {
      const auto found = notes.find(line.line);
      const std::string text = found == notes.end() ? "nothing" : found->second;
      const bool absent = line.notes[0] == '!';
      const bool holds = absent ? text.find(line.notes.substr(1)) == std::string::npos
                         : line.notes.starts_with(" ") ? text.find(line.notes) != std::string::npos
                                                       : (text + " ").starts_with(line.notes + " ");
      CHECK_MESSAGE(holds, fmt::format("{}: line {} says: {}\n  but should: {}", each.what, line.line, text, line.notes));
    }
  }
}

}  // namespace

TEST_CASE("control flow") {
  check({
      {"if", "def f(a):\n if a:\n  b\n else:\n  c\n d\n", {{2, "next 3, 5"}, {3, "next 6"}, {5, "next 6"}, {6, "next end"}}},
      {"elif", "def f(a):\n if a:\n  b\n elif c:\n  d\n e\n", {{2, "next 3, 4"}, {4, "next 5, 6"}}},
      {"while", "def f(a):\n while a:\n  b\n c\n", {{2, "next 3, 4"}, {3, "next 2"}}},
      {"while else", "def f(a):\n while a:\n  if b:\n   break\n else:\n  c\n d\n",
       {{2, "next 3, 6"}, {4, "next 7"}, {6, "next 7"}}},
      {"while True", "def f(a):\n while True:\n  if b:\n   break\n c\n", {{2, "next 3"}, {4, "next 5"}}},
      {"for", "def f(a):\n for i in a:\n  continue\n b\n",
       {{2, "next 2 · reads a (1)"}, {2, " / each turn: next 2, 4 / target: next 3"}, {3, "next 2"}}},
      {"for else", "def f(a):\n for i in a:\n  break\n else:\n  b\n c\n", {{2, " each turn: next 2, 5"}, {3, "next 6"}, {5, "next 6"}}},
      {"break of the inner loop", "def f(a):\n for i in a:\n  while a:\n   break\n  b\n", {{4, "next 5"}, {5, "next 2"}}},
      {"return in a loop", "def f(a):\n for i in a:\n  return i\n", {{3, "next end"}}},
      {"raise", "def f(a):\n raise a\n b\n", {{2, "reads a (1)"}, {2, "!next"}}},
      {"try", "def f(a):\n try:\n  a\n except E:\n  b\n else:\n  c\n d\n",
       {{3, "next 7 · raises 2"}, {2, "an exception: next 4"}, {5, "next 8"}, {7, "next 8"}, {7, "!raises"}}},
      {"two handlers", "def f(a):\n try:\n  a\n except E:\n  b\n except F:\n  c\n", {{2, "an exception: next 4, 6"}, {5, "next end"}}},
      {"finally", "def f(a):\n try:\n  a\n finally:\n  b\n c\n", {{3, "next 5 · raises 5"}, {5, " / next 6, end"}}},
      {"return through finally", "def f(a):\n try:\n  return a\n finally:\n  b\n c\n", {{3, "next 5"}, {5, " / next end"}}},
      {"break through finally", "def f(a):\n while a:\n  try:\n   break\n  finally:\n   b\n c\n", {{4, "next 6"}, {6, " / next 7, end"}}},
      {"continue through two finallys",
       "def f(a):\n while a:\n  try:\n   try:\n    continue\n   finally:\n    b\n  finally:\n   c\n d\n",
       {{5, "next 7"}, {7, " / next 9"}, {9, " / next 2, end"}}},
      {"break in a loop in a try", "def f(a):\n try:\n  while a:\n   break\n finally:\n  b\n", {{4, "next 6"}}},
      {"a handler's name ends with it", "def f(a):\n try:\n  a\n except E as e:\n  b\n c\n",
       {{4, "next 5"}, {4, " / behind the handler: next 6, end · deletes e"}, {5, "next 4 · raises 4"}}},
      {"return in a handler with a name", "def f(a):\n try:\n  a\n except E as e:\n  return b\n", {{5, "next 4"}}},
      {"except*", "def f(a):\n try:\n  a\n except* E:\n  b\n except* F:\n  c\n d\n", {{5, "next 2, 8 · raises 2"}}},
      {"with", "def f(a):\n with a as b:\n  c\n d\n", {{2, "behind the with: next 4"}, {2, " / next 3"}, {3, "next 2 · raises 2"}}},
      {"match", "def f(a):\n match a:\n  case 1:\n   b\n  case 2 if c:\n   d\n e\n",
       {{2, "next 3"}, {3, "next 4, 5"}, {5, "next 5, 7"}, {5, " / guard: next 6, 7"}, {4, "next 7"}}},
      {"match that takes anything", "def f(a):\n match a:\n  case 1:\n   b\n  case _:\n   c\n d\n", {{5, "next 6"}, {6, "next 7"}}},
      {"match with a guard on anything", "def f(a):\n match a:\n  case b if b:\n   c\n d\n", {{3, "next 3 / captures: next 3 · writes b / guard: next 4, 5"}}},
      {"nested functions are one step", "def f(a):\n def g():\n  return a\n b\n", {{2, "next 4"}}},
  });
}

TEST_CASE("definitions that reach") {
  check({
      {"a parameter", "def f(a):\n b(a)\n", {{2, " reads a (1), b"}}},
      {"both branches", "def f(a):\n if a:\n  x = 1\n else:\n  x = 2\n x\n", {{6, " reads x (3, 5)"}}},
      {"one branch", "def f(a):\n if a:\n  x = 1\n x\n", {{4, " reads x (3, ?)"}}},
      {"round a loop", "def f(a):\n x = 1\n while a:\n  x = x\n", {{4, " reads x (2, 4)"}}},
      {"a loop that may not run", "def f(a):\n for i in a:\n  pass\n i\n", {{4, " reads i (2, ?)"}}},
      {"del", "def f(a):\n del a\n a\n", {{2, " deletes a"}, {3, " reads a (?)"}}},
      {"a statement that fails binds nothing", "def f(a):\n try:\n  x = a()\n except E:\n  x\n", {{5, " reads x (3, ?)"}}},
      {"a handler's name", "def f(e):\n try:\n  e()\n except E as e:\n  e\n e\n", {{5, " reads e (4)"}, {6, " reads e (1, ?)"}}},
      {"a handler that raises unbinds its name",
       "def f(e):\n try:\n  try:\n   a()\n  except E as e:\n   a()\n except F:\n  e\n", {{8, " reads e (1, 5, ?)"}}},
      {"a handler that is left by a jump unbinds its name", "def f(e):\n while a:\n  try:\n   a()\n  except E as e:\n   break\n e\n",
       {{7, " reads e (1, ?)"}}},
      {"walrus behind and", "def f(a):\n a and (b := a)\n b\n", {{2, " may write b"}, {3, " reads b (2, ?)"}}},
      {"walrus in a comprehension", "def f(a):\n [b := c for c in a]\n b\n", {{2, " may write b"}, {3, " reads b (2, ?)"}}},
      {"captures of a pattern", "def f(a):\n match a:\n  case [b, *c]:\n   b, c\n", {{3, " / captures: next 4 · writes b, c"}, {4, " reads b (3), c (3)"}}},
      {"imports", "def f():\n import a.b\n from c import d as e\n a, e\n", {{4, " reads a (2), e (3)"}}},
      {"a class and a function", "def f():\n class C: pass\n def g(): pass\n C, g\n", {{4, " reads C (2), g (3)"}}},
      {"what finally sees", "def f(a):\n x = 1\n try:\n  x = a()\n finally:\n  x\n", {{6, " reads x (2, 4)"}}},
  });
}

TEST_CASE("functions that reach: a closure reads where it may be called") {
  const std::string prefix = "def f(a):\n k = 1\n def g():\n  return k\n";
  check({
      {"called by its name", prefix + " k = 2\n g()\n b\n",
       {{5, "!live g, k"}, {6, " calls g (3) · live g, k"}, {7, "!k"}, {3, "!live a, k"}}},
      {"not called again", prefix + " g()\n k = 2\n return a\n", {{6, "!live a, k"}, {7, "!k"}}},
      {"used as a value: callable at any time", prefix + " k = 2\n return g\n", {{3, " captures k, for any call from here on"}, {6, " live g, k"}}},
      {"decorated", "def f(a):\n k = 1\n @a\n def g():\n  return k\n return a\n", {{4, " captures k, for any call from here on"}, {6, " live a, k"}}},
      {"called by another", "def f(a):\n def g():\n  return k\n def h():\n  return g()\n k = 1\n h()\n", {{7, " calls g (2), h (4)"}, {7, " live g, h, k"}}},
      {"which of two", "def f(a):\n if a:\n  def g(): return k\n else:\n  def g(): return j\n k = j = 1\n g()\n",
       {{7, " calls g (3), g (5)"}, {7, " live g, j, k"}}},
      {"the later of two", "def f(a):\n def g(): return k\n def g(): return j\n k = j = 1\n g()\n", {{5, " calls g (3) · live g, j"}}},
      {"a lambda", "def f(a):\n h = lambda: k\n k = 1\n h()\n", {{2, " captures k, for any call from here on"}, {4, " live h, k"}}},
      {"a generator expression", "def f(a):\n k = 1\n b = sum(k for x in a)\n k = 2\n", {{3, " captures k, for any call from here on"}}},
      {"nonlocal is written by the call", "def f(a):\n k = 1\n def g():\n  nonlocal k\n  k = 2\n g()\n k\n",
       {{6, " may write k · calls g (3)"}, {7, " reads k (2, 3, 6)"}}},
      {"methods", "def f(a):\n k = 1\n class C:\n  def m(self): return k\n return C\n", {{5, " live C, k"}}},
  });
}

TEST_CASE("liveness") {
  check({
      {"until bound again", "def f(a):\n x = a\n y = x\n x = 1\n return x, y\n", {{3, " live x"}, {4, " live y"}, {5, " live x, y"}}},
      {"round a loop", "def f(a):\n x = 0\n while a:\n  x += 1\n return a\n", {{4, " live a, x"}, {5, " live a"}}},
      {"in a handler", "def f(a):\n x = 0\n try:\n  x = a()\n except E:\n  return x\n", {{4, " live a, x"}}},
      {"behind finally", "def f(a):\n x = 0\n try:\n  return a\n finally:\n  x()\n", {{4, " live a, x"}}},
      {"global", "def f(a):\n global x\n x = a\n", {{3, " live a, x"}}},
      {"del reads", "def f(a):\n x = 0\n del x\n", {{3, " live x"}}},
      {"augmented", "def f(a):\n x = 0\n x += 1\n", {{3, " live x"}}},
      {"a loop else", "def f(a):\n x = 0\n for i in a: pass\n else: x()\n", {{3, " live a, x"}}},
  });
}
