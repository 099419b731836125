// What carries an adjoint: what depends on the first formal and reaches the result, and nothing else.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "lantern/activity.h"
#include "tests/unit/program_texts.h"

using namespace lantern;

namespace {

/// "f: x x%": each differentiable function, its active variables by name.
std::string active_in(const std::string& text) {
  const auto program = ir_of(text);
  const Activity activity = find_activity(*program);
  std::string all;
  for (const auto& function : program->functions) {
    const auto& found = activity.differentiable;
    if (std::find(found.begin(), found.end(), &function) == found.end()) continue;
    std::set<std::string> names;
    const std::function<void(const ir::Block&)> visit = [&](const ir::Block& block) {
      for (const auto& binding : block.bindings) {
        for (const auto* result : binding.results) if (activity.is_active(result)) names.insert(result->name);
        ir::for_each_block(binding.node, visit);
      }
    };
    for (const auto* formal : function.formals) if (activity.is_active(formal)) names.insert(formal->name);
    visit(function.body);
    all += (all.empty() ? "" : "; ") + function.name + ":";
    for (const auto& name : names) all += " " + name;
  }
  return all;
}

}  // namespace

TEST_CASE("varied and useful") {
  const struct { std::string program, active; } table[] = {
      {"(define f ((x f64)) (* x x))", "f: x x%"},
      {"(define f ((x f64) (y f64)) (let a (* y y) (let b (* x a) b)))", "f: b x"},      // a is not varied
      {"(define f ((x f64)) (let a (exp x) (let b (* x x) b)))", "f: b x"},              // a is not useful
      {"(define f ((x f64)) (let a (stop-gradient (exp x)) (* a x)))", "f: x x%_2"},
      {"(define f ((x f64)) (if (> x 0.0) (* x x) 1.0))", "f: x x%_2 x%_3"},               // the test is flat
      {"(define f ((x f64) (n i64)) (for i (range 0 n 1) ((s 1.0)) true (* s x)))", "f: x x% x%_2"},
      {"(define f ((x f64)) (* x (cast f64 (cast i64 x))))", "f: x x%_3"},                 // through an integer nothing flows
      // through calls: a callee has one differentiable form, for what any of its calls needs
      {"(define g ((a f64) (b f64)) (* a b)) (define f ((x f64)) (+ (g x 2.0) (g 3.0 x)))", "g: a b x%; f: x x% x%_2 x%_3"},
      {"(define g ((a f64) (b f64)) (* a b)) (define f ((x f64)) (g x 2.0))", "g: a x%; f: x x%"},
      {"(define f ((x f64) (n i64)) (if (== n 0) x (* x (f x (- n 1)))))", "f: x x%_3 x%_4 x%_5"},
      // a list carries adjoints if one of its elements does; its length, and a list of integers, do not
      {"(define f ((x f64)) (let y (append (empty f64) x) (index y 0)))", "f: x x%_2 y"},
      {"(define f ((x f64)) (let y (append (empty f64) 1.0) (* x (index y 0))))", "f: x x%_3"},
      {"(define f ((x f64)) (let y (append (empty f64) x) (* x (cast f64 (length y)))))", "f: x x%_4"},
      {"(define f ((x f64)) (let y (append (empty i64) (cast i64 x)) (* x (cast f64 (index y 0)))))", "f: x x%_5"},
      // and so does a structure, but its integers do not
      {"(struct T (a f64) (n i64)) (define f ((x f64)) (let t (make T x 3) (* (getattr t a) (cast f64 (getattr t n)))))", "f: t x x% x%_4"},
      {"(struct T (a f64) (n i64)) (define f ((t T)) (* (getattr t a) (cast f64 (getattr t n))))", "f: t x% x%_4"},
      // nothing to differentiate
      {"(define f ((n i64)) (* n n))", ""},
      {"(define f ((x f64)) (> x 0.0))", ""},
  };
  for (const auto& row : table) {
    CAPTURE(row.program);
    CHECK(active_in(row.program) == row.active);
  }
}

TEST_CASE("of several results only those that are asked for carry an adjoint") {
  const auto program = ir_of("(define g ((a f64)) (tuple (* a a) (exp a) 3)) (define f ((x f64)) (get (g x) 1))");
  const Activity activity = find_activity(*program);
  CHECK(activity.active_results.at(&program->functions[0]) == std::vector<bool>{false, true, false});
  CHECK(activity.active_results.at(&program->functions[1]) == std::vector<bool>{true});
}

TEST_CASE("a gradient is asked for by name: of a parameter, of an argument") {
  const std::string model = "(parameter w f64 (fill 1)) (parameter v f64 (fill 1)) (define loss ((x f64)) (* (* w x) v)) ";
  CHECK(active_in(model + "(define main ((x f64)) (get (value-and-grad loss (wrt w) x) 1)) (export main)") == "loss: x% x%_2 x%_4");  // w, w·x, w·x·v
  CHECK(active_in(model + "(define main ((x f64)) (get (value-and-grad loss (wrt x) x) 1)) (export main)") == "loss: x x%_2 x%_4");
}

TEST_CASE("an array that no derivative depends on may change within what is differentiated") {
  CHECK_NOTHROW(ir_of("(state s (tensor f64 2) (fill 0)) (define f ((x f64)) (begin (update (s (+ (* 0.9 s) 1.0))) (* x x)))"));
  CHECK(error_of("(state s (tensor f64 2) (fill 0)) (define f ((x f64)) (begin (update (s (+ (* 0.9 s) 1.0))) (* x x)))").empty());
}

TEST_CASE("a way without a derivative is refused where it is") {
  const struct { std::string program, error; } table[] = {
      {"(define f ((x f64)) (py-function f64 \"g\" x))", "LT0503"},
      {"(state s (tensor f64 2) (fill 0)) (define f ((x f64)) (begin (update (s (zeros f64 2))) (sum (* x s))))", "LT0506"},
      {"(state s (tensor f64 2) (fill 0)) (define f ((x f64)) (let t (* 2.0 s) (begin (update (s (zeros f64 2))) (sum (* x t)))))", "LT0506"},
      {"(state s (tensor f64 2) (fill 0)) (define change ((x f64)) (begin (update (s (zeros f64 2))) x)) (define f ((x f64)) (* (sum s) (change x)))", "LT0506"},
  };
  for (const auto& row : table) {
    CAPTURE(row.program);
    CHECK(error_of(row.program).substr(0, 6) == row.error);
  }
}
