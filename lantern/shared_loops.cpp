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
    find_changed(function_.body);
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
      if (declared && declared->constant && declared->value && !changed_.contains(declared->variable)) {
        if (const ExprPtr lazy = deferred(declared->value)) lazy_[{declared->variable, true}] = lazy;
        else if (is_one_number(declared->variable->type) || makes_its_own(declared->value)) own_.insert(declared->variable);
      }
      if (let) std::ranges::for_each(let->variables, [&](const ir::Variable* variable) { ++times_[{variable, false}]; });
      if (declared) ++times_[{declared->variable, true}];
      for_each_list(s, [&](Statements& nested) { look_at(nested); });
    }
  }

  /// The adjoints that are not what they were declared as, or begin as views of others.
  void find_changed(Statements& list) {
    for (auto& s : list) {
      if (const auto* add = std::get_if<Accumulate>(&s.node)) changed_.insert(add->variable);
      if (const auto* clear = std::get_if<ClearItem>(&s.node)) changed_.insert(clear->variable);
      if (const auto* assign = std::get_if<AssignAdjoints>(&s.node)) changed_.insert(assign->variables.begin(), assign->variables.end());
      if (const auto* call = std::get_if<CallThen>(&s.node)) hand_over(call->arguments);
      if (const auto* resume = std::get_if<Resume>(&s.node)) hand_over(resume->arguments);
      if (const auto* gradient = std::get_if<Gradient>(&s.node)) hand_over(gradient->arguments);
      if (const auto* reverse = std::get_if<Reverse>(&s.node)) hand_over(reverse->arguments);
      const auto* declared = std::get_if<DeclareAdjoint>(&s.node);
      if (declared && declared->value && has_elements(declared->variable->type) && may_be_view(declared->value)) views_.insert(declared->variable);
      for_each_list(s, [&](Statements& nested) { find_changed(nested); });
    }
  }

  void hand_over(const std::vector<Argument>& arguments) {
    for (const auto& argument : arguments) changed_.insert(argument.adjoint);
  }

  /// Whether a statement changes nothing but an adjoint that has elements of its own, which no loop reads.
  bool only_computes(Statement& s) const {
    const auto* add = std::get_if<Accumulate>(&s.node);
    bool does = std::holds_alternative<Return>(s.node) || std::holds_alternative<Let>(s.node) || std::holds_alternative<DeclareAdjoint>(s.node) || std::holds_alternative<InOneLoop>(s.node) ||
                std::holds_alternative<Comment>(s.node) || (add && !views_.contains(add->variable));
    if (does) for_each_expr(s, [&](const ExprPtr& e) { does = does && !changes_something(e); });
    return does;
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
    if (declared && declared->constant && declared->value && !changed_.contains(declared->variable) && is_made_once({declared->variable, true}) && is_loop(declared->value, declared->variable->type)) return InOneLoop::Result{declared->variable, true, declared->value};
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
    auto& first = std::get<InOneLoop>(list[i].node);
    const LoopReads reads = elements_.reads_of(first);
    if (reads.is_costly) return false;
    for (std::size_t j = i + 1; j < std::min(list.size(), i + farthest); ++j) {
      const auto* second = std::get_if<InOneLoop>(&list[j].node);
      if (second) {
        const bool goes = go_together(first, reads, *second), down = goes && moves_down(list, i, j), up = goes && !(down && crosses_sweeps(list, i, j)) && moves_up(list, i, j);
        if (up || down) {
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

  static Type type_of(const InOneLoop& loop) {
    const ExprPtr added = added_up(loop.results[0].value);
    return (added ? added : loop.results[0].value)->type;
  }

  /// Whether they go over the same elements, read the same, and are not too much for one.
  bool go_together(const InOneLoop& first, const LoopReads& reads, const InOneLoop& second) const {
    const Type a = type_of(first), b = type_of(second);
    if (resolve(a)->dtype != resolve(b)->dtype || !certainly_same_shape(a, b) || first.results.size() + second.results.size() > most_results) return false;
    const LoopReads more = elements_.reads_of(second);
    if (more.is_costly) return false;
    bool related = reads.arrays.empty() != more.arrays.empty() || std::ranges::any_of(more.arrays, [&](const Place& place) { return reads.arrays.contains(place); });
    for (const auto& result : first.results) {
      const Place place{result.variable, result.is_adjoint};
      if (!more.all.contains(place)) continue;
      if (!has_elements(result.variable->type) || more.by_lazy.contains(place)) return false;
      related = true;
    }
    if (!related) return false;
    InOneLoop both = first;
    both.results.insert(both.results.end(), second.results.begin(), second.results.end());
    return is_small(both);
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

  static bool moves_down(Statements& list, std::size_t i, std::size_t j) {
    const auto& results = std::get<InOneLoop>(list[i].node).results;
    return std::all_of(list.begin() + static_cast<std::ptrdiff_t>(i) + 1, list.begin() + static_cast<std::ptrdiff_t>(j), [&](Statement& s) {
      const std::set<Place> places = places_in(s);
      return std::ranges::none_of(results, [&](const InOneLoop::Result& result) { return places.contains({result.variable, result.is_adjoint}); });
    });
  }

  using Readers = std::map<Place, std::set<std::size_t>>;  // by their places in a list
  static Readers readers_in(Statements& list) {
    Readers readers;
    for (std::size_t i = 0; i < list.size(); ++i) {
      for (const Place& place : places_in(list[i])) readers[place].insert(i);
    }
    return readers;
  }

  // --- what one loop alone reads is computed there ---

  /// Conditions, and arrays that are loops of their own still: those behind first, since others may be read by them.
  void take_in(Statements& list) {
    const Readers readers = readers_in(list);
    for (std::size_t i = list.size(); i-- > 0;) {
      const auto* let = std::get_if<Let>(&list[i].node);
      const auto* loop = std::get_if<InOneLoop>(&list[i].node);
      const bool condition = let && let->variables.size() == 1 && !let->unread && is_made_once({let->variables[0], false}) && is_condition(let->value);
      const bool single = loop && loop->results.size() == 1 && !taken_out_.contains(loop->results[0].variable) && has_elements(loop->results[0].variable->type);
      if (!condition && !single) continue;
      const Place place = single ? Place{loop->results[0].variable, loop->results[0].is_adjoint} : Place{let->variables[0], false};
      const auto reader = only_reader(list, readers, i, place);
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
  std::optional<std::size_t> only_reader(Statements& list, const Readers& readers, std::size_t i, const Place& place) const {
    std::set<std::size_t> found;
    if (!find_readers(list, readers, place, found) || found.size() != 1 || *found.begin() - i > farthest) return {};
    const auto reader = list.begin() + static_cast<std::ptrdiff_t>(*found.begin());
    const bool stays = std::all_of(list.begin() + static_cast<std::ptrdiff_t>(i), reader, [&](Statement& s) { return only_computes(s); });
    return stays ? std::optional(*found.begin()) : std::nullopt;
  }
  /// Whether all that read it, through lazy values too, are loops, of which no more than one is asked for.
  static bool find_readers(Statements& list, const Readers& readers, const Place& place, std::set<std::size_t>& found) {
    const auto known = readers.find(place);
    return known == readers.end() || std::ranges::all_of(known->second, [&](std::size_t j) {
      const auto* let = std::get_if<Let>(&list[j].node);
      const auto* declared = std::get_if<DeclareAdjoint>(&list[j].node);
      if (let && deferred(let->value)) return find_readers(list, readers, {let->variables[0], false}, found);
      if (declared && declared->value && deferred(declared->value)) return find_readers(list, readers, {declared->variable, true}, found);
      found.insert(j);
      return found.size() == 1 && std::holds_alternative<InOneLoop>(list[j].node);
    });
  }

  // --- as it is written ---

  void write(Statements& list) {
    const Readers readers = readers_in(list);
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
        const auto found = readers.find({result.variable, result.is_adjoint});
        return found != readers.end() && *found->second.rbegin() > i;
      };
      const InOneLoop whole = *loop;
      const bool shared = whole.results.size() > 1;
      const auto times_read = [&](const InOneLoop::Result& r) { return LoopElements::times_read(whole, {r.variable, r.is_adjoint}); };
      std::erase_if(loop->results, [&](const InOneLoop::Result& r) { return shared && !is_read_elsewhere(r) && times_read(r) == 0; });
      const auto outer = std::stable_partition(loop->results.begin(), loop->results.end(), [&](const InOneLoop::Result& r) { return shared && !is_read_elsewhere(r); });
      if (outer == loop->results.end()) continue;  // nobody reads any
      const auto inner = static_cast<std::size_t>(outer - loop->results.begin());
      const bool is_expression = inner + 1 == loop->results.size() && std::all_of(loop->results.begin(), outer, [&](const InOneLoop::Result& r) { return times_read(r) == 1; });
      if ((is_expression && takes_nothing_in(*loop)) || goes_over_nothing(*loop)) {
        for (std::size_t r = 0; r < loop->results.size(); ++r) all.push_back({by_itself(loop->results[r], r < inner), loop->results[r].value->location});
      } else {
        elements_.write(*loop, program_, inner);
        all.push_back(std::move(s));
      }
    }
    list = std::move(all);
  }
  /// Whether nothing is computed in it that would be computed twice in an expression.
  bool takes_nothing_in(const InOneLoop& loop) const {
    const LoopReads reads = elements_.reads_of(loop);
    return std::ranges::none_of(taken_in_, [&](const Place& place) { return reads.all.contains(place); });
  }
  /// Whether nothing says how many turns it has: it is of numbers, and of what it computes itself.
  bool goes_over_nothing(const InOneLoop& loop) const {
    return std::ranges::all_of(elements_.reads_of(loop).arrays, [&](const Place& place) {
      return std::ranges::any_of(loop.results, [&](const InOneLoop::Result& result) { return Place{result.variable, result.is_adjoint} == place; });
    });
  }
  static Statement::Node by_itself(const InOneLoop::Result& result, bool is_lazy) {
    const ExprPtr value = is_lazy ? made_lazy(result.value) : result.value;
    if (result.is_adjoint) return DeclareAdjoint{result.variable, value, true};
    return Let{{result.variable}, value};
  }

  /// The lazy values that were read by loops alone, which have their own now.
  static void remove_unread(Statements& list) {
    std::set<Place> read;
    Statements all;
    for (std::size_t i = list.size(); i-- > 0;) {
      const auto* let = std::get_if<Let>(&list[i].node);
      const auto* declared = std::get_if<DeclareAdjoint>(&list[i].node);
      if (let && deferred(let->value) && !read.contains({let->variables[0], false})) continue;
      if (declared && declared->value && deferred(declared->value) && !read.contains({declared->variable, true})) continue;
      read.merge(places_in(list[i]));
      all.push_back(std::move(list[i]));
    }
    std::ranges::reverse(all);
    list = std::move(all);
  }

  ir::Program& program_;
  Function& function_;
  std::map<Place, ExprPtr> lazy_;
  std::map<Place, int> times_;  // that it is declared
  std::set<const ir::Variable*> own_, changed_, views_;
  LoopElements elements_;
  std::map<const ir::Variable*, ExprPtr> taken_out_;  // of statements: names of loops' results
  std::set<Place> taken_in_;
};

}  // namespace

void share_loops(Program& program) {
  for (auto& function : program.functions) SharedLoops(program, function).run();
}

}  // namespace lantern
