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

// A `finally` around the current node: jumps out of it run its body first.
struct Finally {
  int head;
  std::vector<int> continues_to;  // heads of loops and outer finallys
  bool breaks = false, leaves = false;
};

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
    if (is<Return>(stmt)) {
      leave(node);
    } else if (is<Raise>(stmt)) {
      pending_.clear();  // its exceptional edge says where to
    } else if (is<Break>(stmt) && !loops_.empty()) {
      pending_.clear();
      if (finallys_.size() > loops_.back().finally_depth) {
        edge(node, finallys_.back().head);
        finallys_.back().breaks = true;
      } else {
        loops_.back().breaks.push_back(node);
      }
    } else if (is<Continue>(stmt) && !loops_.empty()) {
      pending_.clear();
      if (finallys_.size() > loops_.back().finally_depth) {
        edge(node, finallys_.back().head);
        finallys_.back().continues_to.push_back(loops_.back().head);
      } else {
        edge(node, loops_.back().head);
      }
    }
  }

  void leave(int node) {
    pending_.clear();
    if (finallys_.empty()) return edge(node, exit_node);
    edge(node, finallys_.back().head);
    finallys_.back().leaves = true;
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
    const int handlers = node.handlers.empty() ? -1 : add(Part::handlers, &stmt);
    const int final_head = node.finalbody.empty() ? -1 : add(Part::finally, &stmt);
    const int outer = catchers_.back();
    const int outside_body = final_head >= 0 ? final_head : outer;
    if (final_head >= 0) finallys_.push_back({final_head, {}});

    catchers_.push_back(handlers >= 0 ? handlers : outside_body);
    block(node.body);
    catchers_.back() = outside_body;
    block(node.orelse);
    std::vector<int> after = std::exchange(pending_, {});
    if (handlers >= 0) graph_.nodes[handlers].exceptional = {outside_body};  // no handler fits
    for (std::size_t i = 0; i < node.handlers.size(); ++i) {
      const ExceptHandler& handler = node.handlers[i];
      pending_ = {handlers};
      const int index = static_cast<int>(i);
      step(Part::handler, &stmt, index);
      block(handler.body);
      if (!handler.name.empty()) step(Part::handler_end, &stmt, index);
      after.insert(after.end(), pending_.begin(), pending_.end());
    }
    catchers_.pop_back();
    pending_ = std::move(after);
    if (final_head < 0) return;

    const Finally jumps = std::move(finallys_.back());
    finallys_.pop_back();
    const bool falls_through = !pending_.empty();
    flow_to(final_head);
    pending_ = {final_head};
    block(node.finalbody);
    const std::vector<int> ends = std::exchange(pending_, {});
    for (const int end : ends) {
      edge(end, outer);  // the exception goes on
      for (const int target : jumps.continues_to) edge(end, target);
      pending_ = {end};
      if (jumps.leaves) leave(end);
      if (jumps.breaks && !loops_.empty()) loops_.back().breaks.push_back(end);
    }
    pending_.clear();
    if (falls_through) pending_ = ends;
  }

  void match_(const Stmt& stmt, const Match& node) {
    step(Part::subject, &stmt);
    std::vector<int> after;
    for (std::size_t i = 0; i < node.cases.size(); ++i) {
      const int head = step(Part::pattern, &stmt, static_cast<int>(i));
      block(node.cases[i].body);
      after.insert(after.end(), pending_.begin(), pending_.end());
      pending_ = {head};
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
  return true;  // a `with` may swallow an exception, a `match` may match nothing
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
