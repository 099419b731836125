// Type rules, one operation at a time, and how types join.
#include <doctest/doctest.h>

#include <string>

#include "lantern/check.h"
#include "lantern/inference.h"
#include "sexpr/reader.h"
#include "support/diagnostic.h"

using namespace lantern;

namespace {

std::string result_of(const std::string& operation) {
  const auto document = sexpr::read(operation, "<test>");
  try {
    return to_string(infer(*document.items.at(0)));
  } catch (const Failure& failure) {
    return failure.diagnostics.at(0).code;
  }
}

Type type_of(const std::string& text) { return read_type(*sexpr::read(text, "<test>").items.at(0)); }

}  // namespace

TEST_CASE("an operation's result has this type") {
  const struct { std::string operation, type; } table[] = {
      // promotion: Python's numbers, NumPy's arrays
      {"(+ i64 i64)", "i64"},
      {"(+ i64 f64)", "f64"},
      {"(+ bool bool)", "i64"},
      {"(/ i64 i64)", "f64"},
      {"(// i64 i64)", "i64"},
      {"(* (tensor f32 3) f64)", "(tensor f32 3)"},
      {"(* (tensor i64 3) f64)", "(tensor f64 3)"},
      {"(* (tensor f32 3) (tensor f64 3))", "(tensor f64 3)"},
      {"(< i64 f64)", "bool"},
      {"(== string string)", "bool"},
      {"(sqrt i64)", "f64"},
      // broadcasting: known, named and unknown dimensions
      {"(+ (tensor f32 2 3) (tensor f32 3))", "(tensor f32 2 3)"},
      {"(+ (tensor f32 2 1) (tensor f32 3))", "(tensor f32 2 3)"},
      {"(+ (tensor f32 n) (tensor f32 n))", "(tensor f32 n)"},
      {"(+ (tensor f32 n) (tensor f32 m))", "(tensor f32 ?)"},
      {"(+ (tensor f32 2) (tensor f32 3))", "LT0403"},
      // shapes
      {"(matmul (tensor f32 5 3) (tensor f32 3))", "(tensor f32 5)"},
      {"(matmul (tensor f32 5 n) (tensor f32 n 2))", "(tensor f32 5 2)"},
      {"(matmul (tensor f32 3) (tensor f32 3))", "(tensor f32)"},
      {"(matmul (tensor f32 5 3) (tensor f32 4))", "LT0403"},
      {"(transpose (tensor f32 5 n))", "(tensor f32 n 5)"},
      {"(outer (tensor f32 5) (tensor f32 n))", "(tensor f32 5 n)"},
      {"(sum (tensor f32 5 3))", "(tensor f32)"},
      {"(argmax (tensor f32 5))", "i64"},
      {"(cross_entropy (tensor f32 5) i64)", "(tensor f32)"},
      {"(concat (tensor f32 2) (tensor f32 3))", "(tensor f32 5)"},
      {"(stack (tensor f32 3) (tensor f32 3))", "(tensor f32 2 3)"},
      {"(slice (tensor f32 9) 2 5)", "(tensor f32 3)"},
      {"(index (tensor f32 9 2) i64)", "(tensor f32 2)"},
      {"(gather (tensor f32 9 2) i64)", "(tensor f32 2)"},
      {"(reshape (tensor f32 6) 2 3)", "(tensor f32 2 3)"},
      {"(zeros f32 2 i64)", "(tensor f32 2 ?)"},
      {"(shape (tensor f32 2 3) 1)", "i64"},
      {"(item (tensor f32))", "f64"},
      {"(cast f32 (tensor i64 4))", "(tensor f32 4)"},
      // lists
      {"(empty f64)", "(list f64)"},
      {"(append (list f64) f64)", "(list f64)"},
      {"(index (list string) i64)", "string"},
      // labels of a tuple's elements
      {"(append (list (tuple :score f64 :last (tuple i64 f32))) (tuple :score f64 :last (tuple i64 f32)))", "(list (tuple :score f64 :last (tuple i64 f32)))"},
      {"(index (list (tuple :score f64)) i64)", "(tuple :score f64)"},
      {"(empty (tuple :score f64 i64))", "LT0401"},
      {"(empty (tuple f64 :last i64))", "LT0401"},
      {"(empty (tuple :score f64 :last))", "LT0401"},
      // what an operator does not take
      {"(+ string i64)", "LT0403"},
      {"(+ i64)", "LT0403"},
      {"(nothing i64)", "LT0403"},
      {"(not i64)", "LT0403"},
  };
  for (const auto& row : table) {
    CAPTURE(row.operation);
    CHECK(result_of(row.operation) == row.type);
  }
}

TEST_CASE("two types join to the least that both belong to") {
  const struct { std::string left, right, joined; } table[] = {
      {"i64", "f64", "f64"},
      {"bool", "i64", "i64"},
      {"(tensor f32 3)", "(tensor f32 4)", "(tensor f32 ?)"},
      {"(tensor f32 n 4)", "(tensor f32 n 4)", "(tensor f32 n 4)"},
      {"(tensor f32 n)", "(tensor f32 m)", "(tensor f32 ?)"},
      {"(tensor f32 3)", "(tensor f32 3 3)", "none"},
      {"none", "Tree", "(optional Tree)"},
      {"(optional Tree)", "Tree", "(optional Tree)"},
      {"Tree", "Leaf", "none"},
      {"(list i64)", "(list i64)", "(list i64)"},
      {"(list i64)", "(list f64)", "none"},
      {"(tuple i64 none)", "(tuple f64 Tree)", "(tuple f64 (optional Tree))"},
      {"(tuple i64)", "(tuple i64 i64)", "none"},
      {"string", "i64", "none"},
  };
  ir::Program program;
  Inference inference(program);
  for (const auto& row : table) {
    const auto &left = row.left, &right = row.right, &joined = row.joined;
    CAPTURE(left);
    CAPTURE(right);
    for (const bool swapped : {false, true}) {
      const Type type = swapped ? inference.join(type_of(right), type_of(left)) : inference.join(type_of(left), type_of(right));
      CHECK((type ? to_string(type) : "none") == joined);
    }
  }
}

TEST_CASE("a type variable stands for what it is joined with first") {
  ir::Program program;
  Inference inference(program);
  const Type unknown = type_variable();
  CHECK(inference.join(unknown, scalar(DType::i64)) != nullptr);
  CHECK(to_string(unknown) == "i64");
  CHECK(inference.join(never_type(), unknown) == resolve(unknown));
  const Type object = type_variable();
  CHECK(to_string(inference.field(object, "label", "tree")) == "unknown");
  CHECK(to_string(object) == "Tree");
  CHECK(inference.field(scalar(DType::i64), "label", "x") == nullptr);
}
