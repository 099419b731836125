"""`lantern explore`: what is in the page, and, in headless Chromium, what it does."""
import json
import os
import pathlib
import re
import subprocess

import browser as browsers
import pytest

ROOT = pathlib.Path(__file__).parents[3]
BUILD = pathlib.Path(os.environ.get("LANTERN_BUILD", ROOT / "build")).resolve()
TREE_LSTM = ROOT / "examples/tree_lstm.py"

PROGRAM = '''\
import lantern as lt


def twice(x):
    return x + x


@lt.export
def f(x: float):
    total = 0.0
    for i in range(3):
        total = total + lt.sin(twice(x))
    if x > 1.0:
        total = total * x
    return total


@lt.export
def slope(x: float):
    value, gradient = lt.value_and_grad(f)(x)
    return gradient
'''


def lantern(*arguments, folder=None):
    return subprocess.run([BUILD / "bin/lantern", *map(str, arguments)], cwd=folder, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=120, env={**os.environ, "NO_COLOR": "1"})


def data_of(page):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL).group(1))


class Explored:
    """A page and its data. `lines(stage, text)`: the lines of a stage that hold a text, each with what is known of it."""

    def __init__(self, file, *options):
        made = lantern("explore", file, "-o", "-", *options)
        assert made.returncode == 0, made.stderr
        self.page, self.data = made.stdout, data_of(made.stdout)
        self.stages = self.data["stages"]

    def lines(self, stage, text):
        shown = self.stages[stage]["text"].splitlines()
        assert len(shown) == len(self.stages[stage]["lines"])
        return [line for line, written in zip(self.stages[stage]["lines"], shown) if text in written]

    def places(self, line):
        return [f"{self.stages['files'][file]}:{row}:{column}" for file, row, column in line.get("at", [])]

    def variable(self, function, name):
        names = next(f["names"] for f in self.stages["functions"] if f["name"] == function)
        return self.stages["variables"][names[name]]


@pytest.fixture(scope="module")
def explored(tmp_path_factory):
    file = tmp_path_factory.mktemp("explored") / "small.py"
    file.write_text(PROGRAM)
    return Explored(file)


@pytest.fixture(scope="module")
def tree_lstm():
    return Explored(TREE_LSTM)


def test_the_page_shows_what_emit_prints(tree_lstm):
    assert tree_lstm.stages["cpp"]["text"] == lantern("compile", TREE_LSTM, "--emit", "cpp").stdout
    assert tree_lstm.data["sources"][0]["converted"] == lantern("compile", TREE_LSTM, "--emit", "python").stdout
    assert tree_lstm.data["sources"][0]["text"] == TREE_LSTM.read_text()
    emitted = lantern("compile", TREE_LSTM, "--emit", "sexpr").stdout
    without = re.sub(r'\s*\(locations "[^"]*"(\s*\(([^()"]|"(\\.|[^"\\])*")*\))*\)', "", emitted)
    assert "".join(tree_lstm.stages["sexpr"]["text"].split()) == "".join(without.split())


def test_lines_know_the_python_that_they_come_from(tree_lstm):
    gates = next(number for number, line in enumerate(TREE_LSTM.read_text().splitlines(), 1) if "gates = self.inner" in line)
    for stage, text in (("sexpr", "(let gates"), ("cps", "let gates ="), ("cpp", "> gates =")):
        lines = tree_lstm.lines(stage, text)
        assert lines, stage
        for line in lines:
            assert any(place.startswith(f"tree_lstm.py:{gates}:") for place in tree_lstm.places(line)), (stage, line)
    converted = tree_lstm.data["sources"][0]
    (line,) = [places for places, text in zip(converted["lines"], converted["converted"].splitlines()) if 'bind("gates"' in text]
    assert {row for row, _ in line} == {gates}


