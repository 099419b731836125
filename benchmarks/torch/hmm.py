"""The hidden Markov model in PyTorch, the peer of benchmarks/ours/hmm.py, its softmax taken in front of the loop by hand.

    hmm.py STATES LENGTHS
"""
import sys

import torch
from fixed import fixed
from timing import Memory, rate, sample


def loss_of(transitions, scores):
    probabilities = torch.softmax(transitions, -1)
    alpha = scores[0]
    for t in range(1, scores.shape[0]):
        most = alpha.max()
        alpha = scores[t] + most + torch.log(torch.exp(alpha - most) @ probabilities)
    return -torch.logsumexp(alpha, 0)


def main():
    states, lengths = int(sys.argv[1]), list(map(int, sys.argv[2].split(",")))
    torch.set_num_threads(1)
    transitions = torch.nn.Parameter(torch.from_numpy(fixed(1, states, states, low=-1, high=1)))

    def both(scores):
        transitions.grad = None
        loss = loss_of(transitions, scores)
        loss.backward()
        return loss
    memory = Memory()
    for length in lengths:
        scores = torch.from_numpy(fixed(2, length, states))
        sample(f"length {length}: loss", [both(scores).item()])
        sample(f"length {length}: d transitions", transitions.grad.ravel().tolist())
        rate(f"length {length}", 1, lambda: both(scores))
    memory.print()


if __name__ == "__main__":
    main()
