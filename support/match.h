#pragma once

#include <cstddef>
#include <utility>
#include <variant>

namespace lantern {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

template <class... Alternatives>
constexpr std::size_t size_of_variant(const std::variant<Alternatives...>*) { return sizeof...(Alternatives); }

/// std::visit by a `switch`, eight alternatives at a time. Of a long variant, libstdc++ would make a function of each alternative wherever it
/// is visited, and compiling those was a third of building Lantern. The variant has a value.
template <std::size_t From = 0, class Visited, class Visitor>
decltype(auto) visit_alternative(Visitor&& visitor, Visited& variant) {
  constexpr std::size_t size = size_of_variant(static_cast<Visited*>(nullptr));
  switch (variant.index()) {
    case From + 0:
      if constexpr (From + 0 < size) return visitor(*std::get_if<From + 0>(&variant));
      break;
    case From + 1:
      if constexpr (From + 1 < size) return visitor(*std::get_if<From + 1>(&variant));
      break;
    case From + 2:
      if constexpr (From + 2 < size) return visitor(*std::get_if<From + 2>(&variant));
      break;
    case From + 3:
      if constexpr (From + 3 < size) return visitor(*std::get_if<From + 3>(&variant));
      break;
    case From + 4:
      if constexpr (From + 4 < size) return visitor(*std::get_if<From + 4>(&variant));
      break;
    case From + 5:
      if constexpr (From + 5 < size) return visitor(*std::get_if<From + 5>(&variant));
      break;
    case From + 6:
      if constexpr (From + 6 < size) return visitor(*std::get_if<From + 6>(&variant));
      break;
    case From + 7:
      if constexpr (From + 7 < size) return visitor(*std::get_if<From + 7>(&variant));
      break;
    default:
      if constexpr (From + 8 < size) return visit_alternative<From + 8>(visitor, variant);
  }
  __builtin_unreachable();
}

/// Calls the case that takes the variant's alternative. There is no default: a new alternative breaks the
/// build until every match answers for it.
template <class Visited, class... Cases>
decltype(auto) match(Visited&& variant, Cases&&... cases) {
  return visit_alternative(Overloaded{std::forward<Cases>(cases)...}, variant);
}

}  // namespace lantern
