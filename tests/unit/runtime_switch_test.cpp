// Each way to switch between stacks. Compiled for shadow stacks, where both are chosen from when the program runs.
#include <doctest/doctest.h>

#include <type_traits>
#include <vector>

#include "lantern/switch.h"

namespace runtime_switch_test {

using namespace lantern::detail;

namespace {

template <class Kind>
struct Pair {
  static inline Kind outside, inside;
  static inline std::vector<int> steps;

  /// What it keeps on its own stack is there when control comes back.
  static void count() {
    entered(inside);
    volatile double half = 0.5;
    for (int step = 1;; ++step) {
      half = half + 1;
      steps.push_back(static_cast<int>(half) == step ? step : -1);
      switch_to(inside, outside);
    }
  }
};

template <class Kind>
std::vector<int> steps_of() {
  using Both = Pair<Kind>;
  static char stack[1 << 16];
  Both::steps.clear();
  for (int time = 0; time < 2; ++time) {  // the second is abandoned, as the first has been
    prepare(Both::inside, stack, stack + sizeof stack, Both::count);
    for (int step = 1; step <= 3; ++step) {
      Both::steps.push_back(10 * step);
      switch_to(Both::outside, Both::inside);
    }
  }
  return Both::steps;
}

}  // namespace

TEST_CASE("control leaves a stack and comes back to it") {
  const std::vector<int> twice{10, 1, 20, 2, 30, 3, 10, 1, 20, 2, 30, 3};
  CHECK(steps_of<Context>() == twice);
  CHECK(steps_of<SystemContext>() == twice);
#ifdef LANTERN_OWN_SWITCH
  CHECK(steps_of<OwnContext>() == twice);
#endif
}

#if defined(LANTERN_OWN_SWITCH) && defined(__CET__)
TEST_CASE("the system switches only what has a shadow stack") {
  steps_of<Context>();
  const Context& started = Pair<Context>::inside;
  const bool by_system = started.system.size != 0;
  CHECK(by_system == has_shadow_stack());
  CHECK((started.own.top == nullptr) == by_system);
}
#endif

}  // namespace runtime_switch_test
