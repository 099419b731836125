// Continuation-passing style: the text of whole small functions, and how it grows.
#include <doctest/doctest.h>

#include "support/deep_stack.h"
#include "tests/unit/program_texts.h"

using namespace lantern;

TEST_CASE("a function passes its result on, and differentiates behind that") {
  CHECK(lowered_text("(define f ((x f64)) (* x (sin x)))") ==
        "cps f(x x_adj; k)\n"
        "  let x% = (sin x)\n"
        "  let x%_2 = (* x x%)\n"
        "  let x%_2_adj = 0\n"
        "  k x%_2 x%_2_adj\n"
        "  ; reverse sweep\n"
        "  x_adj += (* x%_2_adj x%)\n"
        "  x_adj += (* (* x%_2_adj x) (cos x))\n");
}

TEST_CASE("what stands behind a call is its continuation") {
  CHECK(lowered_text("(define f ((x f64) (n i64)) (if (== n 0) x (* x (f x (- n 1)))))") ==
        "cps f(x x_adj, n; k)\n"
        "  if (== n 0)\n"
        "    k x x_adj\n"
        "  else\n"
        "    f x x_adj (- n 1) then λ x%_3 x%_3_adj\n"
        "      let x%_4 = (* x x%_3)\n"
        "      let x%_4_adj = 0\n"
        "      k x%_4 x%_4_adj\n"
        "      ; reverse sweep\n"
        "      x_adj += (* x%_4_adj x%_3)\n"
        "      x%_3_adj += (* x%_4_adj x)\n");
}

TEST_CASE("code behind a branch is a join point, and stands there once") {
  const std::string text = lowered_text("(define f ((x f64) (c bool)) (let y (if c (* x x) x) (* y (sin y))))");
  CHECK(occurrences(text, "(sin y)") == 1);
  CHECK(occurrences(text, "join = ") == 1);
  CHECK(occurrences(text, "join ") == 3);  // where it stands, and from each branch
}

TEST_CASE("a branch at the end needs no join point") {
  CHECK(occurrences(lowered_text("(define f ((x f64) (c bool)) (if c (* x x) x))"), "join") == 0);
}

TEST_CASE("what carries no adjoint stays in direct style") {
  const std::string text = lowered_text("(define g ((n i64)) (* n n)) (define f ((x f64) (n i64)) (* x (g n)))");
  CHECK(occurrences(text, "direct g(n)") == 1);
  CHECK(occurrences(text, "cps g") == 0);
  CHECK(occurrences(text, "then λ") == 0);
}

TEST_CASE("a loop that carries an adjoint runs backwards from what it has saved") {
  CHECK(lowered_text("(define f ((x f64) (n i64)) (for i (range 0 n 1) ((s 1.0)) true (* (sin s) x)))") ==
        "cps f(x x_adj, n; k)\n"
        "  variable s = 1.0\n"
        "  saved s_saved\n"
        "  for i in (range 0 n 1)\n"
        "    save s in s_saved\n"
        "    s := (* (sin s) x)\n"
        "  let s_adj = 0\n"
        "  k s s_adj\n"
        "  ; reverse sweep\n"
        "  for i backwards in (range 0 n 1)\n"
        "    restore s from s_saved\n"
        "    let x%_adj = (* s_adj x)\n"
        "    x_adj += (* s_adj (sin s))\n"
        "    s_adj := (* x%_adj (cos s))\n");
}

