"""Functions f(x, n) with a variable that some path leaves without a value, by name (test_unbound.py)."""

NODE = """
        @lt.struct
        class Node:
            value: float
            next: "Node | None"
"""

PROGRAMS = {
    "for else": """
        def f(x: float, n: int):
            for i in range(n):
                if i > x:
                    y = i
                    break
            else:
                y = -1
            return y
        """,
    "while true": """
        def f(x: float, n: int):
            while True:
                x = x * x + 1
                if x > 10:
                    y = x
                    break
            return y
        """,
    "else raises": """
        def f(x: float, n: int):
            for i in range(n):
                if i > x:
                    y = i * 2.0
                    break
            else:
                raise ValueError("none")
            return y
        """,
    "return in elif": """
        def f(x: float, n: int):
            if x > 2:
                y = 1
            elif x > 0:
                return 0
            else:
                y = 3
            return y
        """,
    "continue in else": """
        def f(x: float, n: int):
            for i in range(n):
                for j in range(n):
                    if i * j > x + 3:
                        y = j
                        break
                else:
                    continue
                z = y + i
                break
            else:
                z = y = -1
            return y + z
        """,
    "a flag of the user's": """
        def f(x: float, n: int):
            found = False
            for i in range(n):
                if i * i > x:
                    y, found = i + x, True
            if found and y > 1:
                return y
            return -1.0
        """,
    "the first turn": """
        def f(x: float, n: int):
            first = True
            total = 0.0
            for i in range(n):
                if not first:
                    total += last
                last = i * x
                first = False
            return total
        """,
    "the same condition again": """
        def f(x: float, n: int):
            big = x > 1
            if big:
                y = x * 2
            x = x + 1
            if not big:
                y = 5.0
            return x + y
        """,
    "a tuple": """
        def f(x: float, n: int):
            for i in range(n):
                if i > x:
                    pair = i, (x, 2.0)
                    break
            else:
                pair = 0, (0.0, x)
            return pair[0] + pair[1][0] + pair[1][1]
        """,
    "a list": """
        def f(x: float, n: int):
            big = x > 1
            if big:
                xs = [x]
                for i in range(n):
                    xs.append(x + i)
            if big:
                xs.append(1.0)
                return xs[0] + len(xs) + xs[-1]
            return x
        """,
    "a list of the only path": """
        def f(x: float, n: int):
            if x > 1:
                xs = [x * 2, 1.0]
            else:
                raise ValueError("small")
            xs.append(x)
            return xs[0] + xs[2]
        """,
    "items of a list and a dict": """
        def f(x: float, n: int):
            big = x > 1
            if big:
                xs, k, d = [1.0, x], 1, {"a": x}
            y = 0.0
            if big:
                xs[k] = x + 1
                xs[k] += 2
                d["a"] = xs[1]
                y = xs[0] + d["a"]
            return y
        """,
    "a function": """
        def f(x: float, n: int):
            big = x > 1
            if big:
                g = lambda v: v * 2
            return g(x) if big else x
        """,
    "a structure": NODE + """
        def f(x: float, n: int):
            node = Node(1.0, Node(2.0, Node(x, None)))
            found = False
            while not found and node is not None:
                if node.value > x + 1:
                    best = node
                    found = True
                node = node.next
            if found:
                return best.value
            return 0.0
        """,
    "presence by a flag": NODE + """
        def f(x: float, n: int):
            node = Node(x, Node(2.0, None) if x > 1 else None)
            has = node.next is not None
            y = 0.0
            if has and x < 100:
                y = node.next.value
            return y
        """,
    "a missing structure": NODE + """
        def f(x: float, n: int):
            node = Node(x, Node(2.0, None) if x > 1 else None)
            while True:
                if node.next is None:
                    last = node
                    break
                node = node.next
            return last.value
        """,
    "a python loop": """
        def f(x: float, n: int):
            for i in (1, 2, 3):
                if i > x:
                    y = i
                    break
            else:
                y = 10
            return y
        """,
    "a while that is staged after some turns": """
        def f(x: float, n: int):
            n = 0
            while n < 2:
                n = n + 1
                y = x * n
                if n == 2 and x > 0:
                    n = n - x
                    break
            return y + n
        """,
    "a return in two loops": """
        def f(x: float, n: int):
            for i in range(n):
                k = i
                for j in range(n):
                    if i * j > x:
                        return i * 10 + j
                    k = j
                if k > x + 5:
                    return k
            return -1
        """,
    "a type that widens": """
        def f(x: float, n: int):
            for i in range(n):
                if i > x:
                    y = i
                    break
            else:
                y = x
            return y + 0.5
        """,
    "read by a function within": """
        def f(x: float, n: int):
            for i in range(n):
                if i > x:
                    y = i
                    break
            else:
                y = 7
            def g():
                return y + 1
            return g()
        """,
    "deleted": """
        def f(x: float, n: int):
            y = x
            z = 1.0
            if x > 0:
                del y
                z = 2.0
            if not x > 0:
                y = 3.0
                return y + z
            return z
        """,
    "a value that only one branch uses": """
        def f(x: float, n: int):
            t = 0.0
            for i in range(n):
                if i > x:
                    if x > 2:
                        break
                    y = 1.0
                else:
                    y = 2.0
                t += y
            return t
        """,
    "perhaps no turn": """
        def f(x: float, n: int):
            for i in range(n):
                if i > x:
                    break
            return i
        """,
    "not on every turn": """
        def f(x: float, n: int):
            for i in range(n):
                for j in range(i):
                    if i * j > x:
                        y = i + x
                        break
            return y
        """,
    "not where the loop is left": """
        def f(x: float, n: int):
            for i in range(n):
                if i > x:
                    break
                y = i
            else:
                y = 0
            return y
        """,
    "not in an elif": """
        def f(x: float, n: int):
            if x > 1:
                y = 1
            elif x > -1:
                pass
            else:
                y = 3
            return y
        """,
    "on the other path": """
        def f(x: float, n: int):
            big = x > 1
            if big:
                y = 1
            if not big:
                return y
            return 0
        """,
    "deleted in a turn": """
        def f(x: float, n: int):
            y = 1
            for i in range(n):
                if i > x:
                    del y
                    break
            return y
        """,
    "of the turn before": """
        def f(x: float, n: int):
            t = 0.0
            for i in range(n):
                if i > x:
                    t += last
                last = x * i
            return t
        """,
    "a while that may not run": """
        def f(x: float, n: int):
            while n > x:
                y = n * x
                n -= 1
            return y + y
        """,
    "lists, tuples and texts": """
        def f(x: float, n: int):
            for i in range(n):
                xs = [x] * i
                xs.append(1.0)
                pair = i, "even" if i % 2 == 0 else "odd"
            return f"{xs[-1]} {len(xs)} {pair[0]} {pair[1]}"
        """,
    "None, or nothing": """
        def f(x: float, n: int):
            best = None
            for i in range(n):
                if i * x > 2:
                    best = i
                where = best
            return -1 if where is None else where
        """,
    "a function that is made on one path": """
        def f(x: float, n: int):
            if n > 2:
                def g(v):
                    return v * 2
            return g(x)
        """,
    "read by a function that a loop calls": """
        def f(x: float, n: int):
            def g():
                return y + 1
            t = 0.0
            for i in range(n):
                if i == 1:
                    y = x
                if i > 2 or x > 5:
                    t += g()
            return t
        """,
    "in a recursion": """
        def f(x: float, n: int):
            def g(k):
                if k > 2:
                    y = g(k - 1) * x
                elif k > 0:
                    y = 1.5
                return y
            return g(n)
        """,
    "a turn of a loop that is known": """
        def f(x: float, n: int):
            for i in range(20):
                if i * x > 7:
                    k = i
                    break
            return k
        """,
    "an attribute": """
        class C:
            pass
        def f(x: float, n: int):
            c = C()
            if x > 1:
                c.v = x * 2
            return c.v
        """,
}
