#include "lantern/leaving.h"

#include <algorithm>
#include <numeric>

namespace lantern::lowered {

namespace {

bool never_ends(const While& loop) {
  const auto* constant = std::get_if<Constant>(&loop.condition->node);
  const auto* value = constant ? std::get_if<bool>(&constant->value) : nullptr;
  return value && *value && breaks_in(loop.body) == 0;
}

}  // namespace

bool leaves(const Statement& s) {
  return std::holds_alternative<Return>(s.node) || std::holds_alternative<Raise>(s.node) || std::holds_alternative<Break>(s.node);
}

int breaks_in(const Statement& statement) {
  int breaks = std::holds_alternative<Break>(statement.node);
  if (const auto* branch = std::get_if<If>(&statement.node)) breaks += breaks_in(branch->then) + breaks_in(branch->otherwise);
  return breaks;
}

int breaks_in(const Statements& list) {
  return std::accumulate(list.begin(), list.end(), 0, [](int breaks, const Statement& s) { return breaks + breaks_in(s); });
}

bool always_leaves(const Statements& list) {
  if (list.empty()) return false;
  const auto& node = list.back().node;
  const auto* branch = std::get_if<If>(&node);
  const auto* loop = std::get_if<While>(&node);
  return leaves(list.back()) || (branch && always_leaves(branch->then) && always_leaves(branch->otherwise)) || (loop && never_ends(*loop));
}

bool can_be_copied(const Statements& list) {
  if (list.empty() || list.size() > 2 || !leaves(list.back())) return false;
  return list.size() == 1 || std::holds_alternative<Assign>(list[0].node);
}

void remove_empty(Statements& list) {
  for (auto& s : list) {
    const auto* assign = std::get_if<Assign>(&s.node);
    if (assign && assign->variables.empty() && assign->kept) s.node = ResetArena{};
  }
  std::erase_if(list, [](const Statement& s) {
    const auto* assign = std::get_if<Assign>(&s.node);
    return assign && assign->variables.empty();
  });
  const auto leaving = std::find_if(list.begin(), list.end(), [](const Statement& s) {
    const auto* branch = std::get_if<If>(&s.node);
    return leaves(s) || (branch && always_leaves(branch->then) && always_leaves(branch->otherwise));
  });
  if (leaving != list.end()) list.erase(leaving + 1, list.end());
}

}  // namespace lantern::lowered
