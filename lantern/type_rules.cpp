// Rules compute a result's type from the operands'. Dimensions: a known one meets a known one, or is an
// error; a named or unknown one is checked when the program runs.
#include "lantern/type_rules.h"

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

namespace {

[[noreturn]] void mismatch(std::string message, std::string hint = {}) {
  throw TypeMismatch{std::move(message), std::move(hint)};
}

Type need_numeric(const Type& type) {
  if (!is_numeric(type)) mismatch(fmt::format("needs a number or an array, not {}", to_string(type)));
  return resolve(type);
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

/// A structure may stand where it may be missing; dimensions that the list does not know may be known.
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

// The dtype of arithmetic on Python's numbers, or on arrays: those of bools are NumPy's `or` and `and`, or no operation.
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

// The axis of `a` that an operand names.
std::ptrdiff_t axis_of(const Application& call, std::size_t operand, const Type& a) {
  const auto axis = call.literals[operand];
  const auto rank = static_cast<std::int64_t>(a->dims.size());
  if (!axis) mismatch("needs an axis that is written as a number");
  if (*axis < -rank || *axis >= rank) mismatch(fmt::format("has no axis {} in {}", *axis, to_string(a)));
  return *axis < 0 ? *axis + rank : *axis;
}

// The result of a reduction over all elements, or along the axis that is the second operand.
Type reduced(const Application& call, DType dtype) {
  const Type a = need_numeric(call.operands[0]);
  if (call.operands.size() < 2) return tensor(dtype, {});
  std::vector<Dim> dims = a->dims;
  dims.erase(dims.begin() + axis_of(call, 1, a));
  return tensor(dtype, std::move(dims));
}

}  // namespace

Type arithmetic(const Application& call) {
  const Type a = need_numeric(call.operands[0]), b = need_numeric(call.operands[1]);
  return numeric_result(a, b, counted(promote(a, b), is_array(a) || is_array(b)));
}

Type true_division(const Application& call) {
  const Type a = need_numeric(call.operands[0]), b = need_numeric(call.operands[1]);
  const DType dtype = promote(a, b);
  return numeric_result(a, b, is_floating(dtype) ? dtype : DType::f64);
}

Type power(const Application& call) { return arithmetic(call); }

Type negation(const Application& call) {
  const Type a = need_numeric(call.operands[0]);
  return with_dtype(a, counted(a->dtype, is_array(a)));
}

Type real_function(const Application& call) {
  const Type a = need_numeric(call.operands[0]);
  return with_dtype(a, is_floating(a->dtype) ? a->dtype : DType::f64);
}

Type real_function_of_two(const Application& call) { return true_division(call); }

Type clip(const Application& call) {
  const Type a = need_numeric(call.operands[0]), lo = need_numeric(call.operands[1]), hi = need_numeric(call.operands[2]);
  const Type bounded = numeric_result(a, lo, counted(promote(a, lo)));
  return numeric_result(bounded, hi, counted(promote(bounded, hi)));
}

Type comparison(const Application& call) {
  const Type a = need_numeric(call.operands[0]), b = need_numeric(call.operands[1]);
  return numeric_result(a, b, DType::boolean);
}

Type equality(const Application& call) {
  if (is(call.operands[0], TypeKind::string) && is(call.operands[1], TypeKind::string)) return scalar(DType::boolean);
  return comparison(call);
}

Type logic(const Application& call) {
  Type result = need_numeric(call.operands[0]);
  for (const auto& operand : call.operands) {
    const Type type = need_numeric(operand);
    if (type->dtype != DType::boolean) mismatch(fmt::format("needs bool, not {}", to_string(type)));
    result = numeric_result(result, type, DType::boolean);
  }
  return result;
}

Type bitwise(const Application& call) {
  const Type a = need_integral(call.operands[0]), b = need_integral(call.operands[1]);
  return numeric_result(a, b, promote(a, b));
}

Type bit_not(const Application& call) {
  const Type a = need_integral(call.operands[0]);
  return a->kind == TypeKind::tensor ? a : scalar(counted(a->dtype));  // ~True is -2, of an array of bools it is `not`
}

Type shift(const Application& call) {
  const Type a = need_integral(call.operands[0]), b = need_integral(call.operands[1]);
  return numeric_result(a, b, counted(promote(a, b)));
}

Type where(const Application& call) {
  const Type condition = need_numeric(call.operands[0]);
  if (condition->dtype != DType::boolean) mismatch(fmt::format("needs bool as its condition, not {}", to_string(condition)));
  const Type a = need_numeric(call.operands[1]), b = need_numeric(call.operands[2]);
  const DType dtype = promote(a, b);
  return numeric_result(condition, numeric_result(a, b, dtype), dtype);
}

Type cast(const Application& call) { return with_dtype(need_numeric(call.operands[0]), *call.attributes.dtype); }

Type item(const Application& call) {
  const Type a = need_numeric(call.operands[0]);
  if (!a->dims.empty()) mismatch(fmt::format("needs a single value, not {}", to_string(a)));
  const DType dtype = a->dtype;
  return scalar(is_floating(dtype) ? DType::f64 : dtype == DType::boolean ? dtype : DType::i64);
}

Type matmul(const Application& call) {
  const Type a = need_tensor(call.operands[0], 1, 3, "its first operand");
  const Type b = need_tensor(call.operands[1], 1, 3, "its second operand");
  const bool vector_a = a->dims.size() == 1, vector_b = b->dims.size() == 1;
  const Dim& inner_a = a->dims.back();
  const Dim& inner_b = b->dims[vector_b ? 0 : b->dims.size() - 2];
  if (!conform(inner_a, inner_b)) {
    mismatch(fmt::format("cannot multiply {} by {}: the inner dimensions {} and {} differ", to_string(a), to_string(b),
                         inner_a.size, inner_b.size));
  }
  const DType dtype = promote(a, b);
  if (!is_floating(dtype)) mismatch(fmt::format("needs f32 or f64, not {}", to_string(dtype)));
  std::vector<Dim> dims;
  if (a->dims.size() == 3 && b->dims.size() == 3) {
    dims = broadcast(tensor(dtype, {a->dims[0]}), tensor(dtype, {b->dims[0]}));
  } else if (a->dims.size() == 3 || b->dims.size() == 3) {
    dims = {(a->dims.size() == 3 ? a : b)->dims[0]};
  }
  if (!vector_a) dims.push_back(a->dims[a->dims.size() - 2]);
  if (!vector_b) dims.push_back(b->dims.back());
  return tensor(dtype, std::move(dims));
}

Type outer(const Application& call) {
  const Type a = need_tensor(call.operands[0], 1, 1, "its first operand");
  const Type b = need_tensor(call.operands[1], 1, 1, "its second operand");
  return tensor(promote(a, b), {a->dims[0], b->dims[0]});
}

Type transpose(const Application& call) {
  const Type a = need_tensor(call.operands[0], 2, 2, "its operand");
  return tensor(a->dtype, {a->dims[1], a->dims[0]});
}

Type reduce_all(const Application& call) {
  const Type a = need_numeric(call.operands[0]);
  return tensor(counted(a->dtype), {});
}

Type reduce(const Application& call) { return reduced(call, counted(need_numeric(call.operands[0])->dtype)); }

Type mean(const Application& call) {
  const Type a = need_numeric(call.operands[0]);
  return reduced(call, is_floating(a->dtype) ? a->dtype : DType::f64);
}

Type position(const Application& call) {
  const Type result = reduced(call, DType::i64);
  return result->dims.empty() ? scalar(DType::i64) : result;
}

Type mask_of_second(const Application& call) { return with_dtype(need_numeric(call.operands[1]), DType::boolean); }

Type softmax(const Application& call) {
  const Type a = need_tensor(call.operands[0], 1, 3, "its operand");
  if (!is_floating(a->dtype)) mismatch(fmt::format("needs f32 or f64, not {}", to_string(a)));
  return a;
}

Type cross_entropy(const Application& call) {
  need_tensor(call.operands[0], 1, 1, "its operand");
  const Type logits = softmax(call);
  need_index(call.operands[1], "its label");
  return tensor(logits->dtype, {});
}

Type concat(const Application& call) {
  if (is(call.operands[0], TypeKind::list)) {
    const Type list = resolve(call.operands[0]);
    for (const auto& operand : call.operands) {
      if (!same_type(list, operand)) mismatch(fmt::format("cannot join {} and {}", to_string(list), to_string(operand)));
    }
    return list;
  }
  const Type first = need_tensor(call.operands[0], 1, 3, "its operand");
  DType dtype = first->dtype;
  Dim total{.size = 0};
  std::vector<Dim> dims = first->dims;
  for (const auto& operand : call.operands) {
    const Type type = need_tensor(operand, first->dims.size(), first->dims.size(), "its operand");
    for (std::size_t i = 1; i < dims.size(); ++i) {
      if (!conform(dims[i], type->dims[i])) {
        mismatch(fmt::format("cannot join {} and {}: they differ behind the first axis", to_string(first), to_string(type)));
      }
    }
    dtype = promote(tensor(dtype, {}), tensor(type->dtype, {}));
    total = total.known() && type->dims[0].known() ? Dim{.size = total.size + type->dims[0].size} : Dim{};
  }
  dims[0] = total;
  return tensor(dtype, std::move(dims));
}

Type stack(const Application& call) {
  if (call.operands.size() == 1 && is(call.operands[0], TypeKind::list)) {
    const Type element = need_numeric(resolve(call.operands[0])->elements[0]);
    if (element->dims.size() > 2) mismatch(fmt::format("stacks numbers, vectors and matrices, not {}", to_string(element)));
    std::vector<Dim> rows = element->dims;
    rows.insert(rows.begin(), Dim{});
    return tensor(element->dtype, std::move(rows));
  }
  const Type first = need_numeric(call.operands[0]);
  for (const auto& operand : call.operands) {
    const Type type = need_numeric(operand);
    bool same = type->dtype == first->dtype && type->dims.size() == first->dims.size();
    for (std::size_t i = 0; same && i < type->dims.size(); ++i) same = conform(type->dims[i], first->dims[i]);
    if (!same) mismatch(fmt::format("cannot stack {} and {}", to_string(first), to_string(type)));
  }
  if (first->dims.size() > 2) mismatch(fmt::format("stacks numbers, vectors and matrices, not {}", to_string(first)));
  std::vector<Dim> dims = first->dims;
  dims.insert(dims.begin(), Dim{.size = static_cast<std::int64_t>(call.operands.size())});
  return tensor(first->dtype, std::move(dims));
}

Type slice(const Application& call) {
  need_index(call.operands[1], "its start");
  need_index(call.operands[2], "its stop");
  if (is(call.operands[0], TypeKind::list)) return resolve(call.operands[0]);
  const Type a = need_tensor(call.operands[0], 1, 3, "its operand");
  std::vector<Dim> dims = a->dims;
  const auto start = call.literals[1], stop = call.literals[2];
  if (start && stop && (*start < 0 || *stop < *start || (a->dims[0].known() && *stop > a->dims[0].size))) {
    mismatch(fmt::format("the slice from {} to {} does not lie within {}", *start, *stop, to_string(a)));
  }
  dims[0] = start && stop ? Dim{.size = *stop - *start} : Dim{};
  return tensor(a->dtype, std::move(dims));
}

Type strided(const Application& call) {
  for (const std::size_t i : {1, 2, 3}) need_index(call.operands[i], "its places");
  if (is(call.operands[0], TypeKind::list)) return resolve(call.operands[0]);
  const Type a = need_tensor(call.operands[0], 1, 3, "its operand");
  std::vector<Dim> dims = a->dims;
  dims[0] = call.literals[3] ? Dim{.size = *call.literals[3]} : Dim{};
  return tensor(a->dtype, std::move(dims));
}

Type index(const Application& call) {
  need_index(call.operands[1], "its index");
  if (is(call.operands[0], TypeKind::list) || is(call.operands[0], TypeKind::dataset)) {
    return resolve(call.operands[0])->elements[0];
  }
  const Type a = need_tensor(call.operands[0], 1, 3, "what is indexed");
  const auto& size = a->dims[0];
  const auto i = call.literals[1];
  if (i && size.known() && (*i >= size.size || *i < -size.size)) {
    mismatch(fmt::format("index {} is out of range for {}", *i, to_string(a)));
  }
  return tensor(a->dtype, std::vector<Dim>(a->dims.begin() + 1, a->dims.end()));
}

Type gather(const Application& call) {
  const Type a = need_tensor(call.operands[0], 2, 2, "its table");
  need_index(call.operands[1], "its row");
  return tensor(a->dtype, {a->dims[1]});
}

Type along_axis(const Application& call) {
  const Type a = need_tensor(call.operands[0], 1, 3, "its operand");
  axis_of(call, 1, a);
  return a;
}

Type cumsum(const Application& call) {
  const Type a = along_axis(call);
  return tensor(counted(a->dtype), a->dims);
}

Type swap_axes(const Application& call) {
  const Type a = need_tensor(call.operands[0], 1, 3, "its operand");
  std::vector<Dim> dims = a->dims;
  std::swap(dims[static_cast<std::size_t>(axis_of(call, 1, a))], dims[static_cast<std::size_t>(axis_of(call, 2, a))]);
  return tensor(a->dtype, std::move(dims));
}

Type repeat(const Application& call) {
  const Type a = need_tensor(call.operands[0], 1, 3, "its operand");
  need_index(call.operands[1], "its count");
  std::vector<Dim> dims = a->dims;
  Dim& along = dims[static_cast<std::size_t>(axis_of(call, 2, a))];
  const auto count = call.literals[1];
  if (count && *count < 0) mismatch("cannot repeat elements a negative number of times");
  along = along.known() && count ? Dim{.size = along.size * *count} : Dim{};
  return tensor(a->dtype, std::move(dims));
}

Type take(const Application& call) {
  const Type a = need_tensor(call.operands[0], 1, 3, "what is indexed");
  const Type indices = need_tensor(call.operands[1], 1, 1, "its indices");
  if (indices->dtype != DType::i64 && indices->dtype != DType::i32) mismatch(fmt::format("needs integers as its indices, not {}", to_string(indices)));
  std::vector<Dim> dims = a->dims;
  dims[0] = indices->dims[0];
  return tensor(a->dtype, std::move(dims));
}

Type arange(const Application& call) { return tensor(DType::i64, dims_from(call, 0)); }

Type reshape(const Application& call) {
  const Type a = need_tensor(call.operands[0], 1, 3, "its operand");
  const auto dims = dims_from(call, 1);
  if (dims.empty() || dims.size() > 3) mismatch("needs one to three dimensions");
  const auto size = [](const std::vector<Dim>& of) -> std::int64_t {
    std::int64_t product = 1;
    for (const auto& dim : of) {
      if (!dim.known() || __builtin_mul_overflow(product, dim.size, &product)) return -1;
    }
    return product;
  };
  const auto before = size(a->dims), after = size(dims);
  if (before >= 0 && after >= 0 && before != after) {
    mismatch(fmt::format("cannot reshape {} into {}: {} elements and {}", to_string(a), to_string(tensor(a->dtype, dims)),
                         before, after));
  }
  return tensor(a->dtype, dims);
}

Type filled(const Application& call) { return tensor(*call.attributes.dtype, dims_from(call, 0)); }

Type full(const Application& call) {
  need_numeric(call.operands[0]);
  return tensor(*call.attributes.dtype, dims_from(call, 1));
}

Type drawn(const Application& call) {
  need_numeric(call.operands[0]);
  need_numeric(call.operands[1]);
  if (!is_floating(*call.attributes.dtype)) mismatch("draws f32 or f64");
  return tensor(*call.attributes.dtype, dims_from(call, 2));
}

Type like_first(const Application& call) { return need_numeric(call.operands[0]); }

Type like_second(const Application& call) {
  const Type value = need_numeric(call.operands[0]), shape = need_numeric(call.operands[1]);
  return with_dtype(shape, shape->kind == TypeKind::scalar && value->kind == TypeKind::scalar ? value->dtype : shape->dtype);
}

Type dtype_of_second(const Application& call) {
  return with_dtype(need_numeric(call.operands[0]), need_numeric(call.operands[1])->dtype);
}

Type identity(const Application& call) { return resolve(call.operands[0]); }

Type shape(const Application& call) {
  const Type a = need_tensor(call.operands[0], 1, 3, "its operand");
  need_index(call.operands[1], "its axis");
  const auto rank = static_cast<std::int64_t>(a->dims.size());
  if (const auto axis = call.literals[1]; axis && (*axis < -rank || *axis >= rank)) {
    mismatch(fmt::format("axis {} is out of range for {}", *axis, to_string(a)));
  }
  return scalar(DType::i64);
}

Type length(const Application& call) {
  const Type a = resolve(call.operands[0]);
  const bool has_length = a->kind == TypeKind::list || a->kind == TypeKind::dataset || a->kind == TypeKind::string ||
                          (a->kind == TypeKind::tensor && !a->dims.empty());
  if (!has_length) mismatch(fmt::format("{} has no length", to_string(a)));
  return scalar(DType::i64);
}

Type unit(const Application&) { return tuple_of({}); }

Type empty_list(const Application& call) { return list_of(call.attributes.type); }

Type append(const Application& call) {
  const Type list = need_list(call.operands[0]);
  need_element(list, call.operands[1]);
  return list;
}

Type write(const Application& call) {
  const Type list = need_list(call.operands[0]);
  need_index(call.operands[1], "its index");
  need_element(list, call.operands[2]);
  return list;
}

Type shorter(const Application& call) {
  const Type list = need_list(call.operands[0]);
  if (call.operands.size() > 1) need_index(call.operands[1], "its index");
  return list;
}

Type argsort(const Application& call) {
  if (is(call.operands[0], TypeKind::tensor)) {
    const Type vector = need_tensor(call.operands[0], 1, 1, "its operand");
    if (!is_scalar(call.operands[1], DType::boolean)) mismatch("needs bool as its direction");
    return tensor(DType::i64, vector->dims);
  }
  const Type element = resolve(need_list(call.operands[0])->elements[0]);
  if (element->kind != TypeKind::string && !(is_numeric(element) && element->dims.empty())) {
    mismatch(fmt::format("orders numbers and strings, not {}", to_string(element)));
  }
  if (!is_scalar(call.operands[1], DType::boolean)) mismatch("needs bool as its direction");
  return list_of(scalar(DType::i64));
}

Type vocabulary(const Application& call) {
  if (!is(call.operands[0], TypeKind::string)) mismatch("needs a path, a string");
  return list_of(string_type());
}

Type treebank(const Application& call) {
  if (!is(call.operands[0], TypeKind::string)) mismatch("needs a path, a string, as its first operand");
  const Type words = resolve(call.operands[1]);
  if (words->kind != TypeKind::list || !is(words->elements[0], TypeKind::string)) {
    mismatch("needs a vocabulary, (list string), as its second operand");
  }
  return dataset_of(structure(call.attributes.name));
}

Type dataset(const Application& call) {
  const Type data = resolve(call.operands[0]);
  if (data->kind != TypeKind::dataset) mismatch(fmt::format("needs a data set, not {}", to_string(data)));
  return data;
}

Type text(const Application& call) {
  for (const auto& operand : call.operands) {
    const Type type = resolve(operand);
    const bool single = type->kind == TypeKind::string || (is_numeric(type) && type->dims.empty());
    if (!single) mismatch(fmt::format("cannot make text of {}", to_string(type)));
  }
  return string_type();
}

Type host_call(const Application& call) {
  const auto passes = [](const Type& given) {
    const Type type = resolve(given);
    return type->kind == TypeKind::string || is_numeric(type);
  };
  if (!is(call.operands[0], TypeKind::string)) mismatch("takes the function's name first, a string");
  for (const auto& operand : call.operands) {
    if (!passes(operand)) mismatch(fmt::format("cannot pass {}", to_string(operand)), "pass numbers, strings and arrays");
  }
  if (!passes(call.attributes.type)) mismatch(fmt::format("cannot give {}", to_string(call.attributes.type)), "numbers, strings and arrays can be given");
  return call.attributes.type;
}

}  // namespace rules

}  // namespace lantern
