#include "api/options.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/diagnostic.h"

namespace lantern {

void wrong_call(std::string message, std::string hint) {
  throw Failure({.code = "LT0809",
                 .location = {},
                 .message = std::move(message),
                 .hint = std::move(hint),
                 .outcome = Outcome::usage_is_wrong});
}

CallOptions::CallOptions(const char* json, std::initializer_list<std::string_view> allowed) {
  options_ = json && *json ? nlohmann::json::parse(json, nullptr, false) : nlohmann::json::object();
  if (!options_.is_object()) wrong_call("the options are not a JSON object");
  for (const auto& [name, value] : options_.items()) {
    if (std::ranges::find(allowed, std::string_view(name)) == allowed.end()) {
      wrong_call(fmt::format("there is no option '{}'", name), fmt::format("there are: {}", fmt::join(allowed, ", ")));
    }
  }
}

std::string CallOptions::text(const char* name, const std::string& fallback) const {
  const auto found = options_.find(name);
  if (found == options_.end() || found->is_null()) return fallback;
  if (!found->is_string()) wrong_call(fmt::format("the option '{}' is not a string", name));
  return found->get<std::string>();
}

std::optional<int> CallOptions::integer(const char* name) const {
  const auto found = options_.find(name);
  if (found == options_.end() || found->is_null()) return std::nullopt;
  if (!found->is_number_integer()) wrong_call(fmt::format("the option '{}' is not an integer", name));
  return found->get<int>();
}

bool CallOptions::flag(const char* name) const {
  const auto found = options_.find(name);
  if (found == options_.end() || found->is_null()) return false;
  if (!found->is_boolean()) wrong_call(fmt::format("the option '{}' is not a bool", name));
  return found->get<bool>();
}

std::vector<std::string> CallOptions::texts(const char* name) const {
  const auto found = options_.find(name);
  if (found == options_.end() || found->is_null()) return {};
  const auto is_text = [](const nlohmann::json& value) { return value.is_string(); };
  if (!found->is_array() || !std::ranges::all_of(*found, is_text)) wrong_call(fmt::format("the option '{}' is not a list of strings", name));
  return found->get<std::vector<std::string>>();
}

}  // namespace lantern
