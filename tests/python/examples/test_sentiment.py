"""examples/sentiment.py: a model is trained, and what it says of each phrase is shown."""
import html.parser
import pathlib
import re
import sys

import pytest

EXAMPLES = pathlib.Path(__file__).resolve().parents[3] / "examples"
sys.path.append(str(EXAMPLES))
import sentiment  # noqa: E402
import tree_view  # noqa: E402
from tree_view import Phrase  # noqa: E402

GOOD = Phrase(["very", "<b>good&"], 4, [0.0, 0.05, 0.05, 0.3, 0.6], (Phrase(["very"], 2, [0.0, 0.0, 1.0, 0.0, 0.0]), Phrase(["<b>good&"], 3, [0.1, 0.1, 0.5, 0.2, 0.1])))


class Reader(html.parser.HTMLParser):
    """The elements of a page, (tag, attributes); all tags are closed."""

    def __init__(self, page):
        super().__init__()
        self.elements, self.open = [], []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag not in ("meta",):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_lines_of_the_terminal():
    lines = tree_view.text_of(GOOD).splitlines()
    assert lines == ["▁▁▁▃▅  4   4  very <b>good&", "▁▁█▁▁  2   2    very", "▁▁▅▂▁  2 ≠ 3    <b>good&"]
    coloured = tree_view.text_of(GOOD, colour=True)
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == "\n".join(lines) and "\x1b[38;5;26m" in coloured
    assert tree_view.text_of(Phrase(["word"] * 40, 2, [0, 0, 1, 0, 0]), width=60).endswith("…")


def test_the_page_has_a_box_a_phrase_and_needs_nothing_else():
    page = tree_view.page_of([GOOD, GOOD], "a & b")
    reader = Reader(page)
    assert reader.open == [] and not re.search(r"https?:|src=|@import|<link|<script|url\(", page)
    boxes = [attributes for tag, attributes in reader.elements if attributes.get("class", "").startswith("phrase")]
    assert [(box["style"], box["class"]) for box in boxes[:3]] == [
        ("grid-column:1/span 2;grid-row:2", "phrase"), ("grid-column:2/span 1;grid-row:1", "phrase wrong"), ("grid-column:1/span 1;grid-row:1", "phrase")]
    assert len(boxes) == 6 and boxes[1]["title"] == ("“<b>good&”: gold positive; guessed very negative 10%, negative 10%, neutral 50%, positive 20%, very positive 10%")
    assert [attributes["class"] for tag, attributes in reader.elements if attributes.get("class", "").startswith("gold")][:3] == ["gold l4", "gold l3", "gold l2"]
    assert "2 of 2 sentences guessed right" in page and "a &amp; b" in page


def run(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["sentiment.py", *map(str, arguments)])
    sentiment.main()


def test_from_training_to_a_page(monkeypatch, tmp_path, capsys):
    sample = EXAMPLES / "data" / "sample"
    for part in ("train", "dev"):
        (tmp_path / part).write_text("".join((sample / f"{part}.txt").read_text().splitlines(keepends=True)[:30]))
    weights, log = tmp_path / "best.safetensors", tmp_path / "run.jsonl"
    for epochs in (1, 2):
        run(monkeypatch, "train", "--train", tmp_path / "train", "--dev", tmp_path / "dev", "--weights", weights, "--log", log, "--checkpoint", tmp_path / "run.ckpt",
            "--epochs", epochs, "--embedding", 6, "--hidden", 5)
    assert len(log.read_text().splitlines()) == 2 and weights.exists() and "roots" in log.read_text()
    capsys.readouterr()
    run(monkeypatch, "show", "--weights", weights, "--data", tmp_path / "dev", "--first", 2)
    shown = capsys.readouterr().out.split("\n\n")
    sentences = (tmp_path / "dev").read_text().splitlines()[:2]
    assert [text.strip().count("\n") + 1 for text in shown] == [sentence.count("(") for sentence in sentences]
    assert [text.splitlines()[0].split("  ")[-1] for text in shown] == [" ".join(re.findall(r"[^() ]+(?=\))", sentence)) for sentence in sentences]
    run(monkeypatch, "show", "--weights", weights, "--data", tmp_path / "dev", "--html", tmp_path / "trees.html")
    assert (tmp_path / "trees.html").read_text().count('<div class="phrase') == sum(
        line.count("(") for line in (tmp_path / "dev").read_text().splitlines()[:10])
    (tmp_path / "none").write_text("")
    with pytest.raises(SystemExit, match="there is no tree in it"):
        run(monkeypatch, "show", "--weights", weights, "--data", tmp_path / "none")
