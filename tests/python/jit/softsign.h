// What tests/python/jit/test_extern.py calls.
#pragma once

#include <cmath>
#include <cstdint>
#include <string_view>
#include <tuple>

#include "lantern/tensor.h"

namespace signs {

inline double soft(double x) { return x / (1 + std::abs(x)); }
inline double soft_pullback(double x, double, double y_adj) { return y_adj / ((1 + std::abs(x)) * (1 + std::abs(x))); }

template <class T, int Rank>
lantern::Tensor<T, Rank> soft(const lantern::Tensor<T, Rank>& x) {
  const auto y = lantern::new_tensor<T, Rank>(x.shape);
  for (int64_t i = 0; i < y.size(); ++i) y.data[i] = x.data[i] / (1 + std::abs(x.data[i]));
  return y;
}
template <class T, int Rank>
lantern::Tensor<T, Rank> soft_pullback(const lantern::Tensor<T, Rank>& x, const lantern::Tensor<T, Rank>& y, const lantern::Tensor<T, Rank>& y_adj) {
  const auto x_adj = lantern::new_tensor<T, Rank>(x.shape);
  for (int64_t i = 0; i < y.size(); ++i) x_adj.data[i] = y_adj.data[i] / ((1 + std::abs(x.data[i])) * (1 + std::abs(x.data[i])));
  return x_adj;
}

// The larger of scaled elements, and where it is.
inline std::tuple<double, int64_t> peak(const lantern::Vector<double>& x, double by, int64_t from) {
  int64_t at = from;
  for (int64_t i = from; i < x.size(); ++i) at = x.data[i] > x.data[at] ? i : at;
  return {x.data[at] * by, at};
}
inline std::tuple<lantern::Vector<double>, double> peak_pullback(const lantern::Vector<double>& x, double by, int64_t, double, int64_t at, double y_adj) {
  const auto x_adj = lantern::new_tensor<double, 1>(x.shape);
  for (int64_t i = 0; i < x.size(); ++i) x_adj.data[i] = i == at ? y_adj * by : 0;
  return {x_adj, y_adj * x.data[at]};
}

inline lantern::Vector<double> too_short(const lantern::Vector<double>& x, const lantern::Vector<double>&, const lantern::Vector<double>&) {
  return lantern::new_tensor<double, 1>({x.size() - 1});
}

inline int64_t length_of(std::string_view text) { return static_cast<int64_t>(text.size()); }

}  // namespace signs
