// Random numbers: Philox 4x32-10 (Salmon et al., SC 2011), counter-based, so that a NumPy twin draws the same bits.
//
// Block b of a lane of a 64-bit key is philox of the counter (low32(b), high32(b), lane, 0): four words. Lane 0 is the program's
// stream: its key is the seed, and blocks are taken as they are drawn. Lane 1 are draws by a key, lane 2 the keys derived from it,
// each two words of block n. A draw of n values takes ⌈n/4⌉ blocks, word i of the draw going to value i:
//   uniform    lo + (hi − lo) · (u · 2⁻³²), in double; by a key [0, 1), with as many bits as the type holds
//   normal     Box–Muller on words (u1, u2) of each pair: r = √(−2 ln((u1 + 1) · 2⁻³²)), z0 = r cos(2π u2 2⁻³²), z1 = r sin(…)
//   truncated  the normal quantile of Φ(−2) + (Φ(2) − Φ(−2)) · (u + ½) · 2⁻³²
//   shuffle    n − 1 values; for i = n−1 … 1 in turn, j = ⌊u · 2⁻³² · (i + 1)⌋ and items i and j change places
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>

#include "lantern/array.h"
#include "lantern/definitions.h"
#include "lantern/list.h"

namespace lantern {

namespace detail {

enum class Lane : uint32_t { stream, draws, keys };

using PhiloxBlock = std::array<uint32_t, 4>;

/// The bijection itself, ten rounds.
inline PhiloxBlock philox(uint64_t key, uint64_t block, Lane lane) {
  PhiloxBlock x{static_cast<uint32_t>(block), static_cast<uint32_t>(block >> 32), static_cast<uint32_t>(lane), 0};
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

/// The words of n values from block `first` on: use(i, word).
template <class Use>
void for_each_word(uint64_t key, Lane lane, uint64_t first, int64_t n, Use&& use) {
  for (int64_t i = 0; i < n; i += 4) {
    const PhiloxBlock words = philox(key, first + static_cast<uint64_t>(i / 4), lane);
    for (int64_t w = 0; w < std::min<int64_t>(4, n - i); ++w) use(i + w, words[static_cast<size_t>(w)]);
  }
}

/// Values of mean 0 and deviation 1: put(i, value).
template <class Put>
void for_each_normal(uint64_t key, Lane lane, uint64_t first, int64_t n, Put&& put) {
  double r = 0;
  for_each_word(key, lane, first, n + n % 2, [&](int64_t i, uint32_t word) {
    if (i % 2 == 0) {
      r = std::sqrt(-2 * std::log((word + 1.0) * 0x1p-32));
      return;
    }
    const double angle = 6.283185307179586 * (word * 0x1p-32);
    put(i - 1, r * std::cos(angle));
    if (i < n) put(i, r * std::sin(angle));
  });
}

/// The normal quantile of 0.5 + q, |q| < 0.4999 (M. J. Wichura, Algorithm AS 241, Applied Statistics 37, 1988).
inline double normal_quantile(double q) {
  const auto horner = [](double r, const double (&c)[8]) {
    double sum = c[7];
    for (int i = 6; i >= 0; --i) sum = sum * r + c[i];
    return sum;
  };
  if (std::abs(q) <= 0.425) {
    constexpr double above[] = {3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3, 1.3731693765509461125e4,
                                4.5921953931549871457e4, 6.7265770927008700853e4, 3.3430575583588128105e4, 2.5090809287301226727e3};
    constexpr double below[] = {1.0, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
                                2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4, 5.2264952788528545610e3};
    const double r = 0.180625 - q * q;
    return q * horner(r, above) / horner(r, below);
  }
  constexpr double above[] = {1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
                              1.27045825242368381980e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4};
  constexpr double below[] = {1.0, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
                              1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9};
  const double r = std::sqrt(-std::log(0.5 - std::abs(q))) - 1.6;
  return std::copysign(horner(r, above) / horner(r, below), q);
}

inline double truncated_normal_of(uint32_t word) {
  constexpr double tail = 0.022750131948179195;  // Φ(−2)
  return std::clamp(normal_quantile((tail - 0.5) + (1 - 2 * tail) * ((word + 0.5) * 0x1p-32)), -2.0, 2.0);
}

}  // namespace detail

/// The program's stream of random numbers.
class Random {
 public:
  explicit Random(uint64_t key = 0) : key_(key) {}
  void seed(int64_t key) { resume(static_cast<uint64_t>(key), 0); }
  /// Goes on where a stream of that key had come to.
  void resume(uint64_t key, uint64_t position) {
    key_ = key;
    block_ = position;
  }
  uint64_t key() const { return key_; }
  uint64_t position() const { return block_; }

