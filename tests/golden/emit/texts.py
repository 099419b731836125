"""Texts that only the program knows: characters and slices are views, methods are functions of the runtime."""
import lantern as lt


@lt.export
def number_at(s: str, start: int):
    end = start
    while end < len(s) and (s[end].isdigit() or s[end] in ".e"):
        end += 1
    return float(s[start:end]), end


@lt.export
def secret(s: str, key: int):
    result = ""
    for c in s.lower():
        result += chr((ord(c) - 97 + key) % 26 + 97) if "a" <= c <= "z" else c
    return result


@lt.export
def ages(lines: list[str]):
    found = []
    for line in lines:
        name, _, age = line.strip().partition(":")
        if not name.startswith("#"):
            found.append((name, int(age)))
    return found
