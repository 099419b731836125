// The parts move down to the last of them, past additions to what they do not read.
#include "lantern/joined_adjoints.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

namespace {

/// Whether it is of elements alone and cannot fail: arrays follow IEEE, and the primals' shapes have been checked.
bool may_wait(const ExprPtr& e) {
  const auto* apply = std::get_if<Apply>(&e->node);
  if (apply && is_stretching(*apply->op)) return may_wait(apply->operands[0]);
  const auto cannot_fail = [&] {
    const Fails fails = apply->op->fails;
    return fails == Fails::never || (is(e->type, TypeKind::tensor) && (fails == Fails::numbers || fails == Fails::shapes));
  };
  bool may = apply ? apply->op->elementwise && cannot_fail() : !std::holds_alternative<DirectCall>(e->node);
  for_each_operand(*e, [&](const ExprPtr& operand) { may = may && may_wait(operand); });
  return may;
}

/// Whether a statement may add to an adjoint: any but those that only read it.
bool may_add(const Statement& statement, const ir::Variable* whole) {
  if (const auto* add = std::get_if<Accumulate>(&statement.node)) return add->variable == whole;
  return !std::holds_alternative<DeclareAdjoint>(statement.node) && !std::holds_alternative<ResetArena>(statement.node) && !std::holds_alternative<Comment>(statement.node) &&
         !std::holds_alternative<Let>(statement.node) && !std::holds_alternative<Return>(statement.node);
}
bool is_added_to_behind(const Statements& statements, std::size_t last, const ir::Variable* whole) {
  return std::any_of(statements.begin() + static_cast<std::ptrdiff_t>(last) + 1, statements.end(), [&](const Statement& statement) { return may_add(statement, whole); });
}

constexpr std::size_t longest_sum = 40;  // parts of an expression, beyond which nobody would read it

bool is_term(const ExprPtr& e, const ir::Variable* whole) {
  return certainly_same_shape(e->type, whole->type) && resolve(e->type)->dtype == resolve(whole->type)->dtype && may_wait(e);
}

/// The term that a statement begins or adds to the adjoint of an array; null: none that may be added together with others.
ExprPtr term_of(const Statement& statement, const ir::Variable* whole) {
  const auto* declared = std::get_if<DeclareAdjoint>(&statement.node);
  const auto* add = std::get_if<Accumulate>(&statement.node);
  const ExprPtr value = declared && declared->variable == whole && !declared->constant ? declared->value
                        : add && add->variable == whole && add->field.empty()         ? add->value
                                                                                      : nullptr;
  return value && is_term(value, whole) ? value : nullptr;
}

class Terms {
 public:
  explicit Terms(Statements& statements) : statements_(statements) {}

  void run() {
    for (std::size_t i = 0; i < statements_.size();) {
      if (!join(i)) ++i;
    }
  }

 private:
  /// Moves the term at i to the next one of the same adjoint; whether it did.
  bool join(std::size_t i) {
    const auto* declared = std::get_if<DeclareAdjoint>(&statements_[i].node);
    const auto* add = std::get_if<Accumulate>(&statements_[i].node);
    ir::Variable* const whole = declared ? declared->variable : add ? add->variable : nullptr;
    if (!whole || whole->storage != ir::Storage::local || !is(whole->type, TypeKind::tensor) || rank(whole->type) == 0) return false;
    const ExprPtr term = term_of(statements_[i], whole);
    if (!term) return false;
    for (std::size_t j = i + 1; j < statements_.size(); ++j) {
      const auto* other = std::get_if<Accumulate>(&statements_[j].node);
      if (other && other->variable == whole) {
        const ExprPtr next = term_of(statements_[j], whole);
        if (!next || size(term) + size(next) > longest_sum) return false;
        put_together(i, j, term, next);
        return true;
      }
      const auto* begun = std::get_if<DeclareAdjoint>(&statements_[j].node);
      const ExprPtr value = other ? other->value : begun ? begun->value : nullptr;
      if ((!other && !begun) || (value && reads_adjoint(value, whole)) || (other && reads_adjoint(term, other->variable))) return false;
    }
    return false;
  }

