#include "api/explore.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "api/explored_sexpr.h"
#include "codegen/listing.h"
#include "lantern/call_graph.h"
#include "lantern/origins.h"
#include "lantern/saved.h"
#include "sexpr/reader.h"

namespace lantern {

namespace {

using Json = nlohmann::ordered_json;

class Explorer {
 public:
  Explorer(const Source& source, Passes& passes) : source_(source), passes_(passes) { file_number(source.file); }

  Json explore() {
    auto program = to_ir(source_, passes_);
    functions(*program);
    const Activity activity = find_activity(*program);
    active_.insert(activity.active.begin(), activity.active.end());
    const Compiled compiled = compile(std::move(program), passes_);
    const auto& lowered = compiled.lowered;
    active_.insert(lowered.activity.active.begin(), lowered.activity.active.end());
    for (const auto& form : lowered.functions) saved_.merge(saved_values(form));

    std::vector<Origin> cps_lines;
    const std::string cps = lowered::print(lowered, cps_lines);
    const Listing listing = write_listing(lowered);
    Json result = {{"cps", text_of(cps, cps_lines)}, {"cpp", text_of(listing.text, listing.lines)}};
    result["forms"] = forms(lowered, listing);
    result["remarks"] = remarks();
    result["sexpr"] = sexpr();
    result["functions"] = std::move(functions_);
    result["globals"] = globals(*compiled.ir);
    result["variables"] = variables();
    result["files"] = Json::array();
    for (const auto& name : files_) result["files"].push_back(name);
    return result;
  }

 private:
  // --- places ---

  std::size_t file_number(const FileName& file) {
    const std::string name = file ? *file : "";
    const auto found = std::find(files_.begin(), files_.end(), name);
    if (found == files_.end()) files_.push_back(name);
    return static_cast<std::size_t>(std::find(files_.begin(), files_.end(), name) - files_.begin());
  }

  Json place(const Location& location) {
    if (!location.known()) return nullptr;
    const std::size_t file = file_number(location.file);
    if (file == 0) in_sexpr_.emplace(location.line, location.column);
    return {file, location.line, location.column};
  }

  Json places(const std::vector<Location>& locations) {
    Json all = Json::array();
    for (const auto& location : locations) all.push_back(place(location));
    return all;
  }

  // --- texts ---

  Json text_of(const std::string& text, const std::vector<Origin>& origins) {
    Json lines = Json::array();
    for (const auto& origin : origins) {
      Json line = Json::object();
      if (!origin.places.empty()) line["at"] = places(origin.places);
      if (origin.form != no_form) line["in"] = origin.form;
      if (origin.reverse) line["reverse"] = true;
      lines.push_back(std::move(line));
    }
    return {{"text", text}, {"lines", std::move(lines)}};
  }

  // Comes last: what later stages say of places in it is known.
  Json sexpr() {
    const auto explored = explore_sexpr(sexpr::read(source_.sexpr, source_.file), source_.file, in_sexpr_);
    Json lines = Json::array();
    for (const auto& shown : explored.lines) {
      Json line = Json::object();
      if (!shown.places.empty()) line["at"] = places(shown.places);
      if (const auto found = numbers_.find(shown.function); found != numbers_.end()) {
        line["in"] = found->second;
        const Json& names = functions_[found->second]["names"];
        for (const auto& name : shown.binds) {
          if (names.contains(name)) line["binds"].push_back(names[name]);
        }
      }
      lines.push_back(std::move(line));
    }
    return {{"text", explored.text}, {"lines", std::move(lines)}};
  }

  // --- functions and variables ---

  void functions(const ir::Program& program) {
    const auto recursive = recursive_functions(program);
    std::set<const ir::Function*> exported;
    for (const auto& entry : program.exports) exported.insert(entry.function);
    for (const auto& function : program.functions) numbers_.emplace(function.name, numbers_.size());
    for (const auto& function : program.functions) {
      Json names = Json::object(), calls = Json::array();
      const auto add = [&](const ir::Variable* variable) { names[variable->name] = variable_number(variable); };
      std::for_each(function.formals.begin(), function.formals.end(), add);
      ir::for_each_variable(function.body, add);
      collect_calls(function.body, calls);
      functions_.push_back({{"name", function.name},
                            {"at", place(function.location)},
                            {"exported", exported.contains(&function)},
                            {"recursive", recursive.contains(&function)},
                            {"names", std::move(names)},
                            {"calls", std::move(calls)}});
    }
  }

  void collect_calls(const ir::Block& block, Json& calls) {
    for (const auto& binding : block.bindings) {
      const char* how = std::holds_alternative<ir::ValueAndGrad>(binding.node) || std::holds_alternative<ir::AddGradient>(binding.node) ? "gradient"
                        : std::holds_alternative<ir::Jvp>(binding.node)        ? "jvp"
                                                                               : "call";
      for (const auto* callee : ir::callees_of(binding.node)) {
        calls.push_back({{"to", numbers_.at(callee->name)}, {"how", how}, {"at", place(binding.location)}});
      }
      ir::for_each_block(binding.node, [&](const ir::Block& nested) { collect_calls(nested, calls); });
    }
  }

  Json forms(const lowered::Program& program, const Listing& listing) {
    Json all = Json::array();
    for (std::size_t i = 0; i < program.functions.size(); ++i) {
      Json cps = Json::object(), cpp = Json::object();
      for (const auto& [name, variable] : listing.names[i]) {
        cps[variable->name] = variable_number(variable);
        cpp[name] = variable_number(variable);
      }
      const auto& form = program.functions[i];
      all.push_back({{"function", form.source->name},
                     {"kind", lowered::name_of(form.form)},
                     {"cps", std::move(cps)},
                     {"cpp", std::move(cpp)}});
    }
    return all;
  }

  std::size_t variable_number(const ir::Variable* variable) {
    const auto [found, added] = variable_numbers_.emplace(variable, variables_.size());
    if (added) variables_.push_back(variable);
    return found->second;
  }

  Json variables() {
    Json all = Json::array();
    for (const auto* variable : variables_) {
      Json entry = {{"name", variable->name}, {"type", to_string(variable->type)}};
      if (active_.contains(variable)) entry["active"] = true;
      if (saved_.contains(variable)) entry["saved"] = true;
      all.push_back(std::move(entry));
    }
    return all;
  }

  static Json globals(const ir::Program& program) {
    Json all = Json::array();
    for (const auto& global : program.globals) {
      all.push_back({{"name", global.variable->name},
                     {"type", to_string(global.variable->type)},
                     {"trained", global.variable->storage == ir::Storage::parameter}});
    }
    return all;
  }

  Json remarks() {
    Json all = Json::array();
    for (const auto& remark : passes_.remarks()) {
      all.push_back({{"at", place(remark.location)}, {"text", remark.text}, {"batched", remark.batched}});
    }
    return all;
  }

  const Source& source_;
  Passes& passes_;
  std::vector<std::string> files_;             // the first holds the S-expressions
  std::set<std::pair<int, int>> in_sexpr_;     // the places there that have been spoken of
  std::map<std::string, std::size_t> numbers_;  // of functions
  Json functions_ = Json::array();
  std::map<const ir::Variable*, std::size_t> variable_numbers_;
  std::vector<const ir::Variable*> variables_;
  std::set<const ir::Variable*> active_, saved_;
};

}  // namespace

Json explore(const Source& source, Passes& passes) { return Explorer(source, passes).explore(); }

}  // namespace lantern
