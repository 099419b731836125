#include "api/stages.h"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <memory>

#include "lantern/check.h"
#include "lantern/operators.h"
#include "lantern/types.h"
#include "sexpr/printer.h"
#include "sexpr/reader.h"
#include "support/diagnostic.h"

#if __has_include("frontend/convert.h")
#include "frontend/convert.h"
#endif
#if __has_include("lantern/pipeline.h")
#include "lantern/pipeline.h"
#endif

namespace lantern::stages {

std::string convert(std::string_view, const std::string& file, const CallOptions&) {
  throw Failure({.code = "LT0809",
                 .location = {},
                 .message = fmt::format("'{}' cannot be converted: this build has no Python front end", file),
                 .outcome = Outcome::usage_is_wrong});
}

std::string compile(std::string_view sexpr, const std::string& file, const CallOptions& options) {
  const auto emit = options.text("emit", "sexpr");
  if (emit == "sexpr") return sexpr::print(sexpr::read(sexpr, file));
  throw Failure({.code = "LT0809",
                 .location = {},
                 .message = fmt::format("there is nothing to emit called '{}'", emit),
                 .hint = "there are: sexpr, ir, cps, cpp, files, so",
                 .outcome = Outcome::usage_is_wrong});
}

std::string infer(std::string_view operation) {
  const auto document = sexpr::read(operation, "<operation>");
  if (document.items.size() != 1) {
    throw Failure({.code = "LT0809",
                   .location = {},
                   .message = "one operation's result can be inferred at a time",
                   .outcome = Outcome::usage_is_wrong});
  }
  return to_string(lantern::infer(*document.items[0]));
}

std::string operators() { return describe_operators(); }

std::string program_name(const std::string& file) {
  std::string name = std::filesystem::path(file).stem().string();
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) name = "program_" + name;
  return name;
}

}  // namespace lantern::stages
