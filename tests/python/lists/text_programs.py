"""Programs about texts that only the program knows: each method on many texts, and what newcomers write. Held to what Python gives by test_texts.py."""
import collections

from text_parsers import brackets, calculator, fields, from_roman, json_sum, parsed, rpn, tokens, value_at  # noqa: F401


def places(s: str, t: str, i: int):
    found = [s[i] if -len(s) <= i < len(s) else "?", s[i:], s[:i], s[::2], s[::-1], s[i:i + 3], s[-2:], s[1:-1], s[5:1:-2], s[i::3], "abcdefghij"[i % 10], "abcdefghij"[i % 10:]]
    found += ["|".join(s), "".join(reversed(s)), "".join(sorted(s)), "".join([c for c in s if c != "a"]), s.join([t, t]), s.join(t)]
    for k, c in enumerate(s, 1):
        if k % 2 == 0:
            found.append(c)
    for c, d in zip(s, t):
        found.append(c + d)
    for c, d in zip("abc", s):
        found.append(c + d)
    found.extend(s)
    found += list(t)
    return found


def questions(s: str, t: str, i: int):
    asked = [s < t, s <= t, s > t, s >= t, s == t, t in s, s in t, "a" in s, s in "abcabcabc", s.startswith(t), s.endswith(t), s.startswith("a", i), s.endswith(("b", "c")),
             s.startswith("bc", 1, 3), s.endswith("b", i, 5), "abc".startswith(s), any(c == "a" for c in s), all(c != "z" for c in s)]
    numbers = [len(s), s.find(t), s.rfind(t), s.find("a", i), s.find("a", i, 7), s.rfind("b", i), s.rfind("", i), s.count(t), s.count("a", i), s.find("", i), s.count("", i, 3),
               sum(ord(c) for c in s), len(set(s)), s.count(""), "hello".find(s), "hello".count(s)]
    texts = [max(s, default=""), min(t, default=""), max(s, t), chr(ord("a") + abs(i)), chr(0xe4 + abs(i)), chr(0x1f600 + abs(i))]
    return asked, numbers, texts


def changed(s: str, t: str, i: int):
    found = [s.strip(), s.lstrip(), s.rstrip(), s.strip(t), s.strip("ab "), s.lstrip("a"), s.rstrip("\n c"), s.replace("a", "xy"), s.replace(t, ""), s.replace("", "-"),
             s.replace("b", "", 1), s.replace("", "+", 2), s.zfill(i), s.ljust(i + 8), s.rjust(i + 8, "*"), s.center(i + 9, "="), s.center(8), s.ljust(2),
             s.removeprefix("a"), s.removesuffix("c"), s.removeprefix(t), t.removesuffix(s), s * 2]
    found.extend(s.partition(","))
    found.extend(s.rpartition("a"))
    return found


ROTATED = str.maketrans("abc", "bca", " ,")


def translated(s: str, t: str, i: int):
    letters = "abcdefgh"
    turned = str.maketrans(letters + letters.upper(), letters[i % 8:] + letters[:i % 8] + (letters[i % 8:] + letters[:i % 8]).upper())
    found = [s.translate(ROTATED), s.translate(turned).translate(turned), s.translate({97: "<a>", 98: None, 99: 67}), s.translate({}), "abc".translate(turned)]
    try:
        found.append(s.translate(str.maketrans("ab", t, "c")))
    except ValueError as error:
        found.append(str(error))
    return found


def split(s: str, t: str):
    return s.split(), s.split(","), s.split("ab", 1), s.split(None, 1), s.split(maxsplit=2), s.splitlines(), s.splitlines(True), s.rsplit("a"), "a,b,c".split(t or ",")


def split_from_the_end(s: str, t: str):
    return [s.rsplit(t or ",", n) for n in range(4)], s.rsplit(",", 1), s.rsplit(None, 1), s.rsplit(maxsplit=2), s.rsplit(None, 0)


def laid_out(s: str, n: int):
    return [f"{s:<{n + 3}}|{n / 3:{n + 9}.{n}f}|{n:0{n + 2}d}|{s!r:>{n + 4}}|{n > 1:{n}}|{n:{'b' if n % 2 else 'x'}}", "{:>{}}".format(s, n + 1), format(n, f"+{n + 1}"), bin(n), hex(-n), oct(8 * n), bin(n > 1)]


def cases(s: str):
    return [s.upper(), s.lower(), s.title(), s.capitalize(), s.swapcase()]


def kinds(s: str):
    return [s.isalpha(), s.isdigit(), s.isdecimal(), s.isalnum(), s.isspace(), s.isupper(), s.islower()]


def shown(s: str):
    return repr(s)


def to_int(s: str):
    return int(s)


def to_int_base(s: str, base: int):
    return int(s, base)


def to_float(s: str):
    return float(s)


def int_or_why(s: str):
    try:
        return int(s), ""
    except ValueError as error:
        return -1, str(error)


def int_of_base_or_why(s: str):
    try:
        return int(s, 16), int(s, 0), ""
    except ValueError as error:
        return -1, -1, str(error)


