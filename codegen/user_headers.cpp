#include "codegen/user_headers.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include "support/diagnostic.h"
#include "support/file.h"

namespace lantern {

namespace fs = std::filesystem;

namespace {

// The header that a line includes in quotes, or none.
std::string included_by(const std::string& line) {
  std::size_t at = 0;
  const auto skip_blanks = [&] { at = std::min(line.find_first_not_of(" \t", at), line.size()); };
  for (const std::string& word : {std::string("#"), std::string("include"), std::string("\"")}) {
    skip_blanks();
    if (line.compare(at, word.size(), word) != 0) return {};
    at += word.size();
  }
  const auto end = line.find('"', at);
  return end == std::string::npos ? "" : line.substr(at, end - at);
}

}  // namespace

std::string text_of_headers(const std::vector<std::string>& headers, const std::vector<std::string>& folders) {
  const auto found_in = [&](const std::string& header, const fs::path& first) {
    if (!first.empty() && fs::is_regular_file(first / header)) return (first / header).lexically_normal();
    for (const auto& folder : folders) {
      if (fs::is_regular_file(fs::path(folder) / header)) return (fs::path(folder) / header).lexically_normal();
    }
    return fs::path();
  };
  std::vector<fs::path> pending;
  for (const auto& header : headers) {
    pending.push_back(found_in(header, {}));
    if (!pending.back().empty()) continue;
    throw Failure({.code = "LT0604", .location = {}, .message = fmt::format("the header '{}' is in none of the folders: {}", header, folders.empty() ? "there is none" : fmt::format("{}", fmt::join(folders, ", "))),
                   .hint = "it is looked for where lt.extern says, and beside an .sexpr file", .outcome = Outcome::environment});
  }
  std::set<fs::path> seen(pending.begin(), pending.end());
  std::string texts;
  for (std::size_t i = 0; i < pending.size(); ++i) {
    const fs::path path = pending[i];
    const std::string text = read_file(path.string());
    texts += path.string() + '\0' + text + '\0';
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      const std::string header = included_by(line);
      const fs::path inner = header.empty() ? fs::path() : found_in(header, path.parent_path());
      if (!inner.empty() && seen.insert(inner).second) pending.push_back(inner);
    }
  }
  return texts;
}

}  // namespace lantern
