// Steps of Adam that a row of a table has had no gradient in, put off until somebody reads it. With no gradient, step j multiplies mean by
// beta1 and square by beta2, and takes from the value
//
//   size_j · beta1ⁱ · mean / (factor_j · √(beta2ⁱ · square) + epsilon) = mean · w_j · f(a_j),   f(a) = 1 / (a · √square + epsilon),
//
// i = 1, 2, … where w_j = size_j · beta1ⁱ and a_j = factor_j · √beta2ⁱ are the same for all entries. So many such steps are a sum over j of weights
// times one smooth function, which Gauss's quadrature gives from two places in the midst of the a_j: exactly for polynomials of degree three, and f
// is nearly one, since weights fall by beta1 a step, and within so few steps a_j hardly changes. The weighted fourth power of a_j's distances bounds
// the error, for every square and epsilon; where it may exceed rounding (in the first hundreds of steps; in f64), steps are taken one by one.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "lantern/entries.h"
#include "lantern/stack.h"

namespace lantern {

/// What Adam does to an entry whose gradient is zero: mean *= beta1; square *= beta2; value -= size * mean / (factor * √square + epsilon).
template <class T>
struct AtRest {
  T beta1, beta2, epsilon, size, factor;
};

template <class T>
class DeferredSteps {
 public:
  /// Steps the rows that the gradient touches by step(g, value, mean, square), and the others when they are read.
  template <class F, int Rank>
  void step(F&& step, const AtRest<T>& at_rest, Gradient<T, Rank>& gradient, Array<T, Rank>& value, Array<T, Rank>& mean, Array<T, Rank>& square);

  /// Takes the steps that were put off for a row, before it is read. What is no row is left to who reads it.
  void catch_up(int64_t row) {
    if (steps_.empty()) return;
    if (row < 0) row += static_cast<int64_t>(taken_.size());
    if (row >= 0 && row < static_cast<int64_t>(taken_.size())) take_steps(row);
  }
  /// The same, of all rows.
  void catch_up() {
    if (steps_.empty()) return;
    for (size_t row = 0; row < taken_.size(); ++row) take_steps(static_cast<int64_t>(row));
    std::fill(taken_.begin(), taken_.end(), 0);
    steps_.clear();
  }

 private:
  static constexpr int32_t most = 1024;  // steps that are put off
  static constexpr int32_t few = 4;      // that are taken one by one in any case

  struct Numbers {
    T size, factor;
  };
  /// Σ w_j f(a_j) as two terms; none: steps are to be taken one by one.
  struct Quadrature {
    bool holds;
    T weight[2], at[2];
    T beta1, beta2;  // to the number of steps
  };

  void take_steps(int64_t row) {
    const auto from = static_cast<size_t>(taken_[static_cast<size_t>(row)]);
    if (from < steps_.size()) take_steps(row, from);
  }
  void take_steps(int64_t row, size_t from);
  Quadrature quadrature(size_t from) const;

