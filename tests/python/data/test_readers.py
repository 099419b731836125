"""Readers of arrays, eager and compiled: what is in a file comes in, what is malformed is refused in the same words."""
import gzip
import io
import random
import struct
import zipfile

import numpy as np
import pytest

import lantern as lt

VECTORS = {"idx": lt.read_idx, "npy": lt.read_npy}
WORDS = ["<unk>", "cat", "new york", "dog", "café"]


def f32(kind, path: str):
    return VECTORS[kind](path, lt.Tensor[lt.f32, None, None, 2])


def i32(kind, path: str):
    return VECTORS[kind](path, lt.Tensor[lt.i32, None])


def boolean(kind, path: str):
    return VECTORS[kind](path, lt.Tensor[lt.bool_, None])


def archived(path: str, name: str):
    return lt.read_npz(path, name, lt.Tensor[lt.f64, None, 3])


def table(path: str, header: bool):
    return lt.read_csv(path, lt.Tensor[lt.f64, None, None], header)


def whole_table(path: str):
    return lt.read_csv(path, lt.Tensor[lt.i64, 2, 3])


def i32_table(path: str):
    return lt.read_csv(path, lt.Tensor[lt.i32, None, None])


def vectors(path: str, words: list[str], before: lt.Tensor[lt.f32, None, None]):
    return lt.read_word_vectors(path, words, before)


def _idx(read):
    def read_idx(path: str):
        return read("idx", path)
    return read_idx


def _npy(read):
    def read_npy(path: str):
        return read("npy", path)
    return read_npy


EAGER = {"idx f32": _idx(f32), "idx i32": _idx(i32), "npy f32": _npy(f32), "npy i32": _npy(i32), "npy bool": _npy(boolean), "npz": archived,
         "csv": table, "csv i64": whole_table, "csv i32": i32_table, "vectors": vectors}
COMPILED = {}


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except (lt.DataError, OSError) as error:
        return type(error), str(error)


def both(name, *arguments):
    """What eager and compiled reading gives: an array, or an error's text without the file's name."""
    if name not in COMPILED:
        COMPILED[name] = lt.function(EAGER[name])
    eager, compiled = outcome(EAGER[name], *arguments), outcome(COMPILED[name], *arguments)
    if isinstance(eager, tuple):
        assert isinstance(compiled, tuple) and compiled == eager
        assert eager[1].startswith(arguments[0]) or eager[0] is not lt.DataError
        return eager[1].replace(arguments[0], "")
    assert not isinstance(compiled, tuple), compiled
    assert eager.dtype == compiled.dtype and eager.shape == compiled.shape
    np.testing.assert_array_equal(eager, compiled)
    return eager


@pytest.fixture
def file(tmp_path):
    def write(content, name="data"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)
    return write


def idx(array, code):
    return struct.pack(f">HBB{array.ndim}I", 0, code, array.ndim, *array.shape) + array.astype(array.dtype.newbyteorder(">")).tobytes()


def npy(array, version=None):
    out = io.BytesIO()
    np.lib.format.write_array(out, np.asanyarray(array), version)
    return out.getvalue()


CUBE = np.arange(30).reshape(5, 3, 2)


@pytest.mark.parametrize("dtype, code", [("u1", 8), ("i1", 9), ("i2", 11), ("i4", 12), ("f4", 13), ("f8", 14)])
def test_idx(file, dtype, code):
    data = idx(CUBE.astype(dtype), code)
    for content in (data, gzip.compress(data), gzip.compress(data[:20]) + gzip.compress(data[20:])):
        np.testing.assert_array_equal(both("idx f32", file(content)), CUBE)


def test_idx_is_read_in_a_stream(file):
    large = np.arange(200_000).astype("i4").reshape(-1, 5, 2)
    assert both("idx f32", file(gzip.compress(idx(large, 12)))).shape == (20_000, 5, 2)
    assert both("idx f32", file(idx(np.zeros((0, 7, 2), "u1"), 8))).shape == (0, 7, 2)


