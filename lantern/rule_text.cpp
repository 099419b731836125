// The table's rules are text; each is read when it is first asked for, and kept.
#include "lantern/rule_text.h"

#include <mutex>

#include "sexpr/reader.h"

namespace lantern {

std::vector<std::string> operand_names(const Operator& op) {
  std::vector<std::string> names;
  std::string_view rest = op.operands;
  while (!rest.empty()) {
    const auto end = rest.find(' ');
    names.emplace_back(rest.substr(0, end));
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  }
  return names;
}

std::string_view operand_name(const Operator& op, std::size_t position) {
  std::string_view rest = op.operands;
  for (std::size_t i = 0;; ++i) {
    const auto end = rest.find(' ');
    const auto name = rest.substr(0, end);
    if (i == position || end == std::string_view::npos) return name;
    rest.remove_prefix(end + 1);
  }
}

const sexpr::Datum& parsed_rule(std::string_view expression) {
  static std::map<std::string_view, sexpr::Document> documents;
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  auto found = documents.find(expression);
  if (found == documents.end()) {
    found = documents.emplace(expression, sexpr::read(expression, std::make_shared<const std::string>("operators"))).first;
  }
  return *found->second.items[0];
}

}  // namespace lantern
