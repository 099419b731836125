#include "codegen/naming.h"

#include <fmt/format.h>

#include <algorithm>

namespace lantern {

constexpr const char* counters[] = {"i", "j", "k"};

void Naming::mention(const ir::Variable* variable) {
  const auto [place, is_new] = places_.emplace(variable, mentioned_.size());
  if (is_new) return mentioned_.push_back({variable, path_});
  Path& home = mentioned_[place->second].home;
  home.erase(std::mismatch(home.begin(), home.end(), path_.begin(), path_.end()).first, home.end());
}

/// Whether the scope of one is within that of the other.
bool Naming::overlap(const Mentioned& a, const Mentioned& b) {
  const auto common = std::min(a.home.size(), b.home.size());
  return std::equal(a.home.begin(), a.home.begin() + static_cast<std::ptrdiff_t>(common), b.home.begin());
}

/// The name of the user's without the number behind it, if that is staging's, and nobody near has the name to himself.
std::string Naming::bare_name(const Mentioned& mentioned, const std::set<std::string>& known) const {
  const std::string& name = mentioned.variable->name;
  std::string bare = ir::without_number(name);
  if (bare == name || ir::is_made_up(name) || !known.contains(bare)) return name;
  const bool is_taken = std::any_of(mentioned_.begin(), mentioned_.end(), [&](const Mentioned& other) { return other.variable->name == bare && overlap(mentioned, other); });
  return is_taken ? name : bare;
}

/// Whether a variable that the user calls so, numbered or not, is mentioned where the other one is.
bool Naming::is_near(const std::string& name, const Mentioned& mentioned) const {
  return std::any_of(mentioned_.begin(), mentioned_.end(), [&](const Mentioned& other) { return ir::without_number(other.variable->name) == name && overlap(mentioned, other); });
}

Naming::Names Naming::names(const ir::Function& function, const std::set<std::string>& avoided, const std::set<std::string>& kept, const Spell& spell) const {
  const std::set<std::string> known = ir::names_in(function);
  std::map<std::string, std::vector<const Mentioned*>> holders;  // of a stem
  std::map<Path, int> numbers;  // of a scope: its temporaries so far cannot have smaller ones
  Names names;
  for (const auto& mentioned : mentioned_) {
    const auto is_free = [&](const std::string& name) {
      if (avoided.contains(name) || kept.contains(stem(name))) return false;
      const auto found = holders.find(stem(name));
      return found == holders.end() || std::none_of(found->second.begin(), found->second.end(), [&](const Mentioned* other) { return overlap(mentioned, *other); });
    };
    const bool is_temporary = ir::is_made_up(mentioned.variable->name) && mentioned.variable->name.starts_with(ir::temporary);
    bool has_own = is_temporary;
    std::string own = spell(mentioned.variable->name);
    if (is_temporary) {
      int& number = numbers[mentioned.home];
      do own = fmt::format("x{}", number++);
      while (known.contains(own) || !is_free(own));
    }
    if (counters_.contains(mentioned.variable) && ir::is_made_up(mentioned.variable->name)) {
      const auto* free = std::find_if(std::begin(counters), std::end(counters), [&](const char* name) { return is_free(name) && !is_near(name, mentioned); });
      if (free != std::end(counters)) own = *free, has_own = true;
    }
    const bool is_formal = std::find(function.formals.begin(), function.formals.end(), mentioned.variable) != function.formals.end();
    std::string name = is_formal || has_own ? own : spell(bare_name(mentioned, known));
    if (!is_free(name)) name = own;
    for (int i = 2; !is_free(name); ++i) name = fmt::format("{}_{}", stem(own), i);
    holders[stem(name)].push_back(&mentioned);
    names[mentioned.variable] = std::move(name);
  }
  return names;
}

}  // namespace lantern
