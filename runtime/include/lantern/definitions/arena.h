// The arena where it has no room, or too much of it.
#pragma once

#include "lantern/arena.h"

namespace lantern {

LANTERN_INLINE void Arena::grow(int64_t bytes) {
  if (!region_.begin) {
    static_cast<void>(&detail::arena_release);  // touched, so that this thread's end runs its destructor
    region_ = reserve_region(reserved_bytes);
    if (!region_.begin) fail(errors::out_of_memory, "", "no address space is left for the arena");
    top_ = limit_ = region_.begin;
  }
  char* block = align(top_);
  if (bytes > region_.end() - block) fail(errors::out_of_memory, "", "the arena cannot hold %.1f MB more", static_cast<double>(bytes) / 1e6);
  const int64_t missing = block + bytes - limit_, step = std::max(int64_t{1} << 14, region_.size >> 18);
  const int64_t rounded = std::min((missing + step - 1) / step * step, static_cast<int64_t>(region_.end() - limit_));
  charge_memory(rounded, "the arena");
  limit_ += rounded;
}

LANTERN_INLINE void Arena::refuse(int64_t count) { fail(errors::out_of_memory, "", "an array of %lld elements", static_cast<long long>(count)); }

LANTERN_INLINE void Arena::trim() {
  if (limit_ - align(top_) < 2 * trim_slack) return;
  char* keep = align(top_) + trim_slack;
  discard_pages(keep, limit_);
  release_memory(limit_ - keep);
  limit_ = keep;
}

LANTERN_INLINE void Arena::release() {
  if (!region_.begin) return;
  munmap(region_.begin, static_cast<size_t>(region_.size));
  release_memory(limit_ - region_.begin);
  *this = Arena{};
}

}  // namespace lantern
