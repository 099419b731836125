// A continuation: what to do with a value, and after whose return the value's adjoint is complete. A non-owning
// reference of two words to a callable that outlives the call it is passed to, such as a lambda written in that call.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include "lantern/list.h"
#include "lantern/stack.h"
#include "lantern/tensor.h"

namespace lantern {

/// A result that carries no adjoint: `continuation<double, passive<int64_t>>` is called as k(y, y_adj, n).
template <class T>
struct passive {};

namespace detail {

template <class... T>
struct Parameters {};

template <class A, class B>
struct JoinParameters;
template <class... A, class... B>
struct JoinParameters<Parameters<A...>, Parameters<B...>> {
  using type = Parameters<A..., B...>;
};

/// How a result of type T is passed: a scalar by value with its adjoint by reference, a tensor or a list as two views, a structure with a pointer to its adjoint.
template <class T, class = void>
struct ResultParameters;
template <class T>
struct ResultParameters<T, std::enable_if_t<std::is_floating_point_v<T>>> {
  using type = Parameters<T, T&>;
};
template <class T, int Rank>
struct ResultParameters<Tensor<T, Rank>, void> {
  using type = Parameters<Tensor<T, Rank>, Tensor<T, Rank>>;
};
template <class T>
struct ResultParameters<List<T>, void> {
  using type = Parameters<List<T>, List<T>>;
};
template <class S>
struct ResultParameters<const S&, void> {
  using type = Parameters<const S&, S*>;
};
template <class S>
struct ResultParameters<const S*, void> {
  using type = Parameters<const S*, S*>;
};
template <class T>
struct ResultParameters<passive<T>, void> {
  using type = Parameters<T>;
};

template <class... Results>
struct AllParameters {
  using type = Parameters<>;
};
template <class First, class... Rest>
struct AllParameters<First, Rest...>
    : JoinParameters<typename ResultParameters<First>::type, typename AllParameters<Rest...>::type> {};

template <class Parameters>
class FunctionReference;

template <class... A>
class FunctionReference<Parameters<A...>> {
 public:
  template <class F, class = std::enable_if_t<!std::is_base_of_v<FunctionReference, std::decay_t<F>> &&
                                              std::is_invocable_v<F&, A...>>>
  FunctionReference(F&& callable)
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(callable)))),
        call_([](void* object, A... arguments) {
          (*static_cast<std::remove_reference_t<F>*>(object))(std::forward<A>(arguments)...);
        }) {}

  /// Fails with StackExhausted: continuations nest with no function entry in between.
  void operator()(A... arguments) const {
    check_stack();
    call_(object_, std::forward<A>(arguments)...);
  }

 private:
  void* object_;
  void (*call_)(void*, A...);
};

}  // namespace detail

/// `continuation<Vector<float>, float>` is called as k(h, h_adj, loss, loss_adj); `continuation<>` as k().
template <class... Results>
class continuation : public detail::FunctionReference<typename detail::AllParameters<Results...>::type> {
 public:
  using detail::FunctionReference<typename detail::AllParameters<Results...>::type>::FunctionReference;
};

}  // namespace lantern
