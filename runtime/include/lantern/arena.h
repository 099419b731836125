// The arena: where every value of generated code lives. One a thread, a bump pointer in a large reserved region,
// blocks aligned to 64 bytes, last in first out by marks. Nothing in it is ever destroyed, only forgotten, so that a
// frame in continuation-passing style owns nothing.
#pragma once

#include <cstdint>
#include <cstring>

#include "lantern/definitions.h"
#include "lantern/error.h"
#include "lantern/memory.h"

namespace lantern {

/// A position of the arena; what was allocated since is forgotten by `arena().reset(mark)`.
struct Mark {
  char* top;
};

/// What lies between two places.
struct Extent {
  const char *begin, *end;
  /// Whether a value that ends there, and is not empty, lies within.
  bool holds(const void* end_of_value) const { return end_of_value > begin && end_of_value <= end; }
};

class Arena {
 public:
  static constexpr int64_t alignment = 64;

  /// Reserves a region of its own when it is first used; or has one that is somebody else's.
  constexpr Arena() = default;
  Arena(char* begin, char* end) : top_(begin), limit_(begin), region_{begin, end - begin} {}

  /// A block of `bytes` (not negative), uninitialised. Fails with OutOfMemory.
  void* allocate(int64_t bytes) {
    char* block = align(top_);
    if (bytes > limit_ - block) {
      grow(bytes);
      block = align(top_);
    }
    top_ = block + bytes;
    return block;
  }

  /// A block for one structure, of its own alignment: arrays alone are read by packets, and nodes of trees lie close to each other.
  template <class T>
  void* allocate_one() {
    constexpr uintptr_t own = alignof(T);
    char* block = reinterpret_cast<char*>((reinterpret_cast<uintptr_t>(top_) + own - 1) / own * own);
    if (!block || static_cast<int64_t>(sizeof(T)) > limit_ - block) return allocate(sizeof(T));
    top_ = block + sizeof(T);
    return block;
  }

  template <class T>
  T* allocate_array(int64_t count) {
    if (count < 0 || count > (int64_t{1} << 56)) refuse(count);
    return static_cast<T*>(allocate(count * static_cast<int64_t>(sizeof(T))));
  }

  bool holds(const void* place) const { return place >= region_.begin && place < region_.end(); }
  Mark mark() const { return {top_}; }
  /// What was allocated since.
  Extent above(Mark mark) const { return {mark.top, top_}; }
  Extent all() const { return {region_.begin, top_}; }
  void reset(Mark mark) { top_ = mark.top ? mark.top : region_.begin; }
  void clear() { top_ = region_.begin; }
  char* top() const { return top_; }
  static char* align(char* place) {
    return reinterpret_cast<char*>((reinterpret_cast<uintptr_t>(place) + alignment - 1) / alignment * alignment);
  }

  /// Gives memory far above the top back to the system (after an unusually large step).
  void trim();

  /// Forgets all, and what it was charged for.
  void release_charge() {
    release_memory(limit_ - region_.begin);
    top_ = limit_ = region_.begin;
  }
  /// At a thread's end: everything goes back.
  void release();

 private:
  static constexpr int64_t reserved_bytes = int64_t{1} << 38, trim_slack = int64_t{1} << 26;

  void grow(int64_t bytes);
  [[noreturn]] static void refuse(int64_t count);

  char* top_ = nullptr;
  char* limit_ = nullptr;  // end of what is charged to the memory limit
  Region region_{};
};

namespace detail {
inline thread_local Arena thread_arena;
struct ArenaRelease {
  ~ArenaRelease() { thread_arena.release(); }
};
inline thread_local ArenaRelease arena_release;
}  // namespace detail

/// This thread's arena.
inline Arena& arena() { return detail::thread_arena; }

}  // namespace lantern

#include LANTERN_DEFINITIONS("lantern/definitions/arena.h")
