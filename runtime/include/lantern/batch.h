// The batched schedule. Calls that do not depend on each other are made side by side, each on a stack of its own (fibers.h),
// and their products with a matrix that they share become one product. Outside of a program's run, where there is no room or
// after an error, they are made one after another: the same program, with the same results up to rounding.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include "lantern/continuation.h"
#include "lantern/fibers.h"
#include "lantern/list_operations.h"

namespace lantern {

namespace detail {

/// How many of some calls have not yet come to a point, and who waits for them there.
struct Join {
  int64_t missing;
  Fiber* waiter = nullptr;
  bool is_awaited = false;

  void wait() {
    if (missing == 0) return;
    waiter = fibers->current();
    is_awaited = true;
    fibers->wait();
  }
  void arrive() {
    if (--missing == 0 && is_awaited) fibers->wake(waiter);
  }
};

/// One call, on a stack of its own. It stays there with its results, until their adjoints are known.
struct SideCall {
  Join *forwards, *back;
  Fiber* fiber = nullptr;
  void* const* results = nullptr;
  size_t count = 0;

  /// The continuation that it is given.
  struct Deliver {
    SideCall* call;
    template <class... Results>
    void operator()(Results&&... given) const {
      void* const places[] = {const_cast<void*>(static_cast<const void*>(std::addressof(given)))...};
      call->results = places;
      call->count = sizeof...(Results);
      call->fiber = fibers->current();
      call->forwards->arrive();
      fibers->wait();
    }
  };
};

/// The calls in `all` from `I` on, then what follows them, with the results of all.
template <size_t I, class All, class... Before>
void in_turn(const All& all, Before&&... before) {
  if constexpr (I + 1 == std::tuple_size_v<All>) {
    std::get<I>(all)(std::forward<Before>(before)...);
  } else {
    std::get<I>(all)([&](auto&&... results) { in_turn<I + 1>(all, std::forward<Before>(before)..., std::forward<decltype(results)>(results)...); });
  }
}

/// Calls `rest` with the values at `places`, which are of its parameters' types.
template <class Rest, class... Parameters, size_t... I>
void call_with(const Rest& rest, void* const* places, void (Rest::*)(Parameters...) const, std::index_sequence<I...>) {
  rest(static_cast<Parameters>(*static_cast<std::remove_reference_t<Parameters>*>(places[I]))...);
}
template <class Rest, class... Parameters>
void call_with(const Rest& rest, void* const* places, void (Rest::*body)(Parameters...) const) {
  call_with(rest, places, body, std::index_sequence_for<Parameters...>());
}
template <class Rest, class... Parameters>
constexpr size_t parameters_of(void (Rest::*)(Parameters...) const) { return sizeof...(Parameters); }

/// Each call has a stack of its own, and what follows them this one.
template <class All, size_t... I>
void at_once(const All& all, bool is_attempt, std::index_sequence<I...>) {
  constexpr size_t count = sizeof...(I);
  const auto& rest = std::get<count>(all);
  using Rest = std::decay_t<decltype(rest)>;
  Join forwards{count}, back{count};
  SideCall calls[count];
  const auto begin = [&](SideCall& side, const auto& call) {
    side.forwards = &forwards;
    side.back = &back;
    using Pair = std::pair<SideCall*, decltype(&call)>;
    return Pair(&side, &call);
  };
  auto begun = std::make_tuple(begin(calls[I], std::get<I>(all))...);
  const auto start = [&](auto& pair) {
    fibers->start([](void* work) {
      auto& [side, call] = *static_cast<std::remove_reference_t<decltype(pair)>*>(work);
      (*call)(SideCall::Deliver{side});
      side->back->arrive();
    }, &pair);
  };
  (start(std::get<count - 1 - I>(begun)), ...);  // the one begun last runs first
  forwards.wait();
  if (is_attempt) fibers->commit();
  void* places[parameters_of(&Rest::operator())];
  void** place = places;
  for (const SideCall& side : calls) place = std::copy(side.results, side.results + side.count, place);
  const Mark mark = arena().mark();
  call_with(rest, places, &Rest::operator());
  arena().reset(mark);  // the calls' reverse sweeps can have it
  for (const SideCall& side : calls) fibers->wake(side.fiber);
  back.wait();
}

/// Runs `at_once(is_attempt)`, where calls may be side by side; else, or if that fails, `in_turn()`.
template <class AtOnce, class InTurn>
void side_by_side_or(const AtOnce& at_once, const InTurn& in_turn) {
  if (!thread_stack || !thread_stack->active) return in_turn();
  Fibers& all = thread_fibers();
  if (all.within_attempt()) return at_once(false);
  if (!all.may_attempt()) return in_turn();
  if (all.attempt([&] { at_once(true); })) return;
  all.one_by_one = true;
  in_turn();
  all.one_by_one = false;
}

/// What all turns give in one place of their results: a list with an element of each turn. An adjoint that is a number is added
/// to what its turn was given, others are the turn's own.
template <class Result>
struct Column {
  using Element = Result;
  Element* elements = nullptr;
  void store(int64_t turn, Result result) const { elements[turn] = result; }
  void give_back(int64_t, const Result&) const {}
};
template <class T>
struct Column<T&> {
  using Element = T;
  Element* elements = nullptr;
  void store(int64_t turn, T&) const { elements[turn] = 0; }
  void give_back(int64_t turn, T& adjoint) const { adjoint += elements[turn]; }
};
template <class S>
struct Column<const S&> {
  using Element = const S*;
  Element* elements = nullptr;
  void store(int64_t turn, const S& result) const { elements[turn] = &result; }
  void give_back(int64_t, const S&) const {}
};
template <class S>
struct Column<S*> {
  using Element = const S*;
  Element* elements = nullptr;
  void store(int64_t turn, const S* result) const { elements[turn] = result; }
  void give_back(int64_t, const S*) const {}
};

template <class Turn, class Rest, class Results>
class Each;

template <class Turn, class Rest, class... Results>
class Each<Turn, Rest, Parameters<Results...>> {
 public:
  Each(int64_t turns, const Turn& turn, const Rest& rest) : turns_(turns), turn_(turn), rest_(rest) {}

