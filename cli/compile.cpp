// lantern compile: a program to C++, or to the text of any stage before it.
#include "cli/compile.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <memory>

#include "api/stages.h"
#include "cli/core.h"
#include "cli/passes.h"
#include "cli/process.h"
#include "cli/report.h"
#include "cli/staging.h"
#include "support/diagnostic.h"
#include "support/file.h"

namespace lantern::cli {

namespace {

struct Compile {
  std::string file, folder, emit, entry, dtype, python, space, depfile;
  PassFlags passes;
  bool verbose = false, standalone = false, check = false;
};

StagingReply staged(const Compile& command) {
  return stage({.file = command.file,
                .entry = command.entry,
                .emit = command.emit.empty() ? "cpp" : command.emit,
                .dtype = command.dtype.empty() ? "f32" : command.dtype,
                .mode = "compile",
                .python = command.python});
}

// A program's S-expressions, whatever the file is written in, the folders of its headers, and the Python files that it imports.
struct Program {
  std::string text;
  std::vector<std::string> folders, imports = {};
};

Program program_of(const Compile& command, const std::string& text) {
  if (suffix_of(command.file) == ".py") {
    auto reply = staged(command);
    return {std::move(reply.sexpr), std::move(reply.folders), std::move(reply.imports)};
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

// As a Makefile says it: what the files are made from.
void write_depfile(const Compile& command, const std::map<std::string, std::string>& files, const Program& program) {
  const auto escaped = [](const std::string& path) {
    std::string text;
    for (const char c : path) {
      if (c == ' ' || c == '#') text += '\\';
      if (c == '$') text += '$';
      text += c;
    }
    return text;
  };
  std::string text;
  for (const auto& [name, contents] : files) text += escaped((std::filesystem::path(command.folder) / name).string()) + ' ';
  text += ": " + escaped(command.file);
  for (const auto& path : program.imports) text += " \\\n  " + escaped(path);
  write_file(command.depfile, text + '\n');
}

// Prints how the files that are there differ from those that would be written. Throws Failure LT0811 if they do.
void check_files(const Compile& command, const std::map<std::string, std::string>& files) {
  std::vector<Diagnostic> stale;
  for (const auto& [name, text] : files) {
    const auto path = (std::filesystem::path(command.folder) / name).string();
    const bool exists = std::filesystem::exists(path);
    if (exists && read_file(path) == text) continue;
    std::fflush(stdout);
    run_process({"diff", "-u", "--label", path, "--label", path + " (generated anew)", exists ? path : "/dev/null", "-"}, text, {});
    stale.push_back({.code = "LT0811",
                     .location = {},
                     .message = fmt::format("'{}' {} what '{}' is compiled to", path, exists ? "is not" : "is missing of", command.file),
                     .hint = "run the same command without --check, and look at what changes",
                     .outcome = Outcome::program_is_wrong});
  }
  if (!stale.empty()) throw Failure(std::move(stale));
}

int run(Compile command) {
  const bool files_are_made = command.emit.empty() || (command.emit == "cpp" && !command.folder.empty());
  if (!files_are_made && (command.standalone || command.check || !command.depfile.empty())) {
    wrong_usage("--standalone, --check and --depfile are of C++ files", "leave --emit out, or say where with -o DIR");
  }
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
  const Program program = program_of(command, text);
  const auto emitted = [&](const std::string& stage) {
    nlohmann::ordered_json options = {{"emit", stage}, {"name", name}, {"namespace", command.space}, {"standalone", command.standalone},
                                      {"source", std::filesystem::path(command.file).filename().string()},
                                      {"folders", program.folders}};
    command.passes.set(options);
    return compile(program.text, suffix_of(command.file) == ".sexpr" ? command.file : name + ".sexpr", options);
  };
  if (files_are_made) {
    if (command.folder.empty()) command.folder = "./" + name + ".lantern";
    const auto files = nlohmann::json::parse(emitted("files")).get<std::map<std::string, std::string>>();
    if (command.check) check_files(command, files);
    else write_files(command, files);
    if (!command.depfile.empty()) write_depfile(command, files, program);
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
  command.add_option("--namespace", options->space, "C++ namespace of what is made, such as acme::models (default: NAME)")->type_name("A::B");
  command.add_flag("--standalone", options->standalone, "Write the runtime's headers, too: what is made then needs Eigen alone");
  command.add_flag("--check", options->check, "Write nothing: exit with 1, and print how the files in DIR differ, if they do");
  command.add_option("--depfile", options->depfile, "Write a Makefile's rule that says what the files are made from")->type_name("FILE");
  command.add_option("--dtype", options->dtype, "f32 or f64, of arrays and parameters (default: f32)")
      ->check(CLI::IsMember({"f32", "f64"}))
      ->type_name("DTYPE");
  command.add_option("--python", options->python, "The Python to stage with (default: python3)")->type_name("PATH");
  options->passes.add_to(command);
  command.add_flag("-v,--verbose", options->verbose, "Say what is written");
  command.callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace lantern::cli
