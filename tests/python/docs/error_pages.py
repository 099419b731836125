"""The entries of docs/errors: what a code means, the files that cause it, and the commands that show it.

In a code block whose language is followed by a name is a file of that name; in one of language `console`, each line that begins
with `$ ` is a command, and what follows is all that it prints.
"""
import dataclasses
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD = pathlib.Path(os.environ.get("LANTERN_BUILD", ROOT / "build")).resolve()
PAGES = sorted((ROOT / "docs" / "errors").glob("*.md"))
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@dataclasses.dataclass
class Entry:
    """An entry of a page. text: all of it, from its heading on."""
    page: pathlib.Path
    code: str
    text: str

    def __str__(self):
        return self.code

    def files(self):
        return {name: body for _, name, body in BLOCK.findall(self.text) if name}

    def consoles(self):
        return [body for language, _, body in BLOCK.findall(self.text) if language == "console"]

    def commands(self):
        return [line[2:] for console in self.consoles() for line in console.splitlines() if line.startswith("$ ")]

    def builds(self):
        """Whether a command calls the C++ compiler."""
        return any(re.search(r"lantern (run|check)|emit so|python3", command) for command in self.commands())

    def run(self, folder):
        """The consoles as the commands make them in a folder."""
        for name, body in self.files().items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(body, "utf-8")
        return ["".join(f"$ {command}\n{printed_by(command, folder)}" for command in re.findall(r"^\$ (.*)$", console, re.MULTILINE))
                for console in self.consoles()]


def printed_by(command, folder):
    """What a command prints, to both streams: `lantern` is the one built here, `python3` this Python, the package on its path."""
    environment = {**os.environ, "NO_COLOR": "1", "PYTHONPATH": str(ROOT / "python"), "LANTERN_LIBRARY": str(BUILD / "lib" / "liblantern.so"),
                   "PATH": f"{BUILD / 'bin'}{os.pathsep}{pathlib.Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=300)
    return done.stdout.replace(f"{folder}/", "")


def entries():
    """The entries of all pages, in the order in which they stand."""
    found = []
    for page in PAGES:
        for text in re.split(r"^(?=## )", page.read_text("utf-8"), flags=re.MULTILINE)[1:]:
            found.append(Entry(page, re.match(r"## (\S*)", text)[1], text))
    return found


def with_consoles(text, printed):
    """The text of an entry with other consoles."""
    printed = iter(printed)
    return BLOCK.sub(lambda block: f"```console\n{next(printed)}```" if block[1] == "console" else block[0], text)
