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
  std::vector<Selection> found;

  void block(const Block& statements) {
    for (const StmtPtr& stmt : statements) statement(*stmt);
  }

 private:
  void statement(const Stmt& stmt) {
    for_each_expression(stmt, [&](const Expr& expr) { expression(expr); });
    if (auto* def = as<FunctionDef>(stmt)) {
      found.push_back(here_);
      found.back().function = &stmt;
      const analysis::Bindings bindings = analysis::bindings_of(def->parameters, def->body);
      NameSet bound(bindings.locals.begin(), bindings.locals.end());
      for (const NameSet* declared : {&bindings.globals, &bindings.nonlocals}) {
        for (const std::string& declared_name : *declared) bound.erase(declared_name);
      }
      inside({std::move(bound), bindings.globals}, [&] { block(def->body); });
    } else if (auto* type = as<ClassDef>(stmt)) {
      const Selection outside = here_;
      here_.class_name = type->name;
      here_.in_class = true;
      block(type->body);
      here_ = outside;
    } else {
      for_each_block(stmt, [&](const Block& nested) { block(nested); });
    }
  }

  void expression(const Expr& expr) {
    NameSet bound;
    const auto targets = [&](const std::vector<Comprehension>& generators) {
      for (const Comprehension& generator : generators) {
        for (const std::string& target : analysis::bound_names(*generator.target)) bound.insert(target);
      }
    };
    if (auto* lambda = as<Lambda>(expr)) {
      found.push_back(here_);
      found.back().lambda = &expr;
      for (const std::string& parameter : analysis::parameter_names(lambda->parameters)) bound.insert(parameter);
      for (const std::string& walrus : analysis::walrus_names(*lambda->body)) bound.insert(walrus);
    }
    if (auto* comp = as<ListComp>(expr)) targets(comp->generators);
    if (auto* comp = as<SetComp>(expr)) targets(comp->generators);
    if (auto* comp = as<DictComp>(expr)) targets(comp->generators);
    if (auto* comp = as<GeneratorExp>(expr)) targets(comp->generators);
    const auto children = [&] { for_each_child(expr, [&](const Expr& child) { expression(child); }); };
    if (bound.empty()) return children();
    inside({std::move(bound), {}}, children);
  }

  template <class Work>
  void inside(Selection::Scope scope, Work work) {
    here_.scopes.push_back(std::make_shared<const Selection::Scope>(std::move(scope)));
    work();
    here_.scopes.pop_back();
  }

  Selection here_;
};

bool begins_at(const Selection& selection, int line, const std::string& name) {
  auto* def = selection.function ? as<FunctionDef>(*selection.function) : nullptr;
  if (!def || def->name != name) return false;
  return line == selection.function->range.line ||
         (!def->decorator_list.empty() && line == def->decorator_list[0]->range.line);
}

bool is_lambda_at(const Selection& selection, int line, int column) {
  if (!selection.lambda) return false;
  const Range& range = selection.lambda->range;
  if (range.line != line) return false;
  if (column == 0) return true;
  const bool ends_behind = range.end_line > line || column < range.end_column;
  return range.column <= column && ends_behind;
}

}  // namespace

std::vector<std::string> Selection::free_variables(const NameSet& free_names) const {
  std::vector<std::string> result;
  for (const std::string& name : free_names) {
    for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) {
      if ((*scope)->globals.count(name)) break;
      if (!(*scope)->bound.count(name)) continue;
      result.push_back(name);
      break;
    }
  }
  if (in_class && (free_names.count("super") || free_names.count("__class__"))) result.push_back("__class__");
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<Selection> functions_of(const Module& module) {
  Finder finder;
  finder.block(module.body);
  return std::move(finder.found);
}

const Selection& select_function(const Module& module, const std::vector<Selection>& functions, int line,
                                 const std::string& name, int column) {
  const bool wants_lambda = name == "<lambda>";
  std::vector<const Selection*> found;
  for (const Selection& each : functions) {
    if (wants_lambda ? is_lambda_at(each, line, column) : begins_at(each, line, name)) found.push_back(&each);
  }
  const Range place{line, std::max(column, 1), line, std::max(column, 1)};
  if (found.empty()) {
    throw Failure(module.diagnostic("LT0156", place, fmt::format("no function '{}' begins in this line", name),
                                    "the file may have changed since it was imported"));
  }
  // Lambdas that contain the place nest: the innermost is meant. Without a place there must be one.
  if (wants_lambda && column == 0 && found.size() > 1) {
    throw Failure(module.diagnostic("LT0157", place, "several lambdas stand in this line",
                                    "put each in a line of its own, or write a 'def'"));
  }
  return *found.back();
}

}  // namespace lantern
