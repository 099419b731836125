// Built in one walk. `pending` holds the nodes whose control falls through to whatever node comes next; a jump
// adds its edge (or waits in its loop's list of breaks) and leaves `pending` empty.
//
//     while a:            test(a) → element of the body → … → test(a)
//         if b: break     the break waits in the loop's `breaks`, which fall through behind the loop
#include "frontend/analysis/cfg.h"

#include <utility>

#include "frontend/walk.h"

namespace lantern::analysis {

using namespace syntax;

namespace {

struct Loop {
  int head;
  std::vector<int> breaks;
  std::size_t finally_depth;
};

// A `finally` around the current node (or the end of a handler, which unbinds its name): every way out leads through it.
struct Finally {
  int head;
  bool breaks = false, continues = false, leaves = false;
};

// Whether a pattern takes any value.
bool is_irrefutable(const Pattern& pattern) {
  if (auto* name = as<MatchAs>(pattern)) return !name->pattern || is_irrefutable(*name->pattern);
  auto* choice = as<MatchOr>(pattern);
  return choice && is_irrefutable(*choice->patterns.back());
}

class Builder {
 public:
  Graph build(const Block& body) {
    add(Part::entry, nullptr);
    add(Part::exit, nullptr);
    pending_ = {entry_node};
    catchers_ = {exit_node};
    block(body);
    flow_to(exit_node);
    return std::move(graph_);
  }

 private:
  int add(Part part, const Stmt* stmt, int index = 0) {
    graph_.nodes.push_back(Node{part, stmt, index, {}, {}});
    return static_cast<int>(graph_.nodes.size()) - 1;
  }

  void edge(int from, int to) { graph_.nodes[from].next.push_back(to); }

  void flow_to(int node) {
    for (const int from : pending_) edge(from, node);
    pending_.clear();
  }

  // A node that control reaches from what is pending, and that may raise.
  int step(Part part, const Stmt* stmt, int index = 0) {
    const int node = add(part, stmt, index);
    flow_to(node);
    graph_.nodes[node].exceptional = {catchers_.back()};
    pending_ = {node};
    return node;
  }

  int here() const { return static_cast<int>(graph_.nodes.size()); }

  void block(const Block& statements) {
    Region region{here(), 0};
    for (const StmtPtr& stmt : statements) statement(*stmt);
    region.last = here();
    graph_.blocks[&statements] = region;
  }

  void statement(const Stmt& stmt) {
    Region region{here(), 0};
    if (auto* node = as<If>(stmt)) {
      branch(stmt, *node);
    } else if (auto* node = as<While>(stmt)) {
      const int head = step(Part::test, &stmt);
      loop(head, node->body, node->orelse, !is_always_true(*node->test));
    } else if (auto* node = as<For>(stmt)) {
      step(Part::iterable, &stmt);
      const int head = step(Part::element, &stmt);
      step(Part::target, &stmt);
      loop(head, node->body, node->orelse, true);
    } else if (auto* node = as<Try>(stmt)) {
      step(Part::head, &stmt);
      try_(stmt, *node);
    } else if (auto* node = as<With>(stmt)) {
      step(Part::head, &stmt);
      with(stmt, *node);
    } else if (auto* node = as<Match>(stmt)) {
      match_(stmt, *node);
    } else {
      const int node_id = step(Part::statement, &stmt);
      jump(stmt, node_id);
    }
    region.last = here();
    graph_.statements[&stmt] = region;
  }

  void jump(const Stmt& stmt, int node) {
    if (is<Return>(stmt)) leave(node);
    if (is<Raise>(stmt)) pending_.clear();  // its exceptional edge says where to
    if (is<Break>(stmt) && !loops_.empty()) break_(node);
    if (is<Continue>(stmt) && !loops_.empty()) continue_(node);
  }

