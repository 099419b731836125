// Every identifier of a file, so that ours can avoid them, and those that the file itself binds.
#include "frontend/passes/function.h"

namespace lantern::passes {

using namespace syntax;

namespace {

class Identifiers {
 public:
  FileNames names;

  void block(const Block& statements) {
    for (const StmtPtr& stmt : statements) statement(*stmt);
  }

 private:
  void bind(const std::vector<std::string>& bound) {
    names.bound.insert(bound.begin(), bound.end());
    names.used.insert(bound.begin(), bound.end());
  }

  void expression(const Expr& expr) {
    if (auto* name = as<Name>(expr)) names.used.insert(name->id);
    if (auto* attribute = as<Attribute>(expr)) names.used.insert(attribute->attr);
    if (auto* lambda = as<Lambda>(expr)) bind(analysis::parameter_names(lambda->parameters));
    const auto targets = [&](const std::vector<Comprehension>& generators) {
      for (const Comprehension& generator : generators) bind(analysis::bound_names(*generator.target));
    };
    if (auto* comp = as<ListComp>(expr)) targets(comp->generators);
    if (auto* comp = as<SetComp>(expr)) targets(comp->generators);
    if (auto* comp = as<DictComp>(expr)) targets(comp->generators);
    if (auto* comp = as<GeneratorExp>(expr)) targets(comp->generators);
    for_each_child(expr, [&](const Expr& child) { expression(child); });
  }

  void statement(const Stmt& stmt) {
    for_each_expression(stmt, [&](const Expr& expr) { expression(expr); });
    if (auto* function = as<FunctionDef>(stmt)) {
      const analysis::Bindings bindings = analysis::bindings_of(function->parameters, function->body);
      bind(bindings.locals);
      bind({function->name});
    }
    if (auto* type = as<ClassDef>(stmt)) {
      bind(analysis::bindings_of({}, type->body).locals);
      bind({type->name});
    }
    for_each_block(stmt, [&](const Block& nested) { block(nested); });
  }
};

}  // namespace

FileNames file_names(const Module& module) {
  Identifiers identifiers;
  identifiers.block(module.body);
  const std::vector<std::string> globals = analysis::bindings_of({}, module.body).locals;
  identifiers.names.bound.insert(globals.begin(), globals.end());
  identifiers.names.used.insert(globals.begin(), globals.end());
  return std::move(identifiers.names);
}

}  // namespace lantern::passes