def test_malformed_idx(file):
    good = idx(CUBE.astype("u1"), 8)
    assert both("idx f32", file(b"")) == both("idx f32", file(b"\0\0\x08")) == both("idx f32", file(b"PNG!....")) == ": it is not an IDX file"
    assert both("idx f32", file(b"\0\0\x07\x03")) == ": its elements are of a type, 7, that IDX does not have"
    assert both("idx f32", file(good[:15])) == ": it ends inside its header"
    assert both("idx i32", file(good)) == ": its array has rank 3, and rank 1 is expected"
    assert both("idx f32", file(idx(CUBE.reshape(5, 2, 3).astype("u1"), 8))) == ": dimension 2 of its array is 3, and 2 is expected"
    assert both("idx i32", file(idx(np.ones(3, "f4"), 13))) == ": its elements are float32, which do not become i32"
    assert both("idx f32", file(good[:-1])) == ": it ends after 29 of its 30 elements"
    assert both("idx f32", file(b"\0\0\x08\3" + b"\xff" * 8 + b"\0\0\0\2")) == ": its header promises more elements than the file can hold"
    assert both("idx f32", file(good + b"x")) == ": there are more bytes in it than its header promises"
    packed = gzip.compress(good, mtime=0)
    assert both("idx f32", file(packed[:-1])) == ": its compressed data is damaged"
    assert both("idx f32", file(packed[:-5] + b"\0" + packed[-4:])) == ": its compressed data is damaged"
    assert both("idx f32", file(packed + b"trailing")).shape == (5, 3, 2)
    assert "No such file" in str(outcome(EAGER["idx f32"], "/no/such/file")[1])
    assert outcome(COMPILED["idx f32"], "/no/such/file")[0] is FileNotFoundError


@pytest.mark.parametrize("dtype", ["?", "i1", "u1", "<i2", ">u2", "<i4", ">i4", "<u8", ">i8", "<f4", ">f8"])
def test_npy(file, dtype):
    for array in (CUBE.astype(dtype), np.asfortranarray(CUBE.astype(dtype)), CUBE.astype(dtype)[:0]):
        for version in ((1, 0), (2, 0), (3, 0)):
            np.testing.assert_array_equal(both("npy f32", file(npy(array, version))), array)


def test_npy_of_whole_numbers_and_bools(file):
    assert both("npy i32", file(npy(np.array([2**31 - 1, -5])))).tolist() == [2**31 - 1, -5]
    assert both("npy i32", file(npy(np.array([7, 2**31])))) == ": its element 1 does not fit in i32"
    assert both("npy i32", file(npy(np.array([2**63 + 5], "u8")))) == ": its element 0 does not fit in i32"
    assert both("npy bool", file(npy(np.array([True, False])))).tolist() == [True, False]
    assert both("npy bool", file(npy(np.array([1])))) == ": its elements are int64, which do not become bool"


def test_malformed_npy(file):
    good = npy(CUBE)
    assert both("npy f32", file(b"\x93NUMPX" + good[6:])) == both("npy f32", file(b"")) == ": it is not in NumPy's format"
    assert both("npy f32", file(good[:6] + b"\x04" + good[7:])) == ": it is in a version, 4, of NumPy's format that cannot be read"
    for length in (9, 40):
        assert both("npy f32", file(good[:length])) == ": it ends inside its header"
    assert both("npy f32", file(npy(CUBE.astype(complex)))) == ": its elements are of the type '<c16', which cannot be read"
    for wrong in (b"'descr': 3", b"'descR': '<i8'", b"'shape': (5, -3, 2)", b"'fortran_order': Trueish", b"'shape': (5 3 2)",
                  b"'shape': (" + b"9" * 5000 + b", 3, 2)", b"'shape': (0, 9223372036854775807, 2)"):
        key = wrong.split(b":")[0].lower()
        begin = good.index(key)
        end = good.index(b"}", begin) if key == b"'shape'" else good.index(b", '", begin)
        header = good[10:begin] + wrong + good[end:]
        header = header[:header.index(b"\n") + 1]
        content = good[:8] + struct.pack("<H", len(header)) + header + good[-240:]
        assert both("npy f32", file(content)) == ": its header is malformed", wrong
    assert both("npy f32", file(good[:-8])) == ": it ends after 29 of its 30 elements"
    assert both("npy f32", file(good + b"x")) == ": there are more bytes in it than its header promises"


