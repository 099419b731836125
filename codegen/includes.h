#pragma once

#include <string>

namespace lantern {

/// The runtime's headers that the functions of a program need, as lines in alphabetical order; none for what the program's own header takes in.
/// types: those of its structures and of its model.
std::string includes_of(const std::string& functions, const std::string& types);

/// The same of the program's own header.
std::string includes_of_header(const std::string& header);

}  // namespace lantern
