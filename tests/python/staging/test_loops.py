"""`while` and `for`."""


def test_while(stage):
    f = stage("""
    def f(x: float):
        n = 0
        while x > 1:
            x = x / 2
            n += 1
        return n
    """)
    assert "(while ((x_1 x) (n 0))" in f.text or "(while ((n 0) (x_1 x))" in f.text
    assert [f(x) for x in (1.0, 8.0, 9.0)] == [0, 3, 4]


def test_while_over_python_values_unrolls(stage):
    f = stage("""
    def f(x: float):
        n = 0
        while n < 3:
            x = x * 2
            n += 1
        return x
    """)
    assert "while" not in f.text and f(1.0) == 8.0


def test_for_over_a_staged_range(stage):
    f = stage("""
    def f(n: int):
        total = 0.0
        for i in range(n):
            total += i * 0.5
        return total
    """)
    assert "(for i (range 0 n 1)" in f.text
    assert f(4) == 3.0


def test_for_over_a_python_range_unrolls(stage):
    f = stage("""
    def f(x: float):
        for i in range(3):
            x = x + i
        return x
    """)
    assert "for" not in f.text and f(1.0) == 4.0


def test_for_over_a_list_and_enumerate(stage):
    f = stage("""
    def f(xs: list[float]):
        total, last = 0.0, 0
        for i, x in enumerate(xs):
            total += i * x
            last = i
        return total, last
    """)
    assert f([1.0, 2.0, 3.0]) == (8.0, 2)


def test_break_and_continue(stage):
    f = stage("""
    def f(n: int):
        total = 0
        for i in range(n):
            if i == 2:
                continue
            if i == 5:
                break
            total += i
        return total
    """)
    assert [f(n) for n in (3, 5, 10)] == [1, 8, 8]


def test_while_true_with_a_break(stage):
    f = stage("""
    def f(x: float):
        n = 0
        while True:
            if x < 1:
                break
            x = x / 2
            n += 1
        return n
    """)
    assert f.text.count("while") == 1 and f.text.count("(/ ") == 1
    assert [f(x) for x in (0.5, 8.0)] == [0, 4]


def test_return_from_a_loop(stage):
    f = stage("""
    def f(n: int):
        for i in range(n):
            if i * i > 20:
                return i
        return -1
    """)
    assert [f(n) for n in (3, 10)] == [-1, 5]


def test_loop_else(stage):
    f = stage("""
    def f(n: int):
        found = 1
        for i in range(n):
            if i == 3:
                break
        else:
            found = 0
        return found
    """)
    assert [f(n) for n in (3, 4)] == [0, 1]


def test_nested_loops(stage):
    f = stage("""
    def f(n: int):
        total = 0
        for i in range(n):
            for j in range(i):
                total += j
        return total
    """)
    assert f(5) == sum(j for i in range(5) for j in range(i))


def test_the_type_of_a_variable_reaches_a_fixed_point(stage):
    f = stage("""
    def f(n: int):
        a, b, c = 0, 0, 0
        for i in range(n):
            a = b
            b = c
            c = 0.5
        return a
    """)
    assert "-> f64" in f.text and f(3) == 0.5


def test_a_literal_becomes_an_array_of_rank_0(stage):
    f = stage("""
    def f(n: int):
        total = 0.0
        for i in range(n):
            total = total + lt.sum(lt.ones(3))
        return total
    """)
    assert "-> (tensor f32)" in f.text and f(2) == 6.0


def test_tuples_and_lists_of_values_are_carried(stage):
    f = stage("""
    def f(n: int):
        state = (0.0, [1.0, 2.0])
        for i in range(n):
            a, (b, c) = state
            state = (a + b, [c, a])
        return state[0], state[1][1]
    """)
    a, b, c = 0.0, 1.0, 2.0
    for _ in range(5):
        a, b, c = a + b, c, a
    assert f(5) == (a, c)


def test_unrolled_loop_with_a_staged_break(stage):
    f = stage("""
    def f(x: float):
        n = 0
        for limit in [1.0, 2.0, 3.0]:
            if x < limit:
                break
            n = n + 1
        return n
    """)
    assert [f(x) for x in (0.5, 1.5, 2.5, 3.5)] == [0, 1, 2, 3]


def test_a_comprehension_over_staged_values(stage):
    f = stage("""
    def f(n: int):
        return sum([i for i in range(n)])
    """)
    assert f(4) == 6


def test_a_comprehension_over_python_values_unrolls(stage):
    f = stage("""
    def f(x: float):
        return sum([x * i for i in range(4) if i != 1])
    """)
    assert f(2.0) == 10.0


def test_a_state_whose_type_changes(error_of):
    error = error_of("""
    def f(n: int):
        y = "text"
        for i in range(n):
            y = 1.0
        return y
    """)
    assert error.code == "LT0306"
