#include "lantern/inference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace lantern {

namespace {

bool conform(const Dim& a, const Dim& b) { return !a.known() || !b.known() || a.size == b.size; }

bool same_rank_and_conforming(const Type& a, const Type& b) {
  if (a->dims.size() != b->dims.size()) return false;
  for (std::size_t i = 0; i < a->dims.size(); ++i) {
    if (!conform(a->dims[i], b->dims[i])) return false;
  }
  return true;
}

Type widen(const Type& a, const Type& b, DType dtype) {
  std::vector<Dim> dims = a->dims;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] != b->dims[i]) dims[i] = Dim{};
  }
  return tensor(dtype, std::move(dims));
}

// A type that is a part of itself would be infinite.
bool occurs(const Type& variable, const Type& type) {
  const Type t = resolve(type);
  return t == variable || std::any_of(t->elements.begin(), t->elements.end(), [&](const Type& e) { return occurs(variable, e); });
}

}  // namespace

void Inference::bind(const Type& variable, Type type) {
  const Type free = resolve(variable);
  if (free != resolve(type)) free->bound = std::move(type);
}

Type Inference::join(const Type& left, const Type& right) {
  const Type a = resolve(left), b = resolve(right);
  if (a == b || a->kind == TypeKind::never) return b;
  if (b->kind == TypeKind::never) return a;
  if (a->kind == TypeKind::variable) return occurs(a, b) ? nullptr : (bind(a, b), b);
  if (b->kind == TypeKind::variable) return occurs(b, a) ? nullptr : (bind(b, a), a);
  if (is_numeric(a) && is_numeric(b)) {
    if (a->kind == TypeKind::scalar && b->kind == TypeKind::scalar) return scalar(promote(a, b));
    if (a->dims.size() != b->dims.size()) return nullptr;
    return widen(a, b, promote(a, b));
  }
  if (a->kind == TypeKind::none && b->kind == TypeKind::structure) return optional_of(b);
  if (b->kind == TypeKind::none && a->kind == TypeKind::structure) return optional_of(a);
  if (a->kind == TypeKind::none && b->kind == TypeKind::optional) return b;
  if (b->kind == TypeKind::none && a->kind == TypeKind::optional) return a;
  if (a->kind == TypeKind::optional || b->kind == TypeKind::optional) {
    const Type inner = join(a->kind == TypeKind::optional ? a->elements[0] : a,
                            b->kind == TypeKind::optional ? b->elements[0] : b);
    return inner ? optional_of(inner) : nullptr;
  }
  if (a->kind != b->kind || a->elements.size() != b->elements.size() || a->name != b->name) return nullptr;
  if (a->kind == TypeKind::list || a->kind == TypeKind::dataset) {
    const Type ea = resolve(a->elements[0]), eb = resolve(b->elements[0]);
    if (ea->kind == TypeKind::variable || eb->kind == TypeKind::variable) join(ea, eb);
    return same_type(a, b) ? a : nullptr;
  }
  if (a->kind == TypeKind::tuple) {
    std::vector<Type> elements;
    for (std::size_t i = 0; i < a->elements.size(); ++i) {
      elements.push_back(join(a->elements[i], b->elements[i]));
      if (!elements.back()) return nullptr;
    }
    return tuple_of(std::move(elements), a->labels.empty() ? b->labels : a->labels);
  }
  return a;
}

bool Inference::accepts(const Type& target, const Type& source) {
  const Type to = resolve(target), from = resolve(source);
  if (to == from || from->kind == TypeKind::never) return true;
  if (to->kind == TypeKind::variable) return !occurs(to, from) && (bind(to, from), true);
  if (from->kind == TypeKind::variable) return !occurs(from, to) && (bind(from, to), true);
  if (to->kind == TypeKind::tensor && is_numeric(from)) {
    return same_rank_and_conforming(to, from) &&
           (from->kind == TypeKind::scalar || promote(to, from) == to->dtype);
  }
  if (to->kind == TypeKind::scalar && is_numeric(from)) {
    return from->dims.empty() && (from->kind == TypeKind::scalar ? promote(to, from) == to->dtype : from->dtype == to->dtype);
  }
  if (to->kind == TypeKind::optional) {
    return from->kind == TypeKind::none ||
           accepts(to->elements[0], from->kind == TypeKind::optional ? from->elements[0] : from);
  }
  if (to->kind == TypeKind::structure && from->kind == TypeKind::optional) return accepts(to, from->elements[0]);
  if (to->kind != from->kind || to->name != from->name || to->elements.size() != from->elements.size()) return false;
  for (std::size_t i = 0; i < to->elements.size(); ++i) {
    if (is(to, TypeKind::tuple) ? !accepts(to->elements[i], from->elements[i])
                                : !(join(to->elements[i], from->elements[i]) && same_type(to->elements[i], from->elements[i]))) {
      return false;
    }
  }
  return true;
}

