#pragma once

#include <string_view>

#include "frontend/analysis/cfg.h"
#include "frontend/analysis/names.h"

/// Uses (AutoGraph calls them "activity"): what one node of the control-flow graph does with the names of the
/// function that it stands in.
namespace lantern::analysis {

struct Uses {
  NameSet reads;       // when the node runs; list, set and dict comprehensions included
  NameSet writes;      // for certain, when the node ends normally
  NameSet may_write;   // perhaps: `:=` behind an `and`, a closure's `nonlocal`
  NameSet deletes;     // the name is unbound afterwards
  NameSet captured;    // by a closure made here (def, lambda, generator expression): read now or later
  NameSet as_value;    // read, here or in a closure, otherwise than to call it
};

/// `operators` is the name that the operators' module has: lambdas that are arguments of its functions run at
/// once and capture nothing, save the user's own, which stand in `operators.converted_lambda(…)`.
Uses uses_of(const Node& node, std::string_view operators);

/// What a function does when it is called (all that it reads of the scopes around it is `captured`), and what its
/// `def` does before: decorators, defaults, annotations.
Uses uses_of_body(const syntax::FunctionDef& function);
Uses uses_of_header(const syntax::FunctionDef& function);

/// The names that a function or lambda leaves to the scopes around it, in no particular sense defined there.
NameSet free_names(const syntax::FunctionDef& function);
NameSet free_names(const syntax::Lambda& lambda);

}  // namespace lantern::analysis
