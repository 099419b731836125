#include "frontend/select.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "frontend/walk.h"

namespace lantern {

using namespace syntax;
using analysis::NameSet;

namespace {

class Finder {
 public:
  Finder(int line, const std::string& name, int column) : line_(line), column_(column), name_(name) {}

  std::vector<Selection> found;

  void block(Block& statements) {
    for (StmtPtr& stmt : statements) statement(stmt);
  }

 private:
  void statement(StmtPtr& stmt) {
    for_each_expression(*stmt, [&](ExprPtr& expr) { expression(expr); });
    if (auto* def = as<FunctionDef>(stmt)) {
      const int decorated = def->decorator_list.empty() ? stmt->range.line : def->decorator_list[0]->range.line;
      if (def->name == name_ && (line_ == stmt->range.line || line_ == decorated)) {
        found.push_back(here_);
        found.back().function = &stmt;
      }
      const analysis::Bindings bindings = analysis::bindings_of(def->parameters, def->body);
      NameSet bound(bindings.locals.begin(), bindings.locals.end());
      for (const NameSet* declared : {&bindings.globals, &bindings.nonlocals}) {
        for (const std::string& declared_name : *declared) bound.erase(declared_name);
      }
      const Selection outside = here_;
      here_.scopes.push_back({std::move(bound), bindings.globals});
      block(def->body);
      here_ = outside;
    } else if (auto* type = as<ClassDef>(stmt)) {
      const Selection outside = here_;
      here_.class_name = type->name;
      here_.in_class = true;
      block(type->body);
      here_ = outside;
    } else {
      for_each_block(*stmt, [&](Block& nested) { block(nested); });
    }
  }

  void expression(ExprPtr& expr) {
    NameSet bound;
    const auto targets = [&](const std::vector<Comprehension>& generators) {
      for (const Comprehension& generator : generators) {
        for (const std::string& target : analysis::bound_names(*generator.target)) bound.insert(target);
      }
    };
    if (auto* lambda = as<Lambda>(expr)) {
      if (name_ == "<lambda>" && spans_place(expr->range)) {
        found.push_back(here_);
        found.back().lambda = &expr;
      }
      for (const std::string& parameter : analysis::parameter_names(lambda->parameters)) bound.insert(parameter);
      for (const std::string& walrus : analysis::walrus_names(*lambda->body)) bound.insert(walrus);
    }
    if (auto* comp = as<ListComp>(expr)) targets(comp->generators);
    if (auto* comp = as<SetComp>(expr)) targets(comp->generators);
    if (auto* comp = as<DictComp>(expr)) targets(comp->generators);
    if (auto* comp = as<GeneratorExp>(expr)) targets(comp->generators);
    const bool scope = !bound.empty();
    if (scope) here_.scopes.push_back({std::move(bound), {}});
    for_each_child(*expr, [&](ExprPtr& child) { expression(child); });
    if (scope) here_.scopes.pop_back();
  }

  bool spans_place(const Range& range) const {
    if (range.line != line_) return false;
    if (column_ == 0) return true;
    const bool ends_behind = range.end_line > line_ || column_ < range.end_column;
    return range.column <= column_ && ends_behind;
  }

  int line_, column_;
  const std::string& name_;
  Selection here_;
};

}  // namespace

std::vector<std::string> Selection::free_variables(const NameSet& free_names) const {
  std::vector<std::string> result;
  for (const std::string& name : free_names) {
    for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) {
      if (scope->globals.count(name)) break;
      if (!scope->bound.count(name)) continue;
      result.push_back(name);
      break;
    }
  }
  if (in_class && (free_names.count("super") || free_names.count("__class__"))) result.push_back("__class__");
  std::sort(result.begin(), result.end());
  return result;
}

Selection select_function(Module& module, int line, const std::string& name, int column) {
  Finder finder(line, name, column);
  finder.block(module.body);
  const Range place{line, std::max(column, 1), line, std::max(column, 1)};
  if (finder.found.empty()) {
    throw Failure(module.diagnostic("LT0156", place, fmt::format("no function '{}' begins in this line", name),
                                    "the file may have changed since it was imported"));
  }
  if (name != "<lambda>") return finder.found.back();
  // Lambdas that contain the place nest: the innermost is meant. Without a place there must be one.
  if (column == 0 && finder.found.size() > 1) {
    throw Failure(module.diagnostic("LT0157", place, "several lambdas stand in this line",
                                    "put each in a line of its own, or write a 'def'"));
  }
  return finder.found.back();
}

}  // namespace lantern
