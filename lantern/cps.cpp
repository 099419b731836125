#include "lantern/cps.h"

#include <algorithm>

#include "lantern/lowering.h"
#include "support/diagnostic.h"

namespace lantern {

using namespace lowered;

lowered::Program lower(ir::Program& program, Activity activity, const std::set<const ir::Function*>& taped) {
  lowered::Program out{&program, std::move(activity), {}, {}};
  std::vector<std::pair<ir::Function*, Form>> pending;
  for (const auto& exported : program.exports) pending.emplace_back(exported.function, Form::direct);
  if (auto* entry = program.differentiable_entry) {
    const auto& differentiable = out.activity.differentiable;
    const bool has_gradient = std::find(differentiable.begin(), differentiable.end(), entry) != differentiable.end();
    pending.emplace_back(entry, has_gradient ? Form::cps : Form::direct);
  }
  std::set<std::pair<const ir::Function*, Form>> built;
  std::vector<Diagnostic> diagnostics;
  while (!pending.empty()) {
    const auto [function, form] = pending.back();
    pending.pop_back();
    if (!built.insert({function, form}).second) continue;
    FormBuilder builder(program, out.activity, form, taped);
    try {
      out.functions.push_back(builder.build(*function));
    } catch (const Failure& failure) {
      diagnostics.insert(diagnostics.end(), failure.diagnostics.begin(), failure.diagnostics.end());
    }
    pending.insert(pending.end(), builder.calls.begin(), builder.calls.end());
  }
  if (!diagnostics.empty()) throw Failure(std::move(diagnostics));

  std::map<const ir::Function*, std::size_t> order;
  for (auto& function : program.functions) order.emplace(&function, order.size());
  std::sort(out.functions.begin(), out.functions.end(), [&](const Function& a, const Function& b) {
    return std::pair(order[a.source], a.form) < std::pair(order[b.source], b.form);
  });
  return out;
}

}  // namespace lantern
