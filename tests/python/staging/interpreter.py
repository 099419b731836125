"""Evaluates S-expressions, for tests: what a staged program means, on Python values, without the compiler."""
import re

from lantern import bodies, dispatch, types

TOKEN = re.compile(r'\s*(?:;[^\n]*)?\s*([()]|"(?:[^"\\]|\\.)*"|[^\s()"]+)')
DTYPES = {"bool", "i32", "i64", "f32", "f64"}


class Name(str):
    pass


def read(text):
    """The items of a program, as nested lists."""
    stack = [[]]
    for token in TOKEN.findall(text):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(_atom(token))
    assert len(stack) == 1, "unbalanced parentheses"
    return stack[0]


def _atom(token):
    if token[0] == '"':
        escapes = {"n": "\n", "t": "\t", "r": "\r"}
        return re.sub(r"\\(x[0-9A-F]{2}|.)", lambda m: chr(int(m[1][1:], 16)) if len(m[1]) > 1 else escapes.get(m[1], m[1]), token[1:-1])
    if re.fullmatch(r"-?[0-9]+", token):
        return int(token)
    try:
        return float(token)
    except ValueError:
        return Name(token)


class Raised(Exception):
    def __init__(self, kind, message, values):
        super().__init__(f"{kind}: {message} {values}")
        self.kind, self.message, self.values = kind, message, values


class Struct:
    def __init__(self, name, fields):
        self.__dict__.update(fields)
        self._name = name


class Machine:
    def __init__(self, text):
        self.defines, self.structs, self.globals, self.printed = {}, {}, {}, []
        for item in read(text):
            if item[0] == "define":
                self.defines[item[1]] = item
            elif item[0] == "struct":
                self.structs[item[1]] = [field[0] for field in item[2:] if isinstance(field, list)]
            elif item[0] in ("parameter", "state"):
                self.globals[item[1]] = None

    def call(self, name, *arguments):
        return self._apply(self.defines[name], arguments, {})

    def _apply(self, define, arguments, outer):
        names = [formal[0] if isinstance(formal, list) else formal for formal in define[2]]
        assert len(names) == len(arguments), f"{define[1]} takes {len(names)} arguments, not {len(arguments)}"
        body = define[3:]
        if body[0] == "->":
            body = body[2:]
        if len(body) > 1 and isinstance(body[-1], list) and body[-1][0] == "locations":
            body = body[:-1]
        return self._sequence(body, {**outer, **dict(zip(names, arguments))})

    def _sequence(self, parts, scope):
        value = ()
        for part in parts:
            if isinstance(part, list) and part and part[0] == "let" and len(part) == 3:
                scope = {**scope, part[1]: value}
                value = self.eval(part[2], scope)
            else:
                value = self.eval(part, scope)
        return value

    def eval(self, node, scope):
        while True:
            if not isinstance(node, list):
                return self._leaf(node, scope)
            head, rest = node[0], node[1:]
            if head == "let" and len(rest) == 3:
                scope = {**scope, rest[0]: self.eval(rest[1], scope)}
                node = rest[2]
            elif head == "begin":
                return self._sequence(rest, scope)
            elif head == "if":
                node = rest[1] if self._bool(rest[0], scope) else rest[2]
            elif head == "define":
                body_count = 5 if node[3] == "->" else 4
                scope = {**scope, ("define", node[1]): node[:body_count]}
                return self._sequence(node[body_count:], scope)
            else:
                return self._form(head, rest, scope)

    def _bool(self, node, scope):
        value = self.eval(node, scope)
        assert isinstance(value, bool) or getattr(value, "dtype", None) == bool, f"a condition is {value!r}"
        return bool(value)

    def _leaf(self, node, scope):
        if not isinstance(node, Name):
            return node
        if node in ("true", "false", "none"):
            return {"true": True, "false": False, "none": None}[node]
        if node in scope:
            return scope[node]
        if node in self.globals:
            return self.globals[node]
        raise NameError(node)

    def _form(self, head, rest, scope):
        if head in ("while", "for"):
            return getattr(self, "_" + head)(rest, scope)
        if head == "empty":
            return []
        if head == "list":
            return [self.eval(part, scope) for part in rest[1:]]
        if head == "undefined":
            return None
        if head == "getattr":
            value = self.eval(rest[0], scope)
            if value is None:
                raise Raised("AttributeError", f"None has no {rest[1]}", ())
            return getattr(value, rest[1])
        if head == "none?":
            return self.eval(rest[0], scope) is None
        if head == "make":
            return Struct(rest[0], dict(zip(self.structs[rest[0]], (self.eval(part, scope) for part in rest[1:]))))
        if head == "tuple":
            return tuple(self.eval(part, scope) for part in rest)
        if head == "get":
            whole = self.eval(rest[0], scope)
            return [each[rest[1]] for each in whole] if isinstance(whole, list) else whole[rest[1]]
        if head == "raise":
            raise Raised(str(rest[0]), rest[1], tuple(self.eval(part, scope) for part in rest[2:]))
        if head == "assert":
            if not self._bool(rest[0], scope):
                raise Raised("AssertionError", rest[1], ())
            return ()
        if head == "print":
            self.printed.append(" ".join(str(self.eval(part, scope)) for part in rest))
            return ()
        if head == "update":
            values = [(name, self.eval(value, scope)) for name, value in rest]
            self.globals.update(values)
            return ()
        if head == "initialize":
            self.globals[rest[0]] = ("initial", *(self.eval(part, scope) for part in rest[1:]))
            return ()
        if ("define", head) in scope:
            return self._apply(scope[("define", head)], [self.eval(part, scope) for part in rest], scope)
        if head in self.defines:
            return self.call(head, *(self.eval(part, scope) for part in rest))
        return self._operator(head, rest, scope)

    def _operator(self, head, rest, scope):
        operands, parts = [], list(rest)
        while parts:
            part = parts.pop(0)
            if isinstance(part, Name) and part in DTYPES and head in ("cast", "zeros", "ones", "full", "uniform", "normal"):
                operands.append(types.Scalar(part))
            else:
                operands.append(self.eval(part, scope))
        if head == "string":
            return str(operands[0])
        if head == "format":
            return format(operands[1], operands[0])
        if head == "quoted":
            return repr(operands[0])
        if head == "join-strings":
            return "".join(operands)
        if head == "length":
            return len(operands[0])
        before = dispatch.set_active_trace(None)
        try:
            return bodies.apply(str(head), operands)
        finally:
            dispatch.set_active_trace(before)

    def _state(self, names, value):
        return {names[0]: value} if len(names) == 1 else dict(zip(names, value))

    def _while(self, rest, scope):
        variables, test, body = rest
        names = [name for name, _ in variables]
        values = [self.eval(node, scope) for _, node in variables]
        inner = {**scope, **dict(zip(names, values))}
        while self._bool(test, inner):
            inner = {**scope, **self._state(names, self.eval(body, inner))}
        values = tuple(inner[name] for name in names)
        return values[0] if len(values) == 1 else values

    def _for(self, rest, scope):
        element, sequence, variables, test, body = rest
        names = [name for name, _ in variables]
        if sequence[0] == "range" if isinstance(sequence, list) else False:
            elements = range(*(self.eval(bound, scope) for bound in sequence[1:]))
        else:
            elements = self.eval(sequence, scope)
        inner = {**scope, **{name: self.eval(node, scope) for name, node in variables}}
        for value in elements:
            if not self._bool(test, inner):
                break
            state = self.eval(body, {**inner, element: value})
            inner = {**scope, **self._state(names, state)}
        values = tuple(inner[name] for name in names)
        return values[0] if len(values) == 1 else values
