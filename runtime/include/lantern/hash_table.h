// The hash table by which a dict or a set finds its keys. Keys stand in a list, in the order in which they came; those that are tuples in several, one for each
// part. Slots say where keys may stand, by their hashes: each has the number of a key, or none. They are a power of two; where they are not, those beyond are not used.
// Slots are visited in CPython's order. What the numbers in them and those of keys say is not relied on: a slot whose key is not there is one that has been left.
#pragma once

#include <cmath>
#include <cstring>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "lantern/list_operations.h"

namespace lantern {

namespace detail {

constexpr int64_t free_slot = -1;  // and smaller: of a key that was taken out

constexpr uint64_t golden = 0x9e3779b97f4a7c15;  // 2⁶⁴ by the golden ratio
__extension__ typedef unsigned __int128 Wide;
inline uint64_t mixed_with(uint64_t mixed, uint64_t part) {
  const Wide product = Wide{mixed ^ part} * golden;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

template <class Number>
uint64_t bytes_at(const char* at) {
  Number number;
  std::memcpy(&number, at, sizeof(Number));
  return number;
}
/// The last bytes of a text, at most eight, as a number that no others of so many have.
inline uint64_t last_bytes(const char* at, size_t count) {
  if (count >= 4) return bytes_at<uint32_t>(at) | bytes_at<uint32_t>(at + count - 4) << 32;
  return count == 0 ? 0 : bytes_at<uint8_t>(at) | bytes_at<uint8_t>(at + count / 2) << 8 | bytes_at<uint8_t>(at + count - 1) << 16;
}

template <class Whole, std::enable_if_t<std::is_integral_v<Whole>, int> = 0>
uint64_t hash(Whole key) {
  const int64_t number = key;
  return static_cast<uint64_t>(number >= 0 ? number : -1 - number);
}
/// The same of 0.0 and -0.0, which are equal. Numbers too small to be normal are what they are, whatever the processor makes of them.
inline uint64_t bits_of(double key) {
  const uint64_t bits = bytes_at<uint64_t>(reinterpret_cast<const char*>(&key));
  return bits << 1 == 0 ? 0 : bits;
}
inline uint64_t hash(double key) { return mixed_with(0, bits_of(key)) >> 1; }
/// Of its length and its bytes, eight at a time.
inline uint64_t hash(std::string_view text) {
  const char* at = text.data();
  size_t left = text.size();
  uint64_t mixed = left * golden;
  for (; left > 8; at += 8, left -= 8) mixed = mixed_with(mixed, bytes_at<uint64_t>(at));
  return mixed_with(mixed, last_bytes(at, left)) >> 1;
}
template <class First, class Second, class... Rest>
uint64_t hash(const First& first, const Second& second, const Rest&... rest) {
  uint64_t mixed = 2 + sizeof...(Rest);
  for (const uint64_t part : {hash(first), hash(second), hash(rest)...}) mixed = mixed_with(mixed, part);
  return mixed >> 1;
}

template <class A, class B, std::enable_if_t<std::is_integral_v<A> && std::is_integral_v<B>, int> = 0>
bool are_equal(A a, B b) { return int64_t{a} == int64_t{b}; }
inline bool are_equal(double a, double b) { return bits_of(a) == bits_of(b) && !std::isnan(a); }
inline bool are_equal(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  size_t left = a.size(), at = 0;
  for (; left > 8; at += 8, left -= 8) {
    if (bytes_at<uint64_t>(a.data() + at) != bytes_at<uint64_t>(b.data() + at)) return false;
  }
  return last_bytes(a.data() + at, left) == last_bytes(b.data() + at, left);
}

/// The slot of a key, or the free one where it belongs; -1: neither is there. `is_key(entry)`: whether it is that one, of `count` keys.
template <class IsKey>
int64_t slot_for(const List<int64_t>& slots, int64_t count, uint64_t hash, const IsKey& is_key) {
  uint64_t size = static_cast<uint64_t>(slots.size);
  while ((size & (size - 1)) != 0) size &= size - 1;
  uint64_t slot = hash & (size - 1);
  for (uint64_t left = size > 0 ? size + 13 : 0; left > 0; --left) {  // 13 turns, and there is nothing left of the hash
    const int64_t entry = slots.data[slot];
    if (entry == free_slot || (entry >= 0 && entry < count && is_key(entry))) return static_cast<int64_t>(slot);
    hash >>= 5;
    slot = (5 * slot + hash + 1) & (size - 1);
  }
  return -1;
}

template <class Columns, class Key, size_t... Parts>
int64_t slot_of_parts(const List<int64_t>& slots, const Columns& keys, const Key& key, std::index_sequence<Parts...>) {
  const auto is_key = [&](int64_t entry) { return (are_equal(std::get<Parts>(keys).data[entry], std::get<Parts>(key)) && ...); };
  return slot_for(slots, std::get<0>(keys).size, hash(std::get<Parts>(key)...), is_key);
}

/// Of lists, and of a key's parts: so many first ones, and the others.
template <class All, size_t... Parts>
int64_t slot_among(const List<int64_t>& slots, const All& all, std::index_sequence<Parts...> parts) {
  return slot_of_parts(slots, std::tie(std::get<Parts>(all)...), std::tie(std::get<sizeof...(Parts) + Parts>(all)...), parts);
}

}  // namespace detail

/// slot_for(slots, keys…, key…): the slot of a key, or the free one where it belongs; -1: neither is there. keys…: the parts of all keys; key…: its own.
template <class... Parts>
int64_t slot_for(const List<int64_t>& slots, const Parts&... parts) {
  return detail::slot_among(slots, std::tie(parts...), std::make_index_sequence<sizeof...(Parts) / 2>());
}

/// A number that is to be a key. NaN is none: it equals no other, and in Python itself where it is the same object.
inline double as_key(double number, const char* location = "") {
  if (std::isnan(number)) fail(errors::domain, location, "nan is a key of a dict, or an element of a set");
  return number;
}

/// find_key(slots, keys…, key…): the number of a key in the lists; -1: it is not there.
template <class... Parts>
int64_t find_key(const List<int64_t>& slots, const Parts&... parts) {
  const int64_t slot = slot_for(slots, parts...);
  return slot < 0 ? -1 : slots.data[slot];
}

namespace detail {
/// So many slots, with those keys of which it is said that they are there.
template <class... Parts>
List<int64_t> slots_of(int64_t size, const List<bool>& there, const List<Parts>&... keys) {
  const List<int64_t> slots = lantern::repeated<int64_t>(free_slot, size);
  for (int64_t entry = 0; entry < there.size; ++entry) {
    const int64_t slot = there.data[entry] ? slot_for(slots, keys..., keys.data[entry]...) : -1;
    if (slot >= 0) const_cast<int64_t&>(slots.data[slot]) = entry;
  }
  return slots;
}

/// `value` at these places, where they are, and its contrary elsewhere.
inline List<bool> marked(const List<int64_t>& places, int64_t size, bool value) {
  const List<bool> marks = lantern::repeated<bool>(!value, size);
  for (const int64_t place : places)
    if (place >= 0 && place < size) const_cast<bool&>(marks.data[place]) = value;
  return marks;
}

template <class First, class... Rest>
int64_t count_of_keys(const List<First>& first, const List<Rest>&...) { return first.size; }
}  // namespace detail

/// So many slots, with the keys, but for those whose numbers are in `removed`, and those for which no slot is left.
template <class... Parts>
List<int64_t> make_slots(int64_t size, const List<int64_t>& removed, const List<Parts>&... keys) {
  return detail::slots_of(size, detail::marked(removed, detail::count_of_keys(keys...), false), keys...);
}

/// Slots of keys of which the last is in none yet: it gets the one where it belongs, and there are twice as many if it takes more than two thirds.
/// `with_slot_there` changes the slots that there were.
template <class... Parts>
List<int64_t> with_slot_there(const List<int64_t>& slots, const List<Parts>&... keys) {
  const int64_t count = detail::count_of_keys(keys...);
  const int64_t slot = count == 0 ? -1 : slot_for(slots, keys..., keys.data[count - 1]...);
  if (slot >= 0) const_cast<int64_t&>(slots.data[slot]) = count - 1;
  if (3 * count <= 2 * slots.size) return slots;
  return detail::slots_of(2 * slots.size, detail::marked(slots, count, true), keys...);
}
template <class... Parts>
List<int64_t> with_slot(const List<int64_t>& slots, const List<Parts>&... keys) { return with_slot_there(copy(slots), keys...); }
template <class... Parts>
void put_slot(List<int64_t>& slots, const List<Parts>&... keys) { slots = with_slot_there(slots, keys...); }

}  // namespace lantern
