// A progress bar on standard error, if that is a terminal: `for (const Tree& tree : progress(trees, "train"))`.
#pragma once

#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>

#include "lantern/list.h"

namespace lantern {

/// A data set while it is iterated over. It owns nothing: an abandoned frame leaves no trace but the bar.
template <class T>
class Progress {
 public:
  Progress(const Dataset<T>& dataset, std::string_view label) : dataset_(dataset), label_(label), shown_(isatty(STDERR_FILENO)) {}
  operator Dataset<T>() const { return dataset_; }

  class Iterator {
   public:
    Iterator(const Progress* bar, int64_t i) : bar_(bar), i_(i) {}
    const T& operator*() const { return bar_->dataset_[i_]; }
    Iterator& operator++() {
      ++i_;
      bar_->show(i_);
      return *this;
    }
    bool operator!=(const Iterator& other) const { return i_ != other.i_; }

   private:
    const Progress* bar_;
    int64_t i_;
  };
  Iterator begin() const {
    start_ = last_ = Clock::now();
    return {this, 0};
  }
  Iterator end() const { return {this, dataset_.size}; }

 private:
  using Clock = std::chrono::steady_clock;

  /// At most ten times a second, and at the end.
  void show(int64_t done) const {
    if (!shown_) return;
    const auto now = Clock::now();
    const bool complete = done == dataset_.size;
    if (!complete && now - last_ < std::chrono::milliseconds(100)) return;
    last_ = now;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    const double rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
    constexpr int width = 30;
    const int filled = static_cast<int>(width * done / (dataset_.size > 0 ? dataset_.size : 1));
    char bar[width + 1];
    for (int i = 0; i < width; ++i) bar[i] = i < filled ? '#' : '.';
    bar[width] = 0;
    std::fprintf(stderr, "\r%.*s%s[%s] %lld/%lld  %.0f/s  %s %.0fs \033[K", static_cast<int>(label_.size()), label_.data(), label_.empty() ? "" : " ", bar, static_cast<long long>(done),
                 static_cast<long long>(dataset_.size), rate, complete ? "took" : "left",
                 complete ? seconds : rate > 0 ? static_cast<double>(dataset_.size - done) / rate : 0.0);
    if (complete) std::fputc('\n', stderr);
  }

  Dataset<T> dataset_;
  std::string_view label_;
  bool shown_;
  mutable Clock::time_point start_{}, last_{};
};

/// `dataset`, iterated over under a bar that says `label` (the label it carries, if none is given).
template <class T>
Progress<T> progress(const Dataset<T>& dataset, std::string_view label) { return {dataset, label}; }
template <class T>
Progress<T> progress(const Dataset<T>& dataset) { return {dataset, dataset.label}; }

template <class T>
int64_t length(const Progress<T>& progress) { return length(static_cast<Dataset<T>>(progress)); }

/// `dataset` with a label, for the loop that iterates over it.
template <class T>
Dataset<T> labelled(Dataset<T> dataset, std::string_view label) {
  dataset.label = label;
  return dataset;
}

}  // namespace lantern
