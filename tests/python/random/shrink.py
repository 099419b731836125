"""Makes a failing program small: statements go, compound ones give way to their bodies, expressions to their parts."""

import ast


def shrink(text, fails, most=2000):
    """The smallest program found for which `fails(text)` holds, in at most that many attempts."""
    tree = ast.parse(text)
    attempts = 0
    changed = True
    while changed and attempts < most:
        changed = False
        for edit in edits(tree):
            undo = edit()
            if undo is None:
                continue
            attempts += 1
            if attempts > most:
                undo()
                break
            if is_good(tree, fails):
                changed = True
            else:
                undo()
    return ast.unparse(tree) + "\n"


def one_edit_smaller(text):
    """The programs that one edit makes of this one."""
    tree = ast.parse(text)
    found = set()
    for edit in edits(tree):
        undo = edit()
        if undo is not None:
            is_good(tree, found.add)
            undo()
    return found - {text}


def is_good(tree, fails):
    try:
        text = ast.unparse(tree)
        ast.parse(text)
    except (SyntaxError, ValueError, AttributeError):
        return False
    return fails(text + "\n")


def edits(tree):
    """Functions that each make one edit in place, and give what undoes it (None: it does not apply any more)."""
    blocks = [(node, field) for node in ast.walk(tree) for field in ("body", "orelse", "finalbody", "handlers", "cases")
              if isinstance(getattr(node, field, None), list)]
    for node, field in blocks:
        size = len(getattr(node, field))
        width = size
        while width:
            for start in range(size - width, -1, -width):
                yield lambda start=start, width=width: without(node, field, start, width)
            width //= 2
    for node, field in blocks:
        for statement in list(getattr(node, field)):
            for inner in bodies_of(statement):
                yield lambda statement=statement, inner=inner: replaced_in_list(node, field, statement, inner)
    for node in list(ast.walk(tree)):
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                for smaller in simpler(value):
                    yield lambda node=node, field=field, value=value, smaller=smaller: replaced(node, field, value, smaller)
                if (isinstance(node, ast.Return) and field == "value") or field in ("msg", "cause", "guard"):
                    yield lambda node=node, field=field, value=value: replaced(node, field, value, None)
            elif isinstance(value, list) and field not in ("body", "orelse", "finalbody", "handlers", "cases", "names"):
                for index in range(len(value) - 1, -1, -1):
                    yield lambda node=node, field=field, index=index: without(node, field, index, 1)
                    if index < len(value) and isinstance(value[index], ast.expr):
                        for smaller in simpler(value[index]):
                            yield lambda node=node, field=field, each=value[index], smaller=smaller: replaced_in_list(
                                node, field, each, [smaller])


def without(node, field, start, width):
    old = getattr(node, field)
    if start + width > len(old) or (field == "body" and isinstance(node, ast.Module) and len(old) <= width):
        return None
    new = old[:start] + old[start + width:]
    if field == "body" and not new:
        if isinstance(old[0], ast.Pass):
            return None
        new = [ast.Pass()]
    setattr(node, field, new)
    return lambda: setattr(node, field, old)


def bodies_of(statement):
    """What could stand in the place of a compound statement."""
    for field in ("body", "orelse", "finalbody"):
        body = getattr(statement, field, None)
        if isinstance(body, list) and body and not isinstance(statement, (ast.ClassDef, ast.FunctionDef)):
            yield body
    for case in (*getattr(statement, "cases", ()), *getattr(statement, "handlers", ())):
        yield case.body


def replaced_in_list(node, field, element, new):
    old = getattr(node, field)
    index = next((i for i, each in enumerate(old) if each is element), None)
    if index is None:
        return None
    setattr(node, field, old[:index] + new + old[index + 1:])
    return lambda: setattr(node, field, old)


def replaced(node, field, value, new):
    if getattr(node, field) is not value:
        return None
    setattr(node, field, new)
    return lambda: setattr(node, field, value)


def simpler(expression):
    """Expressions smaller than this one: its parts, and constants."""
    if isinstance(expression, (ast.Constant, ast.Name)) and not (isinstance(expression, ast.Name) and isinstance(expression.ctx, ast.Load)):
        return
    if not isinstance(getattr(expression, "ctx", ast.Load()), ast.Load):
        return
    for child in ast.iter_child_nodes(expression):
        if isinstance(child, ast.expr) and isinstance(getattr(child, "ctx", ast.Load()), ast.Load):
            yield child
    if not isinstance(expression, ast.Name):
        yield ast.Constant(1)
    elif expression.id not in ("print", "tick", "range"):
        yield ast.Constant(1)
