// Both programs as text, for people: a line a binding, blocks indented. Nothing reads it back.
#include <fmt/format.h>

#include <algorithm>

#include "lantern/ir.h"
#include "lantern/lowered.h"
#include "lantern/origins.h"
#include "lantern/walk.h"
#include "sexpr/datum.h"
#include "sexpr/printer.h"
#include "support/match.h"

namespace lantern {

namespace {

// In quotes, on one line.
std::string quoted(const std::string& text) {
  sexpr::Document document;
  return sexpr::print_line(*document.string(text));
}

std::string text_of(const ir::Literal& value) {
  return match(
      value, [](const ir::NoneLiteral&) { return std::string("none"); }, [](bool b) { return std::string(b ? "true" : "false"); },
      [](std::int64_t i) { return std::to_string(i); }, [](double d) { return fmt::format("{:#}", d); },
      [](const std::string& s) { return quoted(s); });
}

std::string parenthesised(std::string head, const std::vector<std::string>& rest) {
  for (const auto& part : rest) head += " " + part;
  return "(" + head + ")";
}

// Deeper than this a line begins with its depth, as in `61| x: f64 = …`: the output's length is linear in the program's
// whatever the nesting.
constexpr int deepest_indent = 60;

class Lines {
 public:
  void line(const std::string& text) {
    text_.append(static_cast<std::size_t>(std::min(depth_, deepest_indent)) * 2, ' ');
    if (depth_ > deepest_indent) text_ += fmt::format("{}| ", depth_);
    text_ += text + "\n";
    ++count_;
  }
  template <class Body>
  void block(const std::string& head, Body body) {
    line(head);
    ++depth_;
    body();
    --depth_;
  }
  std::string take() { return std::move(text_); }
  std::size_t count() const { return count_; }

 private:
  std::string text_;
  std::size_t count_ = 0;
  int depth_ = 0;
};

std::string attributes_of(const Attributes& attributes) {
  std::string text;
  if (attributes.dtype) text += fmt::format(" {}", to_string(*attributes.dtype));
  if (!attributes.name.empty()) text += " " + attributes.name;
  if (!attributes.text.empty()) text += " " + quoted(attributes.text);
  if (attributes.type) text += " " + to_string(attributes.type);
  return text;
}

class IrPrinter : Lines {
 public:
  std::string print(const ir::Program& program) {
    for (const auto& structure : program.structures) {
      block(fmt::format("struct {}", structure.name), [&] {
        for (const auto& [name, type] : structure.fields) line(fmt::format("{}: {}", name, to_string(type)));
      });
    }
    for (const auto& global : program.globals) {
      const bool trained = global.variable->storage == ir::Storage::parameter;
      line(fmt::format("{} {}", trained ? "parameter" : "state", typed(*global.variable)));
    }
    for (const auto& matrix : program.block_matrices) {
      std::string rows;
      for (std::size_t i = 0; i < matrix.blocks.size(); ++i) rows += (i == 0 ? "" : i % matrix.columns == 0 ? "; " : " ") + matrix.blocks[i]->name;
      line(fmt::format("blocks {} = [{}]", typed(*matrix.variable), rows));
    }
    for (const auto& function : program.functions) {
      std::vector<std::string> formals, results;
      for (const auto* formal : function.formals) formals.push_back(typed(*formal));
      for (const auto& type : function.results) results.push_back(to_string(type));
      block(fmt::format("define {}({}) -> ({})", function.name, fmt::join(formals, ", "), fmt::join(results, ", ")),
            [&] { body(function.body); });
    }
    for (const auto& exported : program.exports) {
      line(exported.name == exported.function->name ? fmt::format("export {}", exported.name) : fmt::format("export {} as {}", exported.function->name, exported.name));
    }
    return take();
  }

