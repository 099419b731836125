#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lantern/forward_mode.h"

namespace lantern {

/// Copies of functions that take parameters and states as arguments: what has one place in the model for its gradient has
/// a formal, and with it an adjoint, of its own there.
class Lifting {
 public:
  /// `chosen`: the globals that become formals. Before: no jvp is left.
  Lifting(ir::Program& program, Tangents& tangents, std::vector<ir::Variable*> chosen)
      : program_(program), tangents_(tangents), chosen_(std::move(chosen)) {}

  /// The gradient of the copy, which is given the values of the globals that it takes; nothing where it reads none and is with
  /// respect to none. Throws Failure LT0503 where a global is changed on the way, or read by a function with a derivative of its own.
  std::optional<ir::ValueAndGrad> gradient(const ir::ValueAndGrad& of, const Location& at);

 private:
  using Globals = std::vector<ir::Variable*>;

  std::optional<ir::ValueAndGrad> gradient(const ir::ValueAndGrad& of);
  struct Copy {
    ir::Function* function;
    std::map<const ir::Variable*, ir::Variable*> formals;  // of the globals
  };

  Globals taken_by(const ir::Function& function, const std::vector<ir::Variable*>& besides = {}) const;
  const Copy& copy(ir::Function& function, const Globals& globals);
  void lift(ir::Block& block, const Copy& into);
  [[noreturn]] void refuse(const ir::Variable& global, const std::string& why) const;

  ir::Program& program_;
  Tangents& tangents_;
  const Globals chosen_;
  const ir::Function* of_ = nullptr;  // whose gradient is under way, and where
  Location at_;
  std::map<std::pair<const ir::Function*, Globals>, Copy> copies_;
};

}  // namespace lantern
