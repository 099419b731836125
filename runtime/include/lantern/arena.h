// The arena: where every value of generated code lives. One a thread, a bump pointer in a large reserved region,
// blocks aligned to 64 bytes, last in first out by marks. Nothing in it is ever destroyed, only forgotten, so that a
// frame in continuation-passing style owns nothing. Calls side by side (fibers.h) have one each, of chunks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "lantern/chunks.h"
#include "lantern/definitions.h"
#include "lantern/error.h"
#include "lantern/memory.h"
#include "lantern/sanitizers.h"
#include "lantern/text_places.h"

namespace lantern {

/// A position of the arena; what was allocated since is forgotten by `arena().reset(mark)`.
struct Mark {
  char* top;
};

class Arena {
 public:
  static constexpr int64_t alignment = 64;

  /// Reserves a region when it is first used.
  constexpr Arena() = default;
  /// Takes chunks.
  explicit Arena(detail::Chunks& chunks) : chunks_(&chunks) {}

  /// A block of `bytes` (not negative), uninitialised. Fails with OutOfMemory.
  void* allocate(int64_t bytes) {
    char* block = align(top_);
    if (bytes > limit_ - block) {
      grow(bytes);
      block = align(top_);
    }
    top_ = block + bytes;
    detail::permit(block, top_);
    return block;
  }

  /// A block for one structure, or several (not negative), of its own alignment: arrays alone are read by packets, and nodes of trees and
  /// words lie close to each other.
  template <class T>
  void* allocate_close(int64_t count = 1) {
    constexpr uintptr_t own = alignof(T);
    const int64_t bytes = count * static_cast<int64_t>(sizeof(T));
    char* block = reinterpret_cast<char*>((reinterpret_cast<uintptr_t>(top_) + own - 1) / own * own);
    if (!block || bytes > limit_ - block) return allocate(bytes);
    top_ = block + bytes;
    detail::permit(block, top_);
    return block;
  }

  template <class T>
  T* allocate_array(int64_t count) {
    if (count < 0 || count > (int64_t{1} << 56)) refuse(count);
    return static_cast<T*>(allocate(count * static_cast<int64_t>(sizeof(T))));
  }

  /// A block for a text of `bytes`, with room behind it for as many bytes again.
  char* allocate_text(int64_t bytes) {
    auto* const text = static_cast<char*>(allocate(2 * bytes));
    Room* room = std::find_if(rooms_, rooms_ + rooms, [](const Room& each) { return !each.end; });
    if (room == rooms_ + rooms) room = rooms_ + next_room_++ % rooms;
    *room = {text + bytes, text + 2 * bytes};
    texts_end_ = std::max(texts_end_, room->end);
    return text;
  }

  /// Whether a text lies here: what is known of its places (text_places.h) is forgotten with it, then.
  bool notes_places(const char* begin, const char* end) {
    if (!holds(begin)) return false;
    texts_end_ = std::max(texts_end_, const_cast<char*>(end));
    return true;
  }
  bool is_of_chunks() const { return chunks_ != nullptr; }

  /// Where to put `bytes` behind what ends there, if that is one of the texts which were made longer last, and has the room; else null.
  char* behind_text(const void* end, int64_t bytes) {
    for (Room& room : rooms_)
      if (end == room.begin && bytes <= room.end - room.begin) return std::exchange(room.begin, room.begin + bytes);
    return nullptr;
  }

  bool holds(const void* place) const {
    if (!chunks_) return place >= begin_ && place < end_;
    for (const detail::Chunk* chunk = chunk_; chunk; chunk = chunk->before)
      if (chunk->holds(place)) return true;
    return false;
  }
  Mark mark() const { return {top_}; }
  void reset(Mark mark) {
    if (mark.top < begin_ || mark.top > limit_) return go_back(mark.top);
    if (mark.top < texts_end_) forget_texts(mark.top);
    detail::forbid(mark.top, top_);
    top_ = mark.top;
  }
  void clear() { go_back(nullptr); }

  /// Whether a value that ends there, and is not empty, was allocated since the mark.
  bool is_above(const void* end, Mark mark) const {
    if (!chunks_) return end > std::max(mark.top, begin_) && end <= top_;
    for (const detail::Chunk* chunk = chunk_; chunk; chunk = chunk->before) {
      const bool is_last = chunk->holds(mark.top);
      if (end > (is_last ? mark.top : chunk->begin()) && end <= (chunk == chunk_ ? top_ : chunk->end)) return true;
      if (is_last) return false;
    }
    return false;
  }
  /// Whether all since the mark lies in one piece.
  bool is_contiguous(Mark mark) const { return mark.top >= begin_ && mark.top <= top_; }
  char* top() const { return top_; }
  char* begin() const { return begin_; }
  int64_t bytes() const { return top_ - begin_; }
  static char* align(char* place) {
    return reinterpret_cast<char*>((reinterpret_cast<uintptr_t>(place) + alignment - 1) / alignment * alignment);
  }

  /// Gives memory far above the top back to the system (after an unusually large step).
  void trim();

  /// At a thread's end: everything goes back.
  void release();

 private:
  /// Behind a text: where that ends, and the room.
  struct Room {
    char *begin = nullptr, *end = nullptr;
  };
  static constexpr unsigned rooms = 4;

  /// Rooms, and places of texts, above a place.
  void forget_texts(const char* top) {
    texts_end_ = nullptr;
    for (Room& room : rooms_) {
      if (room.end > top) room = {};
      texts_end_ = std::max(texts_end_, room.end);
    }
    detail::forget_places(std::max<const char*>(top, begin_), end_);
    texts_end_ = std::max(texts_end_, const_cast<char*>(detail::last_known_place(begin_, top)));
  }

  static constexpr int64_t reserved_bytes = int64_t{1} << 38, trim_slack = int64_t{1} << 26;

  void grow(int64_t bytes);
  [[noreturn]] static void refuse(int64_t count);

  void go_back(char* top);

  char* top_ = nullptr;
  char* limit_ = nullptr;  // end of what is charged to the memory limit
  char *begin_ = nullptr, *end_ = nullptr;  // of the region, or the last chunk
  char* texts_end_ = nullptr;  // of the highest of these, and of the texts here whose places are known
  Room rooms_[rooms];
  unsigned next_room_ = 0;
  detail::Chunks* chunks_ = nullptr;
  detail::Chunk* chunk_ = nullptr;
};

namespace detail {
/// A thread's own, and the one in use: its own, unless that is null.
struct ThreadArenas {
  Arena own;
  Arena* in_use = nullptr;
};
inline thread_local ThreadArenas thread_arenas;
inline thread_local Arena arena_aside;  // for copies on their way (keep.h)
struct ArenaRelease {
  ~ArenaRelease() {
    thread_arenas.own.release();
    arena_aside.release();
  }
};
inline thread_local ArenaRelease arena_release;
}  // namespace detail

/// This thread's arena; that of the call, among calls side by side.
inline Arena& arena() {
  auto& arenas = detail::thread_arenas;
  return arenas.in_use ? *arenas.in_use : arenas.own;
}

}  // namespace lantern

#include LANTERN_DEFINITIONS("lantern/definitions/arena.h")
