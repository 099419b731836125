// Adjoints of structures. That of a structure is another one of its type, with the adjoints of its numbers in their place, and with
// links to the adjoints of what it links to. Generated code says how one begins:
//
//   void begin_adjoint(const Tree& of, Tree& adjoint, AdjointLinks& links) {
//     adjoint.value = 0;
//     adjoint.left = links.of(of.left);
//   }
#pragma once

#include <type_traits>

#include "lantern/list.h"
#include "lantern/structure_links.h"

namespace lantern {

/// What is added to, of what is looked at: adjoints are their owner's to change.
template <class T>
T* adjoint(const T* structure) { return const_cast<T*>(structure); }

/// Finds the adjoints of structures that link to each other.
class AdjointLinks : public StructureLinks<AdjointLinks> {
 public:
  template <class T>
  T* of(const T* structure) {
    if (!structure) return nullptr;
    return image(structure, [](const Entry& entry, AdjointLinks& links) { begin_adjoint(*static_cast<const T*>(entry.of), *static_cast<T*>(entry.image), links); });
  }
  template <class T>
  List<T> of(const List<T>& list) {
    T* adjoints = detail::with_room<T>(nullptr, 0, list.size);
    for (int64_t i = 0; i < list.size; ++i) adjoints[i] = of(list.data[i]);
    return detail::full(adjoints, list.size);
  }
};

namespace detail {

template <class T>
inline constexpr bool is_link = std::is_pointer_v<T>;
template <class T>
inline constexpr bool is_link<List<T>> = is_link<T>;

template <class Make>
auto with_links(const Make& make) {
  AdjointLinks links;
  const auto result = make(links);
  links.finish_all();
  return result;
}

}  // namespace detail

/// The adjoint of a structure, none of none: zeros for all numbers that can be reached from it.
template <class T>
T* zeros_like(const T* structure) {
  return detail::with_links([&](AdjointLinks& links) { return links.of(structure); });
}

}  // namespace lantern
