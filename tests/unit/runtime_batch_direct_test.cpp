// Calls side by side that return give what they give one after another, and leave no more in the arena than that.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "lantern/runtime.h"

namespace runtime_batch_direct_test {

namespace {

using namespace lantern;

constexpr int64_t width = 80;  // its square is worth waiting for company

struct Node {
  const Node *left, *right;
  double leaf;
  bool broken;
};

struct Reading {
  Vector<double> state;
  List<int64_t> leaves;
  const Reading *left, *right;
};

void copy_links(Reading& copy, Copies& copies) {
  copy.state = copies.of(copy.state);
  copy.leaves = copies.of(copy.leaves);
  copy.left = copies.of(copy.left);
  copy.right = copies.of(copy.right);
}

void copy_links(Node& copy, Copies& copies) {
  copy.left = copies.of(copy.left);
  copy.right = copies.of(copy.right);
}

Array<double, 2>& weight() {
  static Array<double, 2> weight = [] {
    Array<double, 2> made{{width, width}};
    for (int64_t i = 0; i < made.size(); ++i) made.data()[i] = 0.2 * std::sin(static_cast<double>(i));
    return made;
  }();
  return weight;
}

const Node* tree(int64_t leaves, int64_t seed, int64_t broken = -1) {
  if (leaves == 1) return make<Node>(nullptr, nullptr, static_cast<double>(seed), seed == broken);
  const int64_t left = 1 + (seed * 7 + leaves) % (leaves - 1);
  return make<Node>(tree(left, seed, broken), tree(leaves - left, seed + left, broken), 0.0, false);
}

/// h = tanh(W·(h_left + h_right)), and the sum of all leaves.
std::tuple<Vector<double>, double> encode(const Node& node) {
  check_stack("encode");
  if (!node.left) {
    if (node.broken) raise_error("ValueError", "", "leaf " + std::to_string(static_cast<int>(node.leaf)));
    return {full<double>({width}, std::sin(node.leaf)), node.leaf};
  }
  Vector<double> l{}, r{};
  double l_sum{}, r_sum{};
  std::tie(l, l_sum, r, r_sum) = together([&] { return encode(*node.left); }, [&] { return encode(*node.right); });
  return {tanh(matmul(weight(), l + r)), l_sum * 0.5 + r_sum};
}

const Reading& read(const Node& node) {
  check_stack("read");
  if (!node.left) return *make<Reading>(full<double>({width}, std::sin(node.leaf)), append(List<int64_t>{}, static_cast<int64_t>(node.leaf)), nullptr, nullptr);
  const Reading *left{}, *right{};
  std::tie(left, right) = together([&] { return &read(*node.left); }, [&] { return &read(*node.right); });
  return *make<Reading>(Vector<double>(tanh(matmul(weight(), left->state + right->state))), concat(left->leaves, right->leaves), left, right);
}

bool same(const Reading* one, const Reading* other) {
  if (!one || !other) return one == other;
  bool all = one->leaves.size == other->leaves.size && max(abs(one->state - other->state)) < 1e-12;
  for (int64_t i = 0; all && i < one->leaves.size; ++i) all = one->leaves.data[i] == other->leaves.data[i];
  return all && same(one->left, other->left) && same(one->right, other->right);
}

/// Of a batch of trees, turn by turn: a state that is an array, and a sum.
std::tuple<double, double> score(int64_t trees, int64_t leaves, int64_t broken = -1) {
  return on_stack([&]() -> std::tuple<double, double> {
    const Mark all = arena().mark();
    Vector<double> state = zeros<double>({width});
    double sums = 0;
    each(trees, [&](int64_t i) -> std::tuple<Vector<double>, double> { return encode(*tree(leaves + i % 3, i, broken)); },
         [&](int64_t i, Mark mark, Vector<double> h, double leaves_sum) {
      sums = sums * 0.9 + leaves_sum * static_cast<double>(i);
      state = keep(mark, Vector<double>(state * 0.5 + h));
    });
    const std::tuple<double, double> results{sum(state), sums};
    arena().reset(all);
    return results;
  });
}

/// The same with no room for stacks: one after another.
template <class Work>
auto in_turn(Work&& work) {
  detail::thread_fibers().one_by_one = true;
  return work();  // which ends a run, and the flag with it
}

void check_same(const std::tuple<double, double>& one, const std::tuple<double, double>& other) {
  CHECK(std::get<0>(one) == doctest::Approx(std::get<0>(other)).epsilon(1e-12));
  CHECK(std::get<1>(one) == doctest::Approx(std::get<1>(other)).epsilon(1e-12));
}

std::string message(int64_t trees, int64_t leaves, int64_t broken) {
  try {
    score(trees, leaves, broken);
  } catch (const Error& error) {
    return error.text();
  }
  return "";
}

}  // namespace

TEST_CASE("a batch side by side returns what it returns in turn") {
  for (const int64_t trees : {0, 1, 2, 25, 200}) {
    for (const int64_t leaves : {1, 2, 9, 40}) {
      const auto first = score(trees, leaves);
      check_same(first, in_turn([&] { return score(trees, leaves); }));
      CHECK(score(trees, leaves) == first);  // the same bits
    }
  }
}

/// How many vectors the largest product of 300 turns has, each of which has an array of so many numbers meanwhile.
int64_t largest_product(int64_t numbers) {
  int64_t largest = 0;
  on_stack([&] {
    const List<Vector<double>> all = each(300, [&](int64_t i) -> Vector<double> {
      const Vector<double> kept = full<double>({numbers}, 1.0);
      const Vector<double> y = matmul(weight(), full<double>({width}, static_cast<double>(i))) * kept.data[0];
      largest = std::max(largest, detail::fibers->last_multiplied());
      return y;
    });
    CHECK(all.size == 300);
    for (int64_t i = 0; i < 300; ++i) CHECK(max(abs(all.data[i] - matmul(weight().tensor(), full<double>({width}, static_cast<double>(i))))) < 1e-9);
  });
  return largest;
}

TEST_CASE("products of turns that return are made together, and no more wait than are enough, or stay in cache") {
  CHECK(largest_product(1) == detail::most_returning);
  CHECK(largest_product(1 << 17) == detail::enough_at_once);
  const int64_t some = largest_product(1 << 13);
  CHECK(some > detail::enough_at_once);
  CHECK(some < detail::most_returning);
}

TEST_CASE("structures, with all that they lead to, are copied out, and what was there before is not") {
  on_stack([&] {
    const Node& node = *tree(30, 1);
    detail::thread_fibers().one_by_one = true;
    const Reading& alone = read(node);
    detail::fibers->one_by_one = false;
    const Reading& reading = read(node);
    CHECK(same(&reading, &alone));
    const List<const Reading*> all = each(70, [&](int64_t) -> const Reading* { return &read(node); });
    for (const Reading* one : all) CHECK(same(one, &alone));
    const List<const Node*> nodes = each(70, [&](int64_t i) -> const Node* { return i % 2 == 0 ? &node : node.left; });
    CHECK(nodes.data[68] == &node);
    CHECK(nodes.data[69] == node.left);
    const List<const Reading*> shared = each(2, [&](int64_t i) -> const Reading* {  // 2^60 ways lead through it
      const Reading* made = make<Reading>(full<double>({2}, static_cast<double>(i)), List<int64_t>{}, nullptr, nullptr);
      for (int depth = 0; depth < 60; ++depth) made = make<Reading>(made->state, List<int64_t>{}, made, made);
      return made;
    });
    CHECK(shared.data[1]->left == shared.data[1]->right);
    CHECK(sum(shared.data[1]->left->right->state) == 2);
  });
}

TEST_CASE("what turns leave in the arena is forgotten, side by side and in turn") {
  for (const bool one_by_one : {false, true}) {
    on_stack([&] {
      detail::thread_fibers().one_by_one = one_by_one;
      double total = 0;
      const auto turns = [&](int64_t count) {
        each(count, [&](int64_t i) -> double {
          const Vector<double> h = std::get<0>(encode(*tree(5, i)));
          return sum(h);
        }, [&](double x) { total += x; });
        each(count, [&](int64_t i) { return encode(*tree(3, i)); }, [&](Mark mark, Vector<double> h, double x) {
          total += sum(h) * x;
          arena().reset(mark);
        });
      };
      turns(300);
      const char* const top = arena().top();
      turns(200);
      const int64_t few = arena().top() - top;
      const char* const middle = arena().top();
      turns(7000);
      CHECK(arena().top() - middle <= few);
      CHECK(std::isfinite(total));
    });
  }
}

TEST_CASE("lists that grow in their caller's place keep what they have got") {
  for (const bool one_by_one : {false, true}) {
    on_stack([&] {
      detail::thread_fibers().one_by_one = one_by_one;
      const List<Vector<double>> before = append(List<Vector<double>>{}, zeros<double>({3}));
      List<Vector<double>> shorter{}, longer{};
      std::tie(shorter, longer) = together([&] { return append(before, full<double>({3}, 1.0)); }, [&]() -> List<Vector<double>> {
        static_cast<void>(full<double>({1000}, 5.0));
        return append(before, full<double>({3}, 2.0));
      });
      for (int i = 0; i < 100; ++i) static_cast<void>(full<double>({100}, 7.0));
      CHECK(shorter.size == 2);
      CHECK(sum(shorter.data[1]) == 3);
      CHECK(longer.size == 2);
      CHECK(sum(longer.data[1]) == 6);
    });
  }
}

TEST_CASE("of several errors in calls that return it is the first in the program's order") {
  const auto before = score(80, 10);
  CHECK(message(80, 10, 3) == "ValueError: leaf 3 [LT0701]");
  CHECK(message(80, 1, 79) == "ValueError: leaf 79 [LT0701]");
  int64_t given = 0;
  const auto broken = [&](int64_t at) {
    given = 0;
    CHECK_THROWS_AS(on_stack([&] {
      each(100, [&](int64_t i) -> double {
        if (i == 90) raise_error("ValueError", "", "the turn's");
        return std::get<1>(encode(*tree(4, i)));
      }, [&](int64_t i, double) {
        ++given;
        if (i == at) raise_error("KeyError", "", "what follows it");
      });
    }), Error);
  };
  broken(200);
  CHECK(given == 90);
  broken(80);
  CHECK(given == 81);
  CHECK_THROWS_AS(on_stack([&] { each(3, [](int64_t i) -> double {
    if (i == 1) throw std::logic_error("the host's");
    return 1;
  }); }), std::logic_error);
  CHECK(score(80, 10) == before);
}

namespace {

int64_t descend(int64_t depth) {
  check_stack("descend");
  return depth == 0 ? 0 : descend(depth - 1) + 1;
}

}  // namespace

TEST_CASE("what is too deep for a stack among others, or has no room, returns what it does in turn") {
  const List<int64_t> depths = on_stack([&] { return each(3, [](int64_t i) -> int64_t { return descend(200000 + i); }); });
  CHECK(depths.data[2] == 200002);
  const auto [deep, flat] = on_stack([&] { return together([] { return descend(200000); }, [] { return descend(3); }); });
  CHECK(deep == 200000);
  CHECK(flat == 3);
  double total = 0;
  on_stack([&] {
    each(3, [&](int64_t i) -> double {
      const Vector<double> large = full<double>({1 << 20}, static_cast<double>(i));  // 8 MB, beyond a fiber's arena
      return sum(large);
    }, [&](double x) { total += x; });
  });
  CHECK(total == 3.0 * (1 << 20));
}

TEST_CASE("threads that share turns that return give the same bits as one") {
  for (const int64_t trees : {3, 8, 50, 300}) {
    set_threads(1);
    const auto first = score(trees, 12);
    for (const int count : {2, 3, 7}) {
      set_threads(count);
      for (int again = 0; again < 5; ++again) check_same(score(trees, 12), first);
      CHECK(score(trees, 12) == score(trees, 12));
      CHECK(message(trees, 1, trees - 1) == "ValueError: leaf " + std::to_string(trees - 1) + " [LT0701]");
      CHECK_THROWS_AS(on_stack([&] {
        each(trees, [](int64_t i) -> double { return std::get<1>(encode(*tree(4, i))); }, [](int64_t i, double) {
          if (i == 2) raise_error("KeyError", "", "behind it");
        });
      }), Error);
    }
  }
  set_threads(1);
}

TEST_CASE("calls that return run within what goes back") {
  on_stack([&] {
    List<double> values;
    each(20, [&](int64_t i, continuation<double> k) {
      double x = 0, x_adj = 0;
      each(5, [&](int64_t j) -> double { return std::get<1>(encode(*tree(6, i + j))); }, [&](double y) { x += y; });
      k(x, x_adj);
      x_adj = std::get<1>(encode(*tree(6, i)));  // the reverse sweep
    }, [&](List<double> x, List<double>) { values = x; });
    for (int64_t i = 0; i < 20; ++i) {
      double exact = 0;
      for (int64_t j = 0; j < 5; ++j) exact += std::get<1>(encode(*tree(6, i + j)));
      CHECK(values.data[i] == doctest::Approx(exact).epsilon(1e-12));
    }
  });
}

}  // namespace runtime_batch_direct_test
