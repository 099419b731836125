// Reads the file, converts its functions one by one, outer before inner, and prints the tree.
#include "frontend/convert.h"

#include <algorithm>
#include <iterator>

#include "frontend/analysis/uses.h"
#include "frontend/parse.h"
#include "frontend/passes/passes.h"
#include "frontend/select.h"
#include "frontend/unparse.h"
#include "support/deep_stack.h"

namespace lantern {

using namespace syntax;
using passes::FileNames;
using passes::Function;
using passes::Refusal;
using passes::Role;

namespace {

struct Rewriting {
  const char* name;
  void (*run)(Function&);
};

// Jumps are lowered first, so that every other pass sees `if`s and loops with one way in and one way out. Then the
// expressions: a pass that makes calls, lambdas or slices of its own comes behind the one that converts the
// user's. The analyses of the last step see operators, but still `if`, `while`, `for` and `raise`.
constexpr Rewriting order[] = {
    {"private names", passes::mangle_private_names},
    {"declarations", passes::hoist_declarations},
    {"yield", passes::lower_yields},
    {"classes", passes::mark_classes},
    {"loop elements", passes::name_loop_elements},
    {"elif", passes::split_long_ifs},
    {"match", passes::lower_matches},
    {"return", passes::lower_returns},
    {"break", passes::lower_breaks},
    {"continue", passes::lower_continues},
    {"delayed operands", passes::name_delayed_operands},
    {"super", passes::convert_super},
    {"comprehensions", passes::convert_comprehensions},
    {"stored places", passes::note_stored_places},
    {"unreachable names", passes::declare_unreachable_names},
    {"lambda", passes::convert_lambdas},
    {"f-strings", passes::convert_formatted_strings},
    {"displays", passes::convert_displays},
    {"calls", passes::convert_calls},
    {"assignments", passes::convert_assignments},
    {"declared stores", passes::note_declared_stores},
    {"deletions", passes::convert_deletions},
    {"attributes", passes::convert_attributes},
    {"subscripts", passes::convert_subscripts},
    {"comparisons", passes::convert_comparisons},
    {"logical", passes::convert_logical},
    {"assert", passes::convert_asserts},
    {"conditionals", passes::convert_conditionals},
    {"arithmetic", passes::convert_arithmetic},
    {"control flow", passes::convert_control_flow},
    {"raise", passes::convert_raises},
    {"guards", passes::convert_guards},
};

bool is_converted_already(const FunctionDef& def) {
  for (const ExprPtr& decorator : def.decorator_list) {
    auto* made = as<Call>(decorator);
    auto* attribute = as<Attribute>(made ? *made->func : *decorator);
    if (attribute && attribute->attr == (made ? "generator_function" : "converted") && is<Name>(*attribute->value)) return true;
  }
  return false;
}

std::string fresh(const std::string& base, const passes::NameSet& taken) {
  std::string name = base;
  for (int number = 1; taken.count(name); ++number) name = base + std::to_string(number);
  return name;
}

// What the caller keeps of the original: defaults, annotations, decorators.
void strip(Parameters& parameters) {
  const auto strip_one = [](Parameter& parameter) {
    parameter.annotation = nullptr;
    if (parameter.default_value) parameter.default_value = none();
  };
  for (auto* group : {&parameters.posonly, &parameters.args, &parameters.kwonly}) {
    for (Parameter& parameter : *group) strip_one(parameter);
  }
  if (parameters.vararg) strip_one(*parameters.vararg);
  if (parameters.kwarg) strip_one(*parameters.kwarg);
}

class Converter {
 public:
  Converter(const Module& module, const FileNames& file) : module_(module), file_(file), operators_(fresh("ag__", file.used)) {}

  const FileNames& file() const { return file_; }
  const std::string& operators() const { return operators_; }
  std::vector<Unconverted> unconverted;

  // Every function of a module's or a class's code.
  void functions_in(Block& block, const std::string& class_name) {
    put_loops_of_generators(block, class_name);
    for (StmtPtr& stmt : block) {
      if (auto* def = as<FunctionDef>(stmt)) {
        if (!is_converted_already(*def) && !passes::is_generator(*def)) function(*def, stmt->range, class_name, true);
      } else if (auto* type = as<ClassDef>(stmt)) {
        functions_in(type->body, type->name);
      } else {
        for_each_block(*stmt, [&](Block& nested) { functions_in(nested, class_name); });
      }
    }
  }

