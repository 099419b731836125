#include "codegen/in_python.h"

namespace lantern {

using namespace lowered;

namespace {

// "" where there are no words of the user's for it.
std::string words(const ExprPtr& e, const ir::Function& function, const std::map<const ir::Variable*, ExprPtr>& made_up) {
  if (const auto* field = std::get_if<FieldOf>(&e->node)) {
    const std::string object = words(field->object, function, made_up);
    return object.empty() ? field->name : object + "." + field->name;
  }
  if (const auto* apply = std::get_if<Apply>(&e->node); apply && std::string_view(apply->op->name) == "index") {
    const std::string list = words(apply->operands[0], function, made_up);
    return list.empty() ? list : list + "[...]";
  }
  const auto* read = std::get_if<Read>(&e->node);
  if (!read) return "";
  if (const auto found = made_up.find(read->variable); found != made_up.end()) return words(found->second, function, made_up);
  if (ir::is_made_up(read->variable->name)) return "";
  const auto known = ir::names_in(function);
  std::string name = read->variable->name;
  for (std::string bare = ir::without_number(name); bare != name && known.contains(bare); bare = ir::without_number(name)) name = bare;
  return name;
}

}  // namespace

std::string in_python(const ExprPtr& e, const ir::Function& function, const std::map<const ir::Variable*, ExprPtr>& made_up) {
  const std::string found = words(e, function, made_up);
  return found.empty() ? "what is read here" : found;
}

}  // namespace lantern
