// A loop that is written has a function of elements, whose names are those of the arrays with _i behind them: x_i of x, x_adj_i of the adjoint of x.
#include "lantern/loop_elements.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>

#include "lantern/element_work.h"
#include "lantern/expression_effects.h"
#include "lantern/operators.h"
#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

namespace {

std::optional<Place> place_of(const ExprPtr& e) {
  if (const auto* read = std::get_if<Read>(&e->node)) return Place{read->variable, false};
  if (const auto* adjoint = std::get_if<AdjointOf>(&e->node)) return Place{adjoint->variable, true};
  return {};
}

bool repeats_number(const ExprPtr& e) {
  const auto* apply = std::get_if<Apply>(&e->node);
  return apply && apply->op->name == "like" && is_one_number(apply->operands[0]->type);
}

int times_read(const ExprPtr& e, const Place& place) {
  int times = place_of(e) == place;
  for_each_operand(*e, [&](const ExprPtr& operand) { times += times_read(operand, place); });
  return times;
}

class Writing {
 public:
  Writing(InOneLoop& loop, ir::Program& program, const std::map<Place, ExprPtr>& lazy) : loop_(loop), program_(program), lazy_(lazy) {
    for (const auto& result : loop.results) results_[{result.variable, result.is_adjoint}] = result.value;
  }

  void run(std::size_t inner) {
    std::vector<InOneLoop::Result> results;
    for (std::size_t i = inner; i < loop_.results.size(); ++i) {
      const auto& result = loop_.results[i];
      const Place place{result.variable, result.is_adjoint};
      const ExprPtr added = added_up(result.value);
      const bool is_mean = added && std::get<Apply>(result.value->node).op->name == "mean";
      ExprPtr value = added                                             ? of_elements(added)
                      : LoopElements::times_read(loop_, place) > 0 ? of_place(place, result.value->type, result.value->location)
                                                                        : of_elements(result.value);
      results.push_back({result.variable, result.is_adjoint, std::move(value), !added ? InOneLoop::Total::none : is_mean ? InOneLoop::Total::mean : InOneLoop::Total::sum});
    }
    loop_.results = std::move(results);
  }

 private:
  ExprPtr of_elements(const ExprPtr& e) {
    if (std::holds_alternative<Constant>(e->node)) return e;
    if (const auto place = place_of(e)) return of_place(*place, e->type, e->location);
    if (repeats_number(e)) return of_elements(std::get<Apply>(e->node).operands[0]);
    if (is_one_number(e->type)) return operand(e, ir::temporary);
    Expr copy = *e;
    for (auto& operand : std::get<Apply>(copy.node).operands) operand = of_elements(operand);
    return std::make_shared<const Expr>(std::move(copy));
  }

  /// What is computed in the loop has a name in it, and so have the elements of what is not.
  ExprPtr of_place(const Place& place, const Type& type, const Location& location) {
    if (const auto known = known_.find(place); known != known_.end()) return reading(known->second);
    const auto lazy = lazy_.find(place);
    const auto result = results_.find(place);
    const std::string& whole = place.first->name;
    const std::string name = ir::is_made_up(whole) ? ir::temporary : whole + (place.second ? "_adj_i" : "_i");
    ir::Variable* const variable = const_cast<ir::Variable*>(place.first);
    if (lazy == lazy_.end() && result == results_.end()) {
      const ExprPtr element = operand(place.second ? adjoint_of(variable) : reading(variable), name);
      known_[place] = std::get<Read>(element->node).variable;
      return element;
    }
    ExprPtr value = of_elements(lazy != lazy_.end() ? lazy->second : result->second);
    ir::Variable* const element = program_.add_variable({.name = name, .type = type, .location = location});
    loop_.values.emplace_back(element, std::move(value));
    known_[place] = element;
    return reading(element);
  }

