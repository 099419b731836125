#pragma once

#include <string>
#include <vector>

#include "codegen/function_writer.h"

/// What a Model begins with, and what an entry asks of it.
namespace lantern {

/// A number as one of a type: 0.5f, true.
std::string element(const ir::Literal& number, const Type& type);

/// The array that `(values …)` says: `Array<float, 1>({3}, {1.0f, 2.0f, 3.0f})`.
std::string array_of_values(const ir::Global& global);

/// `check_filled("w", model.parameters.w, {3});` for each array that an entry reads, if it makes or loads it not itself; `begin_filled(…);` for a state that it
/// changes, where the program says what that begins with. One a line, in the order of the model; none for single numbers, which always have a value.
std::vector<std::string> checks_of_model(const ir::Function& entry, const ProgramNames& names);

/// `{{"w", {300, 200}}}`: what a function that loads parameters knows of the shapes of those that it has not made before; "": nothing.
std::string known_shapes(const ir::Function& function, const ProgramNames& names);

}  // namespace lantern
