// Names and inference over whole programs: what a function's type comes out as, and what is refused.
#include <doctest/doctest.h>

#include "lantern/check.h"
#include "support/deep_stack.h"
#include "tests/unit/program_texts.h"

using namespace lantern;

namespace {

/// "f(x: f64) -> (f64)": the line that opens the function's text.
std::string signature(const std::string& program, const std::string& function) {
  const std::string text = ir::print(*ir_of(program));
  const std::size_t begin = text.find("define " + function + "(");
  return begin == std::string::npos ? text : text.substr(begin + 7, text.find('\n', begin) - begin - 7);
}

}  // namespace

TEST_CASE("a function's type is found") {
  const struct { std::string program, function, type; } table[] = {
      // recursion
      {"(define f ((n i64)) (if (== n 0) 1.0 (* 2.0 (f (- n 1)))))", "f", "f(n: i64) -> (f64)"},
      {"(define f ((n i64)) (if (== n 0) 1 (* 0.5 (f (- n 1)))))", "f", "f(n: i64) -> (f64)"},
      {"(define f ((n i64)) (if (== n 0) (f (- n 1)) 1))", "f", "f(n: i64) -> (i64)"},
      {"(define f ((n i64)) -> (tuple i64 f64) (if (== n 0) (tuple 1 2.0) (f (- n 1))))", "f", "f(n: i64) -> (i64, f64)"},
      {"(define even ((n i64)) (if (== n 0) true (odd (- n 1)))) (define odd ((n i64)) (not (even n)))", "even", "even(n: i64) -> (bool)"},
      // what nobody typed
      {"(define f (x) x)", "f", "f(x: f64) -> (f64)"},
      {"(define f (x) (if x 1 2))", "f", "f(x: bool) -> (i64)"},
      {"(define g ((a (tensor f32 3))) (f a)) (define f (x) x)", "f", "f(x: (tensor f32 3)) -> ((tensor f32 3))"},
      // structures
      {"(define f (t) (getattr t a))", "f", "f(t: T) -> (f64)"},
      {"(define f (t) (if (none? t) 0 (f (getattr t next))))", "f", "f(t: (optional T)) -> (i64)"},
      {"(struct T (a f32)) (define f ((t (optional T))) (if (none? t) 0.0 (getattr t a)))", "f", "f(t: (optional T)) -> (f64)"},
      {"(struct T (a f32)) (define f ((c bool)) (if c none (make T (cast f32 1))))", "f", "f(c: bool) -> ((optional T))"},
      // branches and dimensions
      {"(define f ((c bool) (a (tensor f32 3)) (b (tensor f32 4))) (if c a b))", "f", "f(c: bool, a: (tensor f32 3), b: (tensor f32 4)) -> ((tensor f32 ?))"},
      {"(define f ((a (tensor f32 n)) (b (tensor f32 n))) (+ a b))", "f", "f(a: (tensor f32 n), b: (tensor f32 n)) -> ((tensor f32 n))"},
      {"(define f ((c bool)) (if c (raise ValueError \"no\") 1))", "f", "f(c: bool) -> (i64)"},
      // loops run to a fixed point
      {"(define f ((n i64)) (for i (range 0 n 1) ((s 0)) true (+ s 0.5)))", "f", "f(n: i64) -> (f64)"},
      {"(define f ((v (tensor f32 2))) (while ((s v)) (< (length s) 9) (concat s v)))", "f", "f(v: (tensor f32 2)) -> ((tensor f32 ?))"},
      {"(define f ((l (list string))) (for x l ((n 0)) true (+ n (length x))))", "f", "f(l: (list string)) -> (i64)"},
      // a tuple's parts, by their numbers or their labels
      {"(define f ((t (tuple f64 (tuple i64 f64)))) (get t 0))", "f", "f(t_0: f64, t_1: i64, t_2: f64) -> (f64)"},
      {"(define f ((l (list (tuple :score f64 :at (tuple i64 f64))))) (get (get (index l 0) 1) 0))", "f",
       "f(l_score: (list f64), l_at_0: (list i64), l_at_1: (list f64)) -> (i64)"},
      // closures: what a nested function closes over comes first
      {"(define f ((x f32)) (let z (+ x 1.0) (begin (define g ((y i64)) (* z y) (g 2)))))", "g", "g(z: f64, y: i64) -> (f64)"},
  };
  for (const auto& row : table) {
    CAPTURE(row.program);
    CHECK(signature(row.program, row.function) == row.type);
  }
}

