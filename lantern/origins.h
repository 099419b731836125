#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "lantern/lowered.h"

/// Where each line of a stage's text comes from.
namespace lantern {

inline constexpr std::size_t no_form = static_cast<std::size_t>(-1);

/// What a line, or a statement, comes from.
struct Origin {
  std::vector<Location> places = {};  // in the user's file, each once; first that of the statement itself
  std::size_t form = no_form;         // the function that it is part of, in lowered::Program::functions
  bool reverse = false;               // it belongs to the reverse sweep
};

/// Adds a place, unless it is not known or there already.
void add_place(std::vector<Location>& places, const Location& place);

/// The places of a statement and of the expressions that it evaluates itself; nested statements aside.
std::vector<Location> places_of(const lowered::Statement& statement);

/// What a function's comment says in front of it: "calls.py:38  loss(w, b)".
std::string heading_of(const ir::Function& function);

/// Whether a statement, and what stands behind it in its list, belong to a reverse sweep; `before`: whether what stands in front of it does.
bool is_in_reverse_sweep(const lowered::Statement& statement, bool before);

namespace lowered {

/// `print`, and in `origins` an entry for each line of the text.
std::string print(const Program& program, std::vector<Origin>& origins);

}  // namespace lowered

}  // namespace lantern
