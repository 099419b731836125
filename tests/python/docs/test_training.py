"""The snippets of docs/training.md, one after another, in a process of their own."""
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]


def test_the_snippets_run(tmp_path):
    snippets = re.findall(r"^```python\n(.*?)^```$", (ROOT / "docs" / "training.md").read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert len(snippets) == 5
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (tmp_path / "page.py").write_text("\n".join(snippets))
    done = subprocess.run([sys.executable, "page.py"], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT / "python")}, text=True,
                          capture_output=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("epoch ") == 3 and {"best.safetensors", "run.ckpt", "run.jsonl", "run.csv"} <= set(os.listdir(tmp_path))
