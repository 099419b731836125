// Σ w_j / (a_j·s + e) for all s ≥ 0 and e ≥ 0, as one quotient of two polynomials: Gauss's quadrature, whose n places and weights are exact for polynomials of a
// up to degree 2n - 1. They need not be known. Stieltjes's procedure finds αₖ, βₖ of the recurrence of πₖ, the polynomials orthogonal under the w_j; with
// t = α₀·s + e, ρ = α₀·s / t, what the quadrature gives is
//
//   Σw / t · Pₙ(ρ) / Qₙ(ρ),   P₀ = 0, Q₀ = P₁ = Q₁ = 1,   Xₖ₊₁ = (1 + (αₖ/α₀ - 1) ρ) Xₖ - (βₖ/α₀²) ρ² Xₖ₋₁.
//
// The sum is more by Σ w_j / (a_j + x) · (πₙ(a_j) / πₙ(-x))² / s, x = e/s. Relative to the sum that is, at any x, at most its value at x = 0 times
// z² / (4a (z - a)) if a, the least of the a_j, is less than half of z, the least place of the quadrature, or else times 1 (z ≤ α₀; the factor grows with z).
// At x = 0 both are known: so the error is bounded while the program runs.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

namespace lantern::detail {

/// Such a sum, as a quotient of polynomials.
template <class T>
struct Quotient {
  static constexpr int most = 6;  // places
  T mean;                         // α₀
  T over[most], under[most + 1];  // coefficients of Σw·Pₙ and Qₙ, the constant first

  /// s: a number, or what stands for some (entries.h).
  template <class S>
  S operator()(const S& s, T e) const {
    const S inverse = T(1) / (mean * s + e), at = T(1) - e * inverse;  // not mean·s·inverse: s may be infinite
    S above = over[most - 1] * at + over[most - 2], below = under[most] * at + under[most - 1];
    for (int k = most - 2; k-- > 0;) above = above * at + over[k];
    for (int k = most - 1; k-- > 0;) below = below * at + under[k];
    return inverse * (above / below);
  }
};

/// Adds up terms.
template <class T>
class QuotientSum {
 public:
  /// Room for `count` terms.
  void reserve(size_t count) {
    for (auto* each : {&weights_, &places_, &polynomial_, &before_}) each->reserve(count);
  }
  void clear() {
    weights_.clear();
    places_.clear();
  }
  void add(double weight, double place) {
    weights_.push_back(weight);
    places_.push_back(place);
  }

  /// The sum of what was added, by the fewest places that give it to half a unit in the last place of T. None where `most` do not, and in f64.
  std::optional<Quotient<T>> quotient();

 private:
  static Quotient<T> quotient(const double* alpha, const double* beta, int count);

  std::vector<double> weights_, places_;
  std::vector<double> polynomial_, before_;  // πₖ and πₖ₋₁ at the places
};

template <class T>
std::optional<Quotient<T>> QuotientSum<T>::quotient() {
  constexpr int most = Quotient<T>::most;
  // The error is a difference of two sums in double, too near each other where T is one.
  if constexpr (std::numeric_limits<T>::epsilon() < 1e-9) return std::nullopt;
  const size_t count = places_.size();
  polynomial_.assign(count, 1);
  before_.assign(count, 0);
  double sum = 0, least = std::numeric_limits<double>::infinity();
  for (size_t j = 0; j < count; ++j) {
    if (!(weights_[j] >= 0 && places_[j] > 0)) return std::nullopt;
    sum += weights_[j] / places_[j];
    least = places_[j] < least ? places_[j] : least;
  }
  double alpha[most], beta[most], square = 0;
  for (int n = 0; n < most; ++n) {
    double squares = 0, moment = 0;
    for (size_t j = 0; j < count; ++j) {
      const double weighted = weights_[j] * polynomial_[j] * polynomial_[j];
      squares += weighted;
      moment += weighted * places_[j];
    }
    if (!(squares > 0)) return std::nullopt;
    alpha[n] = moment / squares;
    beta[n] = n == 0 ? squares : squares / square;
    square = squares;
    double below = alpha[n];
    for (int k = n; k > 0; --k) below = alpha[k - 1] - beta[k] / below;
    const double bound = alpha[0] <= 2 * least ? 1 : alpha[0] * alpha[0] / (4 * least * (alpha[0] - least));
    if (bound * (sum - beta[0] / below) <= static_cast<double>(std::numeric_limits<T>::epsilon()) / 2 * sum) {
      return quotient(alpha, beta, n + 1);
    }
    for (size_t j = 0; j < count; ++j) {
      const double next = (places_[j] - alpha[n]) * polynomial_[j] - (n == 0 ? 0 : beta[n]) * before_[j];
      before_[j] = polynomial_[j];
      polynomial_[j] = next;
    }
  }
  return std::nullopt;
}

template <class T>
Quotient<T> QuotientSum<T>::quotient(const double* alpha, const double* beta, int count) {
  constexpr int most = Quotient<T>::most;
  // Of Pₖ and Qₖ, and of those before
  double over[most + 1] = {1}, under[most + 1] = {1}, over_before[most + 1] = {}, under_before[most + 1] = {1};
  for (int k = 1; k < count; ++k) {
    const auto next = [slope = alpha[k] / alpha[0] - 1, curve = beta[k] / (alpha[0] * alpha[0])](double* x, double* before) {
      for (int degree = most; degree >= 0; --degree) {
        const double coefficient = x[degree] + (degree > 0 ? slope * x[degree - 1] : 0) - (degree > 1 ? curve * before[degree - 2] : 0);
        before[degree] = x[degree];
        x[degree] = coefficient;
      }
    };
    next(over, over_before);
    next(under, under_before);
  }
  Quotient<T> found{static_cast<T>(alpha[0]), {}, {}};
  for (int k = 0; k < most; ++k) found.over[k] = static_cast<T>(beta[0] * over[k]);
  for (int k = 0; k <= most; ++k) found.under[k] = static_cast<T>(under[k]);
  return found;
}

}  // namespace lantern::detail
