// Statements: the lowered ones as C++, one by one.
#include <fmt/format.h>

#include <algorithm>

#include "codegen/cpp_types.h"
#include "codegen/function_writer.h"
#include "codegen/marks.h"
#include "codegen/model_values.h"
#include "codegen/shape_checks.h"
#include "codegen/spelling.h"
#include "lantern/conditions.h"
#include "lantern/leaving.h"
#include "lantern/walk.h"
#include "support/diagnostic.h"
#include "support/match.h"

namespace lantern {

using namespace lowered;

std::string FunctionWriter::name(const ir::Variable* variable) {
  if (const auto same = same_tables_.find(variable); same != same_tables_.end()) variable = same->second;
  if (is_draft_) naming_.mention(variable);
  if (const auto known = spelled_.find(variable); known != spelled_.end()) return known->second;
  return spelled_[variable] = unique(spelling::identifier(variable->name, names_.in_use));
}

std::string FunctionWriter::unique(const std::string& base) {
  const std::string stem = Naming::stem(base);
  std::string name = base, key = stem;
  for (int i = 2; names_.called.contains(name) || !spellings_.insert(key).second; ++i) name = key = fmt::format("{}_{}", stem, i);
  return name;
}

/// A name for what goes along with a variable, in its scope: free, if no variable has it.
std::string FunctionWriter::beside(const std::string& name, const char* suffix) {
  const std::string along = Naming::stem(name) + suffix;
  return names_.called.contains(along) || spellings_.contains(along) ? unique(along) : along;
}

std::string FunctionWriter::declared(const ir::Variable* variable, bool used) {
  const std::string type = spelling::formal_type(variable->type);
  return used ? fmt::format("{} {}", type, name(variable)) : fmt::format("{} /*{}*/", type, name(variable));
}

std::string FunctionWriter::mark(std::vector<Location> places) {
  if (!names_.origins || is_draft_) return {};
  names_.origins->push_back({std::move(places), static_cast<std::size_t>(&function_ - names_.program.functions.data()), reverse_});
  return marks::mark(names_.origins->size() - 1);
}

void FunctionWriter::statements(const Statements& list, bool last, bool in_scope_of_its_own) {
  if (in_scope_of_its_own) naming_.enter();
  const bool around = reverse_;
  const std::string mark_around = mark_;
  const std::size_t marks_around = marks_in_scope_.size(), tables_around = tables_in_scope_.size();
  for (std::size_t i = 0; i < list.size(); ++i) {
    reverse_ = is_in_reverse_sweep(list[i], reverse_);
    if (names_.origins) out_.add(mark(places_of(list[i])));
    if (!reverse_ || std::holds_alternative<InOneLoop>(list[i].node)) comments_on(list[i]);  // a loop of both sweeps has the comments of what it computes of the first
    if (std::holds_alternative<Step>(list[i].node))
      i = steps(list, i) - 1;
    else
      statement(list[i], last && i + 1 == list.size());
  }
  reverse_ = around;
  mark_ = mark_around;
  if (!in_scope_of_its_own) return;
  marks_in_scope_.resize(marks_around);
  tables_in_scope_.resize(tables_around);
  naming_.leave();
}

void FunctionWriter::statement(const Statement& s, bool last) {
  const auto texts = [&](const std::vector<ExprPtr>& values) {
    std::vector<cpp::Expr> all;
    for (const auto& value : values) all.push_back(expr(value));
    return all;
  };
  const auto place = spelling::place(s.location);
  if (const Location* unsure = first_unsure_shape(s)) out_.line(fmt::format("at({});", spelling::place(*unsure)));
  match(
      s.node, [&](const Let& n) { let(n); },
      [&](const Declare& n) {
        const Type& type = n.variable->type;
        if (is(type, TypeKind::structure)) pointers_.insert(n.variable);
        const std::string head = fmt::format("{}{} {}", n.unread ? "[[maybe_unused]] " : "", spelling::value_type(type), name(n.variable));
        if (!n.initial) {
          out_.line(head + "{};");
        } else {
          const bool link = is(type, TypeKind::structure) || is(type, TypeKind::optional);
          const std::string value = (link ? pointer_to(n.initial) : expr(n.initial)).text;
          out_.line(value == spelling::value_type(type) + "{}" ? head + "{};" : fmt::format("{} = {};", head, value));
        }
      },
      [&](const Assign& n) { assign(n); },
      [&](const DeclareAdjoint& n) {
        const Type type = resolve(n.variable->type);
        if (type->kind == TypeKind::structure || type->kind == TypeKind::optional) {
          const ExprPtr value = n.value ? n.value : lowered::make(Read{n.variable}, type);
          const std::string made = n.value ? cpp::call("adjoint", {pointer_to(value)}).text : cpp::call("zeros_like", {pointer_to(value)}).text;
          out_.line(fmt::format("{} {} = {};", spelling::adjoint_type(type), spelling::adjoint_name(name(n.variable)), made));
          return;
        }
        const ExprPtr lazy = n.value ? deferred(n.value) : nullptr;
        if (lazy) lazy_adjoints_.insert(n.variable);
        const std::string head = fmt::format("{}{} {}", n.constant ? "const " : "", lazy ? "auto" : spelling::value_type(type), spelling::adjoint_name(name(n.variable)));
        if (!n.value) {
          read_.insert(n.variable);
          const bool number = is_one_number(type);
          out_.line(!number ? fmt::format("{} = zeros_like({});", head, name(n.variable)) : fmt::format("{} = 0;", head));
          return;
        }
        // What is added to must be an array of its own.
        const cpp::Expr value = expr(lazy ? lazy : n.value);
        const bool copies = !n.constant && rank(type) > 0 && may_be_view(n.value);
        out_.line(fmt::format("{} = {};", head, copies ? cpp::call("copy", {value}).text : value.text));
      },
      [&](const Accumulate& n) { accumulate(n); }, [&](const If& n) { branch(n, last); },
      [&](const While& n) { while_loop(n); }, [&](const For& n) { for_loop(n, s.location); }, [&](const AssignAdjoints& n) { assign_adjoints(n); }, [&](const InOneLoop& n) { in_one_loop(n); },
      [&](const DeclareSaved& n) { out_.line(fmt::format("Saved<{}> {};", spelling::value_type(n.saved->type), name(n.saved))); },
      [&](const Save& n) { out_.line(fmt::format("{}.push({});", name(n.saved), n.outline ? fmt::format("outline({})", name(n.variable)) : name(n.variable))); },
      [&](const Restore& n) { 
        const std::string head = n.declares ? spelling::constant_type(n.variable->type) + " " : "";
        out_.line(fmt::format("{}{} = {}.pop();", head, name(n.variable), name(n.saved)));
      },
      [&](const DeclareTape& n) { out_.line(fmt::format("Tape {};", name(n.tape))); },
      [&](const Push& n) { push(n); }, [&](const Pop& n) { pop(n); }, [&](const Forward& n) { forward(n); }, [&](const Reverse& n) { reverse(n); },
      [&](const Change& n) { change(n, s.location); },
      [&](const ClearItem& n) { clear(n); },
      [&](const Backwards& n) {
        out_.open(fmt::format("for (int64_t {0} = {1}; {0}-- > {2};)", name(n.turn), expr(n.stop).text, expr(n.start).text));
        statements(n.body, false);
        out_.close();
      },
      [&](const CallThen& n) {
        const std::string body = n.passed.empty() ? lambda(n.parameters, n.body) : target(n.passed);
        const std::string operands = arguments(n.callee, Form::cps, n.arguments);
        out_.line(fmt::format("{}({}{}{});", names_.function(n.callee, Form::cps), operands, operands.empty() ? "" : ", ", body));
      },
      [&](const Together& n) {
        std::vector<std::string> work;
        for (const auto& p : n.parts) {
          const bool passes = std::holds_alternative<CallThen>(p.statements.back().node);
          work.push_back(part(nullptr, passes ? "auto" : continuation(p.results), p.statements));
        }
        work.push_back(lambda(n.parameters, n.body));
        out_.line(fmt::format("together({});", cpp::list(work)));
      },
      [&](const Each& n) {
        const std::string turn = part(n.turn, continuation(n.each.results), n.each.statements);
        const std::string rest = lambda(n.parameters, n.body);
        out_.line(fmt::format("{}({}, {}, {});", n.on_one_thread ? "each_on_one_thread" : "each", expr(n.turns).text, named_turn(turn), rest));
      },
      [&](const Join& n) { out_.line(fmt::format("const auto {} = {};", n.name, lambda(n.parameters, n.body))); },
      [&](const Resume& n) {
        std::vector<std::string> operands;
        for (const auto& argument : n.arguments) {
          operands.push_back((argument.as ? expr_as(argument.value, argument.as) : expr(argument.value)).text);
          if (argument.adjoint) operands.push_back(adjoint(argument.adjoint).text);
        }
        out_.line(fmt::format("{}({});", target(n.target), cpp::list(operands)));
      },
      [&](const LetTogether& n) {
        std::vector<std::string> parts;
        for (const auto& p : n.parts) parts.push_back(returning(nullptr, p));
        let_all(n.variables, fmt::format("together({})", cpp::list(parts)));
      },
      [&](const LetEach& n) {
        const std::string turns = expr(n.turns).text;
        let_all(n.lists, fmt::format("{}({}, {})", each_of(n.each, n.on_one_thread), turns, turn_of(n.turn, n.each)));
      },
      [&](const EachTurn& n) { each_turn(n); }, [&](const Return& n) { returns(n, last); },
      [&](const Do& n) {
        const auto* apply = std::get_if<Apply>(&n.value->node);  // a quotient that nobody reads is there for what it raises
        const bool checks = n.discards && apply && apply->op->name == "/" && is_scalar(n.value->type, DType::f64) && is_scalar(apply->operands[0]->type, DType::f64);
        if (checks) return out_.line(cpp::call("check_divisor", {expr(apply->operands[1]), cpp::Expr{spelling::place(n.value->location), cpp::Binding::postfix}}).text + ";");
        out_.line((n.discards ? cpp::call("static_cast<void>", {expr(n.value)}) : expr(n.value)).text + ";");
      },
      [&](const Print& n) { out_.line(cpp::call(n.is_line ? "print" : "print_part", texts(n.values)).text + ";"); },
      [&](const Assert& n) {
        out_.line(fmt::format("require({}, {}, {});", expr(n.condition).text, place, cpp::string_literal(n.message).text));
      },
      [&](const Raise& n) { raise(n, place); },
      [&](const Gradient& n) { gradient(n); },
      [&](const Step&) {},  // steps() writes these
      [&](const Store& n) {
        const std::string target = array(n.target, !n.at_beginning);
        out_.line(rank(n.target->type) == 0 ? fmt::format("{} = {};", target, expr(n.value).text)
                                            : fmt::format("assign({}.tensor(), {});", target, expr(n.value).text));
      },
      [&](const Initialize& n) {
        const std::string target = array(n.target, !n.at_beginning);
        std::vector<std::string> dims;
        for (const auto& dim : n.dims) dims.push_back(expr(dim).text);
        const std::string shape = dims.empty() ? "" : fmt::format("{{{}}}, ", cpp::list(dims));
        for (const auto& global : names_.program.source->globals) {
          if (global.variable != n.target) continue;
          const auto& initializer = global.initializer;
          if (initializer.kind == "values") {
            out_.line(fmt::format("{} = {};", target, array_of_values(global)));
            continue;
          }
          if (initializer.kind == "fill") {
            out_.line(fmt::format("fill({}, {}{});", target, shape, element(initializer.numbers[0], n.target->type)));
          } else {
            out_.line(fmt::format("initialize_{}({}, {}{}, {});", initializer.kind, target, shape, spelling::number(initializer.number(0)), spelling::number(initializer.number(1))));
          }
        }
      },
      [&](const Break&) { out_.line("break;"); }, [&](const MarkArena&) { mark_arena(); },
      [&](const ResetArena&) { out_.line(fmt::format("arena().reset({});", mark_)); },
      [&](const Comment& n) {
        if (n.sweep != Sweep::ends) out_.comment(n.text);
      });
}

// A longer condition has braces behind it.
constexpr std::size_t longest_skipped = 80;

// chained: it stands behind an `else`, in no braces of its own.
void FunctionWriter::branch(const If& n, bool last, bool chained) {
  if (n.then.empty() && !n.otherwise.empty() && is_condition(n.condition->type)) {
    if (chained || &n != skips_) return branch({negated(n.condition), n.otherwise, {}}, last, chained);
    const std::string skipped = expr(n.condition).text;
    if (skipped.size() <= longest_skipped) out_.line(fmt::format("if ({}) continue;", skipped));
    else out_.open(fmt::format("if ({})", skipped)), out_.line("continue;"), out_.close();
    return turn(n.otherwise);
  }
  const std::string condition = expr(n.condition).text;
  if (!chained && raises_at_once(n, condition)) return;
  out_.open(fmt::format("if ({})", condition));
  const auto* end = last && n.otherwise.size() == 1 ? std::get_if<Return>(&n.otherwise[0].node) : nullptr;
  const bool is_all = n.otherwise.empty() || (end && end->values.empty());
  statements(n.then, last && ((returned_ && !returned_->empty()) || (is_all && !chained)));
  if (is_all) return out_.close();
  const bool leaves = always_leaves(n.then);
  if (last && !returned_ && !leaves) out_.line("return;");
  const bool marks = std::any_of(n.otherwise.begin(), n.otherwise.end(), [](const Statement& s) { return std::holds_alternative<MarkArena>(s.node); });
  if (!chained && (last ? !returned_ || leaves : leaves && !marks)) {
    out_.close();
    return statements(n.otherwise, last, false);  // in the scope that the branch stands in
  }
  const auto* next = n.otherwise.size() == 1 ? std::get_if<If>(&n.otherwise[0].node) : nullptr;
  if (next && !first_unsure_shape(n.otherwise[0])) {
    out_.add("} else " + mark(places_of(n.otherwise[0])));
    return branch(*next, last, true);
  }
  out_.line("} else {");
  statements(n.otherwise, last);
  out_.close();
}

void FunctionWriter::returns(const Return& n, bool last) {
  if (n.values.empty()) {
    if (!last) out_.line("return;");
    return;
  }
  if (n.values.size() < returned_->size()) return out_.line(fmt::format("return {};", expr(n.values[0]).text));  // a call that gives all
  std::vector<std::string> values;
  for (std::size_t i = 0; i < n.values.size(); ++i) {
    const Type& type = (*returned_)[i];
    const bool link = is(type, TypeKind::structure) && (returned_ != &function_.returned || n.values.size() > 1);
    values.push_back((link ? pointer_to(n.values[i]) : expr_as(n.values[i], type)).text);
  }
  out_.line(values.size() == 1 ? fmt::format("return {};", values[0]) : fmt::format("return {{{}}};", cpp::list(values)));
}

// Several results, or one that may go without a reader.
void FunctionWriter::let_all(const std::vector<ir::Variable*>& variables, const std::string& value) {
  if (variables.size() == 1) return out_.line(fmt::format("{} {} = {};", spelling::constant_type(variables[0]->type), name(variables[0]), value));
  std::vector<std::string> names;
  for (const auto* variable : variables) {
    if (is(variable->type, TypeKind::structure)) pointers_.insert(variable);
    names.push_back(name(variable));
  }
  const auto any = [&](const std::set<const ir::Variable*>& of) {
    return std::any_of(variables.begin(), variables.end(), [&](const ir::Variable* variable) { return of.contains(variable); });
  };
  if (!any(uses_.captured)) {
    out_.line(fmt::format("{}const auto [{}] = {};", any(uses_.read) ? "" : "[[maybe_unused]] ", cpp::list(names), value));
    return;
  }
  for (std::size_t i = 0; i < names.size(); ++i) {  // C++17 does not let lambdas capture what a binding names
    out_.line(fmt::format("[[maybe_unused]] {} {}{{}};", spelling::value_type(variables[i]->type), names[i]));
  }
  out_.line(fmt::format("std::tie({}) = {};", cpp::list(names), value));
}

void FunctionWriter::let(const Let& n) {
  if (n.variables.size() > 1) return let_all(n.variables, expr(n.value).text);
  const auto* variable = n.variables[0];
  if (ir::is_made_up(variable->name)) made_up_[variable] = n.value;
  const bool structure = is(variable->type, TypeKind::structure);
  if (structure) pointers_.erase(variable);  // it was a loop's element, and is read again on the way back
  const auto* apply = std::get_if<Apply>(&n.value->node);
  const ExprPtr lazy = deferred(n.value);
  if (lazy) lazy_.insert(variable);
  const std::string type = structure                                             ? spelling::formal_type(variable->type)
                           : lazy || (apply && apply->op->name == "progress")    ? "const auto"
                                                                                 : "const " + spelling::value_type(variable->type);
  const std::string plain = is(variable->type, TypeKind::optional) ? spelling::value_type(variable->type) : type;
  const bool is_data = is_table(n.value);
  cpp::Expr value = is_data ? table(variable, n.value) : expr_as(lazy ? lazy : n.value, variable->type);
  const bool copies = is_data ? n.owns || uses_.handed_on.contains(variable) : n.owns && rank(variable->type) > 0 && may_be_view(n.value);
  if (is_data && !copies) {  // which is not copied is read by one name
    const auto known = std::find_if(tables_in_scope_.begin(), tables_in_scope_.end(), [&](const auto& table) { return table.first == value.text; });
    if (known != tables_in_scope_.end()) {
      same_tables_.emplace(variable, known->second);
      return;
    }
    tables_in_scope_.emplace_back(value.text, variable);
  }
  if (copies) value = cpp::call(is(variable->type, TypeKind::list) ? "deep_copy" : "copy", {value});
  out_.line(fmt::format("{}{} {} = {};", n.unread ? "[[maybe_unused]] " : "", plain, name(variable), value.text));
}

}  // namespace lantern
