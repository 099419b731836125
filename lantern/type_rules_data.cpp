// The rules of lists, data sets and text, and of what has no value.
#include <fmt/format.h>

#include "lantern/operands.h"
#include "lantern/inference.h"
#include "lantern/type_rules.h"

namespace lantern::rules {

Type length(const Application& call) {
  const Type a = resolve(call.operands[0]);
  const bool has_length = a->kind == TypeKind::list || a->kind == TypeKind::dataset || a->kind == TypeKind::string ||
                          (a->kind == TypeKind::tensor && !a->dims.empty());
  if (!has_length) mismatch(fmt::format("{} has no length", to_string(a)));
  return scalar(DType::i64);
}

Type rounded_number(const Application& call) {
  const Type number = need_numeric(call.operands[0]), digits = need_numeric(call.operands[1]);
  if (is_array(number) || number->dtype != DType::f64) mismatch(fmt::format("needs an f64 as its operand, not {}", to_string(number)), "cast it to f64");
  if (is_array(digits) || is_floating(digits->dtype)) mismatch(fmt::format("needs a whole number of digits, not {}", to_string(digits)));
  return scalar(DType::f64);
}

Type of_whole_numbers(const Application& call) {
  for (const auto& operand : call.operands) need_index(operand, "its operand");
  return scalar(DType::i64);
}


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

Type like_list(const Application& call) { return need_list(call.operands[1]); }

Type place(const Application&) { return scalar(DType::i64); }

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

Type weights_file(const Application& call) {
  if (!is(call.operands[0], TypeKind::string)) mismatch("needs a path, a string, as its first operand");
  if (call.operands.size() > 1) {
    const Type words = resolve(call.operands[1]);
    if (words->kind != TypeKind::list || !is(words->elements[0], TypeKind::string)) {
      mismatch("needs words, (list string), as its second operand");
    }
  }
  return tuple_of({});
}

Type array_file(const Application& call) {
  const Type array = call.attributes.type;
  if (!is(array, TypeKind::tensor) || rank(array) == 0) mismatch(fmt::format("reads an array, not {}", to_string(array)));
  for (const auto& operand : call.operands) {
    if (!is(operand, TypeKind::string)) mismatch(fmt::format("needs text as its operand, not {}", to_string(operand)));
  }
  return array;
}

Type table_file(const Application& call) {
  const Type table = call.attributes.type;
  if (!is(table, TypeKind::tensor) || rank(table) != 2 || resolve(table)->dtype == DType::boolean) {
    mismatch(fmt::format("reads a matrix of numbers, not {}", to_string(table)));
  }
  if (!is(call.operands[0], TypeKind::string)) mismatch("needs a path, a string, as its first operand");
  if (!is_scalar(call.operands[1], DType::boolean)) mismatch("needs bool as its second operand");
  return table;
}

Type word_vectors(const Application& call) {
  if (!is(call.operands[0], TypeKind::string)) mismatch("needs a path, a string, as its first operand");
  const Type words = resolve(call.operands[1]);
  if (words->kind != TypeKind::list || !is(words->elements[0], TypeKind::string)) mismatch("needs words, (list string), as its second operand");
  const Type table = need_tensor(call.operands[2], 2, 2, "its table");
  if (!is_floating(table)) mismatch(fmt::format("needs a table of floats, not {}", to_string(table)));
  return table;
}

Type checkpoint(const Application& call) {
  if (!is(call.operands[0], TypeKind::string)) mismatch("needs a path, a string, as its first operand");
  for (std::size_t i = 1; i < call.operands.size(); ++i) {
    if (!is(call.operands[i], TypeKind::tensor)) mismatch(fmt::format("keeps parameters and states, not {}", to_string(call.operands[i])));
  }
  return tuple_of({});
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

namespace {

void need_string(const Type& type) {
  if (type->kind != TypeKind::string) mismatch(fmt::format("expected string, got {}", to_string(type)));
}

}  // namespace

Type laid_out_text(const Application& call) {
  need_string(resolve(call.operands[1]));
  return text(call);
}

Type quoted_text(const Application& call) {
  need_string(resolve(call.operands[0]));
  return string_type();
}

namespace {

/// Operand `first` and those behind it, `count` of them, are lists of what keys consist of.
void need_lists_of_parts(const Application& call, std::size_t first, std::size_t count) {
  if (count == 0) mismatch("needs keys: a list");
  for (std::size_t i = first; i < first + count; ++i) {
    const Type list = resolve(call.operands[i]);
    const Type part = list->kind == TypeKind::list ? resolve(list->elements[0]) : nullptr;
    const bool can_be = part && (part->kind == TypeKind::string || is_scalar(part, DType::i64) || is_scalar(part, DType::f64) || is_scalar(part, DType::boolean));
    if (!can_be) mismatch(fmt::format("needs lists of numbers, bools, texts, or tuples of these as keys, not {}", to_string(list)));
  }
}

void need_numbers(const Type& list, const char* what) {
  if (!same_type(list, list_of(scalar(DType::i64)))) mismatch(fmt::format("needs {}, (list i64), not {}", what, to_string(list)));
}

}  // namespace

Type number_as_key(const Application& call) {
  if (!same_type(call.operands[0], scalar(DType::f64))) mismatch(fmt::format("needs a number, f64, that is to be a key, not {}", to_string(call.operands[0])));
  return call.operands[0];
}

Type place_of_key(const Application& call) {
  const std::size_t parts = (call.operands.size() - 1) / 2;
  need_numbers(call.operands[0], "slots");
  need_lists_of_parts(call, 1, parts);
  for (std::size_t i = 1; i <= parts; ++i) {
    const Type part = resolve(call.operands[i])->elements[0];
    if (call.operands.size() % 2 == 0 || !same_type(call.operands[parts + i], part)) mismatch("looks for a key that is no element of the list of keys");
  }
  return scalar(DType::i64);
}

Type slots_with_key(const Application& call) {
  need_numbers(call.operands[0], "slots");
  need_lists_of_parts(call, 1, call.operands.size() - 1);
  return list_of(scalar(DType::i64));
}

Type slots_of_keys(const Application& call) {
  need_index(call.operands[0], "how many they are");
  need_numbers(call.operands[1], "numbers of keys");
  need_lists_of_parts(call, 2, call.operands.size() - 2);
  return list_of(scalar(DType::i64));
}

namespace {

/// Texts, and behind the first `count` of them whole numbers.
void need_texts(const Application& call, std::size_t count) {
  for (std::size_t i = 0; i < call.operands.size(); ++i) {
    if (i < count) need_string(resolve(call.operands[i]));
    else need_index(call.operands[i], "a place, or how many they are,");
  }
}

}  // namespace

Type changed_text(const Application& call) {
  need_texts(call, 3);
  return string_type();
}

Type text_at_places(const Application& call) {
  need_texts(call, 1);
  return string_type();
}

Type parts_of_text(const Application& call) {
  need_texts(call, std::max<std::size_t>(call.operands.size(), 2) - 1);
  return list_of(string_type());
}

Type lines_of_text(const Application& call) {
  need_string(resolve(call.operands[0]));
  if (!is_scalar(call.operands[1], DType::boolean)) mismatch("needs bool: whether lines keep what ends them");
  return list_of(string_type());
}

Type number_of_texts(const Application& call) {
  need_texts(call, 2);
  return scalar(DType::i64);
}

Type question_of_texts(const Application& call) {
  need_texts(call, 2);
  return scalar(DType::boolean);
}

Type question_of_numbers(const Application& call) {
  need_texts(call, 1);
  return scalar(DType::boolean);
}

Type parsed_int(const Application& call) {
  need_texts(call, 1);
  return scalar(DType::i64);
}

Type parsed_float(const Application& call) {
  need_texts(call, 1);
  return scalar(DType::f64);
}

Type text_of_code(const Application& call) {
  need_index(call.operands[0], "its code");
  return string_type();
}

namespace {

bool passes(const Type& given) {
  const Type type = resolve(given);
  return type->kind == TypeKind::string || is_numeric(type);
}

}  // namespace

// Sizes are the function's affair: what it gives has whatever size it has.
Type foreign_call(const Application& call) {
  for (std::size_t i = 0; i < 2; ++i) {
    if (!is(call.operands[i], TypeKind::string)) mismatch("takes the function's name and its header first, strings");
  }
  for (const auto& operand : call.operands) {
    if (!passes(operand)) mismatch(fmt::format("cannot pass {}", to_string(operand)), "pass numbers, strings and arrays");
  }
  std::vector<Type> given;
  for (const auto& part : leaves(call.attributes.type)) {
    if (!is_numeric(part)) mismatch(fmt::format("cannot give {}", to_string(part)), "numbers, arrays and tuples of them can be given");
    const bool array = rank(part) > 0;
    given.push_back(array ? tensor(resolve(part)->dtype, std::vector<Dim>(static_cast<std::size_t>(rank(part)))) : resolve(part));
  }
  if (given.empty()) mismatch("cannot give nothing", "numbers, arrays and tuples of them can be given");
  return is(call.attributes.type, TypeKind::tuple) ? tuple_of(std::move(given)) : given[0];
}

Type host_call(const Application& call) {
  if (!is(call.operands[0], TypeKind::string)) mismatch("takes the function's name first, a string");
  for (const auto& operand : call.operands) {
    if (!passes(operand)) mismatch(fmt::format("cannot pass {}", to_string(operand)), "pass numbers, strings and arrays");
  }
  if (!passes(call.attributes.type)) mismatch(fmt::format("cannot give {}", to_string(call.attributes.type)), "numbers, strings and arrays can be given");
  return call.attributes.type;
}

}  // namespace lantern::rules
