#include "lantern/pipeline.h"

#include "lantern/activity.h"
#include "lantern/alike_functions.h"
#include "lantern/batching.h"
#include "lantern/check.h"
#include "lantern/cps.h"
#include "lantern/dead_variables.h"
#include "lantern/deferred_steps.h"
#include "lantern/entry.h"
#include "lantern/forward_mode.h"
#include "lantern/fused_adjoints.h"
#include "lantern/gradient_accumulation.h"
#include "lantern/hoist.h"
#include "lantern/inlined_calls.h"
#include "lantern/inlined_gradients.h"
#include "lantern/integer_ranges.h"
#include "lantern/joined_adjoints.h"
#include "lantern/joined_products.h"
#include "lantern/lazy_adjoints.h"
#include "lantern/lazy_values.h"
#include "lantern/loops.h"
#include "lantern/lowering.h"
#include "lantern/model_use.h"
#include "lantern/nested_gradients.h"
#include "lantern/overwritten_values.h"
#include "lantern/shared_loops.h"
#include "lantern/shared_values.h"
#include "lantern/snapshots.h"
#include "lantern/taken_memory.h"
#include "lantern/taped_functions.h"
#include "lantern/transposed_products.h"
#include "lantern/writes_in_place.h"
#include "sexpr/printer.h"
#include "sexpr/reader.h"

namespace lantern {

namespace {

constexpr int most_nested = 8;  // gradients within gradients; a function that takes its own has no end

}  // namespace

std::unique_ptr<ir::Program> to_ir(const Source& source, Passes& passes) {
  const auto document = passes.run("read", [&] { return sexpr::read(source.sexpr, source.file); });
  passes.made("read", [&] { return sexpr::print(document); });
  auto program = passes.run("check", [&] { return std::make_unique<ir::Program>(check(document, source.name, source.source_name)); });
  passes.made("check", *program);
  passes.run("unwrap-entry", *program, unwrap_entry);
  passes.run("merge-functions", *program, merge_alike);
  passes.run("forward-mode", *program, forward_mode);
  passes.run("hoist", *program, hoist_invariants);
  passes.run("share-values", *program, share_values);
  passes.run("read-transposed", *program, read_transposed);
  return program;
}

Compiled compile(const Source& source, Passes& passes) { return compile(to_ir(source, passes), passes); }

Compiled compile(std::unique_ptr<ir::Program> program, Passes& passes) {
  Compiled compiled{std::move(program), {}};
  const std::size_t users = compiled.ir->functions.size();
  const auto activity_of = [&](const ir::Program& program) { return passes.run("activity", [&] { return find_activity(program); }); };
  Activity activity = activity_of(*compiled.ir);
  // A gradient within a gradient, and a loop within a loop, comes in the next round.
  for (int round = 0; passes.run("nested-gradients", [&] { return nest_gradients(*compiled.ir, activity, round == most_nested); }); ++round) {
    passes.made("nested-gradients", *compiled.ir);
    activity = activity_of(*compiled.ir);
  }
  const auto remark = [&](const Remark& made) { passes.remark(made); };
  while (!passes.leaves_out("inline-calls") && passes.run("inline-calls", [&] { return inline_calls(*compiled.ir, activity); })) {
    passes.made("inline-calls", *compiled.ir);
    activity = activity_of(*compiled.ir);
  }
  // A function that is called otherwise, too, is copied, and the copy's gradient taken in parts in the next round.
  while (!passes.leaves_out("accumulate-gradients") && passes.run("accumulate-gradients", [&] { return accumulate_gradients(*compiled.ir, activity, remark); })) {
    passes.made("accumulate-gradients", *compiled.ir);
    activity = activity_of(*compiled.ir);
  }
  if (!passes.leaves_out("join-products") && passes.run("join-products", [&] { return join_products(*compiled.ir); })) {
    passes.made("join-products", *compiled.ir);
    activity = activity_of(*compiled.ir);
  }
  if (!passes.leaves_out("batch") && passes.run("batch", [&] { return batch(*compiled.ir, activity, passes.options().schedule, remark); })) {
    passes.made("batch", *compiled.ir);
    activity = activity_of(*compiled.ir);
  }
  while (passes.run("loops-to-recursion", [&] { return loops_to_recursion(*compiled.ir, activity); })) {
    passes.made("loops-to-recursion", *compiled.ir);
    activity = activity_of(*compiled.ir);
  }
  if (passes.run("take-snapshots", [&] { return take_snapshots(*compiled.ir); })) {
    passes.made("take-snapshots", *compiled.ir);
    activity = activity_of(*compiled.ir);
  }
  std::set<const ir::Function*> taped;
  if (!passes.leaves_out("tape-recursions")) taped = passes.run("tape-recursions", [&] { return taped_functions(*compiled.ir, activity); });
  std::set<const ir::Function*> inlined;
  if (!passes.leaves_out("inline-gradients")) inlined = passes.run("inline-gradients", [&] { return inlined_gradients(*compiled.ir, activity, taped); });
  passes.run("integer-ranges", *compiled.ir, find_integer_ranges);
  compiled.lowered = passes.run("lower", [&] { return lower(*compiled.ir, std::move(activity), taped, inlined, users); });
  passes.made("lower", compiled.lowered);
  passes.run("defer-values", compiled.lowered, defer_values);
  passes.run("write-in-place", compiled.lowered, write_in_place);
  passes.run("tidy", compiled.lowered, [](lowered::Program& program) {
    for (auto& function : program.functions) remove_dead_variables(function.body);
    lowered::leave_out_marks(program);
    for (auto& function : program.functions) tidy(function);
  });
  passes.run("fuse-adjoints", compiled.lowered, [](lowered::Program& program) {
    for (auto& function : program.functions) fuse_adjoints(function.body);
  });
  passes.run("join-adjoints", compiled.lowered, [](lowered::Program& program) {
    for (auto& function : program.functions) join_terms(function.body), join_adjoints(function.body), remove_dead_variables(function.body);
  });
  passes.run("defer-adjoints", compiled.lowered, [](lowered::Program& program) {
    for (auto& function : program.functions) defer_adjoints(function);
  });
  passes.run("share-loops", compiled.lowered, share_loops);
  passes.run("overwrite-values", compiled.lowered, [](lowered::Program& program) {
    for (auto& function : program.functions) overwrite_values(function.body);
  });
  passes.run("defer-steps", compiled.lowered, defer_steps);
  passes.run("model-use", [&] { find_model_use(compiled.lowered); });
  return compiled;
}

}  // namespace lantern
