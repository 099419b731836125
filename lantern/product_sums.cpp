#include "lantern/product_sums.h"

#include <algorithm>

namespace lantern {

using namespace ir;

namespace {

const Operate* operation(const Binding& binding, std::string_view name) {
  const auto* operate = std::get_if<Operate>(&binding.node);
  return operate && operate->op->name == name ? operate : nullptr;
}

bool does_more_itself(const Binding& binding) {
  const auto* operate = std::get_if<Operate>(&binding.node);
  return (operate && (operate->op->effect || operate->op->fails == Fails::outside)) || std::holds_alternative<Update>(binding.node) || std::holds_alternative<Initialize>(binding.node);
}

}  // namespace

Weights::Weights(const Program& program) : impure_(program, does_more) {
  for (const auto& function : program.functions) look_at(function.body);
}

void Weights::look_at(const Block& block) {
  for (const auto& binding : block.bindings) {
    if (const auto* gather = operation(binding, "gather")) read_by_rows_.insert(gather->operands[0].variable);
    if (const auto* gradient = std::get_if<ValueAndGrad>(&binding.node)) {
      ++gradient_count_;
      for (const auto* weight : gradient->wrt) gradients_[weight].insert(gradient_count_);
    }
    for_each_block(binding.node, [&](const Block& nested) { look_at(nested); });
  }
}

bool Weights::may_be_block(const Variable* variable) const {
  const Type type = resolve(variable->type);
  return variable->storage == Storage::parameter && is(type, TypeKind::tensor) && rank(type) == 2 && is_floating(type) && !read_by_rows_.contains(variable) &&
         std::ranges::all_of(type->dims, [](const Dim& dim) { return dim.known() && dim.size >= least_extent; });
}

std::set<int> Weights::gradients_of(const Variable* weight) const {
  const auto found = gradients_.find(weight);
  return found == gradients_.end() ? std::set<int>{} : found->second;
}

bool Weights::may_change_model(const Binding& binding) const {
  bool may = does_more_itself(binding);
  for (const auto* callee : callees_of(binding.node)) may = may || impure_.contains(*callee);
  for_each_block(binding.node, [&](const Block& nested) {
    may = may || std::ranges::any_of(nested.bindings, [&](const Binding& inner) { return may_change_model(inner); });
  });
  return may;
}

BlockProducts::BlockProducts(const Block& block, const Weights& weights, const std::map<const Variable*, std::int64_t>& reads) : block_(block), weights_(weights), reads_(reads) {
  for (std::size_t i = 0; i < block_.bindings.size(); ++i) {
    for (const auto* result : block_.bindings[i].results) made_at_[result] = i;
    note_product(i);
  }
}

std::optional<std::size_t> BlockProducts::made_at(const Variable* variable) const {
  const auto found = made_at_.find(variable);
  return found == made_at_.end() ? std::nullopt : std::optional(found->second);
}

void BlockProducts::note_product(std::size_t at) {
  const auto* matmul = operation(block_.bindings[at], "matmul");
  if (!matmul || !matmul->operands[0].variable || !matmul->operands[1].variable) return;
  const bool weight_first = rank(matmul->operands[0].type) == 2;
  Variable *const weight = matmul->operands[weight_first ? 0 : 1].variable, *const vector = matmul->operands[weight_first ? 1 : 0].variable;
  if (!weights_.may_be_block(weight) || !is(vector->type, TypeKind::tensor) || rank(vector->type) != 1 || resolve(vector->type)->dtype != resolve(weight->type)->dtype) return;
  const Product product{at, weight, vector, block_.bindings[at].results[0], weight_first};
  if (resolve(vector->type)->dims[0].known() && resolve(vector->type)->dims[0].size == product.length()) products_[product.result] = product;
}

bool BlockProducts::is_read_once(const Variable* variable) const {
  const auto found = reads_.find(variable);
  return found != reads_.end() && found->second == 1;
}

/// The binding that makes it, if that is a sum of arrays of its type.
std::optional<std::size_t> BlockProducts::sum_at(const Variable* variable) const {
  const auto found = made_at_.find(variable);
  const auto* sum = found == made_at_.end() ? nullptr : operation(block_.bindings[found->second], "+");
  const bool is_one = sum && std::ranges::all_of(sum->operands, [&](const Operand& x) { return x.variable && rank(x.type) == 1 && same_type(x.type, variable->type); });
  return is_one ? std::optional(found->second) : std::nullopt;
}

void BlockProducts::collect_terms(std::size_t at, ProductSum& into) const {
  for (const auto& operand : std::get<Operate>(block_.bindings[at].node).operands) {
    const auto sum = is_read_once(operand.variable) ? sum_at(operand.variable) : std::nullopt;
    if (!sum) {
      into.terms.push_back(operand);
      continue;
    }
    into.inner.push_back(*sum);
    collect_terms(*sum, into);
  }
}

std::vector<ProductSum> BlockProducts::sums() const {
  std::vector<ProductSum> all;
  std::set<std::size_t> within;
  for (std::size_t i = block_.bindings.size(); i-- > 0;) {
    const auto& results = block_.bindings[i].results;
    if (results.size() != 1 || within.contains(i) || sum_at(results[0]) != i) continue;
    ProductSum sum{.products = {}, .sum = i};
    collect_terms(i, sum);
    within.insert(sum.inner.begin(), sum.inner.end());
    for (const auto& term : sum.terms) {
      const auto product = products_.find(term.variable);
      if (product == products_.end() || !is_read_once(term.variable)) continue;
      const bool goes_along = std::ranges::none_of(sum.products, [&](const Product& other) {
        return other.vector == product->second.vector || other.weight_first != product->second.weight_first ||
               weights_.gradients_of(other.weight) != weights_.gradients_of(product->second.weight);
      });
      if (goes_along) sum.products.push_back(product->second);
    }
    std::ranges::sort(sum.products, {}, [&](const Product& product) { return number_of(product.vector); });
    if (sum.products.empty()) continue;
    sum.bias = bias_of(sum);
    all.push_back(std::move(sum));
  }
  return all;
}

Variable* BlockProducts::bias_of(const ProductSum& sum) const {
  const Product& product = sum.products[0];
  const auto is_bias = [&](const Operand& term) {
    return term.variable->storage == Storage::parameter && resolve(term.type)->dtype == resolve(product.weight->type)->dtype &&
           weights_.gradients_of(term.variable) == weights_.gradients_of(product.weight);
  };
  const auto found = std::ranges::find_if(sum.terms, is_bias);
  return found == sum.terms.end() ? nullptr : found->variable;
}

/// Vectors in the order in which products first read them.
std::size_t BlockProducts::number_of(const Variable* vector) const {
  std::size_t first = block_.bindings.size();
  for (const auto& [result, product] : products_) {
    if (product.vector == vector) first = std::min(first, product.at);
  }
  return first;
}

}  // namespace lantern
