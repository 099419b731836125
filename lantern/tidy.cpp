// Before:  const double x1 = 2 * a;     After:  const double h = 2 * a + b;
//          const double h = x1 + b;
// A value without a name of the user's, or one for a variable of the same name, that is used once, in the same list of statements, is written where it is
// used, unless something in between could change it or must come first, as what fails in Python's order must. One
// that is computed for its check alone has no name at all.
#include <algorithm>
#include <map>
#include <unordered_map>

#include "lantern/adjoint_holders.h"
#include "lantern/coalesced_variables.h"
#include "lantern/conditions.h"
#include "lantern/copied_numbers.h"
#include "lantern/dead_variables.h"
#include "lantern/expression_effects.h"
#include "lantern/displays.h"
#include "lantern/early_assignments.h"
#include "lantern/late_declarations.h"
#include "lantern/loop_exits.h"
#include "lantern/lowering.h"
#include "lantern/mentions.h"
#include "lantern/moved_branches.h"
#include "lantern/operand_calls.h"
#include "lantern/repeated_checks.h"
#include "lantern/shape_sources.h"
#include "lantern/shorter_forms.h"
#include "lantern/shorter_sweeps.h"
#include "lantern/structured_exits.h"
#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

namespace {

using Uses = std::unordered_map<const ir::Variable*, int>;

void count(const ExprPtr& e, Uses& uses) {
  if (const auto* read = std::get_if<Read>(&e->node)) ++uses[read->variable];
  for_each_operand(*e, [&](const ExprPtr& operand) { count(operand, uses); });
}

void count_own(Statement& statement, Uses& uses) {
  for_each_expr(statement, [&](const ExprPtr& e) { count(e, uses); });
  // A value beside which an adjoint is declared keeps its name, and gives a zero adjoint its shape.
  if (const auto* adjoint = std::get_if<DeclareAdjoint>(&statement.node); adjoint && !adjoint->value) uses[adjoint->variable] += 2;
  for_each_saved(statement, [&](const ir::Variable* variable) { uses[variable] += 2; });  // by its name
}

void count(Statements& statements, Uses& uses) {
  for (auto& statement : statements) {
    count_own(statement, uses);
    for_each_list(statement, [&](Statements& nested) { count(nested, uses); });
  }
}

bool reads_variable(const ExprPtr& e, const ir::Variable* variable) {
  const auto* read = std::get_if<Read>(&e->node);
  bool reads = read && read->variable == variable;
  for_each_operand(*e, [&](const ExprPtr& operand) { reads = reads || reads_variable(operand, variable); });
  return reads;
}

/// Whether C++ evaluates the operands behind the first only where they are needed: `&&`, `||` and `?:`.
bool is_lazy(const ExprPtr& e) {
  const auto* apply = std::get_if<Apply>(&e->node);
  if (!apply) return false;
  const std::string_view name = apply->op->name;
  const bool of_bools = is_numeric(e->type) && e->type->dtype == DType::boolean && (name == "+" || name == "*");
  return of_bools || name == "and" || name == "or" || name == "where";
}

/// Whether a value begins with another one, at the same place in Python: `index(rows, i)` of `index(index(rows, i), j)`.
bool begins_with(const ExprPtr& value, const ExprPtr& e) {
  if (value->location.line == e->location.line && value->location.column == e->location.column && are_equal(value, e)) return true;
  const auto* apply = std::get_if<Apply>(&value->node);
  if (!apply || apply->operands.empty() || is_lazy(value)) return false;
  const bool others_fail = std::any_of(apply->operands.begin() + 1, apply->operands.end(), [](const ExprPtr& operand) { return failures(operand).any(); });
  return !others_fail && begins_with(apply->operands[0], e);
}

/// The failures of what stands beside a variable in an expression: C++ may evaluate it first. What the variable is an
/// operand of comes after it in any case, and what its value begins with fails there first.
Failures failures_beside(const ExprPtr& e, const ir::Variable* variable, const ExprPtr& value) {
  if (!reads_variable(e, variable)) return begins_with(value, e) ? Failures{} : failures(e);
  Failures all;
  for_each_operand(*e, [&](const ExprPtr& operand) { all = all | failures_beside(operand, variable, value); });
  return all;
}

Failures failures_beside(Statement& statement, const ir::Variable* variable, const ExprPtr& value) {
  const bool in_order = std::holds_alternative<Return>(statement.node);  // `return {a, b}`
  Failures all;
  bool is_read = false;
  for_each_expr(statement, [&](const ExprPtr& e) {
    if (!in_order || !is_read) all = all | failures_beside(e, variable, value);
    is_read = is_read || reads_variable(e, variable);
  });
  return all;
}

/// Whether a value in the variable's place might not be evaluated.
bool may_be_skipped(const ExprPtr& e, const ir::Variable* variable) {
  bool skipped = false, is_first = true;
  for_each_operand(*e, [&](const ExprPtr& operand) {
    skipped = skipped || may_be_skipped(operand, variable) || (!is_first && is_lazy(e) && reads_variable(operand, variable));
    is_first = false;
  });
  return skipped;
}

bool may_be_skipped(Statement& statement, const ir::Variable* variable) {
  bool skipped = false;
  for_each_expr(statement, [&](const ExprPtr& e) { skipped = skipped || may_be_skipped(e, variable); });
  return skipped;
}

/// Which of two errors a program ends in is Python's order of evaluation; of two shapes that do not fit, either is reported.
bool order_matters(const Failures& one, const Failures& other) {
  return one.any() && other.any() && (one.other || other.other);
}

/// A parameter, a state or a gradient; an array may be one under another name.
bool reads_what_changes(const ExprPtr& e) {
  const auto* read = std::get_if<Read>(&e->node);
  bool reads = (read && (read->variable->storage != ir::Storage::local || rank(read->variable->type) > 0)) || std::holds_alternative<GradientOf>(e->node);
  for_each_operand(*e, [&](const ExprPtr& operand) { reads = reads || reads_what_changes(operand); });
  return reads;
}

/// Parts of the expression of a statement that reads the variable.
std::size_t size_around(Statement& statement, const ir::Variable* variable) {
  std::size_t parts = 0;
  for_each_expr(statement, [&](const ExprPtr& e) { parts = reads_variable(e, variable) ? size(e) : parts; });
  return parts;
}

// A longer expression stays in several statements: nobody would read it, and C++ compilers have a limit of their own.
constexpr std::size_t longest = 120;

/// What may be computed behind a statement as well as before it.
struct Passage {
  explicit Passage(const Statement& statement) {
    const auto* let = std::get_if<Let>(&statement.node);
    const auto* declare = std::get_if<Declare>(&statement.node);
    if (const ExprPtr value = let ? let->value : declare ? declare->initial : nullptr) {
      open = !has_effect(value);
      fails = failures(value);
      return;
    }
    nothing = std::holds_alternative<Comment>(statement.node);
    changes = std::holds_alternative<lowered::Gradient>(statement.node);
    fails.other = std::holds_alternative<lowered::Forward>(statement.node);
    const bool on_tape = fails.other || std::holds_alternative<Reverse>(statement.node) || std::holds_alternative<Push>(statement.node) || std::holds_alternative<Pop>(statement.node);
    open = changes || on_tape || declare || std::holds_alternative<DeclareAdjoint>(statement.node) || std::holds_alternative<Comment>(statement.node) ||
           std::holds_alternative<MarkArena>(statement.node) || std::holds_alternative<Join>(statement.node) || std::holds_alternative<Accumulate>(statement.node) || std::holds_alternative<ClearItem>(statement.node);
  }

