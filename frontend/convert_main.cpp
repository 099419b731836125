// frontend_convert FILE [LINE NAME [COLUMN]]: prints a file, or one function, as converted Python.
// frontend_convert --serve: reads {"file": …, "line": …, "name": …, "column": …} on standard input, one a line, and
// answers each with one line of JSON: {"code", "map" (unless "map" is false), "free", "left_alone": [[function, code, reason, line]…]}, with
// "unconverted" where the function asked for stays plain, or {"error", "code"}. For tests.
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>

#include "frontend/source_files.h"
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

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: frontend_convert FILE [LINE NAME [COLUMN]]\n       frontend_convert --serve\n";
    return 2;
  }
  if (std::string(argv[1]) == "--serve") {
    SourceFiles files;
    for (std::string line; std::getline(std::cin, line);) {
      std::cout << answer(json::parse(line), files).dump(-1, ' ', false, json::error_handler_t::replace) << std::endl;
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
