#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "frontend/analysis/functions.h"
#include "frontend/analysis/liveness.h"
#include "frontend/analysis/reaching.h"
#include "frontend/passes/function.h"

/// Which variables are the state of an `if`, a loop or a `try`: what its branches, as functions of their own, hand on.
namespace lantern::passes {

/// What becomes a function of its own: a branch of an `if`, a loop's body or test, a `try` as a whole.
struct Branch {
  NameSet writes;                      // the variables it binds or deletes
  std::vector<std::string> undefined;  // those that begin as Undefined in it
};

struct StatementState {
  /// The state proper, first those that are live behind the statement, then those that are only read by a
  /// branch of an `if` and written by the other, or read by a `try` before it writes them.
  std::vector<QualifiedName> names;
  int outputs = 0;
  /// Variables that the branches share with the function around them: the state, and what closures see. Any
  /// other variable that a branch writes is its own.
  NameSet shared;
  NameSet unsure;                      // the roots of compound names that may have no value
  std::vector<std::string> undefined;  // to be set to Undefined in front of the statement
  Branch body, orelse, test;
};

struct ControlFlow {
  std::map<const syntax::Stmt*, StatementState> statements;  // every If, While, For, and Try that is converted
  std::vector<std::string> undefined;                        // to be set to Undefined where the function begins
  NameSet maybe_undefined;                                   // all variables that may hold an Undefined
  analysis::Graph graph;
  std::vector<analysis::Uses> uses;
  std::shared_ptr<analysis::ReachingDefinitions> reaching;
};

/// Whether a `try` becomes a function of its own: not `except*`, nor in the loops of a comprehension or generator.
bool is_converted_try(const Function& function, const syntax::Stmt& stmt);

/// Expects jumps to be lowered and expressions converted; changes nothing.
ControlFlow analyse_control_flow(const Function& function);

/// Wraps the reads of the names in an expression in `ag__.ld(…)`.
void guard_reads(const Function& function, syntax::ExprPtr& expr, NameSet names);

/// Wraps reads that an Undefined may reach in `ag__.ld(…)`; `del x` of a shared variable becomes `x = ag__.Undefined('x')`.
void guard_undefined(Function& function, const ControlFlow& flow);

}  // namespace lantern::passes
