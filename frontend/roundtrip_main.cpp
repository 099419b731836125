// frontend_roundtrip: reads file names on standard input, one a line; answers each with one line of JSON,
// {"file": …, "text": …} or {"file": …, "error": …, "line": …, "column": …}. With --map, `map` lists
// [line, column, end_line, end_column] of the output and of its origin. For tests.
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "frontend/parse.h"
#include "frontend/unparse.h"
#include "support/diagnostic.h"
#include "support/file.h"

namespace {

using namespace lantern;
using nlohmann::json;

json corners(const syntax::Range& range) { return {range.line, range.column, range.end_line, range.end_column}; }

json roundtrip(const std::string& file, bool with_map) {
  json answer{{"file", file}};
  try {
    const auto module = syntax::parse(read_file(file), std::make_shared<const std::string>(file));
    const auto unparsed = syntax::unparse(module);
    answer["text"] = unparsed.text;
    if (!with_map) return answer;
    for (const auto& mapping : unparsed.map) answer["map"].push_back({corners(mapping.output), corners(mapping.origin)});
  } catch (const Failure& failure) {
    const Diagnostic& diagnostic = failure.diagnostics[0];
    answer["error"] = render(failure.diagnostics);
    answer["code"] = diagnostic.code;
    answer["line"] = diagnostic.location.line;
    answer["column"] = diagnostic.location.column;
  }
  return answer;
}

}  // namespace

int main(int argc, char** argv) {
  const bool with_map = argc > 1 && std::string(argv[1]) == "--map";
  for (std::string file; std::getline(std::cin, file);) {
    // A path or a quoted line need not be UTF-8.
    std::cout << roundtrip(file, with_map).dump(-1, ' ', false, json::error_handler_t::replace) << std::endl;
  }
}
