"""Characters, slices, methods and numbers of texts that only the program knows: what Python gives, or its exception."""
import itertools
import re
import time

import pytest
import text_programs
from compiled_table import Table, cases_of
from staged_source import module_of

import lantern as lt
from lantern.staging import entry
from lantern.staging.errors import StagingError

TEXTS = ["", "a", "abc", "Hello, World!", "héllo Wörld ÄÖÜ ß", "😀 a 😀b", "e\u0301a cafe\u0301", "a\x00b", "  spaced  out ", "123", "x" * 70 + "é" + "y" * 40, "ab" * 60, "é" * 60,
         "\t tab\nline\r\nend\n", "abcabcabc", "日本語テキスト", "ЖжЯя", "ΑΒγδ", "\u2003wide\u00a0", "a\u2028b\x85c\x1cd", "MiXeD cAsE 12", "a,b,,c"]
NUMBERS = ["-42", "3.5e3", "1_000", "inf", "NaN", "+7", "\x1c5", "5\x1f", "1__0", "_1", "1_", "1_0.5", "1._5", "+ 1", "-0", "0x1f", "ü1", " 1 2", "1\x00", "9223372036854775807",
           "-9223372036854775808", " 12 ", "\u20035\x85", "--1", "1e400", "-1e400", "1e-400", "4e-324", ".5", "5.", ".", "e5", "1e", "1e+", "infinity", "-inf", "nan(1)", "INF",
           "1.7976931348623157e308", "0.1", "123456789012345678.901234567890", "1" + "0" * 400 + ".0", "0." + "0" * 400 + "1", "0." + "0" * 400 + "1e401"]
PAIRS = [(s, t, i) for s in TEXTS for t in ("", "a", "ab", "é", "lo", s[1:3]) for i in (0, 2, -1, 5)]
# Beyond these, what letters are is not known; and in Greek the last letter of a word is another one.
LETTERS = [chr(code) for code in (*range(0x180), *range(0x300, 0x341), *range(0x391, 0x3a2), *range(0x3b1, 0x3ca), *range(0x400, 0x460), 0x2003, 0x2028, 0x3042, 0x4e00, 0xac00, 0x1f600)]
BYTES = [b"\xe9".decode("utf-8", "surrogateescape"), "ab\udce9\udcff'c", "\udca9" * 20, "\udc82"]  # of names of files, say, that are no UTF-8
EXPRESSION = "(1+2)*(30-4.5)/2"
CALLS = {
    "places": PAIRS, "questions": PAIRS, "changed": PAIRS, "translated": PAIRS, "split": [(s, t) for s in TEXTS for t in ("", "a", ",")], "to_int": [(s,) for s in TEXTS + NUMBERS],
    "int_or_why": [(s,) for s in [*TEXTS, *NUMBERS, "x" * 300] if s != "9223372036854775808"], "float_or_why": [(s,) for s in TEXTS + NUMBERS],
    "int_of_base_or_why": [(s,) for s in ("ff", "0xff", "0b101", "0o17", "z", "012", "0", "00", "-0x1F", "0x_f", "0x", "1_0", "")],
    "split_from_the_end": [(s, t) for s in (*TEXTS, "a, b ,c", " \t", ",,a,") for t in ("", "a", " ")], "laid_out": list(itertools.product(("", "ab", "é"), (0, 1, 2, 9))),
    "to_float": [(s,) for s in TEXTS + NUMBERS], "to_int_base": list(itertools.product(("ff", "0xff", "0b101", "0o17", "z", "012", "0", "00", "-0x1F", "0x_f", "0x", "1_0", ""),
                                                                                       (0, 2, 8, 10, 16, 36, 1, 37))),
    "character": list(itertools.product(TEXTS, (0, 1, -1, 5, 75, -80))), "index": list(itertools.product(TEXTS, ("", "a", "é"))), "code": [(s,) for s in [*TEXTS, *BYTES[:2], "é", "😀", "\x00"]],
    "unused": ["12", "x", "", "1"], "character_of": [0, 65, 127, 128, 255, 0x20ac, 0x1f600, 0x10ffff, 0x110000, -1, 2**31, -2**31 - 1], "kinds": [*LETTERS, *TEXTS, *BYTES, "a1", "A1b"],
    "cases": [c for c in [*LETTERS, *TEXTS, *BYTES, "a\u0301B"] if c not in ("İ", "ŉ")],
    "shown": TEXTS + BYTES, "of_words": [(["Bob", "alice", "Carl", ""],)], "grown": [("abc", 200), ("aé", 200)],
    "calculator": [EXPRESSION, " 2 * ( 3 + 4 ) - 10 / 4", "2*(3", "", "1/0", "2)"], "tokens": ["12+(3*45)", " 7 ", "1$2"], "json_sum": ["[1, 2.5, [3, -4e2], []]", "7"],
    "levenshtein": [("kitten", "sitting"), ("", "é"), ("größe", "grosse")], "common_subsequence": [("abcbdab", "bdcaba"), ("äöü", "aöu")], "from_roman": ["MCMXCIV", "IX", "Q"],
    "run_length": ["aaabccd", "", "ééa"], "run_length_decoded": ["a3b1é2", "ab"], "anagrams": [(["listen", "silent", "enlist", "cat"],)], "word_counts": ["a b a  c\nb a", ""],
    "caesar": [("Hello, World!", 3)], "palindrome": ["A man, a plan, a canal: Panama", "Öl lö", "ab"], "palindrome_recursive": ["abcba", "abca", "éxé"], "brackets": ["([]{})", "([)]", "]"],
    "counter": ["hello", "ééa"], "to_hex": [255, 3735928559], "first_unique": ["aabbc", "aa"], "longest_unique": ["abcabcbb", "ééàé"], "fields": ["name=Ann;age=42;height=1.7;", "age=x", "a=b=c"],
    "rpn": ["3 4 + 2 * 7 /", "+", "1 x"], "title_words": ["hello world", "élan vital"], "permutations_of": ["abc", "é1"], "find_all": [("foxes fox fox", "fox"), ("éfoxé fox", "fox")],
    "pieces_or_unknown": ["abc foxes", "abc xyz a", ""], "coded": [0, 1, 9, 20],
    "reversed_words": ["élève naïve café"], "naive_search": [("hellolo", "lo"), ("", "")], "parsed": ["2*(3+4)-1", "2*("], "value_at": [("2*x+3", 1.5), ("x/0", 1.0)],
}


