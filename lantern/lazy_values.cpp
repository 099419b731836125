// Before:  const Vector<float> d = x - y;                    After:  const auto d = x - y;
//          const Vector<float> size = abs(d);                        const auto size = abs(d);
//          const float total = sum(d * d + size);                    const float total = sum(d * d + size);
// The loop of the sum reads x and y, and writes nothing. Values are lazy that every reader reads element by element, each element once, and that are a few additions,
// products and the like of arrays which are no one's to change. Conditions are not: what they decide stays decided.
//
// Before:  const Vector<float> x = concat(h, c);             After:  const auto x = joined(h, c);
//          const Vector<float> y = matmul(w, x);                     const Vector<float> y = matmul(w, x);
//          w_adj += outer(y_adj, x);                                 w_adj += outer(y_adj, x);
// A product copies what it reads of such vectors for as long as it is made, and what is recorded for a weight's gradient is a copy anyway.
#include "lantern/lazy_values.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "lantern/call_graph.h"
#include "lantern/element_work.h"
#include "lantern/expression_effects.h"
#include "lantern/operators.h"
#include "lantern/shape_sources.h"
#include "lantern/turn_values.h"
#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

namespace {

/// Whether a run of the function may change parameters, states or arrays in place, so that what it reads may be no longer what it was.
bool changes_what_is_there(const ExprPtr& e) {
  const auto* apply = std::get_if<Apply>(&e->node);
  bool changes = apply && (apply->op->in_place || apply->op->effect);
  for_each_operand(*e, [&](const ExprPtr& operand) { changes = changes || changes_what_is_there(operand); });
  return changes;
}
bool changes_what_is_there(Statements& list) {
  bool changes = false;
  for (auto& s : list) {
    changes = changes || std::holds_alternative<Step>(s.node) || std::holds_alternative<Store>(s.node) || std::holds_alternative<Initialize>(s.node) ||
              std::holds_alternative<Change>(s.node) || std::holds_alternative<ClearItem>(s.node);
    for_each_expr(s, [&](const ExprPtr& e) { changes = changes || changes_what_is_there(e); });
    for_each_list(s, [&](Statements& nested) { changes = changes || changes_what_is_there(nested); });
  }
  return changes;
}

/// What is known of the variables of one function.
class InFunction {
 public:
  explicit InFunction(Function& function) : function_(function) {}

  void run() {
    for (const auto& formal : function_.formals) fixed_.insert(formal.variable);
    look_at(function_.body, nullptr);
    for (const auto* variable : changing_) fixed_.erase(variable);
    find_loops(function_.body);
    defer(function_.body);
  }

 private:
  struct Value {
    const Let* let = nullptr;
    const Statement* loop = nullptr;              // that it is made in each turn of
    bool by_elements = true, by_products = true;  // is all that it is read by
    std::set<const Statement*> readers = {};
    int products = 0, outer_products = 0;         // of those
  };

  void look_at(Statements& list, const Statement* loop) {
    for (auto& s : list) {
      note(s, loop);
      const bool repeats = std::holds_alternative<For>(s.node) || std::holds_alternative<While>(s.node) || std::holds_alternative<Backwards>(s.node) || std::holds_alternative<Each>(s.node) ||
                           std::holds_alternative<LetEach>(s.node) || std::holds_alternative<EachTurn>(s.node);
      for_each_expr(s, [&](const ExprPtr& e) { read(e, s, repeats ? &s : loop, reads_root(s) ? e->type : nullptr); });
      for_each_saved(s, [&](const ir::Variable* variable) { values_[variable].by_elements = values_[variable].by_products = false; });
      for_each_list(s, [&](Statements& nested) { look_at(nested, repeats ? &s : loop); });
    }
  }

  /// Whether a variable that the statement's value is, as it stands, is read element by element.
  static bool reads_root(const Statement& s) {
    const auto* add = std::get_if<Accumulate>(&s.node);
    return add && add->field.empty();
  }

  void note(const Statement& s, const Statement* loop) {
    if (const auto* n = std::get_if<Let>(&s.node)) {
      fixed_.insert(n->variables.begin(), n->variables.end());
      for (const auto* variable : n->variables) {
        const bool again = values_[variable].let != nullptr;  // made anew on the way back
        values_[variable].let = n;
        values_[variable].loop = loop;
        const bool may_be_lazy = !again && n->variables.size() == 1 && !n->owns;
        values_[variable].by_elements = values_[variable].by_elements && may_be_lazy;
        values_[variable].by_products = values_[variable].by_products && may_be_lazy;
      }
    }
    if (const auto* n = std::get_if<CallThen>(&s.node)) fix(n->parameters);
    if (const auto* n = std::get_if<Together>(&s.node)) fix(n->parameters);
    if (const auto* n = std::get_if<Each>(&s.node)) fix(n->parameters);
    if (const auto* n = std::get_if<Join>(&s.node)) fix(n->parameters);
    if (const auto* n = std::get_if<Declare>(&s.node)) changing_.insert(n->variable);
    if (const auto* n = std::get_if<Assign>(&s.node)) changing_.insert(n->variables.begin(), n->variables.end());
    if (const auto* n = std::get_if<Restore>(&s.node)) changing_.insert(n->variable);
    if (const auto* n = std::get_if<Pop>(&s.node)) changing_.insert(n->variables.begin(), n->variables.end());
  }
  void fix(const std::vector<Parameter>& parameters) {
    for (const auto& parameter : parameters) fixed_.insert(parameter.variable);
  }

