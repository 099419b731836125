// frontend_convert FILE [LINE NAME [COLUMN]]: prints a file, or one function, as converted Python.
// frontend_convert --serve: reads {"file": …, "line": …, "name": …, "column": …} on standard input, one a line, and
// answers each with one line of JSON: {"code", "map" (unless "map" is false), "free", "left_alone": [[function, code, reason, line]…]}, with
// "unconverted" where the function asked for stays plain, or {"error", "code"}. For tests.
// frontend_convert --roundtrip [--map]: reads file names on standard input, one a line, and answers each with its text, parsed and printed: {"file",
// "text"} or {"file", "error", "code", "line", "column"}. With --map, `map` lists [line, column, end_line, end_column] of the output and of its origin.
#include <cstdlib>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "frontend/parse.h"
#include "frontend/source_files.h"
#include "frontend/unparse.h"
#include "support/diagnostic.h"
#include "support/file.h"

namespace {

using namespace lantern;
using nlohmann::json;

json answer(const json& request, SourceFiles& files) {
  const std::string file = request.at("file");
  try {
    const FunctionPlace place{request.value("line", 0), request.value("name", ""), request.value("column", 0)};
    const std::string source = read_file(file);
    const Conversion conversion = place.line ? files.read(source, file).convert(place) : convert(source, file);
    json reply{{"code", conversion.text}, {"free", conversion.free_variables}};
    if (request.value("map", true)) reply["map"] = conversion.source_map;
    reply["left_alone"] = json::array();
    for (const Unconverted& each : conversion.unconverted) {
      reply["left_alone"].push_back({each.function, each.code, each.reason, each.location.line});
    }
    if (conversion.text.empty() && !conversion.unconverted.empty()) reply["unconverted"] = conversion.unconverted.back().reason;
    return reply;
  } catch (const Failure& failure) {
    return {{"error", render(failure.diagnostics)}, {"code", failure.diagnostics[0].code}};
  }
}

int print_converted(int argc, char** argv) {
  const std::string source = read_file(argv[1]);
  const Conversion conversion = argc > 3 ? SourceFile(source, argv[1]).convert({std::atoi(argv[2]), argv[3], argc > 4 ? std::atoi(argv[4]) : 0})
                                         : convert(source, argv[1]);
  std::cout << conversion.text;
  for (const Unconverted& each : conversion.unconverted) {
    std::cerr << argv[1] << ":" << each.location.line << ": '" << each.function << "' is left as it is: " << each.reason
              << " [" << each.code << "]\n";
  }
  return 0;
}

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
  if (argc < 2) {
    std::cerr << "usage: frontend_convert FILE [LINE NAME [COLUMN]]\n       frontend_convert --serve\n       frontend_convert --roundtrip [--map]\n";
    return 2;
  }
  if (std::string(argv[1]) == "--serve") {
    SourceFiles files;
    for (std::string line; std::getline(std::cin, line);) {
      std::cout << answer(json::parse(line), files).dump(-1, ' ', false, json::error_handler_t::replace) << std::endl;
    }
    return 0;
  }
  if (std::string(argv[1]) == "--roundtrip") {
    const bool with_map = argc > 2 && std::string(argv[2]) == "--map";
    for (std::string file; std::getline(std::cin, file);) {
      // A path or a quoted line need not be UTF-8.
      std::cout << roundtrip(file, with_map).dump(-1, ' ', false, json::error_handler_t::replace) << std::endl;
    }
    return 0;
  }
  try {
    return print_converted(argc, argv);
  } catch (const Failure& failure) {
    std::cerr << render(failure.diagnostics);
    return static_cast<int>(failure.outcome());
  }
}
