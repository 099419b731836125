// The textbook forward problem, solved with a work list. An exception may come before or after a node's effect,
// so that both states flow along its exceptional edges.
#include "frontend/analysis/reaching.h"

#include <deque>

namespace lantern::analysis {

ReachingDefinitions::ReachingDefinitions(const Graph& graph, const std::vector<Uses>& uses,
                                         const std::vector<std::string>& names, const NameSet& defined)
    : sources_(graph.predecessors()), effects_(graph.nodes.size()) {
  const auto define = [&](const std::string& name, int node, bool undefined) {
    const int id = static_cast<int>(definitions_.size());
    definitions_.push_back({name, node, undefined});
    of_name_[name].push_back(id);
    return id;
  };
  for (const std::string& name : names) effects_[entry_node].adds.push_back(define(name, entry_node, !defined.count(name)));
  for (std::size_t node = 1; node < graph.nodes.size(); ++node) {
    const auto bind_all = [&](const NameSet& bound, bool undefined, bool kills) {
      for (const std::string& name : bound) {
        if (!of_name_.count(name)) continue;  // not one of the names asked for
        effects_[node].adds.push_back(define(name, static_cast<int>(node), undefined));
        if (kills) effects_[node].kills.push_back(effects_[node].adds.back());
      }
    };
    bind_all(uses[node].may_write, false, false);
    bind_all(uses[node].writes, false, true);
    bind_all(uses[node].deletes, true, true);
  }

  const Bits nothing(definitions_.size() / 64 + 1);
  before_.assign(graph.nodes.size(), nothing);
  std::deque<int> work;
  std::vector<bool> queued(graph.nodes.size(), false), reached(graph.nodes.size(), false);
  const auto flow = [&](int to, const Bits& state) {
    Bits& target = before_[to];
    bool grew = !reached[to];
    reached[to] = true;
    for (std::size_t word = 0; word < state.size(); ++word) {
      grew = grew || (state[word] & ~target[word]);
      target[word] |= state[word];
    }
    if (grew && !queued[to]) {
      queued[to] = true;
      work.push_back(to);
    }
  };
  flow(entry_node, nothing);
  while (!work.empty()) {
    const int node = work.front();
    work.pop_front();
    queued[node] = false;
    const Bits state = after(node);
    for (const int to : graph.nodes[node].next) flow(to, state);
    for (const int to : graph.nodes[node].exceptional) {
      flow(to, before_[node]);
      flow(to, state);
    }
  }
}

ReachingDefinitions::Bits ReachingDefinitions::after(int node) const {
  Bits state = before_[node];
  for (const int id : effects_[node].kills) {
    for (const int other : of_name_.at(definitions_[id].name)) state[other / 64] &= ~(std::uint64_t{1} << (other % 64));
  }
  for (const int id : effects_[node].adds) state[id / 64] |= std::uint64_t{1} << (id % 64);
  return state;
}

std::vector<Definition> ReachingDefinitions::among(const Bits& state, const std::string& name) const {
  std::vector<Definition> result;
  const auto found = of_name_.find(name);
  if (found == of_name_.end()) return result;
  for (const int id : found->second) {
    if (state[id / 64] >> (id % 64) & 1) result.push_back(definitions_[id]);
  }
  return result;
}

std::vector<Definition> ReachingDefinitions::before(int node, const std::string& name) const {
  return among(before_[node], name);
}

std::vector<Definition> ReachingDefinitions::entering(const Region& region, const std::string& name) const {
  if (region.empty()) return {};
  Bits state(before_[region.first].size());
  for (const int from : sources_[region.first]) {
    if (region.contains(from)) continue;
    const Bits arriving = after(from);
    for (std::size_t word = 0; word < state.size(); ++word) state[word] |= arriving[word];
  }
  return among(state, name);
}

bool ReachingDefinitions::may_be_undefined(int node, const std::string& name) const {
  for (const Definition& definition : before(node, name)) {
    if (definition.undefined) return true;
  }
  return false;
}

bool ReachingDefinitions::may_be_defined(int node, const std::string& name) const {
  for (const Definition& definition : before(node, name)) {
    if (!definition.undefined) return true;
  }
  return false;
}

}  // namespace lantern::analysis
