#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace lantern {

/// The data that the functions of a program read where it lies: `tables::weights`, in a namespace in front of them. Two of the same contents are one.
class Tables {
 public:
  /// taken: what the namespace around theirs has names for.
  explicit Tables(const std::set<std::string>& taken) : space_(taken.contains("tables") ? "tables_" : "tables") {}

  /// An array of these elements, called as `wanted` says or much like it: what it is called within the namespace.
  std::string add(const std::string& wanted, const std::string& type, const std::vector<std::string>& elements);
  /// That name, as functions say it.
  std::string outside(const std::string& name) const { return space_ + "::" + name; }
  /// The namespace; "" where it is empty.
  std::string text() const;

 private:
  std::string space_, definitions_;
  std::set<std::string> names_;
  std::map<std::pair<std::string, std::string>, std::string> known_;  // type and elements → name
};

}  // namespace lantern
