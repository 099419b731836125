// Which functions reach something, and which call themselves: what any_block says of each, for all at once.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "lantern/call_graph.h"
#include "lantern/derivation.h"
#include "tests/unit/program_texts.h"

using namespace lantern;

namespace {

bool prints(const ir::Block& block) { return has_effect(block); }

std::string names_where(const ir::Program& program, const std::function<bool(const ir::Function&)>& holds) {
  std::string all;
  for (const auto& function : program.functions) {
    if (holds(function)) all += (all.empty() ? "" : " ") + function.name;
  }
  return all;
}

bool calls_itself(const ir::Function& function) {
  return ir::any_block(function, [&](const ir::Block& block) {
    return std::any_of(block.bindings.begin(), block.bindings.end(), [&](const ir::Binding& binding) {
      const auto callees = ir::callees_of(binding.node);
      return std::find(callees.begin(), callees.end(), &function) != callees.end();
    });
  });
}

}  // namespace

TEST_CASE("who reaches a print, and who is recursive") {
  const struct { std::string program, printing, recursive; } table[] = {
      {"(define f ((x f64)) x)", "", ""},
      {"(define f ((n i64)) -> i64 (if (< n 1) 0 (f (- n 1))))", "", "f"},
      {"(define f ((x f64)) (begin (print x) x)) (define g ((x f64)) (f x)) (define h ((x f64)) (* x x))", "f g", ""},
      // g ⇄ h, and f, which calls them, is not recursive; nor is what they call
      {"(define last ((n i64)) -> i64 (begin (print n) n)) (define g ((n i64)) -> i64 (if (< n 1) (last n) (h (- n 1))))"
       " (define h ((n i64)) -> i64 (g n)) (define f ((n i64)) -> i64 (g n))", "last g h f", "g h"},
      // two circles, one behind the other, with a function between them
      {"(define a ((n i64)) -> i64 (if (< n 1) 0 (b (- n 1)))) (define b ((n i64)) -> i64 (a n)) (define between ((n i64)) -> i64 (a n))"
       " (define c ((n i64)) -> i64 (if (< n 1) (between n) (d (- n 1)))) (define d ((n i64)) -> i64 (c n))", "", "a b c d"},
  };
  for (const auto& row : table) {
    CAPTURE(row.program);
    const auto program = ir_of(row.program);
    const ReachingFunctions reaching(*program, prints);
    const auto recursive = recursive_functions(*program);
    CHECK(names_where(*program, [&](const ir::Function& f) { return reaching.contains(f); }) == row.printing);
    CHECK(names_where(*program, [&](const ir::Function& f) { return recursive.contains(&f); }) == row.recursive);
    CHECK(names_where(*program, [](const ir::Function& f) { return has_effect(f); }) == row.printing);
    CHECK(names_where(*program, calls_itself) == row.recursive);
  }
}

TEST_CASE("a chain of calls may be long") {
  std::string text = "(define f0 ((x f64)) (begin (print x) x))";
  for (int i = 1; i < 3000; ++i) text += " (define f" + std::to_string(i) + " ((x f64)) (f" + std::to_string(i - 1) + " x))";
  const auto program = ir_of(text);
  CHECK(recursive_functions(*program).empty());
  const ReachingFunctions reaching(*program, prints);
  CHECK(std::all_of(program->functions.begin(), program->functions.end(), [&](const ir::Function& f) { return reaching.contains(f); }));
}
