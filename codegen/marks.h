#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

/// Marks in C++ that is being written: what follows one comes from the origin of that number. They are of characters that
/// C++ of ours does not hold, and are taken out before anybody sees it.
namespace lantern::marks {

std::string mark(std::size_t number);

struct Marked {
  std::string text;                                        // without its marks
  std::vector<std::pair<std::size_t, std::size_t>> marks;  // {offset, number}, in order of the offsets
};

Marked take_out(const std::string& text);

}  // namespace lantern::marks
