"""Recurrent networks over sequences of any length: the `dynamic_rnn` of the AutoGraph paper (its table 1), and an LSTM.

    lantern run examples/rnn.py train --length 40        as C++ that Lantern generates
    python examples/rnn.py train --length 40             the same, on NumPy

The task: a sequence of numbers, two of them marked; what is the sum of those two? (Hochreiter and Schmidhuber 1997)
"""
import lantern as lt
import lantern.autograph as ag


class RNNCell(lt.Module):
    """The state is also the output: tanh of a linear function of input and state."""

    def __init__(self, inputs, hidden):
        bound = hidden**-0.5
        self.hidden = hidden
        self.kernel = lt.Parameter((hidden, inputs + hidden), lt.init.uniform(-bound, bound))
        self.bias = lt.Parameter(hidden, lt.init.zeros())

    def start(self):
        return lt.zeros(self.hidden)

    def __call__(self, x, state):
        state = lt.tanh(self.kernel @ lt.concat(x, state) + self.bias)
        return state, state


class LSTMCell(lt.Module):
    """Long short-term memory with a forget gate that begins open. The state is the pair of cell and output."""

    def __init__(self, inputs, hidden):
        bound = hidden**-0.5
        self.hidden = hidden
        self.kernel = lt.Parameter((4 * hidden, inputs + hidden), lt.init.uniform(-bound, bound))
        self.bias = lt.Parameter(4 * hidden, lt.init.zeros())

    def start(self):
        return lt.zeros(self.hidden), lt.zeros(self.hidden)

    def __call__(self, x, state):
        c, h = state
        i, f, o, u = lt.split(self.kernel @ lt.concat(x, h) + self.bias, 4)
        c = lt.sigmoid(f + 1.0) * c + lt.sigmoid(i) * lt.tanh(u)
        h = lt.sigmoid(o) * lt.tanh(c)
        return h, (c, h)


def dynamic_rnn(cell, sequence, length):
    """All outputs [length, hidden] of a cell that reads the first rows of a sequence [steps, inputs], and its last state."""
    outputs = []
    ag.set_element_type(outputs, lt.Tensor[cell.hidden])
    state = cell.start()
    for i in range(length):
        output, state = cell(sequence[i], state)
        outputs.append(output)
    return ag.stack(outputs), state


class Adder(lt.Module):
    """A cell, and a linear function of its last output."""

    def __init__(self, cell):
        self.cell = cell
        self.head = lt.Parameter(cell.hidden, lt.init.uniform(-0.1, 0.1))

    def guess(self, sequence):
        state = self.cell.start()
        output = lt.zeros(self.cell.hidden)
        for x in sequence:
            output, state = self.cell(x, state)
        return lt.dot(self.head, output)

    def loss(self, sequence, target):
        return lt.square(self.guess(sequence) - target)


def problem(length):
    """A sequence [length, 2] of numbers and marks, and the sum of the two numbers that are marked, one in either half."""
    numbers = lt.uniform(-1.0, 1.0, (length,))
    first, second = lt.item(lt.uniform(0.0, 1.0)), lt.item(lt.uniform(0.0, 1.0))
    half = length // 2
    i, j = int(first * half), half + int(second * (length - half))
    places = lt.arange(length)
    marks = lt.where((places == i) | (places == j), lt.ones_like(numbers), lt.zeros_like(numbers))
    return lt.stack([numbers, marks], axis=1), numbers[i] + numbers[j]


@lt.export
def train(length: int = 40, steps: int = 3000, hidden: lt.static[int] = 32, lstm: lt.static[bool] = True, learning_rate: float = 0.01,
          seed: int = 1, every: int = 500):
    """Learns to add, one sequence at a time, and prints the mean squared error as it falls.

    Args:
        length: of the sequences, at least 2
        steps: how many sequences to learn from
        hidden: length of the state
        lstm: an LSTM, or else a plain recurrent network
        learning_rate: of Adam, which falls to zero along half a cosine
        seed: of the random numbers
        every: so many steps it prints a line
    """
    lt.seed(seed)
    model = Adder(LSTMCell(2, hidden) if lstm else RNNCell(2, hidden))
    optimizer = lt.optim.Adam(lt.optim.cosine(learning_rate, steps))
    total = 0.0
    for step in range(1, steps + 1):
        sequence, target = problem(length)
        loss, gradients = lt.value_and_grad(model.loss)(sequence, target)
        optimizer.step(lt.optim.clip_by_global_norm(gradients, 1.0))
        total += lt.item(loss)
        if step % every == 0:
            print(f"step {step}: mean squared error {total / every:.4f}")
            total = 0.0


if __name__ == "__main__":
    lt.main()
