"""One small program for each way that a chain of operators, a call, a branch, a loop or a recursion carries a gradient (Case: operator_cases.py)."""
import numpy as np

from operator_cases import Case, sigmoid


def chains():
    def case(name, expression, reference, definitions="", low=-1, high=1, **formals):
        return Case(name, expression, reference, formals, low, high, definitions)

    yield case("square_by_hand", "(* a a)", lambda a: a * a, a=None)
    yield case("square_by_hand_v", "(* a a)", lambda a: a * a, a="?3")
    yield case("self_minus", "(- (* a a) a)", lambda a: a * a - a, a="3")
    yield case("divided_by_itself", "(/ a a)", lambda a: a / a, low=0.5, high=2, a="3")
    yield case("power_of_itself", "(** a a)", lambda a: a**a, low=0.5, high=2, a=None)
    yield case("integer_power", "(** a 3)", lambda a: a**3, a="3")
    yield case("integer_power_s", "(** a 2)", lambda a: a**2, a=None)
    yield case("power_of_two", "(** 2 a)", lambda a: 2.0**a, a="3")
    yield case("literals", "(+ (* 2 a) (/ a 4))", lambda a: 2 * a + a / 4, a="3")
    yield case("chain", "(tanh (* 2.0 (sigmoid (+ a (exp (neg a))))))",
               lambda a: np.tanh(2 * sigmoid(a + np.exp(-a))), a="?3")
    yield case("used_twice", "(let h (tanh a) (let g (* h b) (+ (* g h) (- g a))))",
               lambda a, b: np.tanh(a) ** 2 * b + np.tanh(a) * b - a, a="3", b="3")
    yield case("shadowed", "(let a (* a a) (let a (+ a 1.0) (* a a)))", lambda a: (a * a + 1) ** 2, a=None)
    yield case("integer_in_between", "(* a (cast i64 (+ 2.5 (* 0.1 a))))", lambda a: a * 2, a=None)
    yield case("passive_if", "(* a (if (> b 0.0) 2.0 3.0))", lambda a, b: a * (2.0 if b > 0 else 3.0), a=None, b=None)


