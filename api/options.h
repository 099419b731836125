#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace lantern {

/// Throws Failure LT0809: the caller's mistake, not the program's.
[[noreturn]] void wrong_call(std::string message, std::string hint = {});

/// The options of one call: a JSON object with names from a closed list.
class CallOptions {
 public:
  /// Throws Failure LT0809 (usage) for text that is not an object, or has a name that is not in `allowed`.
  CallOptions(const char* json, std::initializer_list<std::string_view> allowed);

  // Absent, or JSON's null: the fallback. Of another type: LT0809.
  std::string text(const char* name, const std::string& fallback) const;
  std::optional<int> integer(const char* name) const;
  bool flag(const char* name) const;
  std::vector<std::string> texts(const char* name) const;

 private:
  nlohmann::json options_;
};

}  // namespace lantern
