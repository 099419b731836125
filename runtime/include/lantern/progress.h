// A progress bar on standard error, if that is a terminal: `for (const Tree& tree : progress(trees, "train"))`.
#pragma once

#include <chrono>
#include <cstdint>

#include "lantern/definitions.h"
#include "lantern/list.h"

namespace lantern {

namespace detail {

/// What is shown of it, on a terminal.
class Bar {
 public:
  Bar(std::string_view label, int64_t size);
  void start();
  /// At most ten times a second, and at the end.
  void show(int64_t done) {
    if (shown_) draw(done);
  }

 private:
  using Clock = std::chrono::steady_clock;

  void draw(int64_t done);

  std::string_view label_;
  int64_t size_;
  bool shown_;
  Clock::time_point start_{}, last_{};
};

}  // namespace detail

/// A data set while it is iterated over. It owns nothing: an abandoned frame leaves no trace but the bar.
template <class T>
class Progress {
 public:
  Progress(const Dataset<T>& dataset, std::string_view label) : dataset_(dataset), bar_(label, dataset.size) {}
  operator Dataset<T>() const { return dataset_; }

  class Iterator {
   public:
    Iterator(const Progress* bar, int64_t i) : bar_(bar), i_(i) {}
    const T& operator*() const { return bar_->dataset_[i_]; }
    Iterator& operator++() {
      ++i_;
      bar_->bar_.show(i_);
      return *this;
    }
    bool operator!=(const Iterator& other) const { return i_ != other.i_; }

   private:
    const Progress* bar_;
    int64_t i_;
  };
  Iterator begin() const {
    bar_.start();
    return {this, 0};
  }
  Iterator end() const { return {this, dataset_.size}; }

 private:
  Dataset<T> dataset_;
  mutable detail::Bar bar_;
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

#include LANTERN_DEFINITIONS("lantern/definitions/progress.h")
