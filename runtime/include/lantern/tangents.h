// What forward mode, and derivatives that users give, ask of the runtime.
#pragma once

#include "lantern/evaluate.h"
#include "lantern/list_operations.h"

namespace lantern {

namespace detail {

template <class X, class A, if_operands<X> = 0>
void need_same_form(const X& x, const A& a, const char* location, const char* what) {
  if (shape_of(x) != shape_of(a)) fail(errors::domain, location, "%s has another shape than what it is %s of", what, what);
}
template <class T>
void need_same_form(const List<T>& x, const List<T>& a, const char* location, const char* what) {
  if (x.size != a.size) {
    fail(errors::domain, location, "%s has %lld elements, and the list that it is %s of %lld", what, static_cast<long long>(x.size), what,
         static_cast<long long>(a.size));
  }
  for (int64_t i = 0; i < x.size; ++i) need_same_form(x.data[i], a.data[i], location, what);
}

template <class X>
auto as_value(const X& x) { return evaluate(x); }
template <class T>
List<T> as_value(const List<T>& x) { return x; }

}  // namespace detail

/// `x`, a tangent of `a`. Fails with ValueError where it has another shape: it would be stretched.
template <class X, class A>
auto tangent_of(const X& x, const A& a, const char* location = "") {
  detail::need_same_form(x, a, location, "a tangent");
  return detail::as_value(x);
}

/// `x`, an adjoint of `a`: likewise.
template <class X, class A>
auto adjoint_of(const X& x, const A& a, const char* location = "") {
  detail::need_same_form(x, a, location, "an adjoint");
  return detail::as_value(x);
}

}  // namespace lantern
