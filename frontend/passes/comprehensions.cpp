//     ys = [f(x) for x in xs if x > 0]
// becomes
//     def comprehension_(iterable__, into__):
//         for x in iterable__:
//             if x > 0:
//                 ag__.take(into__, f(x), (1, 7))
//         return ag__.taken(into__)
//     ys = [f(x) for x in xs if x > 0] if ag__.plain() else comprehension_(xs, ag__.list_of((1, 6)))
//
// What runs as plain Python is the comprehension itself, which the other passes leave alone; what is staged are the loops that
// it stands for, converted like any other, with a scope of their own as Python has it. A generator hands its elements to
// whatever goes through it, `into__`, so that an element is made when it is wanted; for code that is not converted there is
//     def elements_(iterable__):
//         return (f(x) for x in ag__.iter_(iterable__) if ag__.test_(x > 0))
//
// The parameters of a lambda around are handed on. A comprehension that binds a name by `:=` for such a lambda cannot become a
// function in front of it: it stays a comprehension, which refuses what is staged.
#include <algorithm>
#include <iterator>

#include "frontend/passes/passes.h"

namespace lantern::passes {

using namespace syntax;

namespace {

std::vector<Comprehension>* generators_of(Expr& expr) {
  if (auto* comp = as<ListComp>(expr)) return &comp->generators;
  if (auto* comp = as<SetComp>(expr)) return &comp->generators;
  if (auto* comp = as<DictComp>(expr)) return &comp->generators;
  if (auto* comp = as<GeneratorExp>(expr)) return &comp->generators;
  return nullptr;
}

// What a turn gives: the element, or key and value.
ExprPtr take_element(Expr& expr) {
  if (auto* comp = as<ListComp>(expr)) return std::move(comp->elt);
  if (auto* comp = as<SetComp>(expr)) return std::move(comp->elt);
  if (auto* comp = as<GeneratorExp>(expr)) return std::move(comp->elt);
  auto* comp = as<DictComp>(expr);
  const Range at{comp->key->range.line, comp->key->range.column, comp->value->range.end_line, comp->value->range.end_column};
  ExprPtr pair = tuple(list_of<ExprPtr>(std::move(comp->key), std::move(comp->value)));
  pair->range = at;
  return pair;
}

const char* collector(const Expr& expr) { return is<ListComp>(expr) ? "list_of" : is<SetComp>(expr) ? "set_of" : "dict_of"; }

bool mentions(const Expr& expr, const std::string& id) {
  if (auto* read = as<Name>(expr)) return read->id == id;
  bool found = false;
  for_each_child(expr, [&](const Expr& child) { found = found || mentions(child, id); });
  return found;
}

class Comprehensions {
 public:
  Comprehensions(Function& function, Block& definitions)
      : function_(function),
        definitions_(definitions),
        iterable_(function.local_name("iterable__")),
        into_(function.local_name("into__")),
        staged_(function.role == Role::comprehension || function.role == Role::generator) {}

  void expression(ExprPtr& expr) {
    if (generators_of(*expr)) return comprehension(expr);
    auto* lambda = as<Lambda>(expr);
    if (!lambda) return for_each_child(*expr, [&](ExprPtr& child) { expression(child); });
    for (auto* group : {&lambda->parameters.posonly, &lambda->parameters.args, &lambda->parameters.kwonly}) {
      for (Parameter& parameter : *group) {
        if (parameter.default_value) expression(parameter.default_value);
      }
    }
    lambdas_.push_back(lambda);
    expression(lambda->body);
    lambdas_.pop_back();
  }

  // Where the loops of a comprehension have no function of their own, nothing staged may decide about them.
  void guard(ExprPtr& expr) {
    if (auto* generators = generators_of(*expr)) {
      for (Comprehension& generator : *generators) {
        const Range at = generator.iter->range;
        generator.iter = function_.operation("iter_", list_of<ExprPtr>(std::move(generator.iter)), at);
        for (ExprPtr& condition : generator.ifs) {
          const Range place = condition->range;
          condition = function_.operation("test_", list_of<ExprPtr>(std::move(condition)), place);
        }
      }
    }
    for_each_child(*expr, [&](ExprPtr& child) { guard(child); });
  }

 private:
  void comprehension(ExprPtr& expr) {
    if (function_.role == Role::elements || !may_stand_in_front(*expr)) return guard(expr);
    const Range at = expr->range;
    ExprPtr plain = staged_ ? nullptr : clone(expr);
    const bool outer = std::exchange(staged_, true);
    ExprPtr result = staged(expr, at);
    staged_ = outer;
    if (plain) result = make(IfExp{function_.placeless("plain", {}, at), std::move(plain), std::move(result)});
    expr = std::move(result);
    inherit(expr, at);
  }

