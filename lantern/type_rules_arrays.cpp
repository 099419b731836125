// The rules of products, reductions and of whatever takes arrays apart or puts them together; some take lists, too.
#include <fmt/format.h>

#include <algorithm>

#include "lantern/operands.h"
#include "lantern/type_rules.h"

namespace lantern::rules {

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

Type shape(const Application& call) {
  const Type a = need_tensor(call.operands[0], 1, 3, "its operand");
  need_index(call.operands[1], "its axis");
  const auto rank = static_cast<std::int64_t>(a->dims.size());
  if (const auto axis = call.literals[1]; axis && (*axis < -rank || *axis >= rank)) {
    mismatch(fmt::format("axis {} is out of range for {}", *axis, to_string(a)));
  }
  return scalar(DType::i64);
}

}  // namespace lantern::rules
