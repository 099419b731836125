// Before:  a = matmul(wz, x)          After:  both = concat(x, h)
//          b = matmul(uz, h)                  y = matmul(wz_to_ur, both) + bz_to_br        wz_to_ur:  wz uz    bz_to_br:  bz
//          z = sigmoid(a + b + bz)            of_wz = slice(y, 0, n)                                  wr ur               br
//          c = matmul(wr, x)                  z = sigmoid(of_wz)
//          d = matmul(ur, h)                  of_wr = slice(y, n, 2 n)
//          r = sigmoid(c + d + br)            r = sigmoid(of_wr)
#include "lantern/joined_products.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "lantern/product_sums.h"

namespace lantern {

using namespace ir;

namespace {

/// Fewer elements in all do not take long.
constexpr std::int64_t least_elements = 4096;

/// What results have in common that become one product.
struct Shared {
  std::vector<const Variable*> vectors;
  bool weight_first;
  std::set<int> gradients;  // that are asked for those weights
  friend auto operator<=>(const Shared&, const Shared&) = default;
};

Operand integer(std::int64_t value) { return {.literal = value, .type = scalar(DType::i64)}; }

/// The products of one block.
class Joining {
 public:
  Joining(Program& program, const Weights& weights, const std::map<const Variable*, std::int64_t>& reads, std::set<std::string>& names, Block& block)
      : program_(program), weights_(weights), products_(block, weights, reads), names_(names), block_(block), added_(block.bindings.size() + 1) {}

  bool run() {
    if (products_.by_result().size() < 2) return false;
    std::map<Shared, std::vector<ProductSum>> groups, alone;
    std::map<std::size_t, ProductSum> sums_of_one;
    for (auto& sum : products_.sums()) {
      if (sum.products.size() > 1) groups[shared_of(sum)].push_back(std::move(sum));
      else sums_of_one[sum.at()] = std::move(sum);
    }
    std::erase_if(groups, [&](const auto& group) { return !joins(group.second); });
    std::set<std::size_t> joined;
    for (const auto& [shared, results] : groups) {
      for (const auto& result : results)
        for (const auto& product : result.products) joined.insert(product.at);
    }
    for (const auto& [result, product] : products_.by_result()) {
      if (joined.contains(product.at)) continue;
      const auto sum = sums_of_one.find(product.at);
      alone[shared_of({{product}})].push_back(sum == sums_of_one.end() ? ProductSum{{product}} : std::move(sum->second));
    }
    std::erase_if(alone, [&](const auto& group) { return !joins(group.second); });
    groups.merge(alone);
    std::map<std::size_t, std::vector<ProductSum>> in_order;
    for (auto& [shared, results] : groups) {
      std::ranges::sort(results, {}, &ProductSum::at);
      const std::size_t first = results[0].at();
      in_order[first] = std::move(results);
    }
    for (const auto& [first, results] : in_order) join(results);
    if (!in_order.empty()) write();
    return !in_order.empty();
  }

 private:
  Shared shared_of(const ProductSum& result) const {
    Shared shared{{}, result.products[0].weight_first, weights_.gradients_of(result.products[0].weight)};
    for (const auto& product : result.products) shared.vectors.push_back(product.vector);
    return shared;
  }

  // --- the product of all ---

  /// Where it can be made: behind the first of its products, and what makes their vectors.
  std::size_t place_of(const std::vector<ProductSum>& results) const {
    std::size_t place = block_.bindings.size();
    for (const auto& result : results)
      for (const auto& product : result.products) place = std::min(place, product.at);
    for (const auto& product : results[0].products) {
      if (const auto made = products_.made_at(product.vector)) place = std::max(place, *made + 1);
    }
    return place;
  }

  bool joins(const std::vector<ProductSum>& results) const {
    if (results.size() < 2) return false;
    std::int64_t elements = 0;
    std::size_t last = 0;
    for (const auto& result : results) {
      last = std::max(last, result.sum.value_or(0));
      for (const auto& product : result.products) {
        elements += product.size() * product.length();
        last = std::max(last, product.at);
      }
    }
    for (std::size_t i = place_of(results); i < last; ++i) {
      if (weights_.may_change_model(block_.bindings[i])) return false;
    }
    return elements >= least_elements;
  }

