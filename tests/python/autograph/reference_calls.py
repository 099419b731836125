"""Calls: what is converted, how arguments are passed, closures, lambdas, classes, recursion in each."""
import functools
import math
import operator

import numpy as np

import lantern as lt
import lantern.autograph as ag
from programs import runs, stops


def relu(x):
    return x if x > 0 else 0.0


@runs((2.0,), (-2.0,))
def a_function_called_is_converted(x):
    return relu(x) + relu(-x)


def outermost(x):
    def middle(y):
        def inner(z):
            if z > x:
                return z
            return x
        return inner(y) + 1
    return middle


@runs((2.0, 1.0), (1.0, 2.0))
def nested_functions(x, y):
    return outermost(x)(y)


def power(base, exponent=2, *more, offset=0.0, **rest):
    result = offset
    if base > 0:
        result = base ** exponent
    for m in more:
        result = result + m
    for name in rest:
        result = result * rest[name]
    return result


@runs((2.0,), (-2.0,))
def default_arguments(x):
    return power(x)


@runs((2.0,), (-2.0,))
def keyword_arguments(x):
    return power(offset=1.0, base=x, exponent=3)


@runs((2.0,), (-2.0,))
def variadic_arguments(x):
    return power(x, 2, x, 1.0, scale=x, other=3.0)


@runs((2.0,), (-2.0,))
def unpacked_arguments(x):
    pair, names = (x, 3), {"offset": x}
    return power(*pair, **names) + power(*(x,), 2, *[x, x])


def only_keywords(*, a, b=2.0):
    return a - b if a > b else b - a


@runs((3.0,), (-2.0,))
def keyword_only_arguments(x):
    return only_keywords(a=x) + only_keywords(b=x, a=1.0)


def positional_only(a, b, /, c=1):
    return a * b + c if a > b else c


@runs((3.0,), (1.0,))
def positional_only_arguments(x):
    return positional_only(x, 2, c=x)


@runs((3.0,), (-1.0,))
def a_lambda(x):
    double = lambda v, k=2: v * k if v > 0 else v    # noqa: E731
    return double(x) + double(x, k=5)


@runs((3.0,), (-1.0,))
def a_lambda_called_where_it_stands(x):
    return (lambda v: -v if v < 0 else v)(x)


@runs((3.0,), (-1.0,))
def a_lambda_as_argument(x):
    def apply(f, *arguments):
        return f(*arguments)
    return apply(lambda a, b: a if a > b else b, x, 2.0)


@runs((3.0,), (-1.0,))
def a_lambda_in_a_dict(x):
    table = {"neg": lambda v: -v, "relu": lambda v: v if v > 0 else 0.0}
    return table["neg"](x) + table["relu"](x)


@runs((3.0,), (-1.0,))
def partial(x):
    third = functools.partial(power, exponent=3, offset=1.0)
    return third(x) + functools.partial(relu, x)() + functools.partial(third, x, k=2.0)()


class Layer:
    scale = 3.0

    def __init__(self, weight, bias=0.0):
        self.weight = weight
        if bias:
            self.bias = bias
        else:
            self.bias = 1.0

    def __call__(self, x):
        y = self.weight * x + self.bias
        return self.activate(y)

    def activate(self, y):
        if y > 0:
            return y * self.scale
        return self.leak(y)

    @staticmethod
    def leak(y):
        return y / 10 if y < -1 else y

    @classmethod
    def of(cls, x):
        return cls(x, bias=x)

    @property
    def norm(self):
        return self.weight if self.weight > 0 else -self.weight

    def __add__(self, other):
        return Layer(self.weight + other.weight)

    def __getitem__(self, key):
        return self.weight * key

    def __len__(self):
        return 7

    def __contains__(self, x):
        return x > self.weight

    def __eq__(self, other):
        return self.weight == other.weight


@runs((3.0,), (-2.0,))
def a_method(x):
    return Layer(2.0).activate(x)


@runs((3.0,), (-2.0,))
def a_callable_object(x):
    return Layer(2.0, 0.5)(x)


@runs((3.0,), (-2.0,))
def a_constructor_with_staged_arguments(x):
    layer = Layer(x, x)
    return layer.bias + layer.weight


@runs((3.0,), (-2.0,))
def a_bound_method_as_a_value(x):
    f = Layer(2.0).activate
    return f(x) + Layer.activate(Layer(1.0), x)


@runs((3.0,), (-2.0,))
def static_and_class_methods(x):
    return Layer.leak(x) + Layer.of(x)(x) + Layer(1.0).leak(x)


