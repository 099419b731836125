// Steps of SGD and Adam for the TreeLSTM of treelstm_model.h, which has Adagrad's.
#pragma once

#include "treelstm_model.h"

namespace treelstm {

template <class T>
void sgd_step(Model<T>& model, T rate) {
  for_each_parameter(model, [&](auto& gradient, auto& parameter, auto&...) {
    for_each_touched([rate](T g, T& w) { w -= rate * g; }, gradient, parameter);
  });
}

/// Step number `step`, counted from 1. A word that the step does not touch moves, too, by its mean: before it is read again.
template <class T>
void adam_step(Model<T>& model, T rate, int64_t step) {
  const double of_mean = 1 - std::pow(0.9, static_cast<double>(step)), of_square = 1 - std::pow(0.999, static_cast<double>(step));
  const T size = static_cast<T>(rate / of_mean), factor = static_cast<T>(1 / std::sqrt(of_square));
  const auto adam = [size, factor](T g, T& w, T& m, T& v) {
    m = T(0.9) * m + T(0.1) * g;
    v = T(0.999) * v + T(0.001) * (g * g);
    w -= size * m / (factor * std::sqrt(v) + T(1e-8));
  };
  for_each_parameter(model, [&](auto& gradient, auto& parameter, auto& mean, auto& square) {
    if (square.size() == 0) square.resize(parameter.shape());
    if constexpr (std::decay_t<decltype(parameter)>::rank == 2) {
      if (&parameter == &model.parameters.embedding) {
        return model.deferred.step(adam, {T(0.9), T(0.999), T(1e-8), size, factor}, gradient, parameter, mean, square);
      }
    }
    for_each(adam, gradient, parameter, mean, square);
  });
}

}  // namespace treelstm
