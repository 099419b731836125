"""`if`, conditional expressions, lazy logic: dispatch on the type of the condition."""
import lantern as lt
from programs import runs, stops


@runs((3.0,), (-3.0,))
def both_branches_assign(x):
    if x > 0:
        y = x * 2
    else:
        y = -x
    return y


@runs((3.0,), (-3.0,))
def one_branch_assigns(x):
    y = 0.0
    if x > 0:
        y = x
    return y


@runs((1.0,), (-1.0,))
def undefined_in_one_branch(x):
    if x > 0:
        y = x
    return y


@runs((3.0,), (-3.0,))
def undefined_in_one_branch_but_not_used_after(x):
    if x > 0:
        y = x
        x = y * 2
    return x


@runs((3.0, 2), (-3.0, 2), (-1.0, -1))
def elif_chain(x, n):
    if x > 0:
        r = 1
    elif n > 0:
        r = 2
    else:
        r = 3
    return r


@runs((3.0, lt), (-3.0, lt))
def python_condition_runs_as_python(x, module: lt.static[object]):
    if module is None:
        return undefined_name  # noqa: F821
    return x


@runs((5,), (0,), (-5,))
def truth_of_a_number(n):
    if n:
        return 1
    return 0


@runs((0.0,), (-0.0,), (2.5,))
def truth_of_a_float(x):
    return "some" if x else "none"


@runs(("",), ("a",))
def truth_of_text(s):
    if not s:
        return "empty"
    return s


@runs(([],), ([1.0],))
def truth_of_a_list(xs: list[float]):
    if xs:
        return xs[0]
    return 0.0


@runs((True, False), (True, True), (False, True))
def condition_is_bool(a, b):
    if a and not b:
        return 1
    elif a or b:
        return 2
    return 3


@runs((1.0,), (-1.0,))
def same_python_value_in_both_branches_stays_python(x):
    if x > 0:
        n = 3
    else:
        n = 3
    return sum([i * x for i in range(n)])


@runs((1.0,), (-1.0,))
def python_values_become_staged(x):
    n = 1
    if x > 0:
        n = 2
    return n + 1


@runs((1.0,), (-1.0,))
def literals_promote(x):
    y = 1
    if x > 0:
        y = 2.5
    return y * 2.0


@runs((1.0,), (-1.0,))
def none_in_one_branch(x):
    y = None
    if x > 0:
        y = x
    return y


@stops("LT0306", "'y' is float on", "str on another", at=(1.0,))
def types_differ(x):
    if x > 0:  # error
        y = x
    else:
        y = "a"
    return y


@stops("LT0306", "'g'", "function", at=(1.0,))
def functions_differ(x):
    if x > 0:  # error
        g = abs
    else:
        g = float
    return g(x)


@runs((1.0,), (-1.0,))
def shapes_differ(x):
    if x > 0:
        y = lt.zeros(2)
    else:
        y = lt.zeros(3)
    return lt.shape(y)[0] + 0


@stops("LT0306", "'y'", at=(1.0,))
def ranks_differ(x):
    if x > 0:  # error
        y = lt.zeros(2)
    else:
        y = lt.zeros((2, 2))
    return y


@runs((1.0,), (-1.0,))
def tuples_of_one_form(x):
    pair = (1.0, (2, x))
    if x > 0:
        pair = (x, (3, 4.0))
    return pair


@stops("LT0306", "'pair'", at=(1.0,))
def tuples_of_two_forms(x):
    pair = (1.0, 2.0)
    if x > 0:  # error
        pair = (x, x, x)
    return pair[0]


@runs((1.0,), (-1.0,))
def a_list_of_fixed_form(x):
    xs = [x, 2.0]
    if x > 0:
        xs = [1.0, x]
    return xs[0] - xs[1]


@runs((1.0,), (-1.0,))
def a_dict_of_fixed_form(x):
    d = {"a": x, "b": 2.0}
    if x > 0:
        d = {"a": 1.0, "b": x}
    return d["a"] - d["b"]


class Box:
    def __init__(self, value):
        self.value = value
        self.other = 0.0


@runs((1.0,), (-1.0,))
def an_attribute_changes(x):
    box = Box(x)
    if x > 0:
        box.value = x * 3
    else:
        box.other = x
    return box.value - box.other


