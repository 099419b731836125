// Two monotone passes to a fixed point: varied forwards, useful backwards. A function called twice has one
// differentiable form, for the union of what its calls need.
#include "lantern/activity.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "lantern/late_changes.h"
#include "lantern/varied.h"
#include "support/diagnostic.h"
#include "support/match.h"

namespace lantern {

using namespace ir;

namespace {

class Finder {
 public:
  explicit Finder(const Program& program) : program_(program) {}

  Activity find() {
    if (auto* entry = program_.differentiable_entry; entry && !entry->formals.empty() && entry->results.size() == 1 &&
        is_floating(entry->results[0]) && rank(entry->results[0]) == 0 && holds_floats(program_, entry->formals[0]->type)) {
      root(*entry);
      vary(entry->formals[0]);
    }
    for (const auto& function : program_.functions) find_roots(function.body);
    for (const auto& matrix : program_.block_matrices) {
      if (varied_.contains(matrix.blocks[0])) vary(matrix.variable);  // a gradient is asked for all of them, or for none
    }
    until_settled([&](Function& function) { forwards(function.body); });
    until_settled([&](Function& function) { backwards(function); });
    return result();
  }

 private:
  // Callers before callees, then callees before callers: what a callee finds reaches its callers in one round, however long the
  // chain of calls is.
  template <class Do>
  void until_settled(Do work) {
    do {
      changed_ = false;
      for (std::size_t i = 0; i < reached_.size(); ++i) work(*reached_[i]);  // it may grow
      for (std::size_t i = reached_.size(); i-- > 0;) work(*reached_[i]);
    } while (changed_);
  }

  void root(Function& function, std::size_t result = 0) {
    reach(&function);
    useful_results_[&function].resize(function.results.size());
    useful_results_[&function][result] = true;
  }

  void find_roots(const Block& block) {
    for (const auto& binding : block.bindings) {
      if (const auto* gradient = std::get_if<ValueAndGrad>(&binding.node)) {
        if (!gradient->in_parts) root(*gradient->callee);
        for (const auto* wrt : gradient->wrt) vary(wrt);
      }
      if (const auto* part = std::get_if<AddGradient>(&binding.node)) root(*part->callee, part->of);
      for_each_block(binding.node, [&](const Block& nested) { find_roots(nested); });
    }
  }

  void reach(Function* function) {
    if (!is_reached_.insert(function).second) return;
    reached_.push_back(function);
    changed_ = true;
  }
  void vary(const Variable* variable) {
    if (!varied_.contains(variable) && holds_floats(program_, variable->type)) changed_ = varied_.insert(variable).second;
  }
  void use(const Variable* variable) { changed_ |= useful_.insert(variable).second; }
  bool is_varied(const Operand& operand) const { return operand.variable && varied_.contains(operand.variable); }

  // --- forwards ---

  void vary_if(const Operand& from, const Variable* to) {
    if (is_varied(from)) vary(to);
  }

  void forwards(const Block& block) {
    for (const auto& binding : block.bindings) forwards(binding);
  }

  void forwards(const Binding& binding) {
    const auto any = [&](const std::vector<Operand>& operands) {
      return std::any_of(operands.begin(), operands.end(), [&](const Operand& o) { return is_varied(o); });
    };
    const auto vary_results = [&] {
      for (const auto* result : binding.results) vary(result);
    };
    const auto join = [&](const Block& branch) {
      forwards(branch);
      for (std::size_t i = 0; i < branch.results.size(); ++i) vary_if(branch.results[i], binding.results[i]);
    };
    const auto loop = [&](const auto& node) {
      for (std::size_t i = 0; i < node.state.size(); ++i) vary_if(node.initial[i], node.state[i]);
      forwards(*node.test);
      forwards(*node.body);
      for (std::size_t i = 0; i < node.body->results.size(); ++i) vary_if(node.body->results[i], node.state[i]);
      for (std::size_t i = 0; i < node.state.size(); ++i) {
        if (varied_.contains(node.state[i])) vary(binding.results[i]);
      }
    };
    match(
        binding.node,
        [&](const Operate& n) {
          if (n.op->smoothness != Smoothness::flat && any(n.operands)) vary_results();
        },
        [&](const Call& n) {
          if (n.callee->derivative) {
            if (any(n.operands)) vary_results();
            return;
          }
          reach(n.callee);
          for (std::size_t i = 0; i < n.operands.size(); ++i) vary_if(n.operands[i], n.callee->formals[i]);
          for (std::size_t i = 0; i < n.callee->body.results.size(); ++i) vary_if(n.callee->body.results[i], binding.results[i]);
        },
        [&](const If& n) {
          join(*n.then);
          join(*n.otherwise);
        },
        [&](const While& n) { loop(n); },
        [&](const For& n) {
          if (const auto* sequence = std::get_if<Operand>(&n.sequence)) vary_if(*sequence, n.element);
          loop(n);
        },
        [&](const Each& n) { join(*n.body); }, [&](const Field& n) { vary_if(n.object, binding.results[0]); },
        [&](const Make& n) {
          if (any(n.fields)) vary_results();
        },
        [&](const Copy& n) { vary_if(n.value, binding.results[0]); },
        [&](const ValueAndGrad& n) {
          if (any(n.operands) || reads_varied_global(*n.callee)) vary_results();
        },
        [](const AddGradient&) {}, [](const Jvp&) { bug("activity", "a jvp is left"); }, [](const IsNone&) {}, [](const Update&) {}, [](const Initialize&) {}, [](const Print&) {}, [](const Assert&) {},
        [](const Raise&) {});
  }

