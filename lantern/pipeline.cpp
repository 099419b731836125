#include "lantern/pipeline.h"

#include "lantern/activity.h"
#include "lantern/check.h"
#include "lantern/cps.h"
#include "lantern/entry.h"
#include "lantern/loops.h"
#include "lantern/verify.h"
#include "sexpr/reader.h"

namespace lantern {

namespace {

/// The passes over the IR, in order. Debug builds verify after each.
struct Pass {
  const char* name;
  void (*run)(ir::Program&);
};
constexpr Pass passes[] = {
    {"unwrap-entry", unwrap_entry},  // an entry that only passes its arguments on is the function it calls
};

void verify_in_debug([[maybe_unused]] const ir::Program& program, [[maybe_unused]] const char* pass) {
#ifndef NDEBUG
  verify(program, pass);
#endif
}

}  // namespace

std::unique_ptr<ir::Program> to_ir(std::string_view sexpr, const FileName& file, const std::string& name, const std::string& source_name) {
  const sexpr::Document document = sexpr::read(sexpr, file);
  auto program = std::make_unique<ir::Program>(check(document, name, source_name));
  verify_in_debug(*program, "check");
  for (const auto& pass : passes) {
    pass.run(*program);
    verify_in_debug(*program, pass.name);
  }
  return program;
}

Compiled compile(std::string_view sexpr, const FileName& file, const std::string& name, const std::string& source_name) {
  Compiled compiled{to_ir(sexpr, file, name, source_name), {}};
  Activity activity = find_activity(*compiled.ir);
  while (loops_to_recursion(*compiled.ir, activity)) {  // a loop within a loop comes in the next round
    verify_in_debug(*compiled.ir, "loops-to-recursion");
    activity = find_activity(*compiled.ir);
  }
  compiled.lowered = lower(*compiled.ir, std::move(activity));
  return compiled;
}

}  // namespace lantern
