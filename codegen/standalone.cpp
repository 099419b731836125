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
#include <regex>
#include <set>
#include <vector>

#include "codegen/prepared.h"
#include "support/file.h"

namespace lantern {

namespace {

namespace fs = std::filesystem;

// Group 1 stands before the quoted path of a header of the runtime's, group 2 is that path.
std::regex include_in(const std::string& definitions) { return std::regex("(#[ \t]*include[ \t]+(?:" + definitions + "\\()?)\"(lantern/[^\"\n]+)\""); }

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
      static const std::regex defined("#[ \t]*define[ \t]+(LANTERN_[A-Z_]+)");
      for (std::sregex_iterator match(text.begin(), text.end(), defined), end; match != end; ++match) macros_.insert((*match)[1]);
    }
    name_ = "lantern_" + std::regex_replace(std::string(LANTERN_VERSION), std::regex("[^0-9A-Za-z]"), "_") + "_" + fingerprint(all).substr(0, 8);
  }

  /// Of everything that a text includes, directly or not, in alphabetical order.
  std::set<std::string> headers_of(const std::map<std::string, std::string>& files) const {
    std::set<std::string> found;
    std::vector<std::string> pending;
    const auto include = include_in("LANTERN_DEFINITIONS");
    const auto collect = [&](const std::string& text) {
      for (std::sregex_iterator match(text.begin(), text.end(), include), end; match != end; ++match) {
        if (found.insert((*match)[2]).second) pending.push_back((*match)[2]);
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
    const auto own_include = include_in(own("LANTERN_DEFINITIONS"));
    std::string with_includes;
    auto last = text.cbegin();
    for (std::sregex_iterator match(text.begin(), text.end(), own_include), end; match != end; ++match) {
      with_includes.append(last, (*match)[0].first);
      with_includes += (*match)[1].str() + '"' + fs::path((*match)[2].str()).lexically_relative(fs::path(header).parent_path()).string() + '"';
      last = (*match)[0].second;
    }
    with_includes.append(last, text.cend());
    const std::string guard = upper(name_ + header.substr(std::string("lantern").size()));
    if (const auto once = with_includes.find("#pragma once\n"); once != std::string::npos) {
      with_includes.replace(once, 13, fmt::format("#ifndef {0}\n#define {0}\n", guard));
      with_includes += fmt::format("\n#endif  // {}\n", guard);
    }
    return fmt::format("// Of the runtime of lantern {}, copied by `lantern compile --standalone`. MIT licence: LICENSE. DO NOT EDIT.\n{}", LANTERN_VERSION, with_includes);
  }

  /// The text with the copy's namespace and macros in place of the runtime's.
  std::string own_names(std::string text) const {
    static const std::regex named("\\bnamespace lantern\\b"), qualified("\\blantern::");
    text = std::regex_replace(std::regex_replace(text, named, "namespace " + name_), qualified, name_ + "::");
    for (const auto& macro : macros_) text = std::regex_replace(text, std::regex("\\b" + macro + "\\b"), own(macro));
    return text;
  }

 private:
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
