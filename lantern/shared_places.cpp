// Which formals a variable may share with is found for all variables of a function at once, in whatever order its bindings run, and for all
// functions, until nothing more is found. A list shares what its elements share.
#include "lantern/shared_places.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "lantern/changed_arrays.h"
#include "support/match.h"

namespace lantern {

namespace {

bool is_named(const Operator& op, std::initializer_list<std::string_view> names) { return std::find(names.begin(), names.end(), op.name) != names.end(); }

using Formals = std::set<std::size_t>;

/// Whether two types may be one in C++, where the length of an array is part of neither.
bool may_be_one(const Type& a, const Type& b) {
  if (is(a, TypeKind::list) && is(b, TypeKind::list)) return may_be_one(resolve(a)->elements[0], resolve(b)->elements[0]);
  if (is_numeric(a) && is_numeric(b)) return resolve(a)->dtype == resolve(b)->dtype && rank(a) == rank(b);
  return is_numeric(a) == is_numeric(b) && is(a, TypeKind::list) == is(b, TypeKind::list);
}

/// Whether a value of a type may be, or hold, what shares elements or places with a formal: a list is itself, or an element of another list,
/// an array may be any part of one.
bool may_share(const Type& type, const Type& formal) {
  if (is_one_number(type) || is(type, TypeKind::string)) return false;
  if (!is(formal, TypeKind::list)) return true;
  if (is(type, TypeKind::list)) return may_be_one(type, formal) || may_share(resolve(type)->elements[0], formal);
  return !is_numeric(type);
}

class InFunction {
 public:
  InFunction(const ir::Function& function, const SharedPlaces& shared) : function_(function), shared_(shared) {}

  std::set<std::pair<std::size_t, std::size_t>> run() {
    for (std::size_t i = 0; i < function_.formals.size(); ++i) of_[function_.formals[i]] = {i};
    for (std::size_t before = 0; before != size(); walk(function_.body)) before = size();
    std::set<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t j = 0; j < function_.body.results.size(); ++j) {
      for (const std::size_t i : of(function_.body.results[j])) pairs.emplace(i, j);
    }
    return pairs;
  }

 private:
  std::size_t size() const {
    std::size_t all = 1;
    for (const auto& [variable, formals] : of_) all += formals.size();
    return all;
  }

  Formals of(const ir::Operand& operand) const {
    const auto found = operand.variable ? of_.find(operand.variable) : of_.end();
    return found == of_.end() ? Formals{} : found->second;
  }
  Formals of(const std::vector<ir::Operand>& operands) const {
    Formals all;
    for (const auto& operand : operands) all.merge(of(operand));
    return all;
  }

  void put(const ir::Variable* variable, const Formals& formals) {
    for (const std::size_t i : formals) {
      if (may_share(variable->type, function_.formals[i]->type)) of_[variable].insert(i);
    }
  }
  void put(const std::vector<ir::Variable*>& variables, const std::vector<ir::Operand>& values) {
    for (std::size_t i = 0; i < variables.size() && i < values.size(); ++i) put(variables[i], of(values[i]));
  }
  void put_all(const std::vector<ir::Variable*>& variables, const std::vector<ir::Operand>& operands) {
    for (const auto* variable : variables) put(variable, of(operands));
  }

  void walk(const ir::Block& block) {
    for (const auto& binding : block.bindings) walk(binding);
  }

  template <class Loop>
  void walk_loop(const Loop& loop, const std::vector<ir::Variable*>& results) {
    put(loop.state, loop.initial);
    walk(*loop.test);
    walk(*loop.body);
    put(loop.state, loop.body->results);
    for (std::size_t i = 0; i < results.size(); ++i) put(results[i], of(ir::read(loop.state[i])));
  }

  void walk(const ir::Binding& binding) {
    const auto& results = binding.results;
    match(
        binding.node,
        [&](const ir::Operate& n) {
          for (const auto* result : results) {
            if (!is_apart(*n.op, result->type)) put(result, n.op->by_parts ? of(n.operands[0]) : of(n.operands));  // keys are looked at
          }
        },
        [&](const ir::Call& n) {
          const auto found = shared_.find(n.callee);
          if (found == shared_.end()) return;
          for (const auto& [i, j] : found->second) put(results[j], of(n.operands[i]));
        },
        [&](const ir::If& n) {
          walk(*n.then);
          walk(*n.otherwise);
          put(results, n.then->results);
          put(results, n.otherwise->results);
        },
        [&](const ir::While& n) { walk_loop(n, results); },
        [&](const ir::For& n) {
          if (const auto* sequence = std::get_if<ir::Operand>(&n.sequence)) put(n.element, of(*sequence));
          walk_loop(n, results);
        },
        [&](const ir::Each& n) {
          walk(*n.body);
          put(results, n.body->results);
        },
        [&](const ir::Field& n) { put_all(results, {n.object}); }, [&](const ir::IsNone&) {}, [&](const ir::Make& n) { put_all(results, n.fields); },
        [&](const ir::Copy& n) { put_all(results, {n.value}); }, [&](const ir::ValueAndGrad& n) { put_all(results, n.operands); },
        [&](const ir::AddGradient& n) { put_all(results, n.operands); },
        [&](const ir::Jvp& n) {
          put_all(results, n.operands);
          put_all(results, n.tangents);
        },
        [&](const ir::Update&) {}, [&](const ir::Initialize&) {}, [&](const ir::Print&) {}, [&](const ir::Assert&) {}, [&](const ir::Raise&) {});
  }

  /// Whether an operation's result shares nothing with its operands.
  static bool is_apart(const Operator& op, const Type& result) {
    if (gives_changed(op)) return false;
    if (!is(result, TypeKind::list)) return is_numeric(result) && makes_elements_of_its_own(op);
    return makes_places_of_its_own(op) && (is_one_number(resolve(result)->elements[0]) || is(resolve(result)->elements[0], TypeKind::string));
  }

  const ir::Function& function_;
  const SharedPlaces& shared_;
  std::map<const ir::Variable*, Formals> of_;
};

}  // namespace

bool makes_places_of_its_own(const Operator& op) {
  return is_named(op, {"empty", "slice", "strided", "concat", "argsort", "make-slots", "with-slot", "write", "remove", "insert", "copied", "deep-copied"});
}

bool gives_changed(const Operator& op) { return is_named(op, {"with-item", "with-slice", "with-slot", "write", "append", "pop", "remove", "insert"}); }

SharedPlaces shared_places(const ir::Program& program) {
  SharedPlaces shared;
  for (bool more = true; more;) {
    more = false;
    for (const auto& function : program.functions) {
      auto pairs = InFunction(function, shared).run();
      auto& known = shared[&function];
      more = more || pairs != known;
      known = std::move(pairs);
    }
  }
  return shared;
}

}  // namespace lantern