TEST_CASE("only what is needed is saved, and only what is active has an adjoint") {
  const struct { std::string loop; std::size_t saved, adjoints, assigned; } table[] = {
      // the state of a sum is not; nor is an integer that nothing depends on; nor a factor that does not change
      {"(for i (range 0 n 1) ((s 0.0)) true (+ s x))", 0, 0, 0},
      {"(for i (range 0 n 1) ((s 0.0) (m 0)) true (tuple (+ s x) (+ m i)))", 0, 0, 0},
      {"(for i (range 0 n 1) ((s x)) true (* 2.0 s))", 0, 0, 1},
      {"(for i (range 0 n 1) ((s x)) true (* x s))", 1, 0, 1},
      {"(for i (range 0 n 1) ((s x) (m 0)) true (tuple (* (cast f64 m) s) (+ m i)))", 1, 0, 1},
      {"(for i (range 0 n 1) ((s x) (u 1.0)) true (tuple (* u s) (+ u 1.0)))", 1, 0, 1},
      {"(for i (range 0 n 1) ((s x) (b false)) (not b) (tuple (* s s) (> s 9.0)))", 1, 0, 1},
      {"(for i (range 0 n 1) ((s x)) true (if (> s 1.0) (* s s) (* 3.0 s)))", 1, 1, 1},
  };
  for (const auto& row : table) {
    const auto& loop = row.loop;
    CAPTURE(loop);
    const bool pair = loop.find("(tuple") != std::string::npos;
    const std::string text = lowered_text("(define f ((x f64) (n i64)) " + (pair ? "(get " + loop + " 0)" : loop) + ")");
    CAPTURE(text);
    CHECK(occurrences(text, "f_loop") == 0);
    CHECK(occurrences(text, "save ") == row.saved);
    CHECK(occurrences(text, "_adj := ") == row.assigned);
    CHECK(occurrences(text.substr(text.find("backwards")), "let ") >= row.adjoints);
    CHECK(occurrences(text, "m_adj") + occurrences(text, "u_adj") + occurrences(text, "b_adj") == 0);
  }
}

TEST_CASE("within a turn, an inner loop is saved anew") {
  const std::string text = lowered_text(
      "(define f ((x f64) (n i64)) (for i (range 0 n 1) ((s 1.0)) true (while ((u s)) (< u 9.0) (* u x))))");
  CHECK(occurrences(text, "f_loop") == 0);
  CHECK(occurrences(text, "save ") == 2);      // of the outer loop going forward, of the inner one in a reverse turn
  CHECK(occurrences(text, "backwards") == 2);
}

TEST_CASE("a loop whose turns call what carries an adjoint, or must not be repeated, is a function that calls itself") {
  const std::string square = "(define g ((a f64)) (* a a)) ";
  const std::string back = "(define b ((a f64) (d f64)) (* d a)) (derivative g w b) ";
  const std::string own = square + "(define w ((a f64)) (tuple (* a a) a)) " + back;
  const std::string loud = square + "(define w ((a f64)) (begin (print a) (tuple (* a a) a))) " + back;
  const struct { std::string program; bool loop; } table[] = {
      {square + "(define f ((x f64) (n i64)) (for i (range 0 n 1) ((s x)) true (g s)))", true},  // it is what it does
      {square + "(define f ((x f64) (n i64)) (for i (range 0 n 1) ((s x)) true (* s (g 2.0))))", true},
      {own + "(define f ((x f64) (n i64)) (for i (range 0 n 1) ((s x)) true (* s (g s))))", true},
      {loud + "(define f ((x f64) (n i64)) (for i (range 0 n 1) ((s x)) true (* s (g s))))", false},
      {"(define f ((x f64) (n i64)) (for i (range 0 n 1) ((s x)) true (* s (uniform f64 0.0 1.0))))", false},
      {"(define h ((a i64)) (begin (print a) a)) (define f ((x f64) (n i64)) (for i (range 0 n 1) ((s x)) true (* s (cast f64 (h i)))))", false},
      {"(define f ((x f64) (n i64)) (for i (range 0 n 1) ((s x)) true (begin (print s) (* s s))))", true},
      {"(state c f64 (fill 0)) (define f ((x f64) (n i64)) (for i (range 0 n 1) ((s x)) true (* s c)))", true},
      {"(state c f64 (fill 0)) (define f ((x f64) (n i64)) (for i (range 0 n 1) ((s x)) true (begin (update (c (+ c 1.0))) (* s c))))", false},
      {"(struct T (a f64)) (define f ((x f64) (n i64)) (getattr (for i (range 0 n 1) ((s (make T x))) true (make T (* (getattr s a) x))) a))", false},
  };
  for (const auto& row : table) {
    CAPTURE(row.program);
    const std::string text = lowered_text(row.program);
    CHECK(occurrences(text, "cps f_loop(") == (row.loop ? 0 : 1));
    CHECK(occurrences(text, "backwards") == (row.loop ? 1 : 0));
  }
}

