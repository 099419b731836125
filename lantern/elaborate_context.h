#pragma once

#include <algorithm>
#include <cctype>
#include <unordered_map>

#include "lantern/elaborate.h"

namespace lantern {

inline std::string text_of(const sexpr::Datum& datum) { return std::string(datum.text()); }

/// What the elaborator knows of the function under way: what each name means here, which optionals are known
/// to be present, and where names come from in the user's source.
struct Elaborator::Context {
  FunctionSource* source = nullptr;
  std::unordered_map<std::string, Value> names;
  std::map<std::string, FunctionSource*> functions;
  std::vector<std::pair<std::string, std::optional<Value>>> undo;
  std::map<std::string, int> taken;                  // names in use, and how often
  std::vector<std::pair<std::string, int>> takings;  // and how often before each time that one was taken
  std::set<const ir::Variable*> provisional;         // named by us; a `let` may give them the user's name
  std::map<const ir::Variable*, std::pair<ir::Operand, ir::Operand>> read_from;  // what an element of a list of tuples has of a column: that column, and the place
  std::map<std::string, Location> locations;
  std::map<ir::Variable*, ir::Variable*> captured;   // the definer's variable → this function's formal
  Location here;                                     // of the expression under way
  std::string binding;                               // the name that a `let` is about to give its value
  int begins_as_none = 0;                            // loops under way in whose state something is none as yet

  void set(const std::string& key, Value value) {
    const auto& formals = source->function->formals;
    if (is_list_of_tuples(value.type) && std::find(formals.begin(), formals.end(), value.parts[0].variable) == formals.end()) {
      auto& columns = source->function->columns.emplace_back();
      for (const auto& part : value.parts) columns.lists.push_back(part.variable);
    }
    const auto found = names.find(key);
    undo.emplace_back(key, found == names.end() ? std::nullopt : std::optional(found->second));
    names[key] = std::move(value);
  }

  int take(const std::string& name) {
    int& uses = taken[name];
    takings.emplace_back(name, uses);
    return ++uses;
  }
  /// Gives back the names that have been taken since there were so many takings.
  void release(std::size_t since) {
    for (; takings.size() > since; takings.pop_back()) {
      const auto& [name, uses] = takings.back();
      if (uses == 0) taken.erase(name);
      else taken[name] = uses;
    }
  }

  // Facts about variables share the scopes of names, under keys that are no names.
  static bool is_fact(const std::string& key) { return is_field(key) || key.find(' ') != std::string::npos; }
  static bool is_field(const std::string& key) { return std::isdigit(static_cast<unsigned char>(key[0])); }
  static std::string field_key(const ir::Variable* object, const std::string& field) {
    return std::to_string(reinterpret_cast<std::uintptr_t>(object)) + "." + field;
  }
  static std::string present_key(const ir::Variable* variable) {
    return "present " + std::to_string(reinterpret_cast<std::uintptr_t>(variable));
  }
  static std::string test_key(const ir::Variable* condition) {
    return "tests " + std::to_string(reinterpret_cast<std::uintptr_t>(condition));
  }
};

/// Undoes on leaving what was bound within.
struct Elaborator::Scope {
  explicit Scope(Context& context) : context(context), mark(context.undo.size()) {}
  Scope(const Scope&) = delete;
  ~Scope() {
    while (context.undo.size() > mark) {
      auto& [key, before] = context.undo.back();
      if (before) {
        context.names[key] = std::move(*before);
      } else {
        context.names.erase(key);
      }
      context.undo.pop_back();
    }
  }

  Context& context;
  std::size_t mark;
};

}  // namespace lantern