def float_or_why(s: str):
    try:
        return float(s), ""
    except ValueError as error:
        return -1.0, str(error)


def character(s: str, i: int):
    return s[i]


def unused(s: str):
    int(s)
    s[1]
    s.upper()
    ord(s[:1])
    s.split(s[1:])
    return len(s)


def index(s: str, t: str):
    return s.index(t) + s.rindex(t)


def code(s: str):
    return ord(s)


def character_of(n: int):
    return chr(n)


def of_words(words: list[str]):
    ordered = sorted(words, key=str.lower)
    capitals = list(map(str.upper, ordered))
    ordered.sort(key=len)
    return ordered, capitals, [w[::-1] for w in words if w], "".join(w[:1] for w in words), ",".join(map(str.lower, words)), max(words, key=len)


def grown(s: str, n: int):
    """The text gets longer, and is asked for its places."""
    text = s
    total = 0
    for i in range(n):
        text += s[i % len(s)]
        if text[len(text) - 1] == s[0]:
            total += len(text)
    return text, total


def levenshtein(a: str, b: str) -> int:
    previous = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            row.append(min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (x != y)))
        previous = row
    return previous[-1]


def common_subsequence(a: str, b: str) -> str:
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(len(a) - 1, -1, -1):
        for j in range(len(b) - 1, -1, -1):
            if a[i] == b[j]:
                table[i][j] = table[i + 1][j + 1] + 1
            else:
                table[i][j] = max(table[i + 1][j], table[i][j + 1])
    result = ""
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i] == b[j]:
            result += a[i]
            i += 1
            j += 1
        elif table[i + 1][j] >= table[i][j + 1]:
            i += 1
        else:
            j += 1
    return result


def run_length(s: str) -> str:
    result = ""
    i = 0
    while i < len(s):
        j = i
        while j < len(s) and s[j] == s[i]:
            j += 1
        result += s[i] + str(j - i)
        i = j
    return result


def run_length_decoded(s: str) -> str:
    out = []
    for i in range(0, len(s), 2):
        out.append(s[i] * int(s[i + 1]))
    return "".join(out)


def anagrams(words: list[str]) -> int:
    groups = {}
    for word in words:
        key = "".join(sorted(word))
        groups[key] = groups.get(key, 0) + 1
    return max(groups.values()) * 1000 + len(groups)


def word_counts(text: str):
    counts = {}
    for word in text.split():
        if word in counts:
            counts[word] += 1
        else:
            counts[word] = 1
    return counts


def caesar(text: str, shift: int) -> str:
    result = ""
    for c in text:
        if c.isalpha():
            start = ord("A") if c.isupper() else ord("a")
            result += chr((ord(c) - start + shift) % 26 + start)
        else:
            result += c
    return result


def palindrome(s: str) -> bool:
    cleaned = "".join(c.lower() for c in s if c.isalnum())
    return cleaned == cleaned[::-1]


def palindrome_recursive(s: str) -> bool:
    if len(s) < 2:
        return True
    if s[0] != s[-1]:
        return False
    return palindrome_recursive(s[1:-1])


def counter(s: str):
    return collections.Counter(s)


def to_hex(n: int) -> str:
    digits = "0123456789abcdef"
    s = ""
    while n > 0:
        s = digits[n % 16] + s
        n //= 16
    return s


def first_unique(s: str) -> int:
    seen = {}
    for c in s:
        seen[c] = seen.get(c, 0) + 1
    for i, c in enumerate(s):
        if seen[c] == 1:
            return i
    return -1


def longest_unique(s: str) -> int:
    start = 0
    best = 0
    last = {}
    for i, c in enumerate(s):
        if c in last and last[c] >= start:
            start = last[c] + 1
        last[c] = i
        best = max(best, i - start + 1)
    return best


def title_words(s: str) -> str:
    return " ".join(w[0].upper() + w[1:] for w in s.split())


def permutations_of(s: str):
    if len(s) <= 1:
        return [s]
    result = []
    for i in range(len(s)):
        for rest in permutations_of(s[:i] + s[i + 1:]):
            result.append(s[i] + rest)
    return result


def find_all(text: str, word: str):
    places = []
    at = text.find(word)
    while at != -1:
        places.append(at)
        at = text.find(word, at + 1)
    return places


def reversed_words(text: str) -> str:
    words = text.split(" ")
    words.reverse()
    return " ".join(words)


def naive_search(text: str, part: str) -> int:
    n = 0
    for i in range(len(text) - len(part) + 1):
        if text[i:i + len(part)] == part:
            n += 1
    return n


def pieces_or_unknown(text: str):
    found = []
    for word in text.split():
        piece = None
        for end in range(len(word), 0, -1):
            if word[:end] in ("a", "ab", "hello", "fox"):
                piece = word[:end]
                break
        if piece is None:
            return ["?"]
        found.append(piece)
    return found


def coded(n: int):
    codes = {}

    def go(k, prefix):
        if k < 2:
            codes[prefix or "0"] = k
            return len(prefix)
        return go(k // 2, prefix + "0") + go(k - k // 2 - 1, prefix + "1")
    return go(n, ""), [f"{code}: {k}" for code, k in codes.items()]
