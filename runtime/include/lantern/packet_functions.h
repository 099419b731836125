// Functions of packets that Eigen lacks, or has for f32 alone. Each is a few ulp off, and NaN and infinity go through as in libm.
#pragma once

#include <cmath>

#include "lantern/expression.h"

namespace lantern::detail {

/// √a, as the processor has it: Eigen's, of floats, makes NaN of infinity, and of a loop over std::sqrt, which may set errno, a compiler makes calls.
template <class P>
EIGEN_STRONG_INLINE P square_root(const P& a) {
  using T = element_of_packet<P>;
  alignas(64) T lanes[sizeof(P) / sizeof(T)];
  Eigen::internal::pstore(lanes, a);
  for (T& lane : lanes) lane = std::sqrt(lane);
  return Eigen::internal::pload<P>(lanes);
}
#ifdef EIGEN_VECTORIZE_SSE2
EIGEN_STRONG_INLINE __m128 square_root(__m128 a) { return _mm_sqrt_ps(a); }
EIGEN_STRONG_INLINE __m128d square_root(__m128d a) { return _mm_sqrt_pd(a); }
#endif
#ifdef EIGEN_VECTORIZE_AVX
EIGEN_STRONG_INLINE __m256 square_root(__m256 a) { return _mm256_sqrt_ps(a); }
EIGEN_STRONG_INLINE __m256d square_root(__m256d a) { return _mm256_sqrt_pd(a); }
#endif
#ifdef EIGEN_VECTORIZE_AVX512
EIGEN_STRONG_INLINE __m512 square_root(__m512 a) { return _mm512_maskz_sqrt_ps(0xFFFF, a); }
EIGEN_STRONG_INLINE __m512d square_root(__m512d a) { return _mm512_maskz_sqrt_pd(0xFF, a); }
#endif

/// exp(r) - 1 of |r| <= ln(2) / 2, by its series up to r^13: what follows is less than a tenth of an ulp.
template <class P>
EIGEN_STRONG_INLINE P small_expm1(const P& r) {
  namespace packets = Eigen::internal;
  const auto number = [](double x) { return packets::pset1<P>(static_cast<element_of_packet<P>>(x)); };
  const P square = packets::pmul(r, r);
  P even = number(1.0 / 479001600), odd = number(1.0 / 6227020800);  // of r^12 and r^13; the two sums do not wait for each other
  for (const double c : {1.0 / 3628800, 1.0 / 40320, 1.0 / 720, 1.0 / 24, 1.0 / 2}) even = packets::pmadd(even, square, number(c));
  for (const double c : {1.0 / 39916800, 1.0 / 362880, 1.0 / 5040, 1.0 / 120, 1.0 / 6}) odd = packets::pmadd(odd, square, number(c));
  return packets::pmadd(square, packets::pmadd(odd, r, even), r);
}

/// x · 2^k, for whole numbers k.
#ifdef EIGEN_VECTORIZE_AVX512
EIGEN_STRONG_INLINE __m512 times_power_of_two(__m512 x, __m512 k) { return _mm512_maskz_scalef_ps(0xFFFF, x, k); }
EIGEN_STRONG_INLINE __m512d times_power_of_two(__m512d x, __m512d k) { return _mm512_maskz_scalef_pd(0xFF, x, k); }
#else
template <class P>
EIGEN_STRONG_INLINE P times_power_of_two(const P& x, const P& k) { return Eigen::internal::pldexp(x, k); }
#endif

/// exp(x) - 1, as a half of it is made of twice: the whole of exp(x) may be more than there are numbers where it is still one.
template <class P>
EIGEN_STRONG_INLINE P expm1_of(const P& a) {
  namespace packets = Eigen::internal;
  using T = element_of_packet<P>;
  const auto number = [](double value) { return packets::pset1<P>(static_cast<T>(value)); };
  constexpr bool is_double = std::is_same_v<T, double>;
  const P x = packets::pmax<Eigen::PropagateNaN>(packets::pmin<Eigen::PropagateNaN>(a, number(is_double ? 710 : 89)), number(is_double ? -38 : -18));
  const P k = packets::pfloor(packets::pmadd(x, number(1.4426950408889634), number(0.5)));
  // ln(2) in two parts, of which the first, times k, is exact
  P r = packets::psub(x, packets::pmul(k, number(0.693145751953125)));
  r = packets::psub(r, packets::pmul(k, number(1.4286068203094172e-6)));
  const P half = times_power_of_two(number(0.5), k);
  const P half_of_result = packets::pmadd(small_expm1(r), half, packets::psub(half, number(0.5)));
  return packets::por(packets::padd(half_of_result, half_of_result), packets::pand(a, number(-0.0)));
}

/// a[0] + a[1] x + …
template <class P, size_t N>
EIGEN_STRONG_INLINE P polynomial(const double (&a)[N], const P& x) {
  namespace packets = Eigen::internal;
  const auto number = [](double value) { return packets::pset1<P>(static_cast<element_of_packet<P>>(value)); };
  P sum = number(a[N - 1]);
  for (size_t i = N - 1; i-- > 0;) sum = packets::pmadd(sum, x, number(a[i]));
  return sum;
}

#ifdef EIGEN_VECTORIZE_AVX512
// x = fraction · 2^exponent, the fraction from 0.75 to 1.5; of negative numbers it is NaN, and of 0 and infinity the exponent is infinite.
EIGEN_STRONG_INLINE __m512 fraction_of(__m512 x) { return _mm512_maskz_getmant_ps(0xFFFF, x, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_nan); }
EIGEN_STRONG_INLINE __m512d fraction_of(__m512d x) { return _mm512_maskz_getmant_pd(0xFF, x, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_nan); }
EIGEN_STRONG_INLINE __m512 exponent_of(__m512 x, __m512 fraction) {
  const __m512 exponent = _mm512_maskz_getexp_ps(0xFFFF, x), one = _mm512_set1_ps(1);
  return _mm512_mask_add_ps(exponent, _mm512_cmp_ps_mask(fraction, one, _CMP_LT_OQ), exponent, one);
}
EIGEN_STRONG_INLINE __m512d exponent_of(__m512d x, __m512d fraction) {
  const __m512d exponent = _mm512_maskz_getexp_pd(0xFF, x), one = _mm512_set1_pd(1);
  return _mm512_mask_add_pd(exponent, _mm512_cmp_pd_mask(fraction, one, _CMP_LT_OQ), exponent, one);
}

/// The logarithm: log(1 + r) = r - r² / 2 + r³ p(r) of the fraction, and the exponent's. p is an interpolation in Chebyshev's points, 3e-8 off for floats and 6e-17 for doubles.
template <class P>
EIGEN_STRONG_INLINE P log_of(const P& x) {
  namespace packets = Eigen::internal;
  using T = element_of_packet<P>;
  const auto number = [](double value) { return packets::pset1<P>(static_cast<T>(value)); };
  const P fraction = fraction_of(x), exponent = exponent_of(x, fraction);
  const P r = packets::psub(fraction, number(1)), square = packets::pmul(r, r);
  P sum;
  if constexpr (std::is_same_v<T, float>) {
    sum = polynomial({0.33333346247673035, -0.2500014305114746, 0.19996874034404755, -0.1664944887161255, 0.14382317662239075, -0.13061414659023285, 0.10896314680576324,
                      -0.05147591605782509}, r);
  } else {  // of even and of odd powers: the two do not wait for each other
    const P even = polynomial({0.33333333333333337, 0.19999999999995305, 0.1428571428561753, 0.11111111301401892, 0.0909088884972602, 0.07693177597053096,
                               0.06649098252883945, 0.06030146415009394, 0.05220160955296294, 0.009295232375540967}, square);
    const P odd = polynomial({-0.25000000000001443, -0.1666666666596428, -0.1250000009897488, -0.0999999399200245, -0.08333504404446815, -0.07141031052633406,
                              -0.06237925201429804, -0.05949054823794433, -0.03186253437513445}, square);
    sum = packets::pmadd(odd, r, even);
  }
  const P small = packets::pmadd(square, packets::pmadd(sum, r, number(-0.5)), packets::pmul(exponent, number(1.4286068203094172e-6)));
  return packets::padd(packets::pmul(exponent, number(0.693145751953125)), packets::padd(r, small));
}

/// exp, with Eigen's for floats.
template <class P>
EIGEN_STRONG_INLINE P exp_of(const P& x) {
  namespace packets = Eigen::internal;
  if constexpr (std::is_same_v<element_of_packet<P>, double>) {
    const auto number = [](double value) { return packets::pset1<P>(value); };
    // Of 710 it is infinite, of -746 zero; where one of two is NaN, the second is what these instructions give.
    const P some = _mm512_maskz_max_pd(0xFF, number(-746), _mm512_maskz_min_pd(0xFF, number(710), x));
    const P k = packets::pfloor(packets::pmadd(some, number(1.4426950408889634), number(0.5)));
    P r = packets::psub(some, packets::pmul(k, number(0.693145751953125)));
    r = packets::psub(r, packets::pmul(k, number(1.4286068203094172e-6)));
    return times_power_of_two(packets::padd(number(1), small_expm1(r)), k);
  } else {
    return packets::pexp(x);
  }
}
#else
template <class P>
EIGEN_STRONG_INLINE P log_of(const P& x) { return Eigen::internal::plog(x); }
/// exp: Eigen's, which gives the least normal number for whatever is less. That is zero.
template <class P>
EIGEN_STRONG_INLINE P exp_of(const P& x) {
  namespace packets = Eigen::internal;
  using T = element_of_packet<P>;
  const P least = packets::pset1<P>(std::is_same_v<T, double> ? T(-708.3964185322641) : T(-87.33654));
  return packets::pselect(packets::pcmp_lt(x, least), packets::pset1<P>(T(0)), packets::pexp(x));
}
#endif

/// erf of floats: below 1 x times a polynomial of x², from there on 1 - exp(-x²) times one of t = 1 / (1 + x / 2). Fitted by Chebyshev's polynomials, 1.4e-9 off.
template <class P>
EIGEN_STRONG_INLINE P erf_of_floats(const P& x) {
  namespace packets = Eigen::internal;
  const auto number = [](double value) { return packets::pset1<P>(static_cast<float>(value)); };
  const P one = number(1), size = packets::pmin<Eigen::PropagateNaN>(packets::pabs(x), number(4.1));  // of which erf is 1
  const P square = packets::pmul(size, size);
  const P below = packets::pmul(size, polynomial({1.1283791065216064, -0.3761262595653534, 0.11283597350120544, -0.02685432881116867, 0.005189312156289816,
                                                  -0.0008018855005502701, 7.882497448008507e-05}, square));
  const P t = packets::pdiv(one, packets::pmadd(size, number(0.5), one));
  const P scale = packets::pmul(t, polynomial({0.28257685899734497, 0.2746865749359131, 0.2948717176914215, 0.007262744475156069, 0.4253910779953003,
                                               -0.3769303560256958, 0.0920037180185318}, t));
  const P above = packets::psub(one, packets::pmul(packets::pexp(packets::pnegate(square)), scale));
  return packets::por(packets::pselect(packets::pcmp_lt(size, one), below, above), packets::pand(x, number(-0.0)));
}

/// tanh of doubles: with e = exp(2|x|) - 1 it is e / (e + 2), without a loss of digits near zero.
template <class P>
EIGEN_STRONG_INLINE P tanh_of_doubles(const P& x) {
  namespace packets = Eigen::internal;
  const auto number = [](double value) { return packets::pset1<P>(value); };
  const P one = number(1), size = packets::pabs(x);
  const P twice = packets::pmin<Eigen::PropagateNaN>(packets::padd(size, size), number(44));  // of which tanh is 1
  const P k = packets::pfloor(packets::pmadd(twice, number(1.4426950408889634), number(0.5)));
  // ln(2) in two parts, of which the first, times k, is exact
  P r = packets::psub(twice, packets::pmul(k, number(0.693145751953125)));
  r = packets::psub(r, packets::pmul(k, number(1.4286068203094172e-6)));
  const P scale = times_power_of_two(one, k);
  const P e = packets::pmadd(small_expm1(r), scale, packets::psub(scale, one));
  return packets::por(packets::pdiv(e, packets::padd(e, number(2))), packets::pand(x, number(-0.0)));
}

/// The sine (`quarters` 0) or the cosine (1) of doubles, each that of what is left of x behind whole quarters of a turn.
template <int quarters, class P>
EIGEN_STRONG_INLINE P sine_of_doubles(const P& x) {
  namespace packets = Eigen::internal;
  const auto number = [](double value) { return packets::pset1<P>(value); };
  if (packets::predux_max(packets::pabs(x)) > 524288) {  // k is no longer so short that its products below are exact
    alignas(64) double lanes[sizeof(P) / sizeof(double)];
    packets::pstore(lanes, x);
    for (double& lane : lanes) lane = quarters == 0 ? std::sin(lane) : std::cos(lane);
    return packets::pload<P>(lanes);
  }
  const P k = packets::pfloor(packets::pmadd(x, number(0.6366197723675814), number(0.5)));
  // pi / 2 in three parts, the first two of 33 bits
  P r = packets::psub(x, packets::pmul(k, number(1.5707963267341256)));
  r = packets::psub(r, packets::pmul(k, number(6.077100506303966e-11)));
  r = packets::psub(r, packets::pmul(k, number(2.0222662487959506e-21)));
  const P square = packets::pmul(r, r);
  P sine = number(1.0 / 355687428096000), cosine = number(1.0 / 20922789888000);  // of r^17 and r^16
  for (const double c : {-1.0 / 1307674368000, 1.0 / 6227020800, -1.0 / 39916800, 1.0 / 362880, -1.0 / 5040, 1.0 / 120, -1.0 / 6})
    sine = packets::pmadd(sine, square, number(c));
  for (const double c : {-1.0 / 87178291200, 1.0 / 479001600, -1.0 / 3628800, 1.0 / 40320, -1.0 / 720, 1.0 / 24, -0.5})
    cosine = packets::pmadd(cosine, square, number(c));
  sine = packets::pmadd(packets::pmul(r, square), sine, r);
  cosine = packets::pmadd(cosine, square, number(1));
  const P turned = packets::padd(k, number(quarters)), quarter = packets::psub(turned, packets::pmul(number(4), packets::pfloor(packets::pmul(turned, number(0.25)))));
  const P is_odd = packets::por(packets::pcmp_eq(quarter, number(1)), packets::pcmp_eq(quarter, number(3)));
  const P sign = packets::pand(packets::pcmp_le(number(2), quarter), number(-0.0));
  const P result = packets::pxor(packets::pselect(is_odd, cosine, sine), sign);
  return quarters == 0 ? packets::pselect(packets::pcmp_eq(x, number(0)), x, result) : result;
}

/// log(1 + x): what rounding 1 + x has lost is added, as the logarithm's slope there has it.
template <class P>
EIGEN_STRONG_INLINE P log1p_of(const P& x) {
  namespace packets = Eigen::internal;
  using T = typename packets::unpacket_traits<P>::type;
  const P one = packets::pset1<P>(T(1)), sum = packets::padd(one, x);
  const P lost = packets::pdiv(packets::psub(x, packets::psub(sum, one)), sum);
  const P counted = packets::pand(lost, packets::pcmp_eq(lost, lost));  // of 0 and infinity it is NaN
  return packets::pselect(packets::pcmp_eq(x, packets::pset1<P>(T(0))), x, packets::padd(log_of(sum), counted));
}

}  // namespace lantern::detail