 private:
  static std::string typed(const ir::Variable& variable) { return fmt::format("{}: {}", variable.name, to_string(variable.type)); }
  static std::string of(const ir::Operand& operand) {
    if (!operand.variable) return text_of(operand.literal);
    return operand.variable->name + (operand.present ? "!" : "");
  }
  static std::vector<std::string> all(const std::vector<ir::Operand>& operands) {
    std::vector<std::string> texts;
    for (const auto& operand : operands) texts.push_back(of(operand));
    return texts;
  }

  void body(const ir::Block& block) {
    for (const auto& binding : block.bindings) print(binding);
    line(block.raises ? "raises" : fmt::format("=> {}", fmt::join(all(block.results), ", ")));
  }

  void loop(const std::string& head, const auto& node) {
    std::vector<std::string> state;
    for (std::size_t i = 0; i < node.state.size(); ++i) state.push_back(fmt::format("{} = {}", typed(*node.state[i]), of(node.initial[i])));
    block(fmt::format("{} with {}", head, fmt::join(state, ", ")), [&] {
      block("test", [&] { body(*node.test); });
      block("body", [&] { body(*node.body); });
    });
  }

  void print(const ir::Binding& binding) {
    std::vector<std::string> results;
    for (const auto* result : binding.results) results.push_back(typed(*result));
    const std::string bound = results.empty() ? "" : fmt::format("{} = ", fmt::join(results, ", "));
    const auto say = [&](const std::string& text) { line(bound + text); };
    match(
        binding.node,
        [&](const ir::Operate& n) { say(parenthesised(std::string(n.op->name) + attributes_of(n.attributes), all(n.operands))); },
        [&](const ir::Call& n) { say(fmt::format("call {}", parenthesised(n.callee->name, all(n.operands)))); },
        [&](const ir::If& n) {
          block(fmt::format("{}if {}", bound, of(n.condition)), [&] { body(*n.then); });
          block("else", [&] { body(*n.otherwise); });
        },
        [&](const ir::While& n) { loop(bound + "while", n); },
        [&](const ir::For& n) {
          const auto* range = std::get_if<ir::Range>(&n.sequence);
          const std::string over = range ? parenthesised("range", {of(range->start), of(range->stop), of(range->step)}) : of(std::get<ir::Operand>(n.sequence));
          loop(fmt::format("{}for {} in {}", bound, typed(*n.element), over), n);
        },
        [&](const ir::Each& n) { block(fmt::format("{}each {} below {}", bound, typed(*n.turn), of(n.turns)), [&] { body(*n.body); }); },
        [&](const ir::Field& n) { say(fmt::format("{}.{}", of(n.object), n.name)); },
        [&](const ir::IsNone& n) { say(fmt::format("none? {}", of(n.object))); },
        [&](const ir::Make& n) { say(fmt::format("make {}", parenthesised(n.structure, all(n.fields)))); },
        [&](const ir::Copy& n) { say(of(n.value)); },
        [&](const ir::ValueAndGrad& n) {
          std::vector<std::string> wrt;
          for (const auto* variable : n.wrt) wrt.push_back(variable->name);
          say(fmt::format("value-and-grad {} wrt {}{}", parenthesised(n.callee->name, all(n.operands)), fmt::join(wrt, ", "), n.in_parts ? ", in parts" : ""));
        },
        [&](const ir::AddGradient& n) { say(fmt::format("add-gradient {} times {}", parenthesised(n.callee->name, all(n.operands)), of(n.adjoint))); },
        [&](const ir::Jvp& n) { say(fmt::format("jvp {} {}", parenthesised(n.callee->name, all(n.operands)), fmt::join(all(n.tangents), " "))); },
        [&](const ir::Update& n) {
          for (std::size_t i = 0; i < n.targets.size(); ++i) say(fmt::format("update {} := {}", n.targets[i]->name, of(n.values[i])));
        },
        [&](const ir::Initialize& n) { say(fmt::format("initialize {}", parenthesised(n.target->name, all(n.dims)))); },
        [&](const ir::Print& n) { say(parenthesised(n.is_line ? "print" : "print-part", all(n.operands))); },
        [&](const ir::Assert& n) { say(fmt::format("assert {} {}", of(n.condition), quoted(n.message))); },
        [&](const ir::Raise& n) { say(fmt::format("raise {} {} {}", n.kind, quoted(n.message), fmt::join(all(n.operands), " "))); });
  }
};

class LoweredPrinter : Lines {
 public:
  /// origins: an entry for each line; null: nobody asks.
  explicit LoweredPrinter(std::vector<Origin>* origins) : origins_(origins) {}