  /// within: the type of the elements that e is read for, one after the other; null: it is read as it is. product: what e is an operand of, if that is one.
  void read(const ExprPtr& e, const Statement& reader, const Statement* loop, const Type& within, const Apply* product = nullptr) {
    if (const auto* read = std::get_if<Read>(&e->node)) {
      Value& value = values_[read->variable];
      value.by_products = value.by_products && product && value.loop == loop;
      if (product) ++(product->op->name == "outer" ? value.outer_products : value.products);
      value.by_elements = value.by_elements && within && certainly_same_shape(e->type, within) && value.loop == loop;
      value.readers.insert(&reader);
    }
    const auto* apply = std::get_if<Apply>(&e->node);
    std::size_t position = 0;
    for_each_operand(*e, [&](const ExprPtr& operand) {
      const bool first = position == 0, summed = apply && (apply->op->name == "sum" || apply->op->name == "mean" || apply->op->name == "sum-to");
      const bool shape_alone = apply && aspect_of(*apply, position++, e->type) != Aspect::value;
      if (shape_alone && std::holds_alternative<Read>(operand->node)) return asked(*apply, operand);
      Type each = nullptr;
      if (apply && apply->op->elementwise) each = !within || certainly_same_shape(e->type, within) ? e->type : nullptr;
      if (summed && first) each = operand->type;
      this->read(operand, reader, loop, each, multiplies_vector(apply, operand) ? apply : nullptr);
    });
  }
  /// Whether it is a product of that vector with a matrix, or an outer product.
  static bool multiplies_vector(const Apply* apply, const ExprPtr& operand) {
    if (!apply || rank(operand->type) != 1 || (apply->op->name != "matmul" && apply->op->name != "outer")) return false;
    const int both = rank(apply->operands[0]->type) + rank(apply->operands[1]->type);
    return both == (apply->op->name == "outer" ? 2 : 3);
  }
  /// An expression has a shape, which C++ asks it for in one way.
  void asked(const Apply& apply, const ExprPtr& operand) {
    const auto name = apply.op->name;
    Value& value = values_[std::get<Read>(operand->node).variable];
    value.by_products = false;
    if (!has_shape_of(*apply.op) && name != "cast-like" && name != "zeros-like" && name != "ones-like") value.by_elements = false;
  }

  /// The statements that compute it, if what can be lazy is. Values are asked for the last one first, and more statements than a lazy value may have do not count.
  using Loops = std::set<const Statement*>;
  const Loops& loops_of(const ir::Variable* variable) {
    const auto [known, is_new] = loops_.emplace(variable, Loops{});
    if (!is_new) return known->second;
    Loops all;
    for (const auto* reader : values_[variable].readers) {
      const auto* let = std::get_if<Let>(&reader->node);
      if (all.size() > ElementWork::most_loops) break;
      if (let && is_eligible(let->variables[0])) all.insert(loops_of(let->variables[0]).begin(), loops_of(let->variables[0]).end());
      else all.insert(reader);
    }
    return loops_[variable] = std::move(all);
  }
  void find_loops(Statements& list) {
    for (auto s = list.rbegin(); s != list.rend(); ++s) {
      for_each_list(*s, [&](Statements& nested) { find_loops(nested); });
      const auto* let = std::get_if<Let>(&s->node);
      if (let && let->variables.size() == 1 && is_eligible(let->variables[0])) loops_of(let->variables[0]);
    }
  }