ir::Structure& Inference::invent_structure(const std::string& hint) {
  std::string name = hint.empty() ? "Structure" : hint;
  name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  std::string unique = name;
  for (int i = 2; program_.structure(unique); ++i) unique = fmt::format("{}_{}", name, i);
  invented_.push_back(unique);
  return program_.structures.emplace_back(ir::Structure{unique, {}});
}

Type Inference::field(const Type& object, const std::string& name, const std::string& hint) {
  Type type = resolve(object);
  if (type->kind == TypeKind::optional) type = resolve(type->elements[0]);
  if (type->kind == TypeKind::variable) {
    bind(type, structure(invent_structure(hint).name));
    type = resolve(type);
  }
  if (type->kind != TypeKind::structure) return nullptr;
  ir::Structure* known = program_.structure(type->name);
  if (!known) return nullptr;
  if (const Type found = known->field(name)) return found;
  if (std::find(invented_.begin(), invented_.end(), type->name) == invented_.end()) return nullptr;
  known->fields.emplace_back(name, type_variable());
  return known->fields.back().second;
}

void Inference::settle() {
  const auto settle_one = [](const Type& type) {
    Type free = resolve(type);
    while ((free->kind == TypeKind::optional || free->kind == TypeKind::list) && !free->elements.empty()) {
      free = resolve(free->elements[0]);
    }
    if (free->kind == TypeKind::variable) bind(free, scalar(DType::f64));
  };
  for (auto& variable : program_.variables) settle_one(variable.type);
  for (auto& known : program_.structures) {
    for (auto& [name, type] : known.fields) settle_one(type);
  }
  for (auto& function : program_.functions) {
    for (const auto& type : function.results) settle_one(type);
  }
}

bool is_list_of_tuples(const Type& type) {
  if (!is(type, TypeKind::list)) return false;
  const Type element = resolve(type)->elements[0];
  return is(element, TypeKind::tuple) || is_list_of_tuples(element);
}

std::vector<Type> leaves(const Type& given) {
  const Type type = resolve(given);
  std::vector<Type> all;
  if (is_list_of_tuples(type)) {
    for (const auto& leaf : leaves(type->elements[0])) {
      for (const auto& column : leaves(list_of(leaf))) all.push_back(column);
    }
    return all;
  }
  if (type->kind != TypeKind::tuple) return {type};
  for (const auto& element : type->elements) {
    for (auto& leaf : leaves(element)) all.push_back(std::move(leaf));
  }
  return all;
}

std::vector<std::string> names_of_parts(const std::string& name, const Type& type) {
  const std::string without = ir::is_made_up(name) ? name : ir::without_number(name);
  const auto names = leaf_names(without, type);
  return names.size() == 1 && names[0] == without ? std::vector{name} : names;
}

std::vector<std::string> leaf_names(const std::string& name, const Type& given) {
  Type type = resolve(given);
  while (is_list_of_tuples(type)) type = resolve(type->elements[0]);
  if (type->kind != TypeKind::tuple) return {name};
  std::vector<std::string> all;
  for (std::size_t i = 0; i < type->elements.size(); ++i) {
    if (!type->labels.empty() && !ir::is_made_up(name)) {
      for (auto& leaf : leaf_names(fmt::format("{}_{}", name, type->labels[i]), type->elements[i])) all.push_back(std::move(leaf));
    } else {
      for (std::size_t k = leaves(type->elements[i]).size(); k > 0; --k) all.push_back(fmt::format("{}_{}", name, all.size()));
    }
  }
  return all.size() == 1 ? std::vector{name} : all;
}

}  // namespace lantern
