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
#include "lantern/touched_rows.h"

namespace lantern {

namespace detail {
// Defined in products.h.
/// target[rows,n] (+)= rows `row` to `row + rows` of the sum over records of a[m] ⊗ b[n].
template <class T>
void add_rows_of_outer_products(T* target, int64_t row, int64_t rows, int64_t n, const RowsOf<T>& a, const RowsOf<T>& b, int64_t records, bool overwrite);

namespace as_compiled {
template <class T>
int64_t columns_of_panels(int64_t n);
template <class T>
int64_t rows_of_strip();
template <class T>
void pack_panels(T* packed, const RowsOf<T>& b, int64_t n, int64_t records);
template <class T, class Step, class... A>
void step_rows(const Step& step, const SumOfProducts<T>& sum, int64_t first, int64_t end, T* room, A*... arrays);
}  // namespace as_compiled
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

  /// True where only some rows may differ from zero: `touched` has them, in the order in which they were first touched.
  bool only_rows() const { return Rank >= 1 && all_records_ == 0 && state_ != State::dense; }
  const detail::TouchedRows<T>& touched() const { return touched_; }

  /// The whole gradient, zeros included, as a tensor (rank 0: the number itself).
  decltype(auto) view() {
    flush();
    T* values = zeroed();
    spread_rows();
    if constexpr (Rank == 0) return static_cast<T&>(*values);
    else return Tensor<T, Rank>(values, shape_);
  }

  /// True where recorded products are all that there is, and few.
  bool only_records() const { return all_records_ > 0 && all_records_ * columns_ <= few_elements && state_ != State::dense && touched_.empty(); }
  /// use(first, count, values) for all entries, row-major, `count` from `first` on at a time while they are in cache: a step that goes
  /// this way needs no memory for the gradient. Only where `only_records`; leaves the gradient as it is. Threads may share them.
  template <class Use>
  void for_each_block(Use&& use) {
    const int64_t m = rows_, n = columns_, at_once = std::max<int64_t>(16, 2048 / std::max<int64_t>(n, 1) / 16 * 16);
    T* const blocks = static_cast<T*>(detail::thread_fibers().scratch((threads() * at_once + all_records_) * n * static_cast<int64_t>(sizeof(T))));
    T* const right = blocks + threads() * at_once * n;
    copy_right(right);
    detail::share(m, at_once, operations(), [&](int64_t first, int64_t end) {
      T* const block = blocks + detail::this_worker * at_once * n;
      for (int64_t row = first; row < end; row += at_once) {
        const int64_t rows = std::min(at_once, end - row);
        add_rows(block, row, rows, true, right);
        use(row * n, rows * n, block);
      }
    });
  }

  /// True where recorded products are all that there is, and so many rows and columns that blocks of them fill registers.
  bool is_sum_of_products() const { return all_records_ > 0 && std::min(rows_, columns_) >= fill_registers && state_ != State::dense && touched_.empty(); }
  /// step(packet, places…) for the packets of all entries, and step(packet, n, places…) for those of which n lanes alone are entries, with where they lie in
  /// arrays of this shape: each block while the next one is made. Only where `is_sum_of_products`; leaves the gradient as it is. Threads may share them.
  template <class Step, class... A>
  void step_packets(const Step& step, A*... arrays);

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
  /// What `values_` holds. zero: zeros. dense: the gradient. stale: anything, the gradient is zero. Rows that are touched are added to that, but where it is dense.
  enum class State { zero, dense, stale };

  /// The part that this thread adds to (gradient_parts.h); null: the whole.
  Gradient* own_part();
  /// Adds what is in a part. Its records may stay where they are, until they are made a product together with the others.
  void add_part(Gradient& part, bool stays);

  int64_t row_size() const { return Rank == 0 || shape_[0] == 0 ? 1 : size() / shape_[0]; }

