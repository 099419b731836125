// Copies of values out of a part of the arena that will be forgotten. What lies elsewhere is not copied. Generated code says what
// a structure leads to:
//
//   void copy_links(Tree& copy, Copies& copies) {
//     copy.state = copies.of(copy.state);
//     copy.left = copies.of(copy.left);
//   }
#pragma once

#include <string_view>
#include <tuple>
#include <type_traits>

#include "lantern/list.h"
#include "lantern/structure_links.h"
#include "lantern/tensor.h"

namespace lantern {

class Copies : public StructureLinks<Copies> {
 public:
  /// Of what `from` holds above the mark, in `to`.
  Copies(const Arena& from, Mark mark, Arena& to = arena()) : from_(from), mark_(mark), to_(to) {}

  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  T of(T x) { return x; }
  template <class T, int Rank>
  Tensor<T, Rank> of(Tensor<T, Rank> x) {
    const int64_t size = x.size();
    if (size == 0 || !is_from(x.data + size)) return x;
    return {detail::copy_to_arena(x.data, size, size, to_), x.shape};
  }
  std::string_view of(std::string_view x) {
    const auto size = static_cast<int64_t>(x.size());
    if (size == 0 || !is_from(x.data() + size)) return x;
    return {detail::copy_to_arena(x.data(), size, size, to_), x.size()};
  }
  template <class T>
  List<T> of(List<T> x) {
    if (!x.data || !is_from(x.data + x.size)) return x;
    if (x.size == 0) return {};  // nor are the places that it had
    T* elements = detail::with_room(x.data, x.size, x.size, to_);
    for (int64_t i = 0; i < x.size; ++i) elements[i] = of(elements[i]);
    return {elements, x.size};
  }
  template <class T>
  Dataset<T> of(Dataset<T> x) {
    if (x.size > 0 && is_from(x.items + x.size)) {
      const T** items = const_cast<const T**>(detail::copy_to_arena(x.items, x.size, x.size, to_));
      for (int64_t i = 0; i < x.size; ++i) items[i] = of(items[i]);
      x.items = items;
    }
    x.label = of(x.label);
    return x;
  }
  template <class T>
  const T* of(const T* structure) {
    if (!structure || !is_from(structure + 1)) return structure;
    return image(structure, [](const Entry& entry, Copies& copies) { copy_links(*static_cast<T*>(entry.image), copies); });
  }
  template <class... T>
  std::tuple<T...> of(const std::tuple<T...>& all) {
    return std::apply([&](const auto&... x) { return std::tuple<T...>{of(x)...}; }, all);
  }

 private:
  bool is_from(const void* end) const { return from_.is_above(end, mark_); }

  const Arena& from_;
  const Mark mark_;
  Arena& to_;
};

}  // namespace lantern