  ExprPtr operand(const ExprPtr& e, const std::string& name) {
    ir::Variable* const element = program_.add_variable({.name = name, .type = e->type, .location = e->location});
    loop_.operands.emplace_back(e, element);
    return reading(element);
  }

  InOneLoop& loop_;
  ir::Program& program_;
  const std::map<Place, ExprPtr>& lazy_;
  std::map<Place, ExprPtr> results_;
  std::map<Place, ir::Variable*> known_;
};

}  // namespace

ExprPtr added_up(const ExprPtr& e) {
  const auto* apply = std::get_if<Apply>(&e->node);
  if (!apply || apply->operands.empty() || !is_one_number(e->type) || !has_elements(apply->operands[0]->type)) return nullptr;
  const bool all = apply->op->name == "sum-to" || ((apply->op->name == "sum" || apply->op->name == "mean") && apply->operands.size() == 1);
  const bool same = is_floating(e->type) && resolve(e->type)->dtype == resolve(apply->operands[0]->type)->dtype;
  return all && same ? apply->operands[0] : nullptr;
}

bool changes_something(const ExprPtr& e) {
  const auto* apply = std::get_if<Apply>(&e->node);
  bool changes = has_effect(e) || (apply && (apply->op->in_place || apply->op->draws || apply->op->name == "extern"));
  for_each_operand(*e, [&](const ExprPtr& operand) { changes = changes || changes_something(operand); });
  return changes;
}

namespace {

void put_places(const ExprPtr& e, std::set<Place>& places) {
  if (const auto place = place_of(e)) places.insert(*place);
  for_each_operand(*e, [&](const ExprPtr& operand) { put_places(operand, places); });
}
void put_adjoints(const std::vector<Argument>& arguments, std::set<Place>& places) {
  for (const auto& argument : arguments) places.insert({argument.adjoint, true});
}

}  // namespace

std::set<Place> places_in(Statement& s) {
  std::set<Place> places;
  for_each_expr(s, [&](const ExprPtr& e) { put_places(e, places); });
  for_each_saved(s, [&](const ir::Variable* saved) { places.insert({saved, false}); });
  const auto* declared = std::get_if<DeclareAdjoint>(&s.node);  // of its shape, and beside it
  if (declared && !(declared->value && is_numeric(declared->variable->type))) places.insert({declared->variable, false});
  if (const auto* add = std::get_if<Accumulate>(&s.node)) places.insert({add->variable, true});
  if (const auto* clear = std::get_if<ClearItem>(&s.node)) places.insert({clear->variable, true});
  if (const auto* assign = std::get_if<AssignAdjoints>(&s.node)) {
    for (const auto* variable : assign->variables) places.insert({variable, true});
  }
  if (const auto* call = std::get_if<CallThen>(&s.node)) put_adjoints(call->arguments, places);
  if (const auto* resume = std::get_if<Resume>(&s.node)) put_adjoints(resume->arguments, places);
  if (const auto* gradient = std::get_if<Gradient>(&s.node)) put_adjoints(gradient->arguments, places);
  if (const auto* reverse = std::get_if<Reverse>(&s.node)) put_adjoints(reverse->arguments, places);
  for_each_list(s, [&](Statements& nested) {
    for (auto& inner : nested) places.merge(places_in(inner));
  });
  return places;
}

bool LoopElements::is_number(const ExprPtr& e) const {
  if (!is_one_number(e->type) || failures(e).any()) return false;
  if (std::holds_alternative<Constant>(e->node)) return true;
  if (const auto* read = std::get_if<Read>(&e->node)) return read->variable->storage == ir::Storage::local;
  if (const auto* adjoint = std::get_if<AdjointOf>(&e->node)) return own_.contains(adjoint->variable);
  const auto* apply = std::get_if<Apply>(&e->node);
  return apply && apply->op->elementwise && std::ranges::all_of(apply->operands, [&](const ExprPtr& operand) { return is_number(operand); });
}

