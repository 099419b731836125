// The arena where it has no room, or too much of it.
#pragma once

#include "lantern/arena.h"

namespace lantern {

LANTERN_INLINE void Arena::grow(int64_t bytes) {
  if (chunks_) {
    chunk_ = chunks_->take(bytes, chunk_);
    top_ = begin_ = chunk_->begin();
    limit_ = end_ = chunk_->end;
    detail::forbid(begin_, end_);
    return;
  }
  if (!begin_) {
    static_cast<void>(&detail::arena_release);  // touched, so that this thread's end runs its destructor
    const Region region = reserve_region(reserved_bytes);
    if (!region.begin) fail(errors::out_of_memory, "", "no address space is left for the arena");
    top_ = limit_ = begin_ = region.begin;
    end_ = region.end();
  }
  char* block = align(top_);
  if (bytes > end_ - block) fail(errors::out_of_memory, "", "the arena, of %.1f MB of addresses, cannot hold %.1f MB more", static_cast<double>(end_ - begin_) / 1e6, static_cast<double>(bytes) / 1e6);
  const int64_t missing = block + bytes - limit_, step = std::max(int64_t{1} << 14, (end_ - begin_) >> 18);
  const int64_t rounded = std::min((missing + step - 1) / step * step, static_cast<int64_t>(end_ - limit_));
  charge_memory(rounded, "the arena");
  detail::forbid(limit_, limit_ + rounded);
  limit_ += rounded;
}

/// To a mark in another chunk; null: to the begin of all.
LANTERN_INLINE void Arena::go_back(char* top) {
  detail::forget_places();
  forget_texts(nullptr);
  if (!chunks_) {
    detail::forbid(begin_, top_);
    top_ = begin_;
    return;
  }
  while (chunk_ && !(top && chunk_->holds(top))) {
    detail::permit(chunk_->begin(), chunk_->end);
    chunks_->give_back(std::exchange(chunk_, chunk_->before));
  }
  begin_ = chunk_ ? chunk_->begin() : nullptr;
  limit_ = end_ = chunk_ ? chunk_->end : nullptr;
  if (chunk_) detail::forbid(top, end_);
  top_ = top;
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
  if (!begin_) return;
  detail::permit(begin_, limit_);
  munmap(begin_, static_cast<size_t>(end_ - begin_));
  release_memory(limit_ - begin_);
  *this = Arena{};
}

}  // namespace lantern
