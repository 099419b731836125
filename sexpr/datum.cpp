#include "sexpr/datum.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace lantern::sexpr {

std::string_view describe(Kind kind) {
  switch (kind) {
    case Kind::none: return "none";
    case Kind::boolean: return "a bool";
    case Kind::integer: return "an integer";
    case Kind::floating: return "a float";
    case Kind::string: return "a string";
    case Kind::symbol: return "a name";
    case Kind::keyword: return "a keyword";
    case Kind::list: return "a list";
  }
  return "";
}

std::string_view Datum::text() const {
  if (const auto* symbol = std::get_if<Symbol>(&value)) return symbol->text;
  if (const auto* string = std::get_if<String>(&value)) return string->text;
  if (const auto* keyword = std::get_if<Keyword>(&value)) return keyword->text;
  return {};
}

std::string_view Datum::head() const {
  const auto list = elements();
  return !list.empty() && list[0]->is_symbol() ? list[0]->text() : std::string_view();
}

const Datum* Document::string(std::string_view text, Location location) {
  return add(Datum::String{intern(text)}, std::move(location));
}

const Datum* Document::symbol(std::string_view name, Location location) {
  return add(Datum::Symbol{intern(name)}, std::move(location));
}

const Datum* Document::keyword(std::string_view name, Location location) {
  return add(Datum::Keyword{intern(name)}, std::move(location));
}

const Datum* Document::list(std::span<const Datum* const> elements, Location location) {
  std::pmr::polymorphic_allocator<const Datum*> allocator(elements_.get());
  const Datum** copy = allocator.allocate(elements.size());
  std::copy(elements.begin(), elements.end(), copy);
  return add(Datum::Elements(copy, elements.size()), std::move(location));
}

const Datum* Document::add(Datum::Value value, Location location) {
  return &data_.emplace_back(Datum{std::move(value), std::move(location)});
}

std::string_view Document::intern(std::string_view text) { return *texts_.emplace(text).first; }

namespace {

bool equal_floats(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

}  // namespace

bool equal(const Datum& left, const Datum& right) {
  std::vector<std::pair<const Datum*, const Datum*>> pending{{&left, &right}};
  while (!pending.empty()) {
    const auto [a, b] = pending.back();
    pending.pop_back();
    if (a->kind() != b->kind() || a->size() != b->size() || a->text() != b->text()) return false;
    if (a->is(Kind::boolean) && a->boolean() != b->boolean()) return false;
    if (a->is(Kind::integer) && a->integer() != b->integer()) return false;
    if (a->is(Kind::floating) && !equal_floats(a->number(), b->number())) return false;
    for (std::size_t i = 0; i < a->size(); ++i) pending.emplace_back(&(*a)[i], &(*b)[i]);
  }
  return true;
}

bool equal(const Document& a, const Document& b) {
  if (a.items.size() != b.items.size()) return false;
  for (std::size_t i = 0; i < a.items.size(); ++i) {
    if (!equal(*a.items[i], *b.items[i])) return false;
  }
  return true;
}

}  // namespace lantern::sexpr
