// Evaluation of lazy expressions: one fused loop, packets of elements at a time where every operator has a packet form.
#pragma once

#include <cstdint>

#include "lantern/elementwise.h"
#include "lantern/lines.h"

namespace lantern {

namespace detail {

/// What a loop does with an element that it has computed.
struct Store {
  static constexpr bool reads = false;
  template <class V>
  static EIGEN_STRONG_INLINE V combine(const V&, const V& value) { return value; }
};
struct AddTo {
  static constexpr bool reads = true;
  template <class V>
  static EIGEN_STRONG_INLINE V combine(const V& old, const V& value) {
    if constexpr (std::is_arithmetic_v<V>) return static_cast<V>(old + value);
    else return Eigen::internal::padd(old, value);
  }
};
struct SubtractFrom {
  static constexpr bool reads = true;
  template <class V>
  static EIGEN_STRONG_INLINE V combine(const V& old, const V& value) {
    if constexpr (std::is_arithmetic_v<V>) return static_cast<V>(old - value);
    else return Eigen::internal::psub(old, value);
  }
};

/// target[i] = combine(target[i], cursor(i)) for begin <= i < end, one at a time.
template <class Sink, class T, class Cursor>
EIGEN_STRONG_INLINE void run_singly(T* target, const Cursor& cursor, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i) {
    const T value = static_cast<T>(cursor.scalar(i));
    if constexpr (Sink::reads) target[i] = Sink::combine(target[i], value);
    else target[i] = value;
  }
}
/// The same for i < n, fewer than a packet has.
template <class Sink, class T, class Cursor>
[[gnu::noinline]] void run_few(T* target, const Cursor& cursor, int64_t n) {
  if constexpr (PacketsOf<Cursor>::by_lanes) {
    run_singly<Sink>(target, cursor, 0, n);
  } else {
    using P = PacketOf<T>;
    const P value = cursor.template few<P>(0, n);
    if constexpr (Sink::reads) store_few(target, Sink::combine(load_few<P>(target, n), value), n);
    else store_few(target, value, n);
  }
}

/// The same for i < n, as packets where they can be. An operand may be the target itself, element for element.
template <class Sink, class T, class Cursor>
EIGEN_STRONG_INLINE void run_loop(T* target, const Cursor& cursor, int64_t n) {
  if constexpr (has_packets<Cursor, T>) {
    using namespace Eigen::internal;
    using P = PacketOf<T>;
    constexpr int64_t width = packet_width<T>;
    if (n < width) return run_few<Sink>(target, cursor, n);
    int64_t i = 0;
    for (; i + width <= n; i += width) {
      const P value = cursor.template packet<P>(i);
      if constexpr (Sink::reads) pstoreu(target + i, Sink::combine(ploadu<P>(target + i), value));
      else pstoreu(target + i, value);
    }
    if (i == n) return;
    if constexpr (PacketsOf<Cursor>::by_lanes) {
      run_singly<Sink>(target, cursor, i, n);
    } else if constexpr (loads_few_at_once<T>) {
      const P value = cursor.template few<P>(i, n - i);
      if constexpr (Sink::reads) store_few(target + i, Sink::combine(load_few<P>(target + i, n - i), value), n - i);
      else store_few(target + i, value, n - i);
    } else {  // the last packet overlaps the one before; only its new elements count
      T* const last = target + (n - width);
      const P value = cursor.template packet<P>(n - width);
      if constexpr (Sink::reads) store_end(last, Sink::combine(ploadu<P>(last), value), n - i);
      else store_end(last, value, n - i);
    }
  } else {
    run_singly<Sink>(target, cursor, 0, n);
  }
}

/// The same over a whole shape; operands that broadcast go row by row.
template <class Sink, class T, size_t Rank, class E>
void run_expression(T* target, const std::array<int64_t, Rank>& shape, const E& e) {
  if constexpr (Rank == 0) {
    run_loop<Sink>(target, e.flat(), 1);
  } else if constexpr (Rank == 1) {
    if (shape[0] > 0) run_loop<Sink>(target, e.stretched(shape[0]), shape[0]);
  } else {
    int64_t size = 1;
    for (const int64_t n : shape) size *= n;
    if (size == 0) return;
    if constexpr (are_lines<E> && std::is_same_v<Sink, Store> && E::rank == static_cast<int>(Rank)) {
      if (same_shape(e.shape(), shape)) return e.store(target);
    }
    if (e.is_flat(shape)) return run_loop<Sink>(target, e.flat(), size);
    const int64_t columns = shape[Rank - 1];
    std::array<int64_t, Rank> outer{};
    for (int64_t done = 0; done < size; done += columns, next_line(outer, shape)) run_loop<Sink>(target + done, e.row(outer), columns);
  }
}

/// Fails unless `e` broadcasts to exactly `shape`.
template <size_t Rank, class E>
void check_broadcasts_to(const std::array<int64_t, Rank>& shape, const E& e, const char* what) {
  static_assert(E::rank <= static_cast<int>(Rank), "the operand has more dimensions than the target");
  const auto& own = e.shape();
  for (size_t i = 1; i <= static_cast<size_t>(E::rank); ++i) {
    const int64_t n = own[static_cast<size_t>(E::rank) - i];
    if (n != 1 && n != shape[Rank - i]) fail_shapes(what, shape.data(), static_cast<int>(Rank), own.data(), E::rank);
  }
}

/// Applies an operand to a target of a given shape, converting elements.
template <class Sink, class T, size_t Rank, class X>
void apply_to(T* target, const std::array<int64_t, Rank>& shape, const X& x, const char* what) {
  const auto& e = operand_as<T>(x);
  check_broadcasts_to(shape, e, what);
  run_expression<Sink>(target, shape, e);
}

}  // namespace detail