  bool lets_pass(bool value_can_change, const Failures& of_value) const {
    return open && !(changes && value_can_change) && !order_matters(of_value, fails);
  }

  bool open = false, changes = false;  // changes: what values may be read from
  bool nothing = false;                // not even a call is too late behind it
  Failures fails = {};
};

// The bounds of a loop stand in its head if they are short.
constexpr std::size_t longest_bound = 6;

bool takes_inlined(const Statement& statement, const ExprPtr& value) {
  if (const auto* loop = std::get_if<For>(&statement.node)) {
    const bool over_array = loop->sequence && is(loop->sequence->type, TypeKind::tensor);  // which is read in each turn
    return !loop->condition && !over_array && (loop->range.empty() || size(value) <= longest_bound);
  }
  return !std::holds_alternative<While>(statement.node) && !std::holds_alternative<Step>(statement.node);
}

/// Whether what the statement does with the variable is to assign it to one of the same name: `total_2 = total_1 + x; total_1 = total_2;`.
bool assigns_next(const Statement& statement, const ir::Variable* variable) {
  const auto* assign = std::get_if<Assign>(&statement.node);
  if (!assign || (assign->kept && !is_one_number(variable->type))) return false;
  const ir::Variable* target = nullptr;
  for (std::size_t i = 0; i < assign->values.size(); ++i) {
    const auto* read = std::get_if<Read>(&assign->values[i]->node);
    if (read && read->variable == variable) target = assign->variables[i];
  }
  if (!target || !ir::have_one_name(target->name, variable->name) || !same_type(target->type, variable->type)) return false;
  return std::none_of(assign->values.begin(), assign->values.end(), [&](const ExprPtr& value) { return reads_variable(value, target); });
}

/// The statements of one list, while values are moved to where they are used.
class Inlining {
 public:
  Inlining(Statements& statements, const Uses& uses, bool named) : statements_(statements), uses_(uses), named_(named) {
    for (std::size_t i = 0; i < statements.size(); ++i) {
      passages_.emplace_back(statements[i]);
      for_each_expr(statements[i], [&](const ExprPtr& e) { read_at(e, i); });
    }
  }

