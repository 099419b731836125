// The progress bar, drawn.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "lantern/progress.h"

namespace lantern::detail {

LANTERN_INLINE Bar::Bar(std::string_view label, int64_t size) : label_(label), size_(size), shown_(isatty(STDERR_FILENO) && !std::getenv("LANTERN_QUIET")) {}

LANTERN_INLINE void Bar::start() { start_ = last_ = Clock::now(); }

LANTERN_INLINE void Bar::draw(int64_t done) {
  const auto now = Clock::now();
  const bool complete = done == size_;
  if (!complete && now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  constexpr int width = 30;
  const int filled = static_cast<int>(width * done / (size_ > 0 ? size_ : 1));
  char bar[width + 1];
  for (int i = 0; i < width; ++i) bar[i] = i < filled ? '#' : '.';
  bar[width] = 0;
  std::fprintf(stderr, "\r%.*s%s[%s] %lld/%lld  %.0f/s  %s %.0fs \033[K", static_cast<int>(label_.size()), label_.data(), label_.empty() ? "" : " ", bar, static_cast<long long>(done),
               static_cast<long long>(size_), rate, complete ? "took" : "left",
               complete ? seconds : rate > 0 ? static_cast<double>(size_ - done) / rate : 0.0);
  if (complete) std::fputc('\n', stderr);
}

}  // namespace lantern::detail