  /// Whether its readers, and the arrays that it reads, would let it be lazy.
  bool is_eligible(const ir::Variable* variable) {
    const auto [known, is_new] = eligible_.emplace(variable, false);
    if (!is_new) return known->second;
    const Value& value = values_[variable];
    const Type type = variable->type;
    if (!value.let || !value.by_elements || value.readers.empty() || !has_elements(type) || !is_floating(type) || failures(value.let->value).any()) return false;
    return eligible_[variable] = is_cheap_value(value.let->value, type);
  }
  bool is_cheap_value(const ExprPtr& e, const Type& type) {
    const auto* apply = std::get_if<Apply>(&e->node);
    if (!apply || !is_cheap(*apply->op) || !is_numeric(e->type) || resolve(e->type)->dtype != resolve(type)->dtype) return false;
    return std::ranges::all_of(apply->operands, [&](const ExprPtr& operand) {
      if (std::holds_alternative<Constant>(operand->node)) return true;
      if (const auto* read = std::get_if<Read>(&operand->node)) return is_fixed(read->variable);
      return is_cheap_value(operand, type);
    });
  }
  /// Whether it is what it is for as long as the function runs.
  bool is_fixed(const ir::Variable* variable) const { return is_numeric(variable->type) && fixed_.contains(variable); }
  /// Whether what reads it alone is its better place: one loop computes both, and a product takes what is added to it.
  bool belongs_to_reader(const ir::Variable* variable) const {
    const auto found = values_.find(variable);
    if (found == values_.end() || !found->second.let || lazy_.contains(variable)) return false;
    const auto* apply = std::get_if<Apply>(&found->second.let->value->node);
    return has_elements(variable->type) && ir::is_made_up(variable->name) && found->second.readers.size() == 1 && apply && (apply->op->elementwise || apply->op->name == "matmul");
  }
  bool has_what_belongs_to_it(const ExprPtr& e) const {
    const auto* read = std::get_if<Read>(&e->node);
    bool has = read && belongs_to_reader(read->variable);
    for_each_operand(*e, [&](const ExprPtr& operand) { has = has || has_what_belongs_to_it(operand); });
    return has;
  }

  ElementWork work_of(const ExprPtr& e) const {
    ElementWork work{std::holds_alternative<Apply>(e->node) ? 1 : 0};
    if (const auto* read = std::get_if<Read>(&e->node); read && has_elements(read->variable->type)) {
      const auto lazy = lazy_.find(read->variable);
      work.add(lazy == lazy_.end() ? ElementWork{0, {{read->variable, false}}} : lazy->second);
    }
    for_each_operand(*e, [&](const ExprPtr& operand) { work.add(work_of(operand)); });
    return work;
  }

  void defer(Statements& list) {
    for (auto& s : list) {
      auto* let = std::get_if<Let>(&s.node);
      if (let && let->variables.size() == 1 && is_eligible(let->variables[0])) defer(*let);
      else if (let && is_joined_for_products(*let)) join(*let);
      for_each_list(s, [&](Statements& nested) { defer(nested); });
    }
  }
  void defer(Let& let) {
    ElementWork work = work_of(let.value);
    if (!work.is_as_well_repeated(loops_of(let.variables[0]).size()) || has_what_belongs_to_it(let.value)) return;
    lazy_.emplace(let.variables[0], std::move(work));
    let.value = made_lazy(let.value);
  }

  /// Whether it puts vectors one behind the other for one product, and for what is recorded of it.
  bool is_joined_for_products(const Let& let) const {
    const auto* apply = std::get_if<Apply>(&let.value->node);
    if (!apply || apply->op->name != "concat" || rank(let.value->type) != 1 || !is_floating(let.value->type)) return false;
    const Value& value = values_.at(let.variables[0]);
    if (!value.by_products || value.products != 1 || value.outer_products != 1) return false;
    return std::ranges::all_of(apply->operands, [&](const ExprPtr& operand) {
      const auto* read = std::get_if<Read>(&operand->node);
      return read && rank(operand->type) == 1 && resolve(operand->type)->dtype == resolve(let.value->type)->dtype && is_fixed(read->variable) && keeps_its_name(read->variable);
    });
  }
  /// Not so what is written where it is read.
  bool keeps_its_name(const ir::Variable* variable) const {
    const auto found = values_.find(variable);
    return found == values_.end() || !found->second.let || !ir::is_made_up(variable->name);
  }
  static void join(Let& let) {
    const auto& concat = std::get<Apply>(let.value->node);
    std::vector<Type> types;
    for (const auto& operand : concat.operands) types.push_back(operand->type);
    let.value = made_lazy(lowered::make(Apply{select_operator("joined", types), concat.operands}, let.value->type, let.value->location));
  }

  Function& function_;
  std::map<const ir::Variable*, Value> values_;
  std::set<const ir::Variable*> fixed_, changing_;
  std::map<const ir::Variable*, bool> eligible_;
  std::map<const ir::Variable*, Loops> loops_;
  std::map<const ir::Variable*, ElementWork> lazy_;
};

}  // namespace

void defer_values(lowered::Program& program) {
  std::set<const ir::Block*> bodies;  // of the functions that do so themselves
  for (auto& function : program.functions) {
    if (changes_what_is_there(function.body)) bodies.insert(&function.source->body);
  }
  const ReachingFunctions changing(*program.source, [&](const ir::Block& block) { return bodies.contains(&block); });
  // What a continuation goes on with is one of these functions' doing.
  const bool continuations = std::ranges::any_of(program.functions, [&](const Function& f) { return f.form == Form::cps && changing.contains(*f.source); });
  for (auto& function : program.functions) {
    if (!changing.contains(*function.source) && !(continuations && function.form == Form::cps)) InFunction(function).run();
  }
}

}  // namespace lantern
