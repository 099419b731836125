// Slots of a hash table: where keys are found and put, whatever is in them.
#include <doctest/doctest.h>

#include <set>
#include <string>

#include "lantern/hash_table.h"
#include "lantern/stack.h"

namespace runtime_hash_table_test {

using namespace lantern;

TEST_CASE("hashes are the same for equal keys") {
  CHECK(detail::hash(std::string_view("")) == 0);
  std::set<uint64_t> hashes;
  std::string text(40, 'a');
  for (size_t length = 0; length <= text.size(); ++length) {
    const std::string_view all(text.data(), length);
    CHECK(detail::hash(std::string(all)) == detail::hash(all));
    CHECK(detail::are_equal(std::string(all), all));
    hashes.insert(detail::hash(all));
    for (size_t i = 0; i < length; ++i) {
      std::string other(all);
      other[i] = 'b';
      CHECK(!detail::are_equal(other, all));
      hashes.insert(detail::hash(other));
    }
  }
  CHECK(hashes.size() == 41 + 40 * 41 / 2);
  CHECK(detail::hash(int64_t{7}) == 7);
  CHECK(detail::hash(int64_t{-1}) == 0);
  CHECK(detail::hash(std::numeric_limits<int64_t>::min()) == detail::hash(std::numeric_limits<int64_t>::max()));
  CHECK(detail::hash(int64_t{1}, std::string_view("a")) != detail::hash(int64_t{2}, std::string_view("a")));
}

TEST_CASE("a key that is put into slots is found, and no other") {
  on_stack([] {
    auto slots = repeated<int64_t>(-1, 8);
    List<int64_t> numbers{};
    List<std::string_view> words{};
    for (int64_t i = 0; i < 1000; ++i) {
      append_to(numbers, i * 64 - 20000);
      append_to(words, i % 2 ? "odd" : "even");
      put_slot(slots, numbers, words);
    }
    CHECK(slots.size == 2048);
    for (int64_t i = 0; i < 1000; ++i) {
      CHECK(find_key(slots, numbers, words, i * 64 - 20000, std::string_view(i % 2 ? "odd" : "even")) == i);
      CHECK(find_key(slots, numbers, words, i * 64 - 20000, std::string_view(i % 2 ? "even" : "odd")) == -1);
    }
    const auto fewer = make_slots(2048, list_of<int64_t>(3, 5000, -7), numbers, words);
    CHECK(find_key(fewer, numbers, words, 2 * 64 - 20000, std::string_view("even")) == 2);
    CHECK(find_key(fewer, numbers, words, 3 * 64 - 20000, std::string_view("odd")) == -1);
  });
}

TEST_CASE("slots that make no sense have no key, and no place for one") {
  on_stack([] {
    const auto keys = list_of<int64_t>(1, 2, 3);
    CHECK(find_key(List<int64_t>{}, keys, int64_t{1}) == -1);
    CHECK(slot_for(List<int64_t>{}, keys, int64_t{1}) == -1);
    CHECK(find_key(list_of<int64_t>(5, 77, -9, 3), keys, int64_t{1}) == -1);
    CHECK(slot_for(list_of<int64_t>(5, 77, -9, 3), keys, int64_t{1}) == -1);
    CHECK(slot_for(list_of<int64_t>(5, 77, -9, -1, -1, -1, -1), keys, int64_t{1}) == 3);  // those beyond four are not used
    CHECK(with_slot(List<int64_t>{}, keys).size == 0);
    CHECK(make_slots(-3, List<int64_t>{}, keys).size == 0);
    const auto slots = repeated<int64_t>(-1, 8);
    CHECK(find_key(with_slot(slots, keys), keys, int64_t{3}) == 2);
    CHECK(slots[3] == -1);
    CHECK(with_slot(slots, List<int64_t>{}).size == 8);
  });
}

}  // namespace runtime_hash_table_test