  bool may_stand_in_front(const Expr& expr) const {
    if (lambdas_.empty()) return true;
    if (!may_be_delayed(expr)) return false;
    return std::none_of(lambdas_.begin(), lambdas_.end(), [&](const Lambda* lambda) {
      const std::vector<std::string> bound = analysis::walrus_names(*lambda->body);
      return std::any_of(bound.begin(), bound.end(), [&](const std::string& id) { return mentions(expr, id); });
    });
  }

  // The parameters of the lambdas around that the comprehension may read.
  std::vector<std::string> handed_on(const Expr& expr) const {
    std::vector<std::string> names;
    for (const Lambda* lambda : lambdas_) {
      for (const std::string& id : analysis::parameter_names(lambda->parameters)) {
        if (mentions(expr, id) && std::find(names.begin(), names.end(), id) == names.end()) names.push_back(id);
      }
    }
    return names;
  }

  // What gives the same, once converted; `expr` is used up.
  ExprPtr staged(ExprPtr& expr, const Range& at) {
    const std::vector<std::string> bound = analysis::walrus_names(*expr), extra = handed_on(*expr);
    std::vector<ExprPtr> extra_values;
    for (const std::string& id : extra) extra_values.push_back(name(id));

    std::vector<Comprehension>& generators = *generators_of(*expr);
    ExprPtr iterable = std::exchange(generators[0].iter, make(Name{iterable_}, generators[0].iter->range));
    expression(iterable);
    if (!is<GeneratorExp>(*expr)) {
      const char* result = collector(*expr);
      Block body = loops(*expr);
      body.push_back(return_(function_.placeless("taken", list_of<ExprPtr>(name(into_)), at)));
      const std::string made = define("comprehension_", Role::comprehension, {iterable_, into_}, extra, bound, std::move(body), at);
      std::vector<ExprPtr> arguments = list_of<ExprPtr>(std::move(iterable), function_.operation(result, {}, at));
      std::move(extra_values.begin(), extra_values.end(), std::back_inserter(arguments));
      return call(name(made), std::move(arguments));
    }
    const bool simple = generators.size() == 1 && generators[0].ifs.empty();
    const std::string elements =
        define("elements_", Role::elements, {iterable_}, extra, bound, list_of<StmtPtr>(return_(clone(expr))), at);
    const std::string made = define("generator_", Role::comprehension, {iterable_, into_}, extra, bound, loops(*expr), at);
    return function_.operation("generator", list_of<ExprPtr>(name(made), name(elements), std::move(iterable), boolean(simple),
                                                             tuple(std::move(extra_values))), at);
  }

  // The statements that a comprehension stands for.
  Block loops(Expr& expr) const {
    ExprPtr element = take_element(expr);
    const Range at = element->range;
    Block body = list_of<StmtPtr>(expr_stmt(function_.operation("take", list_of<ExprPtr>(name(into_), std::move(element)), at)));
    inherit(body, at);
    std::vector<Comprehension>& generators = *generators_of(expr);
    for (auto each = generators.rbegin(); each != generators.rend(); ++each) {
      for (auto condition = each->ifs.rbegin(); condition != each->ifs.rend(); ++condition) {
        const Range place = (*condition)->range;
        StmtPtr choice = if_(std::move(*condition), std::move(body));
        choice->range = place;
        body = list_of<StmtPtr>(std::move(choice));
      }
      const Range from = each->target->range, to = each->iter->range;
      StmtPtr loop = make(For{std::move(each->target), std::move(each->iter), std::move(body), {}, false},
                          {from.line, from.column, to.end_line, to.end_column});
      body = list_of<StmtPtr>(std::move(loop));
    }
    return body;
  }

  // Puts a function in front of the statement; its name. `bound` is what it binds for the function around it.
  std::string define(const std::string& base, Role role, std::vector<std::string> formals, const std::vector<std::string>& extra,
                     const std::vector<std::string>& bound, Block body, const Range& at) {
    const std::string id = function_.variable(base);
    function_.made[id] = role;
    formals.insert(formals.end(), extra.begin(), extra.end());
    Block whole = declarations_of(function_, bound);
    std::move(body.begin(), body.end(), std::back_inserter(whole));
    definitions_.push_back(function_def(id, parameters(std::move(formals)), std::move(whole)));
    inherit(definitions_.back(), at);
    return id;
  }

  Function& function_;
  Block& definitions_;
  std::string iterable_, into_;
  bool staged_;  // whether the code that is looked at runs only where something is staged
  std::vector<const Lambda*> lambdas_;  // around it, outermost first
};

}  // namespace

void convert_comprehensions(Function& function) {
  rewrite_statements(function, [&](StmtPtr stmt) {
    Block result;
    Comprehensions comprehensions(function, result);
    for_each_load(*stmt, [&](ExprPtr& expr) { comprehensions.expression(expr); });
    result.push_back(std::move(stmt));
    return result;
  });
}

}  // namespace lantern::passes