  void join(const std::vector<ProductSum>& results) {
    const Product& first = results[0].products[0];
    const Location& location = block_.bindings[first.at].location;
    std::vector<Binding>& added = added_[place_of(results)];
    const DType dtype = resolve(first.weight->type)->dtype;
    Operand vectors = read(first.vector);
    if (const auto& all = results[0].products; all.size() > 1) {
      std::vector<Operand> parts;
      for (const auto& product : all) parts.push_back(read(product.vector));
      vectors = result_of(added, "concat", std::move(parts), tensor(dtype, {{columns_of(results)}}), location);
    }
    std::int64_t size = 0;
    for (const auto& result : results) size += result.products[0].size();
    const Operand matrix = read(block_matrix(results));
    const Type type = tensor(dtype, {{size}});
    Operand all = result_of(added, "matmul", first.weight_first ? std::vector{matrix, vectors} : std::vector{vectors, matrix}, type, location);
    const bool has_biases = std::ranges::all_of(results, [](const ProductSum& result) { return result.bias != nullptr; });
    if (has_biases) {
      std::vector<Variable*> biases;
      for (const auto& result : results) biases.push_back(result.bias);
      all = result_of(added, "+", {all, read(matrix_of(std::move(biases), 1, type))}, type, location);
    }
    std::int64_t begin = 0;
    for (const auto& result : results) {
      const std::int64_t end = begin + result.products[0].size();
      replace(result, {all, integer(begin), integer(end)}, has_biases);
      begin = end;
    }
  }

  static std::int64_t columns_of(const std::vector<ProductSum>& results) {
    std::int64_t columns = 0;
    for (const auto& product : results[0].products) columns += product.length();
    return columns;
  }

  /// The matrix whose blocks the weights are, of W x a row for each result, of x W a column.
  Variable* block_matrix(const std::vector<ProductSum>& results) {
    std::vector<Variable*> blocks;
    const std::size_t vectors = results[0].products.size();
    const bool weight_first = results[0].products[0].weight_first;
    if (weight_first) {
      for (const auto& result : results)
        for (const auto& product : result.products) blocks.push_back(product.weight);
    } else {
      for (std::size_t i = 0; i < vectors; ++i)
        for (const auto& result : results) blocks.push_back(result.products[i].weight);
    }
    std::int64_t size = 0;
    for (const auto& result : results) size += result.products[0].size();
    const std::int64_t length = columns_of(results);
    const auto dims = weight_first ? std::vector<Dim>{{size}, {length}} : std::vector<Dim>{{length}, {size}};
    return matrix_of(std::move(blocks), weight_first ? vectors : results.size(), tensor(resolve(blocks[0]->type)->dtype, dims));
  }
  Variable* matrix_of(std::vector<Variable*> blocks, std::size_t columns, const Type& type) {
    for (const auto& known : program_.block_matrices) {
      if (known.blocks == blocks && known.columns == columns) return known.variable;
    }
    auto* variable = program_.add_variable({.name = fmt::format("{}_to_{}", blocks.front()->name, blocks.back()->name), .type = type, .location = blocks[0]->location, .storage = Storage::parameter});
    program_.block_matrices.push_back({variable, std::move(blocks), columns});
    return variable;
  }

  Operand result_of(std::vector<Binding>& added, std::string_view op, std::vector<Operand> operands, const Type& type, const Location& location) {
    auto* variable = program_.add_variable({.name = temporary, .type = type, .location = location});
    added.push_back(operation_of({variable}, op, std::move(operands), location));
    return read(variable);
  }
  static Binding operation_of(std::vector<Variable*> results, std::string_view op, std::vector<Operand> operands, const Location& location) {
    std::vector<Type> types;
    for (const auto& operand : operands) types.push_back(operand.type);
    const Operator* row = select_operator(op, types);
    return {std::move(results), Operate{row, std::move(operands), {}}, location};
  }