  /// One draw of n values: put(i, value) for each.
  template <class Put>
  void draw_uniform(int64_t n, double lo, double hi, Put&& put) {
    detail::for_each_word(key_, detail::Lane::stream, take(n), n, [&](int64_t i, uint32_t word) { put(i, lo + (hi - lo) * (word * 0x1p-32)); });
  }
  template <class Put>
  void draw_normal(int64_t n, double mean, double deviation, Put&& put) {
    detail::for_each_normal(key_, detail::Lane::stream, take(n), n, [&](int64_t i, double z) { put(i, mean + deviation * z); });
  }
  template <class Put>
  void draw_truncated_normal(int64_t n, double mean, double deviation, Put&& put) {
    detail::for_each_word(key_, detail::Lane::stream, take(n), n, [&](int64_t i, uint32_t word) { put(i, mean + deviation * detail::truncated_normal_of(word)); });
  }
  template <class T>
  void shuffle(T* items, int64_t n) {
    draw_uniform(n - 1, 0, 1, [&](int64_t k, double u) {
      const int64_t i = n - 1 - k;
      std::swap(items[i], items[static_cast<int64_t>(u * static_cast<double>(i + 1))]);
    });
  }

 private:
  /// The first block of a draw of n values, which are taken.
  uint64_t take(int64_t n) { return block_.fetch_add(static_cast<uint64_t>((n + 3) / 4), std::memory_order_relaxed); }

