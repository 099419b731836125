"""What programs mean: each small program does what the Python beside it does."""
import functools
import math
import re

import numpy as np
import pytest

import lantern as lt
from lantern import hash_tables

BIG = (1 << 63) - 1


@lt.struct
class Node:
    value: float
    next: "Node | None"


@lt.struct
class Point:
    x: float
    name: str
    count: int


def chain(*values):
    node = None
    for value in reversed(values):
        node = Node(value, node)
    return node


def fibonacci(n):
    a, b = 0, 1
    while n > 0:
        a, b, n = b, a + b, n - 1
    return a


def collatz(n):
    steps = 0
    while n != 1:
        n, steps = (n // 2 if n % 2 == 0 else 3 * n + 1), steps + 1
    return steps


def rotate(a, b, c, n):
    for _ in range(n):
        a, b, c = b, c, a
    return [a, b, c]


def sum_until(values, limit):
    total = 0.0
    for value in values:
        if total > limit:
            break
        total += value
    return total


def triangle(n):
    return sum(i * j for i in range(n) for j in range(i))


def length_of(node):
    count = 0
    while node is not None:
        node, count = node.next, count + 1
    return count


def total_of(node):
    return 0.0 if node is None else node.value + total_of(node.next)


def outcomes(function, *operands):
    try:
        return function(*operands)
    except (ArithmeticError, ValueError, IndexError) as error:
        return error


FLOATS = [0.5, 0.0, 1e-320, -3.25, 1e300, math.inf, 0.1]

# name: (formals, expression, the same in Python, operands of each run)
PROGRAMS = {
    "fibonacci": ("(n i64)", "(get (while ((a 0) (b 1) (m n)) (> m 0) (tuple b (+ a b) (- m 1))) 0)", fibonacci, [(0,), (1,), (10,), (60,)]),
    "collatz": ("(n i64)", "(get (while ((m n) (s 0)) (!= m 1) (tuple (if (== (% m 2) 0) (// m 2) (+ (* 3 m) 1)) (+ s 1))) 1)", collatz, [(1,), (27,)]),
    "rotate": ("(a f64) (b f64) (c f64) (n i64)", "(for i (range 0 n 1) ((a a) (b b) (c c)) true (tuple b c a))", rotate, [(1.0, 2.0, 3.0, 0), (1.0, 2.0, 3.0, 4)]),
    "swap_arrays": ("(a (tensor f64 ?)) (b (tensor f64 ?))", "(for i (range 0 3 1) ((a a) (b b)) true (tuple b (+ a b)))",
                    lambda a, b: [a + 2 * b, 2 * a + 3 * b] and [*_swap_arrays(a, b)], [(np.array([1.0, 2.0]), np.array([0.5, -1.0]))]),
    "count_down": ("(a i64) (b i64) (s i64)", "(for i (range a b s) ((x 0)) true (+ (* x 10) i))",
                   lambda a, b, s: _digits(range(a, b, s)), [(5, 0, -1), (5, 0, -2), (0, 5, 2), (0, 5, -1), (5, 5, 1), (9, -1, -3)]),
    "count_down_known": ("", "(for i (range 7 0 -3) ((x 0)) true (+ (* x 10) i))", lambda: _digits(range(7, 0, -3)), [()]),
    "no_turn": ("(n i64)", "(for i (range n 0 1) ((x 5)) true (+ x i))", lambda n: 5, [(3,)]),
    "sum_until": ("(v (tensor f64 ?)) (limit f64)", "(for x v ((total 0.0)) (<= total limit) (+ total (item x)))", sum_until,
                  [(np.array([1.0, 2.0, 3.0, 4.0]), 100.0), (np.array([1.0, 2.0, 3.0, 4.0]), 2.5), (np.zeros(0), 1.0)]),
    "rows": ("(m (tensor f64 ? ?))", "(for row m ((total (zeros f64 (shape m 1)))) true (+ (* total 2.0) row))",
             lambda m: _rows(m), [(np.arange(6.0).reshape(3, 2),)]),
    "bits": ("(a i64) (b i64)", "(tuple (bit-and a b) (bit-or a b) (bit-xor a b) (bit-not a) (shift-right a 2))",
             lambda a, b: [a & b, a | b, a ^ b, ~a, a >> 2], [(12, 10), (-7, 3), (0, -1)]),
    "bits_of_bools": ("(a bool) (b bool)", "(tuple (bit-and a b) (bit-or a b) (bit-xor a b) (bit-not (+ a 0)))",
                      lambda a, b: [a & b, a | b, a ^ b, ~int(a)], [(True, False), (True, True), (False, False)]),
    "known_texts": ("", '(tuple (< "ab" "b,a") (>= "ab" "b,a") (== "ab" "abc") (!= "ab" "ab") (if (> "b" "ab") 1 2))', lambda: [True, False, False, False, 1], [()]),
    "remainder_of_none": ("(l (list i64)) (k i64)", "(let m (for x l ((m (empty i64))) true (append m x)) (- (index m (% k (length m))) (index m -1)))", lambda l, k: l[k % len(l)] - l[-1], [([3, 5], 4), ([], 1)]),
    "shift_left": ("(a i64) (b i64)", "(shift-left a b)", lambda a, b: a << b, [(5, 3), (-1, 62), (0, 100)]),
    "shift_negative": ("(a i64) (b i64)", "(+ (shift-left a b) (shift-right a b))", lambda a, b: (a << b) + (a >> b), [(5, -1)]),
    "list_sum": ("(l (list i64))", "(for x l ((total 0)) true (+ total x))", sum, [([1, 2, 3],), ([],)]),
    "list_of_floats": ("(l (list f64))", "(for x l ((best (index l 0))) true (if (> x best) x best))", max, [([1.5, 7.25, -2.0],)]),
    "list_nodes": ("(l (list Node))", "(for x l ((total 0.0)) true (+ total (getattr x value)))", lambda l: sum(n.value for n in l), [([Node(1.0, None), Node(2.5, None)],)]),
    "nested_loops": ("(n i64)", "(for i (range 0 n 1) ((t 0)) true (for j (range 0 i 1) ((t t)) true (+ t (* i j))))", triangle, [(0,), (1,), (7,)]),
    "loop_in_loop_state": ("(n i64)", "(get (for i (range 0 n 1) ((a 0) (b 1)) true (let c (while ((k a)) (< k b) (+ k 2)) (tuple b (+ c i)))) 1)",
                           lambda n: _loop_in_loop(n), [(0,), (5,), (9,)]),
    "range_is_taken_once": ("(n i64)", "(for i (range 0 n 1) ((n n)) true (+ n 1))", lambda n: 2 * n, [(4,)]),
    "loop_over_links": ("(t (optional Node))", "(get (while ((node t) (count 0)) (not (none? node)) (tuple (getattr node next) (+ count 1))) 1)",
                        length_of, [(None,), (chain(1.0, 2.0, 3.0),)]),
    "loop_of_flags": ("(n i64)", "(get (while ((go true) (i 0)) go (let j (+ i 3) (tuple (< j n) j))) 1)", lambda n: _flags(n), [(0,), (10,)]),
    "no_state": ("(n i64)", "(begin (for i (range 0 n 1) () true (begin (print i) (tuple))) n)", lambda n: [print(i) for i in range(n)] and n, [(3,)]),
    "int_to_float_state": ("(n i64)", "(for i (range 0 n 1) ((x 0)) true (+ x 0.5))", lambda n: 0.5 * n, [(3,), (0,)]),
    # structures and lists
    "fields": ("(p Point)", "(+ (getattr p x) (cast f64 (getattr p count)))", lambda p: p.x + p.count, [(Point(1.5, "a", 2),)]),
    "make": ("(x f64)", "(let p (make Point (* x 2.0) \"p\" 3) (* (getattr p x) (getattr p count)))", lambda x: x * 6, [(1.5,)]),
    "make_and_return": ("(x f64)", "(make Point x \"né\\\"w\" 7)", lambda x: Point(x, "né\"w", 7), [(2.0,)]),
    "name_of": ("(p Point) (n i64)", "(join-strings (getattr p name) (string n))", lambda p, n: p.name + str(n), [(Point(1.5, "añb", 2), 1), (Point(1.5, "", 2), 1)]),
    "list_of_strings": ("(l (list string))", "(append l (join-strings (index l 0) \"!\"))", lambda l: [*l, l[0] + "!"], [(["a", "bc"],), ([""],)]),
    "cons": ("(t (optional Node)) (x f64)", "(make Node x t)", lambda t, x: Node(x, t), [(None, 1.0), (chain(2.0, 3.0), 1.0)]),
    "narrowed": ("(t (optional Node))", "(if (none? t) -1.0 (getattr t value))", lambda t: -1.0 if t is None else t.value, [(None,), (chain(4.0),)]),
    "narrowed_not": ("(t (optional Node))", "(if (not (none? t)) (getattr t value) -1.0)", lambda t: -1.0 if t is None else t.value, [(None,), (chain(4.0),)]),
    "narrowed_by_name": ("(t (optional Node))", "(let empty (none? t) (let full (not empty) (if full (getattr t value) -1.0)))",
                         lambda t: -1.0 if t is None else t.value, [(None,), (chain(4.0),)]),
    "recursion_on_links": ("(t (optional Node))", "(total_links t)", total_of, [(None,), (chain(1.0, 2.0, 4.0),)]),
    "optional_result": ("(t (optional Node)) (b bool)", "(if b t none)", lambda t, b: t if b else None, [(chain(1.0), True), (chain(1.0), False)]),
    "lists": ("(a f64)", "(let l (append (append (empty f64) a) (* a 2.0)) (let k (write l 0 7.0) (+ (* 100.0 (index l 0)) (+ (index k 0) (* 10.0 (length k))))))",
              lambda a: 100 * a + 7 + 20, [(3.0,)]),
    "list_of": ("(a f64) (i i64)", "(let l (list f64 a (* a 2.0) 5.0) (let rows (list (list i64) (list i64 4 i) (list i64) (list i64 7)) "
                "(+ (* 100.0 (index l i)) (+ (index l 2) (* 10.0 (index (index rows 0) i))))))", lambda a, i: 100 * [a, 2 * a, 5][i] + 5 + 10 * [4, i][i], [(3.0, 0), (3.0, 1)]),
    "list_of_tuples": ("(i i64)", "(let l (list (tuple i64 string) (tuple 4 \"a\") (tuple (* i i) \"bc\")) (let p (index l i) (join-strings (string (get p 0)) (get p 1) (string (length l)))))",
                       lambda i: f"{[4, i * i][i]}{['a', 'bc'][i]}2", [(0,), (1,), (-1,)]),
    "list_of_none": ("(i i64)", f"(+ (length (list i64)) (length (index (list (list string){' (list string)' * 20}) i)))", lambda i: 0, [(0,)]),
    "list_result": ("(n i64)", "(for i (range 0 n 1) ((l (empty i64))) true (append l (* i i)))", lambda n: [i * i for i in range(n)], [(0,), (5,)]),
    "list_negative_index": ("(l (list i64)) (i i64)", "(index l i)", lambda l, i: l[i], [([1, 2, 3], -1), ([1, 2, 3], 1)]),
    # scopes
    "shadowing": ("(a f64)", "(let a (+ a 1.0) (let b a (let a (* a 10.0) (- a b))))", lambda a: (a + 1) * 10 - (a + 1), [(2.0,)]),
    "shadowing_ends": ("(a f64)", "(+ (let a (* a 10.0) a) a)", lambda a: 11 * a, [(2.0,)]),
    "shadowed_in_branch": ("(a f64)", "(let b (if (> a 0.0) (let a (* a 2.0) a) a) (+ a b))", lambda a: 3 * a if a > 0 else 2 * a, [(2.0,), (-2.0,)]),
    "short_let": ("(a f64)", "(begin (* a 2.0) (let b (+ b 1.0)) (let c (* c c)))", lambda a: (a * 2 + 1) ** 2, [(3.0,)]),
    "tuples": ("(a f64) (b f64)", "(let p (tuple (tuple a b) 3 (tuple (tuple b))) (- (get (get p 0) 0) (* (get p 1) (get (get (get p 2) 0) 0))))",
               lambda a, b: a - 3 * b, [(1.0, 2.0)]),
    "tuple_loop": ("(a f64)", "(get (for i (range 0 3 1) ((p (tuple a 1.0))) true (tuple (get p 1) (+ (get p 0) (get p 1)))) 0)",
                   lambda a: _tuple_loop(a), [(2.0,)]),
    # numbers
    "floor_divide": ("(a i64) (b i64)", "(// a b)", lambda a, b: _bounded(a // b), [(7, 2), (-7, 2), (7, -2), (-7, -2), (0, 5), (1, 0), (-BIG - 1, -1)]),
    "modulo": ("(a i64) (b i64)", "(% a b)", lambda a, b: a % b, [(7, 3), (-7, 3), (7, -3), (-7, -3), (6, 3), (1, 0), (-BIG - 1, -1)]),
    "floor_divide_floats": ("(a f64) (b f64)", "(// a b)", lambda a, b: a // b, [(7.5, 2.0), (-7.5, 2.0), (7.5, -2.0), (1.0, 0.0), (1.0, 0.1)]),
    "modulo_floats": ("(a f64) (b f64)", "(% a b)", lambda a, b: a % b, [(7.5, 2.0), (-7.5, 2.0), (7.5, -2.0), (-7.5, -2.0), (1.0, 0.0), (6.0, -3.0)]),
    "divide": ("(a f64) (b f64)", "(/ a b)", lambda a, b: a / b, [(1.0, 3.0), (1.0, 0.0), (0.0, 0.0)]),
    "divide_integers": ("(a i64) (b i64)", "(/ a b)", lambda a, b: a / b, [(1, 3), (6, 3), (-1, 2), (1, 0)]),
    "power": ("(a i64) (b i64)", "(** a b)", lambda a, b: a**b, [(2, 10), (-3, 3), (5, 0), (0, 0)]),
    "power_floats": ("(a f64) (b f64)", "(** a b)", lambda a, b: a**b, [(2.0, 0.5), (-2.0, 3.0), (0.0, 0.0), (0.0, -1.0)]),
    "plus": ("(a i64) (b i64)", "(+ a b)", lambda a, b: _bounded(a + b), [(1, 2), (BIG, 1), (-BIG, -2)]),
    "minus": ("(a i64) (b i64)", "(- a b)", lambda a, b: _bounded(a - b), [(1, 2), (-BIG, 2)]),
    "times": ("(a i64) (b i64)", "(* a b)", lambda a, b: _bounded(a * b), [(3, 4), (BIG, 2), (1 << 32, 1 << 31)]),
    "negate": ("(a i64)", "(neg a)", lambda a: _bounded(-a), [(3,), (-BIG - 1,)]),
    # sums that cannot overflow are not checked (lantern/integer_ranges.h), and their neighbours are
    "below_limit": ("(a i64) (b i64)", "(if (< a b) (+ a 1) (- a 1))", lambda a, b: _bounded(a + 1 if a < b else a - 1), [(BIG - 1, BIG), (BIG, BIG), (-BIG - 1, -BIG - 1), (1, 2)]),
    "below_limit_by_two": ("(a i64) (b i64)", "(if (< a b) (+ a 2) 0)", lambda a, b: _bounded(a + 2 if a < b else 0), [(BIG - 1, BIG), (BIG - 2, BIG)]),
    "not_below": ("(a i64) (b i64)", "(if (not (or (<= a b) (== a 7))) (* 2 (- a 1)) 0)", lambda a, b: _bounded(2 * (a - 1) if not (a <= b or a == 7) else 0), [(BIG, 0), (8, 7), (7, 0), (0, -BIG - 1)]),
    "range_to_limit": ("(a i64)", "(for i (range (- a 2) a 1) ((s 0)) true (+ i 1))", lambda a: [s for s in [0, *(i + 1 for i in range(a - 2, a))]][-1], [(BIG,), (-BIG + 1,), (3,)]),
    "range_beyond": ("(a i64)", "(for i (range (- a 2) a 1) ((s 0)) true (+ i 2))", lambda a: _bounded([0, *(i + 2 for i in range(a - 2, a))][-1]), [(BIG,), (3,)]),
    "range_down": ("(a i64)", "(for i (range (+ a 2) a -1) ((s 0)) true (- i 1))", lambda a: [0, *(i - 1 for i in range(a + 2, a, -1))][-1], [(-BIG - 1,), (3,)]),
    "counted": ("(l (list f64)) (a i64)", "(for x l ((n a) (m 0)) true (tuple (+ n 1) (if (> x 0.0) (+ m 2) 0)))",
                lambda l, a: [_bounded(a + len(l)), functools.reduce(lambda m, x: m + 2 if x > 0 else 0, l, 0)], [([1.0, 2.0, -1.0, 3.0], 1), ([1.0], BIG), ([], BIG)]),
    "counted_to": ("(a i64)", "(get (while ((i (- a 3)) (s 0)) (and (< i a) (< s 2)) (tuple (+ i 1) (+ s 1))) 0)", lambda a: a - 1, [(BIG,), (-BIG + 2,)]),
    "checked_before": ("(a i64)", "(begin (if (> a 10) (raise ValueError \"more\") (tuple)) (+ a 1))", lambda a: _more(a) or a + 1, [(10,), (BIG,)]),
    "divided": ("(a i64) (b i64)", "(if (>= a 0) (+ (// a 2) (% b 5)) 0)", lambda a, b: a // 2 + b % 5 if a >= 0 else 0, [(BIG, -1), (BIG - 1, -BIG - 1)]),
    "absolute": ("(a i64)", "(abs a)", lambda a: _bounded(abs(a)), [(-3,), (-BIG - 1,)]),
    "square_integer": ("(a i64)", "(square a)", lambda a: _bounded(a * a), [(-3,), (BIG,)]),
    "power_overflow": ("(a i64)", "(** a 64)", lambda a: _bounded(a**64), [(1,), (2,), (-1,)]),
    "sqrt": ("(a f64)", "(sqrt a)", math.sqrt, [(2.0,), (0.0,)]),
    "log": ("(a f64)", "(log a)", math.log, [(2.0,)]),
    "truncate": ("(a f64)", "(cast i64 a)", lambda a: _bounded(int(a)), [(2.7,), (-2.7,), (math.inf,), (math.nan,), (1e300,)]),
    "bools": ("(a bool) (b bool)", "(+ (+ a b) (* 10 (and a (not b))))", lambda a, b: a + b + 10 * (a and not b), [(True, True), (True, False)]),
    "comparisons": ("(a i64) (b f64)", "(tuple (== a b) (< a b) (>= a b) (!= a b))", lambda a, b: [a == b, a < b, a >= b, a != b], [(1, 1.0), (1, 1.5), (2, 1.5)]),
    "mixed": ("(a i64) (b f64)", "(- (* a b) (// a 2))", lambda a, b: a * b - a // 2, [(5, 1.5)]),
    "maximum": ("(a i64) (b i64)", "(tuple (maximum a b) (minimum a b))", lambda a, b: [max(a, b), min(a, b)], [(1, 2), (2, 1)]),
    # text
    "strings": ("(a string) (b string)", "(tuple (== a b) (!= a b) (length a) (join-strings a \"-\" b))", lambda a, b: [a == b, a != b, len(a), a + "-" + b],
                [("ab", "ab"), ("ab", "c"), ("", ""), ("héllo", "x")]),
    "chosen_text": ("(b bool) (s string)", "(let x (if b \"a\" \"b\") (let y (if b s \"a\") (tuple (== x \"a\") x y (== y x))))",
                    lambda b, s: ["ab"[not b] == "a", "ab"[not b], s if b else "a", (s if b else "a") == "ab"[not b]], [(True, "a"), (True, "bc"), (False, "x")]),
    "quoted": ("(s string)", "(quoted s)", repr, [("",), ("plain",), ("it's",), ('say "hi"',), ("it's \"both\"",), ("tab\t line\n return\r back\\slash",), ("\x00\x1f\x7f\x80\xa0\xad",),
                                                ("héllo Ωмир 日本語 한글 … → 😀",)]),
    "slots": ("(slots (list i64)) (keys (list string)) (key string)", "(tuple (find-key slots keys key) (slot-for slots keys key) (make-slots 8 slots keys) (with-slot slots keys))",
              lambda slots, keys, key: [hash_tables.find_key(slots, keys, key), hash_tables.slot_for(slots, keys, key), hash_tables.make_slots(8, slots, keys), hash_tables.with_slot(slots, keys)],
              [([-1] * 8, [], "a"), ([-1] * 8, ["a"], "a"), ([0, 1, 2, -1, -1, 4, 3, -2], ["a", "b", "é", "", "a"], "b"), ([], ["a", "b"], "b"), ([2, 5], ["x", "y", "z"], "z"),
               ([1, 0, -1, 7, 3, 2, 9], list("abcdefg"), "b"), ([-2] * 4, ["a" * 1000], "a" * 1000)]),
    "slots_of_floats": ("(slots (list i64)) (keys (list f64)) (key f64)", "(tuple (find-key slots keys key) (slot-for slots keys key) (make-slots 8 slots keys) (with-slot slots keys))",
                        lambda slots, keys, key: [hash_tables.find_key(slots, keys, key), hash_tables.slot_for(slots, keys, key), hash_tables.make_slots(8, slots, keys), hash_tables.with_slot(slots, keys)],
                        [([-1] * 8, [], 0.5), (hash_tables.make_slots(8, [], FLOATS), FLOATS, -0.0), (hash_tables.make_slots(8, [], FLOATS), FLOATS, 1e-320),
                         (hash_tables.make_slots(8, [], FLOATS), FLOATS, 2e-320), (hash_tables.make_slots(8, [], FLOATS), FLOATS, math.nan), ([2, 5], [1.0, 2.0], 1.5)]),
    "as_key": ("(x f64)", "(as-key x)", hash_tables.as_key, [(1.5,), (-0.0,), (-math.inf,), (1e-320,)]),
    "texts": ("(i i64) (x f64) (b bool)", "(join-strings (string i) \" \" (string x) \" \" (string b))", lambda i, x, b: f"{i} {x} {b}",
              [(1, 1.0, True), (-5, 0.1, False), (0, 1e22, True), (0, 1e-5, True), (0, 123456789.125, True), (0, math.nan, True), (0, -math.inf, True), (0, -0.0, True), (0, 1e16, True)]),
    "formats": ("(x f64)", "(join-strings (format \".3f\" x) \"|\" (format \"8.2f\" x) \"|\" (format \"e\" x) \"|\" (format \".1%\" x) \"|\" (format \"+.4g\" x))",
                lambda x: f"{x:.3f}|{x:8.2f}|{x:e}|{x:.1%}|{x:+.4g}", [(3.14159,), (-0.5,), (1e10,), (0.0005,), (0.125,)]),
    "format_integers": ("(i i64)", "(join-strings (format \"5d\" i) \"|\" (format \"05d\" i) \"|\" (format \",\" i) \"|\" (format \"<4d\" i))",
                        lambda i: f"{i:5d}|{i:05d}|{i:,}|{i:<4d}", [(42,), (-7,), (1234567,)]),
    "format_to_bases": ("(i i64)", "(join-strings (format \"x\" i) \"|\" (format \"#010X\" i) \"|\" (format \"#b\" i) \"|\" (format \"^+25o\" i))",
                        lambda i: f"{i:x}|{i:#010X}|{i:#b}|{i:^+25o}", [(42,), (-7,), (0,), (2**63 - 1,), (-2**63,)]),
    "laid_out": ("(x f64) (i i64) (s string) (n i64)", "(let w (string n) (join-strings (laid-out x (join-strings w \".\" w \"f\")) \"|\" (laid-out i w) \"|\" (laid-out s (join-strings \"^\" w))))",
                 lambda x, i, s, n: f"{x:{n}.{n}f}|{i:{n}}|{s:^{n}}", [(3.14159, 42, "héllo", 12), (-0.5, -7, "", 1), (1e10, 0, "abc", 5)]),
    "printing": ("(i i64) (x f64) (s string)", "(begin (print i x s true) (print) (print \"a\\tb\") i)",
                 lambda i, x, s: (print(i, x, s, True), print(), print("a\tb"), i)[-1], [(1, 0.5, "x y"), (-1, 1e100, "")]),
    # effects
    "order": ("(i i64)", "(+ (loud i) (* (loud (+ i 1)) (loud (+ i 2))))", lambda i: _loud(i) + _loud(i + 1) * _loud(i + 2), [(1,)]),
    "unused_effect": ("(i i64)", "(begin (loud 7) (let unused (loud 8) i))", lambda i: (_loud(7), _loud(8), i)[-1], [(1,)]),
    "both_operands": ("(i i64)", "(or (== (loud i) 1) (== (loud 2) 2))", lambda i: bool((_loud(i) == 1) | (_loud(2) == 2)), [(1,)]),
    "one_branch": ("(i i64)", "(if (> i 0) (loud i) (loud (- 0 i)))", lambda i: _loud(i) if i > 0 else _loud(-i), [(1,), (-3,)]),
    # errors
    "index_error": ("(v (tensor f64 ?)) (i i64)", "(item (index v i))", lambda v, i: float(v[i]), [(np.arange(3.0), 2), (np.arange(3.0), 3), (np.arange(3.0), -3), (np.arange(3.0), -4)]),
    "list_index_error": ("(l (list f64)) (i i64)", "(index l i)", lambda l, i: l[i], [([1.0], 0), ([1.0], 1), ([], 0), ([1.0], -2)]),
    "gather_error": ("(m (tensor f64 ? ?)) (i i64)", "(gather m i)", lambda m, i: m[i], [(np.ones((2, 2)), 1), (np.ones((2, 2)), 2)]),
    "raised": ("(i i64)", "(if (< i 0) (raise ValueError \"negative: \" i) (* i 2))", lambda i: _raised(i), [(1,), (-1,)]),
}


def _swap_arrays(a, b):
    for _ in range(3):
        a, b = b, a + b
    return a, b


def _digits(values):
    x = 0
    for i in values:
        x = x * 10 + i
    return x


def _rows(m):
    total = np.zeros(m.shape[1])
    for row in m:
        total = total * 2 + row
    return total


def _loop_in_loop(n):
    a, b = 0, 1
    for i in range(n):
        c = a
        while c < b:
            c += 2
        a, b = b, c + i
    return b


def _flags(n):
    go, i = True, 0
    while go:
        i += 3
        go = i < n
    return i


def _tuple_loop(a):
    p = (a, 1.0)
    for _ in range(3):
        p = (p[1], p[0] + p[1])
    return p[0]


def _bounded(value):
    if not -BIG - 1 <= value <= BIG:
        raise OverflowError
    return value


def _loud(i):
    print("loud", i)
    return i


def _more(i):
    if i > 10:
        raise ValueError("more")


def _raised(i):
    if i < 0:
        raise ValueError(f"negative: {i}")
    return i * 2


def cases(names):
    return "".join(f"(define case_{name} ({' '.join(formals.split())}) {expression})\n(export case_{name})\n"
                   for name, (formals, expression, _, _) in PROGRAMS.items() if name in names)


TEXT = """
(struct Node (value f64) (next (optional Node)))
(struct Point (x f64) (name string) (count i64))
(define loud ((i i64)) (begin (print "loud" i) i))
(define total_links ((t (optional Node))) -> f64 (if (none? t) 0.0 (+ (getattr t value) (total_links (getattr t next)))))
""" + cases(PROGRAMS)


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(program_of, capfd, name):
    _, _, reference, runs = PROGRAMS[name]
    entry = program_of(TEXT, "semantics", Node, Point).entry(f"case_{name}")
    for operands in runs:
        expected = outcomes(reference, *operands)
        printed = capfd.readouterr().out
        if isinstance(expected, (type, Exception)):
            # What does not fit into 64 bits is an OverflowError, where Python's integers grow.
            with pytest.raises(expected if isinstance(expected, type) else type(expected)) as raised:
                entry(*operands)
            # What the program raises has the program's text; what an operation does, its place.
            text = str(raised.value)
            assert text == str(expected) or re.match(r"semantics\.sexpr:\d+:\d+: .", text)
            continue
        result = entry(*operands)
        result = result if isinstance(expected, list) and len(result) != 1 else result[0]
        assert capfd.readouterr().out == printed
        if isinstance(expected, (np.ndarray, float)) or (isinstance(expected, list) and isinstance(expected[0] if expected else 0, np.ndarray)):
            np.testing.assert_allclose(result, expected, rtol=1e-15)
        else:
            assert (result, type(result)) == (expected, type(expected))


OF_INTEGERS = [name for name, (formals, expression, *_) in PROGRAMS.items()
               if set(re.findall(r"\w+", formals)) & {"i64", "f64", "Point"} == {"i64"} and "(loud" not in expression]


def test_where_every_sum_is_checked_it_is_the_same(program_of, monkeypatch):
    as_they_are = program_of(TEXT, "semantics", Node, Point)
    monkeypatch.setenv("LANTERN_DISABLE_PASS", "integer-ranges")
    checked = program_of(cases(OF_INTEGERS), "checked_semantics")
    assert "counted_to" in OF_INTEGERS and len(OF_INTEGERS) > 20
    for name in OF_INTEGERS:
        for operands in PROGRAMS[name][3]:
            one, other = (outcomes(program.entry(f"case_{name}"), *operands) for program in (as_they_are, checked))
            assert type(one) is type(other) and (one == other or isinstance(one, Exception)), (name, operands)


TWO_GRADIENTS = """
(parameter p (tensor f64 3) (fill 1))
(parameter q (tensor f64 3) (fill 1))
(define both () (sum (* p (* q q))))
(define with_x ((x f64)) (* x (sum (* p q))))
(define of_p () (value-and-grad both (wrt p)))
(define of_q () (value-and-grad both (wrt q)))
(define of_x ((x f64)) (value-and-grad with_x (wrt x) x))
(parameter unrelated (tensor f64 2) (fill 1))
(parameter number f64 (fill 1))
(define independent ((x f64)) (* x x))
(define times_number ((x f64)) (* x (* number number)))
(define of_unrelated () (value-and-grad both (wrt unrelated p)))
(define of_nothing ((x f64)) (value-and-grad independent (wrt unrelated) x))
(define of_number ((x f64)) (value-and-grad times_number (wrt number x) x))
(define constant ((x f64)) 2.0)
(define of_constant ((x f64)) (value-and-grad constant (wrt x) x))
(define in_turn () (let a (value-and-grad both (wrt p)) (let b (value-and-grad both (wrt q p)) (tuple (get a 1) (get b 1) (get b 2)))))
(export of_p) (export of_q) (export of_x) (export in_turn)
(struct Limit (at f64))
(define grown ((x f64) (at f64)) (let limit (make Limit at) (while ((y x)) (> (getattr limit at) y) (* y (getattr limit at)))))
(define of_limit ((x f64) (at f64)) (value-and-grad grown (wrt x at) x at))
(export of_limit) (export of_unrelated) (export of_nothing) (export of_number) (export of_constant)
"""


def test_gradients_of_different_parameters(program_of):
    program = program_of(TWO_GRADIENTS, "two_gradients")
    p, q = np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0, 6.0])
    program.bind("p", p)
    program.bind("q", q)
    for _ in range(2):
        assert program.entry("of_q")()[1].tolist() == (2 * p * q).tolist()
        assert program.entry("of_p")()[1].tolist() == (q * q).tolist()
        assert program.entry("of_x")(2.0)[1] == pytest.approx(np.sum(p * q))
        a, b, c = program.entry("in_turn")()
        assert (a.tolist(), b.tolist(), c.tolist()) == ((q * q).tolist(), (2 * p * q).tolist(), (q * q).tolist())


def test_gradients_of_what_does_not_matter(program_of):
    program = program_of(TWO_GRADIENTS, "two_gradients")
    for name, array in {"p": np.ones(3), "q": np.full(3, 2.0), "unrelated": np.ones(2), "number": np.array(3.0)}.items():
        program.bind(name, array)
    assert [np.asarray(g).tolist() for g in program.entry("of_unrelated")()] == [12.0, [0.0, 0.0], [4.0, 4.0, 4.0]]
    assert [np.asarray(g).tolist() for g in program.entry("of_nothing")(3.0)] == [9.0, [0.0, 0.0]]
    assert [float(g) for g in program.entry("of_number")(2.0)] == [18.0, 12.0, 9.0]
    assert program.entry("of_constant")(5.0) == [2.0, 0.0]


def test_a_gradient_of_what_a_loop_s_test_reads_too(program_of):
    assert program_of(TWO_GRADIENTS, "two_gradients").entry("of_limit")(1.5, 2.0) == [3.0, 2.0, 1.5]


def test_three_hundred_operands(program_of, capfd):
    """Compilers bound how deep an expression nests, which must not bound a program."""
    numbers = " ".join(f"(+ x {i}.0)" for i in range(300))
    lists = " ".join(f"(append (empty f64) (* x {i}.0))" for i in range(300))
    program = program_of(f"(define f ((x f64)) (begin (print {numbers}) (let xs (concat {lists}) (+ (index xs 299) (cast f64 (length xs)))))) (export f (x (required) \"\"))", "many")
    assert program.entry("f")(2.0)[0] == 2.0 * 299 + 300
    assert capfd.readouterr().out == " ".join(f"{2.0 + i}" for i in range(300)) + "\n"