  void allocate() {
    if (values_.count() == 0 && size() > 0) values_ = detail::Buffer<T>(size());
  }
  T* zeroed();
  /// Writes the touched rows to where they belong in `values_`, of zeros, as well.
  void spread_rows();
  /// What `spread_rows` has written is zero again.
  void gather_rows();
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
  Shape<Rank> shape_{};
  detail::Buffer<T> values_;
  detail::Records<T> records_;
  int64_t rows_ = 0, columns_ = 0;  // of the matrix that the records add up to
  int64_t all_records_ = 0;  // with those of parts
  static constexpr int64_t few_elements = 64 * 1024, fill_registers = 24;
  detail::TouchedRows<T> touched_;
  bool is_spread_ = false;  // `values_` has the touched rows, too
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
    if (!part) continue;
    part->in_use_ = false;
    part->forget_own_records();
  }
  forget_records();
  if (shape != shape_ || !started_) {
    shape_ = shape;
    started_ = true;
    values_ = {};
    touched_ = {};
    is_spread_ = false;
    state_ = State::zero;
    return;
  }
  forget_rows();
  if (state_ == State::dense) state_ = State::stale;
}

template <class T, int Rank>
T* Gradient<T, Rank>::row_target(int64_t row) {
  static_assert(Rank >= 1);
  if (Gradient* const own = own_part()) return own->row_target(row);
  if (row < 0 || row >= shape_[0]) fail(errors::index, "", "row %lld of a gradient with %lld rows", static_cast<long long>(row), static_cast<long long>(shape_[0]));
  if (state_ == State::dense) return values_.data() + row * row_size();
  gather_rows();
  return touched_.at(row, shape_[0], row_size());
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
    if (records_.add(a, m, b, n, most)) ++all_records_;
  }
}

template <class T, int Rank>
Gradient<T, Rank>* Gradient<T, Rank>::own_part() {
  if (detail::this_part == 0 || is_part_) return nullptr;
  auto& part = parts_[detail::this_part - 1];
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
    part.touched_.for_each([&](int64_t row, const T* values) {
      T* const target = row_target(row);
      for (int64_t i = 0; i < row_size(); ++i) target[i] += values[i];
    });
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
void Gradient<T, Rank>::spread_rows() {
  if (is_spread_ || state_ == State::dense) return;
  touched_.for_each([&](int64_t row, const T* values) { std::copy_n(values, row_size(), values_.data() + row * row_size()); });
  is_spread_ = true;
}

template <class T, int Rank>
void Gradient<T, Rank>::gather_rows() {
  if (!is_spread_) return;
  touched_.for_each([&](int64_t row, const T*) { std::fill_n(values_.data() + row * row_size(), row_size(), T(0)); });
  is_spread_ = false;
}

template <class T, int Rank>
void Gradient<T, Rank>::forget_rows() {
  gather_rows();
  touched_.clear();
}

template <class T, int Rank>
void Gradient<T, Rank>::flush() {
  if (all_records_ == 0) return;
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
template <class Step, class... A>
void Gradient<T, Rank>::step_packets(const Step& step, A*... arrays) {
  namespace kernels = detail::as_compiled;
  const int64_t records = all_records_, strip = kernels::rows_of_strip<T>(), in_panels = records * kernels::columns_of_panels<T>(columns_);
  const int64_t numbers = (in_panels + threads() * records * strip + 15) / 16 * 16;  // pointers stand behind them
  T* const panels = static_cast<T*>(detail::thread_fibers().scratch(numbers * static_cast<int64_t>(sizeof(T)) + 2 * records * static_cast<int64_t>(sizeof(T*))));
  const T **const left = reinterpret_cast<const T**>(panels + numbers), **const right = left + records;
  int64_t before = 0;
  for_each_part([&](const Gradient& part) {
    for (int64_t r = 0; r < part.records_.count(); ++r, ++before) {
      left[before] = part.records_.left()[r];
      right[before] = part.records_.right()[r];
    }
  });
  kernels::pack_panels<T>(panels, {nullptr, 0, right}, columns_, records);
  const detail::SumOfProducts<T> sum{{nullptr, 0, left}, panels, columns_, records};
  detail::share(rows_, strip, operations(), [&](int64_t first, int64_t end) {
    kernels::step_rows<T>(step, sum, first, end, panels + in_panels + detail::this_worker * records * strip, arrays...);
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
  if (!touched_.empty()) {
    zeroed();
    spread_rows();
    touched_.clear();
    is_spread_ = false;
  }
  allocate();
  const bool overwrite = state_ == State::stale;
  state_ = State::dense;
  return {values_.data(), overwrite};
}

}  // namespace lantern