def outcome(function, arguments):
    """What a call gives: its result, or its exception, without the place."""
    try:
        return repr(function(*arguments))
    except Exception as error:
        return type(error).__name__, re.sub(r"^\S+\.py:\d+:\d+: ", "", str(error))


@pytest.fixture(scope="module")
def table():
    return Table(text_programs, list(CALLS))


@pytest.mark.parametrize("name", CALLS)
def test_it_gives_what_python_gives(table, name):
    for _, arguments in cases_of({name: CALLS[name]}):
        assert outcome(table.compiled[name], arguments) == outcome(table.plain[name], arguments), arguments


@pytest.mark.parametrize("name, text", [("kinds", "ƀ"), ("kinds", "aͅ"), ("cases", "ΟΣ"), ("cases", "İ"), ("to_int", "٣"), ("to_float", "१"), ("int_or_why", "٣"), ("float_or_why", "१"), ("cases", "ỹ")])
def test_characters_that_are_not_known_are_an_error(table, name, text):
    with pytest.raises(ValueError, match=r"text_programs.py:\d+:\d+: .* of '.' \(U\+[0-9A-F]{4}\): .* depends on the version of Unicode"):
        table.compiled[name](text)


def test_numbers_beyond_64_bits_are_an_error(table):
    for text in ("9223372036854775808", "-9223372036854775809", "1" + "0" * 40):
        with pytest.raises(OverflowError, match="does not fit in 64 bits"):
            table.compiled["to_int"](text)


def seconds(function, *arguments):
    """The least of some runs."""
    times = []
    for _ in range(5):
        start = time.perf_counter()
        function(*arguments)
        times.append(time.perf_counter() - start)
    return min(times)


@pytest.mark.parametrize("name, arguments", [
    ("calculator", lambda n: ("1+2*3-" * n + "1",)), ("run_length", lambda n: ("aab" * n,)), ("run_length", lambda n: ("ééx" * n,)),
    ("naive_search", lambda n: ("hello" * n, "lo")), ("grown", lambda n: ("aé", n)), ("caesar", lambda n: ("Hello" * n, 3)),
])
def test_it_takes_time_in_proportion(table, name, arguments):
    few, many = (seconds(table.compiled[name], *arguments(n)) for n in (3000, 30000))
    assert many < 40 * few      # ten times, and what else this machine does


def test_a_gradient_goes_through_a_parser():
    @lt.function
    def slope(s: str, x: float):
        return lt.grad(text_programs.value_at, wrt="x")(s, x)
    for text, expected in (("2*x+3", 2.0), ("x*x*x-2/x", 3 * 1.5 ** 2 + 2 / 1.5 ** 2), ("(x+1)*(x-1)/2", 1.5), ("7", 0.0)):
        assert slope(text, 1.5) == pytest.approx(expected)


@pytest.mark.parametrize("expression", ["int(s, len(s))"])
def test_what_is_not_known_to_fail_stands_in_no_try(expression):
    module = module_of(f"def f(s: str):\n    try:\n        y = {expression}\n    except Exception:\n        y = {expression}\n    return len(s)\n")
    with pytest.raises(StagingError, match="LT0313"):
        entry.stage_entries([module.f])


@pytest.mark.parametrize("body, message", [
    ("s.encode()", "has no attribute 'encode' in staged code"), ("s.rsplit(1, 1)", "must be str"),
    ("s[1.5]", "string indices must be integers"), ("s['a']", "string indices must be integers"), ("s[:'a']", "slice indices must be integers"),
    ("1 in s", "requires string as left operand, not int"), ("s.find(1)", "must be str, not int"), ("ord(len(s))", "ord() expected string of length 1, but int found"),
    ("chr(len(s) / 2)", "object cannot be interpreted as an integer"), ("s.ljust()", "expected 2 arguments, got 0"),
])
def test_what_texts_do_not_have(body, message):
    module = module_of(f"def f(s: str):\n    return {body}\n")
    with pytest.raises(StagingError, match=re.escape(message)):
        entry.stage_entries([module.f])
