"""Writes text a character at a time, as it has learnt from a text: Karpathy's char-rnn with a gated recurrent unit.

    lantern run examples/char_rnn.py train           as C++ that Lantern generates
    python examples/char_rnn.py train                the same, on NumPy

The text it learns from stands here; that it is short, and soon known by heart, is the point: one sees that it has learnt.
"""
import lantern as lt

TEXT = """the lamp in the window went out at nine.
the keeper of the lamp went down to the sea.
the sea was dark, and the boats were late.
the keeper lit the lamp in the tower.
the boats came home one by one to the light.
the light went round and round all night.
at nine the sun was up, and the lamp went out.
"""
LETTERS = sorted(set(TEXT))
CODES = [LETTERS.index(letter) for letter in TEXT]


class GRU(lt.Module):
    """A gated recurrent unit (Cho et al. 2014) over letters, and what it expects next."""

    def __init__(self, letters, hidden):
        bound = hidden**-0.5
        self.hidden = hidden
        self.gates = lt.Parameter((2 * hidden, letters + hidden), lt.init.uniform(-bound, bound))
        self.gate_bias = lt.Parameter(2 * hidden, lt.init.ones())
        self.update = lt.Parameter((hidden, letters + hidden), lt.init.uniform(-bound, bound))
        self.head = lt.Parameter((letters, hidden), lt.init.uniform(-bound, bound))
        self.head_bias = lt.Parameter(letters, lt.init.zeros())

    def read(self, letter, h):
        """The state behind one letter, a number."""
        x = lt.one_hot(letter, len(LETTERS))
        keep, reset = lt.split(lt.sigmoid(self.gates @ lt.concat(x, h) + self.gate_bias), 2)
        return keep * h + (1.0 - keep) * lt.tanh(self.update @ lt.concat(x, reset * h))

    def expects(self, h):
        """What speaks for each letter to come next, before the softmax."""
        return self.head @ h + self.head_bias

    def loss(self, codes, h):
        """How surprised it is, on average, by each letter of a piece of text, given the ones before. h: the state to begin with."""
        total = lt.zeros()
        for i in range(len(codes) - 1):
            h = self.read(codes[i], h)
            total = total + lt.cross_entropy(self.expects(h), codes[i + 1])
        return total / (len(codes) - 1)


def letter_of(code):
    """The letter behind a number."""
    for i, letter in enumerate(LETTERS):
        if i == code:
            return letter
    return "?"


def drawn(weights):
    """A place, drawn with these probabilities."""
    left = lt.item(lt.uniform(0.0, 1.0))
    for place in range(len(weights)):
        left -= lt.item(weights[place])
        if left < 0:
            return place
    return len(weights) - 1


@lt.export
def train(steps: int = 2000, piece: int = 40, hidden: lt.static[int] = 64, learning_rate: float = 0.005, length: int = 200, seed: int = 1,
          every: int = 200):
    """Learns from pieces of the text, and writes some text of its own.

    Args:
        steps: how many pieces to learn from
        piece: letters in one, at least 2
        hidden: length of the state
        learning_rate: of Adam, after a tenth of the steps to warm up
        length: of the text that it writes
        seed: of the random numbers
        every: so many steps it prints a line
    """
    lt.seed(seed)
    codes = lt.constant(CODES)
    model = GRU(len(LETTERS), hidden)
    optimizer = lt.optim.Adam(lt.optim.warm_up(steps // 10 + 1, lt.optim.cosine(learning_rate, steps)))
    mean = lt.metrics.Mean()
    for step in range(1, steps + 1):
        begin = int(lt.item(lt.uniform(0.0, 1.0)) * (len(CODES) - piece))
        loss, gradients = lt.value_and_grad(model.loss)(codes[begin:begin + piece], lt.zeros(hidden))
        optimizer.step(lt.optim.clip_by_value(gradients, -1.0, 1.0))
        mean.add(loss)
        if step % every == 0:
            print(f"step {step}: {lt.item(mean.value()):.4f} nats a letter")
            mean.reset()
    h, code, text = lt.zeros(hidden), 0, ""
    for i in range(length):
        h = model.read(code, h)
        code = drawn(lt.softmax(model.expects(h)))
        text = text + letter_of(code)
    print(text)


if __name__ == "__main__":
    lt.main()
