// Applications of the table's operators. A tuple is as many variables as it has leaves, and so is a list of tuples: what
// is done to such a list is done to each of its columns.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "lantern/elaborate.h"
#include "lantern/elaborate_context.h"
#include "support/nearest.h"

namespace lantern {

using ir::Block;
using ir::Operand;
using sexpr::Datum;
using sexpr::Kind;

namespace {

bool is_word(const std::string& text, const std::string& besides) {
  const auto fits = [&](char c) { return (static_cast<unsigned char>(c) < 128 && std::isalnum(static_cast<unsigned char>(c))) || besides.find(c) != std::string::npos; };
  return !text.empty() && std::all_of(text.begin(), text.end(), fits);
}

/// Each part of the text between separators is as it should be.
template <class Fits>
bool is_joined(const std::string& text, const std::string& separator, Fits fits) {
  for (std::size_t begin = 0;;) {
    const auto end = text.find(separator, begin);
    if (!fits(text.substr(begin, end - begin))) return false;
    if (end == std::string::npos) return true;
    begin = end + separator.size();
  }
}

}  // namespace

Value Elaborator::operation(const Datum& datum, Block& block) {
  const std::string name = text_of(datum[0]);
  const auto rows = operators_named(name);
  if (rows.empty() || rows[0]->internal) {
    fail("LT0236", fmt::format("there is no operator or function '{}'", name), did_you_mean(name, names_of_functions()));
  }
  Attributes attributes;
  std::size_t first = 1;
  if (rows[0]->leading != Leading::nothing) {
    if (datum.size() < 2) need_size(datum, 2, 2, fmt::format("({} …)", name));
    const Datum& leading = datum[1];
    first = 2;
    switch (rows[0]->leading) {
      case Leading::dtype:
        attributes.dtype = dtype_named(leading.text());
        if (!attributes.dtype) fail("LT0401", fmt::format("'{}' takes a dtype first: bool, i32, i64, f32 or f64", name));
        break;
      case Leading::structure:
        attributes.name = text_of(leading);
        if (!program_.structure(attributes.name)) fail("LT0235", fmt::format("there is no structure '{}'", attributes.name));
        check_tree(*program_.structure(attributes.name));
        break;
      case Leading::text:
        if (!leading.is(Kind::string)) fail("LT0403", fmt::format("'{}' takes a text first, written out", name));
        attributes.text = text_of(leading);
        break;
      case Leading::type: attributes.type = read_known_type(program_, leading); break;
      case Leading::nothing: break;
    }
  }
  std::vector<Value> values;
  const std::size_t begin = block.bindings.size();
  bool by_columns = name == "empty" && is_list_of_tuples(list_of(attributes.type));
  for (const Datum* element : datum.elements().subspan(first)) {
    if (element->is(Kind::keyword)) fail("LT0413", fmt::format("'{}' takes no :{}", name, element->text()));
    values.push_back(operand_value(*element, block));
    by_columns = by_columns || is_list_of_tuples(values.back().type);
  }
  if (by_columns && !rows[0]->by_parts) {
    const Value result = columns_operation(name, values, attributes, block);
    const auto is_same = [](const Operand& a, const Operand& b) { return a.variable == b.variable; };
    const bool is_written = name == "write" && !std::ranges::equal(result.parts, values[0].parts, is_same);  // else what is read looks for the place
    if (is_written) leave_out_reads(block, begin, values[2].parts);
    return result;
  }
  std::vector<Operand> operands;
  for (const auto& value : values) {
    if (rows[0]->by_parts) operands.insert(operands.end(), value.parts.begin(), value.parts.end());
    else operands.push_back(only_part(value));
  }
  if (name == "extern") check_foreign_name(operands);
  return operate(name, std::move(operands), std::move(attributes), block);
}

// `(list f64 x y)`: (append (append (empty f64) x) y).
Value Elaborator::list(const Datum& datum, Block& block) {
  if (datum.size() < 2) need_size(datum, 2, 2, "(list TYPE EXPR…)");
  const Type element = read_known_type(program_, datum[1]);
  const bool by_columns = is_list_of_tuples(list_of(element));
  const std::string binding = std::exchange(context_->binding, {});
  const auto apply = [&](const char* name, const std::vector<Value>& values, Attributes attributes, bool is_last) {
    if (is_last) context_->binding = binding;
    if (by_columns) return columns_operation(name, values, attributes, block);
    std::vector<Operand> operands;
    for (const auto& value : values) operands.push_back(only_part(value));
    return operate(name, std::move(operands), std::move(attributes), block);
  };
  Value list = apply("empty", {}, {.type = element}, datum.size() == 2);
  for (std::size_t i = 2; i < datum.size(); ++i) {
    const Value value = operand_value(datum[i], block);
    list = apply("append", {list, value}, {}, i + 1 == datum.size());
  }
  return list;
}

// What a treebank's nodes are read into.
void Elaborator::check_tree(const ir::Structure& tree) {
  const auto is_child = [&](const Type& type) {
    return type && is(type, TypeKind::optional) && same_type(resolve(type)->elements[0], structure(tree.name));
  };
  const auto is_number = [](const Type& type) { return type && same_type(type, scalar(DType::i64)); };
  if (tree.fields.size() == 4 && is_number(tree.field("label")) && is_number(tree.field("word")) && is_child(tree.field("left")) && is_child(tree.field("right"))) return;
  fail("LT0403", fmt::format("'read-treebank' cannot read nodes into '{}'", tree.name),
       fmt::format("its fields are (label i64) (word i64) (left (optional {})) (right (optional {}))", tree.name, tree.name));
}

// A name and a header go into the C++ as they stand, and a program may come from a stranger.
void Elaborator::check_foreign_name(const std::vector<Operand>& operands) {
  const auto text_at = [&](std::size_t i) { return i < operands.size() && !operands[i].variable ? std::get_if<std::string>(&operands[i].literal) : nullptr; };
  const auto *name = text_at(0), *header = text_at(1);
  if (!name || !header) fail("LT0511", "'extern' takes the name of a function and its header as literals");
  const auto is_name = [](const std::string& part) { return is_word(part, "_") && !std::isdigit(static_cast<unsigned char>(part[0])); };
  if (!is_joined(*name, "::", is_name)) fail("LT0511", fmt::format("'{}' is no name of a function in C++", *name), "write name, or space::name");
  if (!is_joined(*header, "/", [](const std::string& part) { return is_word(part, "_.+-"); })) {
    fail("LT0511", fmt::format("'{}' is no name of a header", *header), "letters, digits and _ . + - make one, and / stands between folders");
  }
}

namespace {

/// Whether an operand is what an operator puts into a list.
bool is_put_in(const std::string& name, std::size_t i) { return (name == "append" && i == 1) || ((name == "write" || name == "insert") && i == 2); }

/// Whether a value has the tuples and lists within each other that are wanted.
bool nest_alike(const Type& given, const Type& wanted) {
  const Type a = resolve(given), b = resolve(wanted);
  const bool alike = is(b, TypeKind::tuple) ? is(a, TypeKind::tuple) && a->elements.size() == b->elements.size() : is(b, TypeKind::list) ? is(a, TypeKind::list) : true;
  if (!alike || is(b, TypeKind::tuple) || is(b, TypeKind::list)) {
    return alike && std::equal(a->elements.begin(), a->elements.end(), b->elements.begin(), nest_alike);
  }
  return !is(a, TypeKind::tuple) && !is(a, TypeKind::list);
}

}  // namespace

// `(append l (tuple a b))`, where l is a list of tuples: an append to each of its columns.
Value Elaborator::columns_operation(const std::string& name, const std::vector<Value>& values, const Attributes& attributes, Block& block) {
  static const std::set<std::string> known = {"empty", "append", "write", "pop", "remove", "insert", "slice", "strided", "concat", "index", "length"};
  const Type list = values.empty() ? list_of(attributes.type) : resolve(values[0].type);
  if (!known.contains(name) || !is_list_of_tuples(list)) fail("LT0403", fmt::format("'{}' takes no list of tuples", name));
  const auto columns = leaves(list);
  if (columns.empty()) fail("LT0403", "a list's elements have a value: (tuple) has none");
  const std::string binding = std::exchange(context_->binding, {});
  const Type element = list->elements[0];
  const auto names = names_of_parts(binding, list);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool of_columns = i == 0 || name == "concat" || is_put_in(name, i);
    const bool fits = of_columns ? nest_alike(values[i].type, is_put_in(name, i) ? element : list) : values[i].parts.size() == 1;
    if (fits) continue;
    fail("LT0403", of_columns ? fmt::format("'{}' cannot put {} into {}", name, to_string(values[i].type), to_string(list))
                              : fmt::format("'{}' of {} takes a number, not {}", name, to_string(list), to_string(values[i].type)));
  }
  Value result{.type = name == "index" ? element : name == "length" ? scalar(DType::i64) : list, .parts = {}};
  for (std::size_t k = 0; k < (name == "length" ? 1 : columns.size()); ++k) {
    std::vector<Operand> operands;
    for (const auto& value : values) operands.push_back(value.parts[value.parts.size() == 1 ? 0 : k]);
    const bool reads = name == "index" && operands.size() == 2;
    Attributes own = attributes;
    if (own.type) own.type = resolve(columns[k])->elements[0];
    context_->binding = binding.empty() ? "" : names[k];
    if (name == "write" && operands.size() == 3 && stands_there(operands)) {  // `(write l i (tuple (get (index l i) 0) x))`: x alone is put there
      result.parts.push_back(operands[0]);
      continue;
    }
    const auto read = reads ? std::pair(operands[0], operands[1]) : std::pair<Operand, Operand>();
    const Value column = operate(name, std::move(operands), std::move(own), block);
    if (reads) {
      context_->provisional.insert(column.parts[0].variable);
      context_->read_from[column.parts[0].variable] = read;
    }
    result.parts.insert(result.parts.end(), column.parts.begin(), column.parts.end());
  }
  context_->binding.clear();
  return result;
}

