"""The AutoGraph paper's `tree_prod`: hand-converted, and by the converter."""
import json
import os
import pathlib
import subprocess
import sys

import hand_converted
import interpreter
from lantern.staging import entry

ROOT = pathlib.Path(__file__).resolve().parents[3]
LISTING = """
(define runX (in1 in2) (begin (begin
  (define tree_prod (base tree) (begin
    (let x0 (getattr tree is_empty)
      (let x1 (if x0 (begin base) (begin
          (let x1 (getattr tree left) (let x2 (tree_prod base x1)
          (let x3 (getattr tree right) (let x4 (tree_prod base x3)
          (let x5 (* x2 x4) (let x6 (getattr tree value) (let x7 (* x5 x6) x7))))))))) x1)))
  (tree_prod in1 in2) (let x1 x1)))))
"""


def normal(node, names=None):
    """A program with its bound names renamed in order, and `begin`s of one expression dropped."""
    names = {} if names is None else names
    if not isinstance(node, list):
        return names.get(node, node) if isinstance(node, interpreter.Name) else node
    if node[:1] == ["begin"] and len(node) == 2:
        return normal(node[1], names)
    if node[:1] == ["let"]:
        value = normal(node[2], names)
        counter = names.setdefault(None, [0])
        counter[0] += 1
        inner = {**names, node[1]: f"v{counter[0]}"}
        return ["let", inner[node[1]], value if len(node) == 4 else normal(node[2], inner)] + [normal(n, inner) for n in node[3:]]
    return [normal(part, names) for part in node]


def same_as_the_listing(text):
    [staged], [printed] = interpreter.read(text), interpreter.read(LISTING)
    assert normal(staged) == normal(printed)


class Tree:
    def __init__(self, value=None, left=None, right=None):
        self.is_empty, self.value, self.left, self.right = value is None, value, left, right


def test_hand_converted_code_stages_to_the_listing():
    program, entries = entry.stage_entries([hand_converted.tree_prod])
    text = entry.program_text(program, entries, locations=False)
    same_as_the_listing(text)
    tree = Tree(3.0, Tree(5.0, Tree(), Tree()), Tree())
    assert interpreter.Machine(text).call("runX", 2.0, tree) == hand_converted.tree_prod(2.0, tree) == 120.0


def test_the_user_s_names_survive():
    program, entries = entry.stage_entries([hand_converted.tree_prod])
    text = entry.program_text(program, entries)
    assert "(let l (tree_prod base" in text and "(let r (tree_prod base" in text
    assert '(locations "hand_converted.py"' in text and "(l 17 9)" not in text


def test_the_example_stages_to_the_listing(converter):
    request = {"file": str(ROOT / "examples" / "tree_prod.py"), "entry": None, "emit": "sexpr", "mode": "compile"}
    read_end, write_end = os.pipe()
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    subprocess.run([sys.executable, "-m", "lantern.stage", "--reply-fd", str(write_end)], input=json.dumps(request).encode(),
                   pass_fds=[write_end], env=environment, check=True)
    os.close(write_end)
    with open(read_end) as reply:
        answer = json.load(reply)
    assert answer["diagnostics"] == [] and answer["name"] == "tree_prod"
    same_as_the_listing(answer["sexpr"])
