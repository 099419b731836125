#include "api/diagnostic_json.h"

namespace lantern {

namespace {

using Json = nlohmann::ordered_json;

void put_place(Json& json, const Location& location) {
  json["file"] = location.file_name();
  json["line"] = location.line;
  json["column"] = location.column;
  json["end_line"] = location.end_line;
  json["end_column"] = location.end_column;
}

Location place_of(const Json& json) {
  const auto number = [&](const char* field) {
    const auto found = json.find(field);
    return found != json.end() && found->is_number_integer() ? found->get<int>() : 0;
  };
  const auto file = json.find("file");
  Location location{nullptr, number("line"), number("column"), number("end_line"), number("end_column")};
  if (file != json.end() && file->is_string() && !file->get_ref<const std::string&>().empty()) {
    location.file = std::make_shared<const std::string>(file->get<std::string>());
  }
  return location;
}

std::string text_of(const Json& json, const char* field) {
  const auto found = json.find(field);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

Note note_of(const Json& json) {
  if (json.is_string()) return {{}, json.get<std::string>()};
  if (!json.is_object()) bug("diagnostics", "a note is neither a string nor an object");
  return {place_of(json), text_of(json, "message")};
}

Outcome outcome_of(const Json& json) {
  const auto found = json.find("outcome");
  if (found == json.end() || !found->is_number_integer()) return Outcome::program_is_wrong;
  const int outcome = found->get<int>();
  return outcome >= 1 && outcome <= 4 ? static_cast<Outcome>(outcome) : Outcome::bug_in_lantern;
}

}  // namespace

Json to_json(const std::vector<Diagnostic>& diagnostics) {
  Json all = Json::array();
  for (const auto& diagnostic : diagnostics) {
    Json json = {{"code", diagnostic.code}};
    put_place(json, diagnostic.location);
    json["message"] = diagnostic.message;
    json["hint"] = diagnostic.hint;
    json["notes"] = Json::array();
    for (const auto& note : diagnostic.notes) {
      Json entry = Json::object();
      put_place(entry, note.location);
      entry["message"] = note.message;
      json["notes"].push_back(std::move(entry));
    }
    json["source_line"] = diagnostic.source_line;
    json["outcome"] = static_cast<int>(diagnostic.outcome);
    json["rendered"] = render(diagnostic);
    all.push_back(std::move(json));
  }
  return all;
}

std::vector<Diagnostic> diagnostics_from_json(const Json& json) {
  std::vector<Diagnostic> diagnostics;
  if (!json.is_array()) bug("diagnostics", "they are not an array");
  for (const auto& entry : json) {
    if (!entry.is_object()) bug("diagnostics", "one of them is not an object");
    Diagnostic diagnostic{.code = text_of(entry, "code"),
                          .location = place_of(entry),
                          .message = text_of(entry, "message"),
                          .hint = text_of(entry, "hint"),
                          .outcome = outcome_of(entry),
                          .source_line = text_of(entry, "source_line")};
    if (const auto notes = entry.find("notes"); notes != entry.end() && notes->is_array()) {
      for (const auto& note : *notes) diagnostic.notes.push_back(note_of(note));
    }
    diagnostics.push_back(std::move(diagnostic));
  }
  return diagnostics;
}

std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace lantern