def test_the_second_line_of_a_statement_comes_from_the_same_place(tree_lstm):
    lines, shown = tree_lstm.stages["cpp"]["lines"], tree_lstm.stages["cpp"]["text"].splitlines()
    broken = [i for i, text in enumerate(shown) if text.endswith(" =") and "const" in text and "together(" not in shown[i + 1]]   # which begins what it makes side by side
    assert broken
    assert all(lines[i]["at"] == lines[i + 1]["at"] for i in broken)


def test_the_reverse_sweep_is_told_apart(explored):
    assert all(line.get("reverse") for line in explored.lines("cps", "x_adj +="))
    assert all(line.get("reverse") for line in explored.lines("cpp", "x_adj +="))
    assert not any(line.get("reverse") for line in explored.lines("cpp", "sin("))


def test_a_recursion_in_two_sweeps(tmp_path):
    (tmp_path / "powers.py").write_text("import lantern as lt\n\n\ndef power(x: float, n: int):\n    if n == 0:\n        return 1.0\n    return lt.sin(power(x, n - 1)) * x\n\n\n"
                                        "@lt.export\ndef gradient(x: float, n: int):\n    return lt.value_and_grad(power)(x, n)\n")
    explored = Explored(tmp_path / "powers.py")
    assert {(form["function"], form["kind"]) for form in explored.stages["forms"]} == {("power", "forward"), ("power", "reverse"), ("gradient", "direct")}
    for stage in ("cps", "cpp"):
        assert all(line.get("reverse") for line in explored.lines(stage, "pop"))
        assert not any(line.get("reverse") for line in explored.lines(stage, "push"))


def test_what_is_active_and_what_is_saved(tree_lstm):
    gates, right, word = (tree_lstm.variable("encode", name) for name in ("gates", "right", "word"))
    assert gates["type"] == "(tensor f32 750)" and gates["active"] and word["saved"]
    assert right == {"name": "right", "type": "i64"}
    assert "saved" not in tree_lstm.variable("encode", "f_left")    # its sigmoid is
    assert [g for g in tree_lstm.stages["globals"] if g["name"] == "embedding"] == [
        {"name": "embedding", "type": "(tensor f32 words 300)", "trained": True}]


def test_the_call_graph(tree_lstm):
    functions = {f["name"]: f for f in tree_lstm.stages["functions"]}
    names = list(functions)
    calls = {name: {(names[call["to"]], call["how"]) for call in f["calls"]} for name, f in functions.items()}
    assert calls["train"] == {("loss", "gradient"), ("accuracy", "call")}
    assert functions["encode"]["recursive"] and not functions["loss"]["recursive"]
    assert [name for name in names if functions[name]["exported"]] == ["train", "evaluate", "predict"]
    kinds = {(form["function"], form["kind"]) for form in tree_lstm.stages["forms"]}
    assert {("encode", "direct"), ("encode", "cps"), ("loss", "cps")} <= kinds and ("loss", "direct") not in kinds


def test_what_staging_decided(explored):
    decisions = {(d["line"], d["what"]): (d["outcome"], d["text"]) for d in explored.data["sources"][0]["decisions"]}
    assert decisions[11, "for"] == ("unrolled", "unrolled × 3 by range(0, 3)")
    assert decisions[13, "if"][0] == "staged"


def test_what_was_batched_is_what_remarks_say(tree_lstm):
    compiled = lantern("compile", TREE_LSTM, "--emit", "cps", "--remarks")
    said = compiled.stderr.splitlines()
    assert tree_lstm.stages["cps"]["text"] == compiled.stdout
    shown = [":".join([tree_lstm.stages["files"][r["at"][0]], *map(str, r["at"][1:])]) + ": " + r["text"] for r in tree_lstm.stages["remarks"]]
    assert shown == said
    assert {r["batched"] for r in tree_lstm.stages["remarks"]} == {True, False}


def test_options_of_compile_are_options_here():
    assert not any(r["batched"] for r in Explored(TREE_LSTM, "--schedule", "depth-first").stages["remarks"])
    assert "Array<double, 2> weight;" in Explored(ROOT / "examples/mnist_linear.py", "--dtype", "f64", "--entry", "train").stages["cpp"]["text"]