def test_npz(file, tmp_path):
    a, b = np.arange(6.0).reshape(2, 3), np.ones((4, 3), "f4")
    for save in (np.savez, np.savez_compressed):
        save(tmp_path / "both.npz", a=a, b=b)
        path = str(tmp_path / "both.npz")
        np.testing.assert_array_equal(both("npz", path, "a"), a)
        np.testing.assert_array_equal(both("npz", path, "b"), b)
        assert both("npz", path, "c") == ": there is no array 'c' in it"
        content = open(path, "rb").read()
        assert both("npz", file(content[:-30]), "a") == ": it is not an npz file"
    assert both("npz", file(b""), "a") == ": it is not an npz file"
    with zipfile.ZipFile(tmp_path / "odd.npz", "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("a.npy", npy(a))
    assert both("npz", str(tmp_path / "odd.npz"), "a") == ": a: it is packed in a way that cannot be read"
    np.savez(tmp_path / "other.npz", a=np.ones(3))
    assert both("npz", str(tmp_path / "other.npz"), "a") == ": a: its array has rank 1, and rank 2 is expected"
    np.savez(tmp_path / "damaged.npz", a=a)
    content = bytearray((tmp_path / "damaged.npz").read_bytes())
    content[content.index(struct.pack("<d", 5.0))] ^= 1
    assert both("npz", file(bytes(content)), "a") == ": a: its data is damaged"


def test_csv(file):
    assert both("csv", file("1,2.5,-3e2\n\n 4 ,\t5,.5\r\ninf,nan,+7."), False).tolist()[:2] == [[1, 2.5, -300], [4, 5, 0.5]]
    assert both("csv", file("a,b\n1,2\n"), True).tolist() == [[1, 2]]
    assert both("csv", file("a,b\n"), True).shape == both("csv", file(""), False).shape == (0, 0)
    assert both("csv i64", file("1,2,3\n-4,5,9223372036854775807")).tolist() == [[1, 2, 3], [-4, 5, 2**63 - 1]]
    assert both("csv", file("1e400,1e-400,4.9e-324,0.1"), False).tolist() == [[float("inf"), 0, 5e-324, 0.1]]
    assert both("csv", file("\n".join(f"{i},{i / 7!r}" for i in range(5000))), False)[4999, 1] == 4999 / 7


def test_csv_where_numbers_have_commas(file, decimal_commas):
    assert both("csv", file("1.5,1.5e400,-2.5e-400"), False).tolist() == [[1.5, float("inf"), 0]]


def test_malformed_csv(file):
    said = {
        "1,x": ":1:3: 'x' is not a number", "1,,2": ":1:3: a number is missing", "1,2\n3,4,5": ":2:5: the line has more than 2 fields",
        "1,2\n\n3": ":3:2: the line has 1 of 2 fields", "1,2\n3,": ":2:3: a number is missing", "é,1": ":1:1: 'é' is not a number",
        "1_000": ":1:1: '1_000' is not a number", "0x10": ":1:1: '0x10' is not a number", "1 2": ":1:1: '1 2' is not a number",
        "+-1": ":1:1: '+-1' is not a number", "1e": ":1:1: '1e' is not a number", "nan(7)": ":1:1: 'nan(7)' is not a number",
        "1;2": ":1:1: '1;2' is not a number", "\"1\"": ":1:1: '\"1\"' is not a number", "1," + "2" * 1_000_001: ":1:1000001: the line is longer than a million bytes",
    }
    for text, message in said.items():
        assert both("csv", file(text), False) == message
    assert both("csv i64", file("1,2,3\n4,5,6\n7,8,9")) == ": dimension 0 of its array is 3, and 2 is expected"
    assert both("csv i64", file("1,2,3.5")) == ":1:5: '3.5' is not a whole number"
    assert both("csv i64", file("1,2")) == ":1:4: the line has 2 of 3 fields"
    assert both("csv i64", file("1,2,9223372036854775808")) == ":1:5: '9223372036854775808' does not fit in i64"
    assert both("csv i32", file("2147483647\n-2147483649")) == ":2:1: '-2147483649' does not fit in i32"
    assert both("csv i32", file("1," + "9" * 5000)) == f":1:3: '{'9' * 40}…' does not fit in i32"
    assert both("csv i32", file("0" * 5000 + "7")) == [[7]]
    with pytest.raises(TypeError, match="a CSV file gives a matrix of numbers"):
        lt.read_csv("x", lt.Tensor[None])


def test_word_vectors(file):
    before = np.full((5, 2), 9, np.float32)
    text = "the 1 2\ncat 0.5 -1\nnew york 3 4e-1\n\ncat 7 7\ncafé 5 6\r\n"
    assert both("vectors", file(text), WORDS, before).tolist() == [[9, 9], [0.5, -1], [3, np.float32(0.4)], [9, 9], [5, 6]]
    assert both("vectors", file("dog 1"), WORDS, before) == ":1:1: the line does not have a word and 2 numbers"
    assert both("vectors", file("cat 1 2\ndog 1 two"), WORDS, before) == ":2:7: 'two' is not a number"
    assert both("vectors", file(" 1 2"), WORDS, before) == ":1:1: the line does not have a word and 2 numbers"
    assert both("vectors", file("dog 1 "), WORDS, before) == ":1:7: a number is missing"
    assert both("vectors", file(""), WORDS[:2], before) == ": there are 2 words, and the table has 5 rows"


def mutated(generator, content):
    """Content with some bytes changed, taken out or put in, or cut off."""
    content = bytearray(content)
    for _ in range(generator.randint(1, 3)):
        at = generator.randrange(len(content) + 1)
        kind = generator.randrange(4)
        if kind == 0:
            del content[at:]
        elif kind == 1:
            content[at:at] = generator.choice([b"\0", b"\xff" * 4, b",", b"(", b" ", b"\n", b"'", b"9" * 20])
        elif kind == 2 and at < len(content):
            content[at] = generator.randrange(256)
        else:
            del content[at:at + generator.randrange(4)]
    return bytes(content)


@pytest.mark.parametrize("name", ["idx f32", "npy f32", "npz", "csv", "vectors"])
def test_what_is_damaged_is_refused_alike(file, tmp_path, name):
    """Of each reader's input some hundred damaged forms; that of another array than is in the file is read by both as such."""
    small = CUBE.astype("i4")
    np.savez_compressed(tmp_path / "seed.npz", a=np.arange(6.0).reshape(2, 3))
    seeds = {"idx f32": [idx(small, 12), gzip.compress(idx(small, 12), mtime=0)], "npy f32": [npy(small), npy(np.asfortranarray(small.astype(">f8")))],
             "npz": [(tmp_path / "seed.npz").read_bytes()], "csv": [b"1,2.5,-3e2\r\n 4 ,\t5,.5\n\ninf,nan,7"],
             "vectors": [b"cat 0.5 -1\nnew york 3 4e-1\ndog 5 6\r\n"]}[name]
    more = {"npz": ("a",), "csv": (False,), "vectors": (WORDS, np.zeros((5, 2), np.float32))}.get(name, ())
    generator = random.Random(name)
    COMPILED.setdefault(name, lt.function(EAGER[name]))
    for number in range(150):
        content = mutated(generator, generator.choice(seeds))
        path = file(content, f"{number}")
        if name != "npz":
            both(name, path, *more)
            continue
        # Python's zipfile and ours overlook other things in a damaged archive; what both read has to be the same.
        found = [outcome(function, path, "a") for function in (EAGER[name], COMPILED[name])]
        if not any(isinstance(one, tuple) for one in found):
            np.testing.assert_array_equal(*found)
        assert all(one[0] is lt.DataError for one in found if isinstance(one, tuple)), found
