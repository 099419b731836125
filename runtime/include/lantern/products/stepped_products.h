// A sum of outer products, a weight's gradient, of which a step takes each block while the next one is made: there is no memory for all of it, and what the step waits
// for, the weight and its own divisions, comes while the processor multiplies. The step is a program's, and so are the kernels that it is part of.

namespace lantern::detail::LANTERN_PACKETS {

/// Of right vectors of n elements in panels, so many numbers for each record; of left vectors, as many as a block has rows.
template <class T>
LANTERN_KERNEL int64_t columns_of_panels(int64_t n) { return (n + packet_width<T> - 1) / packet_width<T> * packet_width<T>; }
template <class T>
LANTERN_KERNEL int64_t rows_of_strip() { return strip; }

/// f(first column, columns, packets) for all columns, as many packets as can be at a time while they are whole; then one at a time, of which the last may not be whole:
/// each number of packets is a kernel to be compiled with the program.
template <class T, class F>
LANTERN_INLINED void for_whole_panels(int64_t n, F&& f) {
  constexpr int64_t width = packet_width<T>;
  int64_t j = 0;
  for (; j + most_packets * width <= n; j += most_packets * width) f(j, most_packets * width, std::integral_constant<int, most_packets>{});
  for (; j < n; j += width) f(j, std::min(n - j, width), std::integral_constant<int, 1>{});
}

/// Right vectors, panel by panel, in each the records one behind the other, zeros behind the last columns.
template <class T>
LANTERN_KERNEL void pack_panels(T* packed, const RowsOf<T>& b, int64_t n, int64_t records) {
  for (int64_t r = 0; r < records; ++r) {  // a record is read as it lies, and may come from far away
    const T* const from = b[r];
    T* of_panel = packed;
    for_whole_panels<T>(n, [&](int64_t j, int64_t columns, auto count) LANTERN_STEP {
      constexpr int64_t step = count.value * packet_width<T>;
      T* const to = of_panel + r * step;
      if (columns == step) std::memcpy(to, from + j, step * sizeof(T));
      else std::fill(std::copy_n(from + j, columns, to), to + step, T(0));
      of_panel += records * step;
    });
  }
}

/// Left vectors' elements from `row` on, `rows` of them, those of a record side by side, zeros for what a strip has more.
template <class T>
LANTERN_KERNEL void pack_strip(T* packed, const RowsOf<T>& a, int64_t row, int64_t rows, int64_t records) {
  for (int64_t r = 0; r < records; ++r, packed += strip) {
    const T* const from = a[r] + row;
    if (rows == strip) std::memcpy(packed, from, strip * sizeof(T));
    else std::fill(std::copy_n(from, rows, packed), packed + strip, T(0));
  }
}

/// A block of the sum that a step is still to take.
template <class T>
struct PendingBlock {
  static constexpr int64_t most_columns = most_packets * packet_width<T>;
  alignas(64) T values[strip * most_columns];  // rows are so far apart
  int64_t rows = 0, columns = 0, at = 0;       // at: of its first element in arrays of the sum's shape
};

/// step(packet, places…) for the packets of a row of a block, and where they lie in some arrays, and step(packet, lanes, places…) for one that is not whole.
template <class T, class Step, class... A>
LANTERN_INLINED void step_row(const Step& step, const T* values, int64_t columns, A*... arrays) {
  constexpr int64_t width = packet_width<T>;
  int64_t j = 0;
  for (; j + width <= columns; j += width) step(packets::ploadu<PacketOf<T>>(values + j), (arrays + j)...);
  if (j < columns) step(packets::ploadu<PacketOf<T>>(values + j), columns - j, (arrays + j)...);
}
/// The same for a block's rows from the `first` on.
template <class T, class Step, class... A>
LANTERN_APART __attribute__((flatten)) void step_rows_of_block(const PendingBlock<T>& block, const Step& step, int64_t first, int64_t n, A*... arrays) {
  for (int64_t r = first; r < block.rows; ++r) step_row(step, block.values + r * block.most_columns, block.columns, (arrays + block.at + r * n)...);
}

/// The block of a strip of rows times a panel over all records, both packed, while a step takes the block before, a row with each record. Rows of the arrays are n
/// elements apart. Not inlined: g++ would keep the sums in memory.
template <int Packets, class T, class Step, class... A>
LANTERN_APART __attribute__((flatten)) void step_block(PendingBlock<T>& block, const Step& with, const T* a, const T* panel, int64_t records, int64_t n, A*... arrays) {
  constexpr int64_t width = packet_width<T>, apart = PendingBlock<T>::most_columns;
  using P = PacketOf<T>;
  const Step step = with;  // nothing else refers to it
  P sums[strip][Packets];
  unrolled<strip * Packets>([&](auto i) LANTERN_STEP { sums[i / Packets][i % Packets] = packets::pset1<P>(T(0)); });
  const int64_t rows = block.rows, columns = block.columns, at = block.at;
  const T* values = block.values;
  for (int64_t r = 0; r < records; ++r, a += strip, panel += Packets * width) {
    P bp[Packets];
    unrolled<Packets>([&](auto q) LANTERN_STEP {
      P packet = packets::ploadu<P>(panel + q * width);
      keep_in_register(packet);
      bp[q] = packet;
    });
    unrolled<strip>([&](auto i) LANTERN_STEP {
      const P ap = packets::pset1<P>(a[i]);
      unrolled<Packets>([&](auto q) LANTERN_STEP { sums[i][q] = packets::pmadd(ap, bp[q], sums[i][q]); });
    });
    if (r >= rows) continue;
    step_row(step, values, columns, (arrays + at + r * n)...);
    values += apart;
  }
  if (rows > records) step_rows_of_block(block, step, records, n, arrays...);
  unrolled<strip * Packets>([&](auto i) LANTERN_STEP { packets::pstore(block.values + i / Packets * apart + i % Packets * width, sums[i / Packets][i % Packets]); });
}

/// step(packet, places…) for the packets of rows `first` to `end` of a sum, and where they lie in arrays of its shape; step(packet, lanes, places…) for those that
/// are not whole. room: for a strip of all records.
template <class T, class Step, class... A>
LANTERN_KERNEL void step_rows(const Step& step, const SumOfProducts<T>& sum, int64_t first, int64_t end, T* room, A*... arrays) {
  const int64_t n = sum.columns, records = sum.records;
  PendingBlock<T> block;
  for (int64_t top = first, rows; top < end; top += rows) {
    rows = std::min<int64_t>(strip, end - top);
    pack_strip(room, sum.left, top, rows, records);
    const T* panel = sum.right;
    for_whole_panels<T>(n, [&](int64_t j, int64_t columns, auto count) LANTERN_STEP {
      step_block<count.value>(block, step, room, panel, records, n, arrays...);
      block.rows = rows;
      block.columns = columns;
      block.at = top * n + j;
      panel += records * count.value * packet_width<T>;
    });
  }
  step_rows_of_block(block, step, 0, n, arrays...);
}

}  // namespace lantern::detail::LANTERN_PACKETS