  void leave(int node) {
    pending_.clear();
    edge(node, finallys_.empty() ? exit_node : finallys_.back().head);
    if (!finallys_.empty()) finallys_.back().leaves = true;
  }

  // Whether a `finally` stands between the current node and its loop.
  bool finally_in_loop() const { return finallys_.size() > loops_.back().finally_depth; }

  void break_(int node) {
    pending_.clear();
    if (!finally_in_loop()) return loops_.back().breaks.push_back(node);
    edge(node, finallys_.back().head);
    finallys_.back().breaks = true;
  }

  void continue_(int node) {
    pending_.clear();
    edge(node, finally_in_loop() ? finallys_.back().head : loops_.back().head);
    if (finally_in_loop()) finallys_.back().continues = true;
  }

  // Whichever way `body` is left, `head` comes next, then what `rest` adds behind it, then where the way leads.
  template <class Body, class Rest>
  void cleaned_up(int head, Body body, Rest rest) {
    finallys_.push_back({head});
    catchers_.push_back(head);
    body();
    catchers_.pop_back();
    const Finally jumps = finallys_.back();
    finallys_.pop_back();
    const bool falls_through = !pending_.empty();
    flow_to(head);
    pending_ = {head};
    rest();
    const std::vector<int> ends = std::exchange(pending_, {});
    for (const int end : ends) {
      edge(end, catchers_.back());  // the exception goes on
      if (jumps.leaves) leave(end);
      if (jumps.breaks) break_(end);
      if (jumps.continues) continue_(end);
    }
    pending_.clear();
    if (falls_through) pending_ = ends;
  }

  void branch(const Stmt& stmt, const If& node) {
    const int test = step(Part::test, &stmt);
    block(node.body);
    std::vector<int> after = std::exchange(pending_, {test});
    block(node.orelse);
    pending_.insert(pending_.end(), after.begin(), after.end());
  }

  void loop(int head, const Block& body, const Block& orelse, bool may_end) {
    loops_.push_back({head, {}, finallys_.size()});
    block(body);
    flow_to(head);
    std::vector<int> breaks = std::move(loops_.back().breaks);
    loops_.pop_back();
    if (may_end) pending_ = {head};
    block(orelse);
    pending_.insert(pending_.end(), breaks.begin(), breaks.end());
  }

  void with(const Stmt& stmt, const With& node) {
    const int exit = add(Part::with_exit, &stmt);
    graph_.nodes[exit].exceptional = {catchers_.back()};
    step(Part::items, &stmt);
    catchers_.push_back(exit);
    block(node.body);
    catchers_.pop_back();
    flow_to(exit);
    pending_ = {exit};
  }

  void try_(const Stmt& stmt, const Try& node) {
    if (node.finalbody.empty()) return try_except(stmt, node);
    const int head = add(Part::finally, &stmt);
    cleaned_up(head, [&] { try_except(stmt, node); }, [&] { block(node.finalbody); });
  }

  void try_except(const Stmt& stmt, const Try& node) {
    const int handlers = node.handlers.empty() ? catchers_.back() : add(Part::handlers, &stmt);
    catchers_.push_back(handlers);
    block(node.body);
    catchers_.pop_back();
    block(node.orelse);
    std::vector<int> after = std::exchange(pending_, {});
    if (!node.handlers.empty()) graph_.nodes[handlers].exceptional = {catchers_.back()};  // no handler fits
    if (node.is_star) catchers_.push_back(handlers);  // several handlers may run, one behind the other
    for (std::size_t i = 0; i < node.handlers.size(); ++i) {
      const ExceptHandler& handler = node.handlers[i];
      pending_ = {handlers};
      const int index = static_cast<int>(i);
      step(Part::handler, &stmt, index);
      const auto body = [&] { block(handler.body); };
      handler.name.empty() ? body() : cleaned_up(add(Part::handler_end, &stmt, index), body, [] {});
      if (node.is_star) {
        for (const int end : pending_) edge(end, handlers);
      }
      after.insert(after.end(), pending_.begin(), pending_.end());
    }
    if (node.is_star) catchers_.pop_back();
    pending_ = std::move(after);
  }

