"""The `dynamic_rnn` of the AutoGraph paper (table 1) on a minibatch, compiled by lt.function, for run.py to time.

    dynamic_rnn.py HIDDEN BATCHES LENGTHS        numbers with commas between them
"""
import itertools
import sys

import lantern as lt
from fixed import fixed
from timing import Memory, rate, sample


class RNN(lt.Module):
    """The state is also the output: tanh of a linear function of input and state."""

    def __init__(self, inputs, hidden):
        bound = hidden**-0.5
        self.input = lt.Parameter((inputs, hidden), fixed(1, inputs, hidden, low=-bound, high=bound))
        self.recurrent = lt.Parameter((hidden, hidden), fixed(2, hidden, hidden, low=-bound, high=bound))
        self.bias = lt.Parameter(hidden, fixed(3, hidden, low=-bound, high=bound))

    def state(self, sequences):
        """The last state [batch, hidden] after sequences [length, batch, inputs], from zeros."""
        h = lt.zeros((sequences.shape[1], self.bias.shape[0]))
        for x in sequences:
            h = lt.tanh(x @ self.input + h @ self.recurrent + self.bias)
        return h

    def loss(self, sequences):
        return lt.sum(self.state(sequences))


def main():
    hidden, batches, lengths = (list(map(int, word.split(","))) for word in sys.argv[1:])
    model = RNN(hidden[0], hidden[0])
    forward = lt.function(model.state)
    both = lt.value_and_grad(lt.function(model.loss))
    memory = Memory()
    for batch, length in itertools.product(batches, lengths):
        sequences = fixed(4, length, batch, hidden[0])
        of_state = forward(sequences)
        loss, gradients = both(sequences)
        case = f"batch {batch}, length {length}"
        sample(f"{case}: state", of_state.ravel())
        for name in ("input", "recurrent", "bias"):
            sample(f"{case}: d {name}", gradients[getattr(model, name)].ravel())
        rate(f"{case}, forward", batch, lambda: forward(sequences))
        rate(f"{case}, forward and backward", batch, lambda: both(sequences))
    memory.print()


if __name__ == "__main__":
    main()
