#pragma once

#include "lantern/forward_mode.h"

namespace lantern {

/// Writes the body and the formals of `out`, which computes what `function` does and the tangents of what varies in it.
/// `found`: what does, for the choice `mask` of its formals. Other derived functions come from `tangents`.
void derive(const ir::Function& function, const std::vector<bool>& mask, const Varied::Found& found, ir::Function& out,
            ir::Program& program, Tangents& tangents);

/// Whether a run of the function prints, draws, reads files or changes a state.
bool has_effect(const ir::Function& function);
/// The block itself, nested ones and callees aside.
bool has_effect(const ir::Block& block);

}  // namespace lantern
