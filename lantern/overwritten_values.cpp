// An array that can be overwritten has elements of its own, or is a part of one that has and is read in parts alone, which have no element in common. Of a
// variable's reads all are in the value that overwrites it; what asks for its shape does not count.
#include "lantern/overwritten_values.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
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

/// The variables that a value of elements reads, in order, each as often as it is read.
void put_reads(const ExprPtr& e, std::vector<ir::Variable*>& reads) {
  if (const auto* read = std::get_if<Read>(&e->node)) reads.push_back(read->variable);
  for_each_operand(*e, [&](const ExprPtr& operand) { put_reads(operand, reads); });
}

/// The rows `start` to `stop` of another array.
struct Part {
  const ir::Variable* whole;
  std::int64_t start, stop;
};

std::optional<Part> part_of(const ExprPtr& e) {
  const auto* apply = std::get_if<Apply>(&e->node);
  if (!apply || apply->op->name != "slice" || apply->operands.size() != 3 || !has_elements(e->type)) return {};
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
  explicit Overwriting(Statements& function_body) {
    count_reads(function_body, reads_);
    find_arrays(function_body);
    for (const auto& [variable, part] : parts_) parts_of_[part.whole].push_back(part);
    find_joins(function_body);
  }

  void run(Statements& list) {
    for (auto& s : list) {
      if (auto* let = std::get_if<Let>(&s.node)) overwrite(*let, list);
      for_each_list(s, [&](Statements& nested) { run(nested); });
    }
  }

 private:
  void overwrite(Let& let, const Statements& list) const {
    if (let.variables.size() != 1 || !std::holds_alternative<Apply>(let.value->node)) return;
    if (!has_elements(let.value->type) || !is_of_elements(let.value)) return;
    std::vector<ir::Variable*> read;
    put_reads(let.value, read);
    for (ir::Variable* variable : read) {
      if (number_of_reads(variable) != std::ranges::count(read, variable) || !is_free(variable, list) || !fits(let.value, variable)) continue;
      const ExprPtr target = reading(variable);
      const auto* operation = select_operator("overwrite", std::vector<Type>{target->type, let.value->type});
      let.value = lowered::make(Apply{operation, {target, let.value}}, let.value->type, let.value->location);
      return;
    }
  }

  /// The arrays that have elements of their own, and the parts of others, each with the list that makes it as often as it comes by.
  void find_arrays(Statements& list) {
    for (auto& s : list) {
      const auto* let = std::get_if<Let>(&s.node);
      if (let && let->variables.size() == 1) {
        const ir::Variable* variable = let->variables[0];
        if (has_elements(let->value->type) && makes_its_own(let->value)) own_.emplace(variable, &list);
        if (const auto part = part_of(let->value)) {
          parts_.emplace(variable, *part);
          made_in_.emplace(variable, &list);
        }
      }
      for_each_list(s, [&](Statements& nested) { find_arrays(nested); });
    }
  }

  /// What everybody who resumes at a join hands over for good is the join's own.
  void find_joins(Statements& function_body) {
    std::map<std::string, std::vector<Join*>> joins;
    std::map<std::string, std::vector<std::vector<bool>>> handed_over;
    const std::function<void(Statements&)> walk = [&](Statements& list) {
      for (auto& s : list) {
        if (auto* join = std::get_if<Join>(&s.node)) joins[join->name].push_back(join);
        if (const auto* resume = std::get_if<Resume>(&s.node)) {
          auto& free = handed_over[resume->target].emplace_back();
          for (const auto& argument : resume->arguments) {
            const ir::Variable* variable = lowered::variable_of(argument.value);
            free.push_back(variable && (!argument.as || same_type(argument.as, variable->type)) && number_of_reads(variable) == 1 && is_free(variable, list));
          }
        }
        for_each_list(s, walk);
      }
    };
    walk(function_body);
    for (const auto& [name, of_name] : joins) {
      if (of_name.size() != 1) continue;
      Join& join = *of_name[0];
      const auto& resumed = handed_over[name];
      for (std::size_t i = 0; i < join.parameters.size(); ++i) {
        const auto frees = [&](const std::vector<bool>& free) { return free.size() == join.parameters.size() && free[i]; };
        if (!resumed.empty() && std::ranges::all_of(resumed, frees)) own_.emplace(join.parameters[i].variable, &join.body);
      }
    }
  }

  int number_of_reads(const ir::Variable* variable) const {
    const auto found = reads_.find(variable);
    return found == reads_.end() ? 0 : found->second;
  }

  /// Whether nobody else has its elements, and the list makes it anew each time.
  bool is_free(const ir::Variable* variable, const Statements& list) const {
    const auto is_own = [&](const ir::Variable* array) {
      const auto found = own_.find(array);
      return found != own_.end() && found->second == &list;
    };
    if (is_own(variable)) return true;
    const auto found = parts_.find(variable);
    if (found == parts_.end() || made_in_.at(variable) != &list || !is_own(found->second.whole)) return false;
    const Part& part = found->second;
    const auto& parts = parts_of_.at(part.whole);
    const auto meets = [&](const Part& other) { return other.start < part.stop && part.start < other.stop; };
    return number_of_reads(part.whole) == static_cast<int>(parts.size()) && std::ranges::count_if(parts, meets) == 1;
  }

  static bool fits(const ExprPtr& value, const ir::Variable* variable) {
    const Type made = resolve(value->type), of = resolve(variable->type);
    return has_elements(of) && made->dtype == of->dtype && certainly_same_shape(made, of);
  }

  Reads reads_;
  std::unordered_map<const ir::Variable*, const Statements*> own_, made_in_;
  std::unordered_map<const ir::Variable*, Part> parts_;
  std::unordered_map<const ir::Variable*, std::vector<Part>> parts_of_;
};

}  // namespace

void overwrite_values(Statements& function_body) { Overwriting(function_body).run(function_body); }

}  // namespace lantern
