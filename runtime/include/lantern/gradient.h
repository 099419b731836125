// The gradient of one parameter. What a step adds to it is kept in the form that is cheap: a weight's outer products
// are recorded and become one matrix product, an embedding's rows stay rows. The additions themselves
// (`gradient += expression`, `+= outer(a, b)`, `+= row_at(i, e)`) are in accumulate.h.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "lantern/array.h"
#include "lantern/records.h"
#include "lantern/share.h"

namespace lantern {

namespace detail {
/// target[rows,n] (+)= rows `row` to `row + rows` of the sum over records of a[m] ⊗ b[n]; defined in matrix_products.h.
template <class T>
void add_rows_of_outer_products(T* target, int64_t row, int64_t rows, int64_t n, const RowsOf<T>& a, const RowsOf<T>& b, int64_t records, bool overwrite);
}  // namespace detail

template <class T, int Rank>
class Gradient {
 public:
  using value_type = T;
  static constexpr int rank = Rank;

  Gradient();
  ~Gradient();
  Gradient(Gradient&&) noexcept = default;
  Gradient& operator=(Gradient&&) noexcept = default;

  /// Starts a step: everything is zero. Costs what the last step touched, not the parameter's size.
  void begin(const Shape<Rank>& shape);

  const Shape<Rank>& shape() const { return shape_; }
  int64_t size() const {
    int64_t product = 1;
    for (const int64_t n : shape_) product *= n;
    return product;
  }

  /// True where only some rows may differ from zero; `touched_rows` names them.
  bool only_rows() const { return Rank >= 1 && all_records_ == 0 && state_ != State::dense; }
  const std::vector<int64_t>& touched_rows() const { return touched_; }
  T* row_data(int64_t row) const { return values_.data() + row * row_size(); }

  /// The whole gradient, zeros included, as a tensor (rank 0: the number itself).
  decltype(auto) view() {
    flush();
    T* values = zeroed();
    if constexpr (Rank == 0) return static_cast<T&>(*values);
    else return Tensor<T, Rank>(values, shape_);
  }

  /// True where recorded products are all that there is, and few.
  bool only_records() const { return all_records_ > 0 && all_records_ * columns_ <= few_elements && (state_ == State::zero || state_ == State::stale); }
  /// use(first, count, values) for all entries, row-major, `count` from `first` on at a time while they are in cache: a step that goes
  /// this way needs no memory for the gradient. Only where `only_records`; leaves the gradient as it is. Threads may share them.
  template <class Use>
  void for_each_block(Use&& use) {
    const int64_t m = rows_, n = columns_, at_once = std::max<int64_t>(16, 2048 / std::max<int64_t>(n, 1) / 16 * 16);
    T* const blocks = static_cast<T*>(detail::thread_fibers().scratch((threads() * at_once + all_records_) * n * static_cast<int64_t>(sizeof(T))));
    T* const right = blocks + threads() * at_once * n;
    copy_right(right);
    detail::share(m, at_once, operations(), [&](int64_t first, int64_t end) {
      T* const block = blocks + detail::worker * at_once * n;
      for (int64_t row = first; row < end; row += at_once) {
        const int64_t rows = std::min(at_once, end - row);
        add_rows(block, row, rows, true, right);
        use(row * n, rows * n, block);
      }
    });
  }

  /// For a dense addition: where, and whether what stands there is to be overwritten.
  struct Target {
    T* data;
    bool overwrite;
  };
  Target dense_target();

  /// For an addition to one row (an element, in rank 1). Fails with IndexError.
  T* row_target(int64_t row);

  /// Adds Σ a[r] ⊗ b[r] over `count` records, later: copies both. a is [count, m], b [count, n], and the gradient, row-major, a matrix [m,n].
  void record(const T* a, const T* b, int64_t m, int64_t n, int64_t count = 1);

 private:
  /// zero: all zero. rows: zero but for the touched rows. dense: valid. stale: zero by meaning, but not in memory.
  enum class State { zero, rows, dense, stale };

  /// The part that this thread adds to (gradient_parts.h); null: the whole.
  Gradient* own_part();
  /// Adds what is in a part. Its records may stay where they are, until they are made a product together with the others.
  void add_part(Gradient& part, bool stays);

  int64_t row_size() const { return Rank == 0 || shape_[0] == 0 ? 1 : size() / shape_[0]; }

  void allocate() {
    if (values_.count() == 0 && size() > 0) values_ = detail::Buffer<T>(size());
  }
  T* zeroed();
  void forget_rows();

