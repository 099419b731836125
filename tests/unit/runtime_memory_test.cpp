// Arena, stack, continuations and errors.
#include <doctest/doctest.h>

#include <sys/mman.h>
#include <sys/resource.h>

#include <fstream>
#include <functional>
#include <limits>
#include <cstring>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "lantern/api.h"
#include "lantern/changes.h"
#include "lantern/keep.h"
#include "lantern/list_operations.h"

namespace runtime_memory_test {

using namespace lantern;

namespace {

struct Chain {
  double value;
  const Chain* next;
};

// prod(base, chain) = base · Π value, in continuation-passing style: depth grows by two frames a node.
void product(double base, double& base_adj, const Chain* chain, continuation<double> k) {
  check_stack("product");
  if (!chain) return k(base, base_adj);
  product(base, base_adj, chain->next, [&](double rest, double& rest_adj) {
    const double y = rest * chain->value;
    double y_adj = 0;
    k(y, y_adj);
    rest_adj += y_adj * chain->value;
  });
}

struct Result {
  double value = 0, gradient = 0;
};

Result product_and_gradient(double base, const Chain* chain) {
  return on_stack([&] {
    Result result;
    product(base, result.gradient, chain, [&](double y, double& y_adj) {
      result.value = y;
      y_adj = 1;
    });
    return result;
  });
}

/// A chain of n nodes in memory of its own.
struct OwnedChain {
  explicit OwnedChain(int64_t n) : nodes(static_cast<size_t>(n)) {
    for (size_t i = 0; i < nodes.size(); ++i) nodes[i] = {i % 2 ? 2.0 : 0.5, i + 1 < nodes.size() ? &nodes[i + 1] : nullptr};
  }
  const Chain* head() const { return nodes.data(); }
  std::vector<Chain> nodes;
};

std::string code_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.code();
  }
  return "none";
}

}  // namespace

TEST_CASE("a mark gives memory back, last in first out") {
  const Mark mark = arena().mark();
  double* a = arena().allocate_array<double>(10);
  CHECK(reinterpret_cast<uintptr_t>(a) % 64 == 0);
  arena().reset(mark);
  CHECK(arena().allocate_array<double>(10) == a);
  arena().reset(mark);
}

