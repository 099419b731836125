// The parts move down to the last of them, past additions to what they do not read.
#include "lantern/joined_adjoints.h"

#include <algorithm>
#include <map>

#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

namespace {

/// Whether it is of elements alone and cannot fail: arrays follow IEEE, and the primals' shapes have been checked.
bool may_wait(const ExprPtr& e) {
  const auto* apply = std::get_if<Apply>(&e->node);
  const auto cannot_fail = [&] {
    const Fails fails = apply->op->fails;
    return fails == Fails::never || (is(e->type, TypeKind::tensor) && (fails == Fails::numbers || fails == Fails::shapes));
  };
  bool may = apply ? apply->op->elementwise && cannot_fail() : !std::holds_alternative<DirectCall>(e->node);
  for_each_operand(*e, [&](const ExprPtr& operand) { may = may && may_wait(operand); });
  return may;
}

class Joining {
 public:
  explicit Joining(Statements& statements) : statements_(statements) {}

  void run() {
    for (std::size_t i = 0; i < statements_.size(); ++i) join(i);
  }

 private:
  using Parts = std::map<std::int64_t, ExprPtr>;  // by their first row

  /// Joins the parts of the adjoint that begins as zeros at `begin`, if they are all of it.
  void join(std::size_t begin) {
    const auto* declared = std::get_if<DeclareAdjoint>(&statements_[begin].node);
    if (!declared || declared->value || declared->constant) return;
    ir::Variable* const whole = declared->variable;
    if (!is(whole->type, TypeKind::tensor)) return;
    const std::int64_t rows = resolve(whole->type)->dims.empty() ? 0 : resolve(whole->type)->dims[0].size;
    Parts parts;
    std::vector<std::size_t> places;
    std::int64_t joined = 0;
    for (std::size_t i = begin + 1; joined < rows; ++i) {
      if (i == statements_.size()) return;
      const auto* add = std::get_if<Accumulate>(&statements_[i].node);
      if (add && add->variable == whole) {
        const auto [start, part] = part_of(*add);
        if (!part || !parts.emplace(start, part).second) return;
        places.push_back(i);
        joined += resolve(part->type)->dims[0].size;
      } else if (!leaves_alone(statements_[i], whole, parts)) {
        return;
      }
    }
    std::int64_t next = 0;
    std::vector<ExprPtr> operands;
    for (const auto& [start, part] : parts) {
      if (start != next) return;
      next += resolve(part->type)->dims[0].size;
      operands.push_back(part);
    }
    if (next != rows || operands.size() < 2 || is_added_to_behind(places.back(), whole)) return;
    std::vector<Type> types;
    for (const auto& operand : operands) types.push_back(operand->type);
    const Operator* const concat = select_operator("concat", types);
    if (!concat) return;
    const Location location = statements_[places.back()].location;
    statements_[places.back()] = {DeclareAdjoint{whole, make(Apply{concat, std::move(operands), {}, true}, whole->type, location), true}, location};
    places.back() = begin;
    std::ranges::sort(places, std::greater<>{});
    for (const std::size_t place : places) statements_.erase(statements_.begin() + static_cast<std::ptrdiff_t>(place));
  }

  /// What is added from which row on; null: something else, or of a shape that is not known.
  static std::pair<std::int64_t, ExprPtr> part_of(const Accumulate& add) {
    const auto* apply = std::get_if<Apply>(&add.value->node);
    if (!add.field.empty() || !apply || apply->op->name != "placed" || apply->operands.size() != 3) return {};
    const auto start = integer_value(apply->operands[1]);
    const ExprPtr& value = apply->operands[0];
    const Type part = resolve(value->type), whole = resolve(add.variable->type);
    if (!start || !is(part, TypeKind::tensor) || part->dtype != whole->dtype || part->dims.size() != whole->dims.size() || !part->dims[0].known()) return {};
    for (std::size_t axis = 1; axis < part->dims.size(); ++axis) {
      if (!part->dims[axis].known() || part->dims[axis] != whole->dims[axis]) return {};
    }
    return may_wait(value) ? std::pair(*start, value) : std::pair<std::int64_t, ExprPtr>{};
  }

  /// Whether a statement neither needs the whole nor changes what a part reads.
  static bool leaves_alone(const Statement& statement, const ir::Variable* whole, const Parts& parts) {
    const auto* declared = std::get_if<DeclareAdjoint>(&statement.node);
    if (declared) return !declared->value || !reads_adjoint(declared->value, whole);
    const auto* add = std::get_if<Accumulate>(&statement.node);
    if (!add || reads_adjoint(add->value, whole)) return false;
    return std::ranges::none_of(parts, [&](const auto& part) { return reads_adjoint(part.second, add->variable); });
  }

  bool is_added_to_behind(std::size_t last, const ir::Variable* whole) const {
    bool added = false;
    for (std::size_t i = last + 1; i < statements_.size(); ++i) added = added || adds(statements_[i], whole);
    return added;
  }
  /// Anything but reading it.
  static bool adds(const Statement& statement, const ir::Variable* whole) {
    if (const auto* add = std::get_if<Accumulate>(&statement.node)) return add->variable == whole;
    return !std::holds_alternative<DeclareAdjoint>(statement.node) && !std::holds_alternative<ResetArena>(statement.node) && !std::holds_alternative<Comment>(statement.node);
  }

  Statements& statements_;
};

}  // namespace

void join_adjoints(Statements& statements) {
  for (auto& statement : statements) for_each_list(statement, [](Statements& nested) { join_adjoints(nested); });
  Joining(statements).run();
}

}  // namespace lantern
