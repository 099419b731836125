#include "support/nearest.h"

#include <algorithm>
#include <utility>

namespace lantern {

namespace {

// Damerau and Levenshtein's distance, each character changed once at most.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, last, row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before = std::exchange(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
  std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
  if (word.size() > 100) return {};
  std::string found;
  for (const auto& name : known) {
    if (name == word || name.size() >= word.size() + least || word.size() >= name.size() + least) continue;
    if (const auto away = distance(word, name); away < least && away < name.size()) {
      least = away;
      found = name;
    }
  }
  return found;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known, std::string otherwise) {
  const auto found = nearest(word, known);
  return found.empty() ? otherwise : "did you mean '" + found + "'?";
}

}  // namespace lantern
