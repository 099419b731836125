#pragma once

#include <map>
#include <vector>

#include "frontend/syntax.h"

/// The control-flow graph of one function's body. A node is one step that runs as a whole: a simple statement, or
/// a part of a compound one (the test of an `if`, the items of a `with`). Nested functions and classes are simple
/// statements here.
namespace lantern::analysis {

enum class Part {
  entry,        // before the first statement; stmt is null
  exit,         // behind the last one, and where exceptions that nobody catches go
  statement,    // a simple statement
  head,         // of `try` and `with`: where control enters it; does nothing
  test,         // of `if` and `while`
  iterable,     // of `for`: evaluated once
  element,      // of `for`: fetches the next element, or leaves the loop
  target,       // of `for`: stores the element
  items,        // of `with`
  with_exit,    // behind a `with`, where an exception that its manager swallows continues
  subject,      // of `match`
  pattern,      // of case `index`: fits or does not
  captures,     // of case `index`: binds what its pattern names
  guard,        // of case `index`
  handler,      // the head of exception handler `index`: stores its name
  handler_end,  // unbinds that name
  handlers,     // of `try`: where an exception looks for its handler
  finally       // the head of a `finally`
};

struct Node {
  Part part;
  const syntax::Stmt* stmt = nullptr;
  int index = 0;
  std::vector<int> next = {};
  std::vector<int> exceptional = {};  // where control goes if this node raises
};

/// The nodes of one compound statement, or of one block: [first, last). Nodes are numbered so that what stands
/// in a statement is contiguous.
struct Region {
  int first = 0;
  int last = 0;
  bool contains(int node) const { return first <= node && node < last; }
  bool empty() const { return first == last; }
};

struct Graph {
  std::vector<Node> nodes;  // 0 is the entry, 1 the exit
  std::map<const syntax::Stmt*, Region> statements;
  std::map<const syntax::Block*, Region> blocks;    // may be empty; its first node is where control enters it

  std::vector<std::vector<int>> predecessors() const;  // along `next`
};

inline constexpr int entry_node = 0;
inline constexpr int exit_node = 1;

/// Edges are those that may be taken: `while True` has none out of its test, every node in a `try` has one to the
/// handlers and every node in a `with` one behind it. What runs after a `finally` is the union of all that may.
Graph control_flow_graph(const syntax::Block& body);

/// Whether control can leave the block by its end. Jumps of any kind count as not doing so.
bool completes(const syntax::Block& block);

/// `while True:`, `while 1:`
bool is_always_true(const syntax::Expr& test);

}  // namespace lantern::analysis
