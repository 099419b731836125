//     match p:
//         case Point(x=0, y=k): a
//         case [k, *_] if k > limit: b
//         case _: c
// becomes
//     subject_ = p
//     def cases_(subject__):
//         match subject__:
//             case Point(x=0, y=k): return 0, k
//             case [k, *_]: return 1, k
//     found_ = cases_(subject_) if ag__.plain() else ag__.match_(subject_, (("class", Point, (), (("x", ("value", 0)), …)), …), (1, 7))
//     if ag__.is_case(found_, 0, (2, 10)):
//         (k,) = ag__.captured(found_, 0)
//         a
//     else:
//         def case_():
//             nonlocal k
//             value__ = ag__.is_case(found_, 1, (3, 10))
//             if value__:
//                 (k,) = ag__.captured(found_, 1)
//                 value__ = k > limit
//             return value__
//         if case_(): b
//         else: c
//
// so that it is CPython's own `match` that chooses where nothing is staged, and patterns.py where something is. What stands
// behind a guard is asked when the guard has failed. Where every pattern is a number, a string, None, a name, or `|` of them, the
// cases are comparisons of the subject. Since each case nests one level deeper, those of a long `match` are asked in groups:
//     case 29: c
//     case 30: d
// becomes
//     …else:
//         if subject_ == 29: c
//         else: unmatched_ = True
//     if unmatched_:
//         if subject_ == 30: d
#include <algorithm>
#include <iterator>

#include "frontend/passes/passes.h"

namespace lantern::passes {

using namespace syntax;

namespace {

// What a simple pattern asks of the subject, and the name that it gives it.
struct Question {
  ExprPtr test = {};      // null: fits anything
  std::string name = {};  // "": none
};

std::optional<Question> question(const Pattern& pattern, const std::string& subject) {
  if (auto* value = as<MatchValue>(pattern)) {
    Compare test{name(subject), {CompareOperator::eq}, list_of<ExprPtr>(clone(value->value))};
    return Question{make(std::move(test), pattern.range)};
  }
  if (auto* singleton = as<MatchSingleton>(pattern)) {
    if (singleton->kind != ConstantKind::none) return std::nullopt;
    Compare test{name(subject), {CompareOperator::is}, list_of<ExprPtr>(none())};
    return Question{make(std::move(test), pattern.range)};
  }
  if (auto* capture = as<MatchAs>(pattern)) {
    if (!capture->pattern) return Question{nullptr, capture->name};
    std::optional<Question> inner = question(*capture->pattern, subject);
    if (!inner || !inner->name.empty()) return std::nullopt;
    inner->name = capture->name;
    return inner;
  }
  auto* choice = as<MatchOr>(pattern);
  if (!choice) return std::nullopt;
  std::vector<ExprPtr> tests;
  for (const PatternPtr& each : choice->patterns) {
    std::optional<Question> inner = question(*each, subject);
    if (!inner || !inner->test || !inner->name.empty()) return std::nullopt;
    tests.push_back(std::move(inner->test));
  }
  return Question{make(BoolOp{BoolOperator::or_, std::move(tests)}, pattern.range)};
}

// A guard behind a name must see it; where a test comes first, the cases behind would have to stand twice.
bool can_ask(const Question& asked, const MatchCase& chosen) {
  return !chosen.guard || !asked.test || asked.name.empty();
}

// A guard as a bool, for a variable that is a bool where the pattern does not fit.
ExprPtr truth_of(ExprPtr guard) {
  const auto* negated = as<UnaryOp>(*guard);
  return is<Compare>(*guard) || (negated && negated->op == UnaryOperator::not_) ? std::move(guard) : not_(not_(std::move(guard)));
}

void append(Block& block, Block more) {
  for (StmtPtr& stmt : more) block.push_back(std::move(stmt));
}

// The cases as comparisons; nothing where a pattern is not simple.
std::optional<Block> compared(std::vector<MatchCase>& cases, const std::string& subject) {
  std::vector<Question> questions;
  for (const MatchCase& each : cases) {
    std::optional<Question> asked = question(*each.pattern, subject);
    if (!asked || !can_ask(*asked, each)) return std::nullopt;
    questions.push_back(std::move(*asked));
  }
  Block rest;
  for (std::size_t i = cases.size(); i-- > 0;) {
    MatchCase& chosen = cases[i];
    const Range place = chosen.pattern->range;
    ExprPtr test = std::move(questions[i].test);
    Block bound, outside;
    if (!questions[i].name.empty()) bound.push_back(assign(name(questions[i].name), name(subject)));
    Block body;
    append(test ? body : outside, std::move(bound));
    append(body, std::move(chosen.body));
    if (chosen.guard) {
      test = test ? make(BoolOp{BoolOperator::and_, list_of<ExprPtr>(std::move(test), std::move(chosen.guard))})
                  : std::move(chosen.guard);
    }
    if (test) outside.push_back(if_(std::move(test), std::move(body), std::move(rest)));
    else append(outside, std::move(body));
    inherit(outside, place);
    rest = std::move(outside);
  }
  return rest;
}

// A pattern as a value, for patterns.py.
ExprPtr described(const Pattern& pattern);

ExprPtr described(const std::vector<PatternPtr>& patterns) {
  std::vector<ExprPtr> each;
  for (const PatternPtr& pattern : patterns) each.push_back(described(*pattern));
  return tuple(std::move(each));
}

template <class... Parts>
ExprPtr kind(const char* what, Parts... parts) {
  return tuple(list_of<ExprPtr>(string(what), std::move(parts)...));
}

ExprPtr described(const Pattern& pattern) {
  return match(
      pattern, [](const MatchValue& node) { return kind("value", clone(node.value)); },
      [](const MatchSingleton& node) { return kind("is", make(Constant{node.kind})); },
      [](const MatchSequence& node) { return kind("sequence", described(node.patterns)); },
      [](const MatchMapping& node) {
        std::vector<ExprPtr> keys;
        for (const ExprPtr& key : node.keys) keys.push_back(clone(key));
        return kind("mapping", tuple(std::move(keys)), described(node.patterns), node.rest.empty() ? none() : string(node.rest));
      },
      [](const MatchClass& node) {
        std::vector<ExprPtr> attributes;
        for (const MatchKeyword& each : node.keywords) {
          attributes.push_back(tuple(list_of<ExprPtr>(string(each.attr), described(*each.pattern))));
        }
        return kind("class", clone(node.cls), described(node.patterns), tuple(std::move(attributes)));
      },
      [](const MatchStar& node) { return kind("star", string(node.name)); },
      [](const MatchAs& node) {
        return node.pattern ? kind("as", described(*node.pattern), string(node.name)) : kind("capture", string(node.name));
      },
      [](const MatchOr& node) { return kind("or", described(node.patterns)); });
}

bool fits_anything(const Pattern& pattern) {
  if (auto* capture = as<MatchAs>(pattern)) return !capture->pattern || fits_anything(*capture->pattern);
  auto* choice = as<MatchOr>(pattern);
  return choice && fits_anything(*choice->patterns.back());
}

ExprPtr names_of(const std::vector<std::string>& names) {
  std::vector<ExprPtr> each;
  for (const std::string& id : names) each.push_back(name(id));
  return tuple(std::move(each));
}

void add_names(const Expr& expr, NameSet& names) {
  if (auto* read = as<Name>(expr)) names.insert(read->id);
  for_each_child(expr, [&](const Expr& child) { add_names(child, names); });
}

class Cases {
 public:
  Cases(Function& function, std::vector<MatchCase>& cases, std::string subject)
      : function_(function), cases_(cases), subject_(std::move(subject)) {}

