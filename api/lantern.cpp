#include "api/lantern.h"

#include "api/options.h"
#include "api/result.h"
#include "api/stages.h"

namespace {

std::string_view view(const char* text, size_t length) { return text ? std::string_view(text, length) : ""; }

std::string file_name(const char* name) { return name && *name ? name : "<program>"; }

}  // namespace

using lantern::CallOptions;

lantern_result* lantern_convert(const char* source, size_t length, const char* filename, const char* options_json) {
  return lantern::as_result([&](std::string&) {
    const CallOptions options(options_json, {"emit", "line", "name", "column"});
    return lantern::stages::convert(view(source, length), file_name(filename), options);
  });
}

lantern_result* lantern_compile(const char* sexpr, size_t length, const char* filename, const char* options_json) {
  return lantern::as_result([&](std::string& log) {
    const CallOptions options(options_json, {"emit", "name", "namespace", "standalone", "dtype", "source", "folders", "print_after", "disable", "schedule", "remarks", "time", "bug_in"});
    return lantern::stages::compile(view(sexpr, length), file_name(filename), options, log);
  });
}

lantern_result* lantern_infer(const char* operation, size_t length) {
  return lantern::as_result([&](std::string&) { return lantern::stages::infer(view(operation, length)); });
}

lantern_result* lantern_operators(void) {
  return lantern::as_result([](std::string&) { return lantern::stages::operators(); });
}

const char* lantern_version(void) { return LANTERN_VERSION; }
