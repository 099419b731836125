#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lantern/operators.h"

/// What the rules of types ask of their operands, and what they make of their dimensions. Dimensions: a known one meets a known
/// one, or is an error; a named or unknown one is checked when the program runs.
namespace lantern::rules {

/// How many axes an array has at the most.
constexpr std::size_t most_axes = 8;

[[noreturn]] void mismatch(std::string message, std::string hint = {});
Type need_numeric(const Type& type);
/// Or an array of rank 0.
void need_number(const Type& type, std::string_view which, std::string hint = {});
Type need_integral(const Type& type);
Type need_tensor(const Type& type, std::size_t least_rank, std::size_t most_rank, std::string_view which);
void need_index(const Type& type, std::string_view which);
Type need_list(const Type& type);
/// A structure may stand where it may be missing; dimensions that the list does not know may be known.
void need_element(const Type& list, const Type& given);
bool conform(const Dim& a, const Dim& b);
Dim meet(const Dim& a, const Dim& b);
std::vector<Dim> broadcast(const Type& a, const Type& b);
Type numeric_result(const Type& a, const Type& b, DType dtype);
Type with_dtype(const Type& type, DType dtype);
DType counted(DType dtype);  // True + True is 2
/// The dtype of arithmetic on Python's numbers, or on arrays: of bools alone NumPy has none, or one that gives an int8.
DType counted(DType dtype, bool array);
bool is_array(const Type& type);
std::vector<Dim> dims_from(const Application& call, std::size_t first);
/// The axis of `a` that an operand names.
std::ptrdiff_t axis_of(const Application& call, std::size_t operand, const Type& a);
/// The result of a reduction over all elements, or along the axis that is the second operand.
Type reduced(const Application& call, DType dtype);

}  // namespace lantern::rules
