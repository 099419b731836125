#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lantern/origins.h"
#include "sexpr/datum.h"

namespace lantern {

/// A program's S-expressions as people read them, and where they come from.
struct ExploredSexpr {
  struct Line {
    std::vector<Location> places;
    std::string function;            // the define that it stands in; "" for none
    std::vector<std::string> binds;  // the names that it gives to values
  };
  std::string text;        // without its (locations …)
  std::vector<Line> lines;
};

/// `wanted`: places in the S-expressions themselves, {line, column}, that later stages speak of.
ExploredSexpr explore_sexpr(const sexpr::Document& document, const FileName& file, const std::set<std::pair<int, int>>& wanted);

}  // namespace lantern
