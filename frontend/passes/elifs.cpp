//     if a: x
//     elif b: y
//     …
//     elif c: z      one more than nest
//     else: w
// becomes
//     unmatched_ = False
//     if a: x
//     elif b: y
//     …
//     else: unmatched_ = True
//     if unmatched_:
//         unmatched_ = False
//         if c: z
//         else: w
//
// since each `elif` nests one level deeper.
#include <algorithm>
#include <iterator>

#include "frontend/passes/passes.h"

namespace lantern::passes {

using namespace syntax;

namespace {

struct Clause {
  ExprPtr test;
  Block body;
  Range range;
};

class Splitting {
 public:
  explicit Splitting(Function& function) : function_(function) {}

  void split(Block& block) {
    Block result;
    for (StmtPtr& stmt : block) {
      if (!is_users_definition(function_, *stmt)) {
        if (count(*stmt) > most_cases) {
          Block groups = in_groups(std::move(stmt));
          std::move(groups.begin(), groups.end(), std::back_inserter(result));
          continue;
        }
        for_each_block(*stmt, [&](Block& nested) { split(nested); });
      }
      result.push_back(std::move(stmt));
    }
    block = std::move(result);
  }

 private:
  static std::size_t count(const Stmt& stmt) {
    std::size_t branches = 0;
    for (const Stmt* each = &stmt; each && is<If>(*each); each = next_branch(*each)) ++branches;
    return branches;
  }

  // The branches, and what the last `else` has.
  std::vector<Clause> taken_apart(StmtPtr stmt, Block& otherwise) {
    std::vector<Clause> branches;
    while (true) {
      auto* node = as<If>(*stmt);
      split(node->body);
      branches.push_back({std::move(node->test), std::move(node->body), stmt->range});
      if (!next_branch(*stmt)) {
        split(node->orelse);
        otherwise = std::move(node->orelse);
        return branches;
      }
      StmtPtr next = std::move(node->orelse[0]);
      stmt = std::move(next);
    }
  }

  Block in_groups(StmtPtr stmt) {
    const std::string unmatched = function_.variable("unmatched_");
    const auto flag = [&](bool value) { return assign(name(unmatched), boolean(value)); };
    Block otherwise, result;
    std::vector<Clause> branches = taken_apart(std::move(stmt), otherwise);
    for (std::size_t first = 0; first < branches.size(); first += most_cases) {
      const std::size_t last = std::min(first + most_cases, branches.size());
      const Range at = branches[first].range;
      Block rest = last < branches.size() ? list_of<StmtPtr>(flag(true)) : std::move(otherwise);
      inherit(rest, at);
      for (std::size_t i = last; i-- > first;) {
        StmtPtr asked = if_(std::move(branches[i].test), std::move(branches[i].body), std::move(rest));
        inherit(asked, branches[i].range);
        rest = list_of<StmtPtr>(std::move(asked));
      }
      rest.insert(rest.begin(), flag(false));
      inherit(rest, at);
      if (first > 0) rest = list_of<StmtPtr>(if_(name(unmatched), std::move(rest)));
      inherit(rest, at);
      std::move(rest.begin(), rest.end(), std::back_inserter(result));
    }
    return result;
  }

  Function& function_;
};

}  // namespace

const Stmt* next_branch(const Stmt& stmt) {
  auto* node = as<If>(stmt);
  return node && node->orelse.size() == 1 && is<If>(*node->orelse[0]) ? node->orelse[0].get() : nullptr;
}

void split_long_ifs(Function& function) { Splitting(function).split(function.def.body); }

}  // namespace lantern::passes
