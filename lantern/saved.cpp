// Of  let y = (sin x); k y y_adj; ; reverse sweep; x_adj += (* y_adj (cos x))  it is x.
#include "lantern/saved.h"

#include <functional>
#include <map>

#include "lantern/origins.h"
#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

namespace {

class SavedValues {
 public:
  std::set<const ir::Variable*> of(const Function& function) {
    find_lazy(function.body);
    look_at(function.body, false);
    for (const auto* variable : made_anew_) saved_.erase(variable);
    saved_.insert(pushed_.begin(), pushed_.end());
    return std::move(saved_);
  }

 private:
  void find_lazy(const Statements& list) {
    for (const auto& statement : list) {
      const auto* let = std::get_if<Let>(&statement.node);
      const ExprPtr lazy = let ? deferred(let->value) : nullptr;
      if (lazy) lazy_.emplace(let->variables[0], lazy);
      for_each_list(const_cast<Statement&>(statement), [&](const Statements& nested) { find_lazy(nested); });
    }
  }

  void look_at(const Statements& list, bool reverse) {
    for (const auto& statement : list) {
      reverse = is_in_reverse_sweep(statement, reverse);
      for_each_saved(statement, [&](const ir::Variable* variable) { pushed_.insert(variable); });
      auto& changeable = const_cast<Statement&>(statement);
      if (reverse) {
        for_each_expr(changeable, read_);
        note_made(statement);
      }
      for_each_list(changeable, [&](const Statements& nested) { look_at(nested, reverse); });
    }
  }

  // What the reverse sweep computes or takes out again is not what it finds.
  void note_made(const Statement& statement) {
    if (const auto* let = std::get_if<Let>(&statement.node)) made_anew_.insert(let->variables.begin(), let->variables.end());
    if (const auto* declare = std::get_if<Declare>(&statement.node)) made_anew_.insert(declare->variable);
    if (const auto* restore = std::get_if<Restore>(&statement.node)) made_anew_.insert(restore->variable);
    if (const auto* pop = std::get_if<Pop>(&statement.node)) made_anew_.insert(pop->variables.begin(), pop->variables.end());
    if (const auto* loop = std::get_if<For>(&statement.node)) made_anew_.insert(loop->element);
    if (const auto* loop = std::get_if<Backwards>(&statement.node)) made_anew_.insert(loop->turn);
    if (const auto* call = std::get_if<CallThen>(&statement.node)) {
      for (const auto& parameter : call->parameters) made_anew_.insert(parameter.variable);
    }
  }

  std::function<void(const ExprPtr&)> read_ = [this](const ExprPtr& e) {
    const auto* read = std::get_if<Read>(&e->node);
    const auto lazy = read ? lazy_.find(read->variable) : lazy_.end();
    if (lazy != lazy_.end()) return read_(lazy->second);
    if (read && read->variable->storage == ir::Storage::local) saved_.insert(read->variable);
    for_each_operand(*e, read_);
  };

  std::map<const ir::Variable*, ExprPtr> lazy_;
  std::set<const ir::Variable*> saved_, pushed_, made_anew_;
};

}  // namespace

std::set<const ir::Variable*> saved_values(const Function& function) { return SavedValues().of(function); }

}  // namespace lantern
