#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "lantern/call_graph.h"
#include "lantern/ir.h"

/// Products of parameters and vectors in a block, and the sums that they are terms of: what join-products joins.
namespace lantern {

/// What is known of parameters in all of a program.
class Weights {
 public:
  explicit Weights(const ir::Program& program);

  /// Whether a parameter may be a block: of a matrix that is read as a whole, with at least so many rows and columns (runtime/include/lantern/blocks.h).
  bool may_be_block(const ir::Variable* variable) const;
  /// The numbers of the gradients that are asked for it.
  std::set<int> gradients_of(const ir::Variable* weight) const;
  /// Whether a binding may change parameters.
  bool may_change_model(const ir::Binding& binding) const;

 private:
  static constexpr std::int64_t least_extent = 16;

  void look_at(const ir::Block& block);

  const ReachingFunctions impure_;
  std::set<const ir::Variable*> read_by_rows_;
  std::map<const ir::Variable*, std::set<int>> gradients_;
  int gradient_count_ = 0;
};

/// W x, or x W.
struct Product {
  std::size_t at;  // its binding
  ir::Variable *weight, *vector, *result;
  bool weight_first;
  std::int64_t size() const { return resolve(weight->type)->dims[weight_first ? 0 : 1].size; }
  std::int64_t length() const { return resolve(weight->type)->dims[weight_first ? 1 : 0].size; }
};

/// Products that a sum has as terms, each with another vector; or one, alone.
struct ProductSum {
  std::vector<Product> products;
  std::optional<std::size_t> sum = {};     // the binding of the whole sum
  std::vector<ir::Operand> terms = {};     // of that
  std::vector<std::size_t> inner = {};     // bindings of sums within it
  ir::Variable* bias = nullptr;            // a parameter among the terms
  std::size_t at() const { return products[0].at; }
};

/// The products of one block. reads: of each variable of the function, how many there are.
class BlockProducts {
 public:
  BlockProducts(const ir::Block& block, const Weights& weights, const std::map<const ir::Variable*, std::int64_t>& reads);

  const std::map<const ir::Variable*, Product>& by_result() const { return products_; }
  /// Those of products, of different vectors, that nobody else reads, the last one first.
  std::vector<ProductSum> sums() const;
  /// The binding that makes a variable, if it is one of the block's.
  std::optional<std::size_t> made_at(const ir::Variable* variable) const;

 private:
  void note_product(std::size_t at);
  bool is_read_once(const ir::Variable* variable) const;
  std::optional<std::size_t> sum_at(const ir::Variable* variable) const;
  void collect_terms(std::size_t at, ProductSum& into) const;
  ir::Variable* bias_of(const ProductSum& sum) const;
  std::size_t number_of(const ir::Variable* vector) const;

  const ir::Block& block_;
  const Weights& weights_;
  const std::map<const ir::Variable*, std::int64_t>& reads_;
  std::map<const ir::Variable*, std::size_t> made_at_;
  std::map<const ir::Variable*, Product> products_;
};

}  // namespace lantern
