// The textbook backward problem. A node that raises may not have bound its names yet: what is live where its
// exceptional edges lead is live before it, whether it binds it or not.
#include "frontend/analysis/liveness.h"

#include <deque>

namespace lantern::analysis {

Liveness::Liveness(const Graph& graph, const std::vector<Uses>& uses, const NameSet& always)
    : graph_(graph), before_(graph.nodes.size()) {
  std::vector<std::vector<int>> sources(graph.nodes.size());
  for (std::size_t from = 0; from < graph.nodes.size(); ++from) {
    for (const int to : graph.nodes[from].next) sources[to].push_back(static_cast<int>(from));
    for (const int to : graph.nodes[from].exceptional) sources[to].push_back(static_cast<int>(from));
  }
  std::deque<int> work;
  std::vector<bool> queued(graph.nodes.size(), true);
  for (int node = static_cast<int>(graph.nodes.size()) - 1; node >= 0; --node) work.push_back(node);
  while (!work.empty()) {
    const int node = work.front();
    work.pop_front();
    queued[node] = false;
    NameSet live = node == exit_node ? always : NameSet{};
    for (const int to : graph.nodes[node].next) live.insert(before_[to].begin(), before_[to].end());
    for (const std::string& name : uses[node].writes) live.erase(name);
    for (const std::string& name : uses[node].deletes) live.erase(name);
    live.insert(uses[node].reads.begin(), uses[node].reads.end());
    live.insert(uses[node].captured.begin(), uses[node].captured.end());
    for (const int to : graph.nodes[node].exceptional) live.insert(before_[to].begin(), before_[to].end());
    live.insert(always.begin(), always.end());
    if (live.size() == before_[node].size()) continue;  // it only grows
    before_[node] = std::move(live);
    for (const int from : sources[node]) {
      if (queued[from]) continue;
      queued[from] = true;
      work.push_back(from);
    }
  }
}

bool Liveness::is_live(int node, const std::string& name) const { return before_[node].count(name) > 0; }

NameSet Liveness::live_after(const Region& region) const {
  NameSet live;
  for (int node = region.first; node < region.last; ++node) {
    for (const auto* edges : {&graph_.nodes[node].next, &graph_.nodes[node].exceptional}) {
      for (const int to : *edges) {
        if (!region.contains(to)) live.insert(before_[to].begin(), before_[to].end());
      }
    }
  }
  return live;
}

}  // namespace lantern::analysis
