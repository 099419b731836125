// The batched schedule of calls that return: what batch.h does for those in continuation-passing style. A call's stack is free as soon
// as its results have been copied out of the call's arena into its caller's, so that a loop over many takes the memory of a few.
//
// With enough calls side by side for one product, further ones are made in turn: they would take memory, and not make it faster. How many those are
// depends on what they take.
#pragma once

#include <array>
#include <tuple>
#include <type_traits>
#include <utility>

#include "lantern/batch.h"
#include "lantern/copies.h"
#include "lantern/keep.h"

namespace lantern {

namespace detail {

/// So many calls that return are side by side whatever they take, and more, up to the most, while their arenas stay in cache.
inline constexpr int64_t enough_at_once = 32, most_returning = 128, bytes_returning = int64_t{1} << 22;

/// How many may be under way.
inline int64_t room_for_calls(const Fibers& all) { return all.chunks()->taken() < bytes_returning ? most_returning : enough_at_once; }

/// Whether calls that return may be side by side here: as a part of an attempt, or as one of their own.
inline bool may_be_side_by_side() {
  if (!thread_stack || !thread_stack->active) return false;
  Fibers& all = thread_fibers();
  if (all.is_attempt()) return all.under_way() < room_for_calls(all);
  return !all.current() && all.may_attempt();
}

/// Makes calls side by side. False: there was an error, and nothing of it is left.
template <class AtOnce>
bool attempted(const AtOnce& at_once) {
  if (fibers->is_attempt()) {
    at_once();
    return true;
  }
  return fibers->attempt(at_once);
}

/// Runs `in_turn()` with no calls side by side within: an attempt has failed.
template <class InTurn>
void one_by_one(const InTurn& in_turn) {
  fibers->one_by_one = true;
  in_turn();
  fibers->one_by_one = false;
}

template <class Result>
std::tuple<Result> as_tuple(const Result& result) { return {result}; }
template <class... Results>
std::tuple<Results...> as_tuple(const std::tuple<Results...>& results) { return results; }

template <class Call, class... Arguments>
using results_of = decltype(as_tuple(std::declval<std::invoke_result_t<const Call&, Arguments...>>()));

/// Whether `keep` finds all that a value leads to: structures lead anywhere, and a list from before may have got its last arrays since.
template <class T>
inline constexpr bool can_be_kept = std::is_arithmetic_v<T> || std::is_same_v<T, std::string_view>;
template <class T, int Rank>
inline constexpr bool can_be_kept<Tensor<T, Rank>> = true;
template <class T>
inline constexpr bool can_be_kept<List<T>> = std::is_arithmetic_v<T>;

template <class... Results>
std::tuple<Results...> kept([[maybe_unused]] Mark mark, const std::tuple<Results...>& results) {
  if constexpr ((can_be_kept<Results> && ...)) return std::apply([&](const Results&... each) { return as_tuple(keep(mark, each...)); }, results);
  else return results;
}

/// What a call on this stack returns. What else it leaves in the arena is forgotten.
template <class Call, class... Arguments>
auto results_alone(const Call& call, Arguments... arguments) {
  const Mark mark = arena().mark();
  return kept(mark, as_tuple(call(arguments...)));
}

/// One call, and what it has returned, which lies in its fiber's arena.
template <class Results>
struct Returning {
  Join* done = nullptr;
  Fiber* fiber = nullptr;
  Results results{};

