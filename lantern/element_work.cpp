#include "lantern/element_work.h"

#include <algorithm>
#include <string_view>

namespace lantern {

namespace {

// Of a loop that reads an array and writes another, some ten operations take as long as its memory does.
constexpr int most_operations = 8, most_repeated = static_cast<int>(ElementWork::most_loops) - 1;
constexpr std::size_t most_arrays = 4;
constexpr int most_in_one_loop = 40;  // in one loop: what nobody would read, and takes long to compile

}  // namespace

void ElementWork::add(const ElementWork& other) {
  operations += other.operations;
  arrays.insert(other.arrays.begin(), other.arrays.end());
}

bool ElementWork::is_as_well_repeated(std::size_t loops) const {
  if (loops <= 1) return operations <= most_in_one_loop;
  return operations <= most_operations && arrays.size() <= most_arrays && static_cast<int>(loops - 1) * operations <= most_repeated;
}

bool is_cheap(const Operator& op) {
  constexpr std::string_view names[] = {"+", "-", "*", "neg", "abs", "square", "maximum", "minimum", "relu", "where"};
  return op.elementwise && std::ranges::find(names, op.name) != std::end(names);
}

bool goes_by_packets(const Operator& op) {
  constexpr std::string_view names[] = {"/", "sqrt", "exp", "log", "tanh", "sigmoid", "sin", "cos", "==", "!=", "<", "<=", ">", ">=", "not", "and", "or"};
  return is_cheap(op) || (op.elementwise && std::ranges::find(names, op.name) != std::end(names));
}

}  // namespace lantern