  // Converts one function and those inside it; returns whether it did.
  bool function(FunctionDef& def, const Range& at, const std::string& class_name, bool mark, Role role = Role::user) {
    Function function{def, file_, operators_, class_name, role};
    if (role == Role::generator) {
      auto& formals = def.parameters.posonly;
      formals.insert(formals.begin(), Parameter{function.local_name("into__")});
    }
    if (const std::optional<Refusal> refused = passes::refusal(function)) {
      const Range& place = refused->range.known() ? refused->range : at;
      unconverted.push_back({def.name, refused->code, refused->reason, module_.location(place)});
      return false;
    }
    for (const Rewriting& pass : order) pass.run(function);
    if (mark) {
      ExprPtr decorator = attribute(name(operators_), "converted");
      inherit(decorator, at);
      def.decorator_list.push_back(std::move(decorator));
    }
    nested_functions(def.body, class_name, function.made);
    return true;
  }

 private:
  // Puts in front of each generator of a block what stands for it where something is staged, converted.
  //     @ag__.generator_function(walk_elements)
  //     def walk(tree): …
  void put_loops_of_generators(Block& block, const std::string& class_name) {
    Block result;
    for (StmtPtr& stmt : block) {
      auto* def = as<FunctionDef>(stmt);
      if (def && passes::is_generator(*def) && !is_converted_already(*def)) {
        StmtPtr copied = clone(*stmt);
        FunctionDef& copy = *as<FunctionDef>(copied);
        copy.decorator_list.clear();
        copy.returns = nullptr;
        strip(copy.parameters);
        copy.name = fresh(copy.name + "_elements", file_.used);
        const std::string id = copy.name;
        if (function(copy, stmt->range, class_name, true, Role::generator)) {
          result.push_back(std::move(copied));
          ExprPtr decorator = call(attribute(name(operators_), "generator_function"), list_of<ExprPtr>(name(id)));
          inherit(decorator, stmt->range);
          def->decorator_list.push_back(std::move(decorator));
        }
      }
      result.push_back(std::move(stmt));
    }
    block = std::move(result);
  }

  // The user's functions in a converted function's code, which are the ones with a name that the file knows (ours avoid
  // those), and those that passes made of the user's expressions. Loops of a comprehension are called where they are made, and
  // need no mark.
  void nested_functions(Block& block, const std::string& class_name, const std::map<std::string, Role>& made) {
    put_loops_of_generators(block, class_name);
    for (StmtPtr& stmt : block) {
      auto* def = as<FunctionDef>(stmt);
      const auto found = def ? made.find(def->name) : made.end();
      const Role role = found == made.end() ? Role::user : found->second;
      if (def && (file_.used.count(def->name) || found != made.end())) {
        if (!passes::is_generator(*def) && !is_converted_already(*def)) function(*def, stmt->range, class_name, role == Role::user || role == Role::operand, role);
      } else if (auto* type = as<ClassDef>(stmt)) {
        nested_functions(type->body, type->name, {});
      } else {
        for_each_block(*stmt, [&](Block& nested) { nested_functions(nested, class_name, made); });
      }
    }
  }