  std::atomic<uint64_t> key_, block_ = 0;
};

namespace detail {
inline Random process_stream;
}

/// The program's stream: one for the process. Of several threads each draws numbers that no other does; which, their timing decides.
inline Random& stream() { return detail::process_stream; }

namespace detail {
template <class T>
void put_uniform(T* elements, int64_t n, double lo, double hi) {
  stream().draw_uniform(n, lo, hi, [&](int64_t i, double x) { elements[i] = static_cast<T>(x); });
}
template <class T>
void put_normal(T* elements, int64_t n, double mean, double deviation) {
  stream().draw_normal(n, mean, deviation, [&](int64_t i, double x) { elements[i] = static_cast<T>(x); });
}
template <class T>
void put_each(T* elements, int64_t n, T value) { std::fill(elements, elements + n, value); }
}  // namespace detail

template <class T, int Rank>
void initialize_uniform(Array<T, Rank>& array, double lo, double hi) { detail::put_uniform(array.data(), array.size(), lo, hi); }
template <class T, int Rank>
void initialize_normal(Array<T, Rank>& array, double mean, double deviation) { detail::put_normal(array.data(), array.size(), mean, deviation); }
template <class T, int Rank>
void fill(Array<T, Rank>& array, typename Array<T, Rank>::value_type value) { detail::put_each(array.data(), array.size(), value); }

/// The same, of that shape from now on.
template <class T, int Rank>
void initialize_uniform(Array<T, Rank>& array, const Shape<Rank>& shape, double lo, double hi) {
  array.resize(shape);
  initialize_uniform(array, lo, hi);
}
template <class T, int Rank>
void initialize_normal(Array<T, Rank>& array, const Shape<Rank>& shape, double mean, double deviation) {
  array.resize(shape);
  initialize_normal(array, mean, deviation);
}
template <class T, int Rank>
void fill(Array<T, Rank>& array, const Shape<Rank>& shape, typename Array<T, Rank>::value_type value) {
  array.resize(shape);
  fill(array, value);
}

namespace detail {
template <size_t Rank>
Shape<static_cast<int>(Rank)> shape_from(const int64_t (&dimensions)[Rank]) {
  Shape<static_cast<int>(Rank)> shape{};
  for (size_t i = 0; i < Rank; ++i) shape[i] = dimensions[i];
  return shape;
}
}  // namespace detail

namespace detail {

/// A tensor in the arena whose elements `draw(n, put)` puts; without a shape, one number.
template <class T, size_t Rank, class Draw>
auto drawn(const int64_t (&dimensions)[Rank], Draw&& draw) {
  const auto result = new_tensor<T, static_cast<int>(Rank)>(shape_from(dimensions));
  draw(result.size(), [&](int64_t i, double x) { result.data[i] = static_cast<T>(x); });
  return result;
}
template <class T, class Draw>
T drawn(Draw&& draw) {
  T result{};
  draw(int64_t{1}, [&](int64_t, double x) { result = static_cast<T>(x); });
  return result;
}

}  // namespace detail

/// Draws from the program's stream: `uniform<float>(lo, hi, {m, n})`; without a shape, one number.
template <class T, size_t... Rank>
auto uniform(double lo, double hi, const int64_t (&... dimensions)[Rank]) {
  return detail::drawn<T>(dimensions..., [&](int64_t n, auto&& put) { stream().draw_uniform(n, lo, hi, put); });
}
template <class T, size_t... Rank>
auto normal(double mean, double deviation, const int64_t (&... dimensions)[Rank]) {
  return detail::drawn<T>(dimensions..., [&](int64_t n, auto&& put) { stream().draw_normal(n, mean, deviation, put); });
}
template <class T, size_t... Rank>
auto truncated_normal(double mean, double deviation, const int64_t (&... dimensions)[Rank]) {
  return detail::drawn<T>(dimensions..., [&](int64_t n, auto&& put) { stream().draw_truncated_normal(n, mean, deviation, put); });
}

/// Draws by a key, always the same: from [0, 1); of mean 0 and deviation 1; the same, but none beyond 2.
template <class T, size_t... Rank>
auto key_uniform(int64_t key, const int64_t (&... dimensions)[Rank]) {
  return detail::drawn<T>(dimensions..., [&](int64_t n, auto&& put) {
    detail::for_each_word(static_cast<uint64_t>(key), detail::Lane::draws, 0, n, [&](int64_t i, uint32_t word) {
      if constexpr (sizeof(T) == sizeof(float)) put(i, (word >> 8) * 0x1p-24);
      else put(i, word * 0x1p-32);
    });
  });
}
template <class T, size_t... Rank>
auto key_normal(int64_t key, const int64_t (&... dimensions)[Rank]) {
  return detail::drawn<T>(dimensions..., [&](int64_t n, auto&& put) { detail::for_each_normal(static_cast<uint64_t>(key), detail::Lane::draws, 0, n, put); });
}
template <class T, size_t... Rank>
auto key_truncated_normal(int64_t key, const int64_t (&... dimensions)[Rank]) {
  return detail::drawn<T>(dimensions..., [&](int64_t n, auto&& put) {
    detail::for_each_word(static_cast<uint64_t>(key), detail::Lane::draws, 0, n, [&](int64_t i, uint32_t word) { put(i, detail::truncated_normal_of(word)); });
  });
}

/// The key that a key and a number give; [n] of them, of 0 … n-1.
inline int64_t fold_in(int64_t key, int64_t number) {
  const auto words = detail::philox(static_cast<uint64_t>(key), static_cast<uint64_t>(number), detail::Lane::keys);
  return static_cast<int64_t>(words[0] | uint64_t{words[1]} << 32);
}
inline Vector<int64_t> split_key(int64_t key, int64_t n) {
  const auto keys = new_tensor<int64_t, 1>({n});
  for (int64_t i = 0; i < n; ++i) keys.data[i] = fold_in(key, i);
  return keys;
}

/// The numbers below n in an order that is drawn from the program's stream, as `shuffled` draws it.
Vector<int64_t> permutation(int64_t n);

/// The data set in a new order, drawn from the program's stream.
template <class T>
Dataset<T> shuffled(const Dataset<T>& dataset) {
  const T** items = arena().allocate_array<const T*>(dataset.size);
  const Mark mark = arena().mark();
  const auto places = permutation(dataset.size);
  for (int64_t i = 0; i < dataset.size; ++i) items[i] = dataset.items[places.data[i]];
  arena().reset(mark);
  return {items, dataset.size, dataset.label};
}

}  // namespace lantern

#include LANTERN_DEFINITIONS("lantern/definitions/random.h")