  // A function whose gradient is taken depends on the parameters that it reads, too.
  bool reads_varied_global(const Function& function) const {
    return any_block(function, [&](const Block& block) {
      return std::any_of(block.bindings.begin(), block.bindings.end(), [&](const Binding& binding) {
        const auto operands = operands_of(binding.node);
        return std::any_of(operands.begin(), operands.end(), [&](const auto* o) { return is_varied(*o) && o->variable->storage != Storage::local; });
      });
    });
  }

  // --- backwards ---

  void use_operand(const Operand& operand) {
    if (operand.variable) use(operand.variable);
  }

  void backwards(Function& function) {
    const auto found = useful_results_.find(&function);
    if (found == useful_results_.end()) return;
    const auto wanted = found->second;
    for (std::size_t i = 0; i < function.body.results.size(); ++i) {
      if (wanted[i]) use_operand(function.body.results[i]);
    }
    backwards(function.body);
  }

  void backwards(const Block& block) {
    for (auto binding = block.bindings.rbegin(); binding != block.bindings.rend(); ++binding) backwards(*binding);
  }

  void backwards(const Binding& binding) {
    const auto useful = [&](std::size_t i) { return useful_.contains(binding.results[i]); };
    const auto use_all = [&](const std::vector<Operand>& operands) {
      if (binding.results.empty() || !useful(0)) return;
      for (const auto& operand : operands) use_operand(operand);
    };
    const auto split = [&](const Block& branch) {
      for (std::size_t i = 0; i < branch.results.size(); ++i) {
        if (useful(i)) use_operand(branch.results[i]);
      }
      backwards(branch);
    };
    const auto loop = [&](const auto& node) {
      for (std::size_t i = 0; i < node.state.size(); ++i) {
        if (useful(i)) use(node.state[i]);
        if (useful_.contains(node.state[i])) {
          if (i < node.body->results.size()) use_operand(node.body->results[i]);
          use_operand(node.initial[i]);
        }
      }
      backwards(*node.body);
      backwards(*node.test);
    };
    match(
        binding.node,
        [&](const Operate& n) {
          if (n.op->smoothness != Smoothness::flat) use_all(n.operands);
        },
        [&](const Call& n) {
          if (n.callee->derivative) {
            bool any = false;
            for (std::size_t i = 0; i < binding.results.size(); ++i) any = any || useful(i);
            for (const auto& operand : n.operands) {
              if (any) use_operand(operand);
            }
            return;
          }
          auto& wanted = useful_results_[n.callee];
          wanted.resize(n.callee->results.size());
          for (std::size_t i = 0; i < binding.results.size(); ++i) {
            if (useful(i) && !wanted[i]) wanted[i] = changed_ = true;
          }
          for (std::size_t i = 0; i < n.operands.size(); ++i) {
            if (useful_.contains(n.callee->formals[i])) use_operand(n.operands[i]);
          }
        },
        [&](const If& n) {
          split(*n.then);
          split(*n.otherwise);
        },
        [&](const While& n) { loop(n); },
        [&](const For& n) {
          loop(n);
          const auto* sequence = std::get_if<Operand>(&n.sequence);
          if (sequence && useful_.contains(n.element)) use_operand(*sequence);
        },
        [&](const Each& n) { split(*n.body); }, [&](const Field& n) { use_all({n.object}); }, [&](const Make& n) { use_all(n.fields); },
        [&](const Copy& n) { use_all({n.value}); }, [&](const ValueAndGrad& n) { use_all(n.operands); },
        [](const AddGradient&) {}, [](const Jvp&) { bug("activity", "a jvp is left"); }, [](const IsNone&) {}, [](const Update&) {}, [](const Initialize&) {}, [](const Print&) {}, [](const Assert&) {},
        [](const Raise&) {});
  }

