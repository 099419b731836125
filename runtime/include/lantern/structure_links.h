// Structures that stand for others which link to each other: one for each, however often it is linked to, and whatever the depth.
#pragma once

#include <cstdint>

#include "lantern/arena.h"

namespace lantern {

/// `Owner` derives from it, and says how an image is finished: its links lead to images, too.
template <class Owner>
class StructureLinks {
 public:
  /// Finishes all images that have been asked for, and those that these ask for.
  void finish_all() {
    for (; first_; first_ = first_->next) first_->finish(*first_, static_cast<Owner&>(*this));
  }

 protected:
  struct Entry {
    const void* of;
    void* image;
    Entry* next;
    void (*finish)(const Entry&, Owner&);
  };

  /// What stands for a structure: at first a copy of it.
  template <class T>
  T* image(const T* structure, void (*finish)(const Entry&, Owner&)) {
    if (2 * count_ >= capacity_) grow();
    Entry*& known = place(structure);
    if (!known) {
      known = new (arena().allocate_close<Entry>()) Entry{structure, new (arena().allocate_close<T>()) T(*structure), nullptr, finish};
      (last_ ? last_->next : first_) = known;
      last_ = known;
      ++count_;
    }
    return static_cast<T*>(known->image);
  }

 private:
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
  Entry *first_ = nullptr, *last_ = nullptr;  // those that are not finished
};

}  // namespace lantern
