// The command line of `lantern`, and what becomes of an error. Exit codes: 0 fine, 1 the program is wrong, 2 the command line is wrong,
// 3 a bug in Lantern, 4 data or environment.
#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <new>
#include <sstream>
#include <string>
#include <vector>

#include "api/lantern.h"
#include "cli/check.h"
#include "cli/compile.h"
#include "cli/completion.h"
#include "cli/description.h"
#include "cli/doctor.h"
#include "cli/explain.h"
#include "cli/explore.h"
#include "cli/manual.h"
#include "cli/plot.h"
#include "cli/report.h"
#include "cli/run.h"
#include "support/diagnostic.h"
#include "support/installation.h"
#include "support/nearest.h"

namespace lantern::cli {

namespace {

// Every exception ends as a diagnostic.
int guarded(const std::function<int()>& work, DiagnosticsFormat format) {
  try {
    try {
      return work();
    } catch (const Failure&) {
      throw;
    } catch (const std::bad_alloc&) {
      throw Failure({.code = "LT0808", .location = {}, .message = "out of memory", .outcome = Outcome::environment});
    } catch (const std::exception& exception) {
      bug("cli", exception.what());
    }
  } catch (const Failure& failure) {
    return report(failure, format);
  }
}

// The choices that CLI11 says a value is not in: `--emit: cp not in {cps,cpp}`.
std::string near_choice(const std::string& message) {
  const std::string between = " not in {";
  const auto at = message.find(between);
  if (at == std::string::npos || !message.ends_with("}")) return {};
  const std::string value = message.substr(0, at);
  std::vector<std::string> choices;
  std::istringstream list(message.substr(at + between.size(), message.size() - 1 - at - between.size()));
  for (std::string choice; std::getline(list, choice, ',');) choices.push_back(choice);
  return did_you_mean(value.substr(value.find_last_of(" \t") + 1), choices);
}

// The command line itself is wrong: says why, what it may have meant, and what to ask for help with.
int wrong_command_line(const CLI::App& app, const CLI::ParseError& error, DiagnosticsFormat format) {
  const auto commands = describe(app);
  const auto chosen = app.get_subcommands();
  const auto arguments = app.remaining(true);  // those that nothing takes
  const std::string help = chosen.empty() ? "lantern --help" : "lantern " + chosen[0]->get_name() + " --help";
  std::string message = error.what();
  message.erase(std::find(message.begin(), message.end(), '\n'), message.end());
  std::string meant = near_choice(message);

  const auto first = std::find_if(arguments.begin(), arguments.end(), [](const std::string& word) { return !word.starts_with("-"); });
  std::vector<std::string> options = commands[0].option_names(), names;
  for (const auto& command : commands) {
    if (!command.name.empty()) names.push_back(command.name);
    if (!chosen.empty() && command.name == chosen[0]->get_name()) {
      for (const auto& name : command.option_names()) options.push_back(name);
    }
  }
  const auto unknown = std::find_if(arguments.begin(), arguments.end(), [&](const std::string& word) {
    return word.starts_with("--") && std::find(options.begin(), options.end(), word.substr(0, word.find('='))) == options.end();
  });
  if (chosen.empty() && first != arguments.end()) {
    message = fmt::format("there is no subcommand '{}'", *first);
    meant = did_you_mean(*first, names);
  } else if ((chosen.empty() || dynamic_cast<const CLI::ExtrasError*>(&error)) && unknown != arguments.end()) {
    message = fmt::format("there is no option '{}'", unknown->substr(0, unknown->find('=')));
    meant = did_you_mean(unknown->substr(0, unknown->find('=')), options);
  } else if (chosen.empty() && dynamic_cast<const CLI::RequiredError*>(&error)) {
    message = fmt::format("a subcommand is required: {}", fmt::join(names, ", "));
  }
  return report(Failure({.code = "LT0810",
                         .location = {},
                         .message = message,
                         .hint = meant.empty() ? help : meant + " See " + help,
                         .outcome = Outcome::usage_is_wrong}),
                format);
}

// Asked for before the rest is read, so that what is wrong with the rest is said in it, too.
DiagnosticsFormat format_in(const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--diagnostics-format=json") return DiagnosticsFormat::json;
    if (arguments[i] == "--diagnostics-format" && i + 1 < arguments.size() && arguments[i + 1] == "json") {
      return DiagnosticsFormat::json;
    }
  }
  return DiagnosticsFormat::text;
}

// Where a standard stream is closed, the next file that is opened would take its place.
void open_standard_streams() {
  for (int stream = 0; stream < 3; ++stream) {
    if (fcntl(stream, F_GETFD) < 0) open("/dev/null", stream == 0 ? O_RDONLY : O_WRONLY);
  }
}

}  // namespace

int run_command_line(int count, char** words) {
  open_standard_streams();
  std::vector<std::string> arguments(words + std::min(count, 1), words + count);
  const auto flags = take_entry_flags(arguments);
  const auto format = format_in(arguments);

  CLI::App app("Compiles imperative Python models to differentiable C++.", "lantern");
  std::function<int()> chosen;
  std::string format_name;
  app.require_subcommand(1);
  app.fallthrough();
  app.add_flag_callback("--prefix", [] { throw CLI::CallForVersion(installation::prefix(), 0); }, "Print the folder that Lantern is installed in, for CMAKE_PREFIX_PATH, and exit");
  app.set_version_flag("--version", std::string("lantern ") + lantern_version());
  app.add_option("--diagnostics-format", format_name, "How errors are shown: text (default) or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("FORMAT");
  General general;
  app.add_flag("-q,--quiet", general.quiet, "No progress and no warnings: errors alone");
  app.add_flag("-v,--verbose", general.verbose, "Say also what is converted and what is written");
  app.footer("`lantern SUBCOMMAND --help` shows each one's options, with an example.\n"
             "Exit codes: 0 fine, 1 the program is wrong, 2 the command line is wrong, 3 a bug in Lantern, 4 data or environment.");
  add_compile(app, general, chosen);
  add_run(app, flags, chosen);
  add_check(app, flags, chosen);
  add_explore(app, general, chosen);
  add_plot(app, chosen);
  add_explain(app, chosen);
  add_doctor(app, chosen);
  add_completion(app, chosen);
  add_manual(app, chosen);

  return guarded([&] {
    try {
      std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
      app.parse(arguments);
    } catch (const CLI::ParseError& error) {
      if (error.get_exit_code() == 0) {  // --help, --version, --prefix
        app.exit(error);
        print("");
        return 0;
      }
      return wrong_command_line(app, error, format);
    }
    // Python and compiled programs read these.
    if (general.quiet) {
      setenv("LANTERN_QUIET", "1", 1);
      setenv("PYTHONWARNINGS", "ignore", 1);
    }
    if (general.verbose) setenv("LANTERN_VERBOSITY", "1", 0);
    return chosen();
  }, format);
}

}  // namespace lantern::cli
