#include "cli/passes.h"

#include <fmt/format.h>

#include "api/stages.h"

namespace lantern::cli {

void PassFlags::add_to(CLI::App& command) {
  const char* group = "Passes";
  command.add_option("--print-after", print_after, fmt::format("Show on stderr the program behind a pass: all, {}", fmt::join(stages::passes(), ", ")))
      ->type_name("PASS")->allow_extra_args(false)->group(group);
  command.add_option("--disable-pass", disable, fmt::format("Leave out a pass that a program can do without: {}", fmt::join(stages::optional_passes(), ", ")))
      ->type_name("PASS")->allow_extra_args(false)->group(group);
  command.add_option("--schedule", schedule, "Calls that do not depend on each other: side by side where they share products (auto), wherever they can be (batched), or one after another (depth-first)")
      ->check(CLI::IsMember({"auto", "batched", "depth-first"}))->type_name("SCHEDULE")->group(group);
  command.add_flag("--remarks", remarks, "Show on stderr which calls are batched, and which are not and why")->group(group);
  command.add_flag("--time-passes", time, "Show on stderr how long each pass took")->group(group);
  command.add_option("--bug-in", bug_in)->group("");  // hidden: a pass that reports a bug, for tests
}

void PassFlags::set(nlohmann::ordered_json& options) const {
  if (!print_after.empty()) options["print_after"] = print_after;
  if (!disable.empty()) options["disable"] = disable;
  if (!schedule.empty()) options["schedule"] = schedule;
  if (remarks) options["remarks"] = true;
  if (time) options["time"] = true;
  if (!bug_in.empty()) options["bug_in"] = bug_in;
}

}  // namespace lantern::cli
