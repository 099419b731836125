// Before:  const auto d = x - y;                       After:  const auto [total, d_adj, y_adj] = in_one_loop<float>([](auto x_i, auto y_i) {
//          const Vector<bool> small = abs(d) < 1.0f;             const auto d_i = x_i - y_i;
//          const float total = sum(d * d);                       const auto small_i = abs(d_i) < 1.0f;
//          const Vector<float> d_adj = where(small, d, 1.0f);    const auto d_adj_i = where(small_i, d_i, 1.0f);
//          const Vector<float> y_adj = -d_adj;                   return std::tuple(sum_of(d_i * d_i), d_adj_i, -d_adj_i);
//                                                              }, x, y);
// Each value, each sum within a statement too, is a loop of its own at first. Two become one where one of them can stand where the other does: in between stand values
// and adjoints alone, which do not read the results of the loop that moves, if it moves down, and of which the one that moves up reads none. Where `exp` and the like
// take the time, loops stay apart; what one loop alone reads is computed there even so. What is not put together with another is written as it was.
#include "lantern/shared_loops.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "lantern/element_work.h"
#include "lantern/expression_effects.h"
#include "lantern/followed.h"
#include "lantern/loop_elements.h"
#include "lantern/mentions.h"
#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

namespace {

/// Whether a statement changes nothing, and runs to its end.
bool only_computes(Statement& s) {
  if (std::holds_alternative<Comment>(s.node)) return true;
  bool calm = std::holds_alternative<Return>(s.node) || std::holds_alternative<Let>(s.node) || std::holds_alternative<DeclareAdjoint>(s.node) || std::holds_alternative<Accumulate>(s.node) || std::holds_alternative<InOneLoop>(s.node);
  if (calm) for_each_expr(s, [&](const ExprPtr& e) { calm = calm && !changes_something(e); });
  return calm;
}

/// Whether C++ writes it as a lambda, which cannot take in what a binding names.
bool has_lambdas(Statement& s) {
  bool has = std::holds_alternative<CallThen>(s.node) || std::holds_alternative<Together>(s.node) || std::holds_alternative<Each>(s.node) || std::holds_alternative<LetTogether>(s.node) ||
             std::holds_alternative<LetEach>(s.node) || std::holds_alternative<EachTurn>(s.node) || std::holds_alternative<Join>(s.node);
  for_each_list(s, [&](Statements& nested) { has = has || std::ranges::any_of(nested, has_lambdas); });
  return has;
}

class SharedLoops {
 public:
  SharedLoops(Program& program, Function& function) : program_(*program.source), function_(function), elements_(lazy_, own_) {}

  void run() {
    look_at(function_.body);
    share(function_.body);
  }

 private:
  static constexpr std::size_t farthest = 100;  // statements that a loop moves past
  static constexpr std::size_t most_results = 8, most_arrays = 12;
  static constexpr int most_operations = 60;  // in one loop: a processor has so many registers

  /// The lazy values and adjoints, and the adjoints that have elements of their own, to which nothing is added.
  void look_at(Statements& list) {
    for (auto& s : list) {
      const auto* let = std::get_if<Let>(&s.node);
      if (const ExprPtr lazy = let ? deferred(let->value) : nullptr) lazy_[{let->variables[0], false}] = lazy;
      const auto* declared = std::get_if<DeclareAdjoint>(&s.node);
      if (declared && declared->constant && declared->value) {
        if (const ExprPtr lazy = deferred(declared->value)) lazy_[{declared->variable, true}] = lazy;
        else if (is_one_number(declared->variable->type) || makes_its_own(declared->value)) own_.insert(declared->variable);
      }
      if (let) std::ranges::for_each(let->variables, [&](const ir::Variable* variable) { ++times_[{variable, false}]; });
      if (declared) ++times_[{declared->variable, true}];
      for_each_list(s, [&](Statements& nested) { look_at(nested); });
    }
  }

  void share(Statements& list) {
    for (auto& s : list) for_each_list(s, [&](Statements& nested) { share(nested); });
    split(list);
    for (std::size_t i = 0; i < list.size();) {
      if (!std::holds_alternative<InOneLoop>(list[i].node) || !merge(list, i)) ++i;
    }
    take_in(list);
    write(list);
    remove_unread(list);
  }

  // --- each loop a statement ---

