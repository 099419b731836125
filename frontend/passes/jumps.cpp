#include "frontend/passes/jumps.h"

#include <iterator>

#include "frontend/analysis/cfg.h"

namespace lantern::passes {

using namespace syntax;

namespace {

// Moving what follows an `if` into a branch nests it; past this depth a flag does, since Python limits indentation.
constexpr int deepest_move = 12;
// Past this depth each statement that may jump is guarded on its own, and not within the guard of the one before.
constexpr int deepest_guard = 24;

bool contains(const Stmt& stmt, const Jump& jump) {
  if (jump.is_jump(stmt)) return true;
  if (is<FunctionDef>(stmt) || is<ClassDef>(stmt)) return false;
  if (jump.loops.count(&stmt)) return true;
  auto* counted = as<For>(stmt);
  auto* conditional = as<While>(stmt);
  if (counted && !jump.leaves_loops) return contains(counted->orelse, jump);
  if (conditional && !jump.leaves_loops) return contains(conditional->orelse, jump);
  bool found = false;
  for_each_block(stmt, [&](const Block& block) { found = found || contains(block, jump); });
  return found;
}

// Whether a jump leaves, within the block, a `finally` or a `with`: where that raises, the jump does not happen.
bool leaves_cleanup(const Block& block, const Jump& jump) {
  for (const StmtPtr& stmt : block) {
    if (is<FunctionDef>(*stmt) || is<ClassDef>(*stmt) || !contains(*stmt, jump)) continue;
    auto* attempt = as<Try>(stmt);
    if (is<With>(*stmt) || (attempt && !attempt->finalbody.empty())) return true;
    bool found = false;
    for_each_block(static_cast<const Stmt&>(*stmt), [&](const Block& nested) { found = found || leaves_cleanup(nested, jump); });
    if (found) return true;
  }
  return false;
}

void move_behind(Block& block, Block& rest) {
  std::move(rest.begin(), rest.end(), std::back_inserter(block));
  rest.clear();
}

class Lowering {
 public:
  explicit Lowering(const Jump& jump) : jump_(jump) {}

  bool flag_is_read = false;

  void lower(Block& block, int depth) {
    for (std::size_t i = 0; i < block.size(); ++i) {
      if (jump_.is_jump(*block[i])) {
        Block replaced = jump_.replace(std::move(block[i]));
        block.resize(i);
        move_behind(block, replaced);
        return;
      }
      if (!contains(*block[i], jump_)) continue;
      Block rest(std::make_move_iterator(block.begin() + i + 1), std::make_move_iterator(block.end()));
      block.resize(i + 1);
      Stmt& stmt = *block[i];
      const bool completes = statement(stmt, rest, depth);
      if (rest.empty() || !completes) return;
      for (Block& part : depth < deepest_guard ? whole(std::move(rest)) : parts(std::move(rest))) {
        lower(part, depth + 1);
        const Range at = part[0]->range;
        block.push_back(guarded(std::move(part), at));
      }
      return;
    }
  }

 private:
  static std::vector<Block> whole(Block rest) {
    std::vector<Block> result;
    result.push_back(std::move(rest));
    return result;
  }

  // What each guard is around: up to a statement that may jump.
  std::vector<Block> parts(Block rest) const {
    std::vector<Block> result(1);
    for (StmtPtr& stmt : rest) {
      if (!result.back().empty() && contains(*result.back().back(), jump_)) result.emplace_back();
      result.back().push_back(std::move(stmt));
    }
    return result;
  }

  StmtPtr guarded(Block block, const Range& at) {
    flag_is_read = true;
    StmtPtr result = if_(not_(name(jump_.flag)), std::move(block));
    inherit(result, at);
    return result;
  }

  // Lowers inside one statement. May take `rest`, what follows it, into a branch. Returns whether control can
  // come to what follows.
  bool statement(Stmt& stmt, Block& rest, int depth) {
    if (auto* branch = as<If>(stmt)) {
      const bool body_completes = analysis::completes(branch->body);
      const bool orelse_completes = analysis::completes(branch->orelse);
      if (depth < deepest_move && body_completes != orelse_completes) {
        move_behind(body_completes ? branch->body : branch->orelse, rest);
      }
      lower(branch->body, depth + 1);
      lower(branch->orelse, depth + 1);
      return body_completes || orelse_completes;
    }
    if (auto* attempt = as<Try>(stmt); attempt && !attempt->orelse.empty() && contains(attempt->body, jump_)) {
      // A jump out of the body skips the `else`.
      lower(attempt->orelse, depth + 1);
      const Range at = attempt->orelse[0]->range;
      Block orelse = std::move(attempt->orelse);
      attempt->orelse = list_of<StmtPtr>(guarded(std::move(orelse), at));
    }
    if (auto* loop = as<For>(stmt)) {
      lower(loop->orelse, depth + 1);
    } else if (auto* loop = as<While>(stmt)) {
      lower(loop->orelse, depth + 1);
    } else {
      for_each_block(stmt, [&](Block& block) { lower(block, depth + 1); });
    }
    return true;
  }

  const Jump& jump_;
};

}  // namespace

bool contains(const Block& block, const Jump& jump) {
  for (const StmtPtr& stmt : block) {
    if (contains(*stmt, jump)) return true;
  }
  return false;
}

void cancel_where_caught(Block& block, const Jump& jump) {
  const auto reset = [&](const Range& at) { return set_flag(jump.flag, false, at); };
  for (StmtPtr& stmt : block) {
    if (!contains(*stmt, jump)) continue;
    auto* counted = as<For>(*stmt);
    auto* conditional = as<While>(*stmt);
    if ((counted || conditional) && !jump.leaves_loops) {
      cancel_where_caught(counted ? counted->orelse : conditional->orelse, jump);
      continue;
    }
    for_each_block(*stmt, [&](Block& nested) { cancel_where_caught(nested, jump); });
    auto* attempt = as<Try>(*stmt);
    if (attempt && (leaves_cleanup(attempt->body, jump) || leaves_cleanup(attempt->orelse, jump))) {
      for (ExceptHandler& handler : attempt->handlers) {
        handler.body.insert(handler.body.begin(), reset(handler.body[0]->range));
      }
    }
    auto* managed = as<With>(*stmt);
    if (!managed || !leaves_cleanup(managed->body, jump)) continue;
    const Range at = managed->body[0]->range;
    Try guarded{.body = std::move(managed->body), .handlers = {}, .orelse = {}, .finalbody = {}};
    ExceptHandler handler;
    handler.body = list_of<StmtPtr>(reset(at), make(Raise{}, at));
    guarded.handlers.push_back(std::move(handler));
    managed->body = list_of<StmtPtr>(make(std::move(guarded), at));
  }
}

bool lower_jumps(Block& block, const Jump& jump) {
  Lowering lowering(jump);
  lowering.lower(block, 0);
  return lowering.flag_is_read;
}

StmtPtr set_flag(const std::string& flag, bool value, const Range& at) {
  StmtPtr result = assign(name(flag), boolean(value));
  inherit(result, at);
  return result;
}

void remove_flag(Function& function, const std::string& flag) {
  rewrite_statements(function, [&](StmtPtr stmt) {
    auto* node = as<Assign>(*stmt);
    auto* target = node ? as<Name>(node->targets[0]) : nullptr;
    return target && target->id == flag ? Block() : list_of<StmtPtr>(std::move(stmt));
  });
}

}  // namespace lantern::passes
