// An array that can be overwritten has elements of its own, or is a part of one that has and is read in parts alone, which have no element in common. Of a
// variable's reads all are in the value that overwrites it; what asks for its shape does not count.
#include "lantern/overwritten_values.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "lantern/assignments.h"
#include "lantern/changed_arrays.h"
#include "lantern/followed.h"
#include "lantern/operators.h"
#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

namespace {

constexpr int many = 1000;  // reads that are not counted: what is put by, and comes back
using Reads = std::unordered_map<const ir::Variable*, int>;

void count_reads(const ExprPtr& e, Reads& reads) {
  if (const auto* read = std::get_if<Read>(&e->node)) ++reads[read->variable];
  const auto* apply = std::get_if<Apply>(&e->node);
  if (apply && is_of_shape(*apply->op) && lowered::variable_of(apply->operands[0])) return;
  for_each_operand(*e, [&](const ExprPtr& operand) { count_reads(operand, reads); });
}

void count_reads(Statements& list, Reads& reads) {
  for (auto& s : list) {
    for_each_expr(s, [&](const ExprPtr& e) { count_reads(e, reads); });
    for_each_saved(s, [&](const ir::Variable* variable) { reads[variable] += many; });
    for_each_list(s, [&](Statements& nested) { count_reads(nested, reads); });
  }
}

/// The rows `start` to `stop` of another array.
struct Part {
  const ir::Variable* whole;
  std::int64_t start, stop;
};

std::optional<Part> part_of(const ExprPtr& e) {
  const auto* apply = std::get_if<Apply>(&e->node);
  if (!apply || apply->op->name != "slice" || apply->operands.size() != 3 || !is(e->type, TypeKind::tensor)) return {};
  const ir::Variable* whole = lowered::variable_of(apply->operands[0]);
  const auto start = integer_value(apply->operands[1]), stop = integer_value(apply->operands[2]);
  if (!whole || !start || !stop || *start < 0 || *stop < *start) return {};
  return Part{whole, *start, *stop};
}

/// Whether element i of it is computed of the elements i of what it reads, and of numbers.
bool is_of_elements(const ExprPtr& e) {
  const auto* apply = std::get_if<Apply>(&e->node);
  if (!apply) return std::holds_alternative<Constant>(e->node) || std::holds_alternative<Read>(e->node);
  return apply->op->elementwise && std::ranges::all_of(apply->operands, is_of_elements);
}

class Overwriting {
 public:
  Overwriting(Statements& list, const Reads& reads) : list_(list), reads_(reads) {
    for (auto& s : list_) {
      const auto* let = std::get_if<Let>(&s.node);
      if (!let || let->variables.size() != 1) continue;
      if (is(let->value->type, TypeKind::tensor) && makes_its_own(let->value)) own_.insert(let->variables[0]);
      if (const auto part = part_of(let->value)) parts_.emplace(let->variables[0], *part);
    }
    for (const auto& [variable, part] : parts_) parts_of_[part.whole].push_back(part);
  }

  void run() {
    for (auto& s : list_) {
      auto* let = std::get_if<Let>(&s.node);
      if (!let || let->variables.size() != 1 || !std::holds_alternative<Apply>(let->value->node) || !is(let->value->type, TypeKind::tensor) || !is_of_elements(let->value)) continue;
      Reads here;
      count_reads(let->value, here);
      for (const auto& [variable, count] : here) {
        if (number_of_reads(variable) != count || !is_free(variable) || !fits(let->value, variable)) continue;
        const ExprPtr target = reading(const_cast<ir::Variable*>(variable));
        const auto* overwrite = select_operator("overwrite", std::vector<Type>{target->type, let->value->type});
        let->value = lowered::make(Apply{overwrite, {target, let->value}}, let->value->type, let->value->location);
        break;
      }
    }
  }

 private:
  int number_of_reads(const ir::Variable* variable) const {
    const auto found = reads_.find(variable);
    return found == reads_.end() ? 0 : found->second;
  }

  /// Whether nobody else has its elements.
  bool is_free(const ir::Variable* variable) const {
    if (own_.contains(variable)) return true;
    const auto found = parts_.find(variable);
    if (found == parts_.end() || !own_.contains(found->second.whole)) return false;
    const auto& [whole, start, stop] = found->second;
    const auto& parts = parts_of_.at(whole);
    const auto meets = [&](const Part& other) { return other.start < stop && start < other.stop; };
    return number_of_reads(whole) == static_cast<int>(parts.size()) && std::ranges::count_if(parts, meets) == 1;
  }

  static bool fits(const ExprPtr& value, const ir::Variable* variable) {
    const Type made = resolve(value->type), of = resolve(variable->type);
    return is(of, TypeKind::tensor) && made->dtype == of->dtype && certainly_same_shape(made, of);
  }

  Statements& list_;
  const Reads& reads_;
  std::set<const ir::Variable*> own_;
  std::unordered_map<const ir::Variable*, Part> parts_;
  std::unordered_map<const ir::Variable*, std::vector<Part>> parts_of_;
};

void overwrite_values(Statements& list, const Reads& reads) {
  Overwriting(list, reads).run();
  for (auto& s : list) for_each_list(s, [&](Statements& nested) { overwrite_values(nested, reads); });
}

}  // namespace

void overwrite_values(Statements& function_body) {
  Reads reads;
  count_reads(function_body, reads);
  overwrite_values(function_body, reads);
}

}  // namespace lantern
