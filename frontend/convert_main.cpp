// frontend_convert FILE [LINE NAME [COLUMN]]: prints a file, or one function, as converted Python.
// frontend_convert --json FILE…: one line of convert_to_json's result a file, or its first error.
#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "frontend/convert.h"
#include "support/file.h"

int main(int argc, char** argv) {
  using namespace lantern;
  if (argc < 2) {
    std::cerr << "usage: frontend_convert FILE [LINE NAME [COLUMN]]\n       frontend_convert --json FILE...\n";
    return 2;
  }
  if (std::string(argv[1]) == "--json") {
    for (int i = 2; i < argc; ++i) {
      try {
        std::cout << convert_to_json(read_file(argv[i]), argv[i], "{}") << "\n";
      } catch (const Failure& failure) {
        std::cout << "error " << failure.diagnostics[0].code << " " << failure.what() << "\n";
      }
      std::cout.flush();
    }
    return 0;
  }
  try {
    ConvertOptions options;
    if (argc > 3) options = {std::atoi(argv[2]), argv[3], argc > 4 ? std::atoi(argv[4]) : 0};
    const Conversion conversion = convert(read_file(argv[1]), argv[1], options);
    std::cout << conversion.text;
    for (const Unconverted& each : conversion.unconverted) {
      std::cerr << argv[1] << ":" << each.location.line << ": '" << each.function << "' is left as it is: " << each.reason
                << " [" << each.code << "]\n";
    }
  } catch (const Failure& failure) {
    std::cerr << render(failure.diagnostics);
    return static_cast<int>(failure.outcome());
  }
  return 0;
}
