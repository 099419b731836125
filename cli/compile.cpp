// lantern compile: a program to C++, or to the text of any stage before it.
#include "cli/compile.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <memory>

#include "api/stages.h"
#include "cli/core.h"
#include "cli/passes.h"
#include "cli/report.h"
#include "cli/staging.h"
#include "support/diagnostic.h"
#include "support/file.h"

namespace lantern::cli {

namespace {

struct Compile {
  std::string file, folder, emit, entry, dtype, python;
  PassFlags passes;
  bool verbose = false;
};

StagingReply staged(const Compile& command) {
  return stage({.file = command.file,
                .entry = command.entry,
                .emit = command.emit.empty() ? "cpp" : command.emit,
                .dtype = command.dtype.empty() ? "f32" : command.dtype,
                .mode = "compile",
                .python = command.python});
}

// A program's S-expressions, whatever the file is written in, and the folders of its headers.
struct Program {
  std::string text;
  std::vector<std::string> folders;
};

Program program_of(const Compile& command, const std::string& text) {
  if (suffix_of(command.file) == ".py") {
    auto reply = staged(command);
    return {std::move(reply.sexpr), std::move(reply.folders)};
  }
  if (!command.entry.empty()) {
    wrong_usage("--entry chooses among the functions of a Python file", "an .sexpr file has (export …) items");
  }
  if (!command.dtype.empty()) wrong_usage("--dtype is for Python files", "an .sexpr file states its types");
  const auto folder = std::filesystem::path(command.file).parent_path();
  return {text, {folder.empty() ? "." : folder.string()}};
}

void write_files(const Compile& command, const std::map<std::string, std::string>& files) {
  for (const auto& [name, text] : files) {
    const auto path = (std::filesystem::path(command.folder) / name).string();
    write_file(path, text);
    if (command.verbose) fmt::print(stderr, "wrote {}\n", path);
  }
}

int run(Compile command) {
  const auto name = stages::program_name(command.file);
  const auto text = read_file(command.file);
  if (command.emit == "analysis" || command.emit == "python" || command.emit == "staging") {
    if (suffix_of(command.file) != ".py") wrong_usage(fmt::format("--emit {} is of a Python file", command.emit));
    const auto shown = command.emit == "analysis" ? analyse(text, command.file)
                       : command.emit == "python" ? convert(text, command.file)
                                                  : staged(command).staging;
    if (command.folder.empty()) print(shown);
    else write_files(command, {{name + "." + (command.emit == "python" ? "py" : command.emit), shown}});
    return 0;
  }
  const auto emitted = [&, program = program_of(command, text)](const std::string& stage) {
    nlohmann::ordered_json options = {{"emit", stage}, {"name", name},
                                      {"source", std::filesystem::path(command.file).filename().string()},
                                      {"folders", program.folders}};
    command.passes.set(options);
    return compile(program.text, suffix_of(command.file) == ".sexpr" ? command.file : name + ".sexpr", options);
  };
  if (command.emit.empty() || (command.emit == "cpp" && !command.folder.empty())) {
    if (command.folder.empty()) command.folder = "./" + name + ".lantern";
    write_files(command, nlohmann::json::parse(emitted("files")).get<std::map<std::string, std::string>>());
  } else if (command.emit == "so") {
    const auto path = emitted("so");
    if (command.folder.empty()) print(path + "\n");
    else write_files(command, {{name + ".so", read_file(path)}});
  } else if (command.folder.empty()) {
    print(emitted(command.emit));
  } else {
    write_files(command, {{name + "." + command.emit, emitted(command.emit)}});
  }
  return 0;
}

}  // namespace

std::string suffix_of(const std::string& file) {
  const auto suffix = std::filesystem::path(file).extension().string();
  if (suffix != ".py" && suffix != ".sexpr") {
    wrong_usage(fmt::format("'{}' is neither a .py nor a .sexpr file", file));
  }
  return suffix;
}

void add_compile(CLI::App& app, std::function<int()>& chosen) {
  auto& command = *app.add_subcommand("compile", "Compile a Python file, or S-expressions, to C++");
  const auto options = std::make_shared<Compile>();
  command.add_option("FILE", options->file, "FILE.py or FILE.sexpr")->required();
  command.add_option("-o", options->folder, "Folder for what is made (default: ./NAME.lantern)")->type_name("DIR");
  command.add_option("--emit", options->emit, "Stop at a stage; without -o, print its text")
      ->check(CLI::IsMember({"analysis", "python", "staging", "sexpr", "ir", "cps", "cpp", "so"}))
      ->type_name("STAGE");
  command.add_option("--entry", options->entry, "The function to export, instead of the marked ones")->type_name("NAME");
  command.add_option("--dtype", options->dtype, "f32 or f64, of arrays and parameters (default: f32)")
      ->check(CLI::IsMember({"f32", "f64"}))
      ->type_name("DTYPE");
  command.add_option("--python", options->python, "The Python to stage with (default: python3)")->type_name("PATH");
  options->passes.add_to(command);
  command.add_flag("-v,--verbose", options->verbose, "Say what is written");
  command.callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace lantern::cli