  void split(Statements& list) {
    std::size_t first = 0;  // what comes behind the last lambda
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (has_lambdas(list[i])) first = i + 1;
    }
    Statements all(std::make_move_iterator(list.begin()), std::make_move_iterator(list.begin() + static_cast<std::ptrdiff_t>(first)));
    for (std::size_t i = first; i < list.size(); ++i) {
      Statement& s = list[i];
      if (const auto result = result_of(s)) {
        all.push_back({InOneLoop{{}, {}, {*result}}, s.location});
        continue;
      }
      const bool returns = std::holds_alternative<Return>(s.node);
      const auto* let = std::get_if<Let>(&s.node);
      if (only_computes(s) && !(let && deferred(let->value))) for_each_expr(s, [&](ExprPtr& e) { e = taken_out(e, returns, s.location, all); });
      all.push_back(std::move(s));
    }
    list = std::move(all);
  }

  /// What a statement computes, if that is all of it.
  std::optional<InOneLoop::Result> result_of(const Statement& s) const {
    const auto* let = std::get_if<Let>(&s.node);
    if (let && let->variables.size() == 1 && !let->unread && is_made_once({let->variables[0], false}) && is_loop(let->value, let->variables[0]->type)) return InOneLoop::Result{let->variables[0], false, let->value};
    const auto* declared = std::get_if<DeclareAdjoint>(&s.node);
    if (declared && declared->constant && declared->value && is_made_once({declared->variable, true}) && is_loop(declared->value, declared->variable->type)) return InOneLoop::Result{declared->variable, true, declared->value};
    return {};
  }

  /// Not by a turn of a loop and once more on the way back.
  bool is_made_once(const Place& place) const {
    const auto found = times_.find(place);
    return place.first->storage == ir::Storage::local && found != times_.end() && found->second == 1;
  }

  bool is_loop(const ExprPtr& e, const Type& type) const {
    if (!is_numeric(type) || resolve(type)->dtype != resolve(e->type)->dtype || !is_floating(e->type)) return false;
    if (const ExprPtr added = added_up(e)) return elements_.is_of_one_loop(added, added->type);
    return std::holds_alternative<Apply>(e->node) && !deferred(e) && has_elements(e->type) && certainly_same_shape(e->type, type) && elements_.is_of_one_loop(e, e->type);
  }

  /// The expression with names for what loops compute in it, each a loop in front.
  ExprPtr taken_out(const ExprPtr& e, bool arrays, const Location& location, Statements& all) {
    if (added_up(e) ? is_loop(e, e->type) : arrays && is_loop(e, e->type)) {
      ir::Variable* variable = program_.add_variable({.name = ir::temporary, .type = e->type, .location = e->location});
      taken_out_[variable] = e;
      all.push_back({InOneLoop{{}, {}, {{variable, false, e}}}, location});
      return reading(variable);
    }
    const auto* apply = std::get_if<Apply>(&e->node);
    if (!apply) return e;
    Expr copy = *e;
    bool changed = false;
    for (auto& operand : std::get<Apply>(copy.node).operands) {
      const ExprPtr before = std::exchange(operand, taken_out(operand, false, location, all));
      changed = changed || operand != before;
    }
    return changed ? std::make_shared<const Expr>(std::move(copy)) : e;
  }

  // --- two of them one ---

  /// Puts the loop at i together with another behind it; whether there was one.
  bool merge(Statements& list, std::size_t i) {
    for (std::size_t j = i + 1; j < std::min(list.size(), i + farthest); ++j) {
      const auto* second = std::get_if<InOneLoop>(&list[j].node);
      if (second) {
        auto& first = std::get<InOneLoop>(list[i].node);
        const bool goes = go_together(first, *second), down = goes && moves_down(list, i, j), up = goes && !(down && crosses_sweeps(list, i, j)) && moves_up(list, i, j);
        if (up || down) {
          for (const auto& result : second->results) own(result);
          for (const auto& result : first.results) own(result);
          first.results.insert(first.results.end(), second->results.begin(), second->results.end());
          if (!up) list[j].node = std::move(list[i].node);
          list.erase(list.begin() + static_cast<std::ptrdiff_t>(up ? j : i));
          return true;
        }
      }
      if (!only_computes(list[j])) return false;
    }
    return false;
  }
  void own(const InOneLoop::Result& result) {
    if (result.is_adjoint) own_.insert(result.variable);
  }

  static Type type_of(const InOneLoop& loop) {
    const ExprPtr added = added_up(loop.results[0].value);
    return (added ? added : loop.results[0].value)->type;
  }

