"""Makes the fuzzers' corpora and dictionaries from the repository's own examples and tests: seeds.py FOLDER."""

import gzip
import io
import json
import keyword
import pathlib
import re
import struct
import sys
import zipfile

ROOT = pathlib.Path(__file__).parents[2]


def sexprs():
    """Programs in files of their own, and those that tests hold as strings."""
    item = r"\((?:define|struct|parameter|state) "
    texts = [p.read_text() for p in sorted((ROOT / "tests").rglob("*.sexpr"))]
    for path in sorted([*(ROOT / "tests/python").rglob("*.py"), *(ROOT / "tests/unit").glob("*.cpp")]):
        text = path.read_text()
        texts += [program for program in re.findall(r'"""(.*?)"""', text, re.S) if re.match(rf"\s*{item}", program)]
        lines = re.findall(rf'"({item}(?:[^"\\\n]|\\.)*)"', text) + re.findall(rf"'({item}[^'\n]*)'", text)
        texts += [line.replace('\\"', '"').replace("\\n", "\n") for line in lines]
    return texts


def sexpr_words(texts):
    table = (ROOT / "docs/language.md").read_text()
    return sorted({w for text in [*texts, table] for w in re.findall(r"\(([a-z][a-z-]+\??|[-+*/%<>=!]+)[ )]", text)})


def pythons():
    folders = [ROOT / "examples", ROOT / "tests/golden/convert", ROOT / "tests/python/frontend"]
    texts = [p.read_text() for folder in folders for p in sorted(folder.rglob("*.py"))]
    # A function at a time: short seeds mutate well.
    return [part for text in texts for part in re.split(r"\n(?=def |class |@)", text) if part.strip()]


def treebanks():
    lines = (ROOT / "examples/data/sample/dev.txt").read_text().splitlines()
    return lines[:40] + ["\n".join(lines[40:44]), "(0 a)\r\n\n (1 (2 b) (3 c))"]


def tensors(entries, data, metadata=None):
    header = {name: {"dtype": dtype, "shape": shape, "data_offsets": range_} for name, dtype, shape, range_ in entries}
    if metadata:
        header["__metadata__"] = metadata
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def safetensors():
    whole = [("embedding", "F32", [2, 3], [0, 24]), ("bias", "F64", [2], [24, 40]), ("scale", "F32", [], [40, 44])]
    yield tensors(whole, bytes(44), {"format": "lantern", "vocabulary": "<unk>\na\u2028\n\U0001f332"})
    yield tensors(whole[:1], bytes(24))
    yield tensors([], b"")


def files_of_numbers():
    """A byte that names the reader, and a file for it."""
    header = b"\0\0\x08\3" + struct.pack(">3I", 2, 3, 1)
    yield b"\0" + header + bytes(range(6))
    yield b"\0" + gzip.compress(header + bytes(range(6)), mtime=0)
    yield b"\1" + b"\0\0\x0c\1" + struct.pack(">I3i", 3, 1, -2, 3)
    descriptions = [("<f8", False, (3, 2)), (">i2", True, (3, 2)), ("|b1", False, (1, 2, 3))]
    arrays = []
    for descr, order, shape in descriptions:
        text = f"{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}\n".encode()
        arrays.append(b"\x93NUMPY\1\0" + struct.pack("<H", len(text)) + text + bytes(6 * int(descr[2])))
    yield b"\2" + arrays[0]
    yield b"\2" + arrays[1]
    yield b"\3" + arrays[2]
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", method) as archive:
            archive.writestr(zipfile.ZipInfo("a.npy"), arrays[1], method)
        yield b"\4" + out.getvalue()
    yield b"\5" + b"1,2.5\n\n 3 ,-4e-2\r\ninf,nan\n"
    yield b"\6" + b"cat 0.5 -1\nnew york 3 4e-1\n"


def write(folder, name, seeds, words=()):
    (folder / name).mkdir(parents=True, exist_ok=True)
    for i, seed in enumerate(seeds):
        (folder / name / f"{i:04}").write_bytes(seed if isinstance(seed, bytes) else seed.encode())
    (folder / f"{name}.dict").write_text("".join(f'"{word}"\n' for word in words))


def main():
    folder = pathlib.Path(sys.argv[1])
    programs = sexprs()
    write(folder, "sexpr", programs, sexpr_words(programs))
    signs = ["->", ":=", "**", "//", "f'", "rb'", "'''", "\\x0a    ", "\\x0c", "{", "!r"]
    write(folder, "python", pythons(), [*keyword.kwlist, *keyword.softkwlist, *signs])
    write(folder, "treebank", treebanks(), ["(", ")", " ", "-1"])
    write(folder, "readers", list(files_of_numbers()), ["PK\\x01\\x02", "PK\\x05\\x06", "\\x93NUMPY", "\\x1f\\x8b", "'shape'", "nan", ","])
    write(folder, "safetensors", list(safetensors()), ["\\x22shape\\x22:", "\\\\u", "[", "F32", "9223372036854775807"])


if __name__ == "__main__":
    main()