  std::vector<Numbers> steps_;   // put off for some row
  std::vector<int32_t> taken_;   // of each row, how many of them
  AtRest<T> at_rest_{};          // of the last of them
  T largest_ = 0;                // of their sizes
  T *value_ = nullptr, *mean_ = nullptr, *square_ = nullptr;
  int64_t row_size_ = 0;
};

template <class T>
template <class F, int Rank>
void DeferredSteps<T>::step(F&& step, const AtRest<T>& at_rest, Gradient<T, Rank>& gradient, Array<T, Rank>& value, Array<T, Rank>& mean,
                            Array<T, Rank>& square) {
  detail::check_same_shape(gradient, value);
  detail::check_same_shape(gradient, mean);
  detail::check_same_shape(gradient, square);
  // Threads would catch up with one row at a time, and share a step of all rows.
  if (!gradient.only_rows() || threads() > 1) {
    catch_up();
    return for_each(step, gradient, value, mean, square);
  }
  if (steps_.empty()) {
    taken_.assign(static_cast<size_t>(gradient.shape()[0]), 0);
    steps_.reserve(most);
    largest_ = 0;
    row_size_ = gradient.shape()[0] == 0 ? 0 : gradient.size() / gradient.shape()[0];
    value_ = value.data(), mean_ = mean.data(), square_ = square.data();
  }
  at_rest_ = at_rest;
  gradient.touched().for_each([&](int64_t row, const T* g) {
    take_steps(row);
    const int64_t first = row * row_size_;
    detail::for_each_entry(step, g, row_size_, value_ + first, mean_ + first, square_ + first);
    ++taken_[static_cast<size_t>(row)];
  });
  steps_.push_back({at_rest.size, at_rest.factor});
  largest_ = std::max(largest_, at_rest.size);
  if (steps_.size() == static_cast<size_t>(most)) catch_up();
}

template <class T>
void DeferredSteps<T>::take_steps(int64_t row, size_t from) {
  T* const value = value_ + row * row_size_;
  T* const mean = mean_ + row * row_size_;
  T* const square = square_ + row * row_size_;
  taken_[static_cast<size_t>(row)] = static_cast<int32_t>(steps_.size());
  const AtRest<T> rest = at_rest_;
  if (const Quadrature sum = quadrature(from); sum.holds) {
    LANTERN_INDEPENDENT_ITERATIONS
    for (int64_t i = 0; i < row_size_; ++i) {
      const T root = std::sqrt(square[i]);
      value[i] -= mean[i] * (sum.weight[0] / (sum.at[0] * root + rest.epsilon) + sum.weight[1] / (sum.at[1] * root + rest.epsilon));
      mean[i] *= sum.beta1;
      square[i] *= sum.beta2;
    }
    return;
  }
  for (size_t j = from; j < steps_.size(); ++j) {
    const auto [size, factor] = steps_[j];
    LANTERN_INDEPENDENT_ITERATIONS
    for (int64_t i = 0; i < row_size_; ++i) {
      mean[i] *= rest.beta1;
      square[i] *= rest.beta2;
      value[i] -= size * mean[i] / (factor * std::sqrt(square[i]) + rest.epsilon);
    }
  }
}

template <class T>
typename DeferredSteps<T>::Quadrature DeferredSteps<T>::quadrature(size_t from) const {
  const Quadrature none{};
  const size_t count = steps_.size() - from;
  if (count <= static_cast<size_t>(few)) return none;
  const double beta1 = at_rest_.beta1, beta2 = at_rest_.beta2, root = std::sqrt(beta2), rounding = std::numeric_limits<T>::epsilon() / 2;
  // Moments of the distances from the first place. What is left out behind is less than beta1ⁱ/(1 - beta1) of the largest step.
  const double left_out = rounding / 64 * (1 - beta1) / largest_, first = steps_[from].factor * root;
  double falling = 1, rising = 1, sum = 0, sum1 = 0, sum2 = 0, sum3 = 0, sum4 = 0, least = first;
  for (size_t j = from; j < steps_.size() && !(falling <= left_out * sum); ++j) {
    falling *= beta1;
    rising *= root;
    const double weight = steps_[j].size * falling, place = steps_[j].factor * rising, d = place - first;
    if (!(weight >= 0)) return none;
    least = std::min(least, place);
    const double weight1 = weight * d, weight2 = weight1 * d;
    sum += weight;
    sum1 += weight1;
    sum2 += weight2;
    sum3 += weight2 * d;
    sum4 += weight2 * d * d;
  }
  // About their mean
  const double mean = sum1 / sum, square = sum2 / sum, cube = sum3 / sum;
  const double variance = square - mean * mean, skew = cube - 3 * mean * square + 2 * mean * mean * mean;
  const double fourth = sum4 / sum - 4 * mean * cube + 6 * mean * mean * square - 3 * mean * mean * mean * mean;
  const double middle = skew / variance / 2, half = std::sqrt(middle * middle + variance);
  const double error = fourth - skew * skew / variance - variance * variance;  // the mean of (d - d₀)²(d - d₁)²
  if (!(variance > 0 && least > 0 && error <= rounding * least * least * least * least)) return none;
  const double steps = static_cast<double>(count);
  return {true,
          {static_cast<T>(sum * (half + middle) / (2 * half)), static_cast<T>(sum * (half - middle) / (2 * half))},
          {static_cast<T>(first + mean + middle - half), static_cast<T>(first + mean + middle + half)},
          static_cast<T>(std::pow(beta1, steps)),
          static_cast<T>(std::pow(beta2, steps))};
}

/// Row `i` of a table, after the steps that were put off for it, as a view.
template <class T, int Rank>
auto row(const Array<T, Rank>& table, DeferredSteps<T>& deferred, int64_t i, const char* location = "") {
  deferred.catch_up(i);
  return row(table, i, location);
}

/// What a call of `work`, on the Lantern stack, gives; behind it, whether or not it fails, no step of the model is put off.
template <class Model, class F>
auto up_to_date_behind(Model& model, F&& work) -> decltype(work()) {
  try {
    return on_stack([&] {
      if constexpr (std::is_void_v<decltype(work())>) {
        work();
        model.up_to_date();
      } else {
        decltype(work()) result = work();
        model.up_to_date();
        return result;
      }
    });
  } catch (...) {
    on_stack([&] { model.up_to_date(); });
    throw;
  }
}

}  // namespace lantern