TEST_CASE("a passive loop is a loop") {
  const std::string passive = lowered_text("(define f ((x f64) (n i64)) (* x (for i (range 0 n 1) ((s 0)) true (+ s i))))");
  CHECK(occurrences(passive, "f_loop") == 0);
  CHECK(occurrences(passive, "for ") == 1);
}

TEST_CASE("what a reverse sweep reads of the model, and where its gradients go") {
  const std::string text = lowered_text(
      "(parameter w f64 (fill 1)) (define loss ((x f64)) (* w x))"
      "(define main ((x f64)) (begin (value-and-grad loss (wrt w) x) (update (w 2.0)))) (export main)");
  CHECK(occurrences(text, "cps loss(x; k)") == 1);
  CHECK(occurrences(text, "direct main(x)") == 1);
  CHECK(occurrences(text, "its gradient wrt w") == 1);
}

TEST_CASE("the text is linear in the program") {
  // n branches in a row, each with code behind it; n calls in a row; n branches within each other.
  const auto in_a_row = [](int n, const std::string& step) {
    std::string text = "(define g ((a f64)) (* a a)) (define f ((y f64) (c bool)) ";
    for (int i = 0; i < n; ++i) text += "(let y " + step + " ";
    return text + "y" + std::string(static_cast<std::size_t>(n), ')') + ")";
  };
  const auto within = [](int n) {
    std::string text = "(define f ((y f64) (c bool)) ";
    for (int i = 0; i < n; ++i) text += "(* y (if c (sin y) ";
    return text + "y" + std::string(static_cast<std::size_t>(2 * n), ')') + ")";
  };
  // Lines, as indentation grows with depth.
  const auto lines = [](const std::string& program) {
    std::size_t count = 0;
    on_deep_stack([&] { count = occurrences(lowered_text(program), "\n"); });
    return static_cast<double>(count);
  };
  for (const char* step : {"(if c (* y y) (sin y))", "(g y)", "(if c (g y) y)", "(exp (+ y (* y y)))"}) {
    CAPTURE(step);
    CHECK(lines(in_a_row(64, step)) / lines(in_a_row(32, step)) < 2.1);
  }
  CHECK(lines(within(64)) / lines(within(32)) < 2.1);
}

TEST_CASE("tidy writes a value used once where it is used, and drops what is not used") {
  const struct { std::string program, text; } table[] = {
      {"(define f ((n i64)) (let x1 (+ n 1) (* x1 n)))", "direct f(n)\n  return (* (+ n 1) n)\n"},
      {"(define f ((n i64)) (let named (+ n 1) (* named n)))", "direct f(n)\n  let named = (+ n 1)\n  return (* named n)\n"},
      {"(define f ((n i64)) (let x1 (+ n 1) (* x1 x1)))", "direct f(n)\n  let x1 = (+ n 1)\n  return (* x1 x1)\n"},
      {"(define f ((n i64)) (let unused (< n 1) n))", "direct f(n)\n  return n\n"},
      {"(define f ((n i64)) (let unused (// 1 n) n))", "direct f(n)\n  let unused = (// 1 n)\n  return n\n"},  // it can fail
      {"(define f ((n i64)) (let x1 (+ n 1) (begin (print \"a\") x1)))", "direct f(n)\n  let x1 = (+ n 1)\n  print \"a\"\n  return x1\n"},
  };
  for (const auto& row : table) {
    CAPTURE(row.program);
    CHECK(lowered_text(row.program) == row.text);
  }
}
