// Before:  const Vector<float> t_adj = 2.0f * (y_adj * x);   After:  const auto t_adj = 2.0f * (y_adj * x);
//          w_adj += sum(t_adj);                                       w_adj += sum(t_adj);
//          x_adj += t_adj * w;                                        x_adj += t_adj * w;
// Between an adjoint and what reads it last stand other adjoints, additions to them and values: they leave alone what it is made of, unless that is added to itself.
#include "lantern/lazy_adjoints.h"

#include <algorithm>
#include <map>

#include "lantern/element_work.h"
#include "lantern/followed.h"
#include "lantern/fused_adjoints.h"
#include "lantern/shape_sources.h"
#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

namespace {

constexpr std::size_t farthest = 200;  // statements on which an adjoint is looked for in vain

const DeclareAdjoint* constant_of(const Statement& s) {
  const auto* declared = std::get_if<DeclareAdjoint>(&s.node);
  return declared && declared->constant && declared->value ? declared : nullptr;
}

/// The value of a statement that may read an adjoint element by element; null: it is another.
ExprPtr value_of(const Statement& s) {
  if (const auto* declared = constant_of(s)) return declared->value;
  const auto* add = std::get_if<Accumulate>(&s.node);
  return add && add->field.empty() ? add->value : nullptr;
}

/// Whether a statement changes nothing but adjoints.
bool is_calm(const Statement& s) {
  if (const auto* let = std::get_if<Let>(&s.node)) {
    const auto* apply = std::get_if<Apply>(&let->value->node);
    return apply && !apply->op->in_place && !apply->op->effect && std::ranges::all_of(apply->operands, [](const ExprPtr& e) { return std::holds_alternative<Read>(e->node) || std::holds_alternative<Constant>(e->node); });
  }
  return std::holds_alternative<DeclareAdjoint>(s.node) || std::holds_alternative<Accumulate>(s.node) || std::holds_alternative<Comment>(s.node);
}

class LazyAdjoints {
 public:
  explicit LazyAdjoints(Function& function) : function_(function) {}

  void run() {
    count_adjoints(function_.body, uses_);
    look_at(function_.body);
    defer(function_.body);
  }

 private:
  /// The adjoints that have elements of their own, to which nothing is added, and what the lazy values do.
  void look_at(Statements& list) {
    for (auto& s : list) {
      if (const auto* declared = constant_of(s); declared && makes_its_own(declared->value)) own_.insert(declared->variable);
      if (const auto* let = std::get_if<Let>(&s.node); let && let->variables.size() == 1) {
        if (const ExprPtr lazy = deferred(let->value)) values_[let->variables[0]] = work_of(lazy);
      }
      for_each_list(s, [&](Statements& nested) { look_at(nested); });
    }
  }

  void defer(Statements& list) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      for_each_list(list[i], [&](Statements& nested) { defer(nested); });
      const auto* declared = constant_of(list[i]);
      if (!declared || !has_elements(declared->variable->type) || !is_cheap_value(declared->value, declared->variable->type)) continue;
      const auto readers = readers_of(list, i);
      if (readers == 0) continue;
      ElementWork work = work_of(declared->value);
      if (!work.is_as_well_repeated(readers)) continue;
      adjoints_.emplace(declared->variable, std::move(work));
      std::get<DeclareAdjoint>(list[i].node).value = made_lazy(declared->value);
    }
  }

  /// How many statements read the adjoint that is declared at i; 0: none, or one otherwise than by its elements, or something in between may change what it is made of.
  std::size_t readers_of(const Statements& list, std::size_t i) {
    const ir::Variable* variable = constant_of(list[i])->variable;
    int left = uses_[variable];
    std::size_t readers = 0;
    for (std::size_t j = i + 1; j < std::min(list.size(), i + farthest) && left > 0; ++j) {
      if (!is_calm(list[j])) return 0;
      const ExprPtr value = value_of(list[j]);
      if (!value || !reads_adjoint(value, variable)) continue;
      const bool added = std::holds_alternative<Accumulate>(list[j].node);
      if (!reads_elements(value, variable, added ? value->type : nullptr)) return 0;
      AdjointUses here;
      count_adjoints(value, here);
      left -= here[variable];
      ++readers;
    }
    return left == 0 ? readers : 0;
  }

  /// within: the type of the elements that e is read for, one after the other; null: it is read as it is.
  static bool reads_elements(const ExprPtr& e, const ir::Variable* variable, const Type& within) {
    if (const auto* adjoint = std::get_if<AdjointOf>(&e->node)) return adjoint->variable != variable || (within && certainly_same_shape(e->type, within));
    const auto* apply = std::get_if<Apply>(&e->node);
    if (!apply) return !reads_adjoint(e, variable);
    const bool sums = apply->op->name == "sum" || apply->op->name == "mean" || apply->op->name == "sum-to";
    for (std::size_t position = 0; position < apply->operands.size(); ++position) {
      const ExprPtr& operand = apply->operands[position];
      if (position > 0 && position + 1 == apply->operands.size() && has_shape_of(*apply->op)) continue;
      Type each = nullptr;
      if (apply->op->elementwise) each = !within || certainly_same_shape(e->type, within) ? e->type : nullptr;
      if (sums && position == 0) each = operand->type;
      if (!reads_elements(operand, variable, each)) return false;
    }
    return true;
  }

  bool is_cheap_value(const ExprPtr& e, const Type& type) const {
    const auto* apply = std::get_if<Apply>(&e->node);
    if (!apply || !is_cheap(*apply->op) || !is_numeric(e->type) || resolve(e->type)->dtype != resolve(type)->dtype || !certainly_same_shape(e->type, type)) return false;
    return std::ranges::all_of(apply->operands, [&](const ExprPtr& operand) {
      if (!has_elements(operand->type)) return std::holds_alternative<Constant>(operand->node) || std::holds_alternative<Read>(operand->node) || std::holds_alternative<AdjointOf>(operand->node);
      if (const auto* read = std::get_if<Read>(&operand->node)) return read->variable->storage == ir::Storage::local;
      if (const auto* adjoint = std::get_if<AdjointOf>(&operand->node)) return own_.contains(adjoint->variable);
      return is_cheap_value(operand, type);
    });
  }

  ElementWork work_of(const ExprPtr& e) const {
    ElementWork work{std::holds_alternative<Apply>(e->node) ? 1 : 0};
    const auto add = [&](const ir::Variable* variable, bool is_adjoint, const std::map<const ir::Variable*, ElementWork>& lazy) {
      const auto found = lazy.find(variable);
      if (has_elements(variable->type)) work.add(found == lazy.end() ? ElementWork{0, {{variable, is_adjoint}}} : found->second);
    };
    if (const auto* read = std::get_if<Read>(&e->node)) add(read->variable, false, values_);
    if (const auto* adjoint = std::get_if<AdjointOf>(&e->node)) add(adjoint->variable, true, adjoints_);
    for_each_operand(*e, [&](const ExprPtr& operand) { work.add(work_of(operand)); });
    return work;
  }

  Function& function_;
  AdjointUses uses_;
  std::set<const ir::Variable*> own_;
  std::map<const ir::Variable*, ElementWork> values_, adjoints_;
};

}  // namespace

void defer_adjoints(Function& function) { LazyAdjoints(function).run(); }

}  // namespace lantern
