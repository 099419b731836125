#include "lantern/shape_sources.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

namespace {

/// Which operand gives its shape alone: the last; none: -1.
std::ptrdiff_t asked_for_shape(const Apply& apply) {
  constexpr std::string_view askers[] = {"like", "sum-to", "spread", "reshape-like"};
  return std::ranges::find(askers, apply.op->name) != std::end(askers) ? std::ssize(apply.operands) - 1 : -1;
}

class Sources {
 public:
  /// What was made in front of a statement, in its list or around it, is there for it, and what that was made of.
  void run(Statements& statements) {
    std::vector<const ir::Variable*> made;
    for (auto& statement : statements) {
      for_each_expr(statement, [&](ExprPtr& e) { e = with_sources(e); });
      const auto* let = std::get_if<Let>(&statement.node);
      if (ir::Variable* const source = let && let->variables.size() == 1 ? source_of(let->value) : nullptr) {
        sources_[let->variables[0]] = source;
        made.push_back(let->variables[0]);
      }
      for_each_list(statement, [&](Statements& nested) { run(nested); });
    }
    for (const auto* variable : made) sources_.erase(variable);
  }

 private:
  /// An array whose shape a value has that is computed element by element; null: it may have another.
  ir::Variable* source_of(const ExprPtr& value) const {
    const auto* apply = std::get_if<Apply>(&value->node);
    if (!apply || !apply->op->elementwise || rank(value->type) == 0) return nullptr;
    for (const auto& operand : apply->operands) {
      const auto* read = std::get_if<Read>(&operand->node);
      if (!read || read->variable->storage != ir::Storage::local || !certainly_same_shape(read->variable->type, value->type)) continue;
      const auto further = sources_.find(read->variable);
      return further == sources_.end() ? read->variable : further->second;
    }
    return nullptr;
  }

  ExprPtr with_sources(const ExprPtr& e) const {
    const auto* apply = std::get_if<Apply>(&e->node);
    if (!apply) return e;
    std::vector<ExprPtr> operands;
    bool changed = false;
    for (const auto& operand : apply->operands) {
      operands.push_back(with_sources(operand));
      changed = changed || operands.back() != operand;
    }
    if (const std::ptrdiff_t last = asked_for_shape(*apply); last >= 0) {
      ExprPtr& asked = operands[static_cast<std::size_t>(last)];
      const auto* read = std::get_if<Read>(&asked->node);
      const auto source = read ? sources_.find(read->variable) : sources_.end();
      if (source != sources_.end()) {
        asked = lowered::make(Read{source->second}, asked->type, asked->location);  // of its own type, which says what elements there are
        changed = true;
      }
    }
    if (!changed) return e;
    Expr copy = *e;
    std::get<Apply>(copy.node).operands = std::move(operands);
    return std::make_shared<const Expr>(std::move(copy));
  }

  std::unordered_map<const ir::Variable*, ir::Variable*> sources_;  // what is made element by element → what has its shape
};

}  // namespace

void ask_sources_for_shapes(Statements& body) { Sources().run(body); }

}  // namespace lantern