// Whether a column has been read at the place where what was read is to be put.
bool Elaborator::stands_there(const std::vector<Operand>& write) const {
  const auto is_same = [](const Operand& a, const Operand& b) {
    const auto *number = std::get_if<std::int64_t>(&a.literal), *other = std::get_if<std::int64_t>(&b.literal);
    return a.variable || b.variable ? a.variable == b.variable : number && other && *number == *other;
  };
  const auto found = context_->read_from.find(write[2].variable);
  return found != context_->read_from.end() && is_same(found->second.first, write[0]) && is_same(found->second.second, write[1]);
}

// Of what has been read here of a list of tuples, column by column, that which nothing is made of: `(get (index l i) 0)` reads one column.
void Elaborator::leave_out_reads(Block& block, std::size_t begin, const std::vector<Operand>& parts) {
  std::set<const ir::Variable*> unread;
  for (const auto& part : parts) {
    if (part.variable && context_->read_from.contains(part.variable)) unread.insert(part.variable);
  }
  for (std::size_t i = begin; i < block.bindings.size(); ++i) {
    const ir::Node& node = block.bindings[i].node;
    for (const auto* operand : ir::operands_of(node)) unread.erase(operand->variable);
    ir::for_each_block(node, [&](const Block& nested) { ir::for_each_operand(const_cast<Block&>(nested), [&](const Operand& operand) { unread.erase(operand.variable); }); });
  }
  const auto is_unread = [&](const ir::Binding& binding) { return binding.results.size() == 1 && unread.contains(binding.results[0]); };
  block.bindings.erase(std::remove_if(block.bindings.begin() + static_cast<std::ptrdiff_t>(begin), block.bindings.end(), is_unread), block.bindings.end());
}

