// A name's definitions say which `def` a call means. A `def` whose name is read in any other way than to call it, or that
// is decorated, may be called by anybody behind it; so may everything that has no name.
//
//     def scale(v): return v * k     makes scale; captured: k
//     k = 2
//     y = scale(x)                   calls scale, so reads k: k is live here, and not before `k = 2`
#include "frontend/analysis/functions.h"

#include <deque>

#include "frontend/analysis/reaching.h"

namespace lantern::analysis {

using namespace syntax;

namespace {

// The nodes that control may come to from `start`, itself included.
std::vector<int> reachable(const Graph& graph, int start) {
  std::vector<bool> seen(graph.nodes.size(), false);
  std::vector<int> order{start};
  seen[start] = true;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const auto* edges : {&graph.nodes[order[i]].next, &graph.nodes[order[i]].exceptional}) {
      for (const int to : *edges) {
        if (seen[to]) continue;
        seen[to] = true;
        order.push_back(to);
      }
    }
  }
  return order;
}

NameSet common(const NameSet& a, const NameSet& b) {
  NameSet result;
  for (const std::string& name : a) {
    if (b.count(name)) result.insert(name);
  }
  return result;
}

}  // namespace

ReachingFunctions::ReachingFunctions(const Graph& graph, const std::vector<Uses>& uses, const NameSet& declared)
    : named_(graph.nodes.size()), escaped_(graph.nodes.size()) {
  NameSet values = declared;  // names that are read otherwise than to call them
  for (const Uses& each : uses) values.insert(each.as_value.begin(), each.as_value.end());

  NameSet names;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    const int at = static_cast<int>(i);
    auto* def = node.part == Part::statement ? as<FunctionDef>(*node.stmt) : nullptr;
    NameSet unnamed = uses[i].captured;
    if (def) {
      Uses body = uses_of_body(*def);
      const bool escapes = values.count(def->name) || !def->decorator_list.empty();
      functions_.push_back({at, def->name, body.captured, body.may_write, escapes});
      names.insert(def->name);
      unnamed = uses_of_header(*def).captured;
    }
    if (!unnamed.empty()) functions_.push_back({at, "", unnamed, common(uses[i].may_write, unnamed), true});
  }

  const ReachingDefinitions reaching(graph, uses, {names.begin(), names.end()}, {});
  for (std::size_t number = 0; number < functions_.size(); ++number) {
    const LocalFunction& function = functions_[number];
    for (const int node : reachable(graph, function.node)) {
      if (function.escapes) escaped_[node].insert(static_cast<int>(number));
      if (function.name.empty() || !uses[node].reads.count(function.name)) continue;
      for (const Definition& definition : reaching.before(node, function.name)) {
        if (definition.node == function.node) named_[node].insert(static_cast<int>(number));
      }
    }
  }
}

// What functions that are called call in their turn, whichever `def` of that name it may be.
void ReachingFunctions::add_called(const NameSet& names, std::set<int>& called) const {
  for (std::size_t number = 0; number < functions_.size(); ++number) {
    const LocalFunction& function = functions_[number];
    if (function.name.empty() || !names.count(function.name)) continue;
    if (called.insert(static_cast<int>(number)).second) add_called(function.captured, called);
  }
}

std::vector<const LocalFunction*> ReachingFunctions::select(const std::set<int>& numbers) const {
  std::set<int> called = numbers;
  for (const int number : numbers) add_called(functions_[number].captured, called);
  std::vector<const LocalFunction*> result;
  for (const int number : called) result.push_back(&functions_[number]);
  return result;
}

std::vector<const LocalFunction*> ReachingFunctions::called_by(int node) const {
  std::set<int> numbers = named_[node];
  numbers.insert(escaped_[node].begin(), escaped_[node].end());
  return select(numbers);
}

std::vector<const LocalFunction*> ReachingFunctions::named_by(int node) const { return select(named_[node]); }

std::vector<Uses> with_calls(const std::vector<Uses>& uses, const ReachingFunctions& functions) {
  std::vector<Uses> result = uses;
  for (std::size_t i = 0; i < uses.size(); ++i) {
    const int node = static_cast<int>(i);
    result[i].captured.clear();
    for (const LocalFunction* function : functions.called_by(node)) {
      result[i].reads.insert(function->captured.begin(), function->captured.end());
    }
    for (const LocalFunction* function : functions.named_by(node)) {
      for (const std::string& name : function->bound) {
        if (!uses[i].writes.count(name)) result[i].may_write.insert(name);
      }
    }
  }
  return result;
}

}  // namespace lantern::analysis
