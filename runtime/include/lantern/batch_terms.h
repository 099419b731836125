// The batched schedule of a sum whose terms' gradients are taken one by one. Each turn gives numbers, and then waits, as turns of
// batch.h do, but not for all others: a wave of turns goes forwards and back, and gives its memory to the next, so that a batch of any
// size takes as much as stays in cache. Threads take waves from a queue (wave_queue.h).
#pragma once

#include <algorithm>
#include <tuple>
#include <type_traits>

#include "lantern/batch_direct.h"

namespace lantern {

namespace detail {

template <class Turn, class Results>
class Terms;

template <class Turn, class... Results>
class Terms<Turn, Parameters<Results...>> {
 public:
  static_assert((std::is_arithmetic_v<Results> && ...), "turns that take a gradient give numbers");

  /// over_threads: they call nothing that threads may not.
  Terms(int64_t turns, const Turn& turn, bool over_threads)
      : turns_(std::max<int64_t>(turns, 0)), turn_(turn), over_threads_(over_threads), results_{with_room<Results>(nullptr, 0, turns_)...} {}

  /// All turns, forwards and back. A pointer to the first of each result.
  const std::tuple<Results*...>& run() {
    const bool alone = !over_threads_ || this_worker != 0 || !thread_stack || !thread_stack->active || (fibers && (fibers->within_attempt() || !fibers->may_attempt())) || (crew && crew->is_out());
    const int64_t sharing = alone ? 1 : std::clamp<int64_t>(turns_ / least_turns, 1, threads());
    if (sharing > 1) share(static_cast<int>(sharing));
    else by_this_thread();
    return results_;
  }

 private:
  static constexpr int64_t least_turns = 4;  // for each thread

  void by_this_thread() {
    int64_t width = first_wave;
    for (int64_t begin = 0, end; begin < turns_; begin = end) {
      end = std::min(turns_, begin + width);
      int64_t bytes = 0;
      const bool may_attempt = end - begin > 1 && thread_stack && thread_stack->active && !thread_fibers().within_attempt() && fibers->may_attempt();
      if (!may_attempt) in_turn(begin, end);
      else if (!attempt(begin, end, bytes)) one_by_one([&] { in_turn(begin, end); });
      width = next_wave(end - begin, bytes);
    }
  }

  void share(int threads) {
    thread_crew().settle();
    crew->waves().begin(turns_, threads);
    crew->start(threads - 1, [](void* terms, int) { on_stack([&] { static_cast<Terms*>(terms)->of_thread(); }); }, this);
    of_thread();
    crew->finish();
  }

  /// Waves, until none is left. An error of one is met when all before it have been made.
  void of_thread() {
    WaveQueue& waves = shared_crew_->waves();
    for (WaveQueue::Wave wave; waves.next(wave);) {
      shared_crew_->parts().use(wave.part);
      int64_t bytes = 0;
      if (!thread_fibers().may_attempt() || !attempt(wave.begin, wave.end, bytes)) {
        if (!waves.wait_for_those_before(wave)) return;
        one_by_one([&] { in_turn(wave.begin, wave.end); });
      }
      waves.complete(wave, bytes);
    }
  }

  [[gnu::noinline]] void in_turn(int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const Mark mark = arena().mark();
      turn_(i, [&](Results... results) { store(i, results...); });
      arena().reset(mark);
    }
  }

  struct Wave {
    Terms& terms;
    Join forwards, back;
  };
  struct Side {
    Wave* wave;
    int64_t turn;
    Fiber* fiber;
    void run() {
      wave->terms.turn_(turn, [&](Results... results) {
        wave->terms.store(turn, results...);
        fiber = fibers->current();
        wave->forwards.arrive();
        fibers->wait();
      });
      wave->back.arrive();
    }
  };

  /// Turns side by side, and how much memory they took. False: there was an error, and nothing of them is left.
  [[gnu::noinline]] bool attempt(int64_t begin, int64_t end, int64_t& bytes) {
    fibers->measure();
    const bool succeeded = fibers->attempt([&] { at_once(begin, end); });
    bytes = succeeded ? fibers->measured() : 0;
    return succeeded;
  }
  void at_once(int64_t begin, int64_t end) {
    Wave wave{*this, {end - begin}, {end - begin}};
    Side sides[most_wave];
    for (int64_t i = end; i-- > begin;) {  // the one begun last runs first
      Side& side = sides[i - begin] = {&wave, i, nullptr};
      fibers->start([](void* work) { static_cast<Side*>(work)->run(); }, &side);
    }
    wave.forwards.wait();
    fibers->commit();  // none has added to a gradient yet
    for (int64_t i = begin; i < end; ++i) fibers->wake(sides[i - begin].fiber);
    wave.back.wait();
  }

  void store(int64_t turn, Results... results) {
    std::apply([&](Results*... all) { ((all[turn] = results), ...); }, results_);
  }

  const int64_t turns_;
  const Turn& turn_;
  const bool over_threads_;
  const std::tuple<Results*...> results_;
  Crew* const shared_crew_ = this_worker == 0 && threads() > 1 ? &thread_crew() : nullptr;  // as workers read it
};

template <class Turn, class... Results>
auto terms_of(int64_t turns, const Turn& turn, bool over_threads, void (Turn::*)(int64_t, continuation<Results...>) const) {
  return Terms<Turn, typename AllParameters<Results...>::type>(turns, turn, over_threads);
}

template <class Turn, class Then>
void terms_then(int64_t turns, const Turn& turn, bool over_threads, const Then& then) {
  auto terms = terms_of(turns, turn, over_threads, &Turn::operator());
  const auto results = terms.run();
  for (int64_t i = 0; i < turns; ++i) {
    const Mark mark = arena().mark();
    std::apply([&](const auto*... all) { give(then, i, mark, std::make_tuple(all[i]...)); }, results);
  }
}
template <class Turn>
auto lists_of_terms(int64_t turns, const Turn& turn, bool over_threads) {
  auto terms = terms_of(turns, turn, over_threads, &Turn::operator());
  return std::apply([&](auto*... all) {
    if constexpr (sizeof...(all) == 1) return full(all..., std::max<int64_t>(turns, 0));
    else return std::make_tuple(full(all, std::max<int64_t>(turns, 0))...);
  }, terms.run());
}

}  // namespace detail

/// `turn(i, k)` for each i below `turns` gives numbers to k, a continuation<passive<…>…>, and behind that adds its gradient to the
/// model's. Lists of what they give. Threads may share the turns (crew.h).
template <class Turn>
auto each_term(int64_t turns, const Turn& turn) { return detail::lists_of_terms(turns, turn, true); }
/// The same for turns that call what no thread but this may.
template <class Turn>
auto each_term_on_one_thread(int64_t turns, const Turn& turn) { return detail::lists_of_terms(turns, turn, false); }

/// And `then` with the results of each, in order, as in `each` (batch_direct.h).
template <class Turn, class Then>
void each_term(int64_t turns, const Turn& turn, const Then& then) { detail::terms_then(turns, turn, true, then); }
template <class Turn, class Then>
void each_term_on_one_thread(int64_t turns, const Turn& turn, const Then& then) { detail::terms_then(turns, turn, false, then); }

}  // namespace lantern
