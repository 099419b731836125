#include "cli/report.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "api/diagnostic_json.h"

namespace lantern::cli {

int report(const Failure& failure, DiagnosticsFormat format) {
  std::fflush(stdout);  // so that the two streams stand in the order they were written
  std::string text;
  if (format == DiagnosticsFormat::json) {
    text = dump(to_json(failure.diagnostics)) + '\n';
  } else {
    const char* no_colour = std::getenv("NO_COLOR");  // https://no-color.org: not empty
    const bool terminal = isatty(STDERR_FILENO);
    text = render(failure.diagnostics, terminal && !(no_colour && *no_colour));
    if (const auto count = failure.diagnostics.size(); count > 1) text += fmt::format("{} errors\n", count);
    const auto& code = failure.diagnostics.empty() ? "" : failure.diagnostics[0].code;
    if (terminal && !code.empty()) text += fmt::format("lantern explain {} says more\n", code);
  }
  std::fwrite(text.data(), 1, text.size(), stderr);
  return std::max(1, static_cast<int>(failure.outcome()));
}

void print(std::string_view text) {
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (written && !std::ferror(stdout)) return;
  throw Failure({.code = "LT0802",
                 .location = {},
                 .message = fmt::format("cannot write to standard output{}", errno ? fmt::format(": {}", std::strerror(errno)) : ""),
                 .outcome = Outcome::environment});
}

void wrong_usage(std::string message, std::string hint) {
  throw Failure({.code = "LT0805",
                 .location = {},
                 .message = std::move(message),
                 .hint = std::move(hint),
                 .outcome = Outcome::usage_is_wrong});
}

}  // namespace lantern::cli
