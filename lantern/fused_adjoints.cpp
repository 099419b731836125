// What reads the adjoint moves up to it, since what the adjoint is computed from may be added to in between. It may move past
// additions, as it reads nothing that they change.
#include "lantern/fused_adjoints.h"

#include <algorithm>
#include <unordered_map>

#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

namespace {

constexpr std::size_t longest_fused = 40;  // parts of an expression, beyond which nobody would read it

bool is_elementwise_value(const ExprPtr& e) {
  const auto* apply = std::get_if<Apply>(&e->node);
  return apply && apply->op->elementwise;
}

/// A number, or fewer elements, that are repeated: C++ reads them where they are.
bool is_stretched(const ExprPtr& e) {
  const auto* apply = std::get_if<Apply>(&e->node);
  return apply && is_stretching(*apply->op) && rank(e->type) > 0;
}
/// Whether computing it time and again, of a few elements, is less than to keep it.
bool is_quick(const ExprPtr& e) {
  const auto* apply = std::get_if<Apply>(&e->node);
  return !std::holds_alternative<DirectCall>(e->node) && (!apply || (apply->op->elementwise && !apply->op->costly && std::ranges::all_of(apply->operands, is_quick)));
}

/// Whether a value, or a sum, asks for elements of the adjoint one by one, and for nothing else of it.
bool reads_elements(const ExprPtr& e, const ir::Variable* variable) {
  const auto* apply = std::get_if<Apply>(&e->node);
  if (!apply) return std::holds_alternative<AdjointOf>(e->node) || !reads_adjoint(e, variable);
  const bool sums = (apply->op->name == "sum" && apply->operands.size() == 1) || apply->op->name == "sum-to";
  const bool reads_each = sums || (apply->op->elementwise && certainly_same_shape(e->type, variable->type));
  return std::ranges::all_of(apply->operands, [&](const ExprPtr& operand) {
    const auto* adjoint = std::get_if<AdjointOf>(&operand->node);
    return adjoint ? reads_each || adjoint->variable != variable : reads_elements(operand, variable);
  });
}

/// What is stretched as NumPy would stretch it; null: something else.
ExprPtr whole_of(const ExprPtr& e) {
  const auto* apply = is_stretched(e) ? std::get_if<Apply>(&e->node) : nullptr;
  const bool same = apply && apply->op->name == "like" && resolve(apply->operands[0]->type)->dtype == resolve(e->type)->dtype;
  return same ? apply->operands[0] : nullptr;
}

/// An operation on a stretched number, stretched; null: it is on something else.
ExprPtr stretched_behind(const Expr& e) {
  const auto& apply = std::get<Apply>(e.node);
  constexpr std::string_view names[] = {"neg", "+", "-", "*", "/"};
  if (!apply.op->elementwise || std::ranges::find(names, apply.op->name) == std::end(names)) return nullptr;
  std::vector<ExprPtr> numbers;
  std::vector<Type> types;
  ExprPtr stretched;
  for (const auto& operand : apply.operands) {
    const ExprPtr whole = whole_of(operand);
    if (whole && certainly_same_shape(operand->type, e.type)) stretched = operand;
    numbers.push_back(whole ? whole : operand);
    types.push_back(numbers.back()->type);
    const bool fits = std::holds_alternative<Constant>(numbers.back()->node) || resolve(types.back())->dtype == resolve(e.type)->dtype;
    if (rank(types.back()) > 0 || !is_floating(types.back()) || !fits) return nullptr;
  }
  const Operator* const op = stretched ? select_operator(apply.op->name, types) : nullptr;
  if (!op) return nullptr;
  Expr copy = *stretched;
  std::get<Apply>(copy.node).operands[0] = make(Apply{op, std::move(numbers), {}, true}, scalar(resolve(e.type)->dtype), e.location);
  return std::make_shared<const Expr>(std::move(copy));
}

/// A stretched operand, beside one that has the shape, as what is stretched, where it fits as it is.
ExprPtr without_stretching(const ExprPtr& e) {
  const auto* apply = std::get_if<Apply>(&e->node);
  if (!apply) return e;
  Expr copy = *e;
  auto& operands = std::get<Apply>(copy.node).operands;
  for (auto& operand : operands) operand = without_stretching(operand);
  if (const ExprPtr behind = stretched_behind(copy)) return behind;
  if (apply->op->elementwise) {
    for (auto& operand : operands) {
      const ExprPtr whole = whole_of(operand);
      const bool shaped = whole && std::ranges::any_of(operands, [&](const ExprPtr& other) {
        return other != operand && !is_stretched(other) && is_numeric(other->type) && certainly_same_shape(other->type, e->type);
      });
      if (shaped) operand = whole;
    }
  }
  return std::make_shared<const Expr>(std::move(copy));
}

/// Whether an array of the variable's shape can stand in its adjoint's place: no element is wanted twice.
bool fits(const ExprPtr& e, const ir::Variable* variable) {
  bool fit = true;
  for_each_operand(*e, [&](const ExprPtr& operand) {
    const auto* adjoint = std::get_if<AdjointOf>(&operand->node);
    const bool here = adjoint && adjoint->variable == variable;
    if (is_elementwise_value(e) && (here || is_elementwise_value(operand))) {
      if (reads_adjoint(operand, variable)) fit = fit && certainly_same_shape(e->type, variable->type);
    }
    fit = fit && fits(operand, variable);
  });
  return fit;
}

ExprPtr with(const ExprPtr& e, const ir::Variable* variable, const ExprPtr& value) {
  if (const auto* adjoint = std::get_if<AdjointOf>(&e->node)) return adjoint->variable == variable ? value : e;
  const auto* apply = std::get_if<Apply>(&e->node);
  if (!apply) return e;
  Expr copy = *e;
  for (auto& operand : std::get<Apply>(copy.node).operands) operand = with(operand, variable, value);
  return std::make_shared<const Expr>(std::move(copy));
}

class Fusion {
 public:
  Fusion(Statements& statements, const AdjointUses& uses) : statements_(statements), uses_(uses) {}