Value Elaborator::operate(const std::string& name, std::vector<Operand> operands, Attributes attributes, Block& block) {
  const auto rows = operators_named(name);
  std::vector<Type> types;
  std::vector<std::optional<std::int64_t>> literals;
  for (auto& operand : operands) {
    if (is(operand.type, TypeKind::variable)) {
      const bool logical = name == "not" || name == "and" || name == "or";
      Inference::bind(operand.type, scalar(logical ? DType::boolean : DType::f64));
    }
    types.push_back(operand.type);
    const auto* integer = operand.variable ? nullptr : std::get_if<std::int64_t>(&operand.literal);
    literals.push_back(integer ? std::optional(*integer) : std::nullopt);
  }
  try {
    check_operand_count(rows, operands.size());
    const Operator* row = select_operator(name, types);
    const Type type = (row ? row : rows[0])->rule({types, literals, attributes});
    if (!row) throw TypeMismatch{"takes no operands of these ranks", {}};
    if (name == "not" && operands[0].variable) {
      const Value value = bind(block, ir::Operate{row, operands, attributes}, leaves(type), type);
      const auto test = context_->names.find(Context::test_key(operands[0].variable));
      if (test != context_->names.end()) {
        Value swapped = test->second;
        swapped.never = !swapped.never;  // polarity: true if the condition means "present"
        context_->set(Context::test_key(value.parts[0].variable), swapped);
      }
      return value;
    }
    return bind(block, ir::Operate{row, std::move(operands), std::move(attributes)}, leaves(type), type);
  } catch (const TypeMismatch& mismatch) {
    std::string message = fmt::format("'{}' {}", name, mismatch.message);
    std::string named;
    for (const auto& operand : operands) {
      if (operand.variable && !context_->provisional.contains(operand.variable)) {
        named += fmt::format("{}'{}' is {}", named.empty() ? "" : ", ", operand.variable->name, to_string(operand.type));
      }
    }
    fail("LT0403", named.empty() ? message : fmt::format("{} ({})", message, named), mismatch.hint);
  }
}

}  // namespace lantern
