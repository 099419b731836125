// The IR's promises: a program that keeps them passes, and each broken one is named. And the IR as text.
#include <doctest/doctest.h>

#include <functional>

#include "lantern/verify.h"
#include "tests/unit/program_texts.h"

using namespace lantern;

namespace {

const char* const program =
    "(define g ((a f64) (b f64)) (* a b))\n"
    "(define f ((x f64) (n i64))\n"
    "  (let y (g x x)\n"
    "    (let z (if (> n 0) (+ y x) y)\n"
    "      (for i (range 0 n 1) ((s z)) true (* s x)))))";

/// What verify says of the program with one thing broken.
std::string broken(const std::function<void(ir::Program&, ir::Function& f)>& breaking) {
  const auto ir = ir_of(program);
  breaking(*ir, ir->functions[1]);
  try {
    verify(*ir, "testing");
    return "";
  } catch (const Failure& failure) {
    CHECK(failure.outcome() == Outcome::bug_in_lantern);
    return failure.diagnostics.at(0).code + " " + failure.diagnostics[0].message;
  }
}

}  // namespace

TEST_CASE("a broken IR is refused by the pass that broke it") {
  const std::string opening = "LT0901 this is a bug in Lantern, in 'testing': ";
  CHECK(broken([](auto&, auto&) {}) == "");
  CHECK(broken([](auto&, auto& f) { f.body.bindings[1].results[0] = f.body.bindings[0].results[0]; }) == opening + "in 'f', 'y' is bound twice");
  CHECK(broken([](auto&, auto& f) { std::swap(f.body.bindings[0], f.body.bindings[2]); }) == opening + "in 'f', 'x%' is read before it is bound");
  CHECK(broken([](auto&, auto& f) { std::get<ir::Call>(f.body.bindings[0].node).operands.pop_back(); }) == opening + "in 'f', 'g' is called with 1 arguments");
  CHECK(broken([](auto& p, auto&) { p.functions[0].body.results[0].type = nullptr; }) == opening + "in 'g', an operand has no type");
  CHECK(broken([](auto& p, auto&) { p.functions[0].body.results.clear(); }) == opening + "in 'g', a block gives 0 results where 1 are taken");
  CHECK(broken([](auto&, auto& f) { std::get<ir::If>(f.body.bindings[2].node).then->results.clear(); }) ==
        opening + "in 'f', a block gives 0 results where 1 are taken");
  CHECK(broken([](auto&, auto& f) { std::get<ir::For>(f.body.bindings[3].node).initial.clear(); }) ==
        opening + "in 'f', a loop's state and its initial values differ in number");
  CHECK(broken([](auto& p, auto& f) { f.body.results[0].variable = p.functions[0].formals[0]; p.functions[0].formals.clear(); }) != "");
}

TEST_CASE("the IR as text: a line a binding, blocks indented") {
  CHECK(ir::print(*ir_of(program)) ==
        "define g(a: f64, b: f64) -> (f64)\n"
        "  x%: f64 = (* a b)\n"
        "  => x%\n"
        "define f(x: f64, n: i64) -> (f64)\n"
        "  y: f64 = call (g x x)\n"
        "  x%: bool = (> n 0)\n"
        "  z: f64 = if x%\n"
        "    x%_2: f64 = (+ y x)\n"
        "    => x%_2\n"
        "  else\n"
        "    => y\n"
        "  x%_4: f64 = for i: i64 in (range 0 n 1) with s: f64 = z\n"
        "    test\n"
        "      => true\n"
        "    body\n"
        "      x%_3: f64 = (* s x)\n"
        "      => x%_3\n"
        "  => x%_4\n");
}

TEST_CASE("every kind of node has a text") {
  CHECK(ir::print(*ir_of("(struct T (v f64) (next (optional T))) (parameter w f64 (fill 1)) (state n (tensor f32 k) (fill 0))\n"
                         "(define loss ((x f64)) (* w x))\n"
                         "(define main ((t (optional T)) (c bool))\n"
                         "  (begin (initialize n 3)\n"
                         "         (while ((u t)) (not (none? u)) (getattr u next))\n"
                         "         (print \"v\" (cast f32 2.5))\n"
                         "         (assert c \"c\")\n"
                         "         (update (w (get (value-and-grad loss (wrt w) 2.0) 1)))\n"
                         "         (if c (make T 1.0 t) (raise ValueError \"no\" 1))))\n"
                         "(export main)")) ==
        "struct T\n"
        "  v: f64\n"
        "  next: (optional T)\n"
        "parameter w: f64\n"
        "state n: (tensor f32 k)\n"
        "define loss(x: f64) -> (f64)\n"
        "  x%: f64 = w\n"
        "  x%_2: f64 = (* x% x)\n"
        "  => x%_2\n"
        "define main(t: (optional T), c: bool) -> (T)\n"
        "  initialize (n 3)\n"
        "  x%_4: (optional T) = while with u: (optional T) = t\n"
        "    test\n"
        "      x%: bool = none? u\n"
        "      x%_2: bool = (not x%)\n"
        "      => x%_2\n"
        "    body\n"
        "      x%_3: (optional T) = u!.next\n"
        "      => x%_3\n"
        "  x%_5: f32 = (cast f32 2.5)\n"
        "  (print \"v\" x%_5)\n"
        "  assert c \"c\"\n"
        "  x%_0: f64, x%_1: f64 = value-and-grad (loss 2.0) wrt w\n"
        "  update w := x%_1\n"
        "  x%_8: T = if c\n"
        "    x%_7: T = make (T 1.0 t)\n"
        "    => x%_7\n"
        "  else\n"
        "    raise ValueError \"no\" 1\n"
        "    raises\n"
        "  => x%_8\n"
        "export main\n");
}
