#include "api/stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cctype>
#include <filesystem>
#include <memory>
#include <new>
#include <sstream>

#include "api/diagnostic_json.h"
#include "api/explore.h"
#include "api/reproducer.h"
#include "codegen/build.h"
#include "codegen/format.h"
#include "codegen/module.h"
#include "codegen/spelling.h"
#include "codegen/standalone.h"
#include "frontend/analysis/listing.h"
#include "frontend/convert.h"
#include "frontend/parse.h"
#include "frontend/source_files.h"
#include "lantern/check.h"
#include "lantern/operators.h"
#include "lantern/passes.h"
#include "lantern/pipeline.h"
#include "lantern/types.h"
#include "sexpr/printer.h"
#include "sexpr/reader.h"
#include "support/diagnostic.h"
#include "support/file.h"
#include "support/installation.h"

namespace lantern::stages {

namespace {

std::string json_of(const std::vector<syntax::Comment>& comments) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const auto& comment : comments) rows.push_back({comment.line, comment.end_line, comment.text});
  return dump(rows);
}

}  // namespace

std::string convert(std::string_view source, const std::string& file, const CallOptions& options) {
  static SourceFiles files;
  if (const auto emit = options.text("emit", "python"); emit == "analysis") {
    return dump({{"analysis", analysis::listing(syntax::parse(source, std::make_shared<const std::string>(file)))}});
  } else if (emit == "comments") {
    return json_of(files.read(source, file).comments());
  } else if (emit != "python") {
    wrong_call(fmt::format("there is nothing to emit called '{}'", emit), "there are: python, analysis, comments");
  }
  const FunctionPlace place{.line = options.integer("line").value_or(0),
                            .name = options.text("name", ""),
                            .column = options.integer("column").value_or(0)};
  const auto conversion = place.line ? files.read(source, file).convert(place) : lantern::convert(source, file);
  if (conversion.text.empty() && !conversion.unconverted.empty()) {
    const Unconverted& left = conversion.unconverted.back();
    return dump({{"unconverted", left.reason}, {"diagnostic", left.code}});
  }
  // The map is thousands of numbers: as values of JSON's they would take as long as the conversion.
  std::string text = dump({{"code", conversion.text}, {"free_variables", conversion.free_variables}});
  text.replace(text.size() - 1, 1, R"(,"map":[)");
  for (const auto& row : conversion.source_map) {
    fmt::format_to(std::back_inserter(text), "{}[{}]", text.back() == '[' ? "" : ",", fmt::join(row, ","));
  }
  if (conversion.comments.empty()) return text + "]}";
  return text + R"(],"comments":)" + json_of(conversion.comments) + "}";
}

