// Windows of images [n,h,w,c]: a convolution is their product with its weights, a pool a reduction over them.
#pragma once

#include <cstdint>

#include "lantern/indexing.h"

namespace lantern {

namespace detail {

/// Windows of height × width elements, `down` and `across` apart.
struct Windows {
  int64_t images, rows, columns, height, width, down, across;
  int64_t line, image;  // elements of a line and of an image
  int64_t chunk;        // elements of a window's line
};

inline Windows windows_of(const Shape<4>& shape, int64_t height, int64_t width, int64_t down, int64_t across) {
  const auto wide = [](int64_t n) { return static_cast<long long>(n); };
  if (height < 1 || width < 1 || down < 1 || across < 1 || shape[1] < height || shape[2] < width)
    fail(errors::shape, current_place, "windows of %lld by %lld, %lld and %lld apart, do not fit into images of %lld by %lld", wide(height), wide(width), wide(down),
         wide(across), wide(shape[1]), wide(shape[2]));
  return {shape[0], (shape[1] - height) / down + 1, (shape[2] - width) / across + 1, height, width, down, across,
          shape[2] * shape[3], shape[1] * shape[2] * shape[3], width * shape[3]};
}

/// use(element of the images, element of the windows) where each line of a window begins, in the windows' order.
template <class Use>
void for_each_line(const Windows& windows, int64_t channels, Use&& use) {
  int64_t next = 0;
  for (int64_t n = 0; n < windows.images; ++n)
    for (int64_t y = 0; y < windows.rows; ++y)
      for (int64_t x = 0; x < windows.columns; ++x)
        for (int64_t line = 0; line < windows.height; ++line, next += windows.chunk)
          use(n * windows.image + (y * windows.down + line) * windows.line + x * windows.across * channels, next);
}

}  // namespace detail

/// [n,h,w,c] → [n,rows,columns,height·width,c]: the windows, `down` and `across` apart. Fails with ValueError where none fits.
template <class X, detail::if_tensors<X> = 0>
auto patches(const X& x, int64_t height, int64_t width, int64_t down, int64_t across) {
  static_assert(rank_of<X> == 4, "patches takes images [n,h,w,c]");
  const auto t = evaluate(x);
  const auto windows = detail::windows_of(t.shape, height, width, down, across);
  const auto result = new_tensor<element_type<X>, 5>({t.shape[0], windows.rows, windows.columns, height * width, t.shape[3]});
  detail::for_each_line(windows, t.shape[3], [&](int64_t from, int64_t to) { detail::copy_elements(result.data + to, t.data + from, windows.chunk); });
  return result;
}

/// The adjoint of patches: each element of the shape of `like` is the sum of what the windows hold of it.
template <class Y, class X, detail::if_tensors<Y, X> = 0>
auto patches_sum(const Y& y, int64_t height, int64_t width, int64_t down, int64_t across, const X& like) {
  const auto t = evaluate(y);
  const auto result = zeros<element_type<Y>>(shape_of(like));
  const auto windows = detail::windows_of(result.shape, height, width, down, across);
  detail::for_each_line(windows, result.shape[3], [&](int64_t to, int64_t from) {
    for (int64_t i = 0; i < windows.chunk; ++i) result.data[to + i] += t.data[from + i];
  });
  return result;
}

}  // namespace lantern
