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
// as it is: CPython takes its subject apart, and a staged value in it is an error there.
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

}  // namespace

void lower_matches(Function& function) {
  rewrite_statements(function, [&](StmtPtr stmt) {
    auto* node = as<Match>(*stmt);
    if (!node || node->cases.size() > most_cases) return list_of<StmtPtr>(std::move(stmt));
    Block result = lowered(function, *node, stmt->range);
    return result.empty() ? list_of<StmtPtr>(std::move(stmt)) : std::move(result);
  });
}

}  // namespace lantern::passes