TEST_CASE("what is not the language is refused with a code") {
  const struct { std::string program, error; } table[] = {
      {"(define f ((x f64)) (let y 1 z))", "LT0231 'z' is not defined"},
      {"(define f ((x f64)) (+ x (f 1 2)))", "LT0414 'f' takes 1 argument, and 2 are given"},
      {"(define f (x x) x)", "LT0234 'x' is a formal of 'f' twice"},
      {"(define f (+) 1)", "LT0221 '+' is not a name"},
      {"(define f (x) (for (a) (range 0 1 1) () true (tuple)))", "LT0221 a name is expected here"},
      {"(define f (x) (while ((a 1) (a 2)) true (tuple 1 2)))", "LT0234 'a' is in a loop's state twice"},
      {"(define f (x) (while ((- 1)) true 2))", "LT0221 '-' is not a name"},
      {"(define f (x) (getattr x 3))", "LT0221 a name is expected here"},
      {"(define f (x) (raise 3 \"text\"))", "LT0221 a name is expected here"},
      {"(define f (x) (assert true 4))", "LT0220 the form is (assert EXPR STRING)"},
      {"(parameter + f64 (fill 1)) (define f () 1)", "LT0221 '+' is not a name"},
      {"(parameter p f64 (fill 1)) (define f () (update (p 1) (p 2)))", "LT0234 'p' is updated twice at once"},
      {"(lantern 99) (define f (x) x)", "LT0220 the program is in version 99 of the language, and this is version 1"},
      {"(lantern x) (define f (x) x)", "LT0220 the form is (lantern VERSION)"},
      {"(define f (x) x) (lantern 1)", "LT0220 (lantern VERSION) stands once, in front of the other items"},
      {"(define f (x) x (locations))", "LT0220 the form is (locations FILE (NAME LINE COLUMN)… (LINE COMMENT)…)"},
      {"(define f (x) x (locations \"m.py\" (x 1)))", "LT0220 an entry of (locations …) is (NAME LINE COLUMN) or (LINE COMMENT)"},
      {"(define f (x) x (locations \"m.py\" (x 1 -1)))", "LT0220 an entry of (locations …) is (NAME LINE COLUMN) or (LINE COMMENT)"},
      {"(define f (x) x (locations \"m.py\" (x 1 99999999999)))", "LT0220 an entry of (locations …) is (NAME LINE COLUMN) or (LINE COMMENT)"},
      {"(define f (x) x 5)", "LT0220 a define that stands in no other has one EXPR, its body: (begin …) is a sequence"},
      {"(define f (x) (locations \"m.py\"))", "LT0220 a define that stands in no other has one EXPR, its body: (begin …) is a sequence"},
      {"(define f (x) x (locations \"m.py\" (3 x)))", "LT0220 an entry of (locations …) is (NAME LINE COLUMN) or (LINE COMMENT)"},
      {"(struct)", "LT0220 the form is (struct NAME COMMENT? (FIELD TYPE COMMENT?)…)"},
      {"(struct T \"a\" \"b\")", "LT0220 a field is (NAME TYPE) or (NAME TYPE COMMENT)"},
      {"(struct T (a f64 b))", "LT0220 a field is (NAME TYPE) or (NAME TYPE COMMENT)"},
      {"(struct 3 (a f64))", "LT0221 a name is expected here"},
      {"(struct T (+ f64))", "LT0221 '+' is not a name"},
      {"(struct T (a f64)) (struct T (a f64))", "LT0234 structure 'T' is declared twice"},
      {"(define f (x) x) (export f) (export f)", "LT0234 'f' is exported twice"},
      {"(define f (x) x) (export f (y 1 \"\"))", "LT0220 'f' has no formal 'y'"},
      // a type that would be a part of itself
      {"(define f (x) (tuple (f x) x))", "LT0405 'f' returns (tuple unknown unknown) here and unknown elsewhere"},
      {"(define f (x) (f (tuple x)))", "LT0402 argument 'x' of 'f' has type (tuple unknown), and unknown is expected"},
      // a tuple has no value of its own at run time
      {"(define f () (concat))", "LT0403 'concat' joins one or more arrays or lists, and none is given"},
      {"(define f () (stack))", "LT0403 'stack' stacks one or more arrays, and none is given"},
      {"(define f ((x f64)) (seed x))", "LT0403 'seed' needs an integer as its number, not f64 ('x' is f64)"},
      {"(define f ((x f64)) (save-parameters x x))", "LT0403 'save-parameters' needs a path, a string, as its first operand ('x' is f64, 'x' is f64)"},
      {"(define f ((x f64) (s string)) (format s x))", "LT0403 'format' takes a text first, written out"},
      {"(struct T (a f64)) (define f ((p string)) (read-treebank T p (read-vocabulary p)))", "LT0403 'read-treebank' cannot read nodes into 'T'"},
      {"(define f ((l (list (list i64)))) (slice l 0 1 1))", "LT0403 'slice' needs an array of rank 1 to 8 as its operand, not (list (list i64)) ('l' is (list (list i64)))"},
      // what an operator does to each list of a list of tuples
      {"(define f ((l (list (tuple i64 f64)))) (index l))", "LT0403 'index' takes 2 operands, not 1 ('l_0' is (list i64))"},
      {"(define f ((l (list (tuple i64 f64)))) (write l 0))", "LT0403 'write' takes 3 operands, not 2 ('l_0' is (list i64))"},
      {"(define f ((a (tensor f64 3)) (x f64)) (like a x))", "LT0403 'like' cannot broadcast (tensor f64 3) to the shape of f64 ('a' is (tensor f64 3), 'x' is f64)"},
      {"(define f ((a (tensor f64 3 2)) (b (tensor f64 1 2))) (like a b))", "LT0403 'like' cannot broadcast (tensor f64 3 2) to the shape of (tensor f64 1 2) ('a' is (tensor f64 3 2), 'b' is (tensor f64 1 2))"},
      {"(define f ((l (list (tuple i64 f64)))) (append l 5))", "LT0403 'append' cannot put i64 into (list (tuple i64 f64))"},
      {"(define f ((l (list (tuple i64 (tuple i64 i64))))) (append l (tuple (tuple 1 2) 3)))",
       "LT0403 'append' cannot put (tuple (tuple i64 i64) i64) into (list (tuple i64 (tuple i64 i64)))"},
      {"(define f ((l (list (tuple i64 f64)))) (concat l (list i64 1)))", "LT0403 'concat' cannot put (list i64) into (list (tuple i64 f64))"},
      {"(define f ((l (list (tuple i64 f64)))) (index l (tuple 0 1)))", "LT0403 'index' of (list (tuple i64 f64)) takes a number, not (tuple i64 i64)"},
      {"(define f ((n i64)) n) (export f (n \"one\" \"\"))", "LT0402 the default of 'n' of 'f' has type string, and i64 is expected"},
      {"(define f (x) (if (none? x) 1.0 2.0))", "LT0505 (optional f64) is not supported: only structures can be missing"},
      {"(define f ((x (list (optional f64)))) 1)", "LT0505 (optional f64) is not supported: only structures can be missing"},
      {"(struct T (p (tuple f64 f64))) (define f ((t T)) t)", "LT0401 field 'p' holds tuples"},
      {"(define f ((l (tuple i64 (optional (tuple f64))))) 1)", "LT0401 (optional (tuple f64)) holds tuples"},
      {"(define f ((n i64)) (if (== n 0) (tuple 1 2) (f n)))", "LT0402 a branch of this 'if' has type (tuple i64 i64), and (tuple i64 i64) is expected"},
  };
  for (const auto& row : table) {
    CAPTURE(row.program);
    CHECK(error_of(row.program) == row.error);
  }
}

