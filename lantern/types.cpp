#include "lantern/types.h"

#include <fmt/format.h>

#include <array>

#include "support/diagnostic.h"

namespace lantern {

namespace {

constexpr std::array<std::string_view, 5> dtype_names = {"bool", "i32", "i64", "f32", "f64"};

Type make(TypeNode node) { return std::make_shared<TypeNode>(std::move(node)); }

[[noreturn]] void not_a_type(const sexpr::Datum& datum, const std::string& why) {
  throw Failure({.code = "LT0401",
                 .location = datum.location,
                 .message = why,
                 .hint = "a type is bool, i32, i64, f32, f64, string, a structure's name, (tensor DTYPE DIM…), "
                         "(optional TYPE), (tuple TYPE…), (list TYPE) or (dataset TYPE)"});
}

Dim read_dim(const sexpr::Datum& datum) {
  if (datum.is(sexpr::Kind::integer)) {
    if (datum.integer() < 0) not_a_type(datum, "a dimension cannot be negative");
    return {.size = datum.integer()};
  }
  if (datum.is_symbol("?")) return {};
  if (datum.is_symbol()) return {.size = -1, .name = std::string(datum.text())};
  not_a_type(datum, "a dimension is a number, a name or ?");
}

}  // namespace

Type scalar(DType dtype) { return make({.kind = TypeKind::scalar, .dtype = dtype}); }
Type tensor(DType dtype, std::vector<Dim> dims) {
  return make({.kind = TypeKind::tensor, .dtype = dtype, .dims = std::move(dims)});
}
Type structure(std::string name) { return make({.kind = TypeKind::structure, .name = std::move(name)}); }
Type string_type() { return make({.kind = TypeKind::string}); }
Type none_type() { return make({.kind = TypeKind::none}); }
Type never_type() { return make({.kind = TypeKind::never}); }
Type tuple_of(std::vector<Type> elements, std::vector<std::string> labels) {
  return make({.kind = TypeKind::tuple, .elements = std::move(elements), .labels = std::move(labels)});
}
Type optional_of(Type element) { return make({.kind = TypeKind::optional, .elements = {std::move(element)}}); }
Type list_of(Type element) { return make({.kind = TypeKind::list, .elements = {std::move(element)}}); }
Type dataset_of(Type element) { return make({.kind = TypeKind::dataset, .elements = {std::move(element)}}); }
Type type_variable() { return make({.kind = TypeKind::variable}); }

Type resolve(const Type& type) {
  Type found = type;
  while (found->kind == TypeKind::variable && found->bound) found = found->bound;
  return found;
}

bool is(const Type& type, TypeKind kind) { return resolve(type)->kind == kind; }
bool is_scalar(const Type& type, DType dtype) { return is(type, TypeKind::scalar) && resolve(type)->dtype == dtype; }
bool is_number(const Type& type) { return is(type, TypeKind::scalar) && resolve(type)->dtype != DType::boolean; }
bool is_numeric(const Type& type) { return is(type, TypeKind::scalar) || is(type, TypeKind::tensor); }
bool has_elements(const Type& type) { return is_numeric(type) && rank(type) > 0; }
bool is_one_number(const Type& type) { return is_numeric(type) && rank(type) == 0; }
bool is_floating(DType dtype) { return dtype == DType::f32 || dtype == DType::f64; }
bool is_floating(const Type& type) { return is_numeric(type) && is_floating(resolve(type)->dtype); }
std::size_t rank(const Type& type) { return resolve(type)->dims.size(); }

bool same_type(const Type& left, const Type& right) {
  const Type a = resolve(left), b = resolve(right);
  if (a == b) return true;
  if (a->kind != b->kind || a->kind == TypeKind::variable) return false;
  if (a->elements.size() != b->elements.size()) return false;
  for (std::size_t i = 0; i < a->elements.size(); ++i) {
    if (!same_type(a->elements[i], b->elements[i])) return false;
  }
  const bool dtypes_matter = a->kind == TypeKind::scalar || a->kind == TypeKind::tensor;
  return (!dtypes_matter || a->dtype == b->dtype) && a->dims == b->dims && a->name == b->name;
}

bool certainly_same_shape(const Type& left, const Type& right) {
  const Type a = resolve(left), b = resolve(right);
  if (a->dims.size() != b->dims.size()) return false;
  for (std::size_t i = 0; i < a->dims.size(); ++i) {
    if (a->dims[i] != b->dims[i] || a->dims[i] == Dim{}) return false;
  }
  return true;
}

bool certainly_fits(const Type& b, const Type& a) {
  const auto &inner = resolve(b)->dims, &outer = resolve(a)->dims;
  if (inner.size() > outer.size()) return false;
  for (std::size_t i = 1; i <= inner.size(); ++i) {
    const Dim &dim = inner[inner.size() - i], &of_a = outer[outer.size() - i];
    const bool one = dim.known() && dim.size == 1;
    if (!one && (dim != of_a || dim == Dim{})) return false;
  }
  return true;
}

std::string_view to_string(DType dtype) { return dtype_names[static_cast<std::size_t>(dtype)]; }

std::string to_string(const Type& given) {
  const Type type = resolve(given);
  const auto wrap = [&](std::string_view head) {
    std::string text = fmt::format("({}", head);
    for (std::size_t i = 0; i < type->elements.size(); ++i) {
      if (!type->labels.empty()) text += " :" + type->labels[i];
      text += " " + to_string(type->elements[i]);
    }
    return text + ")";
  };
  switch (type->kind) {
    case TypeKind::scalar: return std::string(to_string(type->dtype));
    case TypeKind::string: return "string";
    case TypeKind::tensor: {
      std::string text = fmt::format("(tensor {}", to_string(type->dtype));
      for (const auto& dim : type->dims) {
        text += dim.known() ? fmt::format(" {}", dim.size) : " " + (dim.name.empty() ? std::string("?") : dim.name);
      }
      return text + ")";
    }
    case TypeKind::structure: return type->name;
    case TypeKind::optional: return wrap("optional");
    case TypeKind::tuple: return wrap("tuple");
    case TypeKind::list: return wrap("list");
    case TypeKind::dataset: return wrap("dataset");
    case TypeKind::none: return "none";
    case TypeKind::never: return "never";
    case TypeKind::variable: return "unknown";
  }
  bug("types", "a type of no kind");
}

std::optional<DType> dtype_named(std::string_view name) {
  for (std::size_t i = 0; i < dtype_names.size(); ++i) {
    if (dtype_names[i] == name) return static_cast<DType>(i);
  }
  return std::nullopt;
}

Type read_type(const sexpr::Datum& datum) {
  if (datum.is(sexpr::Kind::none)) return none_type();
  if (datum.is_symbol()) {
    if (const auto dtype = dtype_named(datum.text())) return scalar(*dtype);
    if (datum.text() == "string") return string_type();
    return structure(std::string(datum.text()));
  }
  const auto head = datum.head();
  const auto single = [&]() -> Type {
    if (datum.size() != 2) not_a_type(datum, fmt::format("({} TYPE) takes one type", head));
    return read_type(datum[1]);
  };
  if (head == "tensor") {
    const auto dtype = datum.size() > 1 ? dtype_named(datum[1].text()) : std::nullopt;
    if (!dtype) not_a_type(datum, "a tensor's type starts with its dtype: bool, i32, i64, f32 or f64");
    std::vector<Dim> dims;
    for (std::size_t i = 2; i < datum.size(); ++i) dims.push_back(read_dim(datum[i]));
    return tensor(*dtype, std::move(dims));
  }
  if (head == "optional") return optional_of(single());
  if (head == "list") return list_of(single());
  if (head == "dataset") return dataset_of(single());
  if (head == "tuple") {
    std::vector<Type> elements;
    std::vector<std::string> labels;
    for (std::size_t i = 1; i < datum.size(); ++i) {
      const bool is_label = datum[i].is(sexpr::Kind::keyword);
      if (is_label) {
        labels.emplace_back(datum[i].text());
      } else {
        elements.push_back(read_type(datum[i]));
      }
      const bool is_last_label = is_label && i + 1 == datum.size();
      if (!labels.empty() && (labels.size() != elements.size() + is_label || is_last_label)) {
        not_a_type(datum, "either each of a tuple's elements has a label, (tuple :NAME TYPE…), or none has");
      }
    }
    return tuple_of(std::move(elements), std::move(labels));
  }
  not_a_type(datum, "this is not a type");
}

}  // namespace lantern
