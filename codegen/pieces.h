#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace lantern {

/// Behind the string, character or comment that begins at `at` in C++, or behind that character.
std::size_t token_end(const std::string& code, std::size_t at);

/// The code, but for its comments, in which a user may say anything.
std::string without_comments(const std::string& code);

/// From `begin` to `end`, in the code.
struct Piece {
  std::size_t begin, end;
};

/// Parts that are laid out alike alone: each ends behind a definition of a namespace's, or of none, and what is between two of them is blank.
std::vector<Piece> pieces_of(const std::string& code);

}  // namespace lantern
