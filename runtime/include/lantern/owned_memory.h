// Memory that frames own outside of the arena, where it outlives what a turn leaves there. A frame gives it back at its end; what a frame owned that
// an error has abandoned, the run gives back (stack.h), or the attempt at calls side by side (fibers.h).
#pragma once

#include <cstdint>
#include <cstdlib>
#include <new>

#include "lantern/memory.h"

namespace lantern::detail {

/// In front of the memory.
struct alignas(16) OwnedBlock {
  OwnedBlock *older, *newer;
  int64_t bytes, number;
};

/// This thread's blocks, of which each has a higher number than those that are older.
struct OwnedBlocks {
  OwnedBlock* newest = nullptr;
  int64_t begun = 0;  // so many there have been
};
inline thread_local OwnedBlocks owned_blocks;

inline void link_owned(OwnedBlock* block, OwnedBlock* in_older, OwnedBlock* in_newer) {
  if (block->older) block->older->newer = in_older;
  (block->newer ? block->newer->older : owned_blocks.newest) = in_newer;
}

/// `memory` with room for so many bytes, more than it has; null: a block of its own. Fails with OutOfMemory.
inline void* grow_owned(void* memory, int64_t bytes, const char* what) {
  OwnedBlock* const before = memory ? static_cast<OwnedBlock*>(memory) - 1 : nullptr;
  const int64_t more = bytes - (before ? before->bytes : 0);
  charge_memory(more, what);
  auto* const block = static_cast<OwnedBlock*>(std::realloc(before, sizeof(OwnedBlock) + static_cast<size_t>(bytes)));
  if (!block) {
    release_memory(more);
    throw std::bad_alloc();
  }
  if (!before) *block = {owned_blocks.newest, nullptr, 0, ++owned_blocks.begun};
  block->bytes = bytes;
  link_owned(block, block, block);
  return block + 1;
}

inline void give_back_owned(void* memory) {
  if (!memory) return;
  OwnedBlock* const block = static_cast<OwnedBlock*>(memory) - 1;
  link_owned(block, block->newer, block->older);
  release_memory(block->bytes);
  std::free(block);
}

/// All that was begun behind the first `begun` blocks: the frames that owned it are gone.
inline void give_back_abandoned(int64_t begun) {
  while (owned_blocks.newest && owned_blocks.newest->number > begun) give_back_owned(owned_blocks.newest + 1);
}

}  // namespace lantern::detail
