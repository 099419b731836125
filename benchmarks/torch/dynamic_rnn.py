"""The minibatched RNN in PyTorch, the peer of benchmarks/ours/dynamic_rnn.py: a Python loop over time.

    dynamic_rnn.py HOW HIDDEN BATCHES LENGTHS        HOW: eager; compile (torch.compile of a step, the loop stays Python's: unrolled, it
                                                     is compiled anew for each length, for minutes); script (TorchScript of the whole)
"""
import itertools
import sys

import torch
from fixed import fixed
from timing import Memory, rate, sample


class RNN(torch.nn.Module):
    def __init__(self, inputs, hidden):
        super().__init__()
        bound = hidden**-0.5
        self.input = torch.nn.Parameter(torch.from_numpy(fixed(1, inputs, hidden, low=-bound, high=bound)))
        self.recurrent = torch.nn.Parameter(torch.from_numpy(fixed(2, hidden, hidden, low=-bound, high=bound)))
        self.bias = torch.nn.Parameter(torch.from_numpy(fixed(3, hidden, low=-bound, high=bound)))

    def step(self, x, h):
        return torch.tanh(x @ self.input + h @ self.recurrent + self.bias)

    def forward(self, sequences):
        h = sequences.new_zeros(sequences.shape[1], self.bias.shape[0])
        for i in range(sequences.shape[0]):
            h = self.step(sequences[i], h)
        return h


def main():
    how, (hidden,), batches, lengths = sys.argv[1], *(list(map(int, word.split(","))) for word in sys.argv[2:])
    torch.set_num_threads(1)
    model = RNN(hidden, hidden)
    parameters = dict(model.named_parameters())
    if how == "compile":
        model.step = torch.compile(model.step)
    elif how == "script":
        model = torch.jit.script(model)

    def forward(sequences):
        with torch.no_grad():
            return model(sequences)

    def both(sequences):
        for parameter in parameters.values():
            parameter.grad = None
        model(sequences).sum().backward()

    memory = Memory()
    for batch, length in itertools.product(batches, lengths):
        sequences = torch.from_numpy(fixed(4, length, batch, hidden))
        case = f"batch {batch}, length {length}"
        sample(f"{case}: state", forward(sequences).flatten().tolist())
        both(sequences)
        for name, parameter in parameters.items():
            sample(f"{case}: d {name}", parameter.grad.flatten().tolist())
        rate(f"{case}, forward", batch, lambda: forward(sequences))
        rate(f"{case}, forward and backward", batch, lambda: both(sequences))
    memory.print()


if __name__ == "__main__":
    main()