  void run() {
    std::vector<bool> moved(statements_.size());
    for (std::size_t i = statements_.size(); i-- > 0;) {
      moved[i] = move(i);
      if (moved[i]) passages_[i] = Passage({Comment{}, {}});
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < statements_.size(); ++i) {
      if (moved[i]) continue;
      if (kept != i) statements_[kept] = std::move(statements_[i]);
      ++kept;
    }
    statements_.resize(kept);
  }

 private:
  void read_at(const ExprPtr& e, std::size_t i) {
    if (const auto* read = std::get_if<Read>(&e->node)) readers_[read->variable] = i;
    for_each_operand(*e, [&](const ExprPtr& operand) { read_at(operand, i); });
  }

  /// Writes the value of statement i where it is used, if that is the same; whether it is.
  bool move(std::size_t i) {
    const auto* let = std::get_if<Let>(&statements_[i].node);
    const bool calls = let && is_call(let->value);
    if (!let || let->variables.size() != 1 || (!calls && has_effect(let->value)) || is_table(let->value)) return false;
    const ir::Variable* variable = let->variables[0];
    const auto used = uses_.find(variable);
    const auto reader = readers_.find(variable);
    if (used == uses_.end() || used->second != 1 || reader == readers_.end()) return false;
    const std::size_t j = reader->second;
    Statement& receiver = statements_[j];
    if (!ir::is_made_up(variable->name) && !(named_ && assigns_next(receiver, variable))) return false;
    const Failures& fails = passages_[i].fails;
    const ExprPtr lazy = deferred(let->value);
    const auto* receiving = std::get_if<Let>(&receiver.node);
    if (!lazy && rank(variable->type) > 0 && receiving && deferred(receiving->value)) return false;  // it is computed once
    if (!takes_inlined(receiver, let->value) || size(let->value) + size_around(receiver, variable) > longest) return false;
    const auto* made = std::get_if<Apply>(&let->value->node);
    const bool changes = reads_what_changes(let->value), is_nothing = made && made->op->name == "empty";
    for (std::size_t between = i + 1; between < j && !is_nothing; ++between) {
      if (calls ? !passages_[between].nothing : !passages_[between].lets_pass(changes, fails)) return false;
    }
    if (calls ? !takes_call(receiver, variable, let->value) : !stands_beside_calls(receiver, variable, let->value)) return false;
    if (order_matters(fails, failures_beside(receiver, variable, let->value))) return false;
    if ((calls || fails.any()) && may_be_skipped(receiver, variable)) return false;
    const ExprPtr value = lazy ? lazy : let->value;
    for_each_expr(receiver, [&](ExprPtr& e) { e = substitute(e, {{variable, value}}); });
    passages_[j] = Passage(receiver);
    read_at(value, j);
    return true;
  }

