#include "lantern/verify.h"

#include <fmt/format.h>

#include <set>

#include "support/diagnostic.h"
#include "support/match.h"

namespace lantern {

using namespace ir;

namespace {

class Verifier {
 public:
  Verifier(const Program& program, const std::string& pass) : program_(program), pass_(pass) {}

  void run() {
    for (const auto& global : program_.globals) bound_.insert(global.variable);
    for (const auto& matrix : program_.block_matrices) bound_.insert(matrix.variable);
    for (const auto& function : program_.functions) {
      function_ = &function;
      for (const auto* formal : function.formals) bind(formal);
      block(function.body, function.results.size());
    }
  }

 private:
  [[noreturn]] void broken(const std::string& what) { bug(pass_, fmt::format("in '{}', {}", function_->name, what)); }

  void bind(const Variable* variable) {
    if (!bound_.insert(variable).second) broken(fmt::format("'{}' is bound twice", variable->name));
  }
  void read(const Operand& operand) {
    if (operand.variable && !bound_.contains(operand.variable)) broken(fmt::format("'{}' is read before it is bound", operand.variable->name));
    if (!operand.type) broken("an operand has no type");
  }

  void block(const Block& block, std::size_t results) {
    for (const auto& binding : block.bindings) this->binding(binding);
    for (const auto& result : block.results) read(result);
    if (!block.raises && block.results.size() != results) {
      broken(fmt::format("a block gives {} results where {} are taken", block.results.size(), results));
    }
  }

  void binding(const Binding& binding) {
    for (const auto* operand : operands_of(binding.node)) read(*operand);
    const auto call = [&](const Function& callee, std::size_t given) {
      if (callee.formals.size() != given) broken(fmt::format("'{}' is called with {} arguments", callee.name, given));
    };
    const auto loop = [&](const auto& node) {
      if (node.state.size() != node.initial.size()) broken("a loop's state and its initial values differ in number");
      for (const auto* variable : node.state) bind(variable);
      block(*node.test, 1);
      block(*node.body, node.state.size());
    };
    match(
        binding.node, [&](const Call& n) { call(*n.callee, n.operands.size()); },
        [&](const ValueAndGrad& n) { call(*n.callee, n.operands.size()); }, [&](const AddGradient& n) { call(*n.callee, n.operands.size()); },
        [&](const Jvp& n) {
          call(*n.callee, n.operands.size());
          if (n.tangents.size() != n.operands.size()) broken("arguments and tangents differ in number");
        },
        [&](const If& n) {
          block(*n.then, binding.results.size());
          block(*n.otherwise, binding.results.size());
        },
        [&](const While& n) { loop(n); },
        [&](const For& n) {
          bind(n.element);
          loop(n);
        },
        [&](const Each& n) {
          bind(n.turn);
          block(*n.body, binding.results.size());
        },
        [](const auto&) {});
    for (const auto* result : binding.results) bind(result);
  }

  const Program& program_;
  const std::string& pass_;
  const Function* function_ = nullptr;
  std::set<const Variable*> bound_;
};

}  // namespace

void verify(const Program& program, const std::string& pass) { Verifier(program, pass).run(); }

}  // namespace lantern