  void run() {
    for (std::size_t i = 0; i < statements_.size(); ++i) {
      while (fuse(i)) {}
    }
  }

 private:
  static const DeclareAdjoint* constant(const Statement& statement) {
    const auto* declared = std::get_if<DeclareAdjoint>(&statement.node);
    return declared && declared->constant && declared->value ? declared : nullptr;
  }
  static ExprPtr value_of(const Statement& statement) {
    if (const auto* declared = std::get_if<DeclareAdjoint>(&statement.node)) return declared->value;
    const auto* add = std::get_if<Accumulate>(&statement.node);
    return add && add->field.empty() ? add->value : nullptr;
  }

  /// Brings what reads the adjoint that is computed at i there; whether it did.
  bool fuse(std::size_t i) {
    const DeclareAdjoint* adjoint = constant(statements_[i]);
    if (!adjoint) return false;
    const ir::Variable* variable = adjoint->variable;
    const auto used = uses_.find(variable);
    if (is_stretched(adjoint->value)) return used != uses_.end() && (used->second == 1 || is_quick(std::get<Apply>(adjoint->value->node).operands[0])) && put_into_all(i, used->second);
    if (!is_elementwise_value(adjoint->value)) return false;
    if (used == uses_.end() || used->second != 1 || !certainly_same_shape(adjoint->value->type, variable->type) ||
        adjoint->value->type->dtype != variable->type->dtype) {
      return false;
    }
    bool nothing_changes = true;
    for (std::size_t j = i + 1; j < statements_.size(); ++j) {
      const ExprPtr value = value_of(statements_[j]);
      if (value && reads_adjoint(value, variable)) {
        if (size(value) + size(adjoint->value) > longest_fused || !fits(value, variable)) return false;
        return nothing_changes ? put_into(j, i) : may_move(j, i, variable) && move(j, i);
      }
      const bool adds = std::holds_alternative<Accumulate>(statements_[j].node);
      if (!adds && !std::holds_alternative<DeclareAdjoint>(statements_[j].node)) return false;
      nothing_changes = nothing_changes && !adds;
    }
    return false;
  }

  /// Writes a stretched adjoint, which is used so often, wherever it is read.
  bool put_into_all(std::size_t i, int uses) {
    const DeclareAdjoint adjoint = *constant(statements_[i]);
    if (!certainly_same_shape(adjoint.value->type, adjoint.variable->type) || resolve(adjoint.value->type)->dtype != resolve(adjoint.variable->type)->dtype) return false;
    std::vector<std::size_t> readers;
    for (std::size_t j = i + 1; j < statements_.size() && uses > 0; ++j) {
      const ExprPtr value = value_of(statements_[j]);
      if (value && reads_adjoint(value, adjoint.variable)) {
        AdjointUses here;
        count_adjoints(value, here);
        uses -= here[adjoint.variable];
        if (size(value) + size(adjoint.value) > longest_fused || !reads_elements(value, adjoint.variable)) return false;
        readers.push_back(j);
      }
      const auto* add = std::get_if<Accumulate>(&statements_[j].node);
      if (!add && !std::holds_alternative<DeclareAdjoint>(statements_[j].node)) return false;
      if (uses > 0 && add && reads_adjoint(adjoint.value, add->variable)) return false;
    }
    if (uses != 0) return false;
    for (const std::size_t j : readers) {
      substitute(statements_[j], adjoint);
      if (auto* declared = std::get_if<DeclareAdjoint>(&statements_[j].node)) declared->value = without_stretching(declared->value);
      if (auto* add = std::get_if<Accumulate>(&statements_[j].node)) add->value = without_stretching(add->value);
    }
    statements_.erase(statements_.begin() + static_cast<std::ptrdiff_t>(i));
    return i < statements_.size();
  }