  /// The result's products, its bias if that is added, and the sums in which they are, become a slice and the sum of that and the other terms.
  void replace(const ProductSum& result, std::vector<Operand> slice, bool has_bias) {
    const Product& only = result.products[0];
    if (result.products.size() == 1 && !has_bias) {
      replaced_[only.at].push_back(operation_of({named(only.result, only)}, "slice", std::move(slice), block_.bindings[only.at].location));
      return;
    }
    for (const auto& product : result.products) replaced_[product.at].clear();
    for (const std::size_t sum : result.inner) replaced_[sum].clear();
    const Binding& whole = block_.bindings[*result.sum];
    std::vector<Binding>& added = replaced_[*result.sum];
    std::vector<Operand> terms;
    std::optional<std::size_t> first;  // where the first product was
    const Variable* bias = has_bias ? result.bias : nullptr;
    for (const auto& term : result.terms) {
      const bool is_product = std::ranges::any_of(result.products, [&](const Product& product) { return product.result == term.variable; });
      if (is_product) {
        if (!first) first = terms.size(), terms.push_back(term);
      } else if (term.variable == bias) {
        bias = nullptr;  // once
      } else {
        terms.push_back(term);
      }
    }
    if (terms.size() == 1) {
      added.push_back(operation_of({named(whole.results[0], only)}, "slice", std::move(slice), whole.location));
      return;
    }
    const Type& type = whole.results[0]->type;
    terms[*first] = result_of(added, "slice", std::move(slice), type, whole.location);
    Operand sum = terms[0];
    for (std::size_t i = 1; i + 1 < terms.size(); ++i) sum = result_of(added, "+", {sum, terms[i]}, type, whole.location);
    added.push_back(operation_of(whole.results, "+", {sum, terms.back()}, whole.location));
  }

  /// A part of the product has a name: what is computed of it takes its place (overwritten_values.h).
  Variable* named(Variable* part, const Product& product) {
    if (!is_made_up(part->name)) return part;
    const std::string name = "of_" + product.weight->name;
    part->name = name;
    for (int i = 1; !names_.insert(part->name).second; ++i) part->name = fmt::format("{}_{}", name, i);
    return part;
  }

  void write() {
    std::vector<Binding> all;
    const auto append = [&](std::vector<Binding>& more) { std::ranges::move(more, std::back_inserter(all)); };
    for (std::size_t i = 0; i < block_.bindings.size(); ++i) {
      append(added_[i]);
      if (const auto found = replaced_.find(i); found != replaced_.end()) append(found->second);
      else all.push_back(std::move(block_.bindings[i]));
    }
    append(added_.back());
    block_.bindings = std::move(all);
  }

  Program& program_;
  const Weights& weights_;
  const BlockProducts products_;
  std::set<std::string>& names_;  // of the function's variables
  Block& block_;
  std::vector<std::vector<Binding>> added_;      // in front of each binding
  std::map<std::size_t, std::vector<Binding>> replaced_;
};

bool join_in(Program& program, const Weights& weights, const std::map<const Variable*, std::int64_t>& reads, std::set<std::string>& names, Block& block) {
  bool found = false;
  for (auto& binding : block.bindings) {
    for_each_block(binding.node, [&](const Block& nested) { found = join_in(program, weights, reads, names, const_cast<Block&>(nested)) || found; });
  }
  return Joining(program, weights, reads, names, block).run() || found;
}

}  // namespace

bool join_products(Program& program) {
  const Weights weights(program);
  bool found = false;
  for (auto& function : program.functions) {
    std::map<const Variable*, std::int64_t> reads;
    for_each_operand(function.body, [&](const Operand& operand) { ++reads[operand.variable]; });
    auto names = names_in(function);
    found = join_in(program, weights, reads, names, function.body) || found;
  }
  return found;
}

}  // namespace lantern
