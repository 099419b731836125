// How long lists and arrays are, and which places are there.
#include "lantern/ranges.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <unordered_map>

namespace lantern {

using namespace ir;

namespace ranges {

std::optional<Term> Ranges::inner(const Operand& list, int part) const {
  if (!list.variable || part == 0) return list.variable ? std::optional(term(list, 0)) : std::nullopt;
  const auto found = terms_.find({list.variable, part});
  return found == terms_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Term> Ranges::inner_of_both(const std::optional<Term>& a, const std::optional<Term>& b) {
  if (a == of_none) return b;
  return b == of_none || a == b ? a : std::nullopt;
}

void Ranges::size(const Variable* result, const Operate& n) {
  const std::string_view name = n.op->name;
  const bool is_list = is(result->type, TypeKind::list);
  if (name == "empty" && is_list) {
    for (const int part : inner_parts(result->type)) define(result, part, of_none);
    return define(result, 0, number(0));
  }
  if (name == "zeros" || name == "ones" || name == "full") {
    for (const int part : parts(result->type)) {
      const std::size_t given = static_cast<std::size_t>(part) + (name == "full" ? 1 : 0);
      if (given < n.operands.size() && is_integer(n.operands[given].type)) define(result, part, term(n.operands[given]));
    }
  }
  if (name == "make-slots" && bounds_.holds(number(0), term(n.operands[0]))) define(result, 0, term(n.operands[0]));
  if (n.operands.empty() || !n.operands[0].variable) return;
  const bool puts_in = is_list && (name == "write" || name == "append" || name == "insert"), takes_out = is_list && (name == "pop" || name == "remove");
  if (puts_in || takes_out || name == "with-item" || name == "with-slice" || name == "copied" || name == "deep-copied" || name == "zeros-like" || name == "ones-like") same(result, n.operands[0]);
  if (puts_in && name != "write") define(result, 0, term(n.operands[0], 0).plus(1));
  if (takes_out) define(result, 0, term(n.operands[0], 0).plus(-1));
  for (const int part : puts_in ? inner_parts(result->type) : std::vector<int>()) {
    const auto both = inner_of_both(inner(n.operands[0], part), inner(n.operands.back(), part - 1));
    both ? define(result, part, both) : forget(result, part);
  }
  if (name == "index" && is_list) {
    for (int part = 0; part <= static_cast<int>(inner_parts(result->type).size()); ++part) {
      if (const auto within = inner(n.operands[0], part + 1); within && within != of_none) define(result, part, within);
    }
  }
  if (name == "index" && is(n.operands[0].type, TypeKind::tensor)) {
    for (const int part : parts(result->type)) define(result, part, term(n.operands[0], part + 1));
  }
}

std::vector<Distance> Ranges::distances(const std::vector<Operand>& values) const {
  std::vector<std::size_t> lists;
  for (std::size_t i = 0; i < values.size() && lists.size() < most_lists; ++i) {
    if (is(values[i].type, TypeKind::list)) lists.push_back(i);
  }
  std::vector<Distance> all;
  for (const std::size_t i : lists) {
    for (const std::size_t other : lists) {
      if (other == i) break;
      const Term a = term(values[i], 0), b = term(values[other], 0);
      const auto least_of_it = bounds_.least_difference(a, b), most = bounds_.least_difference(b, a);
      if (least_of_it && most && *least_of_it != least && *most == -*least_of_it) all.push_back({i, other, *least_of_it});
    }
  }
  return all;
}

void Ranges::add(const Distance& distance, const std::vector<Variable*>& lists) {
  const Term of = term(lists[distance.state], 0);
  const auto moved = term(lists[distance.other], 0).plus(distance.longer);
  if (moved) bounds_.add(of, *moved), bounds_.add(*moved, of);
}

namespace {

/// Where a block binds a variable: loops bind what they carry in front of their bodies.
struct Place {
  const Block* block;
  std::size_t binding;
};
using Places = std::unordered_map<const Variable*, Place>;

void find_places_of(const Block& block, Places& places) {
  const auto carry = [&](const Block& body, const std::vector<Variable*>& state) {
    for (const auto* variable : state) places.insert_or_assign(variable, Place{&body, 0});
  };
  for (std::size_t i = 0; i < block.bindings.size(); ++i) {
    const auto& [node, results] = std::tie(block.bindings[i].node, block.bindings[i].results);
    for (const auto* result : results) places.insert_or_assign(result, Place{&block, i + 1});
    if (const auto* loop = std::get_if<While>(&node)) carry(*loop->body, loop->state);
    if (const auto* loop = std::get_if<For>(&node)) carry(*loop->body, loop->state);
    for_each_block(node, [&](const Block& nested) { find_places_of(nested, places); });
  }
}

}  // namespace

void Ranges::find_columns(const Function& function) {
  Places places;
  for (const auto* formal : function.formals) places.insert_or_assign(formal, Place{&function.body, 0});
  find_places_of(function.body, places);
  for (const auto& columns : function.columns) {
    // Passes have left out or moved some, perhaps.
    std::vector<std::pair<const Variable*, Place>> there;
    for (const auto* list : columns.lists) {
      const auto place = columns.depth == 0 ? places.find(list) : places.end();
      if (place != places.end()) there.emplace_back(list, place->second);
    }
    for (std::size_t i = 1; i < there.size(); ++i) {
      const auto& [first, front] = there[0];
      const auto& [list, place] = there[i];
      const bool is_behind = place.block == front.block && place.binding >= front.binding;
      if (is_behind && list != first && !first_columns_.contains(first)) first_columns_.try_emplace(list, first);
    }
  }
}

std::vector<Room> Ranges::rooms(const std::vector<Operand>& values) const {
  std::vector<Room> all;
  for (std::size_t place = 0; place < std::min(values.size(), most_lists); ++place) {
    for (std::size_t list = 0; list < std::min(values.size(), most_lists) && is_integer(values[place].type); ++list) {
      if (!is(values[list].type, TypeKind::list)) continue;
      const auto behind = bounds_.least_difference(term(values[list], 0), term(values[place]));
      if (behind && *behind != least) all.push_back({place, list, *behind});
    }
  }
  return all;
}

void Ranges::find_places(Operate& n) {
  const std::string_view name = n.op->name;
  const bool list = n.operands.size() > 1 && is(n.operands[0].type, TypeKind::list);
  const bool text = name == "character";
  const std::size_t places = text || (name == "index" && n.operands.size() == 2) ? 1 : name == "write" && list ? 1 : name == "with-item" ? n.operands.size() - 2 : 0;
  if (places == 0 || n.unchecked || !n.operands[0].variable || !(list || text || resolve(n.operands[0].type)->dims.size() >= places)) return;
  if (name == "with-item" && resolve(n.operands[0].type)->dims.size() != places) return;  // an item of another shape is an error
  for (std::size_t i = 0; i < places; ++i) {
    const Operand& place = n.operands[i + 1];
    if (!is_integer(place.type)) return;
    const Term size = term(n.operands[0], static_cast<int>(i));
    const auto* from_behind = places == 1 && literal(place) && *literal(place) < 0 && *literal(place) != least ? literal(place) : nullptr;
    const bool is_there = from_behind ? bounds_.holds(number(0), size, -*from_behind) : bounds_.holds(number(0), term(place)) && bounds_.holds(term(place), size, 1);
    if (!is_there) return;
  }
  proven_.push_back(&n.unchecked);
}

}  // namespace ranges

}  // namespace lantern
