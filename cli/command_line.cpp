// The command line of `lantern`, and what becomes of an error. Exit codes: 0 fine, 1 the program is wrong, 2 the command line is wrong,
// 3 a bug in Lantern, 4 data or environment.
#include "cli/command_line.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <new>
#include <string>
#include <vector>

#include "api/lantern.h"
#include "cli/check.h"
#include "cli/compile.h"
#include "cli/explore.h"
#include "cli/plot.h"
#include "cli/report.h"
#include "cli/run.h"
#include "support/diagnostic.h"
#include "support/installation.h"

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

// The command line itself is wrong: says why, and what to ask for help with.
int wrong_command_line(const CLI::App& app, const CLI::ParseError& error, DiagnosticsFormat format) {
  const auto subcommands = app.get_subcommands();
  std::string message = error.what();
  message.erase(std::find(message.begin(), message.end(), '\n'), message.end());
  const std::string help = subcommands.empty() ? "lantern --help" : "lantern " + subcommands[0]->get_name() + " --help";
  return report(Failure({.code = "LT0810",
                         .location = {},
                         .message = message,
                         .hint = help,
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

}  // namespace

int run_command_line(int count, char** words) {
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
  add_compile(app, chosen);
  add_run(app, flags, chosen);
  add_check(app, flags, chosen);
  add_explore(app, chosen);
  add_plot(app, chosen);

  return guarded([&] {
    try {
      std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
      app.parse(arguments);
    } catch (const CLI::ParseError& error) {
      if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version, --prefix
      return wrong_command_line(app, error, format);
    }
    return chosen();
  }, format);
}

}  // namespace lantern::cli
