#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace lantern {

/// C++ without what stands between braces where that is long and data: thousands of elements take clang's formatter seconds, and full lines do for
/// them. A short name is in the place of each.
struct WithoutLongLiterals {
  struct Literal {
    std::size_t at;    // of the name, in `code`
    std::string text;  // what was between the braces
  };
  std::string code;
  std::vector<Literal> literals;
};

/// offsets: into the code, none of them in a literal; they become offsets into the result's.
WithoutLongLiterals without_long_literals(const std::string& code, std::vector<std::size_t>& offsets);

/// Puts literals back into their code, which has been formatted: in lines of up to so many columns. `offsets` as above.
std::string with_long_literals(const std::string& formatted, const WithoutLongLiterals& without, int columns, std::vector<std::size_t>& offsets);

}  // namespace lantern