  // --- what came of it ---

  Activity result() {
    Activity activity;
    for (const auto* variable : varied_) {
      if (useful_.contains(variable)) activity.active.insert(variable);
    }
    for (auto* function : reached_) {
      auto& results = activity.active_results[function];
      const auto wanted = useful_results_.find(function);
      for (std::size_t i = 0; i < function->results.size(); ++i) {
        const bool is_wanted = wanted != useful_results_.end() && wanted->second[i];
        const bool varies = i < function->body.results.size() && is_varied(function->body.results[i]);
        results.push_back(is_wanted && varies && holds_floats(program_, function->results[i]));
      }
      if (std::find(results.begin(), results.end(), true) != results.end()) activity.differentiable.push_back(function);
    }
    for (auto* function : activity.differentiable) refuse(function->body, activity);
    for (auto& failure : late_changes(program_, activity)) failures_.push_back(std::move(failure));
    if (!failures_.empty()) throw Failure(std::move(failures_));
    return activity;
  }

  void refuse(const Block& block, const Activity& activity) {
    for (const auto& binding : block.bindings) {
      for_each_block(binding.node, [&](const Block& nested) { refuse(nested, activity); });
      if (const auto* update = std::get_if<Update>(&binding.node)) {
        for (std::size_t i = 0; i < update->targets.size(); ++i) {  // a state has no adjoint: what reads it would take it for a constant
          if (!is_varied(update->values[i]) || !useful_.contains(update->targets[i])) continue;
          no_derivative(binding, fmt::format("'{}', which is changed and read within what is differentiated", update->targets[i]->name));
        }
      }
      if (!activity.carries_adjoint(binding)) continue;
      if (const auto* call = std::get_if<Call>(&binding.node); call && call->callee->derivative) refuse_structures(binding, *call, activity);
      if (const auto* operate = std::get_if<Operate>(&binding.node)) {
        for (std::size_t i = 0; i < operate->operands.size(); ++i) {
          if (activity.is_active(operate->operands[i]) && !has_pullback(*operate->op, i)) {
            // A function of the host's is known by its name, which is the operand in front.
            const auto* name = std::get_if<std::string>(&operate->operands[0].literal);
            no_derivative(binding, fmt::format("'{}' with respect to '{}'", name ? *name : operate->op->name, operate->operands[i].variable->name));
          }
        }
      }
    }
  }

  // A derivative of a function's own gives adjoints of numbers, arrays and lists of them, as tangents are: it would take all else
  // for constants.
  void refuse_structures(const Binding& binding, const Call& call, const Activity& activity) {
    const std::string of = call.callee->derivative.exact ? "this gradient" : fmt::format("'{}'", call.callee->name);
    for (const auto& operand : call.operands) {
      if (!activity.is_active(operand) || carries_tangent(operand.type)) continue;
      no_derivative(binding, fmt::format("{} with respect to '{}' of type {}", of, operand.variable->name, to_string(operand.type)));
    }
    for (const auto* result : binding.results) {
      if (!activity.is_active(result) || carries_tangent(result->type)) continue;
      no_derivative(binding, fmt::format("{}, which gives {}", of, to_string(result->type)));
    }
  }

  static bool has_pullback(const Operator& op, std::size_t operand) {
    std::string_view names = op.operands;
    for (std::size_t i = 0;; ++i) {
      const auto end = names.find(' ');
      const auto name = names.substr(0, end);
      if (i == operand || name == "*") {
        return std::any_of(op.pullbacks.begin(), op.pullbacks.end(), [&](const Pullback& p) { return p.operand == name; });
      }
      if (end == std::string_view::npos) return false;
      names.remove_prefix(end + 1);
    }
  }

  void no_derivative(const Binding& binding, const std::string& of) {
    failures_.push_back({.code = "LT0503",
                         .location = binding.location,
                         .message = fmt::format("no derivative is known for {}", of),
                         .hint = "use stop-gradient if none is wanted"});
  }

  const Program& program_;
  std::vector<Function*> reached_;
  std::set<const Function*> is_reached_;
  std::set<const Variable*> varied_, useful_;
  std::map<const Function*, std::vector<bool>> useful_results_;
  std::vector<Diagnostic> failures_;
  bool changed_ = false;
};

}  // namespace

bool Activity::carries_adjoint(const Binding& binding) const {
  return std::any_of(binding.results.begin(), binding.results.end(), [&](const Variable* v) { return is_active(v); });
}

Activity find_activity(const Program& program) { return Finder(program).find(); }

}  // namespace lantern
