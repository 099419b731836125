#pragma once

#include <memory>
#include <string>
#include <vector>

#include "frontend/analysis/names.h"
#include "frontend/syntax.h"

namespace lantern {

/// One function of a file, and what its surroundings mean to it.
struct Selection {
  const syntax::Stmt* function = nullptr;  // a FunctionDef, in the module's tree
  const syntax::Expr* lambda = nullptr;    // or a Lambda
  std::string class_name;                  // of the innermost class around it; ""
  bool in_class = false;                   // whether `super()` means something in it

  struct Scope {
    analysis::NameSet bound;
    analysis::NameSet globals;
  };
  std::vector<std::shared_ptr<const Scope>> scopes;  // of the functions, lambdas and comprehensions around it, outermost first

  const syntax::Range& range() const { return function ? function->range : lambda->range; }
  /// Those of its free names that are variables of a function around it, sorted: what CPython keeps in its closure.
  std::vector<std::string> free_variables(const analysis::NameSet& free_names) const;
};

/// Every function and lambda of a file, each before those within it.
std::vector<Selection> functions_of(const syntax::Module& module);

/// The one of them with this first line and name; `column` tells lambdas on one line apart. Throws Failure LT0156,
/// LT0157.
const Selection& select_function(const syntax::Module& module, const std::vector<Selection>& functions, int line,
                                 const std::string& name, int column);

}  // namespace lantern