  std::string print(const lowered::Program& program) {
    for (std::size_t i = 0; i < program.functions.size(); ++i) {
      const auto& function = program.functions[i];
      here_ = {.form = i, .reverse = function.form == lowered::Form::reverse};
      add_place(here_.places, function.source->location);
      std::vector<std::string> formals;
      for (const auto& formal : function.formals) formals.push_back(pair(formal));
      for (const auto* result : function.results) formals.push_back(result->name + "_adj");
      const std::string_view behind = function.tape ? "; tape" : function.form == lowered::Form::cps ? "; k" : "";
      block(fmt::format("{} {}({}{})", lowered::name_of(function.form), function.source->name, fmt::join(formals, ", "), behind),
            [&] { body(function.body); });
    }
    return take();
  }

 private:
  // The lines since the last call come from `here_`.
  void note_lines() {
    if (origins_) origins_->resize(count(), here_);
  }

  static std::string pair(const lowered::Parameter& p) { return p.active ? fmt::format("{0} {0}_adj", p.variable->name) : p.variable->name + (p.changed ? "&" : ""); }

  std::string of(const lowered::ExprPtr& e) {
    using namespace lowered;
    std::vector<std::string> operands;
    for_each_operand(*e, [&](const ExprPtr& operand) { operands.push_back(of(operand)); });
    return match(
        e->node, [&](const Constant& n) { return text_of(n.value); }, [&](const Read& n) { return n.variable->name; },
        [&](const AdjointOf& n) { return n.variable->name + "_adj"; },
        [&](const Apply& n) { return parenthesised(std::string(n.op->name) + attributes_of(n.attributes), operands); },
        [&](const FieldOf& n) { return parenthesised("getattr", {operands[0], n.name}); },
        [&](const NoneTest&) { return parenthesised("none?", operands); },
        [&](const Construct& n) { return parenthesised("make " + n.structure, operands); },
        [&](const DirectCall& n) { return parenthesised(n.callee->name, operands); },
        [&](const GradientOf& n) { return parenthesised("gradient", {n.parameter->name}); });
  }

  std::string of(const std::vector<lowered::ExprPtr>& values) {
    std::string text;
    for (const auto& value : values) text += (text.empty() ? "" : " ") + of(value);
    return text;
  }

  std::string of(const std::vector<lowered::Argument>& arguments) {
    std::string text;
    for (const auto& argument : arguments) {
      text += (text.empty() ? "" : " ") + of(argument.value);
      if (argument.adjoint) text += fmt::format(" {}_adj", argument.adjoint->name);
    }
    return text;
  }

  static std::string of(const std::vector<lowered::Parameter>& parameters) {
    std::string text;
    for (const auto& p : parameters) text += (text.empty() ? "" : " ") + pair(p);
    return text;
  }

  static std::string names(const std::vector<ir::Variable*>& variables) {
    std::string text;
    for (const auto* variable : variables) text += (text.empty() ? "" : " ") + variable->name;
    return text;
  }

  void body(const lowered::Statements& statements) {
    note_lines();
    const Origin around = here_;
    for (const auto& statement : statements) {
      here_.reverse = is_in_reverse_sweep(statement, here_.reverse);
      if (origins_) here_.places = places_of(statement);
      print(statement);
      note_lines();
    }
    here_ = around;
  }

