// lantern run: compile a program and call one of its entries, its parameters given as flags.
#include "cli/run.h"

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "cli/core.h"
#include "cli/input.h"
#include "cli/passes.h"
#include "cli/program.h"
#include "cli/staging.h"

namespace lantern::cli {

namespace {

struct Run {
  std::string file, entry, dtype = "f32", python;
  std::vector<std::string> flags;
  PassFlags passes;
};

int run(const Run& command) {
  const auto input = read_python(command.file, "'lantern run' takes a Python file", "an .sexpr file can be compiled: lantern compile");
  const auto reply = stage({.file = input.file,
                            .source = input.is_stdin ? std::optional(input.text) : std::nullopt,
                            .entry = command.entry,
                            .emit = "so",
                            .dtype = command.dtype,
                            .mode = "run",
                            .arguments = command.flags,
                            .python = command.python});
  if (reply.ended) return 0;
  nlohmann::ordered_json options = {{"emit", "so"}, {"name", input.name}, {"source", input.base_name()}, {"folders", reply.folders}};
  command.passes.set(options);
  const auto shared_object = compile(reply.sexpr, input.name + ".sexpr", options);
  run_program(shared_object, reply.entry, reply.arguments, input.file);
  return 0;
}

}  // namespace

void add_run(CLI::App& app, const std::vector<std::string>& flags, std::function<int()>& chosen) {
  auto& command = *app.add_subcommand("run", "Compile a Python file and call one of its entries");
  const auto options = std::make_shared<Run>();
  options->flags = flags;
  command.add_option("--dtype", options->dtype, "f32 or f64, of arrays and parameters (default: f32)")
      ->check(CLI::IsMember({"f32", "f64"}))
      ->type_name("DTYPE");
  command.add_option("--python", options->python, "The Python to stage with (default: python3)")->type_name("PATH");
  options->passes.add_to(command);
  command.add_option("FILE", options->file, "FILE.py; - for standard input")->required();
  command.add_option("ENTRY", options->entry, "The function to call; its flags follow (ENTRY --help shows them). Without it, the entries are listed");
  command.footer("Examples:\n"
                 "  lantern run model.py train --epochs 3    compiles the file, calls train(epochs=3), and prints what it returns\n"
                 "  lantern run model.py train --help        its flags, which are its parameters");
  command.callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

std::vector<std::string> take_entry_flags(std::vector<std::string>& arguments) {
  const auto takes_value = [](const std::string& word) {
    return word == "--dtype" || word == "--python" || word == "--diagnostics-format" || word == "--print-after" || word == "--disable-pass" || word == "--schedule" || word == "--bug-in" ||
           word == "--calls" || word == "--seed";
  };
  int positionals = 0;  // run or check, FILE, ENTRY
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (takes_value(arguments[i])) {
      ++i;
    } else if (!arguments[i].starts_with("-") || arguments[i] == "-") {
      if (positionals == 0 && arguments[i] != "run" && arguments[i] != "check") break;
      if (++positionals < 3) continue;
      std::vector<std::string> flags(arguments.begin() + i + 1, arguments.end());
      arguments.resize(i + 1);
      return flags;
    }
  }
  return {};
}

}  // namespace lantern::cli
