// Results moved down to a mark.
#pragma once

#include "lantern/keep.h"

namespace lantern::detail {

LANTERN_INLINE bool move_down(Mark mark, Block* begin, Block* end) {
  if (!arena().is_contiguous(mark)) return false;
  end = std::remove_if(begin, end, [&](const Block& block) {
    return block.bytes == 0 || !arena().holds(block.begin) || !arena().is_above(block.begin + block.bytes, mark);
  });
  for (Block* block = begin; block != end; ++block) {  // in order; g++ 12 warns of std::sort's blocks of sixteen
    for (auto at = block; at != begin && at->begin < at[-1].begin; --at) std::swap(*at, at[-1]);
  }
  const char* free = mark.top;
  for (Block* block = begin; block != end; ++block) {
    const char* place = Arena::align(const_cast<char*>(free));
    const bool shared = block + 1 < end && block->begin + block->bytes > block[1].begin;
    if (place > block->begin || shared) return false;
    free = place + block->bytes;
  }
  const char* const top = arena().top();
  arena().reset(mark);
  permit(mark.top, top);  // what moves lies there
  for (Block* block = begin; block != end; ++block) {
    void* place = arena().allocate(block->bytes);
    if (place != block->begin) std::memmove(place, block->begin, static_cast<size_t>(block->bytes));
    *block->owner = place;
  }
  forbid(arena().top(), top);
  return true;
}

}  // namespace lantern::detail