  const Module& module_;
  const FileNames& file_;
  std::string operators_;
};

// Behind the docstring and `from __future__ import …`.
void import_operators(Module& module, const std::string& operators) {
  auto at = module.body.begin();
  if (at != module.body.end()) {
    auto* first = as<ExprStmt>(*at);
    auto* docstring = first ? as<String>(first->value) : nullptr;
    if (docstring && !docstring->is_formatted() && !docstring->is_bytes()) ++at;
  }
  while (at != module.body.end() && as<ImportFrom>(*at) && as<ImportFrom>(*at)->module == "__future__") ++at;
  module.body.insert(at, make(Import{list_of<Alias>(Alias{"lantern.operators", operators})}));
}

ExprPtr unwrap_lambda(ExprPtr converted) { return std::move(as<Call>(converted)->args[0]); }

Block factory(Converter& converter, std::vector<std::string> free, Block body, ExprPtr result) {
  std::vector<std::string> formals{converter.operators()};
  formals.insert(formals.end(), free.begin(), free.end());
  body.push_back(return_(std::move(result)));
  return list_of<StmtPtr>(
      function_def(fresh("factory__", converter.file().used), parameters(std::move(formals)), std::move(body)));
}

// The text of one function, which is a copy of the file's; nothing where it is left unconverted.
Block convert_lambda(Converter& converter, const Selection& selected, std::vector<std::string>& free) {
  ExprPtr lambda = clone(*selected.lambda);
  strip(as<Lambda>(lambda)->parameters);
  FunctionDef holder{"<lambda>", {}, list_of<StmtPtr>(return_(std::move(lambda)))};
  inherit(holder.body, selected.range());
  Function shell{holder, converter.file(), converter.operators(), selected.class_name};
  passes::mangle_private_names(shell);
  free = selected.free_variables(analysis::free_names(*as<Lambda>(as<Return>(holder.body[0])->value)));
  if (!converter.function(holder, selected.range(), selected.class_name, false)) return {};
  ExprPtr result = unwrap_lambda(std::move(as<Return>(holder.body.back())->value));
  holder.body.pop_back();     // what is left are the functions of its comprehensions
  return factory(converter, free, std::move(holder.body), std::move(result));
}

Block convert_function(Converter& converter, const Selection& selected, std::vector<std::string>& free) {
  StmtPtr function = clone(*selected.function);
  FunctionDef& def = *as<FunctionDef>(function);
  def.decorator_list.clear();
  def.returns = nullptr;
  strip(def.parameters);
  Function shell{def, converter.file(), converter.operators(), selected.class_name};
  passes::mangle_private_names(shell);
  const passes::NameSet free_names = analysis::free_names(def);
  free = selected.free_variables(free_names);
  // A global function that calls itself means the global, not the factory's local of that name.
  const bool calls_itself = free_names.count(def.name) && std::find(free.begin(), free.end(), def.name) == free.end();
  const Role role = passes::is_generator(def) ? Role::generator : Role::user;
  if (!converter.function(def, selected.range(), selected.class_name, false, role)) return {};
  if (calls_itself) def.name = fresh(def.name + "__", converter.file().used);
  ExprPtr result = name(def.name);
  return factory(converter, free, list_of<StmtPtr>(std::move(function)), std::move(result));
}

void print(const Block& converted, Conversion& result) {
  if (converted.empty()) return;
  Unparsed printed = unparse(converted);
  result.text = std::move(printed.text);
  for (const Mapping& mapping : printed.map) {
    const Range& from = mapping.origin;
    result.source_map.push_back(
        {mapping.output.line, mapping.output.column, from.line, from.column, from.end_line, from.end_column});
  }
}

}  // namespace

Conversion convert(std::string_view source, const std::string& filename) {
  Conversion result;
  on_deep_stack([&] {
    Module module = parse(source, std::make_shared<const std::string>(filename));
    const FileNames names = passes::file_names(module);
    Converter converter(module, names);
    converter.functions_in(module.body, "");
    import_operators(module, converter.operators());
    result.unconverted = std::move(converter.unconverted);
    print(module.body, result);
  });
  return result;
}

struct SourceFile::Read {
  explicit Read(Module parsed) : module(std::move(parsed)), functions(functions_of(module)), names(passes::file_names(module)) {}

  const Module module;
  const std::vector<Selection> functions;
  const FileNames names;
};

SourceFile::SourceFile(std::string_view source, const std::string& filename) {
  on_deep_stack([&] { read_ = std::make_shared<const Read>(parse(source, std::make_shared<const std::string>(filename))); });
}

const std::vector<Comment>& SourceFile::comments() const { return read_->module.comments; }

Conversion SourceFile::convert(const FunctionPlace& place) const {
  Conversion result;
  on_deep_stack([&] {
    const Selection& selected = select_function(read_->module, read_->functions, place.line, place.name, place.column);
    Converter converter(read_->module, read_->names);
    const auto one = selected.lambda ? convert_lambda : convert_function;
    print(one(converter, selected, result.free_variables), result);
    const Range& range = selected.range();
    const auto& comments = read_->module.comments;
    std::copy_if(comments.begin(), comments.end(), std::back_inserter(result.comments),
                 [&](const Comment& comment) { return comment.line >= std::min(place.line, range.line) && comment.line <= range.end_line; });
    result.unconverted = std::move(converter.unconverted);
  });
  return result;
}

}  // namespace lantern