/// An entry's argument has the dimensions that the program says; -1: any. Fails with ValueError.
template <class T, int Rank>
void check_dimensions(const char* argument, const Tensor<T, Rank>& x, const Shape<Rank>& wanted) {
  for (size_t i = 0; i < Rank; ++i) {
    if (wanted[i] < 0 || x.shape[i] == wanted[i]) continue;
    fail(errors::shape, "", "dimension %d of '%s' is %lld, and %lld is expected", static_cast<int>(i), argument, static_cast<long long>(x.shape[i]),
         static_cast<long long>(wanted[i]));
  }
}

/// The value of an expression in the arena (rank 0: a scalar). Tensors and scalars are returned as they are.
template <class X, detail::if_operands<X> = 0>
auto evaluate(const X& x) {
  const auto& e = expression_of(x);
  using E = std::decay_t<decltype(e)>;
  using T = typename E::value_type;
  if constexpr (E::rank == 0) {
    return static_cast<T>(e.flat().scalar(0));
  } else if constexpr (std::is_same_v<E, Leaf<T, E::rank>>) {
    return e.tensor;
  } else {
    const Tensor<T, E::rank> result = new_tensor<T, E::rank>(e.shape());
    detail::run_expression<detail::Store>(result.data, result.shape, e);
    return result;
  }
}

template <class T, int Rank>
template <class E, class>
Tensor<T, Rank>::Tensor(const E& expression) {
  static_assert(E::rank == Rank, "an expression of another rank");
  *this = new_tensor<T, Rank>(expression.shape());
  detail::run_expression<detail::Store>(data, shape, detail::operand_as<T>(expression));
}

/// A copy in the arena; of a scalar, the scalar.
template <class X, detail::if_operands<X> = 0>
auto copy(const X& x) {
  const auto& e = expression_of(x);
  using E = std::decay_t<decltype(e)>;
  if constexpr (E::rank == 0) return evaluate(x);
  else return Tensor<typename E::value_type, E::rank>(e);
}

/// Writes an expression over the elements that `target` views; it must broadcast to that shape.
template <class T, int Rank, class X, detail::if_operands<X> = 0>
void assign(const Tensor<T, Rank>& target, const X& x) {
  detail::apply_to<detail::Store>(target.data, target.shape, x, "assignment");
}

/// The same of an expression of target's shape that reads its elements, each for the one that takes its place. Gives the target.
template <class T, int Rank, class X, detail::if_operands<X> = 0>
Tensor<T, Rank> overwrite(const Tensor<T, Rank>& target, const X& x) {
  detail::run_expression<detail::Store>(target.data, target.shape, detail::operand_as<T>(x));
  return target;
}

/// `x` stretched to `shape`. Fails with ValueError.
template <size_t Rank, class X, detail::if_operands<X> = 0>
auto broadcast_to(const X& x, const std::array<int64_t, Rank>& shape) {
  if constexpr (Rank == 0) {
    return evaluate(x);
  } else {
    static_cast<void>(checked_size<static_cast<int>(Rank)>(shape));
    const auto operand = expression_of(evaluate(x));
    detail::check_broadcasts_to(shape, operand, "broadcast_to");
    return Stretched<std::decay_t<decltype(operand)>, static_cast<int>(Rank)>(operand, shape);
  }
}

/// Constants in the arena: `zeros<float>({m, n})`, `full<float>({n}, 2)`; `zeros_like(x)` of a scalar is 0.
template <class T, size_t Rank>
auto full(const std::array<int64_t, Rank>& shape, T value) {
  if constexpr (Rank == 0) return value;
  else return evaluate(broadcast_to(value, shape));
}
template <class T, size_t Rank>
auto full(const int64_t (&dimensions)[Rank], T value) {
  Shape<static_cast<int>(Rank)> shape;
  std::copy(dimensions, dimensions + Rank, shape.begin());
  return full<T>(shape, value);
}
template <class T, size_t Rank>
auto zeros(const int64_t (&dimensions)[Rank]) { return full<T>(dimensions, T(0)); }
template <class T, size_t Rank>
auto ones(const int64_t (&dimensions)[Rank]) { return full<T>(dimensions, T(1)); }
template <class T, size_t Rank>
auto zeros(const std::array<int64_t, Rank>& shape) { return full<T>(shape, T(0)); }
template <class T, size_t Rank>
auto ones(const std::array<int64_t, Rank>& shape) { return full<T>(shape, T(1)); }
template <class X, detail::if_operands<X> = 0>
auto full_like(const X& x, element_type<X> value) { return full<element_type<X>>(shape_of(x), value); }
template <class X, detail::if_operands<X> = 0>
auto zeros_like(const X& x) { return full_like(x, element_type<X>(0)); }
template <class X, detail::if_operands<X> = 0>
auto ones_like(const X& x) { return full_like(x, element_type<X>(1)); }

}  // namespace lantern
