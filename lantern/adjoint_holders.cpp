#include "lantern/adjoint_holders.h"

#include <algorithm>
#include <functional>

#include "lantern/assignments.h"
#include "lantern/mentions.h"
#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

namespace {

/// Calls `visit` with each variable whose adjoint a statement names itself, its expressions aside.
void for_each_adjoint(Statement& s, const std::function<void(ir::Variable*&)>& visit) {
  const auto arguments = [&](std::vector<Argument>& list) {
    for (auto& argument : list) {
      if (argument.adjoint) visit(argument.adjoint);
    }
  };
  const auto parameters = [&](std::vector<Parameter>& list) {
    for (auto& parameter : list) {
      if (parameter.active) visit(parameter.variable);
    }
  };
  if (auto* n = std::get_if<DeclareAdjoint>(&s.node)) visit(n->variable);
  if (auto* n = std::get_if<Accumulate>(&s.node)) visit(n->variable);
  if (auto* n = std::get_if<ClearItem>(&s.node)) visit(n->variable);
  if (auto* n = std::get_if<AssignAdjoints>(&s.node)) std::for_each(n->variables.begin(), n->variables.end(), visit);
  if (auto* n = std::get_if<CallThen>(&s.node)) arguments(n->arguments), parameters(n->parameters);
  if (auto* n = std::get_if<Resume>(&s.node)) arguments(n->arguments);
  if (auto* n = std::get_if<Gradient>(&s.node)) arguments(n->arguments);
  if (auto* n = std::get_if<Reverse>(&s.node)) arguments(n->arguments);
  if (auto* n = std::get_if<Together>(&s.node)) parameters(n->parameters);
  if (auto* n = std::get_if<Each>(&s.node)) parameters(n->parameters);
  if (auto* n = std::get_if<Join>(&s.node)) parameters(n->parameters);
}

bool has_adjoint(const ir::Variable* variable, Statements& list) {
  return std::any_of(list.begin(), list.end(), [&](Statement& s) {
    bool has = false;
    for_each_adjoint(s, [&](ir::Variable*& other) { has = has || other == variable; });
    for_each_expr(s, [&](const ExprPtr& e) { has = has || reads_adjoint(e, variable); });
    for_each_list(s, [&](Statements& nested) { has = has || has_adjoint(variable, nested); });
    return has;
  });
}

ExprPtr with_adjoint_of(const ExprPtr& e, const ir::Variable* variable, ir::Variable* other) {
  if (const auto* adjoint = std::get_if<AdjointOf>(&e->node); adjoint && adjoint->variable == variable) return lowered::make(AdjointOf{other}, e->type, e->location);
  if (!reads_adjoint(e, variable)) return e;
  Expr copy = *e;
  const auto rename = [&](std::vector<ExprPtr>& operands) {
    for (auto& operand : operands) operand = with_adjoint_of(operand, variable, other);
  };
  if (auto* n = std::get_if<Apply>(&copy.node)) rename(n->operands);
  if (auto* n = std::get_if<DirectCall>(&copy.node)) rename(n->operands);
  if (auto* n = std::get_if<Construct>(&copy.node)) rename(n->fields);
  if (auto* n = std::get_if<FieldOf>(&copy.node)) n->object = with_adjoint_of(n->object, variable, other);
  if (auto* n = std::get_if<NoneTest>(&copy.node)) n->object = with_adjoint_of(n->object, variable, other);
  return std::make_shared<const Expr>(std::move(copy));
}

void rename_adjoint(Statement& s, const ir::Variable* variable, ir::Variable* other) {
  for_each_adjoint(s, [&](ir::Variable*& named) { named = named == variable ? other : named; });
  for_each_expr(s, [&](ExprPtr& e) { e = substitute(with_adjoint_of(e, variable, other), {{variable, reading(other)}}); });
  for_each_list(s, [&](Statements& nested) {
    for (auto& each : nested) rename_adjoint(each, variable, other);
  });
}

class Sharing {
 public:
  explicit Sharing(Function& function) : function_(function) {}

  void run(Statements& list) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      for_each_list_with_condition(list[i], [&](Statements& nested) { run(nested); });
      if (share(list, i)) list.erase(list.begin() + static_cast<std::ptrdiff_t>(i--));
    }
  }

 private:
  /// A structure that the function is given: a reference, as what stands for it would be.
  bool is_formal_link(const ir::Variable* variable) const {
    return is(variable->type, TypeKind::structure) && std::any_of(function_.formals.begin(), function_.formals.end(), [&](const Parameter& formal) { return formal.variable == variable; });
  }

  bool share(Statements& list, std::size_t at) {
    const auto* let = std::get_if<Let>(&list[at].node);
    ir::Variable* source = let && let->variables.size() == 1 && !let->owns ? lowered::variable_of(let->value) : nullptr;
    if (!source || !same_type(source->type, let->variables[0]->type) || (ir::has_adjoint_by_reference(source->type) && !is_formal_link(source))) return false;
    const ir::Variable* holder = let->variables[0];
    const bool is_holder = std::any_of(list.begin() + static_cast<std::ptrdiff_t>(at) + 1, list.end(), [&](const Statement& s) {
      const auto* declared = std::get_if<DeclareAdjoint>(&s.node);
      return declared && declared->variable == holder;
    });
    if (!is_holder || has_adjoint(source, function_.body) || mentions_of(source, function_.body).others || mentions_of(holder, function_.body).assignments > 0) return false;
    std::size_t last = at;
    for (std::size_t i = at + 1; i < list.size(); ++i) {
      if (mentions_of(holder, list[i]).reads > 0) last = i;
    }
    if (mentions_of(source, list, at + 1, last + 1).assignments > 0) return false;
    for (std::size_t i = at + 1; i < list.size(); ++i) rename_adjoint(list[i], holder, source);
    return true;
  }

  Function& function_;
};

}  // namespace

void share_holders(Function& function) { Sharing(function).run(function.body); }

}  // namespace lantern