  void in_turn() {
    allocate();
    from(0);
  }

  /// over_threads: what the turns add to is theirs, or the model's gradients.
  void at_once(bool is_attempt, bool over_threads) {
    allocate();
    const bool alone = !is_attempt || !over_threads || this_worker != 0 || (crew && crew->is_out());  // or behind turns that are shared already
    const int64_t sharing = alone ? 1 : std::clamp<int64_t>(turns_ / least_turns, 1, threads());
    sharing_ = sharing;
    if (sharing > 1) {
      thread_crew().settle();
      crew->start(static_cast<int>(sharing) - 1, [](void* each, int worker) { on_stack([&] { static_cast<Each*>(each)->of_worker(worker); }); }, this);
    }
    Share own(*this, 0, sharing);
    own.forwards();
    if (sharing > 1 && !crew->wait_for_arrivals()) fibers->give_up();
    if (is_attempt) fibers->commit();
    finish();
    if (sharing > 1) crew->go_back();
    own.back();
    if (sharing > 1) crew->finish();
  }

 private:
  static constexpr int64_t least_turns = 4;  // for each thread

  /// The turns of one thread.
  class Share {
   public:
    Share(Each& each, int64_t thread, int64_t threads)
        : each_(each), first_(each.turns_ * thread / threads), end_(each.turns_ * (thread + 1) / threads), forwards_{end_ - first_}, back_{end_ - first_} {}

    void forwards() {
      sides_ = arena().allocate_array<Side>(end_ - first_);
      for (int64_t i = end_; i-- > first_;) {  // the one begun last runs first
        Side* const side = new (sides_ + (i - first_)) Side{this, i, nullptr};
        fibers->start([](void* work) { static_cast<Side*>(work)->run(); }, side);
      }
      forwards_.wait();
    }
    void back() {
      for (int64_t i = first_; i < end_; ++i) fibers->wake(sides_[i - first_].fiber);
      back_.wait();
    }

