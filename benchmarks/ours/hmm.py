"""A hidden Markov model's likelihood by the forward algorithm, and its gradients, compiled by lt.function, for run.py to time.

    hmm.py STATES LENGTHS        LENGTHS: numbers with commas between them
"""
import sys

import lantern as lt
from fixed import fixed
from timing import Memory, rate, sample


class HMM(lt.Module):
    def __init__(self, states):
        self.transitions = lt.Parameter((states, states), fixed(1, states, states, low=-1, high=1))

    def loss(self, scores: lt.Tensor["length", "states"]):
        """Minus the logarithm of the likelihood of scores [length, states], of each state at each step."""
        alpha = scores[0]
        for t in range(1, scores.shape[0]):
            most = lt.max(alpha)
            alpha = scores[t] + most + lt.log(lt.exp(alpha - most) @ lt.softmax(self.transitions))
        return -lt.logsumexp(alpha)


def main():
    states, lengths = int(sys.argv[1]), list(map(int, sys.argv[2].split(",")))
    model = HMM(states)
    both = lt.value_and_grad(lt.function(model.loss))
    memory = Memory()
    for length in lengths:
        scores = fixed(2, length, states)
        loss, gradients = both(scores)
        sample(f"length {length}: loss", [loss])
        sample(f"length {length}: d transitions", gradients[model.transitions].ravel())
        rate(f"length {length}", 1, lambda: both(scores))
    memory.print()


if __name__ == "__main__":
    main()