def control():
    def case(name, definitions, expression, reference, low=-1, high=1, **formals):
        return Case(name, expression, reference, formals, low, high, definitions)

    yield case("through_a_call", "(define double_it (x) (* x 2.0))", "(* a (double_it (double_it a)))",
               lambda a: 4 * a * a, a=None)
    yield case("call_of_arrays", "(define affine ((m (tensor f64 ? ?)) (v (tensor f64 ?)) (c (tensor f64 ?))) (tanh (+ (matmul m v) c)))",
               "(affine a (affine a b c) c)", lambda a, b, c: np.tanh(a @ np.tanh(a @ b + c) + c), a="3 3", b="3", c="3")
    yield case("argument_twice", "(define times (x y) (* x y))", "(times a a)", lambda a: a * a, a=None)
    yield case("argument_twice_v", "(define times_v ((x (tensor f64 ?)) (y (tensor f64 ?))) (* x y))", "(times_v a a)", lambda a: a * a, a="3")
    yield case("literal_argument", "(define over (x y) (/ x y))", "(+ (over 1.0 a) (over a 2))", lambda a: 1 / a + a / 2,
               low=0.5, high=2, a=None)
    constants = "(let c (exp (zeros f64 3)) (let d (three c c a) (if (> (sum a) 0.0) (three c a d) (three (three a c d) c c))))"
    yield case("constant_arguments", "(define three ((x (tensor f64 3)) (y (tensor f64 3)) (z (tensor f64 3))) (* (+ x (* 2.0 y)) z))", constants,
               lambda a: (1 + 2 * a) * 3 * a if a.sum() > 0 else (a + 2) * 3 * a + 2, a="3")
    yield case("swapped_arguments", "(define minus_twice (x y) (- x (* 2.0 y)))", "(minus_twice b a)", lambda a, b: b - 2 * a, a=None, b=None)
    yield case("one_formal_passive", "(define scaled (n x) (* (cast f64 n) x))", "(scaled 3 a)", lambda a: 3 * a, a=None)
    yield case("unused_argument", "(define first_of (x y) x)", "(first_of a b)", lambda a, b: a + 0 * b, a=None, b=None)
    yield case("identity", "(define same (x) x)", "(* (same a) (same a))", lambda a: a * a, a=None)
    yield case("constant_function", "(define always (x) 3.0)", "(* a (always a))", lambda a: 3 * a, a=None)
    yield case("several_results", "(define both (x y) (tuple (* x y) (+ x y)))",
               "(let p (both a b) (* (get p 0) (get p 1)))", lambda a, b: a * b * (a + b), a=None, b=None)
    yield case("result_twice", "(define doubled (x) (let y (* x x) (tuple y y)))",
               "(let p (doubled a) (* (get p 0) (+ 1.0 (get p 1))))", lambda a: a**2 * (1 + a**2), a=None)
    yield case("formal_as_two_results", "(define fork (x) (tuple x x))",
               "(let p (fork a) (* (get p 0) (get p 1)))", lambda a: a * a, a=None)
    yield case("formal_as_two_results_v", "(define fork_v ((x (tensor f64 ?))) (tuple x x))",
               "(let p (fork_v a) (* (get p 0) (get p 1)))", lambda a: a * a, a="3")
    yield case("passive_result", "(define counted (x) (tuple 2 (* x x) 3.0))",
               "(let p (counted a) (* (* (get p 0) (get p 1)) (get p 2)))", lambda a: 6 * a * a, a=None)
    yield case("one_result_unused", "(define divmod_like (x y) (tuple (* x y) (exp x)))",
               "(get (divmod_like a b) 0)", lambda a, b: a * b, a=None, b=None)
    yield case("nested_tuples", "(define nested (x y) (tuple (tuple x (* x y)) y))",
               "(let p (nested a b) (* (get (get p 0) 1) (get p 1)))", lambda a, b: a * b * b, a=None, b=None)
    yield case("if_active", "", "(* (if (> a 0.0) (* a a) (neg a)) a)",
               lambda a: (a * a if a > 0 else -a) * a, a=None)
    yield case("if_constant", "", "(let y (if (> a 0.0) a 2.0) (* y y))", lambda a: (a if a > 0 else 2.0) ** 2, a=None)
    yield case("if_integer_constant", "", "(let y (if (> a 0.0) 1 a) (* y a))", lambda a: (1 if a > 0 else a) * a, a=None)
    yield case("if_formals", "", "(let y (if (> a b) a b) (* y (* y a)))", lambda a, b: max(a, b) ** 2 * a, a=None, b=None)
    yield case("if_formals_v", "", "(let y (if (> (sum a) (sum b)) a b) (* y (* y a)))",
               lambda a, b: (a if a.sum() > b.sum() else b) ** 2 * a, a="3", b="3")
    yield case("if_same_value", "", "(let h (* a a) (let y (if (> a 0.0) h h) (+ y h)))", lambda a: 2 * a * a, a=None)
    yield case("if_pair", "", "(let p (if (> a b) (tuple a (* a b)) (tuple b 1.0)) (* (get p 0) (get p 1)))",
               lambda a, b: a * a * b if a > b else b, a=None, b=None)
    yield case("if_pair_same_twice", "", "(let p (if (> a 0.0) (tuple a a) (tuple (* a a) a)) (* (get p 0) (get p 1)))",
               lambda a: a * a if a > 0 else a**3, a=None)
    yield case("if_pair_same_twice_v", "", "(let p (if (> (sum a) 0.0) (tuple a a) (tuple (* a a) a)) (* (get p 0) (get p 1)))",
               lambda a: a * a if a.sum() > 0 else a**3, a="3")
    yield case("if_passive_member", "", "(let p (if (> a 0.0) (tuple 2 a) (tuple 3 (* a a))) (* (get p 0) (get p 1)))",
               lambda a: 2 * a if a > 0 else 3 * a * a, a=None)
    yield case("if_after_if", "", "(let x (if (> a 0.0) (* a b) (- a b)) (let y (if (> b 0.0) (* x x) (* x a)) (+ x y)))",
               lambda a, b: (lambda x: x + (x * x if b > 0 else x * a))(a * b if a > 0 else a - b), a=None, b=None)
    yield case("if_in_if", "", "(if (> a 0.0) (let y (if (> b 0.0) a b) (* y a)) (if (> b 0.0) (* b b) a))",
               lambda a, b: ((a if b > 0 else b) * a if a > 0 else b * b if b > 0 else a), a=None, b=None)
    yield case("if_around_calls", "(define cube (x) (* x (* x x)))", "(* a (if (> a b) (cube (cube b)) (let c (cube a) (+ c b))))",
               lambda a, b: a * (b**9 if a > b else a**3 + b), a=None, b=None)
    yield case("if_with_array_and_broadcast", "", "(let y (if (> (sum a) 0.0) (* a b) b) (* y a))",
               lambda a, b: (a * b if a.sum() > 0 else b) * a, a="3", b="3")
    yield case("if_of_loaded_shapes", "", "(let y (if (> (sum a) 0.0) (slice a 0 2) (slice a 1 3)) (* y y))",
               lambda a: (a[0:2] if a.sum() > 0 else a[1:3]) ** 2, a="3")
    yield case("if_raises", "", "(* a (if (> a 100.0) (raise ValueError \"too large\") (* a a)))", lambda a: a**3, a=None)
    yield case("recursion_over_integers", "(define power_of (x n) (if (== n 0) 1.0 (* x (power_of x (- n 1)))))",
               "(power_of a 5)", lambda a: a**5, a=None)
    yield case("recursion_with_accumulator", "(define sum_of (x n so_far) (if (== n 0) so_far (sum_of (* x x) (- n 1) (+ so_far x))))",
               "(sum_of a 3 0.0)", lambda a: a + a**2 + a**4, a=None)
    yield case("recursion_twice", "(define fib (x n) (if (< n 2) x (+ (fib (* x 1.5) (- n 1)) (* x (fib x (- n 2))))))",
               "(fib a 5)", _fibonacci, a=None)
    yield case("recursion_of_arrays", "(define iterate ((m (tensor f64 ? ?)) (v (tensor f64 ?)) n) (if (== n 0) v (iterate m (tanh (matmul m v)) (- n 1))))",
               "(iterate a b 4)", _iterate, a="3 3", b="3")
    yield case("mutual_recursion", "(define even_part (x n) (if (== n 0) x (odd_part (* x x) (- n 1))))\n"
                                   "(define odd_part (x n) (if (== n 0) 1.0 (+ x (even_part (sin x) (- n 1)))))",
               "(even_part a 4)", _even_part, a=None)
    yield case("pair_recursion", "(define pairs (x y n) -> (tuple f64 f64) (if (== n 0) (tuple x y) (let p (pairs y (* x y) (- n 1)) (tuple (get p 1) (+ x (get p 0))))))",
               "(let p (pairs a b 4) (* (get p 0) (get p 1)))", lambda a, b: np.prod(_pairs(a, b, 4)), a=None, b=None)
    yield case("nested_function", "", "(let c (* a b) (define inner (x) (* x (+ c a)) (* (inner b) (inner c))))",
               lambda a, b: b * (a * b + a) * (a * b) * (a * b + a), a=None, b=None)
    yield case("nested_function_v", "", "(let c (* a b) (define inner_v ((x (tensor f64 ?))) (* x (+ c a)) (* (inner_v b) (inner_v c))))",
               lambda a, b: b * (a * b + a) * (a * b) * (a * b + a), a="3", b="3")
    yield case("nested_recursion", "", "(let c (* a a) (define descend (x n) (if (== n 0) c (* x (descend (+ x c) (- n 1)))) (descend b 3)))",
               lambda a, b: b * (b + a * a) * (b + 2 * a * a) * a * a, a=None, b=None)
    yield case("nested_in_nested", "", "(define outer_one (x) (define inner_one (y) (* (* x y) a) (inner_one (* x b))) (outer_one (+ a b)))",
               lambda a, b: (a + b) ** 2 * b * a, a=None, b=None)
    yield case("passive_loop_within", "", "(* a (get (while ((i 0) (s 0.0)) (< i 3) (tuple (+ i 1) (+ s 2.0))) 1))",
               lambda a: 6 * a, a=None)


