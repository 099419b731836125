#include <nlohmann/json.hpp>

#include "frontend/convert.h"

namespace lantern {

std::string convert_to_json(std::string_view source, const std::string& filename, std::string_view options_json) {
  const auto given = nlohmann::json::parse(options_json, nullptr, false);
  if (!given.is_discarded() && !given.is_object() && !given.is_null()) bug("convert", "options are no JSON object");
  if (given.is_discarded()) bug("convert", "options are no JSON");
  const nlohmann::json asked = given.is_null() ? nlohmann::json::object() : given;
  const ConvertOptions options{asked.value("line", 0), asked.value("name", ""), asked.value("column", 0)};
  const Conversion conversion = convert(source, filename, options);

  nlohmann::json result;
  result["text"] = conversion.text;
  result["source_map"] = conversion.source_map;
  result["free_variables"] = conversion.free_variables;
  result["unconverted"] = nullptr;
  if (conversion.text.empty() && !conversion.unconverted.empty()) {
    result["unconverted"] = conversion.unconverted.back().reason;
  }
  result["left_alone"] = nlohmann::json::array();
  for (const Unconverted& each : conversion.unconverted) {
    result["left_alone"].push_back({{"function", each.function},
                                    {"code", each.code},
                                    {"reason", each.reason},
                                    {"line", each.location.line},
                                    {"column", each.location.column}});
  }
  return result.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace lantern