  /// Whether they go over the same elements, read the same, and are not too much for one.
  bool go_together(const InOneLoop& first, const InOneLoop& second) const {
    const Type a = type_of(first), b = type_of(second);
    if (resolve(a)->dtype != resolve(b)->dtype || !certainly_same_shape(a, b) || first.results.size() + second.results.size() > most_results) return false;
    const LoopReads reads = elements_.reads_of(first), more = elements_.reads_of(second);
    if (reads.is_costly || more.is_costly) return false;
    bool related = reads.arrays.empty() != more.arrays.empty() || std::ranges::any_of(more.arrays, [&](const Place& place) { return reads.arrays.contains(place); });
    for (const auto& result : first.results) {
      const Place place{result.variable, result.is_adjoint};
      if (!more.all.contains(place)) continue;
      if (!has_elements(result.variable->type) || more.by_lazy.contains(place)) return false;
      related = true;
    }
    InOneLoop both = first;
    both.results.insert(both.results.end(), second.results.begin(), second.results.end());
    return related && is_small(both);
  }
  bool is_small(const InOneLoop& loop) const {
    const LoopReads reads = elements_.reads_of(loop);
    return reads.arrays.size() <= most_arrays && reads.operations <= most_operations;
  }

  /// Whether a sweep begins or ends in between: a loop of both stands in the second.
  static bool crosses_sweeps(const Statements& list, std::size_t i, std::size_t j) {
    return std::any_of(list.begin() + static_cast<std::ptrdiff_t>(i), list.begin() + static_cast<std::ptrdiff_t>(j), [](const Statement& s) {
      const auto* comment = std::get_if<Comment>(&s.node);
      return comment && comment->sweep != Sweep::none;
    });
  }

  bool moves_up(Statements& list, std::size_t i, std::size_t j) {
    const LoopReads reads = elements_.reads_of(std::get<InOneLoop>(list[j].node));
    return std::all_of(list.begin() + static_cast<std::ptrdiff_t>(i) + 1, list.begin() + static_cast<std::ptrdiff_t>(j), [&](Statement& s) {
      const auto reads_it = [&](const ir::Variable* variable, bool is_adjoint) { return reads.all.contains({variable, is_adjoint}); };
      if (const auto* let = std::get_if<Let>(&s.node)) return std::ranges::none_of(let->variables, [&](const ir::Variable* v) { return reads_it(v, false); });
      if (const auto* declared = std::get_if<DeclareAdjoint>(&s.node)) return !reads_it(declared->variable, true);
      if (const auto* loop = std::get_if<InOneLoop>(&s.node)) return std::ranges::none_of(loop->results, [&](const InOneLoop::Result& r) { return reads_it(r.variable, r.is_adjoint); });
      return true;
    });
  }

  bool moves_down(Statements& list, std::size_t i, std::size_t j) const {
    const auto& results = std::get<InOneLoop>(list[i].node).results;
    return std::all_of(list.begin() + static_cast<std::ptrdiff_t>(i) + 1, list.begin() + static_cast<std::ptrdiff_t>(j), [&](Statement& s) {
      return std::ranges::none_of(results, [&](const InOneLoop::Result& result) { return is_read_by(s, {result.variable, result.is_adjoint}); });
    });
  }

  // --- what one loop alone reads is computed there ---

  /// Conditions, and arrays that are loops of their own still: those behind first, since others may be read by them.
  void take_in(Statements& list) {
    for (std::size_t i = list.size(); i-- > 0;) {
      const auto* let = std::get_if<Let>(&list[i].node);
      const auto* loop = std::get_if<InOneLoop>(&list[i].node);
      const bool condition = let && let->variables.size() == 1 && !let->unread && is_made_once({let->variables[0], false}) && is_condition(let->value);
      const bool single = loop && loop->results.size() == 1 && !taken_out_.contains(loop->results[0].variable) && has_elements(loop->results[0].variable->type);
      if (!condition && !single) continue;
      const Place place = single ? Place{loop->results[0].variable, loop->results[0].is_adjoint} : Place{let->variables[0], false};
      const auto reader = only_reader(list, i, place);
      if (!reader || !fits_into(std::get<InOneLoop>(list[*reader].node), single ? loop->results[0].value : let->value)) continue;
      const ExprPtr value = single ? loop->results[0].value : let->value;
      lazy_[place] = value;
      taken_in_.insert(place);
      if (place.second) list[i].node = DeclareAdjoint{const_cast<ir::Variable*>(place.first), made_lazy(value), true};
      else list[i].node = Let{{const_cast<ir::Variable*>(place.first)}, made_lazy(value)};
    }
  }
  bool is_condition(const ExprPtr& e) const {
    return std::holds_alternative<Apply>(e->node) && !deferred(e) && has_elements(e->type) && resolve(e->type)->dtype == DType::boolean && elements_.is_of_one_loop(e, elements_.compared(e));
  }
  bool fits_into(const InOneLoop& loop, const ExprPtr& value) const {
    InOneLoop with = loop;
    with.results.push_back({nullptr, false, value});
    const Type type = elements_.compared(value);
    return loop.results.size() > 1 && certainly_same_shape(type, type_of(loop)) && resolve(type)->dtype == resolve(type_of(loop))->dtype && is_small(with);
  }

