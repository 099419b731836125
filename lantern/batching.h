#pragma once

#include <functional>
#include <string>

#include "lantern/activity.h"
#include "lantern/ir.h"

namespace lantern {

/// When calls that do not depend on each other are made side by side: where they share a product with a parameter; never; or
/// wherever they can be.
enum class Schedule { automatic, depth_first, batched };

/// What became of calls that might be made side by side: `text` says it of what stands at `location`, and why where they are not.
struct Remark {
  Location location;
  std::string text;
  bool batched;
};

/// Finds calls that depend on none of each other's results: neighbours in a block, which it brings together and marks
/// (`Binding::at_once`), and turns of a loop, which become an `Each`. Either all of them carry an adjoint, or none does. Calls that
/// print, draw or change something keep their order. Whether there were any; `remark` is told of each place, and of what is not batched and why.
bool batch(ir::Program& program, const Activity& activity, Schedule schedule, const std::function<void(const Remark&)>& remark);

}  // namespace lantern