def test_s_expressions_alone(tmp_path):
    (tmp_path / "p.sexpr").write_text("(define f ((x f64)) -> f64\n  (let y (sin x)\n  (* y y)))\n(export f)\n")
    assert lantern("explore", "p.sexpr", folder=tmp_path).returncode == 0
    data = data_of((tmp_path / "p.html").read_text())
    assert data["sources"] == []
    lines, shown = data["stages"]["cpp"]["lines"], data["stages"]["cpp"]["text"].splitlines()
    (sine,) = [line for line, text in zip(lines, shown) if "sin(x)" in text]
    (let,) = [line for line in data["stages"]["sexpr"]["lines"] if data["stages"]["functions"][0]["names"]["y"] in line.get("binds", [])]
    assert [0, 2, 10] in sine["at"] and [0, 2, 10] in let["at"]


def test_an_error_leaves_no_page(tmp_path):
    (tmp_path / "bad.py").write_text(PROGRAM.replace("lt.sin(", "lt.sinn("))
    failed = lantern("explore", "bad.py", folder=tmp_path)
    assert failed.returncode == 1 and failed.stdout == ""
    assert "bad.py:12:25: error: " in failed.stderr and "lt.sinn(twice(x))" in failed.stderr
    assert lantern("explore", "missing.py", folder=tmp_path).returncode == 4
    assert [file.name for file in tmp_path.iterdir()] == ["bad.py"]


def test_what_a_program_holds_cannot_end_the_script(tmp_path):
    (tmp_path / "sly.py").write_text(PROGRAM + '\nsly = "</script><script>throw Error(1)</script>{{style}}<!--"\n')
    sly = Explored(tmp_path / "sly.py")
    assert "{{style}}<!--" in sly.data["sources"][0]["text"]
    assert sly.page.count("</script>") == 2


# --- in a browser ---


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    if not browsers.CHROMIUM:
        pytest.skip("there is no Chromium: apt-get install chromium")
    started = browsers.Browser(tmp_path_factory.mktemp("profile"))
    yield started
    started.close()


@pytest.fixture(scope="module")
def page(tree_lstm, tmp_path_factory):
    file = tmp_path_factory.mktemp("page") / "tree_lstm.html"
    file.write_text(tree_lstm.page)
    return file


@pytest.fixture
def opened(browser, page):
    browser.console.clear()
    browser.prefer("light")
    browser.open("about:blank")
    browser.open(page.as_uri())
    browser.evaluate("localStorage.clear()")
    yield browser
    assert browser.console == []


def row(pane, text):
    """An expression for the first line of a pane that holds a text."""
    return f"[...paneOf('{pane}').rows].find(row => row.textContent.includes({json.dumps(text)}))"


def lit(browser, pane):
    """The lines of a pane that are lit."""
    return browser.evaluate(f"paneOf('{pane}').rows.filter(row => row.classList.contains('lit')).map(row => row.querySelector('code').textContent)")


def test_the_page_is_small_opens_fast_and_asks_for_nothing(browser, page):
    assert page.stat().st_size < 2_000_000
    browser.console.clear()
    times = []
    for _ in range(3):
        seconds, requests = browser.open(page.as_uri())
        assert [url for url in requests if not url.startswith("data:")] == [page.as_uri()]
        times.append(seconds)
        browser.open("about:blank")
    assert browser.console == []
    assert min(times) < 1, times


def test_a_line_lights_up_its_origin_and_its_results(opened):
    opened.point(row("cpp", "Vector<float> c_1 = x13") + ".querySelector('.no')")
    assert [text.strip() for text in lit(opened, "python")] == ["c = lt.sigmoid(i) * lt.tanh(u) + lt.sigmoid(f_left) * c_left + lt.sigmoid(f_right) * c_right"]
    assert any(text.strip().startswith("let c_1 =") for text in lit(opened, "cps"))
    assert all("gates_adj" not in text for text in lit(opened, "cpp"))
    opened.point("document.querySelector('header h1')")
    assert lit(opened, "python") == []


