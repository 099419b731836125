#include "lantern/operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "lantern/type_rules.h"
#include "support/diagnostic.h"

namespace lantern {

namespace {

using enum Spelling;
using enum Smoothness;

std::vector<Operator> make_table() {
  return {
      // Elementwise arithmetic.
      {.name = "+", .operands = "a b", .rule = rules::combination, .cpp = "+", .spelling = infix,
       .pullbacks = {{"a", "(sum-to y_adj a)"}, {"b", "(sum-to y_adj b)"}}, .elementwise = true},
      {.name = "-", .operands = "a b", .rule = rules::arithmetic, .cpp = "-", .spelling = infix,
       .pullbacks = {{"a", "(sum-to y_adj a)"}, {"b", "(sum-to (neg y_adj) b)"}}, .elementwise = true},
      {.name = "*", .operands = "a b", .rule = rules::combination, .cpp = "*", .spelling = infix,
       .pullbacks = {{"a", "(sum-to (* y_adj b) a)"}, {"b", "(sum-to (* y_adj a) b)"}}, .elementwise = true},
      {.name = "/", .operands = "a b", .rule = rules::true_division, .cpp = "/", .fails = Fails::numbers, .raises = "ZeroDivisionError", .spelling = infix,
       .pullbacks = {{"a", "(sum-to (/ y_adj b) a)"}, {"b", "(sum-to (neg (/ (* y_adj y) b)) b)"}}, .elementwise = true},
      {.name = "//", .operands = "a b", .rule = rules::arithmetic, .cpp = "floor_divide", .fails = Fails::numbers, .raises = "ZeroDivisionError", .smoothness = flat, .elementwise = true},
      {.name = "%", .operands = "a b", .rule = rules::arithmetic, .cpp = "modulo", .fails = Fails::numbers, .raises = "ZeroDivisionError",
       .pullbacks = {{"a", "(sum-to y_adj a)"}, {"b", "(sum-to (neg (* y_adj (// a b))) b)"}}, .elementwise = true},
      {.name = "**", .operands = "a b", .rule = rules::power, .cpp = "power", .fails = Fails::numbers, .raises = "ZeroDivisionError OverflowError ValueError",
       .pullbacks = {{"a", "(sum-to (where (== b 0) 0.0 (* y_adj (* b (** a (- b 1))))) a)"},
                     {"b", "(sum-to (where (> a 0) (* y_adj (* y (log (where (> a 0) a 1.0)))) 0.0) b)"}},
       .elementwise = true},
      {.name = "neg", .operands = "a", .rule = rules::negation, .cpp = "-", .spelling = prefix,
       .pullbacks = {{"a", "(neg y_adj)"}}, .elementwise = true},
      {.name = "abs", .operands = "a", .rule = rules::magnitude, .cpp = "abs",
       .pullbacks = {{"a", "(where (> a 0) y_adj (where (< a 0) (neg y_adj) 0.0))"}}, .elementwise = true},
      {.name = "sqrt", .operands = "a", .rule = rules::real_function, .cpp = "sqrt", .fails = Fails::numbers,
       .pullbacks = {{"a", "(/ (* 0.5 y_adj) y)"}}, .elementwise = true},
      {.name = "square", .operands = "a", .rule = rules::negation, .cpp = "square",
       .pullbacks = {{"a", "(* y_adj (* 2.0 a))"}}, .elementwise = true},
      {.name = "exp", .operands = "a", .rule = rules::real_function, .cpp = "exp",
       .pullbacks = {{"a", "(* y_adj y)"}}, .elementwise = true},
      {.name = "log", .operands = "a", .rule = rules::real_function, .cpp = "log", .fails = Fails::numbers,
       .pullbacks = {{"a", "(/ y_adj a)"}}, .elementwise = true},
      {.name = "tanh", .operands = "a", .rule = rules::real_function, .cpp = "tanh",
       .pullbacks = {{"a", "(* y_adj (- 1.0 (* y y)))"}}, .elementwise = true},
      {.name = "sigmoid", .operands = "a", .rule = rules::real_function, .cpp = "sigmoid",
       .pullbacks = {{"a", "(* y_adj (* y (- 1.0 y)))"}}, .elementwise = true},
      {.name = "relu", .operands = "a", .rule = rules::negation, .cpp = "relu",
       .pullbacks = {{"a", "(where (> a 0) y_adj 0.0)"}}, .elementwise = true},
      {.name = "sin", .operands = "a", .rule = rules::real_function, .cpp = "sin",
       .pullbacks = {{"a", "(* y_adj (cos a))"}}, .elementwise = true},
      {.name = "cos", .operands = "a", .rule = rules::real_function, .cpp = "cos",
       .pullbacks = {{"a", "(neg (* y_adj (sin a)))"}}, .elementwise = true},
      {.name = "tan", .operands = "a", .rule = rules::real_function, .cpp = "tan",
       .pullbacks = {{"a", "(* y_adj (+ 1.0 (* y y)))"}}, .elementwise = true},
      {.name = "expm1", .operands = "a", .rule = rules::real_function, .cpp = "expm1",
       .pullbacks = {{"a", "(* y_adj (+ y 1.0))"}}, .elementwise = true},
      {.name = "log1p", .operands = "a", .rule = rules::real_function, .cpp = "log1p",
       .pullbacks = {{"a", "(/ y_adj (+ 1.0 a))"}}, .elementwise = true},
      {.name = "erf", .operands = "a", .rule = rules::real_function, .cpp = "erf",
       .pullbacks = {{"a", "(* y_adj (* 1.1283791670955126 (exp (neg (* a a)))))"}}, .elementwise = true},
      {.name = "softplus", .operands = "a", .rule = rules::real_function, .cpp = "softplus",
       .pullbacks = {{"a", "(* y_adj (sigmoid a))"}}, .elementwise = true},
      {.name = "gelu", .operands = "a", .rule = rules::real_function, .cpp = "gelu",
       .pullbacks = {{"a", "(* y_adj (+ (* 0.5 (+ 1.0 (erf (* 0.7071067811865476 a)))) "
                           "(* a (* 0.3989422804014327 (exp (* -0.5 (* a a)))))))"}},
       .elementwise = true},
      {.name = "leaky_relu", .operands = "a slope", .rule = rules::real_function_of_two, .cpp = "leaky_relu",
       .pullbacks = {{"a", "(sum-to (where (> a 0) y_adj (* slope y_adj)) a)"}, {"slope", "(sum-to (where (> a 0) 0.0 (* a y_adj)) slope)"}},
       .elementwise = true},
      {.name = "elu", .operands = "a alpha", .rule = rules::real_function_of_two, .cpp = "elu",
       .pullbacks = {{"a", "(sum-to (where (> a 0) y_adj (* y_adj (+ y alpha))) a)"},
                     {"alpha", "(sum-to (where (> a 0) 0.0 (* y_adj (expm1 a))) alpha)"}},
       .elementwise = true},
      {.name = "clip", .operands = "a lo hi", .rule = rules::clip, .cpp = "clip",
       .pullbacks = {{"a", "(sum-to (where (and (>= a lo) (<= a hi)) y_adj 0.0) a)"},
                     {"lo", "(sum-to (where (and (< a lo) (<= lo hi)) y_adj 0.0) lo)"},
                     {"hi", "(sum-to (where (> (maximum a lo) hi) y_adj 0.0) hi)"}},
       .elementwise = true},
      {.name = "sign", .operands = "a", .rule = rules::negation, .cpp = "sign", .smoothness = flat, .elementwise = true},
      {.name = "maximum", .operands = "a b", .rule = rules::larger, .cpp = "maximum",
       .pullbacks = {{"a", "(sum-to (where (>= a b) y_adj 0.0) a)"}, {"b", "(sum-to (where (>= a b) 0.0 y_adj) b)"}},
       .elementwise = true},
      {.name = "minimum", .operands = "a b", .rule = rules::larger, .cpp = "minimum",
       .pullbacks = {{"a", "(sum-to (where (<= a b) y_adj 0.0) a)"}, {"b", "(sum-to (where (<= a b) 0.0 y_adj) b)"}},
       .elementwise = true},
      {.name = "where", .operands = "c a b", .rule = rules::where, .cpp = "where",
       .pullbacks = {{"a", "(sum-to (where c y_adj 0.0) a)"}, {"b", "(sum-to (where c 0.0 y_adj) b)"}}, .elementwise = true},
      {.name = "cast", .operands = "a", .rule = rules::cast, .cpp = "cast", .fails = Fails::numbers, .raises = "ValueError OverflowError",
       .pullbacks = {{"a", "(cast-like y_adj a)"}}, .leading = Leading::dtype, .elementwise = true},

      // Comparisons and logic.
      {.name = "==", .operands = "a b", .rule = rules::equality, .cpp = "==", .spelling = infix, .smoothness = flat, .elementwise = true},
      {.name = "!=", .operands = "a b", .rule = rules::equality, .cpp = "!=", .spelling = infix, .smoothness = flat, .elementwise = true},
      {.name = "<", .operands = "a b", .rule = rules::comparison, .cpp = "<", .spelling = infix, .smoothness = flat, .elementwise = true},
      {.name = "<=", .operands = "a b", .rule = rules::comparison, .cpp = "<=", .spelling = infix, .smoothness = flat, .elementwise = true},
      {.name = ">", .operands = "a b", .rule = rules::comparison, .cpp = ">", .spelling = infix, .smoothness = flat, .elementwise = true},
      {.name = ">=", .operands = "a b", .rule = rules::comparison, .cpp = ">=", .spelling = infix, .smoothness = flat, .elementwise = true},
      {.name = "not", .operands = "a", .rule = rules::logic, .cpp = "logical_not", .smoothness = flat, .elementwise = true},
      {.name = "and", .operands = "a b", .rule = rules::logic, .cpp = "logical_and", .smoothness = flat, .elementwise = true},
      {.name = "or", .operands = "a b", .rule = rules::logic, .cpp = "logical_or", .smoothness = flat, .elementwise = true},
      {.name = "bit-and", .operands = "a b", .rule = rules::bitwise, .cpp = "bit_and", .smoothness = flat, .elementwise = true},
      {.name = "bit-or", .operands = "a b", .rule = rules::bitwise, .cpp = "bit_or", .smoothness = flat, .elementwise = true},
      {.name = "bit-xor", .operands = "a b", .rule = rules::bitwise, .cpp = "bit_xor", .smoothness = flat, .elementwise = true},
      {.name = "bit-not", .operands = "a", .rule = rules::bit_not, .cpp = "bit_not", .smoothness = flat, .elementwise = true},
      {.name = "shift-left", .operands = "a b", .rule = rules::shift, .cpp = "shift_left", .fails = Fails::numbers, .smoothness = flat, .elementwise = true},
      {.name = "shift-right", .operands = "a b", .rule = rules::shift, .cpp = "shift_right", .fails = Fails::numbers, .smoothness = flat, .elementwise = true},

      // Linear algebra.
      {.name = "matmul", .operands = "a b", .rule = rules::matmul, .cpp = "matmul", .fails = Fails::shapes,
       .pullbacks = {{"a", "(* y_adj b)"}, {"b", "(* y_adj a)"}}, .ranks = "11", .linear = {"a", "b"}},
      {.name = "matmul", .operands = "a b", .rule = rules::matmul, .cpp = "matmul", .fails = Fails::shapes,
       .pullbacks = {{"a", "(outer y_adj b)"}, {"b", "(matmul (transpose a) y_adj)"}}, .ranks = "21", .linear = {"a", "b"}},
      {.name = "matmul", .operands = "a b", .rule = rules::matmul, .cpp = "matmul", .fails = Fails::shapes,
       .pullbacks = {{"a", "(matmul b y_adj)"}, {"b", "(outer a y_adj)"}}, .ranks = "12", .linear = {"a", "b"}},
      {.name = "matmul", .operands = "a b", .rule = rules::matmul, .cpp = "matmul", .fails = Fails::shapes,
       .pullbacks = {{"a", "(matmul y_adj (transpose b))"}, {"b", "(matmul (transpose a) y_adj)"}}, .ranks = "22", .linear = {"a", "b"}},
      {.name = "matmul", .operands = "a b", .rule = rules::matmul, .cpp = "matmul", .fails = Fails::shapes,
       .pullbacks = {{"a", "(* (spread y_adj -1 a) b)"}, {"b", "(sum-to (* (spread y_adj -1 a) a) b)"}}, .ranks = "+1", .linear = {"a", "b"}},
      {.name = "matmul", .operands = "a b", .rule = rules::matmul, .cpp = "matmul", .fails = Fails::shapes,
       .pullbacks = {{"a", "(sum-to (sum (* (spread y_adj -2 b) b) -1) a)"}, {"b", "(* (spread y_adj -2 b) (reshape a (length a) 1))"}}, .ranks = "1+", .linear = {"a", "b"}},
      {.name = "matmul", .operands = "a b", .rule = rules::matmul, .cpp = "matmul", .fails = Fails::shapes,
       .pullbacks = {{"a", "(sum-to (matmul y_adj (swap-axes b -2 -1)) a)"}, {"b", "(sum-to (matmul (swap-axes a -2 -1) y_adj) b)"}}, .linear = {"a", "b"}},
      {.name = "outer", .operands = "a b", .rule = rules::outer, .cpp = "outer",
       .pullbacks = {{"a", "(matmul y_adj b)"}, {"b", "(matmul (transpose y_adj) a)"}}, .linear = {"a", "b"}},
      {.name = "transpose", .operands = "a", .rule = rules::transpose, .cpp = "transpose", .pullbacks = {{"a", "(transpose y_adj)"}}, .linear = {"a"}},

      // Reductions.
      {.name = "sum", .operands = "a", .rule = rules::total, .cpp = "sum", .pullbacks = {{"a", "(like y_adj a)"}}, .linear = {"a"}},
      {.name = "sum", .operands = "a axis", .rule = rules::total, .cpp = "sum", .pullbacks = {{"a", "(spread y_adj axis a)"}}, .linear = {"a"}},
      {.name = "mean", .operands = "a", .rule = rules::mean, .cpp = "mean", .pullbacks = {{"a", "(like (/ y_adj (size a)) a)"}}, .linear = {"a"}},
      {.name = "mean", .operands = "a axis", .rule = rules::mean, .cpp = "mean",
       .pullbacks = {{"a", "(spread (/ y_adj (shape a axis)) axis a)"}}, .linear = {"a"}},
      {.name = "prod", .operands = "a", .rule = rules::total, .cpp = "prod",
       .pullbacks = {{"a", "(* y_adj (prod-others a))"}},
       .pushforwards = {{"a", "(sum (* a_dot (prod-others a)))"}}},
      {.name = "prod", .operands = "a axis", .rule = rules::total, .cpp = "prod",
       .pullbacks = {{"a", "(* (spread y_adj axis a) (prod-others a axis))"}},
       .pushforwards = {{"a", "(sum (* a_dot (prod-others a axis)) axis)"}}},
      {.name = "max", .operands = "a", .rule = rules::extreme, .cpp = "max", .fails = Fails::possible,
       .pullbacks = {{"a", "(index-at (argmax a) y_adj a)"}}, .ranks = "1",
       .pushforwards = {{"a", "(index a_dot (argmax a))"}}},
      {.name = "max", .operands = "a", .rule = rules::extreme, .cpp = "max", .fails = Fails::possible,
       .pullbacks = {{"a", "(where (is-first (argmax a) a) (like y_adj a) 0.0)"}},
       .pushforwards = {{"a", "(sum (where (is-first (argmax a) a) a_dot 0.0))"}}},
      {.name = "max", .operands = "a axis", .rule = rules::extreme, .cpp = "max", .fails = Fails::possible,
       .pullbacks = {{"a", "(where (is-first (argmax a axis) a axis) (spread y_adj axis a) 0.0)"}},
       .pushforwards = {{"a", "(sum (where (is-first (argmax a axis) a axis) a_dot 0.0) axis)"}}},
      {.name = "min", .operands = "a", .rule = rules::extreme, .cpp = "min", .fails = Fails::possible,
       .pullbacks = {{"a", "(where (is-first (argmin a) a) (like y_adj a) 0.0)"}},
       .pushforwards = {{"a", "(sum (where (is-first (argmin a) a) a_dot 0.0))"}}},
      {.name = "min", .operands = "a axis", .rule = rules::extreme, .cpp = "min", .fails = Fails::possible,
       .pullbacks = {{"a", "(where (is-first (argmin a axis) a axis) (spread y_adj axis a) 0.0)"}},
       .pushforwards = {{"a", "(sum (where (is-first (argmin a axis) a axis) a_dot 0.0) axis)"}}},
      {.name = "argmax", .operands = "a", .rule = rules::position, .cpp = "argmax", .fails = Fails::possible, .smoothness = flat},
      {.name = "argmax", .operands = "a axis", .rule = rules::position, .cpp = "argmax", .fails = Fails::possible, .smoothness = flat},
      {.name = "argmin", .operands = "a", .rule = rules::position, .cpp = "argmin", .fails = Fails::possible, .smoothness = flat},
      {.name = "argmin", .operands = "a axis", .rule = rules::position, .cpp = "argmin", .fails = Fails::possible, .smoothness = flat},
      {.name = "logsumexp", .operands = "a", .rule = rules::mean, .cpp = "logsumexp",
       .pullbacks = {{"a", "(* y_adj (exp (- a y)))"}},
       .pushforwards = {{"a", "(sum (* a_dot (exp (- a y))))"}}},
      {.name = "logsumexp", .operands = "a axis", .rule = rules::mean, .cpp = "logsumexp",
       .pullbacks = {{"a", "(* (spread y_adj axis a) (exp (- a (spread y axis a))))"}},
       .pushforwards = {{"a", "(sum (* a_dot (exp (- a (spread y axis a)))) axis)"}}},
      {.name = "norm", .operands = "a", .rule = rules::mean, .cpp = "norm",
       .pullbacks = {{"a", "(* y_adj (where (== y 0) 0.0 (/ a y)))"}},
       .pushforwards = {{"a", "(sum (* a_dot (where (== y 0) 0.0 (/ a y))))"}}},
      {.name = "norm", .operands = "a axis", .rule = rules::mean, .cpp = "norm",
       .pullbacks = {{"a", "(* (spread y_adj axis a) (where (== (spread y axis a) 0) 0.0 (/ a (spread y axis a))))"}},
       .pushforwards = {{"a", "(sum (* a_dot (where (== (spread y axis a) 0) 0.0 (/ a (spread y axis a)))) axis)"}}},
      {.name = "softmax", .operands = "a", .rule = rules::softmax, .cpp = "softmax",
       .pullbacks = {{"a", "(* y (- y_adj (sum (* y_adj y))))"}}, .ranks = "1", .symmetric = true},
      {.name = "softmax", .operands = "a", .rule = rules::softmax, .cpp = "softmax",
       .pullbacks = {{"a", "(* y (- y_adj (spread (sum (* y_adj y) -1) -1 a)))"}}, .symmetric = true},
      {.name = "log_softmax", .operands = "a", .rule = rules::softmax, .cpp = "log_softmax",
       .pullbacks = {{"a", "(- y_adj (* (exp y) (sum y_adj)))"}}, .ranks = "1",
       .pushforwards = {{"a", "(- a_dot (sum (* (exp y) a_dot)))"}}},
      {.name = "log_softmax", .operands = "a", .rule = rules::softmax, .cpp = "log_softmax",
       .pullbacks = {{"a", "(- y_adj (* (exp y) (spread (sum y_adj -1) -1 a)))"}},
       .pushforwards = {{"a", "(- a_dot (spread (sum (* (exp y) a_dot) -1) -1 a))"}}},
      {.name = "cross_entropy", .operands = "logits label", .rule = rules::cross_entropy, .cpp = "cross_entropy", .fails = Fails::possible, .raises = "ValueError IndexError",
       .pullbacks = {{"logits", "(* y_adj (- (softmax logits) (one-hot label logits)))"}}, .ranks = "10",
       .pushforwards = {{"logits", "(sum (* logits_dot (- (softmax logits) (one-hot label logits))))"}}},
      {.name = "cross_entropy", .operands = "logits labels", .rule = rules::cross_entropy, .cpp = "cross_entropy", .fails = Fails::possible, .raises = "ValueError IndexError",
       .pullbacks = {{"logits", "(* (spread y_adj -1 logits) (- (softmax logits) (one-hot labels logits)))"}}, .ranks = "21",
       .pushforwards = {{"logits", "(sum (* logits_dot (- (softmax logits) (one-hot labels logits))) -1)"}}},

      // Parts and wholes.
      {.name = "concat", .operands = "*", .rule = rules::concat, .cpp = "concat", .fails = Fails::shapes,
       .pullbacks = {{"*", "(slice y_adj before (+ before (length each)))"}}, .shared_adjoint = "*", .linear = {"*"}},
      {.name = "stack", .operands = "list", .rule = rules::stack, .cpp = "stack", .fails = Fails::shapes,
       .pullbacks = {{"list", "(unstacked y_adj list)"}}, .ranks = "l", .linear = {"list"}},
      {.name = "concat-along", .operands = "axis *", .rule = rules::concat_along, .cpp = "concat_along", .fails = Fails::shapes,
       .pullbacks = {{"*", "(slice y_adj before (+ before (shape each axis)) axis)"}}, .linear = {"*"}},
      {.name = "stack", .operands = "*", .rule = rules::stack, .cpp = "stack", .fails = Fails::shapes, .pullbacks = {{"*", "(index y_adj position)"}}, .linear = {"*"}},
      {.name = "slice", .operands = "a start stop", .rule = rules::slice, .cpp = "slice", .fails = Fails::possible, .raises = "IndexError",
       .pullbacks = {{"a", "(placed y_adj start a)"}}, .shared_adjoint = "(slice a_adj start stop)", .linear = {"a"}, .cheap_view = true},
      {.name = "slice", .operands = "a start stop axis", .rule = rules::slice, .cpp = "slice_along", .fails = Fails::possible, .raises = "IndexError",
       .pullbacks = {{"a", "(placed y_adj start axis a)"}}, .linear = {"a"}},
      {.name = "strided", .operands = "a start step count", .rule = rules::strided, .cpp = "strided", .fails = Fails::possible, .raises = "IndexError",
       .pullbacks = {{"a", "(strided-at y_adj start step a)"}}, .shared_adjoint = "(strided a_adj start step count)", .linear = {"a"}},
      {.name = "index", .operands = "a i", .rule = rules::index, .cpp = "index", .fails = Fails::possible, .raises = "IndexError",
       .pullbacks = {{"a", "(index-at i y_adj a)"}}, .shared_adjoint = "(index a_adj i)", .linear = {"a"}},
      {.name = "gather", .operands = "table i", .rule = rules::gather, .cpp = "row", .fails = Fails::possible, .raises = "IndexError",
       .pullbacks = {{"table", "(row-at i y_adj table)"}}, .linear = {"table"}, .cheap_view = true},
      {.name = "reshape", .operands = "a *", .rule = rules::reshape, .cpp = "reshape", .fails = Fails::shapes,
       .pullbacks = {{"a", "(reshape-like y_adj a)"}}, .linear = {"a"}, .cheap_view = true},
      {.name = "shape", .operands = "a k", .rule = rules::shape, .cpp = "dimension", .smoothness = flat},
      {.name = "length", .operands = "x", .rule = rules::length, .cpp = "length", .smoothness = flat},
      {.name = "slice-bound", .operands = "i n", .rule = rules::of_whole_numbers, .cpp = "slice_bound", .smoothness = flat},
      {.name = "slice-bound-down", .operands = "i n", .rule = rules::of_whole_numbers, .cpp = "slice_bound_down", .smoothness = flat},
      {.name = "range-length", .operands = "start stop step", .rule = rules::of_whole_numbers, .cpp = "range_length", .fails = Fails::possible, .smoothness = flat},

      // In another order, or several times.
      {.name = "flip", .operands = "a axis", .rule = rules::along_axis, .cpp = "flip", .pullbacks = {{"a", "(flip y_adj axis)"}}, .linear = {"a"}},
      {.name = "swap-axes", .operands = "a i j", .rule = rules::swap_axes, .cpp = "swap_axes", .pullbacks = {{"a", "(swap-axes y_adj i j)"}}, .linear = {"a"}},
      {.name = "repeat", .operands = "a n axis", .rule = rules::repeat, .cpp = "repeat", .fails = Fails::possible, .pullbacks = {{"a", "(repeat-sum y_adj n axis a)"}}, .linear = {"a"}},
      {.name = "cumsum", .operands = "a axis", .rule = rules::cumsum, .cpp = "cumsum", .pullbacks = {{"a", "(flip (cumsum (flip y_adj axis) axis) axis)"}}, .linear = {"a"}},
      {.name = "take", .operands = "a indices", .rule = rules::take, .cpp = "take", .fails = Fails::possible, .raises = "IndexError", .pullbacks = {{"a", "(rows-at indices y_adj a)"}}, .linear = {"a"}},

      {.name = "scatter", .operands = "a indices x", .rule = rules::scatter, .cpp = "scatter", .fails = Fails::possible, .raises = "IndexError ValueError",
       .pullbacks = {{"a", "(scatter y_adj indices (zeros-like x))"}, {"x", "(last-taken y_adj indices)"}}, .linear = {"a x"}},
      {.name = "scatter-add", .operands = "a indices x", .rule = rules::scatter, .cpp = "scatter_add", .fails = Fails::possible, .raises = "IndexError ValueError",
       .pullbacks = {{"a", "y_adj"}, {"x", "(take y_adj indices)"}}, .linear = {"a x"}},

      // Windows of images [n,h,w,c], for convolutions and pools.
      {.name = "patches", .operands = "a height width down across", .rule = rules::patches, .cpp = "patches", .fails = Fails::possible,
       .pullbacks = {{"a", "(patches-sum y_adj height width down across a)"}}, .linear = {"a"}},

      // New arrays.
      {.name = "arange", .operands = "n", .rule = rules::arange, .cpp = "arange", .fails = Fails::possible, .smoothness = flat},
      {.name = "zeros", .operands = "*", .rule = rules::filled, .cpp = "zeros", .fails = Fails::possible, .smoothness = flat, .leading = Leading::dtype},
      {.name = "ones", .operands = "*", .rule = rules::filled, .cpp = "ones", .fails = Fails::possible, .smoothness = flat, .leading = Leading::dtype},
      {.name = "full", .operands = "v *", .rule = rules::full, .cpp = "full", .fails = Fails::possible, .pullbacks = {{"v", "(sum-to y_adj v)"}}, .leading = Leading::dtype, .linear = {"v"}},
      {.name = "zeros-like", .operands = "a", .rule = rules::like_first, .cpp = "zeros_like", .smoothness = flat},
      {.name = "ones-like", .operands = "a", .rule = rules::like_first, .cpp = "ones_like", .smoothness = flat},

      // Random numbers: from the program's stream, in order, and by a key, which they depend on alone.
      {.name = "uniform", .operands = "lo hi *", .rule = rules::drawn, .cpp = "uniform", .fails = Fails::possible, .leading = Leading::dtype, .effect = true},
      {.name = "normal", .operands = "mean std *", .rule = rules::drawn, .cpp = "normal", .fails = Fails::possible, .leading = Leading::dtype, .effect = true},
      {.name = "truncated-normal", .operands = "mean std *", .rule = rules::drawn, .cpp = "truncated_normal", .fails = Fails::possible, .leading = Leading::dtype, .effect = true},
      {.name = "seed", .operands = "n", .rule = rules::seeded, .cpp = "seed", .smoothness = flat, .effect = true},
      {.name = "fold-in", .operands = "key n", .rule = rules::derived_key, .cpp = "fold_in", .smoothness = flat},
      {.name = "split-key", .operands = "key n", .rule = rules::derived_keys, .cpp = "split_key", .fails = Fails::possible, .smoothness = flat},
      {.name = "key-uniform", .operands = "key *", .rule = rules::drawn_by_key, .cpp = "key_uniform", .fails = Fails::possible, .smoothness = flat, .leading = Leading::dtype},
      {.name = "key-normal", .operands = "key *", .rule = rules::drawn_by_key, .cpp = "key_normal", .fails = Fails::possible, .smoothness = flat, .leading = Leading::dtype},
      {.name = "key-truncated-normal", .operands = "key *", .rule = rules::drawn_by_key, .cpp = "key_truncated_normal", .fails = Fails::possible, .smoothness = flat, .leading = Leading::dtype},

      // As they are, or as constants to derivatives.
      {.name = "item", .operands = "a", .rule = rules::item, .cpp = "item", .pullbacks = {{"a", "(cast-like y_adj a)"}}, .linear = {"a"}},
      {.name = "stop-gradient", .operands = "a", .rule = rules::identity, .cpp = "stop_gradient", .smoothness = flat},

      // Lists, strings, data.
      {.name = "empty", .operands = "", .rule = rules::empty_list, .cpp = "empty_list", .smoothness = flat, .leading = Leading::type},
      {.name = "append", .operands = "list x", .rule = rules::append, .cpp = "append",
       .pullbacks = {{"list", "(pop y_adj)"}, {"x", "(index y_adj -1)"}}, .shared_adjoint = "(append list_adj x_adj)", .linear = {"list x"}},
      {.name = "write", .operands = "list i x", .rule = rules::write, .cpp = "write", .fails = Fails::possible, .raises = "IndexError",
       .pullbacks = {{"list", "(write y_adj i (zeros-of x))"}, {"x", "(index y_adj i)"}}, .shared_adjoint = "(write list_adj i x_adj)", .linear = {"list x"}},
      {.name = "pop", .operands = "list", .rule = rules::shorter, .cpp = "pop", .fails = Fails::possible, .raises = "IndexError",
       .pullbacks = {{"list", "(extended y_adj list)"}}, .shared_adjoint = "(pop list_adj)", .linear = {"list"}},
      {.name = "remove", .operands = "list i", .rule = rules::shorter, .cpp = "remove", .fails = Fails::possible, .raises = "IndexError",
       .pullbacks = {{"list", "(insert y_adj (place i list) (zeros-of (index list i)))"}}, .shared_adjoint = "(remove list_adj i)", .linear = {"list"}},
      {.name = "insert", .operands = "list i x", .rule = rules::write, .cpp = "insert",
       .pullbacks = {{"list", "(remove y_adj (insertion-place i list))"}, {"x", "(index y_adj (insertion-place i list))"}},
       .shared_adjoint = "(insert list_adj i x_adj)", .linear = {"list x"}},
      {.name = "argsort", .operands = "x descending", .rule = rules::argsort, .cpp = "argsort", .fails = Fails::possible, .smoothness = flat},
      {.name = "read-vocabulary", .operands = "path", .rule = rules::vocabulary, .cpp = "read_vocabulary", .fails = Fails::outside, .raises = "OSError ValueError", .smoothness = flat, .effect = true},
      {.name = "load-vocabulary", .operands = "path", .rule = rules::vocabulary, .cpp = "load_words", .fails = Fails::outside, .raises = "OSError ValueError", .smoothness = flat, .effect = true},
      {.name = "read-treebank", .operands = "path vocabulary", .rule = rules::treebank, .cpp = "read_treebank", .fails = Fails::outside, .raises = "OSError ValueError", .smoothness = flat, .leading = Leading::structure, .effect = true},
      {.name = "read-idx", .operands = "path", .rule = rules::array_file, .cpp = "read_idx", .fails = Fails::outside, .raises = "OSError ValueError", .smoothness = flat, .leading = Leading::type, .effect = true},
      {.name = "read-npy", .operands = "path", .rule = rules::array_file, .cpp = "read_npy", .fails = Fails::outside, .raises = "OSError ValueError", .smoothness = flat, .leading = Leading::type, .effect = true},
      {.name = "read-npz", .operands = "path name", .rule = rules::array_file, .cpp = "read_npz", .fails = Fails::outside, .raises = "OSError ValueError", .smoothness = flat, .leading = Leading::type, .effect = true},
      {.name = "read-csv", .operands = "path header", .rule = rules::table_file, .cpp = "read_csv", .fails = Fails::outside, .raises = "OSError ValueError", .smoothness = flat, .leading = Leading::type, .effect = true},
      {.name = "read-word-vectors", .operands = "path words table", .rule = rules::word_vectors, .cpp = "read_word_vectors", .fails = Fails::outside, .raises = "OSError ValueError", .smoothness = flat, .effect = true},
      {.name = "permutation", .operands = "n", .rule = rules::arange, .cpp = "permutation", .fails = Fails::possible, .smoothness = flat, .effect = true},
      {.name = "shuffle", .operands = "data", .rule = rules::dataset, .cpp = "shuffled", .smoothness = flat, .effect = true},
      {.name = "progress", .operands = "data label", .rule = rules::dataset, .cpp = "progress", .smoothness = flat},
      {.name = "save-parameters", .operands = "path words", .rule = rules::weights_file, .cpp = "save_safetensors", .fails = Fails::outside, .raises = "OSError ValueError", .smoothness = flat, .effect = true},
      {.name = "load-parameters", .operands = "path", .rule = rules::weights_file, .cpp = "load_safetensors", .fails = Fails::outside, .raises = "OSError ValueError", .smoothness = flat, .effect = true},
      {.name = "save-checkpoint", .operands = "path *", .rule = rules::checkpoint, .cpp = "save_checkpoint", .fails = Fails::outside, .raises = "OSError ValueError", .smoothness = flat, .effect = true},
      {.name = "load-checkpoint", .operands = "path *", .rule = rules::checkpoint, .cpp = "load_checkpoint", .fails = Fails::outside, .raises = "OSError ValueError", .smoothness = flat, .effect = true},
      {.name = "string", .operands = "x", .rule = rules::text, .cpp = "str", .smoothness = flat},
      {.name = "format", .operands = "x", .rule = rules::text, .cpp = "format", .smoothness = flat, .leading = Leading::text},
      {.name = "join-strings", .operands = "*", .rule = rules::text, .cpp = "join", .smoothness = flat},
      {.name = "py-function", .operands = "name *", .rule = rules::host_call, .cpp = "call_host", .fails = Fails::outside, .raises = "Exception", .leading = Leading::type, .effect = true},

      // A user's own function of C++'s, of which nothing more is known than what it takes and gives.
      {.name = "extern", .operands = "name header *", .rule = rules::foreign_call, .cpp = "extern", .fails = Fails::outside, .raises = "Exception", .leading = Leading::type},

      // In pullbacks only. `like`: broadcast to the second operand's shape; `sum-to`: its adjoint; `spread`: the axis that a
      // reduction took away, put back; `is-first`: where argmax or argmin points; `prod-others`: of all but one's own, `-along`: its derivative along d;
      // `last-taken`: the rows taken, zeros for those of which another is taken later;
      // `extended`: a list with one zero more; `unstacked`: a stack as the list that it was; `zeros-of`: a value of that form; `place`, `insertion-place`: an
      // index that may count from the end, as one that does not.
      {.name = "extended", .operands = "x list", .rule = rules::like_list, .cpp = "extended", .internal = true},
      {.name = "unstacked", .operands = "x list", .rule = rules::like_list, .cpp = "unstacked", .internal = true},
      {.name = "zeros-of", .operands = "a", .rule = [](const Application& call) { return resolve(call.operands[0]); }, .cpp = "zeros_like", .smoothness = flat, .internal = true},
      {.name = "place", .operands = "i list", .rule = rules::place, .cpp = "place_in", .smoothness = flat, .internal = true},
      {.name = "insertion-place", .operands = "i list", .rule = rules::place, .cpp = "insertion_place", .smoothness = flat, .internal = true},
      {.name = "spread", .operands = "x axis a", .rule = [](const Application& call) { return resolve(call.operands[2]); }, .cpp = "spread", .pullbacks = {{"x", "(sum y_adj axis)"}, {"a", "none"}}, .linear = {"x"}, .internal = true},
      {.name = "is-first", .operands = "at a", .rule = rules::mask_of_second, .cpp = "is_first", .smoothness = flat, .internal = true},
      {.name = "is-first", .operands = "at a axis", .rule = rules::mask_of_second, .cpp = "is_first", .smoothness = flat, .internal = true},
      {.name = "prod-others", .operands = "a", .rule = rules::identity, .cpp = "prod_others", .pullbacks = {{"a", "(prod-others-along a y_adj)"}}, .symmetric = true, .internal = true},
      {.name = "prod-others", .operands = "a axis", .rule = rules::identity, .cpp = "prod_others", .pullbacks = {{"a", "(prod-others-along a y_adj axis)"}}, .symmetric = true, .internal = true},
      {.name = "prod-others-along", .operands = "a d", .rule = rules::identity, .cpp = "prod_others_along", .pullbacks = {{"d", "(prod-others-along a y_adj)"}}, .linear = {"d"}, .internal = true},
      {.name = "prod-others-along", .operands = "a d axis", .rule = rules::identity, .cpp = "prod_others_along", .pullbacks = {{"d", "(prod-others-along a y_adj axis)"}}, .linear = {"d"}, .internal = true},
      {.name = "repeat-sum", .operands = "x n axis a", .rule = [](const Application& call) { return resolve(call.operands[3]); }, .cpp = "repeat_sum", .pullbacks = {{"x", "(repeat y_adj n axis)"}, {"a", "none"}}, .linear = {"x"}, .internal = true},
      {.name = "last-taken", .operands = "x indices", .rule = rules::take, .cpp = "last_taken", .pullbacks = {{"x", "(scatter (zeros-like x) indices y_adj)"}}, .linear = {"x"}, .internal = true},
      {.name = "patches-sum", .operands = "x height width down across a", .rule = [](const Application& call) { return resolve(call.operands[5]); }, .cpp = "patches_sum", .pullbacks = {{"x", "(patches y_adj height width down across)"}, {"a", "none"}}, .linear = {"x"}, .internal = true},
      {.name = "rows-at", .operands = "i x a", .rule = [](const Application& call) { return resolve(call.operands[2]); }, .cpp = "rows_at", .pullbacks = {{"x", "(take y_adj i)"}, {"a", "none"}}, .linear = {"x"}, .accumulate_only = true, .internal = true},
      {.name = "sum-to", .operands = "x a", .rule = rules::like_second, .cpp = "sum_to", .pullbacks = {{"x", "(like y_adj x)"}, {"a", "none"}}, .linear = {"x"}, .internal = true},
      {.name = "like", .operands = "x a", .rule = rules::like_second, .cpp = "broadcast_to", .pullbacks = {{"x", "(sum-to y_adj x)"}, {"a", "none"}}, .linear = {"x"}, .internal = true},
      {.name = "cast-like", .operands = "x a", .rule = rules::dtype_of_second, .cpp = "cast", .pullbacks = {{"x", "(cast-like y_adj x)"}, {"a", "none"}}, .linear = {"x"}, .internal = true},
      {.name = "reshape-like", .operands = "x a", .rule = rules::like_second, .cpp = "reshape", .pullbacks = {{"x", "(reshape-like y_adj x)"}, {"a", "none"}}, .linear = {"x"}, .internal = true},
      {.name = "tangent-of", .operands = "x a", .rule = [](const Application& call) { return resolve(call.operands[1]); }, .cpp = "tangent_of", .fails = Fails::shapes,
       .pullbacks = {{"x", "y_adj"}, {"a", "none"}}, .linear = {"x"}, .internal = true},
      {.name = "adjoint-of", .operands = "x a", .rule = [](const Application& call) { return resolve(call.operands[1]); }, .cpp = "adjoint_of", .fails = Fails::shapes,
       .pullbacks = {{"x", "y_adj"}, {"a", "none"}}, .linear = {"x"}, .internal = true},
      {.name = "size", .operands = "a", .rule = [](const Application&) { return scalar(DType::i64); }, .cpp = "size", .smoothness = flat, .internal = true},
      {.name = "one-hot", .operands = "label a", .rule = [](const Application& call) { return resolve(call.operands[1]); }, .cpp = "one_hot", .smoothness = flat, .internal = true},
      {.name = "placed", .operands = "x start a", .rule = [](const Application& call) { return resolve(call.operands[2]); }, .cpp = "placed", .pullbacks = {{"x", "(slice y_adj start (+ start (length x)))"}, {"a", "none"}}, .linear = {"x"}, .accumulate_only = true, .internal = true},
      {.name = "placed", .operands = "x start axis a", .rule = [](const Application& call) { return resolve(call.operands[3]); }, .cpp = "placed_along", .pullbacks = {{"x", "(slice y_adj start (+ start (shape x axis)) axis)"}, {"a", "none"}}, .linear = {"x"}, .accumulate_only = true, .internal = true},
      {.name = "strided-at", .operands = "x start step a", .rule = [](const Application& call) { return resolve(call.operands[3]); }, .cpp = "strided_at", .pullbacks = {{"x", "(strided y_adj start step (length x))"}, {"a", "none"}}, .linear = {"x"}, .accumulate_only = true, .internal = true},
      {.name = "index-at", .operands = "i x a", .rule = [](const Application& call) { return resolve(call.operands[2]); }, .cpp = "index_at", .pullbacks = {{"x", "(index y_adj i)"}, {"a", "none"}}, .linear = {"x"}, .accumulate_only = true, .internal = true},
      {.name = "row-at", .operands = "i x a", .rule = [](const Application& call) { return resolve(call.operands[2]); }, .cpp = "row_at", .pullbacks = {{"x", "(gather y_adj i)"}, {"a", "none"}}, .linear = {"x"}, .accumulate_only = true, .internal = true},
  };
}

const std::map<std::string_view, std::vector<const Operator*>>& by_name() {
  static const auto index = [] {
    std::map<std::string_view, std::vector<const Operator*>> rows;
    for (const auto& row : operators()) rows[row.name].push_back(&row);
    return rows;
  }();
  return index;
}

bool all_dims_known(const std::vector<Type>& arrays) {
  return std::all_of(arrays.begin(), arrays.end(), [](const Type& type) {
    return std::all_of(type->dims.begin(), type->dims.end(), [](const Dim& dim) { return dim.known(); });
  });
}

}  // namespace

const std::vector<Operator>& operators() {
  static const std::vector<Operator> table = make_table();
  return table;
}

std::span<const Operator* const> operators_named(std::string_view name) {
  const auto found = by_name().find(name);
  if (found == by_name().end()) return {};
  return found->second;
}

namespace {

struct OperandCount {
  std::size_t least;
  bool or_more;
};

OperandCount count_of(const Operator& op) {
  std::size_t named = 0;
  bool in_name = false;
  for (const char c : op.operands) {
    if (c != ' ' && !in_name) ++named;
    in_name = c != ' ';
  }
  const bool variadic = op.operands.ends_with("*");
  return {variadic ? named - 1 : named, variadic};
}

bool takes(const Operator& op, std::size_t count) {
  const OperandCount wanted = count_of(op);
  return wanted.or_more ? count >= wanted.least : count == wanted.least;
}

}  // namespace

const Operator* select_operator(std::string_view name, std::span<const Type> operands) {
  const auto of_these_ranks = [&](const Operator& row) {
    return std::equal(row.ranks.begin(), row.ranks.end(), operands.begin(), operands.end(), [](char wanted, const Type& type) {
      if (wanted == 'l' || is(type, TypeKind::list)) return wanted == 'l' && is(type, TypeKind::list);
      return wanted == '+' ? rank(type) > 2 : rank(type) == static_cast<std::size_t>(wanted - '0');
    });
  };
  for (const Operator* row : operators_named(name)) {
    if (takes(*row, operands.size()) && (row->ranks.empty() || of_these_ranks(*row))) return row;
  }
  return nullptr;
}

Failures failures_of(const Operator& op, const Application& call, const Type& result) {
  std::vector<Type> arrays;
  bool all_known = true;  // then the type rule has looked at everything
  const auto look_at = [&](const Type& given) {
    const Type type = resolve(given);
    if (type->kind == TypeKind::list) all_known = false;
    for (const auto& dim : type->dims) all_known = all_known && dim.size > 0;
    return type;
  };
  for (std::size_t i = 0; i < call.operands.size(); ++i) {
    const Type type = look_at(call.operands[i]);
    if (!type->dims.empty()) arrays.push_back(type);
    if (type->kind == TypeKind::scalar && !is_floating(type->dtype) && !call.literals[i]) all_known = false;
  }
  look_at(result);

  Failures failures;
  if (op.elementwise) {
    failures.shapes = arrays.size() > 1 && !all_dims_known(arrays) && !std::all_of(arrays.begin(), arrays.end(), [&](const Type& type) { return certainly_same_shape(type, arrays[0]); });
  } else if (op.fails == Fails::shapes) {
    failures.shapes = !all_known;
  }
  if (op.fails == Fails::numbers) {
    const bool to_integer = op.leading != Leading::dtype || (is_floating(resolve(call.operands[0])->dtype) && !is_floating(resolve(result)->dtype));
    failures.other = resolve(result)->kind == TypeKind::scalar && to_integer;
  }
  if (op.fails == Fails::possible) failures.other = !all_known;
  return failures;
}

void check_operand_count(std::span<const Operator* const> rows, std::size_t count) {
  std::string wanted;
  bool several = true;
  for (const Operator* row : rows) {
    if (takes(*row, count)) return;
    const OperandCount counted = count_of(*row);
    const std::string text = fmt::format("{}{}", counted.or_more ? "at least " : "", counted.least);
    if (wanted.find(text) == std::string::npos) wanted += (wanted.empty() ? "" : " or ") + text;
    several = several && counted.least != 1;
  }
  throw TypeMismatch{fmt::format("takes {} operand{}, not {}", wanted, several ? "s" : "", count), {}};
}

namespace {

std::string_view to_string(Fails fails) {
  switch (fails) {
    case Fails::shapes: return "shapes";
    case Fails::numbers: return "numbers";
    case Fails::possible: return "possible";
    case Fails::outside: return "outside";
    case Fails::never: return "never";
  }
  bug("operators", "a failure of no kind");
}

}  // namespace

std::string describe_operators() {
  std::string text;
  for (const auto& row : operators()) {
    text += fmt::format("(operator {} (operands {})", row.name, row.operands);
    if (!row.ranks.empty()) {
      text += " (ranks";
      for (const char wanted : row.ranks) text += fmt::format(" {}", wanted);
      text += ")";
    }
    if (row.fails != Fails::never) text += fmt::format(" (fails {} {})", to_string(row.fails), row.raises);
    if (row.elementwise) text += " (elementwise)";
    if (row.smoothness == flat) text += " (flat)";
    if (row.internal) text += " (internal)";
    if (row.effect) text += " (effect)";
    if (row.symmetric) text += " (symmetric)";
    for (const auto& group : row.linear) text += fmt::format(" (linear {})", group);
    for (const auto& rule : row.pushforwards) text += fmt::format(" (pushforward {} {})", rule.operand, rule.expression);
    for (const auto& pullback : row.pullbacks) text += fmt::format(" (pullback {} {})", pullback.operand, pullback.expression);
    text += ")\n";
  }
  return text;
}

}  // namespace lantern
