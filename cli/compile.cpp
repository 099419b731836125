// lantern compile: a program to C++, or to the text of any stage before it.
#include "cli/compile.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>

#include "api/stages.h"
#include "cli/core.h"
#include "cli/input.h"
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
  bool standalone = false, check = false;
};

StagingReply staged(const Compile& command, const Input& input) {
  return stage({.file = input.file,
                .source = input.is_stdin ? std::optional(input.text) : std::nullopt,
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

Program program_of(const Compile& command, const Input& input) {
  if (input.is_python) {
    auto reply = staged(command, input);
    return {std::move(reply.sexpr), std::move(reply.folders), std::move(reply.imports)};
  }
  if (!command.entry.empty()) {
    wrong_usage("--entry chooses among the functions of a Python file", "an .sexpr file has (export …) items");
  }
  if (!command.dtype.empty()) wrong_usage("--dtype is for Python files", "an .sexpr file states its types");
  return {input.text, {input.folder()}};
}

// A folder with a string.h of ours on the include path hides <string.h> from the C++ library.
void refuse_name_of_header(const std::string& name) {
  static const std::set<std::string_view> of_systems = {
      "alloca", "assert", "complex", "ctype", "dirent", "dlfcn", "endian", "errno", "fcntl", "features", "fenv", "float", "fnmatch", "getopt", "glob", "grp",
      "iconv", "inttypes", "iso646", "langinfo", "libgen", "libintl", "limits", "locale", "malloc", "math", "mm_malloc", "netdb", "poll", "pthread", "pwd", "regex",
      "sched", "semaphore", "setjmp", "signal", "spawn", "stdalign", "stdarg", "stdatomic", "stdbool", "stddef", "stdint", "stdio", "stdlib", "stdnoreturn", "string",
      "strings", "syslimits", "syslog", "termios", "tgmath", "threads", "time", "uchar", "ucontext", "unistd", "utime", "wchar", "wctype", "wordexp", "zconf", "zlib"};
  if (!of_systems.contains(name)) return;
  throw Failure({.code = "LT0511",
                 .location = {},
                 .message = fmt::format("a model's header cannot be called '{0}.h': whatever includes <{0}.h> would include it instead of the system's", name),
                 .hint = fmt::format("call the file otherwise, as {}_model.py", name),
                 .outcome = Outcome::program_is_wrong});
}

// What --standalone has left in a folder is found before the runtime's headers by what is made there without.
void refuse_standalone_headers(const std::string& folder) {
  const auto headers = std::filesystem::path(folder) / "lantern";
  std::error_code hidden;
  if (!std::filesystem::exists(headers / "definitions.h", hidden)) return;
  if (read_file((headers / "definitions.h").string()).find("copied by `lantern compile --standalone`") == std::string::npos) return;
  wrong_usage(fmt::format("'{}' has the runtime's headers from an earlier --standalone, which would be found first", headers.string()),
              "add --standalone, which writes them anew, or delete that folder");
}

void write_into(const std::string& folder, const std::map<std::string, std::string>& files, const General& general) {
  std::map<std::string, std::string> at;
  for (const auto& [name, text] : files) at[(std::filesystem::path(folder) / name).string()] = text;
  write_files(at);
  for (const auto& [path, text] : at) {
    if (general.verbose) fmt::print(stderr, "wrote {}\n", path);
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
    std::error_code hidden;
    const bool exists = std::filesystem::exists(path, hidden);
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

int run(Compile command, const General& general) {
  const bool prints = command.folder == "-" || (command.folder.empty() && !command.emit.empty());
  const bool files_are_made = command.emit.empty() || (command.emit == "cpp" && !prints);
  if (!files_are_made && (command.standalone || command.check || !command.depfile.empty())) {
    wrong_usage("--standalone, --check and --depfile are of C++ files", "leave --emit out, or say where with -o DIR");
  }
  const auto input = read_input(command.file);
  const auto give = [&](const std::string& suffix, const std::string& text) {
    if (prints) print(text);
    else write_into(command.folder, {{input.name + "." + suffix, text}}, general);
    return 0;
  };
  if (command.emit == "analysis" || command.emit == "python" || command.emit == "staging") {
    if (!input.is_python) wrong_usage(fmt::format("--emit {} is of a Python file", command.emit));
    return command.emit == "analysis" ? give("analysis", analyse(input.text, input.file))
           : command.emit == "python" ? give("py", convert(input.text, input.file))
                                      : give("staging", staged(command, input).staging);
  }
  if (command.emit.empty() && prints) {
    wrong_usage("a header and a source do not go to standard output together", "--emit cpp prints both as one text");
  }
  if (files_are_made) refuse_name_of_header(input.name);
  const Program program = program_of(command, input);
  const auto emitted = [&](const std::string& stage) {
    nlohmann::ordered_json options = {{"emit", stage}, {"name", input.name}, {"namespace", command.space}, {"standalone", command.standalone},
                                      {"source", input.base_name()}, {"folders", program.folders}};
    command.passes.set(options);
    return compile(program.text, input.is_python ? input.name + ".sexpr" : input.file, options);
  };
  if (files_are_made) {
    if (command.folder.empty()) command.folder = "./" + input.name + ".lantern";
    const auto files = nlohmann::json::parse(emitted("files")).get<std::map<std::string, std::string>>();
    if (!command.standalone && !command.check) refuse_standalone_headers(command.folder);
    if (command.check) check_files(command, files);
    else write_into(command.folder, files, general);
    if (!command.depfile.empty()) write_depfile(command, files, program);
    return 0;
  }
  if (command.emit != "so") return give(command.emit, emitted(command.emit));
  const auto path = emitted("so");
  if (command.folder.empty()) print(path + "\n");
  else give("so", read_file(path));
  return 0;
}

}  // namespace

void add_compile(CLI::App& app, const General& general, std::function<int()>& chosen) {
  auto& command = *app.add_subcommand("compile", "Compile a Python file, or S-expressions, to C++");
  const auto options = std::make_shared<Compile>();
  command.add_option("FILE", options->file, "FILE.py or FILE.sexpr; - for standard input")->required();
  command.add_option("-o", options->folder, "Folder for what is made, - for standard output (default: ./NAME.lantern)")->type_name("DIR");
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
  command.footer("Examples:\n"
                 "  lantern compile model.py                 writes model.lantern/model.h and model.cpp\n"
                 "  lantern compile model.py --emit cpp      prints the C++\n"
                 "  lantern compile - --emit cps < p.sexpr   S-expressions in, continuation-passing style out");
  command.callback([options, &general, &chosen] { chosen = [options, &general] { return run(*options, general); }; });
}

}  // namespace lantern::cli