  /// Enough records for an efficient product, few enough to stay in cache.
  int64_t record_bound() const {
    constexpr int64_t bytes = int64_t{1} << 20;
    return std::max<int64_t>(16, bytes / (static_cast<int64_t>(sizeof(T)) * (rows_ + columns_ + 1)));
  }
  void flush();
  /// The right vectors of all records, side by side.
  void copy_right(T* target) const;
  /// target[count,columns] (+)= rows of the sum of all records. right: theirs, side by side; null: they are read where they lie.
  void add_rows(T* target, int64_t row, int64_t count, bool overwrite, const T* right = nullptr) const;
  /// use(part) for each part that has records, this one first.
  template <class Use>
  void for_each_part(Use&& use) const {
    if (records_.count() > 0) use(*this);
    if (all_records_ == records_.count()) return;
    for (const auto& part : parts_) {
      if (part && part->records_.count() > 0 && !part->in_use_) use(*part);
    }
  }
  void forget_records();
  void forget_own_records() {
    records_.clear();
    all_records_ = 0;
  }
  double operations() const { return 2.0 * static_cast<double>(rows_ * columns_) * static_cast<double>(all_records_); }
  void clear_row_marks() {
    for (const int64_t row : touched_) row_is_touched_[static_cast<size_t>(row)] = false;
  }

