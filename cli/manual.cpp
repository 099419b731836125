// lantern man: the manual page, of the command line's own description.
#include "cli/manual.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/lantern.h"
#include "cli/description.h"
#include "cli/report.h"

namespace lantern::cli {

namespace {

// Text as troff takes it: no line of it is a request, and hyphens stay such.
std::string troff(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\') result += "\\e";
    else if (c == '-') result += "\\-";
    else if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n')) result += std::string("\\&") + c;
    else result += c;
  }
  return result;
}

std::string options_of(const CommandDescription& command) {
  std::string text;
  for (const auto& option : command.options) {
    std::string names;
    for (const auto& name : option.names) names += (names.empty() ? "\\fB" : ", \\fB") + troff(name) + "\\fR";
    if (!option.value.empty()) names += " \\fI" + troff(option.value) + "\\fR";
    text += fmt::format(".TP\n{}\n{}", names, troff(option.text));
    if (!option.choices.empty()) text += troff(fmt::format(" ({})", fmt::join(option.choices, ", ")));
    text += ".\n";
  }
  return text;
}

std::string usage(const CommandDescription& command) {
  std::string text = fmt::format("\\fBlantern {}\\fR [options]", command.name);
  for (const auto& option : command.options) {
    if (option.positional) text += (option.required ? " \\fI" : " [\\fI") + troff(option.names[0]) + (option.required ? "\\fR" : "\\fR]");
  }
  return text;
}

std::string manual_page(const CLI::App& app) {
  const auto commands = describe(app);
  std::string text = fmt::format(".TH LANTERN 1 \"\" \"lantern {}\" \"User Commands\"\n.SH NAME\nlantern \\- {}\n.SH SYNOPSIS\n", lantern_version(), troff(commands[0].text));
  for (std::size_t i = 1; i < commands.size(); ++i) text += fmt::format("{}{}\n", i > 1 ? ".br\n" : "", usage(commands[i]));
  text += ".SH OPTIONS\nEach goes with every subcommand.\n" + options_of(commands[0]);
  for (std::size_t i = 1; i < commands.size(); ++i) {
    std::string name = commands[i].name;
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    text += fmt::format(".SH LANTERN {}\n{}.\n{}", name, troff(commands[i].text), options_of(commands[i]));
    if (!commands[i].footer.empty()) text += fmt::format(".PP\n.nf\n{}\n.fi\n", troff(commands[i].footer));
  }
  return text +
         ".SH EXIT STATUS\n0 all is well; 1 the program is wrong; 2 the command line is wrong; 3 a bug in Lantern; 4 the environment: files, memory, compiler.\n"
         ".SH ENVIRONMENT\n.TP\n\\fBNO_COLOR\\fR\nNot empty: no colours.\n.TP\n\\fBLANTERN_CXX\\fR, \\fBLANTERN_CXXFLAGS\\fR\nThe C++ compiler, and further flags for it.\n"
         ".TP\n\\fBLANTERN_CACHE\\fR\nThe folder of compiled programs and converted functions, by default \\fI~/.cache/lantern\\fR.\n"
         ".TP\n\\fBLANTERN_SCHEDULE\\fR, \\fBLANTERN_THREADS\\fR\nThe schedule where none is asked for; how many threads share a minibatch.\n"
         ".TP\n\\fBLANTERN_DISABLE_PASS\\fR\nPasses to leave out, as by \\-\\-disable\\-pass, with commas between them.\n"
         ".TP\n\\fBVIRTUAL_ENV\\fR\nIts Python is the one that stages, before that of the \\fBPATH\\fR.\n";
}

}  // namespace

void add_manual(CLI::App& app, std::function<int()>& chosen) {
  auto& command = *app.add_subcommand("man", "Print the manual page");
  command.footer("Examples:\n  lantern man | man -l -");
  command.callback([&app, &chosen] {
    chosen = [&app] {
      print(manual_page(app));
      return 0;
    };
  });
}

}  // namespace lantern::cli
