// Rules compute a result's type from the operands'; this is what they share.
#include "lantern/operands.h"

#include <fmt/format.h>

#include <algorithm>

namespace lantern {

namespace {

// bool < integers < floats: a scalar of a higher kind than a tensor lifts it, else the tensor's dtype wins.
int kind_of(DType dtype) { return dtype == DType::boolean ? 0 : is_floating(dtype) ? 2 : 1; }

DType wider(DType a, DType b) {
  if (kind_of(a) != kind_of(b)) {
    const DType high = kind_of(a) > kind_of(b) ? a : b;
    const DType low = kind_of(a) > kind_of(b) ? b : a;
    // NumPy: an f32 array and an integer array give f64.
    return high == DType::f32 && kind_of(low) == 1 ? DType::f64 : high;
  }
  return std::max(a, b);
}

}  // namespace

DType promote(const Type& left, const Type& right) {
  const Type a = resolve(left), b = resolve(right);
  if (a->kind == b->kind) return wider(a->dtype, b->dtype);
  const Type array = a->kind == TypeKind::tensor ? a : b;
  const Type number = a->kind == TypeKind::tensor ? b : a;
  return kind_of(number->dtype) > kind_of(array->dtype) ? number->dtype : array->dtype;
}

namespace rules {

void mismatch(std::string message, std::string hint) {
  throw TypeMismatch{std::move(message), std::move(hint)};
}

Type need_numeric(const Type& type) {
  if (!is_numeric(type)) mismatch(fmt::format("needs a number or an array, not {}", to_string(type)));
  return resolve(type);
}

void need_number(const Type& type, std::string_view which, std::string hint) {
  if (!is_numeric(type) || !resolve(type)->dims.empty()) mismatch(fmt::format("needs a number as {}, not {}", which, to_string(type)), std::move(hint));
}

Type need_integral(const Type& type) {
  if (!is_numeric(type) || is_floating(resolve(type)->dtype)) mismatch(fmt::format("needs integers or bools, not {}", to_string(type)));
  return resolve(type);
}

Type need_tensor(const Type& type, std::size_t least_rank, std::size_t most_rank, std::string_view which) {
  const Type t = resolve(type);
  if (t->kind != TypeKind::tensor || t->dims.size() < least_rank || t->dims.size() > most_rank) {
    const std::string ranks = least_rank == most_rank ? fmt::format("rank {}", least_rank)
                                                      : fmt::format("rank {} to {}", least_rank, most_rank);
    mismatch(fmt::format("needs an array of {} as {}, not {}", ranks, which, to_string(t)));
  }
  return t;
}

void need_index(const Type& type, std::string_view which) {
  const Type t = resolve(type);
  const bool integral = is_numeric(t) && t->dims.empty() && (t->dtype == DType::i64 || t->dtype == DType::i32);
  if (!integral) mismatch(fmt::format("needs an integer as {}, not {}", which, to_string(t)));
}

Type need_list(const Type& type) {
  const Type list = resolve(type);
  if (list->kind != TypeKind::list) mismatch(fmt::format("needs a list, not {}", to_string(list)));
  return list;
}

void need_element(const Type& list, const Type& given) {
  const Type element = resolve(list->elements[0]), x = resolve(given);
  const bool present = element->kind == TypeKind::optional && (x->kind == TypeKind::none || same_type(element->elements[0], x));
  bool array = element->kind == TypeKind::tensor && x->kind == TypeKind::tensor && element->dtype == x->dtype && element->dims.size() == x->dims.size();
  for (std::size_t i = 0; array && i < x->dims.size(); ++i) array = !element->dims[i].known() || element->dims[i] == x->dims[i];
  if (!present && !array && !same_type(element, x)) mismatch(fmt::format("cannot put {} into {}", to_string(x), to_string(list)));
}

bool conform(const Dim& a, const Dim& b) { return !a.known() || !b.known() || a.size == b.size; }

Dim meet(const Dim& a, const Dim& b) { return a.known() ? a : b.known() ? b : !a.name.empty() ? a : b; }

std::vector<Dim> broadcast(const Type& a, const Type& b) {
  const auto& longer = a->dims.size() >= b->dims.size() ? a->dims : b->dims;
  const auto& shorter = a->dims.size() >= b->dims.size() ? b->dims : a->dims;
  std::vector<Dim> dims = longer;
  const std::size_t offset = longer.size() - shorter.size();
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    Dim& x = dims[offset + i];
    const Dim& y = shorter[i];
    if (x == y || y.size == 1) continue;
    if (x.size == 1) {
      x = y;
    } else if (!conform(x, y)) {
      mismatch(fmt::format("cannot combine shapes {} and {}: {} and {} differ and neither is 1", to_string(a),
                           to_string(b), x.size, y.size));
    } else if (x.known() || y.known()) {
      x = meet(x, y);  // the unknown one is that, or 1
    } else {
      x = Dim{};
    }
  }
  return dims;
}

Type numeric_result(const Type& a, const Type& b, DType dtype) {
  const bool array = a->kind == TypeKind::tensor || b->kind == TypeKind::tensor;
  return array ? tensor(dtype, broadcast(a, b)) : scalar(dtype);
}

Type with_dtype(const Type& type, DType dtype) {
  return type->kind == TypeKind::tensor ? tensor(dtype, type->dims) : scalar(dtype);
}

DType counted(DType dtype) { return dtype == DType::boolean ? DType::i64 : dtype; }  // True + True is 2

DType counted(DType dtype, bool array) {
  if (array && dtype == DType::boolean) mismatch("needs numbers, not arrays of bool alone", "cast them to i64 to count, or use &, | and ~");
  return counted(dtype);
}

bool is_array(const Type& type) { return type->kind == TypeKind::tensor; }

std::vector<Dim> dims_from(const Application& call, std::size_t first) {
  std::vector<Dim> dims;
  for (std::size_t i = first; i < call.operands.size(); ++i) {
    need_index(call.operands[i], "a dimension");
    if (call.literals[i] && *call.literals[i] < 0) mismatch("a dimension cannot be negative");
    dims.push_back(call.literals[i] ? Dim{.size = *call.literals[i]} : Dim{});
  }
  return dims;
}

std::ptrdiff_t axis_of(const Application& call, std::size_t operand, const Type& a) {
  const auto axis = call.literals[operand];
  const auto rank = static_cast<std::int64_t>(a->dims.size());
  if (!axis) mismatch("needs an axis that is written as a number");
  if (*axis < -rank || *axis >= rank) mismatch(fmt::format("has no axis {} in {}", *axis, to_string(a)));
  return *axis < 0 ? *axis + rank : *axis;
}

Type reduced(const Application& call, DType dtype) {
  const Type a = need_numeric(call.operands[0]);
  if (call.operands.size() < 2) return tensor(dtype, {});
  std::vector<Dim> dims = a->dims;
  dims.erase(dims.begin() + axis_of(call, 1, a));
  return tensor(dtype, std::move(dims));
}

}  // namespace rules

}  // namespace lantern