  void put_together(std::size_t i, std::size_t j, const ExprPtr& term, const ExprPtr& next) {
    const bool begins = std::holds_alternative<DeclareAdjoint>(statements_[i].node);
    ir::Variable* const whole = std::get<Accumulate>(statements_[j].node).variable;
    const Operator* const plus = select_operator("+", std::vector<Type>{term->type, next->type});
    ExprPtr sum = make(Apply{plus, {term, next}, {}, true}, whole->type, statements_[j].location);
    if (begins) statements_[j].node = DeclareAdjoint{whole, std::move(sum), !is_added_to_behind(statements_, j, whole)};
    else std::get<Accumulate>(statements_[j].node).value = std::move(sum);
    statements_.erase(statements_.begin() + static_cast<std::ptrdiff_t>(i));
  }

  Statements& statements_;
};

std::optional<double> number_of(const ExprPtr& e) {
  const auto* constant = std::get_if<Constant>(&e->node);
  const auto* number = constant && is_one_number(e->type) ? std::get_if<double>(&constant->value) : nullptr;
  return number ? std::optional(*number) : std::nullopt;
}

bool is_negation(const ExprPtr& e) {
  const auto* apply = std::get_if<Apply>(&e->node);
  return apply && apply->op->name == "neg";
}

/// Without the 1 that a sweep begins with, and its signs: `-(-1.0 * x)` is x.
ExprPtr without_ones(const ExprPtr& e) {
  const auto* apply = std::get_if<Apply>(&e->node);
  if (!apply) return e;
  Expr copy = *e;
  auto& operands = std::get<Apply>(copy.node).operands;
  bool changed = false;
  for (auto& operand : operands) {
    const ExprPtr before = std::exchange(operand, without_ones(operand));
    changed = changed || before != operand;
  }
  if (apply->op->name == "neg") {
    if (const auto number = number_of(operands[0])) return make(Constant{-*number}, e->type, e->location);
    if (is_negation(operands[0])) return std::get<Apply>(operands[0]->node).operands[0];
  }
  for (std::size_t i = 0; apply->op->name == "*" && i < 2; ++i) {
    const auto number = number_of(operands[i]);
    const ExprPtr& other = operands[1 - i];
    if (!number || std::abs(*number) != 1.0) continue;
    if (const auto factor = number_of(other)) return make(Constant{*number * *factor}, e->type, e->location);
    if (!certainly_same_shape(other->type, e->type) || resolve(other->type)->dtype != resolve(e->type)->dtype) continue;
    if (*number == 1.0) return other;
    const Operator* const negation = select_operator("neg", std::vector<Type>{other->type});
    return is_negation(other) ? std::get<Apply>(other->node).operands[0] : make(Apply{negation, {other}, {}, true}, e->type, e->location);
  }
  return changed ? std::make_shared<const Expr>(std::move(copy)) : e;
}

/// An adjoint that is a value of the program's has elements of its own.
void leave_out_ones(Statement& statement) {
  if (auto* add = std::get_if<Accumulate>(&statement.node)) add->value = without_ones(add->value);
  auto* declared = std::get_if<DeclareAdjoint>(&statement.node);
  if (!declared || !declared->value) return;
  const ExprPtr shorter = without_ones(declared->value);
  if (rank(shorter->type) == 0 || !may_be_view(shorter)) declared->value = shorter;
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
    if (next != rows || operands.size() < 2 || is_added_to_behind(statements_, places.back(), whole)) return;
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

  Statements& statements_;
};

}  // namespace

void join_terms(Statements& statements) {
  for (auto& statement : statements) for_each_list(statement, [](Statements& nested) { join_terms(nested); });
  Terms(statements).run();
  std::ranges::for_each(statements, leave_out_ones);
}

void join_adjoints(Statements& statements) {
  for (auto& statement : statements) for_each_list(statement, [](Statements& nested) { join_adjoints(nested); });
  Joining(statements).run();
}

}  // namespace lantern