TEST_CASE("one run finds every error") {
  try {
    ir_of("(define f (x) a) (define g (x) b) (struct T (c D))");
    FAIL("accepted");
  } catch (const Failure& failure) {
    REQUIRE(failure.diagnostics.size() == 1);  // declarations first: bodies would fail for want of them
    CHECK(failure.diagnostics[0].code == "LT0235");
  }
  try {
    ir_of("(define f (x) a) (define g (x) b)");
    FAIL("accepted");
  } catch (const Failure& failure) {
    CHECK(failure.diagnostics.size() == 2);
  }
}

TEST_CASE("an entry that only passes its arguments on is the function it calls") {
  CHECK(ir_of("(define f (a) (* a a)) (define run (a) (f a))")->differentiable_entry->name == "f");
  CHECK(ir_of("(define f (a b) (* a b)) (define run (a b) (f b a))")->differentiable_entry->name == "run");
  CHECK(ir_of("(define f (a) (g a)) (define g (a) (f a))")->differentiable_entry != nullptr);  // and ends
}

TEST_CASE("depth costs memory only") {
  std::string sum, lets, condition = "x";
  const int depth = 20000;
  for (int i = 0; i < depth; ++i) sum += "(+ 1.0 ", lets += "(let x (* x x) ";
  const auto nested = [&](const std::string& open, const std::string& inner) { return "(define f ((x f64)) " + open + inner + std::string(depth, ')') + ")"; };
  on_deep_stack([&] {
    CHECK(occurrences(ir::print(*ir_of(nested(sum, "x"))), "(+ 1.0") == depth);
    CHECK(occurrences(ir::print(*ir_of(nested(lets, "x"))), "(* x") == depth);
  });
}