namespace {

// C++ that stands alone has nobody to call back.
void refuse_host_calls(const ir::Block& block, std::vector<Diagnostic>& refused) {
  for (const auto& binding : block.bindings) {
    ir::for_each_block(binding.node, [&](const ir::Block& nested) { refuse_host_calls(nested, refused); });
    const auto* operate = std::get_if<ir::Operate>(&binding.node);
    if (!operate || operate->op->name != "py-function") continue;
    const auto* name = std::get_if<std::string>(&operate->operands[0].literal);
    refused.push_back({.code = "LT0507",
                       .location = binding.location,
                       .message = fmt::format("'{}' is called back in Python, and C++ that stands alone has none", name ? *name : ""),
                       .hint = "compile it by lt.function, in Python, or write the function in what is staged"});
  }
}

std::string files_of(const lowered::Program& program, const Module& made, bool standalone) {
  std::vector<Diagnostic> refused;
  for (const auto& function : program.source->functions) refuse_host_calls(function.body, refused);
  if (!refused.empty()) throw Failure(std::move(refused));
  std::map<std::string, std::string> files = {{made.name + ".h", format(made.header)}, {made.name + ".cpp", format(made.source)}};
  if (standalone) files = stand_alone(std::move(files), installation::headers(), read_file(installation::licence()));
  return dump(files);
}

// "a::b": each part a name that C++ leaves to the user, and none that we use.
const std::string& checked_namespace(const std::string& space) {
  std::size_t begin = 0;
  while (!space.empty()) {
    const auto end = space.find("::", begin);
    const auto part = space.substr(begin, end == std::string::npos ? end : end - begin);
    const bool spelled = !part.empty() && !std::isdigit(static_cast<unsigned char>(part[0])) &&
                         std::ranges::all_of(part, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
    if (!spelled || spelling::identifier(part) != part || part == "lantern" || part == "std") {
      wrong_call(fmt::format("'{}' cannot be a namespace", space), "names that C++ and Lantern leave to you, such as acme::models");
    }
    if (end == std::string::npos) break;
    begin = end + 2;
  }
  return space;
}

std::set<std::string> names(std::vector<std::string> texts) { return {texts.begin(), texts.end()}; }

/// Those that are asked for, and those of LANTERN_DISABLE_PASS, with commas between them.
std::set<std::string> disabled_passes(std::vector<std::string> asked) {
  std::set<std::string> disabled = names(std::move(asked));
  const char* others = std::getenv("LANTERN_DISABLE_PASS");
  std::istringstream texts(others ? others : "");
  for (std::string name; std::getline(texts, name, ',');) disabled.insert(name);
  return disabled;
}

std::string default_schedule() {
  const char* chosen = std::getenv("LANTERN_SCHEDULE");
  return chosen && *chosen ? chosen : "auto";
}

Schedule schedule_named(const std::string& name) {
  if (name == "auto") return Schedule::automatic;
  if (name == "depth-first") return Schedule::depth_first;
  if (name == "batched") return Schedule::batched;
  wrong_call(fmt::format("there is no schedule '{}'", name), "there are: auto, depth-first, batched");
}

struct Output {
  std::string emit, space;
  std::vector<std::string> folders;
  bool standalone;
};

std::string stage_of(const Output& output, const Source& source, Passes& passes) {
  const std::string& emit = output.emit;
  if (emit == "sexpr") return sexpr::print(passes.run("read", [&] { return sexpr::read(source.sexpr, source.file); }));
  if (emit == "ir") return ir::print(*to_ir(source, passes));
  if (emit == "explore") return dump(explore(source, passes));
  const auto compiled = lantern::compile(source, passes);
  if (emit == "cps") return lowered::print(compiled.lowered);
  const auto module = passes.run("emit", [&] { return write_module(compiled.lowered, output.space); });
  passes.made("emit", [&] { return format(module.listing); });
  if (emit == "cpp") return passes.run("format", [&] { return format(module.listing); });
  if (emit == "manifest") return module.manifest;
  if (emit == "files") return passes.run("format", [&] { return files_of(compiled.lowered, module, output.standalone); });
  return passes.run("build", [&] { return build_shared_object(module, output.folders); });
}

}  // namespace

std::string compile(std::string_view sexpr, const std::string& file, const CallOptions& options, std::string& log) {
  const auto emit = options.text("emit", "");
  constexpr std::string_view stages[] = {"sexpr", "ir", "cps", "cpp", "files", "manifest", "explore", "so"};
  if (std::ranges::find(stages, emit) == std::end(stages)) {
    wrong_call(fmt::format("there is nothing to emit called '{}'", emit), fmt::format("there are: {}", fmt::join(stages, ", ")));
  }
  const Output output{emit, checked_namespace(options.text("namespace", "")), options.texts("folders"), options.flag("standalone")};
  Passes passes({.print_after = names(options.texts("print_after")),
                 .disabled = disabled_passes(options.texts("disable")),
                 .time = options.flag("time"),
                 .schedule = schedule_named(options.text("schedule", default_schedule())),
                 .remarks = options.flag("remarks"),
                 .bug_in = options.text("bug_in", "")});
  const Source source{sexpr, std::make_shared<const std::string>(file), options.text("name", program_name(file)), options.text("source", file)};
  try {
    auto text = stage_of(output, source, passes);
    log = passes.log();
    return text;
  } catch (Failure& failure) {
    log = passes.log();
    if (failure.outcome() == Outcome::bug_in_lantern) add_reproducer(failure, source, emit);
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& exception) {
    log = passes.log();
    Failure failure = bug_of("compile", exception.what());
    add_reproducer(failure, source, emit);
    throw failure;
  }
}

std::string infer(std::string_view operation) {
  const auto document = sexpr::read(operation, "<operation>");
  if (document.items.size() != 1) wrong_call("one operation's result can be inferred at a time");
  return to_string(lantern::infer(*document.items[0]));
}

std::string operators() { return describe_operators(); }

std::vector<std::string_view> passes() { return Passes::names(); }
std::vector<std::string_view> optional_passes() { return Passes::names(true); }

std::string program_name(const std::string& file) {
  std::string name = std::filesystem::path(file).stem().string();
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) name = "program_" + name;
  return name;
}

}  // namespace lantern::stages