  Block lowered() { return from(0); }

 private:
  // The cases behind `first`, up to the first with a guard; then that guard, and the others behind it.
  Block from(std::size_t first) {
    if (first == cases_.size()) return {};
    if (auto* any = as<MatchAs>(*cases_[first].pattern); any && !any->pattern && !cases_[first].guard) {
      Block body;
      if (!any->name.empty()) body.push_back(assign(name(any->name), name(subject_)));
      append(body, std::move(cases_[first].body));
      return body;
    }
    std::size_t last = first;
    while (last + 1 < cases_.size() && !cases_[last].guard) ++last;
    const std::string found = function_.variable("found_");
    Block result = choosing(first, last, found), rest = from(last + 1);
    for (std::size_t i = last + 1; i-- > first;) {
      Block chain = asking(i, i - first, found, std::move(rest));
      inherit(chain, cases_[i].pattern->range);
      rest = std::move(chain);
    }
    append(result, std::move(rest));
    return result;
  }

  // found = (number of the first case that fits, what it captures…)
  Block choosing(std::size_t first, std::size_t last, const std::string& found) {
    const std::string function_name = function_.variable("cases_"), formal = function_.local_name("subject__");
    std::vector<MatchCase> own;
    std::vector<ExprPtr> descriptions, given = list_of<ExprPtr>(name(subject_));
    std::vector<std::string> formals{formal};
    NameSet captured, read;
    for (std::size_t i = first; i <= last; ++i) {
      const Pattern& pattern = *cases_[i].pattern;
      std::vector<ExprPtr> values = list_of<ExprPtr>(number(static_cast<long long>(i - first)));
      for (const std::string& id : captured_names(pattern)) {
        values.push_back(name(id));
        captured.insert(id);
      }
      for_each_expression(*cases_[i].pattern, [&](ExprPtr& expr) { add_names(*expr, read); });
      own.push_back({clone(cases_[i].pattern), {}, list_of<StmtPtr>(return_(tuple(std::move(values))))});
      descriptions.push_back(described(pattern));
    }
    for (const std::string& id : captured) {
      if (!read.count(id)) continue;  // `case [node.kind, node]`: what it reads is the variable's value before
      formals.push_back(id);
      given.push_back(name(id));
    }
    const Range at = cases_[first].pattern->range;
    Block result = list_of<StmtPtr>(
        function_def(function_name, parameters(std::move(formals)), list_of<StmtPtr>(make(Match{name(formal), std::move(own)}))));
    ExprPtr plain = call(name(function_name), std::move(given));
    ExprPtr staged = function_.operation("match_", list_of<ExprPtr>(name(subject_), tuple(std::move(descriptions))), at);
    result.push_back(assign(name(found), make(IfExp{function_.placeless("plain", {}, at), std::move(plain), std::move(staged)})));
    inherit(result, at);
    return result;
  }

