// Python's numbers and their text. Expected texts are CPython's.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "lantern/element_ops.h"
#include "lantern/keep.h"
#include "lantern/scalar.h"
#include "lantern/stack.h"
#include "lantern/text.h"

namespace runtime_scalar_test {

using namespace lantern;

constexpr int64_t largest = std::numeric_limits<int64_t>::max(), smallest = std::numeric_limits<int64_t>::min();

template <class F>
std::string code_of(F&& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.code() + " " + error.location();
  }
  return "none";
}

TEST_CASE("int overflow is an error at its place") {
  CHECK(checked_add(largest - 1, 1) == largest);
  CHECK(code_of([] { checked_add(largest, 1, "a.py:1:2"); }) == "LT0705 a.py:1:2");
  CHECK(code_of([] { checked_subtract(smallest, 1, "a.py:1:2"); }) == "LT0705 a.py:1:2");
  CHECK(code_of([] { checked_multiply(largest, 2, "a.py:1:2"); }) == "LT0705 a.py:1:2");
  CHECK(code_of([] { checked_negate(smallest, "a.py:1:2"); }) == "LT0705 a.py:1:2");
  CHECK(code_of([] { power(int64_t{10}, int64_t{19}, "a.py:1:2"); }) == "LT0705 a.py:1:2");
  CHECK(power(int64_t{-2}, int64_t{63}) == smallest);
  CHECK(power(int64_t{0}, int64_t{0}) == 1);
  CHECK(code_of([] { power(2, -1, "a.py:1:2"); }) == "LT0708 a.py:1:2");
}

TEST_CASE("bounds of slices and lengths of ranges are Python's") {
  CHECK(slice_bound(smallest, 3) == 0);
  CHECK(slice_bound(largest, 3) == 3);
  CHECK(slice_bound(-1, 3) == 2);
  CHECK(slice_bound_down(smallest, 3) == -1);
  CHECK(slice_bound_down(largest, 3) == 2);
  CHECK(range_length(0, 7, 3) == 3);
  CHECK(range_length(7, 0, -3) == 3);
  CHECK(range_length(largest, smallest, smallest) == 2);
  CHECK(code_of([] { range_length(smallest, largest, 1, "a.py:1:2"); }) == "LT0705 a.py:1:2");
  CHECK(code_of([] { range_length(0, 1, 0, "a.py:1:2"); }) == "LT0708 a.py:1:2");
}

TEST_CASE("// and % round down, and zero is an error") {
  CHECK(floor_divide(7, -2, "") == -4);
  CHECK(floor_divide(-7, 2, "") == -4);
  CHECK(floor_divide(-8, 2, "") == -4);
  CHECK(modulo(7, -2, "") == -1);
  CHECK(modulo(-7, 2, "") == 1);
  CHECK(modulo(smallest, int64_t{-1}, "") == 0);
  CHECK(floor_divide(-7.5, 2.0, "") == -4.0);
  CHECK(floor_divide(1.0, 0.1, "") == 9.0);
  CHECK(modulo(-7.5, 2.0, "") == 0.5);
  CHECK(std::signbit(modulo(4.0, -2.0, "")));
  CHECK(modulo(5.0, -std::numeric_limits<double>::infinity(), "") == -std::numeric_limits<double>::infinity());
  CHECK(code_of([] { floor_divide(smallest, int64_t{-1}, "a.py:1:2"); }) == "LT0705 a.py:1:2");
  CHECK(code_of([] { floor_divide(1, 0, "a.py:1:2"); }) == "LT0704 a.py:1:2");
  CHECK(code_of([] { modulo(1.0, 0.0, "a.py:1:2"); }) == "LT0704 a.py:1:2");
  CHECK(code_of([] { divide(1, 0, "a.py:1:2"); }) == "LT0704 a.py:1:2");
  CHECK(divide(7, 2) == 3.5);
  CHECK(divide(largest, largest - 1) == 1.0);
}

