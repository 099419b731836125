#include "lantern/cps.h"

#include <algorithm>

#include "lantern/lowering.h"
#include "support/diagnostic.h"

namespace lantern {

using namespace lowered;

namespace {

/// A function that passes have made stands behind the user's whose text it is from.
std::map<const ir::Function*, std::pair<std::size_t, std::size_t>> order_of(const ir::Program& program, std::size_t users) {
  std::map<const ir::Function*, std::pair<std::size_t, std::size_t>> order;
  for (std::size_t i = 0; i < program.functions.size(); ++i) {
    const auto& made = program.functions[i];
    std::size_t home = i < users ? i : users;
    for (std::size_t u = 0; i >= users && made.location.known() && u < users; ++u) {
      const Location& other = program.functions[u].location;
      const bool is_around = other.known() && other.file_name() == made.location.file_name() && other.line <= made.location.line;
      if (is_around && (home == users || program.functions[home].location.line <= other.line)) home = u;
    }
    order.emplace(&made, std::pair(home, i));
  }
  return order;
}

}  // namespace

lowered::Program lower(ir::Program& program, Activity activity, const std::set<const ir::Function*>& taped, const std::set<const ir::Function*>& inlined,
                       std::size_t users) {
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
    FormBuilder builder(program, out.activity, form, taped, inlined);
    try {
      out.functions.push_back(builder.build(*function));
    } catch (const Failure& failure) {
      diagnostics.insert(diagnostics.end(), failure.diagnostics.begin(), failure.diagnostics.end());
    }
    pending.insert(pending.end(), builder.calls.begin(), builder.calls.end());
  }
  if (!diagnostics.empty()) throw Failure(std::move(diagnostics));

  auto order = order_of(program, users);
  std::sort(out.functions.begin(), out.functions.end(), [&](const Function& a, const Function& b) {
    return std::pair(order[a.source], a.form) < std::pair(order[b.source], b.form);
  });
  return out;
}

}  // namespace lantern
