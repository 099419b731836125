//     match n:
//         case 0 | 1: a
//         case k if k > limit: b
//         case _: c
// becomes
//     subject_ = n
//     if subject_ == 0 or subject_ == 1: a
//     else:
//         k = subject_
//         if k > limit: b
//         else: c
//
// so that a staged subject is compared like any other value. A `match` with other patterns (sequences, mappings, classes) stays
// as it is, of `ag__.matched(n, asks, (1, 1))`: CPython takes its subject apart, and would take a staged value for what it is not.
#include <algorithm>

#include "frontend/passes/passes.h"

namespace lantern::passes {

using namespace syntax;

namespace {

constexpr std::size_t most_cases = 12;  // each nests one level deeper

// What a pattern asks of the subject, and the name that it gives it.
struct Question {
  ExprPtr test = {};    // null: fits anything
  std::string name = {};  // "": none
};

std::optional<Question> question(const Pattern& pattern, const std::string& subject) {
  if (auto* value = as<MatchValue>(pattern)) {
    Compare test{name(subject), {CompareOperator::eq}, list_of<ExprPtr>(clone(value->value))};
    return Question{make(std::move(test), pattern.range)};
  }
  if (auto* singleton = as<MatchSingleton>(pattern)) {
    Compare test{name(subject), {CompareOperator::is}, list_of<ExprPtr>(make(Constant{singleton->kind}))};
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

Block lowered(Function& function, Match& node, const Range& at) {
  const std::string subject = function.variable("subject_");
  std::vector<Question> questions;
  for (const MatchCase& each : node.cases) {
    std::optional<Question> asked = question(*each.pattern, subject);
    if (!asked || !can_ask(*asked, each)) return {};
    questions.push_back(std::move(*asked));
  }
  Block rest;
  for (std::size_t i = node.cases.size(); i-- > 0;) {
    MatchCase& chosen = node.cases[i];
    const Range place = chosen.pattern->range;
    ExprPtr test = std::move(questions[i].test);
    Block bound, body = std::move(chosen.body), outside;
    if (!questions[i].name.empty()) bound.push_back(assign(name(questions[i].name), name(subject)));
    if (!test) outside = std::move(bound);
    else for (std::size_t k = 0; k < bound.size(); ++k) body.insert(body.begin() + k, std::move(bound[k]));
    if (chosen.guard) {
      test = test ? make(BoolOp{BoolOperator::and_, list_of<ExprPtr>(std::move(test), std::move(chosen.guard))})
                  : std::move(chosen.guard);
    }
    if (test) outside.push_back(if_(std::move(test), std::move(body), std::move(rest)));
    else for (StmtPtr& stmt : body) outside.push_back(std::move(stmt));
    inherit(outside, place);
    rest = std::move(outside);
  }
  rest.insert(rest.begin(), assign(name(subject), std::move(node.subject)));
  inherit(rest, at);
  return rest;
}

// Whether a pattern asks for the class, the parts or the identity of something in the subject.
bool asks_inside(const Pattern& pattern, bool inside) {
  const auto any = [](const std::vector<PatternPtr>& patterns, bool within) {
    return std::any_of(patterns.begin(), patterns.end(), [&](const PatternPtr& each) { return asks_inside(*each, within); });
  };
  if (is<MatchClass>(pattern) || is<MatchSingleton>(pattern)) return true;
  if (auto* sequence = as<MatchSequence>(pattern)) return inside || any(sequence->patterns, true);
  if (auto* mapping = as<MatchMapping>(pattern)) return inside || any(mapping->patterns, true);
  if (auto* choice = as<MatchOr>(pattern)) return any(choice->patterns, inside);
  auto* capture = as<MatchAs>(pattern);
  return capture && capture->pattern && asks_inside(*capture->pattern, inside);
}

void check_subject(const Function& function, Match& node) {
  bool asks = false;
  for (const MatchCase& each : node.cases) asks = asks || asks_inside(*each.pattern, false);
  const Range at = node.subject->range;
  ExprPtr answer = make(Constant{asks ? ConstantKind::true_ : ConstantKind::false_});
  node.subject = function.operation("matched", list_of<ExprPtr>(std::move(node.subject), std::move(answer)), at);
}

}  // namespace

void lower_matches(Function& function) {
  rewrite_statements(function, [&](StmtPtr stmt) {
    auto* node = as<Match>(*stmt);
    if (!node) return list_of<StmtPtr>(std::move(stmt));
    Block result = node->cases.size() > most_cases ? Block{} : lowered(function, *node, stmt->range);
    if (!result.empty()) return result;
    check_subject(function, *node);
    return list_of<StmtPtr>(std::move(stmt));
  });
}

}  // namespace lantern::passes
