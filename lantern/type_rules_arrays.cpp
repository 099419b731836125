// The rules of products, reductions and of whatever takes arrays apart or puts them together; some take lists, too.
#include <fmt/format.h>

#include <algorithm>

#include "lantern/operands.h"
#include "lantern/type_rules.h"

namespace lantern::rules {

Type matmul(const Application& call) {
  const Type a = need_tensor(call.operands[0], 1, most_axes, "its first operand");
  const Type b = need_tensor(call.operands[1], 1, most_axes, "its second operand");
  const bool vector_a = a->dims.size() == 1, vector_b = b->dims.size() == 1;
  const Dim& inner_a = a->dims.back();
  const Dim& inner_b = b->dims[vector_b ? 0 : b->dims.size() - 2];
  if (!conform(inner_a, inner_b)) {
    mismatch(fmt::format("cannot multiply {} by {}: the inner dimensions {} and {} differ", to_string(a), to_string(b),
                         inner_a.size, inner_b.size));
  }
  const DType dtype = promote(a, b);
  const auto stack = [&](const Type& of) {
    return tensor(dtype, {of->dims.begin(), of->dims.end() - static_cast<std::ptrdiff_t>(std::min<std::size_t>(2, of->dims.size()))});
  };
  std::vector<Dim> dims = broadcast(stack(a), stack(b));
  if (!vector_a) dims.push_back(a->dims[a->dims.size() - 2]);
  if (!vector_b) dims.push_back(b->dims.back());
  return tensor(dtype, std::move(dims));
}

namespace {

Type need_square(const Type& type, std::string_view what) {
  const Type a = need_tensor(type, 2, 2, what);
  if (a->dtype == DType::boolean) mismatch(fmt::format("needs numbers, not {}", to_string(a)), "cast it to f32 or f64");
  if (!conform(a->dims[0], a->dims[1])) mismatch(fmt::format("needs a square matrix, not {}", to_string(a)));
  return with_dtype(a, is_floating(a->dtype) ? a->dtype : DType::f64);
}

}  // namespace

Type square_matrix(const Application& call) { return need_square(call.operands[0], "its operand"); }

Type determinant(const Application& call) { return tensor(need_square(call.operands[0], "its operand")->dtype, {}); }

Type solution(const Application& call) {
  const Type a = need_square(call.operands[0], "its first operand"), b = need_tensor(call.operands[1], 1, 2, "its second operand");
  if (!conform(a->dims[0], b->dims[0])) mismatch(fmt::format("the first dimensions of {} and {} differ", to_string(a), to_string(b)));
  const DType dtype = promote(a, b);
  return with_dtype(b, is_floating(dtype) ? dtype : DType::f64);
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

namespace {

/// matmul, its operand number `turned` turned.
Type product_of(const Application& call, std::size_t turned) {
  std::vector<Type> operands(call.operands.begin(), call.operands.end());
  operands[turned] = transpose({.operands = call.operands.subspan(turned, 1), .literals = {}, .attributes = call.attributes});
  return matmul({.operands = operands, .literals = call.literals, .attributes = call.attributes});
}

}  // namespace

Type product_with_transposed(const Application& call) { return product_of(call, 1); }
Type transposed_product(const Application& call) { return product_of(call, 0); }

namespace {

// NumPy's dtype of a sum.
DType summed(DType dtype) { return is_floating(dtype) ? dtype : DType::i64; }

}  // namespace

Type total(const Application& call) { return reduced(call, summed(need_numeric(call.operands[0])->dtype)); }

Type extreme(const Application& call) { return reduced(call, need_numeric(call.operands[0])->dtype); }

Type mean(const Application& call) {
  const Type a = need_numeric(call.operands[0]);
  return reduced(call, is_floating(a->dtype) ? a->dtype : DType::f64);
}

Type position(const Application& call) {
  const Type result = reduced(call, DType::i64);
  return result->dims.empty() ? scalar(DType::i64) : result;
}

Type softmax(const Application& call) {
  const Type a = need_tensor(call.operands[0], 1, most_axes, "its operand");
  if (!is_floating(a->dtype)) mismatch(fmt::format("needs f32 or f64, not {}", to_string(a)));
  return a;
}

Type cross_entropy(const Application& call) {
  const Type logits = need_tensor(softmax(call), 1, 2, "its operand");
  if (logits->dims.size() == 1) {
    need_index(call.operands[1], "its label");
    const auto label = call.literals[1];
    const auto& classes = logits->dims[0];
    if (label && (*label < 0 || (classes.known() && *label >= classes.size))) mismatch(fmt::format("has the label {}, which is out of range for {}", *label, to_string(logits)));
    return tensor(logits->dtype, {});
  }
  const Type labels = need_tensor(call.operands[1], 1, 1, "its labels");
  const bool integral = labels->dtype == DType::i64 || labels->dtype == DType::i32;
  if (!integral || !conform(labels->dims[0], logits->dims[0])) mismatch(fmt::format("needs an integer for each row of {}, not {}", to_string(logits), to_string(labels)));
  return tensor(logits->dtype, {logits->dims[0]});
}

namespace {

/// Arrays from operand `from` on, behind one another along an axis.
Type joined(const Application& call, std::size_t from, std::size_t axis, const Type& first) {
  DType dtype = first->dtype;
  std::vector<Dim> dims = first->dims;
  Dim total{.size = 0};
  for (const auto& operand : call.operands.subspan(from)) {
    const Type type = need_tensor(operand, first->dims.size(), first->dims.size(), "its operand");
    for (std::size_t i = 0; i < dims.size(); ++i) {
      if (i != axis && !conform(dims[i], type->dims[i])) {
        mismatch(fmt::format("cannot join {} and {}: they differ {}", to_string(first), to_string(type),
                             axis == 0 ? "behind the first axis" : fmt::format("in another axis than {}", axis)));
      }
    }
    dtype = promote(tensor(dtype, {}), tensor(type->dtype, {}));
    total = total.known() && type->dims[axis].known() ? Dim{.size = total.size + type->dims[axis].size} : Dim{};
  }
  dims[axis] = total;
  return tensor(dtype, std::move(dims));
}

}  // namespace

Type concat(const Application& call) {
  if (call.operands.empty()) mismatch("joins one or more arrays or lists, and none is given");
  if (is(call.operands[0], TypeKind::list)) {
    const Type list = resolve(call.operands[0]);
    for (const auto& operand : call.operands) {
      if (!same_type(list, operand)) mismatch(fmt::format("cannot join {} and {}", to_string(list), to_string(operand)));
    }
    return list;
  }
  return joined(call, 0, 0, need_tensor(call.operands[0], 1, most_axes, "its operand"));
}

Type concat_along(const Application& call) {
  if (call.operands.size() < 2) mismatch("needs an axis, and arrays");
  const Type first = need_tensor(call.operands[1], 1, most_axes, "its operand");
  return joined(call, 1, static_cast<std::size_t>(axis_of(call, 0, first)), first);
}

Type stack(const Application& call) {
  if (call.operands.size() == 1 && is(call.operands[0], TypeKind::list)) {
    const Type element = need_numeric(resolve(call.operands[0])->elements[0]);
    if (element->dims.size() >= most_axes) mismatch(fmt::format("gives no array of more than {} axes, and stacks {}", most_axes, to_string(element)));
    std::vector<Dim> rows = element->dims;
    rows.insert(rows.begin(), Dim{});
    return tensor(element->dtype, std::move(rows));
  }
  if (call.operands.empty()) mismatch("stacks one or more arrays, and none is given");
  const Type first = need_numeric(call.operands[0]);
  for (const auto& operand : call.operands) {
    const Type type = need_numeric(operand);
    bool same = type->dtype == first->dtype && type->dims.size() == first->dims.size();
    for (std::size_t i = 0; same && i < type->dims.size(); ++i) same = conform(type->dims[i], first->dims[i]);
    if (!same) mismatch(fmt::format("cannot stack {} and {}", to_string(first), to_string(type)));
  }
  if (first->dims.size() >= most_axes) mismatch(fmt::format("gives no array of more than {} axes, and stacks {}", most_axes, to_string(first)));
  std::vector<Dim> dims = first->dims;
  dims.insert(dims.begin(), Dim{.size = static_cast<std::int64_t>(call.operands.size())});
  return tensor(first->dtype, std::move(dims));
}

Type slice(const Application& call) {
  need_index(call.operands[1], "its start");
  need_index(call.operands[2], "its stop");
  if (is(call.operands[0], TypeKind::list) && call.operands.size() == 3) return resolve(call.operands[0]);
  const Type a = need_tensor(call.operands[0], 1, most_axes, "its operand");
  std::vector<Dim> dims = a->dims;
  Dim& along = dims[call.operands.size() > 3 ? static_cast<std::size_t>(axis_of(call, 3, a)) : 0];
  const auto start = call.literals[1], stop = call.literals[2];
  if (start && stop && (*start < 0 || *stop < *start || (along.known() && *stop > along.size))) {
    mismatch(fmt::format("the slice from {} to {} does not lie within {}", *start, *stop, to_string(a)));
  }
  along = start && stop ? Dim{.size = *stop - *start} : Dim{};
  return tensor(a->dtype, std::move(dims));
}

Type strided(const Application& call) {
  for (const std::size_t i : {1, 2, 3}) need_index(call.operands[i], "its places");
  if (is(call.operands[0], TypeKind::list)) return resolve(call.operands[0]);
  const Type a = need_tensor(call.operands[0], 1, most_axes, "its operand");
  std::vector<Dim> dims = a->dims;
  dims[0] = call.literals[3] ? Dim{.size = *call.literals[3]} : Dim{};
  return tensor(a->dtype, std::move(dims));
}

namespace {

/// The place that an operand names in an axis.
void need_place(const Application& call, std::size_t operand, const Type& a, std::size_t axis = 0) {
  const auto i = call.literals[operand];
  const auto& size = a->dims[axis];
  if (i && size.known() && (*i >= size.size || *i < -size.size)) mismatch(fmt::format("index {} is out of range for {}", *i, to_string(a)));
}

}  // namespace

Type index(const Application& call) {
  need_index(call.operands[1], "its index");
  if (is(call.operands[0], TypeKind::list) || is(call.operands[0], TypeKind::dataset)) {
    return resolve(call.operands[0])->elements[0];
  }
  const Type a = need_tensor(call.operands[0], 1, most_axes, "what is indexed");
  need_place(call, 1, a);
  return tensor(a->dtype, std::vector<Dim>(a->dims.begin() + 1, a->dims.end()));
}

Type with_item(const Application& call) {
  const std::size_t places = call.operands.size() - 2;
  const Type a = need_tensor(call.operands[0], places, most_axes, "what is changed"), item = resolve(call.operands.back());
  for (std::size_t i = 0; i < places; ++i) {
    need_index(call.operands[1 + i], "its place");
    need_place(call, 1 + i, a, i);
  }
  const Type wanted = tensor(a->dtype, std::vector<Dim>(a->dims.begin() + static_cast<std::ptrdiff_t>(places), a->dims.end()));
  bool fits = is_numeric(item) && item->dtype == a->dtype && rank(item) == wanted->dims.size();
  for (std::size_t i = 0; fits && i < wanted->dims.size(); ++i) fits = conform(item->dims[i], wanted->dims[i]);
  if (!fits) mismatch(fmt::format("needs {} as its item, not {}", to_string(wanted), to_string(item)));
  return a;
}

Type with_slice(const Application& call) {
  const Type a = need_tensor(call.operands[0], 1, most_axes, "what is changed"), part = need_tensor(call.operands[2], 1, most_axes, "its part");
  need_index(call.operands[1], "its start");
  const std::size_t axis = call.operands.size() > 3 ? static_cast<std::size_t>(axis_of(call, 3, a)) : 0;
  bool fits = part->dtype == a->dtype && part->dims.size() == a->dims.size();
  for (std::size_t i = 0; fits && i < a->dims.size(); ++i) fits = i == axis || conform(part->dims[i], a->dims[i]);
  if (!fits) mismatch(fmt::format("puts no {} into {}", to_string(part), to_string(a)));
  const auto start = call.literals[1];
  const Dim &along = a->dims[axis], &taken = part->dims[axis];
  if (start && (*start < 0 || (along.known() && *start + (taken.known() ? taken.size : 0) > along.size))) {
    mismatch(fmt::format("{} at {} does not lie within {}", to_string(part), *start, to_string(a)));
  }
  return a;
}

Type gather(const Application& call) {
  const Type a = need_tensor(call.operands[0], 2, 2, "its table");
  need_index(call.operands[1], "its row");
  need_place(call, 1, a);
  return tensor(a->dtype, {a->dims[1]});
}

Type along_axis(const Application& call) {
  const Type a = need_tensor(call.operands[0], 1, most_axes, "its operand");
  axis_of(call, 1, a);
  return a;
}

Type cumsum(const Application& call) {
  const Type a = along_axis(call);
  return tensor(summed(a->dtype), a->dims);
}

Type swap_axes(const Application& call) {
  const Type a = need_tensor(call.operands[0], 1, most_axes, "its operand");
  std::vector<Dim> dims = a->dims;
  std::swap(dims[static_cast<std::size_t>(axis_of(call, 1, a))], dims[static_cast<std::size_t>(axis_of(call, 2, a))]);
  return tensor(a->dtype, std::move(dims));
}

Type repeat(const Application& call) {
  const Type a = need_tensor(call.operands[0], 1, most_axes, "its operand");
  need_index(call.operands[1], "its count");
  std::vector<Dim> dims = a->dims;
  Dim& along = dims[static_cast<std::size_t>(axis_of(call, 2, a))];
  const auto count = call.literals[1];
  if (count && *count < 0) mismatch("cannot repeat elements a negative number of times");
  along = along.known() && count ? Dim{.size = along.size * *count} : Dim{};
  return tensor(a->dtype, std::move(dims));
}

namespace {

/// Rows of `a` at indices, [m] of integers.
Type rows_at(const Type& a, const Type& given) {
  const Type indices = need_tensor(given, 1, 1, "its indices");
  if (indices->dtype != DType::i64 && indices->dtype != DType::i32) mismatch(fmt::format("needs integers as its indices, not {}", to_string(indices)));
  std::vector<Dim> dims = a->dims;
  dims[0] = indices->dims[0];
  return tensor(a->dtype, std::move(dims));
}

}  // namespace

Type take(const Application& call) { return rows_at(need_tensor(call.operands[0], 1, most_axes, "what is indexed"), call.operands[1]); }

Type scatter(const Application& call) {
  const Type a = need_tensor(call.operands[0], 1, most_axes, "what is changed");
  const Type wanted = rows_at(a, call.operands[1]), rows = resolve(call.operands[2]);
  bool fits = rows->kind == TypeKind::tensor && rows->dtype == a->dtype && rows->dims.size() == wanted->dims.size();
  for (std::size_t i = 0; fits && i < rows->dims.size(); ++i) fits = conform(rows->dims[i], wanted->dims[i]);
  if (!fits) mismatch(fmt::format("needs {} as its rows, not {}", to_string(wanted), to_string(rows)));
  return a;
}

Type patches(const Application& call) {
  const Type a = need_tensor(call.operands[0], 4, 4, "its images");
  for (const std::size_t i : {1, 2, 3, 4}) {
    need_index(call.operands[i], "a size or a step");
    if (call.literals[i] && *call.literals[i] < 1) mismatch(fmt::format("needs windows and steps of at least 1, not {}", *call.literals[i]));
  }
  const auto places = [&](std::size_t axis, std::size_t window, std::size_t step) -> Dim {
    const Dim& size = a->dims[axis];
    if (!size.known() || !call.literals[window] || !call.literals[step]) return {};
    if (size.size < *call.literals[window]) mismatch(fmt::format("has windows of {} that do not fit into {} of {}", *call.literals[window], size.size, to_string(a)));
    return {.size = (size.size - *call.literals[window]) / *call.literals[step] + 1};
  };
  const auto &height = call.literals[1], &width = call.literals[2];
  const Dim window = height && width ? Dim{.size = *height * *width} : Dim{};
  return tensor(a->dtype, {a->dims[0], places(1, 1, 3), places(2, 2, 4), window, a->dims[3]});
}

Type arange(const Application& call) { return tensor(DType::i64, dims_from(call, 0)); }

Type reshape(const Application& call) {
  const Type a = need_tensor(call.operands[0], 1, most_axes, "its operand");
  const auto dims = dims_from(call, 1);
  if (dims.empty() || dims.size() > most_axes) mismatch(fmt::format("needs one to {} dimensions", most_axes));
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
  need_number(call.operands[0], "its value");
  return tensor(*call.attributes.dtype, dims_from(call, 1));
}

Type shape(const Application& call) {
  const Type a = need_tensor(call.operands[0], 1, most_axes, "its operand");
  need_index(call.operands[1], "its axis");
  const auto rank = static_cast<std::int64_t>(a->dims.size());
  if (const auto axis = call.literals[1]; axis && (*axis < -rank || *axis >= rank)) {
    mismatch(fmt::format("axis {} is out of range for {}", *axis, to_string(a)));
  }
  return scalar(DType::i64);
}

}  // namespace lantern::rules
