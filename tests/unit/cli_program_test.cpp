#include <doctest/doctest.h>

#include <string>

#include "cli/program.h"
#include "support/diagnostic.h"

using namespace lantern;

namespace {

std::string error_of(const std::string& library, const std::string& entry, const nlohmann::ordered_json& arguments,
                     Outcome outcome) {
  try {
    cli::run_program(library, entry, arguments, "somewhere/model.py");
  } catch (const Failure& failure) {
    CHECK(failure.outcome() == outcome);
    return render(failure.diagnostics);
  }
  return "";
}

const std::string program = LANTERN_TEST_PROGRAM;

}  // namespace

TEST_CASE("arguments arrive as the manifest types them, and results have room") {
  CHECK(error_of(program, "scale",
                 {{"frozen", true}, {"path", std::string("a\0b/c", 5)}, {"epochs", -3}, {"rate", 0.05}, {"bound", "inf"}},
                 Outcome::fine) == "");
}

TEST_CASE("an error of the program is one of the user's, in the file that the user named") {
  CHECK(error_of(program, "fail", {{"how", 0}}, Outcome::program_is_wrong) ==
        "somewhere/model.py:3:14: error: ZeroDivisionError: division by zero [LT0705]\n");
  CHECK(error_of(program, "fail", {{"how", 1}}, Outcome::environment) ==
        "data/train.txt:7:2: error: DataError: a label is not an integer [LT0720]\n");
}

TEST_CASE("bad: what cannot be called") {
  CHECK(error_of(program, "no_such", {}, Outcome::environment) ==
        "error: cannot load the built program: it has no entry 'no_such' [LT0602]\n");
  CHECK(error_of(program, "tree", {{"tree", 1}}, Outcome::usage_is_wrong) ==
        "error: no flag can give 'tree' a value: its type is Tree [LT0805]\n"
        "  hint: an entry that is run takes bool, int, float and str\n");
  CHECK(error_of("/nowhere.so", "f", {}, Outcome::environment).starts_with("error: cannot load the built program: /nowhere.so:"));
}
