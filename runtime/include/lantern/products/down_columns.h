// Products of a few vectors with a weight, where packets are as long as a cache line: down the weight's columns, some packets of a row and the same of the rows
// below, so that what is summed, or what it is multiplied by, stays in registers. A row may begin anywhere in a line: one of 300 f32 ends in the middle of one,
// and packets from there on would straddle two. So rows are taken together that begin at the same place of a line, which are a few rows apart, and are read from
// the line's beginning on; what the product reads or writes along them is a copy that begins there, too, with zeros around it.

namespace lantern::detail::LANTERN_PACKETS {

/// Whether sums of rows of W[m,k], or dot products of so many vectors with them, go down its columns, or along rows alike. What is summed in which order is not to depend on where W lies, which
/// begins on a line as arrays do.
template <class T>
LANTERN_KERNEL bool sums_go_down_columns(int64_t m, int64_t k);
template <class T>
LANTERN_KERNEL bool few_dot_products_pay(int64_t m, int64_t k, int64_t vectors);
/// For so many vectors this pays: the sums of more need too many registers, or the loads of what they have become.
inline constexpr int64_t most_dots_down_columns = 2, most_sums_down_columns = 4;
/// y[v] = W · x[v] + added[v] (null: nothing) for n vectors x[v], at most most_dots_down_columns: down its columns, along its rows, or what the processor is quicker at.
template <class T>
LANTERN_KERNEL void dot_products_down_columns(T* const* y, const T* const* added, const T* const* x, const BlockMatrix<T>& w, int64_t n);
template <class T>
LANTERN_KERNEL void dot_products_along_rows(T* const* y, const T* const* added, const T* const* x, const BlockMatrix<T>& w, int64_t n);
template <class T>
LANTERN_KERNEL void few_dot_products(T* const* y, const T* const* added, const T* const* x, const BlockMatrix<T>& w, int64_t n) {
  return finds_rows_by_itself() ? dot_products_down_columns(y, added, x, w, n) : dot_products_along_rows(y, added, x, w, n);
}
/// y[v] = d[v] · W + added[v] (null: nothing) for n vectors d[v], at most most_sums_down_columns. y[v] may be added[v].
template <class T>
LANTERN_KERNEL void sums_down_columns(T* const* y, const T* const* added, const T* const* d, const BlockMatrix<T>& w, int64_t n);
/// The same of a matrix in one piece.
template <class T>
LANTERN_KERNEL void few_dot_products(T* const* y, const T* const* added, const T* const* x, const T* w, int64_t n, int64_t m, int64_t k) {
  few_dot_products(y, added, x, BlockMatrix<T>{&w, &m, &k, 1, 1}, n);
}
template <class T>
LANTERN_KERNEL void sums_down_columns(T* const* y, const T* const* added, const T* const* d, const T* w, int64_t n, int64_t m, int64_t k) {
  sums_down_columns(y, added, d, BlockMatrix<T>{&w, &m, &k, 1, 1}, n);
}

/// Whether there are these kernels: of f32, where packets are as long as a cache line.
#if LANTERN_PACKET_BYTES >= 64 || (LANTERN_PACKET_BYTES >= 32 && defined(LANTERN_DOWN_COLUMNS))
template <class T>
inline constexpr bool goes_down = std::is_same_v<T, float>;

/// Some lanes of a packet.
#if LANTERN_PACKET_BYTES >= 64
using Lanes = __mmask16;
LANTERN_INLINED Lanes lanes_between(int64_t first, int64_t end) { return static_cast<Lanes>((0xFFFFU << first) & (0xFFFFU >> (16 - end))); }
LANTERN_INLINED __m512 load_lanes(Lanes lanes, const float* place) { return _mm512_maskz_loadu_ps(lanes, place); }
#else
using Lanes = __m256i;
LANTERN_INLINED Lanes lanes_between(int64_t first, int64_t end) {
  alignas(32) int32_t of_lanes[8];
  for (int64_t i = 0; i < 8; ++i) of_lanes[i] = i >= first && i < end ? -1 : 0;
  return _mm256_load_si256(reinterpret_cast<const Lanes*>(of_lanes));
}
LANTERN_INLINED __m256 load_lanes(Lanes lanes, const float* place) { return _mm256_maskload_ps(place, lanes); }
#endif

/// What rows of blocks have in common that are one below the other and begin at the same place of a line: in each block the row of that number, and each that is a
/// multiple of `apart` behind.
struct RowsAlike {
  int64_t number, apart;
  int64_t before, step;  // before: elements of the line in front of a row; step: from one to the next
  int64_t columns;       // of whole packets that each lies in
  Lanes head, tail;      // what of the first packet, and of the last, is the row's
};
/// Some of them: `count` of one block, from the i-th on. first: where the line begins that the first one begins in.
struct RunOfRows {
  const float* first;
  int64_t count;
  int64_t row;  // the first one's, of all rows of the matrix
};

/// Of how many kinds rows of W[m,k] are, each of which begins elsewhere in a line.
LANTERN_INLINED int64_t kinds_of_rows(int64_t k) {
  int64_t kinds = 1;
  while (kinds * k % packet_width<float> != 0) ++kinds;
  return kinds;
}

/// Whether a product goes from a weight's end to its begin: every second one does, since what the last one has read at its end is still in the second cache, of
/// which a weight may need all. What is summed, and in which order, is the same.
LANTERN_INLINED bool turns_back() {
  static thread_local bool last = false;
  return last = !last;
}

/// Packets of a panel for so many vectors, of which there are three at least: their sums, or they, and the row's, are in registers. Rows of a panel whose sums
/// stay in the first cache while the next one adds to them.
constexpr int widest_panel(int vectors) { return vectors <= 2 ? 7 : 5; }
inline constexpr int64_t rows_of_panel = 64;

template <class T>
LANTERN_KERNEL bool sums_go_down_columns(int64_t m, int64_t k) {
  const int64_t kinds = kinds_of_rows(k), bytes = k * static_cast<int64_t>(sizeof(T));
  const bool pages_apart = kinds * bytes % 4096 == 0;     // those take each other's place in the first cache
  const bool in_cache = m * bytes <= (int64_t{1} << 22);  // memory is better read as it lies
  return k >= 4 * packet_width<T> && m >= 16 * kinds && !pages_apart && in_cache;
}
/// Of a weight that comes from near, what it takes to keep sums of lanes, or copies of more than one vector, is more than what is saved.
template <class T>
LANTERN_KERNEL bool few_dot_products_pay(int64_t m, int64_t k, int64_t vectors) {
  const int64_t enough = vectors == 1 && !finds_rows_by_itself() ? int64_t{1} << 16 : int64_t{1} << 18;
  return vectors <= most_dots_down_columns && m * k * static_cast<int64_t>(sizeof(T)) >= enough && sums_go_down_columns<T>(m, k);
}

LANTERN_INLINED RowsAlike rows_alike(int64_t k, int64_t number, int64_t kinds) {
  constexpr int64_t width = packet_width<float>;
  const int64_t before = number * k % width, packets = (before + k + width - 1) / width;
  return {number, kinds, before, kinds * k, packets * width, lanes_between(before, width), lanes_between(0, before + k - (packets - 1) * width)};
}
/// How many of them a block of m rows has: those that are apart are a power of two.
LANTERN_INLINED int64_t rows_in_block(const RowsAlike& rows, int64_t m) { return (m - rows.number + rows.apart - 1) >> __builtin_ctzll(static_cast<unsigned long long>(rows.apart)); }

/// So many kinds that rows of all blocks of one kind are alike: those that more blocks have are multiples of fewer.
template <class T>
LANTERN_KERNEL int64_t kinds_of_rows(const BlockMatrix<T>& w) {
  int64_t kinds = 1;
  for (int64_t c = 0; c < w.block_columns; ++c) kinds = std::max(kinds, kinds_of_rows(w.columns[c]));
  return kinds;
}

/// Room for n copies of what goes along a row, one for each kind of row: `columns` of any kind apart.
LANTERN_INLINED int64_t columns_of_copy(int64_t k) { return (k / packet_width<float> + 2) * packet_width<float>; }

/// Some packets of rows alike, from column `at` on.
template <int Packets>
struct PanelOfRows {
  int64_t step;
  Lanes lanes[Packets];
  bool ahead;  // rows are asked for before they are read