def test_a_click_holds_a_line_and_brings_the_others_into_sight(opened):
    opened.point(row("python", "gates = self.inner") + ".querySelector('.no')", click=True)
    for pane in ("converted", "sexpr", "cps", "cpp"):
        assert opened.evaluate(f"""(() => {{ const body = paneOf('{pane}').body.getBoundingClientRect();
            return paneOf('{pane}').rows.some(row => row.classList.contains('lit') && row.getBoundingClientRect().top >= body.top
              && row.getBoundingClientRect().bottom <= body.bottom); }})()"""), pane
    assert "reverse sweep" in opened.evaluate("$('sheet').textContent")
    assert "f32[750]" in opened.evaluate("$('sheet').textContent")
    opened.point(row("cpp", "check_stack") + ".querySelector('.no')")
    assert any("gates = self.inner" in text for text in lit(opened, "python"))    # it is held


def test_names_tell_their_types(opened):
    name = row("cpp", "Vector<float> x11 = concat") + ".querySelector('.n.saved')"
    opened.evaluate(f"{name}.scrollIntoView(); new Promise(done => setTimeout(done, 100))")
    opened.point(name)
    assert opened.evaluate("$('tip').hidden") is False
    assert opened.evaluate("$('tip').textContent") == "x11 f32[300] · active: it carries an adjoint · saved for the reverse sweep"


def test_the_keyboard_does_it_all(opened):
    opened.press("ArrowDown", "ArrowDown", "ArrowDown")
    assert opened.evaluate("[current, held, location.hash]") == [[0, 2], True, "#python:3"]
    opened.evaluate("location.hash = '#python:49'; new Promise(done => setTimeout(done, 50))")
    opened.press("ArrowRight", "ArrowRight")
    where = "[panes[current[0]].key, panes[current[0]].lines[current[1]].text.trim()]"
    assert opened.evaluate(where) == ["sexpr", "(let x11 (concat h_left h_right)"]
    opened.press("ArrowLeft")
    assert opened.evaluate(where)[1].startswith('gates = ag__.bind("gates"')
    opened.press("ArrowRight", "n")
    assert opened.evaluate(where)[0] == "sexpr"
    opened.press("2")
    assert opened.evaluate("panes[1].section.classList.contains('folded')")
    opened.press("d")
    assert opened.evaluate("tab") == "Calls"
    assert opened.evaluate("document.querySelectorAll('svg .node').length") == 9
    opened.press("?")
    assert opened.evaluate("$('help').open")
    opened.press("Escape")
    opened.evaluate("$('help').close()")
    opened.press("Escape")
    assert opened.evaluate("[current ?? null, held]") == [None, False]


def test_light_and_dark(opened, page):
    colours = "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]"
    light = opened.evaluate(colours)
    opened.prefer("dark")
    dark = opened.evaluate(colours)
    assert light != dark
    opened.press("t")
    assert opened.evaluate(colours) == light
    opened.open(page.as_uri())
    assert opened.evaluate(colours) == light    # what was chosen is kept
    opened.evaluate("localStorage.clear()")


def test_every_sheet_and_every_example(opened, tmp_path):
    for tab in ("Line", "Calls", "Staging", "Batching", "Values"):
        opened.evaluate(f"showSheet('{tab}')")
        assert len(opened.evaluate("$('sheet').textContent")) > 100, tab
    for name in ("tree_prod", "lenet"):
        assert lantern("explore", ROOT / f"examples/{name}.py", "-o", tmp_path / f"{name}.html").returncode == 0
        opened.open((tmp_path / f"{name}.html").as_uri())
        assert opened.evaluate("panes.map((pane, p) => pane.lines.map((line, i) => (light(p, i), shown.length)).reduce((a, b) => a + b))")
