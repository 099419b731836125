// lantern check: a program as plain Python and compiled, on random arguments.
#include "cli/check.h"

#include <fmt/format.h>

#include <charconv>
#include <memory>
#include <optional>

#include "cli/input.h"
#include "cli/staging.h"

namespace lantern::cli {

namespace {

struct Check {
  std::string file, entry, dtype = "f64", python;
  std::vector<std::string> flags;
  int calls = 100, seed = 1;
};

int run(const Check& command) {
  const auto input = read_python(command.file, "'lantern check' takes a Python file", "an .sexpr file has no plain meaning to compare with");
  stage({.file = input.file,
         .source = input.is_stdin ? std::optional(input.text) : std::nullopt,
         .entry = command.entry,
         .emit = "so",
         .dtype = command.dtype,
         .mode = "check",
         .arguments = command.flags,
         .calls = command.calls,
         .seed = command.seed,
         .python = command.python});
  return 0;
}

// CLI11's own say their range, up to the largest number that a double has.
CLI::Validator at_least(int least) {
  const auto check = [least](const std::string& text) {
    int value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec == std::errc::invalid_argument || read.ptr != text.data() + text.size()) return fmt::format("'{}' is not a whole number", text);
    if (read.ec == std::errc::result_out_of_range) return fmt::format("{} is too large, or too small", text);
    return value < least ? fmt::format("{} is not {} or more", value, least) : std::string();
  };
  return CLI::Validator(check, "");
}

}  // namespace

void add_check(CLI::App& app, const std::vector<std::string>& flags, std::function<int()>& chosen) {
  auto& command = *app.add_subcommand("check", "Compare a Python file's entries, plain and compiled, on random arguments");
  const auto options = std::make_shared<Check>();
  options->flags = flags;
  command.add_option("--calls", options->calls, "How many calls of each entry are to return (default: 100)")->check(at_least(1))->type_name("N");
  command.add_option("--seed", options->seed, "What the arguments are drawn from (default: 1)")->check(at_least(0))->type_name("N");
  command.add_option("--dtype", options->dtype, "f32 or f64 (default), of arrays and parameters; gradients are compared in f64")
      ->check(CLI::IsMember({"f32", "f64"}))
      ->type_name("DTYPE");
  command.add_option("--python", options->python, "The Python to run with (default: python3)")->type_name("PATH");
  command.add_option("FILE", options->file, "FILE.py; - for standard input")->required();
  command.add_option("ENTRY", options->entry, "The function to check, instead of all entries; flags behind it give arguments that are not to be random");
  command.footer("Examples:\n"
                 "  lantern check model.py                   every entry, 100 calls each\n"
                 "  lantern check model.py loss --calls 1000");
  command.callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace lantern::cli
