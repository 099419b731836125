#include "lantern/cps.h"

#include <algorithm>
#include <functional>

#include "lantern/lowering.h"
#include "lantern/walk.h"
#include "support/diagnostic.h"

namespace lantern {

using namespace lowered;

namespace {

bool mentions_model(const ExprPtr& e) {
  const auto* read = std::get_if<Read>(&e->node);
  const auto* apply = std::get_if<Apply>(&e->node);
  bool mentions = (read && read->variable->storage != ir::Storage::local) || std::holds_alternative<GradientOf>(e->node) ||
                  (apply && (apply->op->name == "save-parameters" || apply->op->name == "load-parameters"));
  for_each_operand(*e, [&](const ExprPtr& operand) { mentions = mentions || mentions_model(operand); });
  return mentions;
}

bool mentions_model(Statements& statements) {
  bool mentions = false;
  for (auto& statement : statements) {
    for_each_expr(statement, [&](const ExprPtr& e) { mentions = mentions || mentions_model(e); });
    for_each_list(statement, [&](Statements& nested) { mentions = mentions || mentions_model(nested); });
    if (const auto* gradient = std::get_if<Gradient>(&statement.node)) mentions = mentions || !gradient->parameters.empty();
    if (const auto* add = std::get_if<Accumulate>(&statement.node)) mentions = mentions || add->variable->storage != ir::Storage::local;
    mentions = mentions || std::holds_alternative<Step>(statement.node) || std::holds_alternative<Store>(statement.node) ||
               std::holds_alternative<Initialize>(statement.node);
  }
  return mentions;
}

void collect_asked(Statements& statements, std::set<const ir::Variable*>& asked) {
  for (auto& statement : statements) {
    for_each_list(statement, [&](Statements& nested) { collect_asked(nested, asked); });
    if (const auto* gradient = std::get_if<Gradient>(&statement.node)) asked.insert(gradient->parameters.begin(), gradient->parameters.end());
  }
}

}  // namespace

lowered::Program lower(ir::Program& program, Activity activity) {
  lowered::Program out{&program, std::move(activity), {}, {}};
  std::vector<std::pair<ir::Function*, Form>> pending;
  for (const auto& exported : program.exports) pending.emplace_back(exported.function, Form::direct);
  if (auto* entry = program.differentiable_entry) {
    const auto& differentiable = out.activity.differentiable;
    const bool has_gradient = std::find(differentiable.begin(), differentiable.end(), entry) != differentiable.end();
    pending.emplace_back(entry, has_gradient ? Form::cps : Form::direct);
  }
  std::set<std::pair<const ir::Function*, Form>> built;
  std::map<std::pair<const ir::Function*, Form>, std::vector<std::pair<ir::Function*, Form>>> calls;
  std::vector<Diagnostic> diagnostics;
  while (!pending.empty()) {
    const auto [function, form] = pending.back();
    pending.pop_back();
    if (!built.insert({function, form}).second) continue;
    FormBuilder builder(program, out.activity, form);
    try {
      out.functions.push_back(builder.build(*function));
    } catch (const Failure& failure) {
      diagnostics.insert(diagnostics.end(), failure.diagnostics.begin(), failure.diagnostics.end());
    }
    calls[{function, form}] = builder.calls;
    pending.insert(pending.end(), builder.calls.begin(), builder.calls.end());
  }
  if (!diagnostics.empty()) throw Failure(std::move(diagnostics));

  std::map<const ir::Function*, std::size_t> order;
  for (auto& function : program.functions) order.emplace(&function, order.size());
  std::sort(out.functions.begin(), out.functions.end(), [&](const Function& a, const Function& b) {
    return std::pair(order[a.source], a.form) < std::pair(order[b.source], b.form);
  });
  for (auto& function : out.functions) {
    tidy(function);
    function.uses_model = mentions_model(function.body);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (auto& function : out.functions) {
      if (function.uses_model) continue;
      for (const auto& callee : calls[{function.source, function.form}]) {
        for (const auto& other : out.functions) {
          if (other.source == callee.first && other.form == callee.second && other.uses_model) function.uses_model = changed = true;
        }
      }
    }
  }
  std::set<const ir::Variable*> asked;  // the gradient of what nothing depends on is zero
  for (auto& function : out.functions) collect_asked(function.body, asked);
  for (const auto& global : program.globals) {
    if (out.activity.is_active(global.variable) || asked.contains(global.variable)) out.gradients.push_back(global.variable);
  }
  return out;
}

}  // namespace lantern
