// Arrays: the parameters and states of a model. They own their elements (64-byte aligned) or are bound to memory of a
// host program; to every operation they are the tensor that views them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <utility>

#include "lantern/tensor.h"

namespace lantern {

namespace detail {

/// What new memory holds. Where it is `anything`, the system gives pages of it as they are written.
enum class Filled { zeros, anything };

/// Owned, aligned memory that reports exhaustion by `fail` (it is asked for inside generated code too).
template <class T>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(int64_t count, Filled filled = Filled::zeros);
  Buffer(Buffer&& other) noexcept : data_(std::exchange(other.data_, nullptr)), count_(std::exchange(other.count_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
    return *this;
  }
  ~Buffer() {
    if (data_) give_back();
  }

  T* data() const { return data_; }
  int64_t count() const { return count_; }

 private:
  void give_back();

  T* data_ = nullptr;
  int64_t count_ = 0;
};

template <class T>
Buffer<T>::Buffer(int64_t count, Filled filled) : count_(count) {
  if (count == 0) return;
  if (count < 0 || count > (int64_t{1} << 46)) fail(errors::out_of_memory, "", "an array too large to address");
  const int64_t bytes = (count * static_cast<int64_t>(sizeof(T)) + 63) / 64 * 64;
  charge_memory(bytes, "an array");
  data_ = static_cast<T*>(std::aligned_alloc(64, static_cast<size_t>(bytes)));
  if (!data_) {
    release_memory(bytes);
    fail(errors::out_of_memory, "", "an array of %.1f MB", static_cast<double>(bytes) / 1e6);
  }
  if (filled == Filled::zeros) std::memset(static_cast<void*>(data_), 0, static_cast<size_t>(bytes));
}
template <class T>
void Buffer<T>::give_back() {
  release_memory((count_ * static_cast<int64_t>(sizeof(T)) + 63) / 64 * 64);
  std::free(data_);
}

}  // namespace detail

/// Row-major storage of a shape that may be set when the program runs. Copying copies elements into owned storage.
template <class T, int Rank>
class Array {
 public:
  using value_type = T;
  static constexpr int rank = Rank;

  Array() = default;
  explicit Array(const Shape<Rank>& shape) { resize(shape); }
  /// Elements row by row, as many as the shape has.
  Array(const Shape<Rank>& shape, std::initializer_list<T> elements);
  /// All elements the same.
  static Array filled(const Shape<Rank>& shape, T value);
  Array(const Array& other) { *this = other; }
  Array(Array&& other) noexcept = default;
  Array& operator=(Array&& other) noexcept = default;
  Array& operator=(const Array& other);

  /// Owned, zero-filled storage of this shape; what was there is gone. Fails with OutOfMemory.
  void resize(const Shape<Rank>& shape);
  /// Uses the host's memory, row-major, which must outlive the array.
  void bind(T* elements, const Shape<Rank>& shape);
  /// Whether it has been given a shape.
  bool has_value() const { return has_value_; }

  T* data() const { return data_; }
  const Shape<Rank>& shape() const { return shape_; }
  int64_t shape(int axis) const { return shape_[static_cast<size_t>(axis)]; }
  int64_t size() const { return tensor().size(); }
  T* begin() const { return data_; }
  T* end() const { return data_ + size(); }
  Tensor<T, Rank> tensor() const { return {data_, shape_}; }
  operator Tensor<T, Rank>() const { return tensor(); }

 private:
  detail::Buffer<T> storage_;
  T* data_ = nullptr;
  Shape<Rank> shape_{};
  bool has_value_ = false;
};

template <class T, int Rank>
Array<T, Rank>::Array(const Shape<Rank>& shape, std::initializer_list<T> elements) : Array(shape) {
  std::copy(elements.begin(), elements.end(), data_);
}
template <class T, int Rank>
Array<T, Rank> Array<T, Rank>::filled(const Shape<Rank>& shape, T value) {
  Array array(shape);
  std::fill(array.begin(), array.end(), value);
  return array;
}
template <class T, int Rank>
Array<T, Rank>& Array<T, Rank>::operator=(const Array& other) {
  if (this == &other) return *this;
  resize(other.shape_);
  has_value_ = other.has_value_;
  std::memcpy(static_cast<void*>(data_), other.data_, static_cast<size_t>(size()) * sizeof(T));
  return *this;
}
template <class T, int Rank>
void Array<T, Rank>::resize(const Shape<Rank>& shape) {
  storage_ = detail::Buffer<T>(checked_size<Rank>(shape));
  data_ = storage_.data();
  shape_ = shape;
  has_value_ = true;
}
template <class T, int Rank>
void Array<T, Rank>::bind(T* elements, const Shape<Rank>& shape) {
  storage_ = {};
  data_ = elements;
  shape_ = shape;
  has_value_ = true;
}

/// An array of a model that an entry reads has been given a value, of this shape; -1: any size. Fails with ValueError.
template <class T, int Rank>
void check_filled(const char* name, const Array<T, Rank>& array, const Shape<Rank>& wanted) {
  if (!array.has_value()) {
    fail(errors::shape, "", "'%s' of the Model has no value yet: load it, or call a function that makes it, before one that reads it", name);
  }
  for (int i = 0; i < Rank; ++i) {
    const int64_t size = array.shape(i), expected = wanted[static_cast<size_t>(i)];
    if (expected < 0 || size == expected) continue;
    fail(errors::shape, "", "dimension %d of '%s' of the Model is %lld, and %lld is expected", i, name, static_cast<long long>(size), static_cast<long long>(expected));
  }
}

/// The same for what an entry changes: where nothing has given it a value yet, it begins as the program says.
template <class T, int Rank>
void begin_filled(const char* name, Array<T, Rank>& array, const Shape<Rank>& shape, T value) {
  if (array.has_value()) return check_filled(name, array, shape);
  array = Array<T, Rank>::filled(shape, value);
}

/// A single number: reads and assigns like a T.
template <class T>
class Array<T, 0> {
 public:
  using value_type = T;
  static constexpr int rank = 0;

  Array() = default;
  Array(T value) : own_(value) {}
  Array(const Array& other) : own_(*other.data()) {}
  Array& operator=(const Array& other) { return *this = *other.data(); }
  Array& operator=(T value) {
    *data() = value;
    return *this;
  }

  void resize(const Shape<0>& = {}) { *data() = T(); }
  void bind(T* element, const Shape<0>& = {}) { bound_ = element; }

  T* data() const { return bound_ ? bound_ : &own_; }
  Shape<0> shape() const { return {}; }
  int64_t size() const { return 1; }
  T* begin() const { return data(); }
  T* end() const { return data() + 1; }
  operator T&() const { return *data(); }

 private:
  mutable T own_{};
  T* bound_ = nullptr;
};

}  // namespace lantern