TEST_CASE("integers of any size divide with one rounding") {
  const auto quotient_of = [](int64_t a, int64_t b) { return divide(a, b); };
  CHECK(quotient_of(2231446306206722779, 892820844647) == 0x1.3117cbc34979fp+21);
  CHECK(quotient_of(539570333942523596, 796172530635) == 0x1.4ae92934f02a1p+19);
  CHECK(quotient_of(4929748599093533562, 813111227631) == 0x1.720b97cd547bdp+22);
  CHECK(quotient_of(5323574021156246484, 971272072811) == 0x1.4e8922ebe205bp+22);
  CHECK(quotient_of(7186979708806835397, 823855894097) == 0x1.0a3908c53656bp+23);
  CHECK(quotient_of(6779143702777070783, 244496897777) == 0x1.a7143ee951a65p+24);
  CHECK(quotient_of(413363302318850201, 813652) == 0x1.d924de3cca991p+38);
  CHECK(quotient_of(723349062897723963, -2) == -0x1.413b447cd42d4p+58);
  CHECK(quotient_of(287458749087338309, -1) == -0x1.fea11ac976e7ap+57);
  CHECK(quotient_of(1472089042965375473, -4102885086885666380) == -0x1.6f679911d83eap-2);
  CHECK(quotient_of(5, 8855609445811078682) == 0x1.4d4a097c4808bp-61);
  CHECK(quotient_of(2892923245492692829, 6) == 0x1.ac3d19386b545p+58);
  CHECK(quotient_of(smallest, 3) == -0x1.5555555555555p+61);
  CHECK(quotient_of(1, 9223372036854775807) == 0x1.0000000000000p-63);
  CHECK(quotient_of(9223372036854775807, -1) == -0x1.0000000000000p+63);
}

TEST_CASE("shifts") {
  CHECK(shift_left(5, 3, "a.py:1:2") == 40);
  CHECK(shift_left(-1, 62, "a.py:1:2") == -(int64_t{1} << 62));
  CHECK(shift_left(0, 1000, "a.py:1:2") == 0);
  CHECK(shift_right(-5, 1, "a.py:1:2") == -3);
  CHECK(shift_right(-5, 1000, "a.py:1:2") == -1);
  CHECK(shift_right(5, 64, "a.py:1:2") == 0);
  CHECK(code_of([] { shift_left(1, 63, "a.py:1:2"); }) == "LT0705 a.py:1:2");
  CHECK(code_of([] { shift_left(1, -1, "a.py:1:2"); }) == "LT0708 a.py:1:2");
  CHECK(code_of([] { shift_right(1, -1, "a.py:1:2"); }) == "LT0708 a.py:1:2");
}

TEST_CASE("** of floats") {
  CHECK(power(-2.0, 3.0) == -8.0);
  CHECK(power(2, 0.5) == std::sqrt(2.0));
  CHECK(code_of([] { power(0.0, -1.0, "a.py:1:2"); }) == "LT0704 a.py:1:2");
  CHECK(code_of([] { power(-8.0, 1.0 / 3, "a.py:1:2"); }) == "LT0708 a.py:1:2");
  CHECK(code_of([] { power(10.0, 400.0, "a.py:1:2"); }) == "LT0705 a.py:1:2");
  CHECK(code_of([] { to_int(std::nan(""), "a.py:1:2"); }) == "LT0708 a.py:1:2");
  CHECK(code_of([] { to_int(1e19, "a.py:1:2"); }) == "LT0705 a.py:1:2");
  CHECK(to_int(-2.7) == -2);
}

TEST_CASE("str is Python's") {
  CHECK(str(1.0) == "1.0");
  CHECK(str(0.1) == "0.1");
  CHECK(str(-0.0) == "-0.0");
  CHECK(str(1e-5) == "1e-05");
  CHECK(str(0.0001) == "0.0001");
  CHECK(str(1e16) == "1e+16");
  CHECK(str(9007199254740993.0) == "9007199254740992.0");
  CHECK(str(123456.789) == "123456.789");
  CHECK(str(1.5e300) == "1.5e+300");
  CHECK(str(5e-324) == "5e-324");
  CHECK(str(0.1f) == "0.1");
  CHECK(str(std::numeric_limits<double>::infinity()) == "inf");
  CHECK(str(-std::nan("")) == "nan");
  CHECK(str(smallest) == "-9223372036854775808");
  CHECK(str(true) == "True");
  CHECK(join_texts("a", str(1), "b") == "a1b");
  CHECK(join_texts("", 1, 0.5f, true, "") == "10.5True");
  CHECK(length("na\xc3\xafve") == 5);
}

