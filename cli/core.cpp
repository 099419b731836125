#include "cli/core.h"

#include <cstdio>
#include <memory>

#include "api/diagnostic_json.h"
#include "api/lantern.h"

namespace lantern::cli {

namespace {

std::string text_of(lantern_result* raw) {
  const std::unique_ptr<lantern_result, void (*)(lantern_result*)> result(raw, lantern_result_free);
  std::fputs(lantern_result_log(raw), stderr);
  if (lantern_result_outcome(raw) != 0) {
    throw Failure(diagnostics_from_json(nlohmann::ordered_json::parse(lantern_result_diagnostics_json(raw))));
  }
  std::size_t length = 0;
  const char* text = lantern_result_text(raw, &length);
  return {text, length};
}

}  // namespace

nlohmann::ordered_json conversion_of(std::string_view source, const std::string& file) {
  return nlohmann::ordered_json::parse(text_of(lantern_convert(source.data(), source.size(), file.c_str(), nullptr)));
}

std::string convert(std::string_view source, const std::string& file) { return conversion_of(source, file).at("code").get<std::string>(); }

std::string analyse(std::string_view source, const std::string& file) {
  const auto reply = text_of(lantern_convert(source.data(), source.size(), file.c_str(), R"({"emit": "analysis"})"));
  return nlohmann::json::parse(reply).at("analysis").get<std::string>();
}

std::string compile(std::string_view sexpr, const std::string& file, const nlohmann::ordered_json& options) {
  return text_of(lantern_compile(sexpr.data(), sexpr.size(), file.c_str(), dump(options).c_str()));
}

}  // namespace lantern::cli
