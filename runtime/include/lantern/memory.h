// Address space and the limit on memory: regions are reserved large and committed as they are touched, and every
// consumer (arena, stack, gradient records) charges what it commits, so that the limit is met as an error of ours
// and not as the kernel's out-of-memory killer.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>

#include "lantern/definitions.h"
#include "lantern/error.h"
#include "lantern/sanitizers.h"

namespace lantern {

/// "8G", "512M", "64K", "1000" → bytes; 0 if it is none of these.
int64_t parse_bytes(const char* text);

namespace detail {

inline std::atomic<int64_t> memory_limit_bytes{0};  // 0: not asked for yet
inline std::atomic<int64_t> memory_charged{0};

/// LANTERN_MEMORY, LANTERN_STACK and LANTERN_THREADS say what they can, where they are set: a limit that is passed over would be none. Fails with ValueError.
void check_settings();

}  // namespace detail

/// Bytes that arenas, stacks and gradient records of this process may commit together. By default three quarters of
/// physical memory (of the container's, if that is less), or LANTERN_MEMORY ("8G"), whichever is smaller.
int64_t memory_limit();
inline void set_memory_limit(int64_t bytes) { detail::memory_limit_bytes = std::max<int64_t>(bytes, 1); }
inline int64_t memory_in_use() { return detail::memory_charged.load(std::memory_order_relaxed); }

/// Takes `bytes` off what is left, or fails with OutOfMemory. `what` says who asks: "the arena".
void charge_memory(int64_t bytes, const char* what);
inline void release_memory(int64_t bytes) { detail::memory_charged.fetch_sub(bytes, std::memory_order_relaxed); }

/// Address space without memory behind it yet.
struct Region {
  char* begin = nullptr;
  int64_t size = 0;
  char* end() const { return begin + size; }
};

inline constexpr int64_t page_bytes = 4096;

/// Reserves `wanted` bytes; where address space is short, as in a process that has many programs, or under the thread sanitizer, an eighth of what there
/// is in one piece, so that others find some, too. Empty if nothing is left.
Region reserve_region(int64_t wanted);

/// Gives the memory behind [begin, end) back and keeps the addresses.
void discard_pages(char* begin, char* end);

}  // namespace lantern

#include LANTERN_DEFINITIONS("lantern/definitions/memory.h")
