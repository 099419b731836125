#pragma once

#include <vector>

#include "frontend/analysis/uses.h"

/// Liveness: which names may be read before they are bound anew.
namespace lantern::analysis {

class Liveness {
 public:
  /// `always` are the names that somebody outside may read at any time: `global` and `nonlocal` ones.
  Liveness(const Graph& graph, const std::vector<Uses>& uses, const NameSet& always);

  /// At the beginning of `node`.
  bool is_live(int node, const std::string& name) const;
  /// Behind a region: where any edge leaves it, exceptional ones included.
  NameSet live_after(const Region& region) const;
  const NameSet& live_before(int node) const { return before_[node]; }

 private:
  const Graph& graph_;
  std::vector<NameSet> before_;
};

}  // namespace lantern::analysis