bool LoopElements::is_of_one_loop(const ExprPtr& e, const Type& type) const {
  if (is_one_number(e->type)) return is_number(e);
  const bool is_condition = is_numeric(e->type) && resolve(e->type)->dtype == DType::boolean;
  if (!has_elements(e->type) || !certainly_same_shape(e->type, type) || (!is_condition && (!is_floating(e->type) || resolve(e->type)->dtype != resolve(type)->dtype))) return false;
  if (const auto place = place_of(e)) {
    if (const auto lazy = lazy_.find(*place); lazy != lazy_.end()) return is_of_one_loop(lazy->second, type);
    return place->second ? own_.contains(place->first) : place->first->storage == ir::Storage::local;
  }
  const auto* apply = std::get_if<Apply>(&e->node);
  if (!apply) return false;
  if (repeats_number(e)) return is_number(apply->operands[0]) && resolve(apply->operands[0]->type)->dtype == resolve(e->type)->dtype;
  const bool of_numbers = std::ranges::all_of(apply->operands, [](const ExprPtr& operand) { return is_one_number(operand->type) || repeats_number(operand); });
  if (!goes_by_packets(*apply->op) || of_numbers || failures(e).any()) return false;
  return std::ranges::all_of(apply->operands, [&](const ExprPtr& operand) { return is_of_one_loop(operand, type); });
}

Type LoopElements::compared(const ExprPtr& e) const {
  if (is_floating(e->type)) return e->type;
  if (const auto place = place_of(e)) {
    const auto lazy = lazy_.find(*place);
    return lazy == lazy_.end() ? e->type : compared(lazy->second);
  }
  Type found = e->type;
  for_each_operand(*e, [&](const ExprPtr& operand) {
    if (!has_elements(operand->type)) return;
    const Type type = compared(operand);
    if (is_floating(type)) found = type;
  });
  return found;
}

void LoopElements::add_reads(const ExprPtr& e, bool by_lazy, LoopReads& reads) const {
  if (const auto place = place_of(e)) {
    reads.all.insert(*place);
    if (by_lazy) reads.by_lazy.insert(*place);
    const auto lazy = lazy_.find(*place);
    if (lazy == lazy_.end() && has_elements(e->type)) reads.arrays.insert(*place);
    if (lazy != lazy_.end() && reads.counted.insert(*place).second) add_reads(lazy->second, true, reads);
    return;
  }
  if (repeats_number(e)) {  // the array whose shape it has is not read
    LoopReads shape;
    const auto& operands = std::get<Apply>(e->node).operands;
    add_reads(operands[0], by_lazy, reads);
    add_reads(operands[1], by_lazy, shape);
    reads.all.insert(shape.all.begin(), shape.all.end());
    reads.by_lazy.insert(shape.by_lazy.begin(), shape.by_lazy.end());
    return;
  }
  if (const ExprPtr added = added_up(e)) return add_reads(added, by_lazy, reads);
  const auto* apply = std::get_if<Apply>(&e->node);
  reads.is_costly = reads.is_costly || (apply && apply->op->costly);
  if (has_elements(e->type)) ++reads.operations;
  for_each_operand(*e, [&](const ExprPtr& operand) { add_reads(operand, by_lazy, reads); });
}

LoopReads LoopElements::reads_of(const ExprPtr& e) const {
  LoopReads reads;
  add_reads(e, false, reads);
  return reads;
}
LoopReads LoopElements::reads_of(const InOneLoop& loop) const {
  LoopReads reads;
  for (const auto& result : loop.results) add_reads(result.value, false, reads);
  return reads;
}

int LoopElements::times_read(const InOneLoop& loop, const Place& place) {
  int times = 0;
  for (const auto& result : loop.results) times += lantern::times_read(result.value, place);
  return times;
}

void LoopElements::write(InOneLoop& loop, ir::Program& program, std::size_t inner) const { Writing(loop, program, lazy_).run(inner); }

}  // namespace lantern