  void finish(const Results& made) {
    results = made;
    done->arrive();
  }
  /// The results, in the arena that is in use.
  Results copied() const {
    Copies copies(fiber->memory, Mark{nullptr});
    const Results all = copies.of(results);
    copies.finish_all();
    return all;
  }
};

/// All but the last of the calls have stacks of their own; that one is made on this stack.
template <class All, size_t... I>
auto returned_at_once(const All& all, std::index_sequence<I...>) {
  constexpr size_t others = sizeof...(I);
  Join done{others};
  std::tuple<Returning<results_of<std::decay_t<std::tuple_element_t<I, All>>>>...> sides;
  const auto start = [&](auto& side, const auto& call) {
    using Work = std::pair<decltype(&side), decltype(&call)>;
    side.done = &done;
    return Work(&side, &call);
  };
  auto works = std::make_tuple(start(std::get<I>(sides), std::get<I>(all))...);
  const auto begin = [&](auto& work) {
    work.first->fiber = fibers->start([](void* with) {
      auto& [side, call] = *static_cast<std::remove_reference_t<decltype(work)>*>(with);
      side->finish(as_tuple((*call)()));
    }, &work, true);
  };
  (begin(std::get<others - 1 - I>(works)), ...);  // the one begun last runs first
  const auto last = results_alone(std::get<others>(all));
  done.wait();
  const auto results = std::tuple_cat(std::get<I>(sides).copied()..., last);
  (fibers->release(std::get<I>(sides).fiber), ...);
  return results;
}

/// What all the calls return, one after another.
template <class All, size_t... I>
auto returned_in_turn(const All& all, std::index_sequence<I...>) {
  const std::tuple<results_of<std::decay_t<std::tuple_element_t<I, All>>>...> results{results_alone(std::get<I>(all))...};
  return std::apply([](const auto&... each) { return std::tuple_cat(each...); }, results);
}

/// Calls `then` with the results of turn `i`, and, if it takes them, with `i` in front and the mark below the results.
template <class Then, class... Results>
void give(const Then& then, int64_t i, Mark mark, const std::tuple<Results...>& results) {
  std::apply([&](const Results&... each) {
    if constexpr (std::is_invocable_v<const Then&, int64_t, Mark, const Results&...>) then(i, mark, each...);
    else if constexpr (std::is_invocable_v<const Then&, Mark, const Results&...>) then(mark, each...);
    else if constexpr (std::is_invocable_v<const Then&, int64_t, const Results&...>) then(i, each...);
    else then(each...);
  }, results);
}

/// Turns that return, a wave of them side by side after another.
template <class Turn>
class Waves {
 public:
  /// over_threads: they call nothing that threads may not.
  Waves(int64_t turns, const Turn& turn, bool over_threads) : turns_(turns), turn_(turn), over_threads_(over_threads) {}

  template <class Then>
  void run(const Then& then) {
    for (; begin_ < turns_; begin_ += count_) {
      threads_ = sharing();
      count_ = may_be_side_by_side() ? std::min({turns_ - begin_, width_ * threads_, room_for_calls(*fibers) * threads_ - fibers->under_way()}) : 1;
      if (count_ == 1) {
        in_turn(then);
        continue;
      }
      if (count_ > room_) sides_ = arena().allocate_array<Side>(room_ = std::min(turns_, most_returning * threads_));
      const bool is_outermost = !fibers->is_attempt();
      if (is_outermost) fibers->measure();
      const bool succeeded = attempted([&] { at_once(); });
      if (is_outermost && succeeded) widen(fibers->measured());
      if (succeeded) finish(then);
      else one_by_one([&] { in_turn(then); });
    }
  }

 private:
  static constexpr int64_t least_turns = 4;  // for each thread
  using Results = results_of<Turn, int64_t>;
  struct Side : Returning<Results> {
    const Turn* turn;
    int64_t number;
  };

  template <class Then>
  [[gnu::noinline]] void in_turn(const Then& then) {
    for (int64_t i = begin_; i < begin_ + count_; ++i) {
      const Mark mark = arena().mark();
      give(then, i, mark, results_alone(turn_, i));
    }
  }

  /// For the next wave, now that it is known what one of this thread's turns takes.
  void widen(int64_t bytes) { width_ = std::clamp(bytes_returning * (count_ / threads_) / std::max<int64_t>(bytes, 1), enough_at_once, most_returning); }

  /// How many threads share the turns: where calls are side by side already, or threads are busy, one.
  int64_t sharing() const {
    const bool alone = !shared_crew_ || !over_threads_ || (fibers && fibers->is_attempt()) || (crew && crew->is_out());
    return alone ? 1 : std::clamp<int64_t>((turns_ - begin_) / least_turns, 1, threads());
  }

  void at_once() {
    if (threads_ > 1) {
      thread_crew().start(static_cast<int>(threads_) - 1, [](void* with, int worker) {
        on_stack([&] { static_cast<Waves*>(with)->of_worker(worker); });
      }, this);
    }
    of_thread(0);
    if (threads_ > 1 && !crew->wait_for_arrivals()) fibers->give_up();
  }
  void of_thread(int64_t thread) {
    const int64_t first = count_ * thread / threads_, end = count_ * (thread + 1) / threads_;
    Join done{end - first};
    for (int64_t i = end; i-- > first;) {  // the one begun last runs first
      Side* const side = new (sides_ + i) Side{{&done, nullptr, Results{}}, &turn_, begin_ + i};
      side->fiber = fibers->start([](void* with) {
        Side& self = *static_cast<Side*>(with);
        self.finish(as_tuple((*self.turn)(self.number)));
      }, side, true);
    }
    done.wait();
  }
  void of_worker(int64_t thread) { shared_crew_->arrive(thread_fibers().attempt([&] { of_thread(thread); })); }