  /// Whether the statement at j may stand at i: of adjoints it reads this one alone, and what it adds to begins in between.
  bool may_move(std::size_t j, std::size_t i, const ir::Variable* variable) const {
    AdjointUses read;
    count_adjoints(value_of(statements_[j]), read);
    if (read.size() != 1 || !read.contains(variable)) return false;
    const auto* add = std::get_if<Accumulate>(&statements_[j].node);
    if (!add) return true;
    for (std::size_t d = j; d-- > 0;) {
      const auto* begun = std::get_if<DeclareAdjoint>(&statements_[d].node);
      if (begun && begun->variable == add->variable) return !begun->value && !begun->constant && (d > i || nobody_else(d, i));
      if (d > i && value_of(statements_[d]) && reads_adjoint(value_of(statements_[d]), add->variable)) return false;
    }
    return false;
  }
  /// Whether nothing between could have kept the adjoint that begins at d.
  bool nobody_else(std::size_t d, std::size_t i) const {
    return std::all_of(statements_.begin() + static_cast<std::ptrdiff_t>(d), statements_.begin() + static_cast<std::ptrdiff_t>(i), [](const Statement& s) {
      return std::holds_alternative<Accumulate>(s.node) || std::holds_alternative<DeclareAdjoint>(s.node);
    });
  }

  static void substitute(Statement& statement, const DeclareAdjoint& adjoint) {
    if (auto* declared = std::get_if<DeclareAdjoint>(&statement.node)) declared->value = with(declared->value, adjoint.variable, adjoint.value);
    if (auto* add = std::get_if<Accumulate>(&statement.node)) add->value = with(add->value, adjoint.variable, adjoint.value);
  }

  bool put_into(std::size_t j, std::size_t i) {
    substitute(statements_[j], *constant(statements_[i]));
    statements_.erase(statements_.begin() + static_cast<std::ptrdiff_t>(i));
    return i < statements_.size();
  }

  bool move(std::size_t j, std::size_t i) {
    Statement moved = std::move(statements_[j]);
    substitute(moved, *constant(statements_[i]));
    const auto* add = std::get_if<Accumulate>(&moved.node);
    statements_.erase(statements_.begin() + static_cast<std::ptrdiff_t>(j));
    const ir::Variable* target = add ? add->variable : nullptr;
    statements_[i] = std::move(moved);
    if (!target) return true;
    for (std::size_t d = i + 1; d < j; ++d) {  // its beginning comes before it
      const auto* begun = std::get_if<DeclareAdjoint>(&statements_[d].node);
      if (!begun || begun->variable != target) continue;
      std::rotate(statements_.begin() + static_cast<std::ptrdiff_t>(i), statements_.begin() + static_cast<std::ptrdiff_t>(d), statements_.begin() + static_cast<std::ptrdiff_t>(d) + 1);
      break;
    }
    return false;  // a sum is read by nothing that could come here
  }

  Statements& statements_;
  const AdjointUses& uses_;
};

void fuse(Statements& statements, const AdjointUses& uses) {
  for (auto& statement : statements) for_each_list(statement, [&](Statements& nested) { fuse(nested, uses); });
  Fusion(statements, uses).run();
}

}  // namespace

void count_adjoints(const ExprPtr& e, AdjointUses& uses) {
  if (const auto* adjoint = std::get_if<AdjointOf>(&e->node)) ++uses[adjoint->variable];
  for_each_operand(*e, [&](const ExprPtr& operand) { count_adjoints(operand, uses); });
}

void count_adjoints(Statements& statements, AdjointUses& uses) {
  const auto handed = [&](const std::vector<Argument>& arguments) {
    for (const auto& argument : arguments) {
      if (argument.adjoint) uses[argument.adjoint] += 2;
    }
  };
  for (auto& statement : statements) {
    for_each_expr(statement, [&](const ExprPtr& e) { count_adjoints(e, uses); });
    for_each_list(statement, [&](Statements& nested) { count_adjoints(nested, uses); });
    if (const auto* call = std::get_if<CallThen>(&statement.node)) handed(call->arguments);
    if (const auto* resume = std::get_if<Resume>(&statement.node)) handed(resume->arguments);
    if (const auto* gradient = std::get_if<Gradient>(&statement.node)) handed(gradient->arguments);
    if (const auto* reverse = std::get_if<Reverse>(&statement.node)) handed(reverse->arguments);
    if (const auto* add = std::get_if<Accumulate>(&statement.node)) uses[add->variable] += 2;
    if (const auto* clear = std::get_if<ClearItem>(&statement.node)) uses[clear->variable] += 2;
    if (const auto* assign = std::get_if<AssignAdjoints>(&statement.node)) {
      for (const auto* variable : assign->variables) uses[variable] += 2;
    }
  }
}

void fuse_adjoints(Statements& statements) {
  AdjointUses uses;
  count_adjoints(statements, uses);
  fuse(statements, uses);
}

}  // namespace lantern
