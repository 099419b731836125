// lantern doctor: each part that Lantern needs is tried as it is used.
#include "cli/doctor.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <memory>

#include "api/lantern.h"
#include "cli/core.h"
#include "cli/process.h"
#include "cli/report.h"
#include "cli/staging.h"
#include "support/diagnostic.h"
#include "support/installation.h"

namespace lantern::cli {

namespace {

class Examination {
 public:
  /// `examine` says what it has found, or throws a Failure that says what is wrong and what to do.
  void part(const std::string& name, const std::function<std::string()>& examine, bool optional = false) {
    try {
      report_ += fmt::format("  ok       {:<12} {}\n", name, examine());
    } catch (const Failure& failure) {
      const auto& wrong = failure.diagnostics.at(0);
      report_ += fmt::format("  {:<8} {:<12} {}\n", optional ? "optional" : "missing", name, wrong.message);
      if (!wrong.hint.empty()) report_ += fmt::format("  {:>21} {}\n", "→", wrong.hint);
      missing_ += !optional;
    }
  }
  bool is_whole() const { return missing_ == 0; }
  int finish() const {
    print(report_ + (missing_ == 0 ? "Nothing is missing.\n" : fmt::format("{} missing.\n", missing_ == 1 ? "One thing is" : fmt::format("{} things are", missing_))));
    return missing_ == 0 ? 0 : static_cast<int>(Outcome::environment);
  }

 private:
  std::string report_ = fmt::format("lantern {}\n", lantern_version());
  int missing_ = 0;
};

[[noreturn]] void missing(std::string message, std::string hint) {
  throw Failure({.code = "LT0804", .location = {}, .message = std::move(message), .hint = std::move(hint), .outcome = Outcome::environment});
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// What a Python says of itself, on the descriptor of replies.
std::string asked(const std::string& python, const std::string& what) {
  const auto finished = run_process({python, "-c", fmt::format("import os, sys\n{}\nos.write({}, text.encode())", what, reply_descriptor)}, "", {});
  return finished.start_error || finished.exit_code ? "" : finished.reply;
}

std::string python_version(const std::string& python) {
  const auto found = asked(python, "text = '%d.%d.%d, %s' % (*sys.version_info[:3], sys.executable) if sys.version_info >= (3, 9) else ''");
  if (found.empty()) missing(fmt::format("'{}' is no Python of version 3.9 or newer", python), "apt-get install python3, or name one by --python");
  return found;
}

std::string numpy_version(const std::string& python) {
  const auto found = asked(python, "import warnings\nwarnings.simplefilter('ignore')\ntry:\n    import numpy\n    text = numpy.__version__\nexcept ImportError:\n    text = ''");
  if (found.empty()) missing("this Python has no working NumPy", fmt::format("{} -m pip install numpy", python));
  return found;
}

std::string matplotlib_version(const std::string& python) {
  const auto found = asked(python, "try:\n    import matplotlib\n    text = matplotlib.__version__\nexcept ImportError:\n    text = ''");
  if (found.empty()) missing("not there; 'lantern plot' draws with it", fmt::format("{} -m pip install matplotlib", python));
  return found;
}

std::string compiler_version() {
  const char* chosen = std::getenv("LANTERN_CXX");
  const std::string compiler = chosen && *chosen ? chosen : "c++";
  const auto finished = run_process({"sh", "-c", fmt::format("\"$0\" --version >&{}", reply_descriptor), compiler}, "", {});
  if (finished.exit_code != 0 || finished.reply.empty()) missing(fmt::format("there is no C++ compiler '{}'", compiler), "apt-get install g++, or name one by LANTERN_CXX");
  return first_line(finished.reply);
}

std::string built_program() {
  const auto begun = std::chrono::steady_clock::now();
  compile("(define f ((x (tensor f64 2))) -> (tensor f64 2) (+ x x)) (export f)", "doctor.sexpr", {{"emit", "so"}, {"name", "doctor"}});
  return fmt::format("a program was built in {:.1f} s", std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count());
}

int examine(const std::string& chosen) {
  const auto python = python_to_start(chosen);
  Examination all;
  all.part("command", [] { return installation::prefix(); });
  all.part("headers", [] { return installation::headers(); });
  all.part("library", [] { return installation::shared_library(); });
  all.part("package", [] { return installation::python_package(); });
  all.part("Python", [&] { return python_version(python); });
  if (all.is_whole()) all.part("NumPy", [&] { return numpy_version(python); });
  if (all.is_whole()) all.part("matplotlib", [&] { return matplotlib_version(python); }, true);
  all.part("C++ compiler", [] { return compiler_version(); });
  all.part("building", [] { return built_program(); });
  return all.finish();
}

}  // namespace

void add_doctor(CLI::App& app, std::function<int()>& chosen) {
  auto& command = *app.add_subcommand("doctor", "Say what Lantern needs, whether it is there, and how to get it");
  const auto python = std::make_shared<std::string>();
  command.add_option("--python", *python, "The Python to look at (default: python3)")->type_name("PATH");
  command.footer("Examples:\n  lantern doctor --python .venv/bin/python3");
  command.callback([python, &chosen] { chosen = [python] { return examine(*python); }; });
}

}  // namespace lantern::cli