#ifdef LANTERN_ASAN
TEST_CASE("the address sanitizer knows what of an arena is no one's") {
  const Mark mark = arena().mark();
  double* a = arena().allocate_array<double>(3);
  CHECK(__asan_region_is_poisoned(a, 3 * sizeof(double)) == nullptr);
  CHECK(__asan_address_is_poisoned(a + 3));
  double* b = arena().allocate_array<double>(5);
  arena().reset({reinterpret_cast<char*>(b)});
  CHECK(__asan_address_is_poisoned(b));
  CHECK(__asan_region_is_poisoned(a, 3 * sizeof(double)) == nullptr);
  arena().reset(mark);
  CHECK(__asan_address_is_poisoned(a));

  detail::Chunks chunks;
  Arena grows(chunks);
  char* c = static_cast<char*>(grows.allocate(10));
  const Mark first = grows.mark();
  char* d = static_cast<char*>(grows.allocate(100'000));
  grows.reset(first);
  CHECK(!__asan_address_is_poisoned(c + 9));
  CHECK(__asan_address_is_poisoned(c + 10));
  CHECK(!__asan_address_is_poisoned(d));  // the chunk is no arena's now
  grows.clear();
  CHECK(!__asan_address_is_poisoned(c));
}
#endif

TEST_CASE("keep moves what lies above the mark down, even views that overlap, and leaves the rest") {
  const Vector<float> below = new_tensor<float, 1>({3});
  const Mark mark = arena().mark();
  arena().allocate(10000);
  const Vector<float> above = new_tensor<float, 1>({40});
  for (int i = 0; i < 40; ++i) above.data[i] = static_cast<float>(i);
  const Vector<float> part(above.data + 10, {20});
  const List<Vector<float>> list = append(append(List<Vector<float>>{}, above), part);
  const auto [kept_below, kept, kept_part, kept_list, text] = keep(mark, below, above, part, list, arena_string("text"));
  CHECK(kept_below.data == below.data);
  CHECK(kept.data == reinterpret_cast<float*>(Arena::align(mark.top)));
  CHECK(arena().top() - mark.top < 1000);
  CHECK(kept.data[39] == 39);
  CHECK(kept_part.data[0] == 10);
  CHECK(kept_list.data[0].data[39] == 39);
  CHECK(kept_list.data[1].data[19] == 29);
  CHECK(reinterpret_cast<char*>(kept_list.data[1].data) < arena().top());
  CHECK(text == "text");
  arena().reset(mark);
}

TEST_CASE("a list that has got empty has no places where something else will lie") {
  const Mark before = arena().mark();
  List<int64_t> below = list_of<int64_t>(1), above;
  pop_from(below);
  const int64_t* const places = below.data;
  const Mark mark = arena().mark();
  append_to(above, 2);
  pop_from(above);
  std::tie(below, above) = keep(mark, below, above);
  const List<int64_t> other = list_of<int64_t>(3, 4);
  append_to(below, 5);
  append_to(above, 6);
  CHECK(below.data == places);
  CHECK(other[0] == 3);
  arena().reset(before);
}

TEST_CASE("keep moves arrays in whatever order they lie, none over another") {
  const Mark mark = arena().mark();
  const auto counting = [](int64_t n, float from) {
    const Vector<float> x = new_tensor<float, 1>({n});
    for (int64_t i = 0; i < n; ++i) x.data[i] = from + static_cast<float>(i);
    return x;
  };
  arena().allocate(8);
  const Vector<float> first = counting(100, 0), second = counting(100, 1000), none = counting(0, 0);
  const auto [kept_second, number, kept_first, kept_none] = keep(mark, second, 2.5, first, none);
  CHECK(kept_first.data == reinterpret_cast<float*>(Arena::align(mark.top)));
  CHECK(kept_second.data == kept_first.data + 112);
  CHECK(kept_first.data[99] == 99);
  CHECK(kept_second.data[0] == 1000);
  CHECK(kept_second.data[99] == 1099);
  CHECK(number == 2.5);
  CHECK(kept_none.size() == 0);
  CHECK(arena().top() == reinterpret_cast<char*>(kept_second.data + 100));
  // Parts of one array, side by side: aligned, the second one's place would be within it.
  const Vector<float> left(kept_first.data + 1, {9}), right(kept_first.data + 10, {90});
  const auto [kept_left, kept_right] = keep(mark, left, right);
  CHECK(kept_left.data[0] == 1);
  CHECK(kept_left.data[8] == 9);
  CHECK(kept_right.data[0] == 10);
  CHECK(kept_right.data[89] == 99);
  arena().reset(mark);
}

TEST_CASE("an arena takes chunks as it grows, and others take what it gives back") {
  detail::Chunks chunks;
  const Arena before = arena();
  arena() = Arena(chunks);
  chunks.measure();
  char* const first = static_cast<char*>(arena().allocate(100));
  CHECK(chunks.measured() == detail::Chunks::first_bytes);
  const Mark mark = arena().mark();
  arena().allocate(detail::Chunks::first_bytes - 128);
  CHECK(chunks.measured() == 2 * detail::Chunks::first_bytes);
  arena().reset(mark);
  char* const small = static_cast<char*>(arena().allocate(detail::Chunks::first_bytes - 400));
  CHECK(small == first + 128);
  arena().allocate(detail::Chunks::least_bytes / 2);
  CHECK(chunks.measured() == 2 * detail::Chunks::first_bytes);
  Arena other(chunks);
  arena().clear();
  std::swap(arena(), other);
  CHECK(arena().allocate(100) == first);
  arena().clear();
  arena() = before;
}

TEST_CASE("what is lent of chunks stays until it is taken back, by whatever thread") {
  detail::Chunks chunks;
  const Arena before = arena();
  arena() = Arena(chunks);
  void* const first = arena().allocate(100);
  chunks.measure();
  detail::Chunk* const lent = chunks.lend(100);
  CHECK(chunks.measured() == detail::Chunks::first_bytes);  // the arena's alone
  arena().clear();
  chunks.clear(0);
  std::memset(lent->begin(), 1, static_cast<size_t>(lent->end - lent->begin()));
  CHECK(arena().allocate(100) == first);
  const int64_t charged = memory_in_use();
  std::thread([&] { chunks.take_back(lent); }).join();
  Arena other(chunks);
  std::swap(arena(), other);
  CHECK(lent->holds(arena().allocate(100)));
  CHECK(memory_in_use() == charged);
  arena().clear();
  std::swap(arena(), other);
  arena().clear();
  arena() = before;
  chunks.clear(0);
  CHECK(memory_in_use() < charged);
}

TEST_CASE("an arena of chunks forgets by marks, and keeps what is above one") {
  detail::Chunks chunks;
  const Arena before = arena();
  arena() = Arena(chunks);
  const int64_t charged = memory_in_use();
  {
    const Mark begin = arena().mark();
    int64_t* const below = arena().allocate_array<int64_t>(3);
    std::vector<std::pair<Mark, int64_t*>> blocks;  // each a bit longer than the last: most chunks have several, some one
    for (int64_t n = 1; n < 4000; n += 37) {
      const Mark mark = arena().mark();
      int64_t* const block = arena().allocate_array<int64_t>(n);
      CHECK(reinterpret_cast<uintptr_t>(block) % Arena::alignment == 0);
      std::fill(block, block + n, n);
      CHECK(arena().is_above(block + n, mark));
      CHECK(!arena().is_above(below + 3, mark));
      blocks.emplace_back(mark, block);
    }
    CHECK(arena().holds(below));
    CHECK(!arena().holds(&chunks));
    for (size_t i = 0; i < blocks.size(); ++i) {
      const auto n = static_cast<int64_t>(1 + 37 * i);
      CHECK(std::count(blocks[i].second, blocks[i].second + n, n) == n);
      CHECK(arena().is_above(blocks[i].second + n, blocks[blocks.size() / 2].first) == (i >= blocks.size() / 2));
    }
    const Vector<int64_t> early(blocks[60].second, {1 + 37 * 60}), late(blocks[100].second, {1 + 37 * 100});
    const auto [kept_early, kept_late, list] = keep(blocks[70].first, early, late, append(append(List<Vector<int64_t>>{}, late), early));
    CHECK(kept_early.data == early.data);
    CHECK(kept_late.data[37 * 100] == 1 + 37 * 100);
    CHECK(index(list, 0).data[5] == 1 + 37 * 100);
    CHECK(index(list, 1).data == early.data);
    const auto kept = keep(blocks[65].first, kept_late);
    CHECK(std::count(kept.data, kept.data + kept.size(), 1 + 37 * 100) == kept.size());
    arena().reset(blocks[3].first);
    CHECK(arena().allocate_array<int64_t>(1 + 37 * 3) == blocks[3].second);
    CHECK(code_of([&] { arena().allocate(int64_t{1} << 60); }) == "LT0711");
    arena().reset(begin);
    CHECK(!arena().holds(below));
  }
  CHECK(memory_in_use() > charged);
  chunks.clear(0);
  CHECK(memory_in_use() - charged <= int64_t{1} << 20);  // the arena aside
  arena() = before;
}

TEST_CASE("appending in a loop copies as little as doubling does") {
  const Mark mark = arena().mark();
  List<int64_t> list;
  for (int64_t i = 0; i < 100000; ++i) list = append(list, i);
  CHECK(arena().top() - mark.top < 4 * 131072 * 8);
  const List<int64_t> one = append(list, 1), two = append(list, 2);
  CHECK(index(one, -1) == 1);
  CHECK(index(two, -1) == 2);
  CHECK(code_of([&] { index(list, 100000, "x.py:1:2"); }) == "LT0706");
  arena().reset(mark);
}

TEST_CASE("places of a list that are too many, or too far apart, are errors") {
  const List<int64_t> list = list_of<int64_t>(1, 2, 3, 4);
  const auto taken = [&](int64_t start, int64_t step, int64_t count) {
    return code_of([&] { strided(list, start, step, count); });
  };
  constexpr int64_t far = int64_t{1} << 62;
  CHECK(taken(0, far, 5) == "LT0706");
  CHECK(taken(3, std::numeric_limits<int64_t>::min(), 3) == "LT0706");
  CHECK(taken(0, 3, 3) == "LT0706");
  CHECK(taken(1, -1, 3) == "LT0706");
  CHECK(taken(0, 1, -1) == "LT0706");
  CHECK(taken(4, 1, 1) == "LT0706");
  for (const auto& [start, step, count] : {std::tuple(0, far, 1), std::tuple(3, -far, 1)}) CHECK(strided(list, start, step, count).size == 1);
  CHECK(strided(list, 3, -3, 2)[1] == 1);
  CHECK(strided(list, 4, 1, 0).size == 0);
}

TEST_CASE("a product over a chain and its gradient") {
  const OwnedChain chain(10);
  const Result result = product_and_gradient(3, chain.head());
  CHECK(result.value == 3);
  CHECK(result.gradient == 1);
}

TEST_CASE("a continuation passes tensors as views and passive results alone") {
  const auto call = [](continuation<Vector<float>, float, passive<int64_t>> k) {
    const Vector<float> h = new_tensor<float, 1>({2}), h_adj = new_tensor<float, 1>({2});
    h_adj.data[0] = 0;
    float loss_adj = 0;
    k(h, h_adj, 7, loss_adj, 3);
    CHECK(h_adj.data[0] == 1);
    CHECK(loss_adj == 7);
  };
  call([&](Vector<float>, Vector<float> h_adj, float loss, float& loss_adj, int64_t n) {
    h_adj.data[0] += 1;
    loss_adj = loss;
    CHECK(n == 3);
  });
  bool called = false;
  const auto nothing = [](continuation<> k) { k(); };
  nothing([&] { called = true; });
  CHECK(called);
  CHECK(sizeof(continuation<float>) == 2 * sizeof(void*));
}

TEST_CASE("errors come out of the stack as exceptions, with the arena as it was") {
  arena().allocate(1);
  const char* top = arena().top();
  try {
    on_stack([&] {
      arena().allocate(100000);
      present<Chain>(nullptr, "tree.py:8:22", "tree.left");
    });
    CHECK(false);
  } catch (const Error& error) {
    CHECK(error.text() == "tree.py:8:22: AttributeError: tree.left is missing (None) [LT0703]");
  }
  CHECK(arena().top() == top);
  CHECK_THROWS_WITH_AS(raise_error("KeyError", "x.py:1:1", "no such word"), "no such word", Error);
  CHECK_THROWS_AS(on_stack([] { throw std::length_error("foreign"); }), std::length_error);
  CHECK(code_of([] { on_stack([] { require(false, "x.py:2:3", "must hold"); }); }) == "LT0702");
}

TEST_CASE("what frames own outside of the arena goes back, also where an error abandons them") {
  double numbers[3] = {1, 2, 3};
  const Vector<double> x{numbers, {3}};
  Changes<double> around;
  around.note(x, 0);
  numbers[0] = 4;
  const int64_t before = memory_in_use();
  const auto change = [&](bool fails) {
    Changes<double> first, second;
    {
      Changes<double> gone;
      for (int i = 0; i < 100; ++i) gone.note(x, 1);
    }
    for (int i = 0; i < 100000; ++i) (i % 2 ? first : second).note(x, i % 3);
    CHECK(memory_in_use() > before);
    if (fails) fail(errors::domain, "", "abandoned");
  };
  for (const bool fails : {true, true, false}) {
    CHECK((code_of([&] { on_stack([&] { change(fails); }); }) == "LT0708") == fails);
    CHECK(memory_in_use() == before);
  }
  change(false);
  CHECK(memory_in_use() == before);
  around.undo();
  CHECK(numbers[0] == 1);
}

TEST_CASE("nested on_stack runs in place, and an error leaves from the outermost") {
  bool inner_returned = false;
  CHECK(code_of([&] {
          on_stack([&] {
            CHECK(on_stack([] { return 5; }) == 5);
            on_stack([] { fail(errors::index, "", "out"); });
            inner_returned = true;
          });
        }) == "LT0706");
  CHECK(!inner_returned);
}

TEST_CASE("a million nodes fit on the stack") {
  const OwnedChain chain(1000000);
  CHECK(product_and_gradient(3, chain.head()).gradient == 1);
  CHECK(memory_in_use() < (int64_t{1} << 26));  // what the depth took has gone back
}

TEST_CASE("at whatever depth the stack ends, the error is StackExhausted and names the function") {
  const OwnedChain chain(20000);
  const int64_t before = stack_limit();
  int exhausted = 0, fine = 0;
  for (int64_t limit = 1; limit < 12000000; limit += limit < 20000 ? 37 : limit / 9 + 16) {
    set_stack_limit(limit);
    try {
      const Result result = product_and_gradient(2, chain.head());
      CHECK(result.value == 2);
      ++fine;
    } catch (const StackExhausted& error) {
      CHECK(std::string(error.what()).find("'product'") != std::string::npos);
      ++exhausted;
    }
  }
  set_stack_limit(before);
  CHECK(exhausted > 500);
  CHECK(fine >= 1);
  CHECK(product_and_gradient(2, chain.head()).value == 2);
}

TEST_CASE("past the memory limit stack and arena end in OutOfMemory") {
  const OwnedChain chain(1000000);
  const int64_t before = memory_limit();
  set_memory_limit(memory_in_use() + (int64_t{1} << 25));
  CHECK_THROWS_AS(product_and_gradient(2, chain.head()), OutOfMemory);
  CHECK_THROWS_AS(on_stack([] { for (;;) arena().allocate(1 << 20); }), OutOfMemory);
  CHECK_THROWS_AS(on_stack([] { arena().allocate_array<double>(int64_t{1} << 55); }), OutOfMemory);
  CHECK_THROWS_AS((Array<double, 2>(Shape<2>{1 << 20, 1 << 20})), OutOfMemory);
  set_memory_limit(before);
  CHECK(product_and_gradient(2, chain.head()).value == 2);
}

TEST_CASE("each thread has a stack and an arena of its own") {
  const OwnedChain chain(100000);
  const int64_t before = memory_in_use();
  std::thread other([&] {
    CHECK(product_and_gradient(3, chain.head()).value == 3);
    arena().allocate(1 << 22);
  });
  CHECK(product_and_gradient(3, chain.head()).value == 3);
  other.join();
  CHECK(memory_in_use() <= before + (1 << 24));
}

TEST_CASE("a thread that asks for no memory gets none") {
  std::thread([] {
    on_stack([] {});
    CHECK(arena().top() == nullptr);  // and no arithmetic was done on it: the sanitizers watch
  }).join();
}

TEST_CASE("denormals count as zero inside, unless exact, and are back outside") {
  volatile double tiny = 1e-310, one = 1;
  CHECK(tiny * one != 0);
  CHECK(on_stack([&] { return static_cast<double>(tiny * one); }) == 0);
  CHECK(tiny * one != 0);
  set_flush_to_zero(false);
  CHECK(on_stack([&] { return static_cast<double>(tiny * one); }) != 0);
  set_flush_to_zero(true);
}

TEST_CASE("byte counts") {
  CHECK(parse_bytes("8G") == int64_t{8} << 30);
  CHECK(parse_bytes("1.5K") == 1536);
  CHECK(parse_bytes("12") == 12);
  CHECK(parse_bytes("2mb") == 2 << 20);
  CHECK(parse_bytes("2mbs") == 0);
  CHECK(parse_bytes("2 M") == 0);
  CHECK(parse_bytes("many") == 0);
  CHECK(parse_bytes("-1") == 0);
}

#if !defined(LANTERN_ASAN) && !defined(LANTERN_TSAN)
TEST_CASE("where address space is short a region leaves some to others") {
  constexpr int64_t room = int64_t{1} << 30;
  rlimit before;
  REQUIRE(getrlimit(RLIMIT_AS, &before) == 0);
  long long pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlimit small{static_cast<rlim_t>(pages * page_bytes + room), before.rlim_max};
  REQUIRE(setrlimit(RLIMIT_AS, &small) == 0);
  std::vector<Region> regions;
  bool joined = false;
  for (int i = 0; i < 8; ++i) regions.push_back(reserve_region(int64_t{1} << 38));
  std::thread([&] { joined = true; }).join();
  REQUIRE(setrlimit(RLIMIT_AS, &before) == 0);
  CHECK(joined);
  for (const Region& region : regions) {
    CHECK(region.size >= int64_t{1} << 24);
    CHECK(region.size <= room / 8);
    munmap(region.begin, static_cast<size_t>(region.size));
  }
}
#endif

}  // namespace runtime_memory_test