   private:
    struct Side {
      Share* share;
      int64_t turn;
      Fiber* fiber;
      void run() {
        share->each_.turn_(turn, [&](Results... results) {
          share->each_.store(turn, results...);
          fiber = fibers->current();
          share->forwards_.arrive();
          fibers->wait();
          share->each_.give_back(turn, results...);
        });
        share->back_.arrive();
      }
    };

    Each& each_;
    const int64_t first_, end_;
    Join forwards_, back_;
    Side* sides_ = nullptr;
  };

  void of_worker(int64_t thread) {
    Fibers& all = thread_fibers();
    const bool succeeded = all.attempt([&] {
      Share own(*this, thread, sharing_);
      own.forwards();
      all.commit();
      if (shared_crew_->arrive(true)) own.back();
    });
    if (!succeeded) shared_crew_->arrive(false);
  }

  using Columns = std::tuple<Column<Results>...>;

  void allocate() {
    std::apply([&](auto&... column) {
      ((column.elements = with_room<typename std::decay_t<decltype(column)>::Element>(nullptr, 0, turns_)), ...);
    }, columns_);
  }
  void store(int64_t turn, Results... results) {
    std::apply([&](const auto&... column) { (column.store(turn, results), ...); }, columns_);
  }
  void give_back(int64_t turn, Results... results) {
    std::apply([&](const auto&... column) { (column.give_back(turn, results), ...); }, columns_);
  }
  void finish() {
    std::apply([&](const auto&... column) { rest_(full(column.elements, turns_)...); }, columns_);
  }
  void from(int64_t turn) {
    check_stack();
    if (turn == turns_) return finish();
    turn_(turn, [&](Results... results) {
      store(turn, results...);
      from(turn + 1);
      give_back(turn, results...);
    });
  }

  const int64_t turns_;
  const Turn& turn_;
  const Rest& rest_;
  Columns columns_;
  int64_t sharing_ = 1;  // here, as workers read it: an error of this thread's forgets the frames above
  Crew* const shared_crew_ = this_worker == 0 && threads() > 1 ? &thread_crew() : nullptr;
};

template <class Turn, class Rest, class... Results>
auto each_of(int64_t turns, const Turn& turn, const Rest& rest, void (Turn::*)(int64_t, continuation<Results...>) const) {
  return Each<Turn, Rest, typename AllParameters<Results...>::type>(turns, turn, rest);
}

}  // namespace detail

/// together(call, …, rest): each `call(k)` gives its results to k, and `rest` is called with those of all. (Calls that return: batch_direct.h.)
template <class... Work, std::enable_if_t<!(std::is_invocable_v<const Work&> && ...), int> = 0>
void together(const Work&... work) {
  const auto all = std::tie(work...);
  detail::side_by_side_or([&](bool is_attempt) { detail::at_once(all, is_attempt, std::make_index_sequence<sizeof...(Work) - 1>()); },
                          [&] { detail::in_turn<0>(all); });
}

/// `turn(i, k)` for each i below `turns` gives its results to k, a continuation<…>; `rest` is called with lists of them. Threads may
/// share the turns (crew.h).
template <class Turn, class Rest, std::enable_if_t<!std::is_invocable_v<const Turn&, int64_t>, int> = 0>
void each(int64_t turns, const Turn& turn, const Rest& rest) {
  auto all = detail::each_of(std::max<int64_t>(turns, 0), turn, rest, &Turn::operator());
  detail::side_by_side_or([&](bool is_attempt) { all.at_once(is_attempt, true); }, [&] { all.in_turn(); });
}

/// The same for turns that add to what is not theirs.
template <class Turn, class Rest>
void each_on_one_thread(int64_t turns, const Turn& turn, const Rest& rest) {
  auto all = detail::each_of(std::max<int64_t>(turns, 0), turn, rest, &Turn::operator());
  detail::side_by_side_or([&](bool is_attempt) { all.at_once(is_attempt, false); }, [&] { all.in_turn(); });
}

}  // namespace lantern