  void match_(const Stmt& stmt, const Match& node) {
    step(Part::subject, &stmt);
    std::vector<int> after;
    for (std::size_t i = 0; i < node.cases.size(); ++i) {
      const MatchCase& chosen = node.cases[i];
      const int index = static_cast<int>(i);
      const int head = step(Part::pattern, &stmt, index);
      std::vector<int> failing;
      if (!is_irrefutable(*chosen.pattern)) failing.push_back(head);
      if (!captured_names(*chosen.pattern).empty()) step(Part::captures, &stmt, index);
      if (chosen.guard) failing.push_back(step(Part::guard, &stmt, index));
      block(chosen.body);
      after.insert(after.end(), pending_.begin(), pending_.end());
      pending_ = std::move(failing);
    }
    pending_.insert(pending_.end(), after.begin(), after.end());
  }

  Graph graph_;
  std::vector<int> pending_;
  std::vector<int> catchers_;  // where an exception goes, innermost last
  std::vector<Loop> loops_;
  std::vector<Finally> finallys_;
};

// Whether a `break` of the loop that `block` is the body of stands in it.
bool breaks_out(const Block& block) {
  for (const StmtPtr& stmt : block) {
    if (is<Break>(*stmt)) return true;
    if (is<FunctionDef>(*stmt) || is<ClassDef>(*stmt)) continue;
    if (auto* loop = as<For>(stmt)) {
      if (breaks_out(loop->orelse)) return true;
    } else if (auto* loop = as<While>(stmt)) {
      if (breaks_out(loop->orelse)) return true;
    } else {
      bool found = false;
      for_each_block(static_cast<const Stmt&>(*stmt), [&](const Block& nested) { found = found || breaks_out(nested); });
      if (found) return true;
    }
  }
  return false;
}

bool may_complete(const Stmt& stmt) {
  if (is<Return>(stmt) || is<Raise>(stmt) || is<Break>(stmt) || is<Continue>(stmt)) return false;
  if (auto* branch = as<If>(stmt)) return completes(branch->body) || completes(branch->orelse);
  if (auto* loop = as<While>(stmt)) return !is_always_true(*loop->test) || breaks_out(loop->body);
  if (auto* attempt = as<Try>(stmt)) {
    if (!attempt->finalbody.empty() && !completes(attempt->finalbody)) return false;
    if (completes(attempt->body) && completes(attempt->orelse)) return true;
    for (const ExceptHandler& handler : attempt->handlers) {
      if (completes(handler.body)) return true;
    }
    return false;
  }
  if (auto* choice = as<Match>(stmt)) {
    const MatchCase& last = choice->cases.back();
    if (last.guard || !is_irrefutable(*last.pattern)) return true;  // it may match nothing
    for (const MatchCase& each : choice->cases) {
      if (completes(each.body)) return true;
    }
    return false;
  }
  return true;  // a `with` may swallow an exception
}

}  // namespace

std::vector<std::vector<int>> Graph::predecessors() const {
  std::vector<std::vector<int>> result(nodes.size());
  for (std::size_t from = 0; from < nodes.size(); ++from) {
    for (const int to : nodes[from].next) result[to].push_back(static_cast<int>(from));
  }
  return result;
}

Graph control_flow_graph(const Block& body) { return Builder().build(body); }

bool completes(const Block& block) {
  for (const StmtPtr& stmt : block) {
    if (!may_complete(*stmt)) return false;
  }
  return true;
}

bool is_always_true(const Expr& test) {
  if (auto* constant = as<Constant>(test)) return constant->kind == ConstantKind::true_;
  if (auto* number = as<Number>(test)) return number->spelling == "1";
  return false;
}

}  // namespace lantern::analysis