TEST_CASE("a text that gets longer and longer is written where it is") {
  const auto first = arena().mark();
  const std::string_view text = join_texts("abcdef", 1), longer = join_texts(text, "c"), other = join_texts(text, "d");
  CHECK(longer.data() == text.data());
  CHECK(other.data() != text.data());
  CHECK(text == "abcdef1");
  CHECK(longer == "abcdef1c");
  CHECK(other == "abcdef1d");
  const auto mark = arena().mark();
  const std::string_view kept = keep(mark, join_texts(other, "e", text));
  CHECK(kept == "abcdef1deabcdef1");
  std::string_view loop = "";
  int moves = 0;
  for (int i = 0; i < 300'000; ++i) {
    const std::string_view next = join_texts(loop, str(i % 10));  // which is made meanwhile
    moves += next.data() != loop.data();
    loop = next;
  }
  CHECK(loop.size() == 300'000);
  CHECK(loop.substr(299'990) == "0123456789");
  CHECK(moves < 30);
  std::string_view one = "abc", other_one = "abc";
  moves = 0;
  for (int i = 0; i < 10'000; ++i) {
    const std::string_view next = join_texts(one, "d"), other_next = join_texts(other_one, "e");
    moves += (next.data() != one.data()) + (other_next.data() != other_one.data());
    one = next;
    other_one = other_next;
    const auto turn = arena().mark();
    CHECK(join_texts(join_texts("abcdef", "g"), "h") == "abcdefgh");  // which has room, too, for a while
    arena().reset(turn);
  }
  CHECK(one.size() == 10'003);
  CHECK(one.substr(9'999) == "dddd");
  CHECK(other_one.substr(9'999) == "eeee");
  CHECK(moves < 60);
  arena().reset(first);
}

TEST_CASE("the room behind a text is forgotten with it") {
  const auto first = arena().mark();
  char* const begin = arena().allocate_array<char>(8);
  arena().reset(first);
  const std::string_view text = join_texts("abcdef", "gh");
  CHECK(text.data() == begin);
  arena().reset(first);
  char* const anew = arena().allocate_array<char>(8);
  CHECK(anew == begin);
  std::memcpy(anew, "01234567", 8);
  char* const behind = static_cast<char*>(arena().allocate_close<char>(8));
  CHECK(behind == anew + 8);
  std::memcpy(behind, "89abcdef", 8);
  CHECK(join_texts(std::string_view(anew, 8), "x") == "01234567x");
  CHECK(std::string_view(behind, 8) == "89abcdef");
  arena().reset(first);
}

TEST_CASE("format is Python's") {
  CHECK(format(".3f", 3.14159) == "3.142");
  CHECK(format("8.2f", -3.14159) == "   -3.14");
  CHECK(format("08.2f", -3.14159) == "-0003.14");
  CHECK(format("<8.1f", 2.25) == "2.2     ");
  CHECK(format("^7d", 12) == "  12   ");
  CHECK(format("*>6d", 12) == "****12");
  CHECK(format("+d", 5) == "+5");
  CHECK(format(",d", 1234567) == "1,234,567");
  CHECK(format(",.2f", 1234567.891) == "1,234,567.89");
  CHECK(format(".1%", 0.4567) == "45.7%");
  CHECK(format("e", 12345.678) == "1.234568e+04");
  CHECK(format("g", 0.00001) == "1e-05");
  CHECK(format(".3g", 1234.5) == "1.23e+03");
  CHECK(format("", 2.0) == "2.0");
  CHECK(format("_", 1234567) == "1_234_567");
  CHECK(format("_x", 0xabcdef) == "ab_cdef");
  CHECK(format("012_", -1234) == "-000_001_234");
  CHECK(format(">6", "ab") == "    ab");
  CHECK(format("^7.3", "h\xc3\xa9llo") == "  h\xc3\xa9l  ");
  CHECK(format("05s", "ab") == "ab000");
  CHECK(code_of([] { format("+", "ab", "a.py:1:2"); }) == "LT0708 a.py:1:2");
  CHECK(code_of([] { format("d", "ab", "a.py:1:2"); }) == "LT0708 a.py:1:2");
  CHECK(round_digits(2.675, 2) == 2.67);
  CHECK(round_digits(-0.5, 0) == 0.0);
  CHECK(round_digits(995.0, -1) == 1000.0);
  CHECK(round_digits(5e-324, 400) == 5e-324);
  CHECK(round_digits(25.0, -1) == 20.0);
  CHECK(round_digits(25.000001, -1) == 30.0);
  CHECK(round_digits(99.0, -3) == 0.0);
  CHECK(code_of([] { round_digits(1.79e308, -308, "a.py:1:2"); }) == "LT0705 a.py:1:2");
  CHECK(format("d", smallest) == "-9223372036854775808");
  CHECK(format(".2f", 7) == "7.00");
  CHECK(format(".3", 2.0) == "2.0");
  CHECK(format(".3", 123.0) == "1.23e+02");
  CHECK(format(".2", 9.99) == "1e+01");
  CHECK(format(".5", -120.0) == "-120.0");
  CHECK(format(".4", 0.0) == "0.0");
  CHECK(format(".1", 0.00012) == "0.0001");
  CHECK(format("010,", 1234) == "00,001,234");
  CHECK(format("08,", -1234) == "-001,234");
  CHECK(format("012,.1f", 1234.5) == "00,001,234.5");
  CHECK(format("<010", 1234) == "1234000000");
  CHECK(format("*=010", -12) == "-*******12");
  CHECK(format("x", 3054) == "bee");
  CHECK(format("X", -3054) == "-BEE");
  CHECK(format("#010x", 255) == "0x000000ff");
  CHECK(format("#b", -5) == "-0b101");
  CHECK(format("+#o", 8) == "+0o10");
  CHECK(format("<8b", 5) == "101     ");
  CHECK(format("b", smallest) == "-1" + std::string(63, '0'));
  CHECK(format("x", true) == "1");
  CHECK(format("#d", 7) == "7");
  CHECK(code_of([] { format("x", 3.5, "a.py:1:2"); }) == "LT0708 a.py:1:2");
  CHECK(code_of([] { format(",x", 3, "a.py:1:2"); }) == "LT0708 a.py:1:2");
  CHECK(code_of([] { format("#f", 3, "a.py:1:2"); }) == "LT0708 a.py:1:2");
  CHECK(code_of([] { format("c", 3, "a.py:1:2"); }) == "LT0708 a.py:1:2");
  CHECK(code_of([] { format("d", 3.5, "a.py:1:2"); }) == "LT0708 a.py:1:2");
  CHECK(code_of([] { format(".99999999999f", 3.5, "a.py:1:2"); }) == "LT0708 a.py:1:2");
}

TEST_CASE("range is Python's") {
  const auto values = [](int64_t start, int64_t stop, int64_t step) {
    std::vector<int64_t> all;
    for (const int64_t i : range(start, stop, step)) all.push_back(i);
    return all;
  };
  CHECK(values(0, 5, 2) == std::vector<int64_t>{0, 2, 4});
  CHECK(values(5, 0, -2) == std::vector<int64_t>{5, 3, 1});
  CHECK(values(3, 3, 1).empty());
  CHECK(values(0, 5, -1).empty());
  CHECK(values(largest - 1, largest, 3) == std::vector<int64_t>{largest - 1});
  CHECK(values(smallest, largest, largest).size() == 3);
  CHECK(values(0, smallest, smallest) == std::vector<int64_t>{0});
  CHECK(code_of([] { range(0, 1, 0, "a.py:1:2"); }) == "LT0708 a.py:1:2");
}

TEST_CASE("an element that is no whole number becomes the least one") {
  const auto cast = [](double x) { return ops::Cast<double, int64_t>::scalar(x); };
  constexpr int64_t least = std::numeric_limits<int64_t>::min();
  for (const double x : {std::nan(""), 1e300, -1e300, 9223372036854775808.0, HUGE_VAL}) CHECK(cast(x) == least);
  CHECK(cast(-9223372036854775808.0) == least);
  CHECK(cast(-2.9) == -2);
  CHECK(cast(9223372036854774784.0) == 9223372036854774784);
  CHECK(ops::Cast<double, int32_t>::scalar(-2147483648.5) == std::numeric_limits<int32_t>::min());
  CHECK(ops::Cast<double, int32_t>::scalar(2147483648.0) == std::numeric_limits<int32_t>::min());
  CHECK(ops::Cast<float, int64_t>::scalar(-1.5f) == -1);
}

}  // namespace runtime_scalar_test
