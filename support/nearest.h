#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lantern {

/// The one of `known` that a mistyped word is likely to have meant: at most a third of its characters away, by insertions, deletions,
/// replacements and swaps of neighbours; "" if there is none.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

/// "did you mean 'sigmoid'?", or `otherwise` where nothing is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known, std::string otherwise = {});

}  // namespace lantern
