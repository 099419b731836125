// Steps of Adam that a row of a table has had no gradient in, put off until somebody reads it. With no gradient, step j multiplies mean by
// beta1 and square by beta2, and takes from the value
//
//   size_j · beta1ⁱ · mean / (factor_j · √(beta2ⁱ · square) + epsilon) = mean · w_j · f(a_j),   f(a) = 1 / (a · √square + epsilon),
//
// i = 1, 2, … where w_j = size_j · beta1ⁱ and a_j = factor_j · √beta2ⁱ are the same for all entries: many steps are one sum of quotients
// (quotient_sum.h). Weights fall by beta1 a step, and within so few steps a_j hardly changes: two or three places are enough for the sum, a few more in
// the first steps of all. Where even those might be wrong by more than rounding, and in f64, steps are taken one by one.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "lantern/entries.h"
#include "lantern/quotient_sum.h"
#include "lantern/stack.h"

namespace lantern {

/// What Adam does to an entry whose gradient is zero: mean *= beta1; square *= beta2; value -= size * mean / (factor * √square + epsilon).
template <class T>
struct AtRest {
  T beta1, beta2, epsilon, size, factor;

  template <class Entries>
  void operator()(Entries& value, Entries& mean, Entries& square) const {
    mean = mean * beta1;
    square = square * beta2;
    value = value - size * mean / (factor * sqrt(square) + epsilon);
  }
  /// That it leaves a value whose mean and square are 0 as they are.
  bool spares_zeros() const {
    T value = 0, mean = 0, square = 0;
    (*this)(value, mean, square);
    return value == 0 && mean == 0 && square == 0;
  }
};

namespace detail {
inline thread_local bool attended = false;  // this thread's Lantern stack: up_to_date_behind is at its bottom
struct Attending {
  const bool before = std::exchange(attended, true);
  ~Attending() { attended = before; }
};
/// An error would leave the stack for somebody's own on_stack, who knows nothing of rows that lag.
inline bool unattended() { return thread_stack && thread_stack->active && !attended; }
}  // namespace detail

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
  void take_steps(int64_t row) {
    const auto from = static_cast<size_t>(taken_[static_cast<size_t>(row)]);
    if (from < steps_.size()) take_steps(row, from);
  }
  void take_steps(int64_t row, size_t from);
  bool fresh(int64_t row) const;
  std::optional<detail::Quotient<T>> sum_of_steps(size_t from);

  std::vector<Numbers> steps_;   // put off for some row
  std::vector<int32_t> taken_;   // of each row, how many of them
  AtRest<T> at_rest_{};          // of the last of them
  T largest_ = 0;                // of their sizes
  bool spares_zeros_ = true;     // none of them does anything to a row that has had no gradient yet
  detail::QuotientSum<T> sum_;   // of the steps that a row is behind
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
  if (!gradient.only_rows() || threads() > 1 || detail::unattended()) {
    catch_up();
    return for_each(step, gradient, value, mean, square);
  }
  if (steps_.empty()) {
    taken_.assign(static_cast<size_t>(gradient.shape()[0]), 0);
    steps_.reserve(most);
    sum_.reserve(most);
    largest_ = 0;
    spares_zeros_ = true;
    row_size_ = gradient.shape()[0] == 0 ? 0 : gradient.size() / gradient.shape()[0];
    value_ = value.data(), mean_ = mean.data(), square_ = square.data();
  }
  at_rest_ = at_rest;
  gradient.touched().for_each([&](int64_t row, const T* g) {
    take_steps(row);
    const int64_t first = row * row_size_;
    detail::for_each_entry(step, row_size_, g, value_ + first, mean_ + first, square_ + first);
    ++taken_[static_cast<size_t>(row)];
  });
  steps_.push_back({at_rest.size, at_rest.factor});
  largest_ = std::max(largest_, at_rest.size);
  spares_zeros_ = spares_zeros_ && at_rest.spares_zeros();
  if (steps_.size() == static_cast<size_t>(most)) catch_up();
}

template <class T>
void DeferredSteps<T>::take_steps(int64_t row, size_t from) {
  T* const value = value_ + row * row_size_;
  T* const mean = mean_ + row * row_size_;
  T* const square = square_ + row * row_size_;
  taken_[static_cast<size_t>(row)] = static_cast<int32_t>(steps_.size());
  const AtRest<T> rest = at_rest_;
  if (fresh(row)) return;
  if (const auto sum = sum_of_steps(from)) {
    const double steps = static_cast<double>(steps_.size() - from);
    const T beta1 = static_cast<T>(std::pow(static_cast<double>(rest.beta1), steps)), beta2 = static_cast<T>(std::pow(static_cast<double>(rest.beta2), steps));
    const auto steps_in_one = [quotient = *sum, epsilon = rest.epsilon, beta1, beta2](auto& v, auto& m, auto& s) {
      v = v - m * quotient(sqrt(s), epsilon);
      m = m * beta1;
      s = s * beta2;
    };
    detail::for_each_entry(steps_in_one, row_size_, value, mean, square);
    return;
  }
  for (size_t j = from; j < steps_.size(); ++j) {
    const AtRest<T> step{rest.beta1, rest.beta2, rest.epsilon, steps_[j].size, steps_[j].factor};
    detail::for_each_entry(step, row_size_, value, mean, square);
  }
}

/// That a row has had no gradient yet, and so is where it was.
template <class T>
bool DeferredSteps<T>::fresh(int64_t row) const {
  const auto zero = [](T x) { return x == 0; };
  const T *const mean = mean_ + row * row_size_, *const square = square_ + row * row_size_;
  return spares_zeros_ && std::all_of(mean, mean + row_size_, zero) && std::all_of(square, square + row_size_, zero);
}

/// What the steps behind `from` multiply a row's means by, of √square and epsilon; none: they are to be taken one by one.
template <class T>
std::optional<detail::Quotient<T>> DeferredSteps<T>::sum_of_steps(size_t from) {
  if (steps_.size() - from <= static_cast<size_t>(few)) return std::nullopt;
  const double beta1 = at_rest_.beta1, root = std::sqrt(static_cast<double>(at_rest_.beta2));
  // What is left out behind is less than beta1ⁱ/(1 - beta1) of the largest step.
  const double left_out = std::numeric_limits<T>::epsilon() / 128 * (1 - beta1) / largest_;
  double falling = 1, rising = 1, weights = 0;
  sum_.clear();
  for (size_t j = from; j < steps_.size() && !(falling <= left_out * weights); ++j) {
    falling *= beta1;
    rising *= root;
    const double weight = steps_[j].size * falling;
    weights += weight;
    sum_.add(weight, steps_[j].factor * rising);
  }
  return sum_.quotient();
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
  if (detail::unattended()) return work();  // which puts nothing off
  const detail::Attending here;
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
