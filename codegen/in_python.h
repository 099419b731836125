#pragma once

#include <map>
#include <string>

#include "lantern/lowered.h"

namespace lantern {

/// An expression as the user wrote it, for a message: his names, without the numbers that staging puts behind them. made_up: what names that
/// are not his stand for, as far as that is known.
std::string in_python(const lowered::ExprPtr& e, const ir::Function& function, const std::map<const ir::Variable*, lowered::ExprPtr>& made_up);

}  // namespace lantern
