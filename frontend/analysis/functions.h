#pragma once

#include <string>
#include <vector>

#include "frontend/analysis/uses.h"

/// Reaching function definitions: which of the functions that a function makes a node may call, and so which variables
/// it may read or bind through them. A closed-over variable is used where the closure may be called, not where it is
/// made.
namespace lantern::analysis {

/// A function that is made by a node: a `def`; or, without a name, the lambdas, generator expressions and methods in it.
struct LocalFunction {
  int node;
  std::string name;
  NameSet captured;  // the variables of the function around it that it reads
  NameSet bound;     // those that it binds, by `nonlocal`
  bool escapes;      // it is more than called by its name: anybody may call it, at any time from now on
};

class ReachingFunctions {
 public:
  /// `declared` are the names that are `global` or `nonlocal`: functions of those names are anybody's.
  ReachingFunctions(const Graph& graph, const std::vector<Uses>& uses, const NameSet& declared);

  const std::vector<LocalFunction>& functions() const { return functions_; }
  /// Those that may be called while the node runs, those that they call included.
  std::vector<const LocalFunction*> called_by(int node) const;
  /// The `def`s among them that the node calls by name.
  std::vector<const LocalFunction*> named_by(int node) const;

 private:
  void add_called(const NameSet& names, std::set<int>& called) const;
  std::vector<const LocalFunction*> select(const std::set<int>& numbers) const;

  std::vector<LocalFunction> functions_;
  std::vector<std::set<int>> named_;    // of a node: what it calls by name
  std::vector<std::set<int>> escaped_;  // of a node: what anybody may call there
};

/// The same uses with calls counted in: what a node's calls read is read by it, what functions that it calls by name
/// bind it may write; making a function reads nothing.
std::vector<Uses> with_calls(const std::vector<Uses>& uses, const ReachingFunctions& functions);

}  // namespace lantern::analysis
