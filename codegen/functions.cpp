// Functions, and the lambdas within them. Bodies are written before heads, so that a parameter nobody reads can be left
// without a name.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "codegen/function_writer.h"
#include "codegen/spelling.h"
#include "lantern/call_graph.h"

namespace lantern {

using namespace lowered;

namespace {

/// Whether C++ looks for functions called as this one in its own namespace alone: no argument is of a type of the runtime's or of std.
bool is_looked_up_here(const ir::Function& function) {
  return std::all_of(function.formals.begin(), function.formals.end(), [](const ir::Variable* formal) {
    return is(formal->type, TypeKind::scalar) || is(formal->type, TypeKind::structure) || is(formal->type, TypeKind::optional);
  });
}

}  // namespace

ProgramNames::ProgramNames(const lowered::Program& program, const spelling::NamesInUse& in_use)
    : program(program), in_use(&in_use), recursive(recursive_functions(*program.source)), uses(uses_of(program)) {
  for (const auto& function : program.functions) use_model_.emplace(std::pair(function.source, function.form), function.uses_model);
  for (const auto& structure : program.source->structures) structures.insert(spelling::identifier(structure.name));
  called = structures;
  std::set<std::string> taken = called;
  for (const auto& e : program.source->exports) exported_[e.function] = spelling::distinct(e.name, taken, &in_use);
  for (auto& function : program.source->functions) {
    // The exported name is the function that puts the work on Lantern's stack.
    const bool here = is_looked_up_here(function) && !has(&function, Form::cps);
    functions[&function] = exported_.contains(&function) ? spelling::distinct(function.name + "_on_stack", taken)
                                                       : spelling::distinct(function.name, taken, here ? &in_use : nullptr);
    called.insert(functions[&function]);
    for (const Form form : {Form::forward, Form::reverse}) {
      if (!has(&function, form)) continue;
      called.insert(sweeps[{&function, form}] = spelling::distinct(fmt::format("{}_{}", function.name, lowered::name_of(form)), taken));
    }
  }
  for (const auto& matrix : program.source->block_matrices) {
    block_matrices_.insert(matrix.variable);
    called.insert(globals_[matrix.variable] = spelling::distinct(matrix.variable->name, taken));
  }
  std::set<std::string> parameters = {"visit", "begin", "parameters"}, states = parameters;  // members beside them, and a formal of theirs
  for (const auto& [variable, initializer] : program.source->globals) {
    globals_[variable] = spelling::distinct_member(variable->name, variable->storage == ir::Storage::parameter ? parameters : states);
  }
}

std::string ProgramNames::function(const ir::Function* function, Form form) const {
  const auto sweep = sweeps.find({function, form});
  return sweep == sweeps.end() ? functions.at(function) : sweep->second;
}
std::string ProgramNames::exported(const ir::Function* function) const { return exported_.at(function); }
std::string ProgramNames::global(const ir::Variable* global) const { return globals_.at(global); }
std::string ProgramNames::in_group(const std::string& group, const ir::Variable* global) const {
  return block_matrices_.contains(global) ? fmt::format("{}({})", this->global(global), group) : fmt::format("{}.{}", group, this->global(global));
}

std::vector<std::string> ProgramNames::formals(const ir::Function* function) const {
  std::vector<std::string> names;
  std::set<std::string> taken = structures;
  taken.insert({"model", functions.at(function)});
  for (const auto* formal : function->formals) names.push_back(spelling::distinct(formal->name, taken, in_use));
  return names;
}

std::vector<std::string> ProgramNames::declared_formals(const ir::Function* function) const {
  std::vector<std::string> names;
  std::set<std::string> taken = structures;
  taken.insert("model");
  for (const auto* formal : function->formals) names.push_back(spelling::distinct_member(formal->name, taken));
  return names;
}

bool ProgramNames::uses_model(const ir::Function* function, Form form) const {
  const auto found = use_model_.find({function, form});
  return found != use_model_.end() && found->second;
}

std::string FunctionWriter::within(const Statements& body) {
  cpp::Writer outer = std::move(out_);
  out_ = {};
  statements(body, true);
  const std::string text = out_.take();
  out_ = std::move(outer);
  return text;
}

// `[&](continuation<double> k) { … }`; within what has a continuation of its own, that of a part is k_2.
std::string FunctionWriter::part(const ir::Variable* turn, const std::string& type, const Statements& body) {
  const auto is_taken = [&](const std::string& name) {
    return names_.called.contains(name) || spellings_.contains(name) || std::find(continuations_.begin(), continuations_.end(), name) != continuations_.end();
  };
  std::string own = "k";
  for (int i = 2; is_taken(own); ++i) own = fmt::format("k_{}", i);
  continuations_.push_back(own);
  const std::string text = within(body);
  continuations_.pop_back();
  return fmt::format("[&]({}{} {}) {{\n{}}}", turn ? fmt::format("int64_t {}, ", name(turn)) : "", type, own, text);
}

// A turn of an `each`: one that returns, or one that waits behind its continuation.
std::string FunctionWriter::turn_of(const ir::Variable* turn, const Part& p) {
  return p.waits ? part(turn, continuation(p.results), p.statements) : returning(turn, p);
}

/// The name of a continuation: a join's own, or for the nearest k what stands for it there.
std::string FunctionWriter::target(const std::string& continuation) const { return continuation == "k" ? continuations_.back() : continuation; }

std::string FunctionWriter::each_of(const Part& p, bool on_one_thread) {
  return fmt::format("{}{}", p.waits ? "each_term" : "each", on_one_thread ? "_on_one_thread" : "");
}

// `[&] { return encode(*tree.left); }`; what is not a call alone says its type: an expression of arrays is one of its own.
std::string FunctionWriter::returning(const ir::Variable* turn, const Part& part) {
  std::vector<Type> types;
  std::vector<std::string> spelled;
  for (const auto& [type, active] : part.results) {
    types.push_back(type);
    spelled.push_back(spelling::value_type(type));
  }
  const auto* around = std::exchange(returned_, &types);
  const std::string text = within(part.statements);
  returned_ = around;
  const auto* only = part.statements.size() == 1 ? std::get_if<Return>(&part.statements[0].node) : nullptr;
  const bool calls = only && only->values.size() == 1 && std::holds_alternative<DirectCall>(only->values[0]->node);
  const std::string type = spelled.size() == 1 ? spelled[0] : fmt::format("std::tuple<{}>", cpp::list(spelled));
  const std::string formal = turn ? declared(turn, read_.contains(turn)) : "";
  return fmt::format("[&]{}{} {{\n{}}}", !turn && calls ? "" : fmt::format("({})", formal), calls ? "" : " -> " + type, text);
}

void FunctionWriter::each_turn(const EachTurn& n) {
  for (const auto* result : n.results) {
    if (is(result->type, TypeKind::structure)) pointers_.insert(result);
  }
  const std::string turns = expr(n.turns).text, turn = turn_of(n.turn, n.each);
  const std::string mark_around = mark_, mark = n.marks ? next_mark() : mark_, then = within(n.then);
  if (n.marks) marks_in_scope_.pop_back();
  mark_ = mark_around;
  std::vector<std::string> formals;
  if (read_.contains(n.number)) formals.push_back("int64_t " + name(n.number));
  if (n.marks) formals.push_back("Mark " + mark);
  for (const auto* result : n.results) {
    const std::string type = spelling::value_type(result->type);
    formals.push_back(read_.contains(result) ? fmt::format("{} {}", type, name(result)) : fmt::format("{} /*{}*/", type, name(result)));
  }
  out_.line(fmt::format("{}({}, {}, [&]({}) {{\n{}}});", each_of(n.each, n.on_one_thread), turns, named_turn(turn), cpp::list(formals), then));
}

/// Of two functions in one call, one that follows the other is hard to find: the first has a name.
std::string FunctionWriter::named_turn(const std::string& turn) {
  std::string name = unique("turn");
  out_.line(fmt::format("const auto {} = {};", name, turn));
  return name;
}

std::string FunctionWriter::lambda(const std::vector<Parameter>& parameters, const Statements& body) {
  naming_.enter();
  const std::string text = within(body);
  std::vector<std::string> formals;
  for (const auto& parameter : parameters) {
    formals.push_back(declared(parameter.variable, read_.contains(parameter.variable)));
    if (!parameter.active) continue;
    const bool used = adjoints_read_.contains(parameter.variable);
    const std::string type = spelling::adjoint_type(parameter.variable->type);
    const std::string adjoint_name = spelling::adjoint_name(name(parameter.variable));
    formals.push_back(used ? fmt::format("{} {}", type, adjoint_name) : fmt::format("{} /*{}*/", type, adjoint_name));
  }
  naming_.leave();
  return fmt::format("[&]({}) {{\n{}}}", cpp::list(formals), text);
}

std::string FunctionWriter::continuation(const std::vector<std::pair<Type, bool>>& results) {
  std::vector<std::string> types;
  for (const auto& [type, active] : results) types.push_back(active ? spelling::formal_type(type) : fmt::format("passive<{}>", spelling::formal_type(type)));
  return fmt::format("continuation<{}>", cpp::list(types));
}

std::string FunctionWriter::signature(bool of_definition) {
  std::vector<std::string> formals;
  const auto formal = [&](const std::string& type, const std::string& name, bool is_read) {
    formals.push_back(is_read || !of_definition ? type + " " + name : fmt::format("{} /*{}*/", type, name));
  };
  if (function_.uses_model) formals.push_back("Model& model");
  for (const auto& [variable, active, changed] : function_.formals) {
    formal(changed ? spelling::value_type(variable->type) + "&" : spelling::formal_type(variable->type), name(variable), read_.contains(variable));
    if (active) formal(spelling::adjoint_type(variable->type), spelling::adjoint_name(name(variable)), adjoints_read_.contains(variable));
  }
  const auto& results = function_.returned;
  std::string result = "void";
  if (function_.form == Form::cps) {
    std::vector<std::pair<Type, bool>> passed;
    for (std::size_t i = 0; i < results.size(); ++i) passed.emplace_back(results[i], function_.active_results[i]);
    formals.push_back(continuation(passed) + " k");
  } else if (function_.form == Form::reverse) {
    for (const auto* y : function_.results) formal(spelling::value_type(y->type), spelling::adjoint_name(name(y)), adjoints_read_.contains(y));
  } else if (results.size() == 1) {
    result = spelling::formal_type(results[0]);
  } else if (results.size() > 1) {
    std::vector<std::string> types;
    for (const auto& type : results) types.push_back(spelling::value_type(type));
    result = fmt::format("std::tuple<{}>", cpp::list(types));
  }
  if (function_.tape) formal("Tape&", name(function_.tape), read_.contains(function_.tape));
  return fmt::format("{} {}({})", result, names_.function(function_.source, function_.form), cpp::list(formals));
}

std::string FunctionWriter::body() {
  if (function_.form == Form::direct || function_.form == Form::forward) returned_ = &function_.returned;
  for (const auto& formal : function_.formals) name(formal.variable);  // formals have the first pick of names
  for (const auto* y : function_.results) name(y);
  if (function_.tape) name(function_.tape);
  statements(function_.body, true);
  return out_.take();
}

// What the user says of the lines that a statement is of, in front of the first that is.
void FunctionWriter::comments_on(const Statement& s) {
  if (names_.program.source->comments.empty() || is_draft_ || function_.form == Form::reverse) return;
  std::set<int> lines;
  for (const auto& place : places_of(s)) {
    if (place.file_name() == function_.source->location.file_name()) lines.insert(place.line);
  }
  for (const int line : lines) {
    if (!commented_.insert(line).second) continue;
    const auto comment = names_.program.source->comments.find({function_.source->location.file_name(), line});
    if (comment != names_.program.source->comments.end()) out_.comment(comment->second);
  }
}

void FunctionWriter::choose_names() {
  FunctionWriter draft(names_, function_);
  draft.is_draft_ = true;
  draft.body();
  spelled_ = draft.naming_.names(*function_.source, names_.called, spellings_, [&](const std::string& name) { return spelling::identifier(name, names_.in_use); });
  for (const auto& [variable, name] : spelled_) spellings_.insert(Naming::stem(name));
}

std::string FunctionWriter::definition() {
  choose_names();
  const auto& location = function_.source->location;
  commented_ = {location.line};  // which is said in front of the function
  const std::string body = this->body();
  cpp::Writer text;
  text.add(mark({location}));
  if (location.known()) {
    const bool second = function_.form == Form::cps && names_.has(function_.source, Form::direct);
    const std::string form = second ? ", with its derivative" : function_.tape ? fmt::format(", its {} sweep", lowered::name_of(function_.form)) : "";
    text.comment(heading_of(*function_.source) + form);
    const auto about = names_.program.source->comments.find({location.file_name(), location.line});
    const bool is_first = function_.form == Form::direct || (function_.form != Form::reverse && !names_.has(function_.source, Form::direct));
    if (is_first && about != names_.program.source->comments.end()) text.comment(about->second, "///");
  }
  // An unread formal keeps its name in the declaration and the API alone.
  // The frames of a recursion stay on the stack until the reverse sweep. Inlined into itself by g++, it would take frames for ten.
  const bool stays = function_.form == Form::cps && names_.recursive.contains(function_.source);
  text.add(mark({location}));
  text.open((stays ? "[[gnu::noinline]] " : "") + signature(true));
  text.line(fmt::format("check_stack({});", cpp::string_literal(function_.source->name).text));
  text.line(body);
  text.close();
  return text.take();
}

}  // namespace lantern