@runs((3.0,), (-2.0,))
def a_property_is_converted(x):
    return Layer(x).norm


@runs((3.0,), (-2.0,))
def operators_of_the_users_class(x):
    return (Layer(x) + Layer(1.0)).weight + Layer(x)[2.0] + len(Layer(x))


class Deeper(Layer):
    def __init__(self, weight):
        super().__init__(weight, 2.0)

    def activate(self, y):
        if y > 1:
            return y
        return super().activate(y)


@runs((3.0,), (-2.0,), (0.2,))
def inheritance_and_super(x):
    return Deeper(1.0)(x)


def doubling(function):
    @functools.wraps(function)
    def wrapper(*arguments, **keywords):
        result = function(*arguments, **keywords)
        if result > 0:
            result = result * 2
        return result
    return wrapper


@doubling
def decorated(x, k=1.0):
    if x > k:
        return x
    return -x


@doubling
@doubling
def decorated_twice(x):
    return relu(x)


@runs((3.0,), (-2.0,))
def decorated_functions(x):
    return decorated(x) + decorated_twice(x) + decorated(x, k=5.0)


@ag.convert()
def marked(x):
    return x if x > 0 else -x


@runs((3.0,), (-2.0,))
def a_function_marked_by_convert(x):
    return marked(x)


@lt.function
def fast(x):
    return x if x > 0 else -x


@runs((3.0,), (-2.0,))
def a_compiled_function_within_another(x):
    return fast(x) + 1.0


@ag.do_not_convert
def untouched(x):
    return x * 2 + 1


@runs((3.0,), (-2.0,))
def a_function_left_alone(x):
    return untouched(x)


@ag.do_not_convert
def untouched_condition(x):
    if x > 0:  # error
        return x
    return -x


@stops("LT0303", "'untouched_condition' runs as plain Python: it is marked ag.do_not_convert", at=(1.0,))
def a_condition_in_a_function_left_alone(x):
    return untouched_condition(x)


a_condition_in_a_function_left_alone.case.marked_line = lambda: untouched_condition.__code__.co_firstlineno + 2


@runs((3.0,), (0.25,))
def functions_of_the_library(x):
    return math.sqrt(x) + math.exp(-x) + abs(x) + max(x, 1.0) + min(x, 1.0) + float(int(x))


@runs((3.0,), (0.25,))
def operators_as_functions(x):
    return operator.add(x, 1.0) * operator.mul(x, x)


@runs((np.array([1.0, 4.0]),))
def functions_of_numpy(v):
    return np.sum(np.sqrt(v)) + np.max(v)


@runs((3,), (0,))
def reduce_with_a_staged_function(n):
    return functools.reduce(lambda a, b: a * n + b if a > b else b, [1, 2, 3])


@runs((3,), (0,))
def map_and_filter_over_python_values(n):
    return sum(map(lambda i: i * n, filter(lambda i: i != 2, range(4))))


@stops("LT0310", "'f'", "known only when the program runs", at=(1.0,))
def calling_a_number(x):
    f = x + 1
    return f(2)  # error


# Closures


@runs((3,), (0,))
def a_closure_called_after_the_loop_sees_the_last_value(n):
    i = 0

    def value():
        return i
    while i < n:
        i += 1
    return value()


@runs((3.0,), (-3.0,))
def a_closure_sees_what_a_branch_assigned(x):
    y = 0.0
    get = lambda: y    # noqa: E731
    if x > 0:
        y = x
    return get()


@runs((3,), (0,))
def a_closure_called_in_the_loop(n):
    total = 0
    k = 1

    def step(i):
        return i * k
    for i in range(n):
        k = k + 1
        total += step(i)
    return total


@runs((3.0,), (-3.0,))
def a_closure_made_in_a_branch(x):
    if x > 0:
        r = (lambda v: v + x)(1.0)
    else:
        def negated():
            return -x
        r = negated()
    return r


@runs((3,), (5,))
def closures_over_a_python_loop_variable(n):
    fs = []
    for i in range(3):
        fs.append(lambda i=i: i * n)
    late = [lambda: j * n for j in range(3)]
    return fs[0]() + fs[2]() + late[0]()


@runs((3.0,), (-3.0,))
def a_function_returned(x):
    def make(k):
        def scaled(v):
            if v > k:
                return v * k
            return v
        return scaled
    return make(2.0)(x) + make(x)(1.0)