def _fibonacci(x, n=5):
    return x if n < 2 else _fibonacci(x * 1.5, n - 1) + x * _fibonacci(x, n - 2)


def _iterate(m, v):
    for _ in range(4):
        v = np.tanh(m @ v)
    return v


def _even_part(x, n=4):
    return x if n == 0 else _odd_part(x * x, n - 1)


def _odd_part(x, n):
    return 1.0 if n == 0 else x + _even_part(np.sin(x), n - 1)


def _pairs(x, y, n):
    if n == 0:
        return x, y
    p = _pairs(y, x * y, n - 1)
    return p[1], x + p[0]



def loops():
    def case(name, expression, reference, low=-1, high=1, definitions="", **formals):
        return Case(name, expression, reference, formals, low, high, definitions)

    yield case("for_power", "(for i (range 0 4 1) ((y a)) true (* y a))", lambda a: a**5, a=None)
    yield case("for_power_v", "(for i (range 0 3 1) ((y a)) true (* y (tanh a)))", lambda a: a * np.tanh(a) ** 3, a="3")
    yield case("for_pair", "(get (for i (range 0 5 1) ((x a) (y b)) true (tuple y (* x y))) 1)", lambda a, b: _pair_loop(a, b), a=None, b=None)
    yield case("for_pair_v", "(get (for i (range 0 3 1) ((x a) (y b)) true (tuple y (* x y))) 1)", lambda a, b: _pair_loop(a, b, 3), a="3", b="3")
    yield case("for_negative_step", "(for i (range 5 0 -2) ((y a)) true (+ (* y y) (* (cast f64 i) a)))", lambda a: _steps(a, range(5, 0, -2)), a=None)
    yield case("for_no_turn", "(* a (for i (range 3 0 1) ((y a)) true (* y y)))", lambda a: a * a, a=None)
    yield case("for_break", "(for i (range 0 10 1) ((y a)) (< y 5.0) (+ y (* y y)))", lambda a: _until(a), low=0.3, a=None)
    yield case("for_elements", "(for x a ((y b)) true (+ (* y (item x)) (item x)))", lambda a, b: _horner(a, b), a="4", b=None)
    yield case("for_rows", "(for row a ((y b)) true (tanh (+ (* y row) row)))", lambda a, b: _row_loop(a, b), a="?4 ?3", b="3")
    yield case("while_turns", "(get (while ((n 4) (y a)) (> n 0) (tuple (- n 1) (* (sin y) b))) 1)", lambda a, b: _sines(a, b), a=None, b=None)
    yield case("while_on_value", "(while ((y a)) (< y 3.0) (* y 1.5))", lambda a: _grow(a), low=0.5, a=None)
    yield case("loop_with_if", "(for i (range 0 4 1) ((y a)) true (if (> y 0.0) (* y b) (- y a)))", lambda a, b: _if_loop(a, b), a=None, b=None)
    yield case("loop_with_call", "(for i (range 0 3 1) ((y a)) true (bump y b))", lambda a, b: _bumps(a, b), a=None, b=None,
               definitions="(define bump (x c) (+ (* x x) c))")
    yield case("loop_in_loop", "(for i (range 0 2 1) ((y a)) true (for j (range 0 2 1) ((z y)) true (+ (* z b) y)))", lambda a, b: _nest(a, b), a=None, b=None)
    yield case("loop_after_loop", "(let y (for i (range 0 2 1) ((y a)) true (* y y)) (* (for i (range 0 2 1) ((z b)) true (+ z y)) y))",
               lambda a, b: (b + 2 * a**4) * a**4, a=None, b=None)
    yield case("loop_same_twice", "(let p (for i (range 0 2 1) ((x a) (y a)) true (tuple y y)) (* (get p 0) (get p 1)))", lambda a: a * a, a=None)
    yield case("loop_initial_literal", "(for i (range 0 3 1) ((y 1.0)) true (* y a))", lambda a: a**3, a=None)
    yield case("loop_initial_integer", "(for i (range 0 3 1) ((y 0)) true (+ (* y a) a))", lambda a: a + a**2 + a**3, a=None)
    yield case("loop_zeros", "(for x a ((y (zeros f64 3))) true (+ (* y b) x))", lambda a, b: _zeros_loop(a, b), a="4", b="3")
    yield case("loop_reset_to_constant", "(for i (range 0 3 1) ((y a)) true (if (> y 0.5) 0.25 (+ y a)))", lambda a: _reset(a), a=None)
    yield case("loop_counts_too", "(let p (for i (range 0 3 1) ((n 0) (y a)) true (tuple (+ n i) (* y a))) (* (cast f64 (get p 0)) (get p 1)))", lambda a: 3 * a**4, a=None)


