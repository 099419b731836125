// lantern explain: the entries of docs/errors, which are part of the command.
#include "cli/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <sstream>
#include <vector>

#include "cli/report.h"
#include "error_pages.h"
#include "support/nearest.h"

namespace lantern::cli {

namespace {

struct Explanation {
  std::string code, text;

  std::string meaning() const {  // its first paragraph, on one line
    std::string first = text.substr(0, text.find("\n\n"));
    std::replace(first.begin(), first.end(), '\n', ' ');
    return first;
  }
};

// A terminal shows of [a text](and its link) the text; in `f[T](x)` there is no link.
std::string without_links(const std::string& line) {
  std::string shown;
  for (std::size_t at = 0; at < line.size();) {
    if (const auto end = line[at] == '`' ? line.find('`', at + 1) : std::string::npos; end != std::string::npos) {
      shown += line.substr(at, end + 1 - at);
      at = end + 1;
      continue;
    }
    const auto close = line[at] == '[' ? line.find(']', at) : std::string::npos;
    const auto end = close != std::string::npos && line.compare(close, 2, "](") == 0 ? line.find(')', close) : std::string::npos;
    if (end == std::string::npos) {
      shown += line[at++];
    } else {
      shown += line.substr(at + 1, close - at - 1);
      at = end + 1;
    }
  }
  return shown;
}

// What stands between one `## CODE` and the next heading.
std::vector<Explanation> explanations() {
  std::vector<Explanation> all;
  std::istringstream lines{std::string(error_pages::text)};
  bool in_block = false, open = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) in_block = !in_block;
    const bool heading = !in_block && line.starts_with("#");
    if (heading) {
      open = line.starts_with("## ");
      if (open) all.push_back({line.substr(3), ""});
    } else if (open && !(all.back().text.empty() && line.empty())) {
      all.back().text += (in_block ? line : without_links(line)) + "\n";
    }
  }
  std::sort(all.begin(), all.end(), [](const Explanation& a, const Explanation& b) { return a.code < b.code; });
  return all;
}

// Markdown as a terminal shows it: code is indented, a file has its name above it.
std::string shown(const Explanation& entry) {
  std::istringstream lines(entry.text);
  std::string text = entry.code + "\n\n";
  bool in_block = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      in_block = !in_block;
      const auto name = line.find(' ');
      if (in_block && name != std::string::npos) text += line.substr(name + 1) + ":\n\n";
      continue;
    }
    text += (in_block && !line.empty() ? "    " : "") + line + "\n";
  }
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

int explain(const std::string& asked) {
  const auto all = explanations();
  const bool is_number = !asked.empty() && std::all_of(asked.begin(), asked.end(), [](unsigned char c) { return std::isdigit(c); });
  const auto code = is_number ? "LT" + asked : upper(asked);
  std::string list;
  std::vector<std::string> codes;
  for (const auto& entry : all) {
    if (entry.code == code) {
      print(shown(entry));
      return 0;
    }
    codes.push_back(entry.code);
    list += fmt::format("{}  {}\n", entry.code, entry.meaning());
  }
  if (!asked.empty()) wrong_usage(fmt::format("there is no diagnostic '{}'", asked), did_you_mean(code, codes, "lantern explain lists all codes"));
  print(list);
  return 0;
}

}  // namespace

void add_explain(CLI::App& app, std::function<int()>& chosen) {
  auto& command = *app.add_subcommand("explain", "Say what a diagnostic's code means, with a program that causes it");
  const auto code = std::make_shared<std::string>();
  command.add_option("CODE", *code, "LT0301; without it, all codes are listed");
  command.footer("Examples:\n  lantern explain LT0301");
  command.callback([code, &chosen] { chosen = [code] { return explain(*code); }; });
}

}  // namespace lantern::cli
