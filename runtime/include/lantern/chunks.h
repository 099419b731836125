// Chunks of memory for arenas that grow side by side (fibers.h). What one gives back, the next that asks for as much takes first, while it
// is warm; they lie close together, behind the first two megabytes in large pages.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "lantern/error.h"
#include "lantern/memory.h"

namespace lantern::detail {

/// What an arena allocates from. The memory follows.
struct Chunk {
  Chunk* before;  // the arena's last, or the next that is free
  char* end;
  int64_t held;   // bytes of this one and of those before
  char* begin() const { return const_cast<char*>(reinterpret_cast<const char*>(this + 1)); }
  bool holds(const void* place) const { return place > this && place <= end; }
};

/// One thread's.
class Chunks {
 public:
  /// Not pages: what lies at one place of many chunks, as the first array of each call does, would all have one set of the first cache.
  static constexpr int64_t least_bytes = 55 * 64, first_bytes = 2 * least_bytes;

  Chunks() = default;
  Chunks(const Chunks&) = delete;
  ~Chunks() {
    if (!region_.begin) return;
    release_memory(charged_ - first_);
    munmap(region_.begin, static_cast<size_t>(region_.size));
  }

  /// One with room for `bytes` at any alignment up to 64, or fails with OutOfMemory. An arena's first is as large as what most calls keep;
  /// later ones become larger, so that no arena has many.
  Chunk* take(int64_t bytes, Chunk* before) {
    const int64_t held = before ? before->held : 0;
    const int size = size_for(std::max(needed(bytes), before ? held / 4 : first_bytes));
    Chunk* const chunk = of_size(size);
    chunk->before = before;
    chunk->held = held + (chunk->end - reinterpret_cast<char*>(chunk));
    taken_ += least_bytes << size;
    most_taken_ = std::max(most_taken_, taken_);
    return chunk;
  }
  void give_back(Chunk* chunk) {
    const int size = size_for(chunk->end - reinterpret_cast<char*>(chunk));
    chunk->before = free_[size];
    free_[size] = chunk;
    taken_ -= least_bytes << size;
  }

  /// One for other than an arena, of which `measured` knows nothing: as large as an arena's first, if that is enough. Fails with OutOfMemory.
  Chunk* lend(int64_t bytes) {
    Chunk* const chunk = of_size(size_for(std::max(needed(bytes), first_bytes)));
    ++lent_;
    return chunk;
  }
  /// What was lent; by any thread, at any time.
  void take_back(Chunk* chunk) {
    chunk->before = taken_back_.load(std::memory_order_relaxed);
    while (!taken_back_.compare_exchange_weak(chunk->before, chunk, std::memory_order_release, std::memory_order_relaxed)) {}
  }

  /// What arenas have, in bytes.
  int64_t taken() const { return taken_; }
  /// Begins to measure how much is taken; `measured`: the most since then, in bytes.
  void measure() { most_taken_ = taken_; }
  int64_t measured() const { return most_taken_; }

  /// All that arenas took has been given back: memory beyond `kept` bytes is the system's, unless something is lent.
  void clear(int64_t kept) {
    collect();
    if (lent_ > 0) return;
    for (Chunk*& list : free_) list = nullptr;
    taken_ = 0;
    top_ = first_;
    if (charged_ - top_ <= kept) return;
    discard_pages(top_ + kept, charged_);
    release_memory(charged_ - top_ - kept);
    charged_ = top_ + kept;
  }

 private:
  static constexpr int64_t reserved_bytes = int64_t{1} << 38, step = int64_t{1} << 18, large_page = int64_t{1} << 21;
  static constexpr int sizes = 40;

  static int64_t needed(int64_t bytes) { return bytes + static_cast<int64_t>(sizeof(Chunk)) + 64; }
  /// Chunks have least_bytes, or twice as much, or four times …
  static int size_for(int64_t bytes) {
    if (bytes > reserved_bytes) return sizes - 1;
    int size = 0;
    while (least_bytes << size < bytes) ++size;
    return size;
  }

  Chunk* of_size(int size) {
    if (!free_[size]) collect();
    Chunk* const chunk = free_[size];
    if (!chunk) return added(size);
    free_[size] = chunk->before;
    return chunk;
  }
  /// What was lent, and has come back, can be taken again.
  void collect() {
    Chunk* chunk = taken_back_.exchange(nullptr, std::memory_order_acquire);
    while (chunk) {
      Chunk* const next = chunk->before;
      Chunk*& list = free_[size_for(chunk->end - reinterpret_cast<char*>(chunk))];
      chunk->before = list;
      list = chunk;
      chunk = next;
      --lent_;
    }
  }
  Chunk* added(int size) {
    if (!region_.begin) reserve();
    const int64_t bytes = least_bytes << size;
    if (size == sizes - 1 || bytes > region_.end() - top_) fail(errors::out_of_memory, "", "there is no address space for %.1f MB more", static_cast<double>(bytes) / 1e6);
    if (bytes > charged_ - top_) {
      const int64_t more = (bytes - (charged_ - top_) + step - 1) / step * step;
      charge_memory(more, "the arena");
      charged_ += more;
    }
    auto* const chunk = reinterpret_cast<Chunk*>(top_);
    top_ += bytes;
    chunk->end = top_;
    return chunk;
  }
  void reserve() {
    region_ = reserve_region(reserved_bytes);
    if (!region_.begin) fail(errors::out_of_memory, "", "no address space is left for the arenas");
    const auto begin = reinterpret_cast<uintptr_t>(region_.begin);
    first_ = top_ = charged_ = region_.begin + (large_page - begin % large_page) % large_page;
    char* const behind_small = first_ + large_page;  // who needs little is not given much
    madvise(behind_small, static_cast<size_t>(region_.end() - behind_small), MADV_HUGEPAGE);
  }

  Region region_;
  char *first_ = nullptr, *top_ = nullptr, *charged_ = nullptr;
  Chunk* free_[sizes] = {};
  int64_t taken_ = 0, most_taken_ = 0, lent_ = 0;
  std::atomic<Chunk*> taken_back_{nullptr};
};

}  // namespace lantern::detail
