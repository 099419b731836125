// Adjoints of structures. That of a structure is another one of its type, with the adjoints of its numbers in their place, and with
// links to the adjoints of what it links to. Generated code says how one begins:
//
//   void begin_adjoint(const Tree& of, Tree& adjoint, AdjointLinks& links) {
//     adjoint.value = 0;
//     adjoint.left = links.of(of.left);
//   }
#pragma once

#include <cstdint>
#include <type_traits>

#include "lantern/list.h"

namespace lantern {

/// What is added to, of what is looked at: adjoints are their owner's to change.
template <class T>
T* adjoint(const T* structure) { return const_cast<T*>(structure); }

/// Finds the adjoints of structures that link to each other: one for each, however often it is linked to, and whatever the depth.
class AdjointLinks {
 public:
  template <class T>
  T* of(const T* structure) {
    if (!structure) return nullptr;
    if (2 * count_ >= capacity_) grow();
    Entry*& known = place(structure);
    if (!known) {
      known = new (arena().allocate_one<Entry>()) Entry{structure, new (arena().allocate_one<T>()) T(*structure), nullptr, [](const Entry& e, AdjointLinks& links) {
        begin_adjoint(*static_cast<const T*>(e.of), *static_cast<T*>(e.adjoint), links);
      }};
      (last_ ? last_->next : first_) = known;
      last_ = known;
      ++count_;
    }
    return static_cast<T*>(known->adjoint);
  }
  template <class T>
  List<T> of(const List<T>& list) {
    T* adjoints = detail::with_room<T>(nullptr, 0, list.size);
    for (int64_t i = 0; i < list.size; ++i) adjoints[i] = of(list.data[i]);
    return detail::full(adjoints, list.size);
  }

  /// Begins all that have been asked for, and what these ask for.
  void begin_all() {
    for (; first_; first_ = first_->next) first_->begin(*first_, *this);
  }

 private:
  struct Entry {
    const void* of;
    void* adjoint;
    Entry* next;
    void (*begin)(const Entry&, AdjointLinks&);
  };

  /// Where the entry of a structure stands in the table, or would.
  Entry*& place(const void* structure) {
    uint64_t hash = reinterpret_cast<uintptr_t>(structure) * UINT64_C(0x9E3779B97F4A7C15);
    for (int64_t i = static_cast<int64_t>(hash >> 20) & (capacity_ - 1);; i = (i + 1) & (capacity_ - 1)) {
      if (!table_[i] || table_[i]->of == structure) return table_[i];
    }
  }
  void grow() {
    Entry** before = table_;
    const int64_t size = capacity_;
    capacity_ = size == 0 ? 16 : 2 * size;
    table_ = arena().allocate_array<Entry*>(capacity_);
    for (int64_t i = 0; i < capacity_; ++i) table_[i] = nullptr;
    for (int64_t i = 0; i < size; ++i)
      if (before[i]) place(before[i]->of) = before[i];
  }

  Entry** table_ = nullptr;
  int64_t capacity_ = 0, count_ = 0;
  Entry *first_ = nullptr, *last_ = nullptr;  // those that have not begun
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
  links.begin_all();
  return result;
}

}  // namespace detail

/// The adjoint of a structure, none of none: zeros for all numbers that can be reached from it.
template <class T>
T* zeros_like(const T* structure) {
  return detail::with_links([&](AdjointLinks& links) { return links.of(structure); });
}

}  // namespace lantern
