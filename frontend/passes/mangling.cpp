//     class Counter:
//         def next(self): self.__n = self.__n + 1
// becomes
//     class Counter:
//         def next(self): self._Counter__n = self._Counter__n + 1
//
// which is what Python makes of private names in a class, but for the keywords of a call. It has to be spelled, since an attribute's name becomes a
// string (`ag__.getattr_(self, '_Counter__n', …)`), and since a method is converted apart from its class.
#include "frontend/passes/passes.h"

namespace lantern::passes {

using namespace syntax;

namespace {

class Mangler {
 public:
  explicit Mangler(const std::string& class_name) {
    const std::size_t start = class_name.find_first_not_of('_');
    if (start != std::string::npos) prefix_ = "_" + class_name.substr(start);
  }

  void function(FunctionDef& def) {
    parameters(def.parameters);
    block(def.body);
  }

 private:
  void identifier(std::string& name) const {
    if (prefix_.empty() || name.compare(0, 2, "__") != 0 || name.find('.') != std::string::npos) return;
    if (name.size() >= 4 && name.compare(name.size() - 2, 2, "__") == 0) return;
    if (name.size() > 2) name = prefix_ + name;
  }

  void parameters(Parameters& all) const {
    for (auto* group : {&all.posonly, &all.args, &all.kwonly}) {
      for (Parameter& parameter : *group) identifier(parameter.name);
    }
    if (all.vararg) identifier(all.vararg->name);
    if (all.kwarg) identifier(all.kwarg->name);
  }

  void expression(ExprPtr& expr) const {
    if (auto* node = as<Name>(expr)) identifier(node->id);
    if (auto* node = as<Attribute>(expr)) identifier(node->attr);
    if (auto* node = as<Lambda>(expr)) parameters(node->parameters);
    for_each_child(*expr, [&](ExprPtr& child) { expression(child); });
  }

  void pattern(Pattern& each) const {
    if (auto* node = as<MatchAs>(each)) identifier(node->name);
    if (auto* node = as<MatchStar>(each)) identifier(node->name);
    if (auto* node = as<MatchMapping>(each)) identifier(node->rest);
    for_each_pattern(each, [&](Pattern& nested) { pattern(nested); });
  }

  void aliases(std::vector<Alias>& names) const {
    for (Alias& alias : names) {
      std::string bound = alias.asname.empty() ? alias.name : alias.asname;
      identifier(bound);
      if (bound == (alias.asname.empty() ? alias.name : alias.asname)) continue;
      alias.asname = bound;
    }
  }

  void block(Block& statements) const {
    for (StmtPtr& stmt : statements) statement(*stmt);
  }

  void statement(Stmt& stmt) const {
    for_each_expression(stmt, [&](ExprPtr& expr) { expression(expr); });
    if (auto* node = as<FunctionDef>(stmt)) {
      identifier(node->name);
      parameters(node->parameters);
    } else if (auto* node = as<ClassDef>(stmt)) {
      Mangler(node->name).block(node->body);  // its own name counts in it
      identifier(node->name);
      return;
    } else if (auto* node = as<Global>(stmt)) {
      for (std::string& name : node->names) identifier(name);
    } else if (auto* node = as<Nonlocal>(stmt)) {
      for (std::string& name : node->names) identifier(name);
    } else if (auto* node = as<Import>(stmt)) {
      aliases(node->names);
    } else if (auto* node = as<ImportFrom>(stmt)) {
      aliases(node->names);
    } else if (auto* node = as<Try>(stmt)) {
      for (ExceptHandler& handler : node->handlers) identifier(handler.name);
    } else if (auto* node = as<Match>(stmt)) {
      for (MatchCase& one : node->cases) pattern(*one.pattern);
    }
    for_each_block(stmt, [&](Block& nested) { block(nested); });
  }

  std::string prefix_;
};

}  // namespace

void mangle_private_names(Function& function) {
  if (!function.class_name.empty()) Mangler(function.class_name).function(function.def);
}

}  // namespace lantern::passes
