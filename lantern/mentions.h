#pragma once

#include <map>

#include "lantern/lowered.h"

/// What statements do with variables.
namespace lantern::lowered {

struct Mentions {
  int reads = 0, assignments = 0;
  bool others = false;  // its adjoint, a save or restore

  bool none() const { return reads == 0 && unchanged(); }
  bool unchanged() const { return assignments == 0 && !others; }
};

Mentions mentions_of(const ir::Variable* variable, Statement& statement);
Mentions mentions_of(const ir::Variable* variable, const ExprPtr& e);
Mentions mentions_of(const ir::Variable* variable, Statements& list, std::size_t begin, std::size_t end);
inline Mentions mentions_of(const ir::Variable* variable, Statements& list) { return mentions_of(variable, list, 0, list.size()); }

/// The expression, or statement, with these values where the variables are read.
using Values = std::map<const ir::Variable*, ExprPtr>;
ExprPtr substitute(const ExprPtr& e, const Values& values);
void substitute(Statement& statement, const Values& values);

}  // namespace lantern::lowered
