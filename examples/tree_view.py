"""Trees of labelled phrases beside what a model says of each phrase: in the terminal, and as one HTML page that needs nothing else.

A phrase is a `Phrase`: its words, its gold label, the probability of each label, and the two phrases it is made of.
"""
import dataclasses
import html

NAMES = ("very negative", "negative", "neutral", "positive", "very positive")
COLOURS = ("#b2182b", "#ef8a62", "#c9c9c9", "#67a9cf", "#2166ac")   # red to blue, which the colour-blind tell apart, too
TERMINAL = (160, 209, 250, 74, 26)      # the same among the 256 of terminals
STEPS = "▁▂▃▄▅▆▇█"


@dataclasses.dataclass
class Phrase:
    words: list
    gold: int
    probabilities: list
    parts: tuple = ()

    @property
    def guess(self):
        return max(range(len(self.probabilities)), key=self.probabilities.__getitem__)

    def all(self):
        """The phrase and those within it, with how deep they are, from left to right."""
        pending = [(self, 0)]
        while pending:
            phrase, depth = pending.pop()
            yield phrase, depth
            pending += [(part, depth + 1) for part in reversed(phrase.parts)]


def text_of(sentence, colour=False, width=100):
    """A line a phrase: the distribution over the labels as five bars, the likeliest label, the gold one, and the words."""
    lines = []
    for phrase, depth in sentence.all():
        bars = "".join(_coloured(STEPS[min(int(p * len(STEPS)), len(STEPS) - 1)], label, colour) for label, p in enumerate(phrase.probabilities))
        mark = " " if phrase.guess == phrase.gold else "≠"
        words = "  " * min(depth, 20) + " ".join(phrase.words)
        room = max(width - 16, 20)
        lines.append(f"{bars}  {phrase.guess} {mark} {_coloured(str(phrase.gold), phrase.gold, colour)}  {words if len(words) <= room else words[:room - 1] + '…'}")
    return "\n".join(lines)


def _coloured(text, label, colour):
    return f"\x1b[38;5;{TERMINAL[label]}m{text}\x1b[0m" if colour else text


def page_of(sentences, title):
    """The page: each sentence as its words in a row, and below them a box a phrase, as wide as its words: what it is guessed to be, a
    coloured part a label, with the gold label's dot."""
    right = sum(s.guess == s.gold for s in sentences)
    legend = "".join(f'<span><i style="background:{colour}"></i>{label} {name}</span>' for label, (colour, name) in enumerate(zip(COLOURS, NAMES)))
    body = "".join(_figure(sentence, number) for number, sentence in enumerate(sentences, 1))
    return _PAGE.format(title=html.escape(title), count=len(sentences), right=right, legend=legend, body=body,
                        colours="".join(f".l{label}{{background:{colour}}}" for label, colour in enumerate(COLOURS)))


def _figure(sentence, number):
    heights, boxes = {}, []
    for phrase, _ in reversed(list(sentence.all())):
        heights[id(phrase)] = 1 + max((heights[id(part)] for part in phrase.parts), default=0)
    pending = [(sentence, 1)]
    while pending:
        phrase, column = pending.pop()
        boxes.append(_box(phrase, column, heights[id(phrase)]))
        for part in phrase.parts:
            pending.append((part, column))
            column += len(part.words)
    wrong = "" if sentence.guess == sentence.gold else ", guessed " + NAMES[sentence.guess]
    return (f'<figure><figcaption><b>{number}</b> {html.escape(" ".join(sentence.words))} <span>{NAMES[sentence.gold]}{wrong}</span></figcaption>'
            f'<div class="scroll"><div class="tree" style="--words:{len(sentence.words)}">{"".join(boxes)}</div></div></figure>')


def _box(phrase, column, height):
    told = ", ".join(f"{NAMES[label]} {p:.0%}" for label, p in enumerate(phrase.probabilities))
    said = html.escape(f"“{' '.join(phrase.words)}”: gold {NAMES[phrase.gold]}; guessed {told}", quote=True)
    parts = "".join(f'<i class="l{label}" style="flex:{p:.3f}"></i>' for label, p in enumerate(phrase.probabilities))
    word = f"<b>{html.escape(phrase.words[0])}</b>" if not phrase.parts else ""
    wrong = "" if phrase.guess == phrase.gold else " wrong"
    return (f'<div class="phrase{wrong}" tabindex="0" title="{said}" aria-label="{said}" style="grid-column:{column}/span {len(phrase.words)};grid-row:{height}">'
            f'{word}<span class="bar">{parts}</span><span class="gold l{phrase.gold}"></span></div>')


_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title><style>
:root{{color-scheme:light dark;--paper:#fdfdfc;--ink:#1d1d1f;--soft:#6e6e73;--line:#dcdcde;--box:#fff}}
@media(prefers-color-scheme:dark){{:root{{--paper:#161618;--ink:#ececee;--soft:#9a9aa0;--line:#38383c;--box:#202024}}}}
body{{margin:0 auto;padding:2rem 1.5rem 4rem;max-width:76rem;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif}}
h1{{font-size:1.4rem;margin:0}}header p{{color:var(--soft);margin:.3rem 0 1rem}}
.legend{{display:flex;flex-wrap:wrap;gap:.3rem 1.2rem;font-size:.85rem}}.legend i{{display:inline-block;width:.8em;height:.8em;margin-right:.4em;border-radius:2px}}
.legend .dot{{border-radius:50%;background:var(--soft)}}.legend .off{{outline:2px solid #e0a100;background:none}}
figure{{margin:2.2rem 0 0}}figcaption{{margin-bottom:.5rem}}figcaption span{{color:var(--soft);font-size:.85rem;margin-left:.5rem}}figcaption b{{color:var(--soft);font-weight:400;margin-right:.3rem}}
.scroll{{overflow-x:auto;padding:3px}}.tree{{display:grid;grid-template-columns:repeat(var(--words),minmax(max-content,1fr));gap:4px;width:max-content;min-width:100%}}
.phrase{{display:flex;align-items:center;gap:5px;padding:3px 5px;background:var(--box);border:1px solid var(--line);border-radius:5px;min-width:3.4rem;flex-wrap:wrap}}
.phrase b{{width:100%;font-weight:500;text-align:center;font-size:.85rem}}.phrase.wrong{{border-color:#e0a100}}
.phrase:hover,.phrase:focus{{outline:2px solid #4c8bf5;outline-offset:0}}
.bar{{display:flex;flex:1;height:10px;border-radius:3px;overflow:hidden}}.bar i{{flex-basis:0}}.gold{{width:10px;height:10px;border-radius:50%}}
{colours}
</style></head><body><header><h1>{title}</h1><p>{right} of {count} sentences guessed right. Each box is a phrase, below its words: the probability of each label, and a dot for the label that people gave.</p>
<div class="legend">{legend}<span><i class="dot"></i>gold</span><span><i class="off"></i>guessed wrong</span></div></header>
{body}</body></html>
"""