  Statements& statements_;
  const Uses& uses_;
  const bool named_;
  std::vector<Passage> passages_;
  std::unordered_map<const ir::Variable*, std::size_t> readers_;  // the statement that reads it, itself
};

// `const bool x = a < b; if (!x) break;` is `if (!(a < b)) break;`, and in front of nothing else the head of the loop.
void inline_condition(Statements& test, ExprPtr& condition, const Uses& uses) {
  const auto* read = condition ? std::get_if<Read>(&condition->node) : nullptr;
  const auto* let = test.empty() ? nullptr : std::get_if<Let>(&test.back().node);
  if (!read || !let || let->variables.size() != 1 || let->variables[0] != read->variable || !ir::is_made_up(read->variable->name)) return;
  if (const auto used = uses.find(read->variable); used == uses.end() || used->second != 1) return;
  condition = ExprPtr(let->value);
  test.pop_back();
}

// named: also what a variable of its name takes on next.
void inline_values(Statements& statements, const Uses& uses, bool named) {
  for (auto& statement : statements) {
    const bool repeats = std::holds_alternative<For>(statement.node) || std::holds_alternative<While>(statement.node) ||
                         std::holds_alternative<Backwards>(statement.node);
    for_each_list(statement, [&](Statements& nested) {
      if (!repeats) return inline_values(nested, uses, named);
      Uses within;  // a turn's values are computed anew where it runs backwards
      count(nested, within);
      for_each_expr(statement, [&](const ExprPtr& e) { count(e, within); });  // its condition reads what its test computes
      inline_values(nested, within, named);
    });
    if (auto* loop = std::get_if<While>(&statement.node)) inline_condition(loop->test, loop->condition, uses);
    if (auto* loop = std::get_if<For>(&statement.node)) inline_condition(loop->test, loop->condition, uses);
  }
  Inlining(statements, uses, named).run();
}

ExprPtr rename_adjoints(const ExprPtr& e, const std::map<const ir::Variable*, ir::Variable*>& other) {
  if (const auto* adjoint = std::get_if<AdjointOf>(&e->node)) {
    const auto found = other.find(adjoint->variable);
    return found == other.end() ? e : lowered::make(AdjointOf{found->second}, e->type, e->location);
  }
  Expr copy = *e;
  bool changed = false;
  const auto rename = [&](std::vector<ExprPtr>& operands) {
    for (auto& operand : operands) {
      ExprPtr after = rename_adjoints(operand, other);
      changed = changed || after != operand;
      operand = std::move(after);
    }
  };
  if (auto* apply = std::get_if<Apply>(&copy.node)) rename(apply->operands);
  if (auto* call = std::get_if<DirectCall>(&copy.node)) rename(call->operands);
  return changed ? std::make_shared<const Expr>(std::move(copy)) : e;
}

/// Whether nothing is left to assign.
bool leave_out_unchanged(AssignAdjoints& assigned) {
  for (std::size_t i = assigned.variables.size(); i-- > 0;) {
    const auto* same = std::get_if<AdjointOf>(&assigned.values[i]->node);
    if (!same || same->variable != assigned.variables[i]) continue;
    assigned.variables.erase(assigned.variables.begin() + static_cast<std::ptrdiff_t>(i));
    assigned.values.erase(assigned.values.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return assigned.variables.empty();
}

bool are_the_same_in_cpp(const Type& a, const Type& b) {
  return same_type(a, b) || (is_one_number(a) && is_one_number(b) && resolve(a)->dtype == resolve(b)->dtype);
}

// An adjoint that is another one as it stands needs no name of its own: `const t_adj = y_adj`. One that is referred to is handed on by it.
void share_adjoints(Statements& statements, std::map<const ir::Variable*, ir::Variable*> other = {}) {
  Statements kept;
  for (auto& statement : statements) {
    for_each_list_with_condition(statement, [&](Statements& nested) { share_adjoints(nested, other); });
    for_each_expr(statement, [&](ExprPtr& e) { e = rename_adjoints(e, other); });
    if (const auto* declared = std::get_if<DeclareAdjoint>(&statement.node); declared && declared->constant && declared->value) {
      const auto* same = std::get_if<AdjointOf>(&declared->value->node);
      const bool referred = ir::has_adjoint_by_reference(declared->variable->type);
      if (same && !referred && same->variable->storage == ir::Storage::local && are_the_same_in_cpp(same->variable->type, declared->variable->type)) {
        other[declared->variable] = same->variable;
        continue;
      }
    }
    if (auto* assigned = std::get_if<AssignAdjoints>(&statement.node); assigned && !assigned->kept && leave_out_unchanged(*assigned)) continue;
    kept.push_back(std::move(statement));
  }
  statements = std::move(kept);
}

// `xs.pop()` alone: `static_cast<void>(index(xs, -1, …))`. A name of the user's stays, as what may go unread.
void discard_unread(Statements& statements, const Uses& uses, const ValuesMadeAnew& again) {
  for (std::size_t i = 0; i < statements.size(); ++i) {
    Statement& statement = statements[i];
    for_each_list(statement, [&](Statements& nested) { discard_unread(nested, uses, again); });
    auto* let = std::get_if<Let>(&statement.node);
    if (!let || let->variables.size() != 1 || (uses.contains(let->variables[0]) && !again.is_unread(statements, i))) continue;
    if (ir::is_made_up(let->variables[0]->name)) {
      statement.node = Do{checks_of(let->value), true};
    } else {
      let->unread = true;
    }
  }
}

// What is assigned for its checks alone, to a variable that may be read where it is declared once more; what `total += x` reads of itself does not
// count. Gives what the statements read.
Uses mark_unread(Statements& statements) {
  Uses read;
  for (auto statement = statements.rbegin(); statement != statements.rend(); ++statement) {
    if (auto* declared = std::get_if<Declare>(&statement->node)) declared->unread = !read.contains(declared->variable);
    Uses own;
    count_own(*statement, own);
    if (const auto* assigned = std::get_if<Assign>(&statement->node); assigned && assigned->variables.size() == 1) own.erase(assigned->variables[0]);
    read.merge(own);
    for_each_list_with_condition(*statement, [&](Statements& nested) { read.merge(mark_unread(nested)); });
  }
  return read;
}

}  // namespace

void tidy(lowered::Function& function) {
  Statements& body = function.body;
  const auto inline_all = [&](bool named) {
    Uses uses;
    count(body, uses);
    inline_values(body, uses, named);
  };
  join_displays(body);
  ask_sources_for_shapes(body);
  leave_out_copied_numbers(body);
  remove_dead_variables(body);
  simplify_conditions(body);
  do {
    inline_all(false);
    simplify_conditions(body);
  } while (join_conditions(body));
  gather_repeated(body);
  if (function.form == Form::direct) {
    for (const bool copies : {false, true}) {
      bool more = true;
      for (int round = 0; more && round < 8; ++round) {  // one makes room for the other
        more = structure_exits(body, copies) || (round == 0 && !copies);
        remove_dead_variables(body);
        coalesce_variables(body, function.formals);
      }
    }
    if (begin_as_before(body)) coalesce_variables(body, function.formals);
    leave_loops(body);
    tidy_branches(body);
    declare_late(body);
  }
  choose_values(body);
  simplify_conditions(body);
  if (function.form == Form::direct) move_branches(body), share_holders(function), begin_with_constants(body);
  inline_all(true);
  if (function.form == Form::direct) tidy_branches(body);
  if (function.form == Form::direct) return_calls(body);
  share_adjoints(body);
  begin_as_sources(body);
  remove_dead_variables(body);  // whose shape was asked for
  shorten_sweeps(body);
  share_checks(body);
  Uses uses;
  count(body, uses);
  discard_unread(body, uses, ValuesMadeAnew(body));
  remove_dead_variables(body);  // what was computed for checks alone
  mark_unread(body);
}

}  // namespace lantern