@runs((1.0,), (-1.0,))
def an_attribute_of_an_attribute_changes(x):
    box = Box(Box(x))
    if x > 0:
        box.value.value = x * 3
    return box.value.value


@runs((1.0, 2.0), (-1.0, 2.0), (1.0, -2.0))
def nested(x, y):
    r = 0.0
    if x > 0:
        if y > 0:
            r = x + y
        else:
            r = x - y
    return r


@runs((1.0,), (-1.0,), (20.0,))
def early_returns(x):
    if x > 10:
        return 1.0
    if x > 0:
        return x
    return -x


@runs((1.0,), (-1.0,))
def a_path_without_return(x):
    if x > 0:
        return x


@runs((1.0,), (-1.0,))
def return_in_every_branch(x):
    if x > 0:
        return x, 1
    else:
        return -x, 2


@runs((1.0,), (-1.0,))
def raise_in_one_branch(x):
    if x < 0:
        raise ValueError("negative")
    return x


@runs((1.0,), (-1.0,))
def assertion(x):
    assert x > 0, "positive"
    return x


@runs((1.0,), (-1.0,))
def conditional_expression(x):
    return x if x > 0 else -x


@runs((4.0, 2), (4.0, 0))
def conditional_expression_is_lazy(x, n):
    return x / n if n != 0 else x


@runs((4.0, 2), (4.0, 0), (-4.0, 3))
def and_is_lazy(x, n):
    return n != 0 and x / n > 1


@runs((4.0, 2), (4.0, 0), (-4.0, 3))
def or_is_lazy(x, n):
    return n == 0 or x // n > 1


@runs((3, 0), (0, 4), (0, 0))
def and_or_give_operands(a, b):
    return (a or b) + (a and b)


@runs((1, 2, 3), (1, 3, 2), (3, 2, 1))
def chained_comparison(a, b, c):
    return a < b < c, a < b > c, a <= a == a


@runs((4.0, 0), (4.0, 2))
def chained_comparison_is_lazy(x, n):
    return 0 < n < 8 / n if n else False


@runs((1.0,), (-1.0,))
def equality(x):
    return x == 1.0, x != 1.0, not x == 1.0


@runs((1,), (5,), (7,))
def membership(n):
    return n in (1, 2, 3), n not in [5, 6], n in range(4, 6)


@runs((1.0,), (-1.0,))
def identity_with_none(x):
    return x is None, x is not None


@stops("LT0310", "identity of 'x'", at=(1.0, 2.0))
def identity_of_staged_values(x, y):
    return x is y  # error


@runs((1.0,), (-1.0,))
def print_in_branches_keeps_order(x):
    print("before", x)
    if x > 0:
        print("positive")
    else:
        print("negative")
    print("after")
    return x


def recursive_factorial(n):
    if n <= 1:
        return 1
    return n * recursive_factorial(n - 1)


@runs((0,), (1,), (6,))
def recursion_in_a_branch(n):
    return recursive_factorial(n)


def recursive_even(n):
    if n == 0:
        return True
    return recursive_odd(n - 1)


def recursive_odd(n):
    if n == 0:
        return False
    return recursive_even(n - 1)


@runs((4,), (7,))
def mutual_recursion(n):
    return recursive_even(n)


def recursive_pair(n):
    if n == 0:
        return 0, 1
    a, b = recursive_pair(n - 1)
    return b, a + b


@runs((0,), (7,))
def recursion_with_several_results(n):
    return recursive_pair(n)


@runs((3,), (-1,))
def recursion_in_condition(n):
    if recursive_factorial(n) > 5:
        return 1
    return 2


@runs((3,), (0,))
def recursion_in_conditional_expression(n):
    return recursive_factorial(n) if n else recursive_factorial(4)


@runs((3,), (0,))
def recursion_in_lazy_logic(n):
    return n > 0 and recursive_factorial(n) > 3


def recursive_depth(n, depth=0):
    if n > 0:
        depth = depth + 1
        return recursive_depth(n - 1, depth)
    return depth


@runs((3,), (0,))
def static_argument_that_changes_becomes_staged(n):
    return recursive_depth(n)
