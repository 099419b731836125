#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "lantern/ir.h"

namespace lantern {

/// Where a function's variables are mentioned as it is written, and the names that they can have there. Two have one name where neither's
/// scope is within the other's, as the `i`s of two loops do; a number that staging has put behind a name (total_1) goes where the name is free.
class Naming {
 public:
  /// A scope within the one that was entered last.
  void enter() { path_.push_back(scopes_++); }
  void leave() { path_.pop_back(); }
  void mention(const ir::Variable* variable);
  /// It counts the turns of a loop: i, where the user has no name for it.
  void counts(const ir::Variable* variable) { counters_.insert(variable); }

  using Spell = std::function<std::string(const std::string&)>;
  using Names = std::map<const ir::Variable*, std::string>;
  /// A name for each that was mentioned: none of `avoided`, and none that would have the adjoint of one of `kept`.
  Names names(const ir::Function& function, const std::set<std::string>& avoided, const std::set<std::string>& kept, const Spell& spell) const;

  /// What names that cannot stand beside each other have in common: `x` and `x_` would have adjoints of one name.
  static std::string stem(const std::string& name) { return name.ends_with('_') ? name.substr(0, name.size() - 1) : name; }

 private:
  using Path = std::vector<int>;
  struct Mentioned {
    const ir::Variable* variable;
    Path home;  // the innermost scope around all mentions
  };
  static bool overlap(const Mentioned& a, const Mentioned& b);
  bool is_near(const std::string& name, const Mentioned& mentioned) const;
  std::string bare_name(const Mentioned& mentioned, const std::set<std::string>& known) const;

  Path path_;
  int scopes_ = 0;
  std::vector<Mentioned> mentioned_;
  std::map<const ir::Variable*, std::size_t> places_;
  std::set<const ir::Variable*> counters_;
};

}  // namespace lantern
