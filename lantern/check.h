#pragma once

#include "lantern/ir.h"
#include "sexpr/datum.h"

namespace lantern {

/// Names, types and shapes: a program as data becomes typed IR. Before: any data at all. After: names are
/// resolved and unique, every variable has a type, tuples are flattened, optionals are narrowed where a test
/// allows, nested functions stand at the top with what they close over as formals, structures that nobody
/// declared are inferred. Throws Failure with as many LT02xx and LT04xx diagnostics as it finds.
ir::Program check(const sexpr::Document& document, const std::string& name, const std::string& source_name);

/// The result's type of one operation, given as data whose operands are types:
/// `(matmul (tensor f32 5 3) (tensor f32 3))` is `(tensor f32 5)`. An integer literal stands for itself.
Type infer(const sexpr::Datum& operation);

}  // namespace lantern
