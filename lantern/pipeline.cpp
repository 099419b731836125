#include "lantern/pipeline.h"

#include "lantern/activity.h"
#include "lantern/check.h"
#include "lantern/cps.h"
#include "lantern/entry.h"
#include "sexpr/reader.h"

namespace lantern {

std::unique_ptr<ir::Program> to_ir(std::string_view sexpr, const FileName& file, const std::string& name, const std::string& source_name) {
  const sexpr::Document document = sexpr::read(sexpr, file);
  auto program = std::make_unique<ir::Program>(check(document, name, source_name));
  unwrap_entry(*program);
  return program;
}

Compiled compile(std::string_view sexpr, const FileName& file, const std::string& name, const std::string& source_name) {
  Compiled compiled{to_ir(sexpr, file, name, source_name), {}};
  Activity activity = find_activity(*compiled.ir);
  compiled.lowered = lower(*compiled.ir, std::move(activity));
  return compiled;
}

}  // namespace lantern
