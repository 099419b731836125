"""Variables and where they live: undefined ones, None, scopes, compound symbols, hidden effects, fixed-structure collections."""
import lantern as lt
import lantern.autograph as ag
from programs import runs, stops

SCALE = 2.0
SETTINGS = {"scale": 3.0, "names": ["a", "b"]}
SEEN = []


class Box:
    shared = 1.0

    def __init__(self, value, other=0.0):
        self.value = value
        self.other = other


@lt.struct
class Node:
    value: float
    next: "Node | None"


CHAIN = Node(1.0, Node(-2.0, Node(4.0, None)))


# Undefined, None


@runs((1.0,), (-1.0,))
def read_before_assignment(x):
    if x > 0:
        x = y
    y = x
    return y


@runs((1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0))
def defined_on_two_of_three_paths(x, z):
    if x > 0:
        y = 1.0
    elif z > 0:
        y = 2.0
    return y


@runs((1.0, 1.0), (1.0, -1.0), (-1.0, 1.0))
def defined_on_every_path_that_goes_on(x, z):
    if x > 0:
        y = 1.0
    elif z > 0:
        y = 2.0
    else:
        raise ValueError("neither")
    return y


@runs((1.0, 1.0), (-1.0, 1.0))
def defined_on_every_path_that_does_not_return(x, z):
    if x > 0:
        y = z
    else:
        return z * 2
    return y


@runs((1.0,), (-1.0,))
def deleted_behind_its_use(x):
    y = x * 2
    z = y + 1
    del y
    return z


@runs((1.0,), (-1.0,))
def deleted_in_front_of_its_use(x):
    y = x
    del y
    if x > 0:
        x = y
    return x


@stops("LT0301", "'y'", at=(1.0,))
def read_where_nothing_has_given_it_a_value(x):
    z = y * x  # error
    y = z
    return y


@runs((1.0,), (-1.0,))
def none_that_is_replaced_before_its_use(x):
    y = None
    if x > 0:
        y = 1.0
    else:
        y = 2.0
    return y


@runs((1.0,), (-1.0,))
def none_on_every_path(x):
    y = None
    if x > 0:
        y = None
    return y is None


@runs((1.0, None), (2.0, None))
def none_as_argument_is_known(x, mask):
    if mask is None:
        return x
    return x * mask.missing


def chain_sum(node):
    if node is None:
        return 0.0
    return node.value + chain_sum(node.next)


@runs((CHAIN,), (Node(1.0, None),))
def none_in_a_structure(node):
    return chain_sum(node)


@runs((CHAIN,), (Node(1.0, None),))
def none_in_a_structure_by_truth(node):
    return node.next.value if node.next else -1.0


@runs((CHAIN,), (Node(1.0, None),))
def a_structure_or_none_in_a_loop(node: Node):
    total = 0.0
    here = node
    while here is not None:
        total = total * 2 + here.value
        here = here.next
    return total


@runs((CHAIN,), (Node(1.0, None),))
def a_field_of_none_is_an_error_when_it_runs(node):
    return node.next.value


# Hidden side effects


@stops("LT0305", "list", at=(1.0,))
def a_global_list_grows(x):
    SEEN.append(x)  # error
    return x


@stops("LT0305", "dict", at=(1.0,))
def a_global_dict_changes(x):
    SETTINGS["scale"] = x  # error
    return x


@runs((1.0,), (-1.0,))
def globals_and_items_are_read(x):
    return x * SCALE + SETTINGS["scale"] * len(SETTINGS["names"])


@runs((1.0,), (-1.0,))
def python_effects_on_young_objects(x):
    seen = []
    for i in range(3):
        seen.append(x * i)
    box = Box(0.0)
    box.value = len(seen)
    return seen[2] + box.value


@runs((1.0,), (-1.0,))
def a_list_used_as_a_stack_of_python_length(x):
    stack = [x, 2.0]
    stack.append(x + 1)
    top = stack.pop()
    return top * len(stack) + stack[-1]


@runs((1.0,), (-1.0,))
def a_dict_filled_in_python(x):
    d = {}
    for name in "abc":
        d[name] = x * len(d)
    return d["c"] + d["b"]


@stops("LT0305", "'keep'", at=(1.0,))
def a_value_that_leaves_its_branch_by_an_object(x):
    keep = []
    probe = lambda v: keep_value(keep, v)    # noqa: E731
    if x > 0:    # error
        probe(x * 2)
    return keep[0]


@ag.do_not_convert
def keep_value(keep, v):
    keep.append(v)


# Scopes


@runs((1.0,), (-1.0,))
def a_comprehension_has_a_scope_of_its_own(x):
    i = x
    squares = [i * i for i in range(3)]
    return i + squares[2]


@runs((1.0,), (-1.0,))
def a_walrus_binds_in_the_function(x):
    if (y := x * 2) > 0:
        return y
    return y - 1


@runs((1.0,), (-1.0,))
def a_walrus_in_an_expression(x):
    return (y := x + 1) * y


@runs((1.0,), (-1.0,))
def a_name_shadows_a_builtin(x):
    abs = lambda v: v * 100    # noqa: A001, E731
    len = 2                    # noqa: A001
    return abs(x) + len


@runs((1.0,), (-1.0,))
def a_parameter_is_rebound(x):
    if x > 0:
        x = -x
    x = x + 1
    return x


@runs((1.0, 2.0, 2), (-1.0, 2.0, 2), (1.0, 2.0, 3), (1.0, 2.0, 0))
def a_parameter_is_rebound_behind_a_return_and_not_read_again(x, y, n):
    if n <= 0:
        return x
    if n % 2 == 0:
        y = x * x
        if x > 0.5:
            y = 0.5 + y
        y = x + y
    else:
        y = x * 0.7
    y = y - 0.6
    return x * 0.5


@runs((1.0,), (-1.0,))
def annotations_are_kept(x):
    y: float = x
    z: "float"
    if x > 0:
        y: float = x * 2
    z = y
    return z


@runs((1.0,), (-1.0,))
def a_class_in_a_function(x):
    class Local:
        factor = 2.0

        def scale(self, v):
            return v * self.factor if v > 0 else v
    return Local().scale(x)


@runs((1.0,), (-1.0,))
def an_f_string(x):
    return f"{x:.2f}|{x}|{'a'}{3}"


@runs(("a", "b"), ("", ""))
def text_is_joined_and_compared(s, t):
    u = s + "-" + t
    return u, s == t, len(u)
