#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lantern/lowered.h"
#include "lantern/origins.h"

namespace lantern {

/// A program as C++ files, one statement a line; format.h lays out what people read. Deterministic: no time, no absolute path.
struct Module {
  std::string name;     // of the files: the program's
  std::string header;   // NAME.h: structures, parameters, the exported functions; no Eigen
  std::string source;   // NAME.cpp
  std::string abi;      // the C ABI of a shared object, over the header
  std::string manifest; // JSON: the entries' names and types, the structures, the parameters and states
  std::string listing;  // what people read: structures and functions in one text (`--emit cpp`)
  std::vector<std::string> libraries;  // what it is to be linked with
  std::vector<std::string> headers;    // the user's own, of (extern …), as they are included
};

/// `space`: the namespace that the code lies in, "a::b"; "" for the program's name.
Module write_module(const lowered::Program& program, const std::string& space = "");

/// What each form of the program calls its variables, by name.
using NamesOfForms = std::vector<std::vector<std::pair<std::string, const ir::Variable*>>>;

/// A module's listing with marks in it (marks.h), for each of which `origins` says where it comes from.
std::string marked_listing(const lowered::Program& program, std::vector<Origin>& origins, NamesOfForms& names);

}  // namespace lantern
