#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "frontend/analysis/uses.h"

/// Reaching definitions: which bindings of a name may be the latest when control reaches a node. "Not bound yet"
/// is a definition like any other: it holds at the entry, and after `del`.
namespace lantern::analysis {

/// A node that binds (or unbinds) a name. Node 0, the entry, stands for "never bound", or for the caller where the
/// name is a parameter.
struct Definition {
  std::string name;
  int node;
  bool undefined;  // the name has no value behind this one
};

class ReachingDefinitions {
 public:
  /// `uses[i]` is what node i does. Names in `defined` (parameters, free variables) have a value at the entry.
  ReachingDefinitions(const Graph& graph, const std::vector<Uses>& uses, const std::vector<std::string>& names,
                      const NameSet& defined);

  /// The definitions of `name` that reach the beginning of `node`; empty if control never does.
  std::vector<Definition> before(int node, const std::string& name) const;
  /// Those that reach a region from outside: not around a loop that the region is.
  std::vector<Definition> entering(const Region& region, const std::string& name) const;
  bool may_be_undefined(int node, const std::string& name) const;
  bool may_be_defined(int node, const std::string& name) const;

 private:
  using Bits = std::vector<std::uint64_t>;

  // The definitions that a node adds, and those whose names it binds or unbinds for certain.
  struct Effect {
    std::vector<int> adds, kills;
  };

  Bits after(int node) const;
  std::vector<Definition> among(const Bits& state, const std::string& name) const;

  std::vector<std::vector<int>> sources_;  // predecessors
  std::vector<Effect> effects_;
  std::vector<Definition> definitions_;
  std::map<std::string, std::vector<int>> of_name_;
  std::vector<Bits> before_;
};

}  // namespace lantern::analysis