  Shape<Rank> shape_{};
  detail::Buffer<T> values_;
  detail::Records<T> records_;
  int64_t rows_ = 0, columns_ = 0;  // of the matrix that the records add up to
  int64_t all_records_ = 0;  // with those of parts
  static constexpr int64_t few_elements = 64 * 1024;
  std::vector<int64_t> touched_;
  std::vector<bool> row_is_touched_;
  State state_ = State::zero;
  bool started_ = false;
  std::unique_ptr<Gradient> parts_[detail::most_parts];
  bool is_part_ = false, in_use_ = false;
};

// Apart from the class: what is defined within it is compiled with each program.
template <class T, int Rank>
Gradient<T, Rank>::Gradient() = default;
template <class T, int Rank>
Gradient<T, Rank>::~Gradient() = default;

template <class T, int Rank>
void Gradient<T, Rank>::begin(const Shape<Rank>& shape) {
  for (auto& part : parts_) {  // an error may have left one
    if (part) part->in_use_ = false;
  }
  forget_records();
  if (shape != shape_ || !started_) {
    shape_ = shape;
    started_ = true;
    values_ = {};
    touched_.clear();
    row_is_touched_.clear();
    state_ = State::zero;
    return;
  }
  if (state_ == State::rows) forget_rows();
  if (state_ == State::dense) state_ = State::stale;
}

template <class T, int Rank>
T* Gradient<T, Rank>::row_target(int64_t row) {
  static_assert(Rank >= 1);
  if (Gradient* const own = own_part()) return own->row_target(row);
  if (row < 0 || row >= shape_[0]) fail(errors::index, "", "row %lld of a gradient with %lld rows", static_cast<long long>(row), static_cast<long long>(shape_[0]));
  T* values = zeroed();
  if (state_ == State::dense) return values + row * row_size();
  if (row_is_touched_.empty()) row_is_touched_.resize(static_cast<size_t>(shape_[0]));
  if (!row_is_touched_[static_cast<size_t>(row)]) {
    row_is_touched_[static_cast<size_t>(row)] = true;
    touched_.push_back(row);
  }
  state_ = State::rows;
  return values + row * row_size();
}

template <class T, int Rank>
void Gradient<T, Rank>::record(const T* a, const T* b, int64_t m, int64_t n, int64_t count) {
  if (Gradient* const own = own_part()) return own->record(a, b, m, n, count);
  if (m != rows_ || n != columns_) {
    flush();
    rows_ = m;
    columns_ = n;
  }
  const int64_t most = record_bound();
  for (; count > 0; --count, a += m, b += n) {
    if (records_.count() == most) flush();
    records_.add(a, m, b, n, most);
    ++all_records_;
  }
}

template <class T, int Rank>
Gradient<T, Rank>* Gradient<T, Rank>::own_part() {
  if (detail::part == 0 || is_part_) return nullptr;
  auto& part = parts_[detail::part - 1];
  if (!part) {
    part = std::make_unique<Gradient>();
    part->is_part_ = true;
  }
  if (!part->in_use_) {
    part->begin(shape_);
    part->in_use_ = true;
    detail::touched_gradients->push_back({this, [](void* whole, int number, bool stays) {
      auto& gradient = *static_cast<Gradient*>(whole);
      gradient.add_part(*gradient.parts_[number - 1], stays);
    }});
  }
  return part.get();
}

template <class T, int Rank>
void Gradient<T, Rank>::add_part(Gradient& part, bool stays) {
  part.in_use_ = false;
  if (part.records_.count() > 0 && !stays) {
    for (int64_t r = 0; r < part.records_.count(); ++r) record(part.records_.left()[r], part.records_.right()[r], part.rows_, part.columns_);
    part.forget_records();
  }
  if (part.records_.count() > 0 && (part.rows_ != rows_ || part.columns_ != columns_)) {
    if (all_records_ > 0) {  // of another matrix: it is added as what it comes to
      part.flush();
    } else {
      rows_ = part.rows_;
      columns_ = part.columns_;
    }
  }
  if (part.state_ == State::dense) {
    flush();
    const Target target = dense_target();
    const T* const values = part.values_.data();
    detail::share(size(), 1024, 4.0 * static_cast<double>(size()), [&](int64_t first, int64_t end) {
      if (target.overwrite) std::memcpy(static_cast<void*>(target.data + first), values + first, static_cast<size_t>(end - first) * sizeof(T));
      else for (int64_t i = first; i < end; ++i) target.data[i] += values[i];
    });
  } else if constexpr (Rank >= 1) {
    for (const int64_t row : part.touched_) {
      T* const target = row_target(row);
      const T* const values = part.row_data(row);
      for (int64_t i = 0; i < row_size(); ++i) target[i] += values[i];
    }
  }
  if (part.records_.count() > 0) {
    all_records_ += part.records_.count();
    detail::crew->put_off(this, [](void* whole) { static_cast<Gradient*>(whole)->flush(); });
  }
}

template <class T, int Rank>
T* Gradient<T, Rank>::zeroed() {
  allocate();
  if (state_ == State::stale) {
    std::memset(static_cast<void*>(values_.data()), 0, static_cast<size_t>(size()) * sizeof(T));
    state_ = State::zero;
  }
  return values_.data();
}

template <class T, int Rank>
void Gradient<T, Rank>::forget_rows() {
  for (const int64_t row : touched_) {
    std::memset(static_cast<void*>(row_data(row)), 0, static_cast<size_t>(row_size()) * sizeof(T));
    row_is_touched_[static_cast<size_t>(row)] = false;
  }
  touched_.clear();
  state_ = State::zero;
}

template <class T, int Rank>
void Gradient<T, Rank>::flush() {
  if (all_records_ == 0) return;
  if (state_ == State::rows) clear_row_marks();
  const Target target = dense_target();
  const auto add = [&] {
    detail::share(rows_, 8, operations(), [&](int64_t first, int64_t end) { add_rows(target.data + first * columns_, first, end - first, target.overwrite); });
  };
  if (detail::fibers) detail::fibers->with_deep_stack(add);
  else add();
  forget_records();
}

template <class T, int Rank>
void Gradient<T, Rank>::copy_right(T* target) const {
  for_each_part([&](const Gradient& part) {
    for (int64_t r = 0; r < part.records_.count(); ++r) target = std::copy_n(part.records_.right()[r], columns_, target);
  });
}

template <class T, int Rank>
void Gradient<T, Rank>::add_rows(T* target, int64_t row, int64_t count, bool overwrite, const T* right) const {
  for_each_part([&](const Gradient& part) {
    const int64_t records = part.records_.count();
    const auto of_part = right ? detail::RowsOf<T>{right, columns_} : part.records_.right();
    detail::add_rows_of_outer_products(target, row, count, columns_, part.records_.left(), of_part, records, overwrite);
    overwrite = false;
    if (right) right += records * columns_;
  });
}

template <class T, int Rank>
void Gradient<T, Rank>::forget_records() {
  if (all_records_ > records_.count()) {
    for (auto& part : parts_) {
      if (part && !part->in_use_) part->forget_own_records();
    }
  }
  forget_own_records();
}

template <class T, int Rank>
typename Gradient<T, Rank>::Target Gradient<T, Rank>::dense_target() {
  if (Gradient* const own = own_part()) return own->dense_target();
  allocate();
  const bool overwrite = state_ == State::stale;
  touched_.clear();
  state_ = State::dense;
  return {values_.data(), overwrite};
}

}  // namespace lantern