  void print(const lowered::Statement& s) {
    using namespace lowered;
    match(
        s.node, [&](const Let& n) { line(fmt::format("let {} = {}", names(n.variables), of(n.value))); },
        [&](const Declare& n) { line(fmt::format("variable {}{}", n.variable->name, n.initial ? " = " + of(n.initial) : "")); },
        [&](const Assign& n) { line(fmt::format("{} := {}", names(n.variables), of(n.values))); },
        [&](const DeclareAdjoint& n) { line(fmt::format("let {}_adj = {}", n.variable->name, n.value ? of(n.value) : "0")); },
        [&](const Accumulate& n) { line(fmt::format("{}_adj{}{} += {}", n.variable->name, n.field.empty() ? "" : ".", n.field, of(n.value))); },
        [&](const If& n) {
          block(fmt::format("if {}", of(n.condition)), [&] { body(n.then); });
          block("else", [&] { body(n.otherwise); });
        },
        [&](const While& n) {
          if (n.marks) line("mark");
          block("while", [&] {
            body(n.test);
            line(fmt::format("until (not {})", of(n.condition)));
            body(n.body);
          });
        },
        [&](const For& n) {
          if (n.marks) line("mark");
          block(fmt::format("for {} in {}", n.element->name, n.range.empty() ? of(n.sequence) : parenthesised("range", {of(n.range)})), [&] {
            body(n.test);
            if (n.condition) line(fmt::format("until (not {})", of(n.condition)));
            body(n.body);
          });
        },
        [&](const AssignAdjoints& n) {
          std::string targets;
          for (const auto* variable : n.variables) targets += (targets.empty() ? "" : " ") + variable->name + "_adj";
          line(fmt::format("{} := {}", targets, of(n.values)));
        },
        [&](const InOneLoop& n) {
          block("in one loop", [&] {
            for (const auto& [e, element] : n.operands) line(fmt::format("for {} in {}", element->name, of(e)));
            for (const auto& [element, value] : n.values) line(fmt::format("let {} = {}", element->name, of(value)));
            for (const auto& result : n.results) {
              constexpr const char* totals[] = {"", "sum of ", "mean of "};
              line(fmt::format("give {}{} = {}{}", result.variable->name, result.is_adjoint ? "_adj" : "", totals[static_cast<std::size_t>(result.total)], of(result.value)));
            }
          });
        },
        [&](const DeclareSaved& n) { line(fmt::format("saved {}", n.saved->name)); },
        [&](const Save& n) { line(fmt::format("save {}{} in {}", n.outline ? "the shape of " : "", n.variable->name, n.saved->name)); },
        [&](const Restore& n) { line(fmt::format("restore {} from {}", n.variable->name, n.saved->name)); },
        [&](const DeclareTape& n) { line(n.tape->name); }, [&](const Push& n) { line(fmt::format("push {} on {}", names(n.variables), n.tape->name)); },
        [&](const Pop& n) { line(fmt::format("pop {} from {}", names(n.variables), n.tape->name)); },
        [&](const Forward& n) { line(fmt::format("let {} = forward {} {}; {}", names(n.results), n.callee->name, of(n.operands), n.tape->name)); },
        [&](const Reverse& n) { line(fmt::format("reverse {} {} {}; {}", n.callee->name, of(n.arguments), of(n.adjoints), n.tape->name)); },
        [&](const Change& n) {
          constexpr const char* acts[] = {"changes", "begin", "note", "redo", "undo", "undo to begin of"};
          line(fmt::format("{} {}{}", acts[static_cast<std::size_t>(n.act)], n.history->name, n.array ? fmt::format(": {} {}", of(n.array), of(n.places)) : ""));
        },
        [&](const ClearItem& n) { line(fmt::format("clear {}_adj at {}", n.variable->name, of(n.places))); },
        [&](const Backwards& n) {
          block(fmt::format("for {} backwards in (range {} {} 1)", n.turn->name, of(n.start), of(n.stop)), [&] { body(n.body); });
        },
        [&](const CallThen& n) {
          if (!n.passed.empty()) return line(fmt::format("{} {} then {}", n.callee->name, of(n.arguments), n.passed));
          block(fmt::format("{} {} then λ {}", n.callee->name, of(n.arguments), of(n.parameters)), [&] { body(n.body); });
        },
        [&](const Together& n) {
          for (const auto& part : n.parts) block("together: λ k", [&] { body(part.statements); });
          block(fmt::format("then λ {}", of(n.parameters)), [&] { body(n.body); });
        },
        [&](const Each& n) {
          block(fmt::format("each λ {} k below {}", n.turn->name, of(n.turns)), [&] { body(n.each.statements); });
          block(fmt::format("then λ {}", of(n.parameters)), [&] { body(n.body); });
        },
        [&](const LetTogether& n) {
          line(fmt::format("let {} =", names(n.variables)));
          for (const auto& part : n.parts) block("together: λ", [&] { body(part.statements); });
        },
        [&](const LetEach& n) { block(fmt::format("let {} = each λ {} below {}", names(n.lists), n.turn->name, of(n.turns)), [&] { body(n.each.statements); }); },
        [&](const EachTurn& n) {
          block(fmt::format("each λ {} below {}", n.turn->name, of(n.turns)), [&] { body(n.each.statements); });
          block(fmt::format("then, of each {}, λ {}", n.number->name, names(n.results)), [&] { body(n.then); });
        },
        [&](const Join& n) { block(fmt::format("{} = λ {}", n.name, of(n.parameters)), [&] { body(n.body); }); },
        [&](const Resume& n) { line(fmt::format("{} {}", n.target, of(n.arguments))); },
        [&](const Return& n) { line(fmt::format("return {}", of(n.values))); }, [&](const Do& n) { line(of(n.value)); },
        [&](const Print& n) { line(fmt::format("{} {}", n.is_line ? "print" : "print-part", of(n.values))); },
        [&](const Assert& n) { line(fmt::format("assert {} {}", of(n.condition), quoted(n.message))); },
        [&](const Raise& n) { line(fmt::format("raise {} {} {}", n.kind, quoted(n.message), of(n.values))); },
        [&](const Gradient& n) {
          line(fmt::format("{} = value of {} {} and its gradient wrt {}", n.value->name, n.callee->name, of(n.arguments), names(n.parameters)));
        },
        [&](const Step& n) {
          const char* rows = n.rows_only ? ", touched rows only" : n.at_rest ? ", other rows when they are read" : "";
          block(fmt::format("step by {}{}", n.gradient->name, rows), [&] {
            if (n.unless) line(fmt::format("unless {}", of(n.unless)));
            for (std::size_t i = 0; i < n.targets.size(); ++i) line(fmt::format("{} := {}", n.targets[i]->name, of(n.values[i])));
          });
        },
        [&](const Store& n) { line(fmt::format("{} := {}", n.target->name, of(n.value))); },
        [&](const Initialize& n) { line(fmt::format("initialize {} {}", n.target->name, of(n.dims))); },
        [&](const Break&) { line("break"); }, [&](const MarkArena&) { line("mark"); }, [&](const ResetArena&) { line("reset"); },
        [&](const Comment& n) { line("; " + n.text); });
  }

  std::vector<Origin>* origins_;
  Origin here_;
};

}  // namespace

namespace ir {
std::string print(const Program& program) { return IrPrinter().print(program); }
}  // namespace ir

namespace lowered {
std::string print(const Program& program) { return LoweredPrinter(nullptr).print(program); }
std::string print(const Program& program, std::vector<Origin>& origins) { return LoweredPrinter(&origins).print(program); }
}  // namespace lowered

}  // namespace lantern