  template <class Then>
  [[gnu::noinline]] void finish(const Then& then) {
    for (int64_t i = 0; i < count_; ++i) {
      const Mark mark = arena().mark();
      const Results results = sides_[i].copied();
      if (i < count_ / threads_) fibers->release(sides_[i].fiber);  // a worker's are, at the end of its run
      give(then, begin_ + i, mark, results);
    }
    if (threads_ == 1) return;
    crew->go_back();
    crew->finish();
  }

  const int64_t turns_;
  const Turn& turn_;
  const bool over_threads_;
  int64_t begin_ = 0, count_ = 0, threads_ = 1;  // of the wave
  int64_t width_ = enough_at_once;               // the most turns of one for each thread
  int64_t room_ = 0;
  Side* sides_ = nullptr;
  Crew* const shared_crew_ = this_worker == 0 && threads() > 1 ? &thread_crew() : nullptr;
};

/// Lists of what turns return.
template <class Turn, class... Results, size_t... I>
auto lists_of(Waves<Turn> waves, int64_t turns, const std::tuple<Results...>*, std::index_sequence<I...>) {
  const std::tuple<Results*...> elements{with_room<Results>(nullptr, 0, turns)...};
  waves.run([&](int64_t i, const Results&... results) { ((std::get<I>(elements)[i] = results), ...); });
  if constexpr (sizeof...(Results) == 1) return full(std::get<0>(elements), turns);
  else return std::tuple<List<Results>...>{full(std::get<I>(elements), turns)...};
}
template <class Turn>
auto each_returned(int64_t turns, const Turn& turn, bool over_threads) {
  using Results = results_of<Turn, int64_t>;
  turns = std::max<int64_t>(turns, 0);
  return lists_of(Waves<Turn>(turns, turn, over_threads), turns, static_cast<const Results*>(nullptr), std::make_index_sequence<std::tuple_size_v<Results>>());
}

}  // namespace detail

/// What all the calls return, side by side: one tuple of their results.
template <class... Calls, std::enable_if_t<(std::is_invocable_v<const Calls&> && ...), int> = 0>
auto together(const Calls&... calls) {
  const auto all = std::tie(calls...);
  constexpr std::make_index_sequence<sizeof...(Calls) - 1> others{};
  constexpr std::index_sequence_for<Calls...> every{};
  if (!detail::may_be_side_by_side()) return detail::returned_in_turn(all, every);
  decltype(detail::returned_in_turn(all, every)) results;
  if (!detail::attempted([&] { results = detail::returned_at_once(all, others); })) {
    detail::one_by_one([&] { results = detail::returned_in_turn(all, every); });
  }
  return results;
}

/// Lists of what `turn(i)` returns for each i below `turns`.
template <class Turn, std::enable_if_t<std::is_invocable_v<const Turn&, int64_t>, int> = 0>
auto each(int64_t turns, const Turn& turn) { return detail::each_returned(turns, turn, true); }
/// The same for turns that call what no thread but this may.
template <class Turn, std::enable_if_t<std::is_invocable_v<const Turn&, int64_t>, int> = 0>
auto each_on_one_thread(int64_t turns, const Turn& turn) { return detail::each_returned(turns, turn, false); }

/// `then(results…)`, turn by turn, with what `turn(i)` returns; it may take i, and, to forget what the turn leaves in the arena, a
/// mark: `then(i, mark, results…)`.
template <class Turn, class Then, std::enable_if_t<std::is_invocable_v<const Turn&, int64_t>, int> = 0>
void each(int64_t turns, const Turn& turn, const Then& then) { detail::Waves<Turn>(turns, turn, true).run(then); }
template <class Turn, class Then, std::enable_if_t<std::is_invocable_v<const Turn&, int64_t>, int> = 0>
void each_on_one_thread(int64_t turns, const Turn& turn, const Then& then) { detail::Waves<Turn>(turns, turn, false).run(then); }

}  // namespace lantern
