"""Names and places in the text."""


def test_the_user_s_names_are_unique_within_a_define(stage):
    f = stage("""
    def f(x: float):
        h = x + 1
        h = h * 2
        h = h - 3
        return h
    """)
    assert "(let h (+ x 1)\n  (let h_1 (* h 2)\n  (let h_2 (- h_1 3)\n  h_2)))" in f.text


def test_names_of_unpacked_results(stage):
    f = stage("""
    def g(x):
        return x + 1, x - 1

    def f(x: float):
        up, down = g(x)
        return up * down
    """)
    assert "(let up (get" in f.text and "(let down (get" in f.text and f(3.0) == 8.0


def test_operators_names_are_no_defines(stage):
    f = stage("""
    def log(x):
        return x + 1

    def f(x: float):
        return log(x)
    """)
    assert "(define log_1" in f.text and f(1.0) == 2.0


def test_words_of_the_language_are_no_variables(stage):
    f = stage("""
    def f(none: float, true: float):
        nan = none + true
        return nan * 2
    """)
    assert f(1.0, 2.0) == 6.0


def test_locations(stage):
    f = stage("""
    def f(x: float):
        y = x + 1

        z = y * 2
        return z
    """)
    assert "(f 1 1)" in f.full_text and "(y 2 9)" in f.full_text and "(z 4 9)" in f.full_text


def test_the_text_is_deterministic(stage):
    source = """
    @lt.struct
    class Node:
        value: float
        next: "Node | None"

    def g(node, a, b):
        if node is None:
            return a, b
        c, d = g(node.next, b, a)
        return c + node.value, d

    def f(node: Node):
        x, y = g(node, 1.0, 2.0)
        return x * y
    """
    assert stage(source).text == stage(source).text


def test_an_export_says_defaults_and_documentation(stage):
    f = stage('''
    def f(path: str, rate: float = 0.5, deep: bool = True):
        """Does it.

        Args:
            path: where to
            rate: how fast
        """
        print(path, rate, deep)
    ''')
    assert '(export f "Does it." (path (required) "where to") (rate 0.5 "how fast") (deep true ""))' in f.text


def test_ascii_names(stage):
    f = stage("""
    def f(größe: float):
        ñ = größe + 1
        return ñ
    """)
    assert f(1.0) == 2.0 and f.text.isascii()
