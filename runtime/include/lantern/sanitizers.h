// Which sanitizer code is compiled for, and what the address sanitizer is told of memory that is ours to give: what an arena has not
// allocated, or has forgotten, is read and written by no one.
#pragma once

#include <cstddef>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LANTERN_ASAN 1
#endif
#if __has_feature(thread_sanitizer)
#define LANTERN_TSAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define LANTERN_ASAN 1
#endif
#if defined(__SANITIZE_THREAD__)
#define LANTERN_TSAN 1
#endif

#ifdef LANTERN_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef LANTERN_TSAN
#include <sanitizer/tsan_interface.h>
#endif

namespace lantern::detail {

/// [begin, end) is no one's, until it is given.
inline void forbid([[maybe_unused]] const char* begin, [[maybe_unused]] const char* end) {
#ifdef LANTERN_ASAN
  if (begin < end) __asan_poison_memory_region(begin, static_cast<size_t>(end - begin));
#endif
}
inline void permit([[maybe_unused]] const char* begin, [[maybe_unused]] const char* end) {
#ifdef LANTERN_ASAN
  if (begin < end) __asan_unpoison_memory_region(begin, static_cast<size_t>(end - begin));
#endif
}

}  // namespace lantern::detail
