// lantern explore: the stages of a program, side by side, as one HTML page with its data, style and script in it (cli/page).
#include "cli/explore.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>

#include "api/diagnostic_json.h"
#include "api/lantern.h"
#include "cli/core.h"
#include "cli/input.h"
#include "cli/page.h"
#include "cli/report.h"
#include "cli/staging.h"
#include "support/file.h"

namespace lantern::cli {

namespace {

using Json = nlohmann::ordered_json;

struct Explore {
  std::string file, out, entry, dtype, python, schedule;
};

std::string base_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

/// A file of the user's, as it is and converted, and for each line of the latter the places that it comes from.
Json source_of(const std::string& path, const std::string& text, const Json& decisions) {
  const auto conversion = conversion_of(text, path);
  Json lines = Json::array();
  for (const auto& entry : conversion.at("map")) {
    const auto line = entry[0].get<std::size_t>();
    while (lines.size() < line) lines.push_back(Json::array());
    Json place = {entry[2], entry[3]};
    auto& places = lines[line - 1];
    if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(std::move(place));
  }
  return {{"name", base_name(path)}, {"text", text}, {"converted", conversion.at("code")}, {"lines", std::move(lines)}, {"decisions", decisions}};
}

Json program_of(const Explore& command, const Input& input) {
  Json data = {{"lantern", lantern_version()}, {"file", input.base_name()}, {"sources", Json::array()}};
  Json options = {{"emit", "explore"}, {"name", input.name}, {"source", input.base_name()}};
  if (!command.schedule.empty()) options["schedule"] = command.schedule;
  if (!input.is_python) {
    if (!command.entry.empty()) wrong_usage("--entry chooses among the functions of a Python file", "an .sexpr file has (export …) items");
    if (!command.dtype.empty()) wrong_usage("--dtype is for Python files", "an .sexpr file states its types");
    data["stages"] = Json::parse(compile(input.text, input.file, options));
    return data;
  }
  const auto reply = stage({.file = input.file,
                            .source = input.is_stdin ? std::optional(input.text) : std::nullopt,
                            .entry = command.entry,
                            .emit = "explore",
                            .dtype = command.dtype.empty() ? "f32" : command.dtype,
                            .mode = "compile",
                            .python = command.python});
  data["stages"] = Json::parse(compile(reply.sexpr, input.name + ".sexpr", options));
  std::set<std::string> names;  // places name a file without its folders
  for (const auto& source : reply.sources) {
    const auto path = source.at("file").get<std::string>();
    if (!names.insert(base_name(path)).second) continue;
    data["sources"].push_back(source_of(path, path == input.file ? input.text : read_file(path), source.at("decisions")));
  }
  return data;
}

// JSON that may stand in a page: nothing in it ends a script.
std::string in_page(const Json& data) {
  std::string escaped;
  for (const char c : dump(data)) escaped += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return escaped;
}

int run(const Explore& command, const General& general) {
  const auto input = read_input(command.file);
  const auto html = page(input.base_name(), in_page(program_of(command, input)));
  if (command.out == "-") {
    print(html);
    return 0;
  }
  const auto path = command.out.empty() ? input.name + ".html" : command.out;
  write_file(path, html);
  if (general.verbose) fmt::print(stderr, "wrote {}\n", path);
  return 0;
}

}  // namespace

void add_explore(CLI::App& app, const General& general, std::function<int()>& chosen) {
  auto& command = *app.add_subcommand("explore", "Write an HTML page that shows a program at every stage, side by side");
  const auto options = std::make_shared<Explore>();
  command.add_option("FILE", options->file, "FILE.py or FILE.sexpr; - for standard input")->required();
  command.add_option("-o", options->out, "The page, - for standard output (default: ./NAME.html)")->type_name("PAGE");
  command.add_option("--entry", options->entry, "The function to show, instead of the marked ones")->type_name("NAME");
  command.add_option("--dtype", options->dtype, "f32 or f64, of arrays and parameters (default: f32)")
      ->check(CLI::IsMember({"f32", "f64"}))
      ->type_name("DTYPE");
  command.add_option("--schedule", options->schedule, "Calls that do not depend on each other: auto, batched or depth-first, as for compile")
      ->check(CLI::IsMember({"auto", "batched", "depth-first"}))
      ->type_name("SCHEDULE");
  command.add_option("--python", options->python, "The Python to stage with (default: python3)")->type_name("PATH");
  command.footer("Examples:\n"
                 "  lantern explore model.py                 writes model.html\n"
                 "  lantern explore model.py -o - | wc -c    prints the page");
  command.callback([options, &general, &chosen] { chosen = [options, &general] { return run(*options, general); }; });
}

}  // namespace lantern::cli
