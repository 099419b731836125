// The limit on memory: read, charged.
#pragma once

#include <cctype>
#include <cstdio>

#include "lantern/memory.h"

namespace lantern {

LANTERN_INLINE int64_t parse_bytes(const char* text) {
  char* end = nullptr;
  const double amount = std::strtod(text, &end);
  if (end == text || !(amount > 0) || amount > 1e18) return 0;
  int shift = 0;
  const char unit = *end ? *end++ : '\0';
  if (unit && std::toupper(static_cast<unsigned char>(*end)) == 'B') ++end;  // 8GB
  if (*end) return 0;
  switch (std::toupper(static_cast<unsigned char>(unit))) {
    case 'K': shift = 10; break;
    case 'M': shift = 20; break;
    case 'G': shift = 30; break;
    case 'T': shift = 40; break;
    case '\0': break;
    default: return 0;
  }
  return static_cast<int64_t>(std::min(amount * static_cast<double>(int64_t{1} << shift), 4e18));
}

namespace detail {

LANTERN_INLINE void check_settings() {
  for (const char* name : {"LANTERN_MEMORY", "LANTERN_STACK"}) {
    const char* text = std::getenv(name);
    if (text && *text && parse_bytes(text) == 0) fail(errors::setting, "", "%s is '%s', which is no number of bytes such as 512M or 8G", name, text);
  }
  const char* text = std::getenv("LANTERN_THREADS");
  char* end = nullptr;
  if (text && *text && (std::strtol(text, &end, 10) < 1 || *end)) fail(errors::setting, "", "LANTERN_THREADS is '%s', which is no number of threads, 1 or more", text);
}

LANTERN_INLINE int64_t default_memory_limit() {
  const int64_t physical = int64_t{sysconf(_SC_PHYS_PAGES)} * int64_t{sysconf(_SC_PAGESIZE)};
  int64_t available = physical;
  if (std::FILE* group = std::fopen("/sys/fs/cgroup/memory.max", "r")) {  // a container's own limit
    long long bytes = 0;
    if (std::fscanf(group, "%lld", &bytes) == 1 && bytes > 0) available = std::min<int64_t>(available, bytes);
    std::fclose(group);
  }
  int64_t limit = available / 4 * 3;
  if (const char* text = std::getenv("LANTERN_MEMORY"))
    if (const int64_t bytes = parse_bytes(text)) limit = std::min(limit, bytes);
  return limit;
}

}  // namespace detail

LANTERN_INLINE int64_t memory_limit() {
  int64_t limit = detail::memory_limit_bytes.load(std::memory_order_relaxed);
  if (limit == 0) {
    limit = detail::default_memory_limit();
    detail::memory_limit_bytes.store(limit, std::memory_order_relaxed);
  }
  return limit;
}

LANTERN_INLINE void charge_memory(int64_t bytes, const char* what) {
  const int64_t before = detail::memory_charged.fetch_add(bytes, std::memory_order_relaxed);
  if (before > memory_limit() - bytes) {
    detail::memory_charged.fetch_sub(bytes, std::memory_order_relaxed);
    fail(errors::out_of_memory, "", "%s needs %.1f MB more, and %.1f MB of the limit of %.1f MB are in use (LANTERN_MEMORY)",
         what, static_cast<double>(bytes) / 1e6, static_cast<double>(before) / 1e6,
         static_cast<double>(memory_limit()) / 1e6);
  }
}

LANTERN_INLINE Region reserve_region(int64_t wanted) {
#ifdef LANTERN_TSAN
  wanted = std::min(wanted, int64_t{1} << 34);
#endif
  constexpr int64_t least = int64_t{1} << 20;
  for (int64_t size = wanted; size >= least; size /= 2) {
    void* const begin = mmap(nullptr, static_cast<size_t>(size), PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (begin == MAP_FAILED) continue;
    const int64_t kept = size == wanted ? size : std::max(size / 8, least);
    if (kept < size) munmap(static_cast<char*>(begin) + kept, static_cast<size_t>(size - kept));
    return {static_cast<char*>(begin), kept};
  }
  return {};
}

LANTERN_INLINE void discard_pages(char* begin, char* end) {
  const auto up = (reinterpret_cast<uintptr_t>(begin) + page_bytes - 1) / page_bytes * page_bytes;
  const auto down = reinterpret_cast<uintptr_t>(end) / page_bytes * page_bytes;
  if (up < down) madvise(reinterpret_cast<void*>(up), down - up, MADV_DONTNEED);
}

}  // namespace lantern
