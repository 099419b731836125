"""Programs that read texts character by character: tokenisers, parsers, machines. Held to what Python gives by test_texts.py."""


def calculator(s: str) -> float:
    def skip(i):
        while i < len(s) and s[i] == " ":
            i += 1
        return i
    def expression(i):
        value, i = term(i)
        i = skip(i)
        while i < len(s) and s[i] in "+-":
            operator = s[i]
            other, i = term(i + 1)
            value = value + other if operator == "+" else value - other
            i = skip(i)
        return value, i
    def term(i):
        value, i = factor(skip(i))
        i = skip(i)
        while i < len(s) and s[i] in "*/":
            operator = s[i]
            other, i = factor(skip(i + 1))
            if operator == "*":
                value *= other
            else:
                value /= other
            i = skip(i)
        return value, i
    def factor(i):
        if s[i] == "(":
            value, i = expression(i + 1)
            if s[i] != ")":
                raise ValueError(f"expected ) at {i}")
            return value, i + 1
        start = i
        while i < len(s) and (s[i].isdigit() or s[i] == "."):
            i += 1
        if start == i:
            raise ValueError(f"expected a number at {i}, not {s[i]!r}")
        return float(s[start:i]), i
    value, i = expression(0)
    if i != len(s):
        raise ValueError("rest: " + s[i:])
    return value


def tokens(text: str):
    found = []
    i = 0
    while i < len(text):
        c = text[i]
        if c.isspace():
            i += 1
        elif c.isdigit():
            j = i
            while j < len(text) and text[j].isdigit():
                j += 1
            found.append(("number", text[i:j]))
            i = j
        elif c in "+-*/()":
            found.append(("operator", c))
            i += 1
        else:
            raise SyntaxError(f"unexpected character {c!r} at {i}")
    return found


def json_sum(text: str) -> float:
    def value(i):
        while text[i] in " \n":
            i += 1
        if text[i] == "[":
            total = 0.0
            i += 1
            while text[i] != "]":
                x, i = value(i)
                total += x
                while text[i] in ", ":
                    i += 1
            return total, i + 1
        start = i
        while i < len(text) and text[i] in "0123456789.eE+-":
            i += 1
        return float(text[start:i]), i
    total, _ = value(0)
    return total


def from_roman(s: str) -> int:
    values = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
    total = 0
    for i in range(len(s)):
        if i + 1 < len(s) and values[s[i]] < values[s[i + 1]]:
            total -= values[s[i]]
        else:
            total += values[s[i]]
    return total


def brackets(s: str) -> bool:
    pairs = {")": "(", "]": "[", "}": "{"}
    stack = []
    for c in s:
        if c in "([{":
            stack.append(c)
        elif c in pairs:
            if not stack or stack.pop() != pairs[c]:
                return False
    return not stack


def fields(text: str) -> float:
    total = 0.0
    for part in text.split(";"):
        if not part:
            continue
        key, value = part.split("=")
        if key == "age":
            total += int(value)
        elif key == "height":
            total += float(value)
    return total


def rpn(text: str) -> float:
    stack = []
    for token in text.split():
        if token in ("+", "-", "*", "/"):
            b = stack.pop()
            a = stack.pop()
            if token == "+":
                stack.append(a + b)
            elif token == "-":
                stack.append(a - b)
            elif token == "*":
                stack.append(a * b)
            else:
                stack.append(a / b)
        else:
            stack.append(float(token))
    return sum(stack)


class Parser:
    def __init__(self, text):
        self.text = text
        self.pos = 0

    def peek(self):
        return self.text[self.pos] if self.pos < len(self.text) else ""

    def take(self):
        c = self.text[self.pos]
        self.pos += 1
        return c

    def expr(self):
        value = self.term()
        while self.peek() == "+" or self.peek() == "-":
            if self.take() == "+":
                value += self.term()
            else:
                value -= self.term()
        return value

    def term(self):
        value = self.factor()
        while self.peek() == "*":
            self.take()
            value *= self.factor()
        return value

    def factor(self):
        if self.peek() == "(":
            self.take()
            value = self.expr()
            self.take()
            return value
        start = self.pos
        while self.peek().isdigit():
            self.pos += 1
        return int(self.text[start:self.pos])


def parsed(s: str):
    return Parser(s).expr()


def value_at(s: str, x: float):
    """A recursive descent over "2*x+3"."""
    def expression(i):
        value, i = term(i)
        while i < len(s) and s[i] in "+-":
            operator = s[i]
            other, i = term(i + 1)
            value = value + other if operator == "+" else value - other
        return value, i

    def term(i):
        value, i = factor(i)
        while i < len(s) and s[i] in "*/":
            operator = s[i]
            other, i = factor(i + 1)
            value = value * other if operator == "*" else value / other
        return value, i

    def factor(i):
        if s[i] == "(":
            value, i = expression(i + 1)
            return value, i + 1
        if s[i] == "x":
            return x, i + 1
        start = i
        while i < len(s) and s[i] in "0123456789.":
            i += 1
        return float(s[start:i]), i
    return expression(0)[0]