  LANTERN_INLINED PanelOfRows(const RowsAlike& rows, int64_t at, bool asks) : step(rows.step), ahead(asks) {
    constexpr int64_t width = packet_width<float>;
    const Lanes all = lanes_between(0, width);
    unrolled<Packets>([&](auto q) LANTERN_STEP {
      const int64_t begins = at + q * width;
      lanes[q] = begins == 0 ? rows.head : begins + width == rows.columns ? rows.tail : all;
    });
  }

  /// f(q, packet) for each packet of the row that begins at `place`.
  template <class F>
  LANTERN_INLINED void for_packets(const float* place, F&& f) const {
    constexpr int64_t width = packet_width<float>;
    if (ahead) unrolled<Packets>([&](auto q) LANTERN_STEP { __builtin_prefetch(place + 12 * step + q * width); });
    unrolled<Packets>([&](auto q) LANTERN_STEP {
      PacketOf<float> packet = load_lanes(lanes[q], place + q * width);
      keep_in_register(packet);
      f(q, packet);
    });
  }
};

/// f(first column, packets) for the panels of rows alike: the packets, a number as a type, are as many in each as can be.
template <int Vectors, class F>
LANTERN_INLINED void for_panels_of(const RowsAlike& rows, bool back, F&& f) {
  constexpr int64_t width = packet_width<float>;
  constexpr int widest = widest_panel(Vectors);
  for (int64_t left = rows.columns, packets; left > 0; left -= packets * width) {
    packets = even_part(left / width, widest);
    const int64_t at = back ? left - packets * width : rows.columns - left;
    unrolled<widest - 2>([&](auto fewer) LANTERN_STEP {
      if (packets == widest - fewer) f(at, std::integral_constant<int, widest - fewer>{});
    });
  }
}

/// sums[v][r] (+)= what a panel adds to the products of x[v], as it lies beside the rows, with the rows of some runs: a packet, whose lanes are summed at last.
/// begins: nothing has been added yet.
template <int Vectors, int Packets>
LANTERN_APART void add_dot_products(float* sums, const float* x, int64_t x_step, int64_t at, const RowsAlike& rows, const RunOfRows* runs, const RunOfRows* end, bool begins) {
  using P = PacketOf<float>;
  constexpr int64_t width = packet_width<float>;
  const PanelOfRows<Packets> panel(rows, at, false);
  P xs[Vectors][Packets];
  unrolled<Vectors * Packets>([&](auto j) LANTERN_STEP { xs[j / Packets][j % Packets] = packets::ploadu<P>(x + j / Packets * x_step + at + j % Packets * width); });
  const auto add = [&](auto from_nothing) LANTERN_STEP {
    for (; runs < end; ++runs) {
      const float* place = runs->first + at;
      for (int64_t left = runs->count; left > 0; --left, place += panel.step, sums += width) {
        P of_row[Vectors];
        unrolled<Vectors>([&](auto v) LANTERN_STEP { of_row[v] = from_nothing ? packets::pset1<P>(0.0F) : packets::ploadu<P>(sums + v * rows_of_panel * width); });
        panel.for_packets(place, [&](auto q, const P& packet) LANTERN_STEP {
          unrolled<Vectors>([&](auto v) LANTERN_STEP { of_row[v] = packets::pmadd(packet, xs[v][q], of_row[v]); });
        });
        unrolled<Vectors>([&](auto v) LANTERN_STEP { packets::pstoreu(sums + v * rows_of_panel * width, of_row[v]); });
      }
    }
  };
  if (begins) add(std::true_type{});
  else add(std::false_type{});
}

/// y[row] = the sum of the lanes of sums[r] + added[row] (null: nothing) for the rows of some runs, at most rows_of_panel; rows of one are `apart`.
LANTERN_INLINED void store_dot_products(float* y, const float* added, int64_t apart, const float* sums, int64_t count, const RunOfRows* runs, const RunOfRows* end) {
  using P = PacketOf<float>;
  constexpr int at_once = 16;
  alignas(64) float products[rows_of_panel];
  for (int64_t r = 0; r < count; r += at_once) {
    P of_rows[at_once];
    unrolled<at_once>([&](auto j) LANTERN_STEP { of_rows[j] = packets::ploadu<P>(sums + (r + j) * packet_width<float>); });
    store_sums<1, at_once, float>([&](int) LANTERN_STEP { return products + r; }, [](int) LANTERN_STEP { return static_cast<const float*>(nullptr); }, of_rows);
  }
  const float* product = products;
  for (; runs < end; ++runs) {
    for (int64_t r = 0, row = runs->row; r < runs->count; ++r, ++product, row += apart) y[row] = *product + (added ? added[row] : 0.0F);
  }
}

/// runs: of the rows alike of a column of blocks those from the `first`-th on, before the `end`-th, as they are counted through all blocks. How many runs.
template <class T>
LANTERN_INLINED int64_t runs_of_rows(RunOfRows* runs, const BlockMatrix<T>& w, int64_t column, const RowsAlike& rows, int64_t first, int64_t end) {
  if (w.block_rows == 1) {
    const T* const block = w.blocks[column] + rows.number * w.columns[column] - rows.before;
    runs[0] = {block + first * rows.step, std::min(end, rows_in_block(rows, w.rows[0])) - first, rows.number + first * rows.apart};
    return 1;
  }
  int64_t count = 0, before = 0, row = rows.number;
  for (int64_t g = 0; g < w.block_rows && before < end; ++g) {
    const int64_t here = rows_in_block(rows, w.rows[g]), from = std::max<int64_t>(first - before, 0), to = std::min(end - before, here);
    const T* const block = w.blocks[g * w.block_columns + column] + rows.number * w.columns[column] - rows.before;
    if (from < to) runs[count++] = {block + from * rows.step, to - from, row + from * rows.apart};
    before += here;
    row += w.rows[g];
  }
  return count;
}

template <class T>
LANTERN_KERNEL void dot_products_down_columns(T* const* y, const T* const* added, const T* const* x, const BlockMatrix<T>& w, int64_t n) {
  const Mark mark = arena().mark();
  const int64_t kinds = kinds_of_rows(w), of_vector = rows_of_panel * packet_width<T>;
  int64_t columns = 0;
  for (int64_t c = 0; c < w.block_columns; ++c) columns += columns_of_copy(w.columns[c]);
  T *const beside = arena().allocate_array<T>(n * columns), *const sums = arena().allocate_array<T>(n * of_vector);
  RunOfRows* const runs = arena().allocate_array<RunOfRows>(w.block_rows);
  std::fill(sums, sums + n * of_vector, T(0));  // of rows that are not there, too
  const bool back = turns_back();
  for (int64_t i = 0; i < kinds; ++i) {
    const int64_t number = back ? kinds - 1 - i : i;
    for (int64_t v = 0; v < n; ++v) {
      T* copy = beside + v * columns;
      const T* from = x[v];
      for (int64_t c = 0; c < w.block_columns; ++c) {
        const int64_t k = w.columns[c], all = columns_of_copy(k), before = number * k % packet_width<T>;
        std::fill(copy, copy + before, T(0));
        std::copy(from, from + k, copy + before);
        std::fill(copy + before + k, copy + all, T(0));
        from += k;
        copy += all;
      }
    }
    int64_t rows_of_kind = 0;
    for (int64_t g = 0; g < w.block_rows; ++g) rows_of_kind += rows_in_block(rows_alike(w.columns[0], number, kinds), w.rows[g]);
    for (int64_t left = rows_of_kind, count; left > 0; left -= count) {
      count = even_part(left, rows_of_panel);
      const int64_t first = back ? left - count : rows_of_kind - left;
      const T* copy = beside;
      int64_t run_count = 0;
      for (int64_t c = 0; c < w.block_columns; ++c) {
        const RowsAlike rows = rows_alike(w.columns[c], number, kinds);
        run_count = runs_of_rows(runs, w, c, rows, first, first + count);
        unrolled<static_cast<int>(most_dots_down_columns)>([&](auto less) LANTERN_STEP {
          if (n != less + 1) return;
          for_panels_of<less + 1>(rows, false, [&](int64_t at, auto packets) LANTERN_STEP {
            add_dot_products<less + 1, packets.value>(sums, copy, columns, at, rows, runs, runs + run_count, c == 0 && at == 0);
          });
        });
        copy += columns_of_copy(w.columns[c]);
      }
      for (int64_t v = 0; v < n; ++v) store_dot_products(y[v], added[v], kinds, sums + v * of_vector, count, runs, runs + run_count);
    }
  }
  arena().reset(mark);
}

/// y[v][at…] = Σ d[v][r]·W[r][at…] over the rows alike of some runs, for the columns of a panel.
template <int Vectors, int Packets>
LANTERN_APART void sums_of_panel(float* y, int64_t y_step, int64_t at, const float* const* d, const RowsAlike& rows, const RunOfRows* runs, const RunOfRows* end, bool ahead) {
  using P = PacketOf<float>;
  const PanelOfRows<Packets> panel(rows, at, ahead);
  P sums[Vectors][Packets];
  unrolled<Vectors * Packets>([&](auto j) LANTERN_STEP { sums[j / Packets][j % Packets] = packets::pset1<P>(0.0F); });
  const int64_t apart = rows.apart;
  for (; runs < end; ++runs) {
    const float* of_d[Vectors];
    unrolled<Vectors>([&](auto v) LANTERN_STEP { of_d[v] = d[v] + runs->row; });
    const float* place = runs->first + at;
    const int64_t end_of_run = runs->count * apart;
    for (int64_t of_row = 0; of_row < end_of_run; of_row += apart, place += panel.step) {
      P of_w[Packets];
      panel.for_packets(place, [&](auto q, const P& packet) LANTERN_STEP { of_w[q] = packet; });
      unrolled<Vectors>([&](auto v) LANTERN_STEP {
        const P scale = packets::pset1<P>(of_d[v][of_row]);
        unrolled<Packets>([&](auto q) LANTERN_STEP { sums[v][q] = packets::pmadd(scale, of_w[q], sums[v][q]); });
      });
    }
  }
  unrolled<Vectors * Packets>([&](auto j) LANTERN_STEP { packets::pstoreu(y + j / Packets * y_step + at + j % Packets * packet_width<float>, sums[j / Packets][j % Packets]); });
}

/// target[k] = a[k] (null: zeros) + b[k].
LANTERN_INLINED void put_sum(float* target, const float* a, const float* b, int64_t k) {
  using P = PacketOf<float>;
  constexpr int64_t width = packet_width<float>;
  int64_t j = 0;
  for (; j + width <= k; j += width) {
    const P of_b = packets::ploadu<P>(b + j);
    packets::pstoreu(target + j, a ? packets::padd(packets::ploadu<P>(a + j), of_b) : of_b);
  }
  for (; j < k; ++j) target[j] = a ? a[j] + b[j] : b[j];
}

/// The same for one column of blocks, the rows alike of all kinds.
template <class T>
LANTERN_KERNEL void sums_of_blocks(T* const* y, const T* const* added, const T* const* d, const BlockMatrix<T>& w, int64_t column, int64_t n, bool back) {
  const Mark mark = arena().mark();
  const int64_t k = w.columns[column], columns = columns_of_copy(k), kinds = kinds_of_rows(k);
  T* const sums = arena().allocate_array<T>(kinds * n * columns);
  RunOfRows* const runs = arena().allocate_array<RunOfRows>(w.block_rows);
  const bool ahead = worth_asking_ahead<T>(w.all_rows(), k);
  for (int64_t i = 0; i < kinds; ++i) {
    const int64_t number = back ? kinds - 1 - i : i;
    const RowsAlike rows = rows_alike(k, number, kinds);
    const int64_t run_count = runs_of_rows(runs, w, column, rows, 0, std::numeric_limits<int64_t>::max());
    unrolled<static_cast<int>(most_sums_down_columns)>([&](auto less) LANTERN_STEP {
      if (n != less + 1) return;
      for_panels_of<less + 1>(rows, back, [&](int64_t at, auto packets) LANTERN_STEP {
        sums_of_panel<less + 1, packets.value>(sums + number * n * columns, columns, at, d, rows, runs, runs + run_count, ahead);
      });
    });
  }
  for (int64_t number = 0; number < kinds; ++number) {  // whichever was made first
    const T* const of_kind = sums + number * n * columns + number * k % packet_width<T>;
    for (int64_t v = 0; v < n; ++v) put_sum(y[v], number == 0 ? added[v] : y[v], of_kind + v * columns, k);
  }
  arena().reset(mark);
}

template <class T>
LANTERN_KERNEL void sums_down_columns(T* const* y, const T* const* added, const T* const* d, const BlockMatrix<T>& w, int64_t n) {
  const bool back = turns_back();
  for (int64_t i = 0; i < w.block_columns; ++i) {
    const int64_t c = back ? w.block_columns - 1 - i : i, at = w.columns_before(c);
    T* of_y[most_sums_down_columns];
    const T* of_added[most_sums_down_columns];
    for (int64_t v = 0; v < n; ++v) {
      of_y[v] = y[v] + at;
      of_added[v] = added[v] ? added[v] + at : nullptr;
    }
    sums_of_blocks(of_y, of_added, d, w, c, n, back);
  }
}
#else
template <class T>
inline constexpr bool goes_down = false;
#endif

}  // namespace lantern::detail::LANTERN_PACKETS
