// `if x < 0: raise ValueError("below 0")`: if (x < 0.0) raise_error("ValueError", "…", "below 0");
#include <fmt/format.h>

#include "codegen/function_writer.h"

namespace lantern {

using namespace lowered;

namespace {

constexpr std::size_t longest_line = 90;

}  // namespace

void FunctionWriter::raise(const Raise& n, const std::string& place) {
  std::vector<std::string> parts;
  if (!n.message.empty() || n.values.empty()) parts.push_back(cpp::string_literal(n.message).text);
  for (const auto& value : n.values) parts.push_back(expr(value).text);
  const bool is_number = n.message.empty() && n.values.size() == 1 && !is(n.values[0]->type, TypeKind::string);
  const std::string message = is_number ? fmt::format("str({})", parts[0]) : parts.size() == 1 ? parts[0] : fmt::format("join_texts({})", cpp::list(parts));
  out_.line(fmt::format("raise_error({}, {}, {});", cpp::string_literal(n.kind).text, place, message));
}

bool FunctionWriter::raises_at_once(const If& n, const std::string& condition) {
  if (!n.otherwise.empty() || n.then.size() != 1 || !std::holds_alternative<Raise>(n.then[0].node)) return false;
  comments_on(n.then[0]);  // in front of the whole
  std::string text = within(n.then);
  text.erase(text.find_last_not_of('\n') + 1);
  if (condition.size() + text.size() <= longest_line) {
    out_.line(fmt::format("if ({}) {}", condition, text));
    return true;
  }
  return false;
}

}  // namespace lantern
