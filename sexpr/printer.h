#pragma once

#include <string>

#include "sexpr/datum.h"

namespace lantern::sexpr {

/// The readable layout: a datum that fits in what is left of a 100-column line stands on one; otherwise its
/// elements are indented under it, and the body of a `let` that ends another `let` stays at that one's column, so
/// that a chain of them reads downwards. An item ends with a line feed. print(read(print(d))) == print(d).
std::string print(const Document& document);
std::string print(const Datum& datum);

/// On one line, elements separated by one space.
std::string print_line(const Datum& datum);

/// The shortest text that reads back as exactly this float: "0.1", "2.0", "1e+100", "-inf", "nan".
std::string print_float(double value);

}  // namespace lantern::sexpr