  // `if` the case fits: its body, else the rest.
  Block asking(std::size_t i, std::size_t place, const std::string& found, Block rest) {
    MatchCase& chosen = cases_[i];
    const Range at = chosen.pattern->range;
    const auto numbered = [&](const char* operation) {
      return function_.operation(operation, list_of<ExprPtr>(name(found), number(static_cast<long long>(place))), at);
    };
    ExprPtr test = numbered("is_case");
    const std::vector<std::string> names = captured_names(*chosen.pattern);
    Block body;
    if (!names.empty()) body.push_back(assign(names_of(names), numbered("captured")));
    Block result;
    if (!chosen.guard) {
      append(body, std::move(chosen.body));
      if (fits_anything(*chosen.pattern)) return body;
    } else if (names.empty()) {
      test = make(BoolOp{BoolOperator::and_, list_of<ExprPtr>(std::move(test), std::move(chosen.guard))});
      body = std::move(chosen.body);
    } else {
      const std::string function_name = function_.variable("case_"), value = function_.local_name("value__");
      std::vector<std::string> bound = names, walrus = analysis::walrus_names(*chosen.guard);
      bound.insert(bound.end(), walrus.begin(), walrus.end());
      Block guarded = declarations_of(function_, bound);
      guarded.push_back(assign(name(value), std::move(test)));
      for (const std::string& id : names) append(body, function_.note_of_store(id, at));
      body.push_back(assign(name(value), truth_of(std::move(chosen.guard))));
      guarded.push_back(if_(name(value), std::move(body)));
      guarded.push_back(return_(name(value)));
      function_.made[function_name] = Role::operand;
      result.push_back(function_def(function_name, {}, std::move(guarded)));
      test = call(name(function_name));
      body = std::move(chosen.body);
    }
    result.push_back(if_(std::move(test), std::move(body), std::move(rest)));
    return result;
  }

  Function& function_;
  std::vector<MatchCase>& cases_;
  std::string subject_;
};

Block lowered(Function& function, std::vector<MatchCase>& cases, const std::string& subject) {
  if (std::optional<Block> comparisons = compared(cases, subject)) return std::move(*comparisons);
  return Cases(function, cases, subject).lowered();
}

// The groups one after the other, each behind the first asked where none before it has a case that fits.
Block in_groups(Function& function, std::vector<MatchCase>& cases, const std::string& subject) {
  const std::string unmatched = function.variable("unmatched_");
  const auto flag = [&](bool value) { return assign(name(unmatched), boolean(value)); };
  Block result;
  for (std::size_t first = 0; first < cases.size(); first += most_cases) {
    const std::size_t last = std::min(first + most_cases, cases.size());
    std::vector<MatchCase> group(std::make_move_iterator(cases.begin() + static_cast<std::ptrdiff_t>(first)),
                                 std::make_move_iterator(cases.begin() + static_cast<std::ptrdiff_t>(last)));
    const Range at = group[0].pattern->range;
    if (last < cases.size()) group.push_back({make(MatchAs{}, group.back().pattern->range), {}, list_of<StmtPtr>(flag(true))});
    Block asked = list_of<StmtPtr>(flag(false));
    append(asked, lowered(function, group, subject));
    if (first == 0) append(result, std::move(asked));
    else result.push_back(if_(name(unmatched), std::move(asked)));
    inherit(result, at);
  }
  return result;
}

}  // namespace

void lower_matches(Function& function) {
  rewrite_statements(function, [&](StmtPtr stmt) {
    auto* node = as<Match>(*stmt);
    if (!node) return list_of<StmtPtr>(std::move(stmt));
    const Range at = stmt->range;
    const std::string subject = function.variable("subject_");
    Block result = list_of<StmtPtr>(assign(name(subject), std::move(node->subject)));
    const auto lower = node->cases.size() > most_cases ? in_groups : lowered;
    append(result, lower(function, node->cases, subject));
    inherit(result, at);
    return result;
  });
}

}  // namespace lantern::passes
