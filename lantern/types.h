#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sexpr/datum.h"

/// Types of the S-expression language (docs/language.md, "Grammar").
namespace lantern {

enum class DType { boolean, i32, i64, f32, f64 };

/// A dimension: a number, a name ("the same size wherever it stands in one signature"), or neither, `?`.
struct Dim {
  std::int64_t size = -1;
  std::string name = {};

  bool known() const { return size >= 0; }
  friend bool operator==(const Dim&, const Dim&) = default;
};

enum class TypeKind { scalar, string, tensor, structure, optional, tuple, list, dataset, none, never, variable };

struct TypeNode;
using Type = std::shared_ptr<TypeNode>;

/// One node of a type. `none` is the type of the literal none, `never` that of an expression that raises,
/// `variable` one that inference has not found yet; a found one forwards to `bound`.
struct TypeNode {
  TypeKind kind;
  DType dtype = DType::f64;         // scalar, tensor
  std::vector<Dim> dims = {};       // tensor
  std::string name = {};            // structure
  std::vector<Type> elements = {};  // optional, list, dataset: one; tuple: any number
  Type bound = nullptr;             // variable
  std::vector<std::string> labels = {};  // tuple: what its elements are called, each or none; they make no other type
};

Type scalar(DType dtype);
Type tensor(DType dtype, std::vector<Dim> dims);
Type structure(std::string name);
Type string_type();
Type none_type();
Type never_type();
Type tuple_of(std::vector<Type> elements, std::vector<std::string> labels = {});
Type optional_of(Type element);
Type list_of(Type element);
Type dataset_of(Type element);
Type type_variable();

/// What a type variable stands for, or the type itself.
Type resolve(const Type& type);

bool is(const Type& type, TypeKind kind);
bool is_scalar(const Type& type, DType dtype);
bool is_number(const Type& type);    // a scalar other than bool
bool is_numeric(const Type& type);   // a scalar or a tensor
bool is_one_number(const Type& type);  // a scalar, or a tensor of rank 0: C++ has it in a number
bool has_elements(const Type& type);   // a tensor of rank 1 or more
bool is_floating(DType dtype);
bool is_floating(const Type& type);  // a floating scalar or tensor: what can carry an adjoint
std::size_t rank(const Type& type);  // of a scalar: 0

/// Equal in every part; two `?` are equal here.
bool same_type(const Type& a, const Type& b);
/// Certain to have the same shape when the program runs: ranks equal, every dimension known or named alike.
bool certainly_same_shape(const Type& a, const Type& b);
/// Whether b, beside a in an elementwise operation, certainly leaves the result the shape of a.
bool certainly_fits(const Type& b, const Type& a);

std::string_view to_string(DType dtype);
std::string to_string(const Type& type);  // as the language writes it
std::optional<DType> dtype_named(std::string_view name);

/// Reads a TYPE. Throws Failure LT0401.
Type read_type(const sexpr::Datum& datum);

}  // namespace lantern
