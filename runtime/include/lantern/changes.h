// The items that an array or a list had before a loop changed them, for the loop's way back: its states, without a copy of it for each. It owns its
// memory, since a turn forgets what it leaves in the arena.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "lantern/indexing.h"
#include "lantern/owned_memory.h"

namespace lantern {

namespace detail {

/// Values behind each other; at the end come more.
template <class T>
class Pile {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Pile() = default;
  Pile(const Pile&) = delete;
  ~Pile() { give_back_owned(values_); }

  /// Room for `count` more, or fails with OutOfMemory.
  T* extend(int64_t count) {
    if (size_ + count > capacity_) grow(size_ + count);
    size_ += count;
    return values_ + size_ - count;
  }
  void shrink(int64_t count) { size_ -= count; }
  T* begin() { return values_; }
  int64_t size() const { return size_; }

 private:
  void grow(int64_t least) {
    capacity_ = std::max({least, capacity_ + capacity_ / 2, int64_t{16}});
    values_ = static_cast<T*>(grow_owned(values_, capacity_ * static_cast<int64_t>(sizeof(T)), "the changes of an array"));
  }

  T* values_ = nullptr;
  int64_t size_ = 0, capacity_ = 0;
};

}  // namespace detail

/// Changes of an array of T, or of lists whose items are T, or so many T, in their order, as far as they have been made. Each is kept with what the item
/// is not at the time.
template <class T>
class Changes {
 public:
  /// Marks the place where the next change will be, for undo_to_begin.
  void begin() { *begins_.extend(1) = made_; }

  /// The item x[places…] is about to change; nothing is undone at the time. Fails with IndexError.
  template <int Rank, size_t Places>
  void note(const Tensor<T, Rank>& x, const int64_t (&places)[Places], const char* location = "") {
    note(detail::item_at(x, places, location));
  }
  template <int Rank>
  void note(const Tensor<T, Rank>& x, int64_t place, const char* location = "") {
    const int64_t places[] = {place};
    note(x, places, location);
  }
  template <class Item>
  void note(const List<Item>& list, int64_t place, const char* location = "") {
    static_assert(std::is_same_v<T, Item> || std::is_same_v<T, unsigned char>);
    Item* const item = const_cast<Item*>(list.data) + detail::checked_list_index(place, list.size, "list assignment", location);
    note(detail::Place<T>{reinterpret_cast<T*>(item), static_cast<int64_t>(sizeof(Item) / sizeof(T))});
  }
  /// The list is about to be another one, longer or shorter.
  template <class Item>
  void note(List<Item>& list) {
    static_assert(std::is_same_v<T, unsigned char>);
    note(detail::Place<T>{reinterpret_cast<T*>(&list), static_cast<int64_t>(sizeof list)});
  }

  void undo() {
    const auto& item = changes_.begin()[--made_];
    place_ -= item.size;
    exchange(item);
  }
  void redo() {
    const auto& item = changes_.begin()[made_++];
    exchange(item);
    place_ += item.size;
  }
  /// Undoes what was changed since the last place that was marked, whose mark goes.
  void undo_to_begin() {
    const int64_t begin = begins_.begin()[begins_.size() - 1];
    begins_.shrink(1);
    while (made_ > begin) undo();
  }

 private:
  void note(const detail::Place<T>& item) {
    *changes_.extend(1) = item;
    std::copy(item.data, item.data + item.size, others_.extend(item.size));
    ++made_;
    place_ += item.size;
  }
  void exchange(const detail::Place<T>& item) { std::swap_ranges(item.data, item.data + item.size, others_.begin() + place_); }

  detail::Pile<detail::Place<T>> changes_;
  detail::Pile<T> others_;
  detail::Pile<int64_t> begins_;
  int64_t made_ = 0, place_ = 0;  // so many are made; where the next one's items lie
};

}  // namespace lantern
