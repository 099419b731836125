#pragma once

#include <fmt/format.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lantern/operators.h"
#include "sexpr/datum.h"
#include "support/diagnostic.h"

/// The derivative rules of the operator table as data, `(* y_adj b)`, and what they become over some kind of value.
namespace lantern {

/// The names of a row's operands; a last "*" stands for any number more.
std::vector<std::string> operand_names(const Operator& op);

/// The row's name for its operand number `position`.
std::string_view operand_name(const Operator& op, std::size_t position);

/// An expression of the table, read once.
const sexpr::Datum& parsed_rule(std::string_view expression);

/// The value of a rule's expression. `names`: what its names stand for; `literal` makes a value of a number, `apply` one of
/// an operator's name and its operands' values.
template <class Value, class Literal, class Apply>
Value instantiate(const sexpr::Datum& datum, const std::map<std::string, Value, std::less<>>& names, const Literal& literal, const Apply& apply) {
  using sexpr::Kind;
  if (datum.is(Kind::integer)) return literal(datum.integer());
  if (datum.is(Kind::floating)) return literal(datum.number());
  if (datum.is_symbol()) {
    const auto found = names.find(datum.text());
    if (found == names.end()) bug("derivative rules", fmt::format("the table speaks of '{}'", datum.text()));
    return found->second;
  }
  std::vector<Value> operands;
  for (const auto* element : datum.elements().subspan(1)) operands.push_back(instantiate(*element, names, literal, apply));
  return apply(datum.head(), std::move(operands));
}

}  // namespace lantern
