#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "lantern/lowered.h"

/// How names and types are spelled in C++.
namespace lantern::spelling {

/// The runtime's names that code says, which the user's must not hide.
struct NamesInUse {
  std::optional<std::set<std::string>> known;  // before the code is written, all may be in use
  mutable bool are_asked_for = false;          // whether a name became another for one that may be
};

/// The user's name as an identifier: a dot becomes _, __call__ is call, and what C++ or the runtime means by it gets a _ behind.
/// in_use: the runtime's functions that it would hide; null: all.
std::string identifier(const std::string& name, const NamesInUse* in_use = nullptr);
/// The namespace of a program of that name, which stands beside what C's library declares, and which other programs' code meets: that
/// of system.py is system_, that of power.py power_.
std::string space_of(const std::string& program);
/// A name, as `identifier` gives it, of which nothing else in `taken` is: enc.w and enc_w are enc_w and enc_w_2. It is taken then.
std::string distinct(const std::string& name, std::set<std::string>& taken, const NamesInUse* in_use = nullptr);
/// The same of a member: it hides nothing.
std::string distinct_member(const std::string& name, std::set<std::string>& taken);
/// Names of the runtime's that are in C++ code, but for its comments and strings.
std::set<std::string> names_of_runtime_in(std::string_view code);
/// A field of a structure, among its fields.
std::string member(const ir::Structure& structure, const std::string& field);

/// A value's type: float, Vector<float>, const Tree* (an optional), std::string_view, List<…>.
/// A structure is `const Tree*` here; see parameter_type.
std::string value_type(const Type& type);
/// The same of a variable that keeps its value: const float, const Tree* const.
std::string constant_type(const Type& type);
std::string element_type(const Type& type);  // of a number or tensor: float

/// As a formal or a local: like value_type, but a structure is `const Tree&`.
std::string formal_type(const Type& type);
/// As a formal, the adjoint of such a value: a number's is a reference, a structure's a pointer.
std::string adjoint_name(const std::string& of);  // of `x` x_adj; of `x_`, too: C++ keeps double underscores for itself
std::string adjoint_type(const Type& type);

/// "tree_lstm.py:31:12", quoted; "" if no place is known.
std::string place(const Location& location);

/// A double so that it reads back the same; `suffix` "f" makes it a float's.
std::string number(double value, std::string_view suffix = "");

/// Text as a JSON string, quoted.
std::string json(const std::string& text);

}  // namespace lantern::spelling
