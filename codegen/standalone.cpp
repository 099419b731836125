// What becomes of lantern/definitions/arena.h, in the copy of 0.1.0 whose texts have the fingerprint 1f0c2a9b:
//
//     #pragma once                          #ifndef LANTERN_0_1_0_1F0C2A9B_DEFINITIONS_ARENA_H …
//     #include "lantern/memory.h"           #include "../memory.h"                      another copy may come first on the include path
//     namespace lantern {                   namespace lantern_0_1_0_1f0c2a9b {
//     LANTERN_INLINE void f();              LANTERN_0_1_0_1F0C2A9B_INLINE void f();
#include "codegen/standalone.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>
#include <vector>

#include "codegen/prepared.h"
#include "support/file.h"

namespace lantern {

namespace {

namespace fs = std::filesystem;

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

std::size_t behind_blanks(const std::string& text, std::size_t at) { return std::min(text.find_first_not_of(" \t", at), text.size()); }

/// Where the text's lines `# directive` go on, behind blanks.
std::vector<std::size_t> behind_directives(const std::string& text, const std::string& directive) {
  std::vector<std::size_t> places;
  for (auto at = text.find('#'); at != std::string::npos; at = text.find('#', at + 1)) {
    const auto word = behind_blanks(text, at + 1), end = word + directive.size();
    if (text.compare(word, directive.size(), directive) == 0 && behind_blanks(text, end) > end) places.push_back(behind_blanks(text, end));
  }
  return places;
}

/// From where to where the paths of the runtime's headers that a text includes stand in it, in quotes or in quotes in `definitions`().
std::vector<std::pair<std::size_t, std::size_t>> includes_in(const std::string& text, const std::string& definitions) {
  std::vector<std::pair<std::size_t, std::size_t>> paths;
  const std::string called = definitions + "(", quoted = "\"lantern/";
  for (auto at : behind_directives(text, "include")) {
    if (text.compare(at, called.size(), called) == 0) at += called.size();
    const auto end = text.find_first_of("\"\n", at + 1);
    if (text.compare(at, quoted.size(), quoted) == 0 && end != std::string::npos && text[end] == '"') paths.emplace_back(at + 1, end);
  }
  return paths;
}

std::string upper(std::string text) {
  for (char& c : text) c = std::isalnum(static_cast<unsigned char>(c)) ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : '_';
  return text;
}

class Copies {
 public:
  explicit Copies(const std::string& runtime) : runtime_(runtime) {
    std::vector<fs::path> headers;
    for (const auto& entry : fs::recursive_directory_iterator(runtime_ / "lantern")) {
      if (entry.path().extension() == ".h") headers.push_back(entry.path());
    }
    std::sort(headers.begin(), headers.end());
    std::string all;
    for (const auto& header : headers) {
      const std::string text = read_file(header.string());
      all += fs::relative(header, runtime_).string() + '\0' + text + '\0';
      for (const auto at : behind_directives(text, "define")) {
        const auto end = text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_", at);
        if (text.compare(at, 8, "LANTERN_") == 0) macros_.insert(text.substr(at, end - at));
      }
    }
    std::string version = LANTERN_VERSION;
    std::replace_if(version.begin(), version.end(), [](char c) { return !is_of_word(c); }, '_');
    name_ = "lantern_" + version + "_" + fingerprint(all).substr(0, 8);
  }

  /// Of everything that a text includes, directly or not, in alphabetical order.
  std::set<std::string> headers_of(const std::map<std::string, std::string>& files) const {
    std::set<std::string> found;
    std::vector<std::string> pending;
    const auto collect = [&](const std::string& text) {
      for (const auto& [begin, end] : includes_in(text, "LANTERN_DEFINITIONS")) {
        const std::string header = text.substr(begin, end - begin);
        if (found.insert(header).second) pending.push_back(header);
      }
    };
    for (const auto& [name, text] : files) collect(text);
    while (!pending.empty()) {
      const std::string header = pending.back();
      pending.pop_back();
      collect(read_file((runtime_ / header).string()));
    }
    return found;
  }

  std::string copy(const std::string& header) const {
    std::string text = own_names(read_file((runtime_ / header).string()));
    const fs::path folder = fs::path(header).parent_path();
    std::string with_includes;
    std::size_t last = 0;
    for (const auto& [begin, end] : includes_in(text, own("LANTERN_DEFINITIONS"))) {
      with_includes += text.substr(last, begin - last) + fs::path(text.substr(begin, end - begin)).lexically_relative(folder).string();
      last = end;
    }
    with_includes += text.substr(last);
    const std::string guard = upper(name_ + header.substr(std::string("lantern").size()));
    if (const auto once = with_includes.find("#pragma once\n"); once != std::string::npos) {
      with_includes.replace(once, 13, fmt::format("#ifndef {0}\n#define {0}\n", guard));
      with_includes += fmt::format("\n#endif  // {}\n", guard);
    }
    return fmt::format("// Of the runtime of lantern {}, copied by `lantern compile --standalone`. MIT licence: LICENSE. DO NOT EDIT.\n{}", LANTERN_VERSION, with_includes);
  }

  /// The text with the copy's namespace and macros in place of the runtime's.
  std::string own_names(const std::string& text) const {
    std::string owned;
    for (std::size_t begin = 0, end; begin < text.size(); begin = end) {
      for (end = begin + 1; is_of_word(text[begin]) && end < text.size() && is_of_word(text[end]);) ++end;
      const std::string word = text.substr(begin, end - begin);
      if (word == "lantern" && (text.compare(end, 2, "::") == 0 || ends_with_namespace(owned))) owned += name_;
      else owned += macros_.count(word) ? own(word) : word;
    }
    return owned;
  }

 private:
  static bool ends_with_namespace(const std::string& text) {
    const std::string before = "namespace ";
    return text.ends_with(before) && (text.size() == before.size() || !is_of_word(text[text.size() - before.size() - 1]));
  }

  std::string own(const std::string& macro) const { return upper(name_) + macro.substr(std::string("LANTERN").size()); }

  fs::path runtime_;
  std::string name_;
  std::set<std::string> macros_;
};

}  // namespace

std::map<std::string, std::string> stand_alone(std::map<std::string, std::string> files, const std::string& runtime, const std::string& licence) {
  const Copies copies(runtime);
  const auto headers = copies.headers_of(files);
  for (auto& [name, text] : files) text = copies.own_names(text);
  for (const auto& header : headers) files[header] = copies.copy(header);
  files["lantern/LICENSE"] = licence;
  return files;
}

}  // namespace lantern
