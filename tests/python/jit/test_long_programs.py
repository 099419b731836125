"""Statements and conditions of many parts: chains of `elif`, clauses that return early, `and` of many operands."""
import importlib.util

import lantern as lt

MANY = 200

SOURCE = f"""
def by_elif(x):
    if x < 0: y, z = -1, x
    {"".join(f"elif x < {i}: y, z = {i}, x * {i}{chr(10)}    " for i in range(1, MANY))}
    else: y, z = 0, 0.0
    return y * z

def with_returns(x):
    if x < 0: return -1.0
    {"".join(f"elif x < {i}: return {i}.5{chr(10)}    " for i in range(1, MANY))}
    return x

def in_a_loop(x):
    y = 0.0
    for i in range(5):
        x = x + 10
        if x < 0: continue
        {"".join(f"elif x < {i}: y += {i}{chr(10)}        " for i in range(1, 40))}
        elif x > 190: break
        y = y + 1.0
    return y

def by_clauses(x):
    {"".join(f"if x < {i}: return {i}.5{chr(10)}    y{i} = x + {i}{chr(10)}    " for i in range(MANY))}
    return y1 + y{MANY - 1}

def loop_of_clauses(x):
    total = 0.0
    for i in range(3):
        x = x + 50
        {"".join(f"if x < {i}: continue{chr(10)}        total = total + {i}{chr(10)}        " for i in range(0, 160, 2))}
    return total

def by_operands(x):
    if {" and ".join(f"x > {i} - 2 * {i}" for i in range(MANY))}: return 1.0
    if {" or ".join(f"x == -{i}.5" for i in range(MANY))}: return 2.0
    return 3.0

def f(x):
    return by_elif(x), with_returns(x), in_a_loop(x), by_clauses(x), loop_of_clauses(x), by_operands(x)
"""


def test_many_branches(tmp_path, recwarn):
    path = tmp_path / "long_program.py"
    path.write_text(SOURCE)
    spec = importlib.util.spec_from_file_location("long_program", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    compiled = lt.function(module.f)
    for x in (-70.5, -1.0, 0.0, 0.5, 28.5, 29.0, 30.0, 31.5, 59.5, 60.0, 100.5, 198.5, 199.0, 500.0):
        assert compiled(x) == module.f(x), x
    assert not list(recwarn)
