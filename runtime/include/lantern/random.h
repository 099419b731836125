// Random numbers: Philox 4x32-10 (Salmon et al., SC 2011), counter-based, so that a NumPy twin draws the same bits.
//
// The stream's key is the seed (low word, high word) and a running 64-bit counter of blocks; block b is philox of the
// counter (low32(b), high32(b), 0, 0): four words. A draw of n values takes the next ⌈n/4⌉ blocks, word i of the draw
// going to value i:
//   uniform  lo + (hi − lo) · (u · 2⁻³²), in double
//   normal   Box–Muller on words (u1, u2) of each pair: r = √(−2 ln((u1 + 1) · 2⁻³²)), z0 = r cos(2π u2 2⁻³²), z1 = r sin(…)
//   shuffle  n − 1 values; for i = n−1 … 1 in turn, j = ⌊u · 2⁻³² · (i + 1)⌋ and items i and j change places
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "lantern/array.h"
#include "lantern/list.h"

namespace lantern {

class Random {
 public:
  using Block = std::array<uint32_t, 4>;

  explicit Random(uint64_t key = 0) : key_(key) {}
  void seed(uint64_t key) { *this = Random(key); }
  uint64_t key() const { return key_; }
  uint64_t position() const { return block_; }

  /// Block `b` of the stream of `key`: the bijection itself, ten rounds.
  static Block philox(uint64_t key, uint64_t b) {
    Block x{static_cast<uint32_t>(b), static_cast<uint32_t>(b >> 32), 0, 0};
    auto k0 = static_cast<uint32_t>(key), k1 = static_cast<uint32_t>(key >> 32);
    for (int round = 0; round < 10; ++round) {
      const uint64_t p0 = uint64_t{0xD2511F53} * x[0], p1 = uint64_t{0xCD9E8D57} * x[2];
      x = {static_cast<uint32_t>(p1 >> 32) ^ x[1] ^ k0, static_cast<uint32_t>(p1),
           static_cast<uint32_t>(p0 >> 32) ^ x[3] ^ k1, static_cast<uint32_t>(p0)};
      k0 += 0x9E3779B9;
      k1 += 0xBB67AE85;
    }
    return x;
  }

  /// One draw of n values: put(i, value) for each.
  template <class Put>
  void draw_uniform(int64_t n, double lo, double hi, Put&& put) {
    draw(n, [&](int64_t i, const Block& words, int64_t count) {
      for (int64_t w = 0; w < count; ++w) put(i + w, lo + (hi - lo) * (words[static_cast<size_t>(w)] * 0x1p-32));
    });
  }
  template <class Put>
  void draw_normal(int64_t n, double mean, double deviation, Put&& put) {
    draw(n, [&](int64_t i, const Block& words, int64_t count) {
      for (int64_t w = 0; w < count; w += 2) {
        const double r = std::sqrt(-2 * std::log((words[static_cast<size_t>(w)] + 1.0) * 0x1p-32));
        const double angle = 6.283185307179586 * (words[static_cast<size_t>(w + 1)] * 0x1p-32);
        put(i + w, mean + deviation * (r * std::cos(angle)));
        if (w + 1 < count) put(i + w + 1, mean + deviation * (r * std::sin(angle)));
      }
    });
  }
  template <class T>
  void shuffle(T* items, int64_t n) {
    draw_uniform(n - 1, 0, 1, [&](int64_t k, double u) {
      const int64_t i = n - 1 - k;
      std::swap(items[i], items[static_cast<int64_t>(u * static_cast<double>(i + 1))]);
    });
  }

 private:
  template <class Use>
  void draw(int64_t n, Use&& use) {
    for (int64_t i = 0; i < n; i += 4) use(i, philox(key_, block_++), std::min<int64_t>(4, n - i));
  }

  uint64_t key_, block_ = 0;
};

namespace detail {
inline Random process_stream;
}

/// The program's stream: one for the process, not for several threads at once.
inline Random& stream() { return detail::process_stream; }

template <class T, int Rank>
void initialize_uniform(Array<T, Rank>& array, double lo, double hi) {
  stream().draw_uniform(array.size(), lo, hi, [&](int64_t i, double x) { array.data()[i] = static_cast<T>(x); });
}
template <class T, int Rank>
void initialize_normal(Array<T, Rank>& array, double mean, double deviation) {
  stream().draw_normal(array.size(), mean, deviation, [&](int64_t i, double x) { array.data()[i] = static_cast<T>(x); });
}
template <class T, int Rank>
void fill(Array<T, Rank>& array, double value) { std::fill(array.begin(), array.end(), static_cast<T>(value)); }

namespace detail {
template <size_t Rank>
Shape<static_cast<int>(Rank)> shape_from(const int64_t (&dimensions)[Rank]) {
  Shape<static_cast<int>(Rank)> shape{};
  for (size_t i = 0; i < Rank; ++i) shape[i] = dimensions[i];
  return shape;
}
}  // namespace detail

/// A tensor of draws, in the arena: `uniform<float>(lo, hi, {m, n})`; without a shape, one number.
template <class T, size_t Rank>
auto uniform(double lo, double hi, const int64_t (&dimensions)[Rank]) {
  const auto result = new_tensor<T, static_cast<int>(Rank)>(detail::shape_from(dimensions));
  stream().draw_uniform(result.size(), lo, hi, [&](int64_t i, double x) { result.data[i] = static_cast<T>(x); });
  return result;
}
template <class T>
T uniform(double lo, double hi) {
  T result{};
  stream().draw_uniform(1, lo, hi, [&](int64_t, double x) { result = static_cast<T>(x); });
  return result;
}
template <class T, size_t Rank>
auto normal(double mean, double deviation, const int64_t (&dimensions)[Rank]) {
  const auto result = new_tensor<T, static_cast<int>(Rank)>(detail::shape_from(dimensions));
  stream().draw_normal(result.size(), mean, deviation, [&](int64_t i, double x) { result.data[i] = static_cast<T>(x); });
  return result;
}
template <class T>
T normal(double mean, double deviation) {
  T result{};
  stream().draw_normal(1, mean, deviation, [&](int64_t, double x) { result = static_cast<T>(x); });
  return result;
}

/// The numbers below n in an order that is drawn from the program's stream, as `shuffled` draws it.
inline Vector<int64_t> permutation(int64_t n) {
  const auto result = new_tensor<int64_t, 1>({n});
  for (int64_t i = 0; i < n; ++i) result.data[i] = i;
  if (n > 1) stream().shuffle(result.data, n);
  return result;
}

/// The data set in a new order, drawn from the program's stream.
template <class T>
Dataset<T> shuffled(const Dataset<T>& dataset) {
  const T** items = detail::copy_to_arena(const_cast<const T**>(dataset.items), dataset.size, dataset.size);
  stream().shuffle(items, dataset.size);
  return {items, dataset.size, dataset.label};
}

}  // namespace lantern