def _pair_loop(x, y, n=5):
    for _ in range(n):
        x, y = y, x * y
    return y


def _steps(a, steps):
    y = a
    for i in steps:
        y = y * y + i * a
    return y


def _until(y):
    for _ in range(10):
        if not y < 5:
            break
        y = y + y * y
    return y


def _horner(a, y):
    for x in a:
        y = y * x + x
    return y


def _row_loop(a, y):
    for row in a:
        y = np.tanh(y * row + row)
    return y


def _sines(y, b):
    for _ in range(4):
        y = np.sin(y) * b
    return y


def _grow(y):
    while y < 3:
        y = y * 1.5
    return y


def _if_loop(a, b):
    y = a
    for _ in range(4):
        y = y * b if y > 0 else y - a
    return y


def _bumps(y, b):
    for _ in range(3):
        y = y * y + b
    return y


def _nest(y, b):
    for _ in range(2):
        z = y
        for _ in range(2):
            z = z * b + y
        y = z
    return y


def _zeros_loop(a, b):
    y = np.zeros(3)
    for x in a:
        y = y * b + x
    return y


def _reset(a):
    y = a
    for _ in range(3):
        y = 0.25 if y > 0.5 else y + a
    return y


def trees():
    """Recursion over a tree whose numbers are constants and whose leaves read parameters of the function."""
    items = "(struct Branch (value f64) (left (optional Branch)) (right (optional Branch)))\n"
    yield Case("tree_sum", "(tree_sum a (grown 3))", lambda a: _tree_sum(a, 3), {"a": None}, -1, 1, items + """
(define grown ((n i64)) -> (optional Branch) (if (== n 0) none (make Branch (cast f64 n) (grown (- n 1)) (grown (// n 2)))))
(define tree_sum ((x f64) (t (optional Branch))) -> f64
  (if (none? t) x (+ (* (getattr t value) (tree_sum (* x x) (getattr t left))) (tree_sum (sin x) (getattr t right)))))""")
    yield Case("tree_pair", "(let p (tree_pair a b (grown 3)) (* (get p 0) (get p 1)))", lambda a, b: np.multiply(*_tree_pair(a, b, 3)), {"a": "3", "b": "3"}, -1, 1, """
(define tree_pair ((h (tensor f64 3)) (c (tensor f64 3)) (t (optional Branch))) -> (tuple (tensor f64 3) (tensor f64 3))
  (if (none? t) (tuple h c)
    (let l (tree_pair c (* h c) (getattr t left))
      (let r (tree_pair (get l 0) c (getattr t right))
        (tuple (tanh (+ (get l 1) (get r 0))) (* (get r 1) (getattr t value)))))))""")


def _tree_sum(x, n):
    return x if n == 0 else n * _tree_sum(x * x, n - 1) + _tree_sum(np.sin(x), n // 2)


def _tree_pair(h, c, n):
    if n == 0:
        return h, c
    left = _tree_pair(c, h * c, n - 1)
    right = _tree_pair(left[0], c, n // 2)
    return np.tanh(left[1] + right[0]), right[1] * n


CASES = [*chains(), *control(), *loops(), *trees()]