  /// The loop behind i that alone reads what is declared there, through lazy values too, with nothing but values and adjoints in between.
  std::optional<std::size_t> only_reader(Statements& list, std::size_t i, const Place& place) {
    std::set<Place> read = {place};
    std::optional<std::size_t> reader;
    for (std::size_t j = i + 1; j < list.size(); ++j) {
      if (std::ranges::any_of(read, [&](const Place& one) { return is_read_by(list[j], one); })) {
        const auto* let = std::get_if<Let>(&list[j].node);
        const auto* declared = std::get_if<DeclareAdjoint>(&list[j].node);
        if (let && deferred(let->value)) read.insert({let->variables[0], false});
        else if (declared && declared->value && deferred(declared->value)) read.insert({declared->variable, true});
        else if (!reader && std::holds_alternative<InOneLoop>(list[j].node)) reader = j;
        else return {};
      }
      if (!reader && !only_computes(list[j])) return {};
    }
    return reader;
  }

  // --- as it is written ---

  void write(Statements& list) {
    Values back;
    Statements all;
    for (std::size_t i = 0; i < list.size(); ++i) {
      Statement& s = list[i];
      auto* loop = std::get_if<InOneLoop>(&s.node);
      if (loop && loop->results.size() == 1 && taken_out_.contains(loop->results[0].variable)) {
        back[loop->results[0].variable] = taken_out_.at(loop->results[0].variable);
        continue;
      }
      if (!back.empty()) substitute(s, back);
      if (!loop) {
        all.push_back(std::move(s));
        continue;
      }
      const auto is_read_elsewhere = [&](const InOneLoop::Result& result) {
        return std::any_of(list.begin() + static_cast<std::ptrdiff_t>(i) + 1, list.end(), [&](Statement& other) { return is_read_by(other, {result.variable, result.is_adjoint}); });
      };
      const auto inner = std::stable_partition(loop->results.begin(), loop->results.end(), [&](const InOneLoop::Result& r) { return loop->results.size() > 1 && !is_read_elsewhere(r); });
      if (loop->results.end() - inner == 1 && computes_each_once(*loop)) {
        for (const auto& result : loop->results) all.push_back({by_itself(result, &result != &loop->results.back()), result.value->location});
      } else if (inner != loop->results.end()) {
        elements_.write(*loop, program_, static_cast<std::size_t>(inner - loop->results.begin()));
        all.push_back(std::move(s));
      }
    }
    list = std::move(all);
  }
  /// Whether its last result is computed in one expression in which nothing would be computed twice that is not now.
  bool computes_each_once(const InOneLoop& loop) const {
    const LoopReads reads = elements_.reads_of(loop);
    return std::ranges::none_of(taken_in_, [&](const Place& place) { return reads.all.contains(place); }) &&
           std::all_of(loop.results.begin(), loop.results.end() - 1, [&](const InOneLoop::Result& r) { return LoopElements::times_read(loop, {r.variable, r.is_adjoint}) == 1; });
  }
  static Statement::Node by_itself(const InOneLoop::Result& result, bool is_lazy) {
    const ExprPtr value = is_lazy ? made_lazy(result.value) : result.value;
    if (result.is_adjoint) return DeclareAdjoint{result.variable, value, true};
    return Let{{result.variable}, value};
  }

  /// The lazy values that were read by loops alone, which have their own now.
  static void remove_unread(Statements& list) {
    for (std::size_t i = list.size(); i-- > 0;) {
      const auto* let = std::get_if<Let>(&list[i].node);
      const auto* declared = std::get_if<DeclareAdjoint>(&list[i].node);
      const bool lazy_value = let && deferred(let->value), lazy_adjoint = declared && declared->value && deferred(declared->value);
      if (!lazy_value && !lazy_adjoint) continue;
      const Place place = lazy_value ? Place{let->variables[0], false} : Place{declared->variable, true};
      if (std::none_of(list.begin() + static_cast<std::ptrdiff_t>(i) + 1, list.end(), [&](Statement& s) { return is_read_by(s, place); })) list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  ir::Program& program_;
  Function& function_;
  std::map<Place, ExprPtr> lazy_;
  std::map<Place, int> times_;  // that it is declared
  std::set<const ir::Variable*> own_;
  LoopElements elements_;
  std::map<const ir::Variable*, ExprPtr> taken_out_;  // of statements: names of loops' results
  std::set<Place> taken_in_;
};

}  // namespace

void share_loops(Program& program) {
  for (auto& function : program.functions) SharedLoops(program, function).run();
}

}  // namespace lantern
