"""What a sentiment model has to beat on a treebank: two baselines that never look at the tree.

    python3 examples/baselines.py --train TRAIN --dev DEV --test TEST

- majority class: always the commonest root label of the training sentences;
- bag of words: softmax regression on word counts, trained either on the sentences alone or, like the
  TreeLSTM, on every labelled phrase; its weight decay is chosen on the dev sentences.

Accuracy is that of the five-way label at the root of the test sentences. Nothing here is random.
"""

import argparse
import re

import numpy as np

CLASSES = 5
TOKEN = re.compile(r"[()]|[^() ]+")


def read_phrases(path):
    """The labelled phrases of each tree in a PTB file: a list of (label, words), the root last."""
    with open(path, encoding="utf-8") as lines:
        return [phrases_of(line) for line in lines if line.strip()]


def phrases_of(line):
    phrases, open_phrases, words = [], [], []
    tokens = iter(TOKEN.findall(line.strip("\r\n")))
    for token in tokens:
        if token == "(":
            open_phrases.append((int(next(tokens)), len(words)))
        elif token == ")":
            label, start = open_phrases.pop()
            phrases.append((label, words[start:]))
        else:
            words.append(token)
    return phrases


class Bags:
    """The words of some phrases as columns of a weight matrix, one phrase after the other.

    Column 0 is a constant that every phrase has; words that are not in `column_of` are dropped.
    """

    def __init__(self, phrases, column_of):
        bags = [[0] + [column_of[word] for word in words if word in column_of] for _, words in phrases]
        self.labels = np.array([label for label, _ in phrases])
        self.columns = np.concatenate(bags)
        self.starts = np.cumsum([0] + [len(bag) for bag in bags[:-1]])
        self.phrase_of = np.repeat(np.arange(len(bags)), [len(bag) for bag in bags])

    def scores(self, weights):
        """Sums of the words' weights, shape [phrases, classes]."""
        return np.add.reduceat(weights[self.columns], self.starts)

    def pull_back(self, scores_adj, columns):
        """The adjoint of the weights, shape [columns, classes], from that of the scores."""
        per_word = scores_adj[self.phrase_of]
        return np.stack([np.bincount(self.columns, per_word[:, k], columns) for k in range(CLASSES)], axis=1)

    def accuracy(self, weights):
        return float(np.mean(self.scores(weights).argmax(axis=1) == self.labels))


def fit_softmax_regression(bags, columns, decay, steps=200):
    """Weights of shape [columns, classes], by Adagrad over the whole training set."""
    weights = np.zeros((columns, CLASSES))
    squares = np.full_like(weights, 1e-8)
    target = np.eye(CLASSES)[bags.labels]
    for _ in range(steps):
        scores = bags.scores(weights)
        likelihood = np.exp(scores - scores.max(axis=1, keepdims=True))
        likelihood /= likelihood.sum(axis=1, keepdims=True)
        gradient = bags.pull_back(likelihood - target, columns) / len(target) + decay * weights
        squares += gradient**2
        weights -= 0.3 * gradient / np.sqrt(squares)
    return weights


def bag_of_words_accuracy(training_phrases, dev_roots, test_roots):
    vocabulary = sorted({word for _, words in training_phrases for word in words})
    column_of = {word: 1 + place for place, word in enumerate(vocabulary)}
    train, dev, test = (Bags(phrases, column_of) for phrases in (training_phrases, dev_roots, test_roots))
    candidates = [fit_softmax_regression(train, 1 + len(vocabulary), decay) for decay in (1e-4, 1e-3, 1e-2)]
    return test.accuracy(max(candidates, key=dev.accuracy))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("train", "dev", "test"):
        parser.add_argument(f"--{name}", required=True, metavar="FILE", help=f"{name} sentences, one PTB tree a line")
    arguments = parser.parse_args()
    train, dev, test = (read_phrases(path) for path in (arguments.train, arguments.dev, arguments.test))
    dev_roots = [phrases[-1] for phrases in dev]
    test_roots = [phrases[-1] for phrases in test]
    train_roots = [phrases[-1] for phrases in train]

    majority = np.bincount([label for label, _ in train_roots]).argmax()
    hits = np.mean([label == majority for label, _ in test_roots])
    print(f"baselines: accuracy at the root of {len(test)} test sentences")
    print(f"  majority class                    {hits:.3f}")
    print(f"  bag of words, from sentences      {bag_of_words_accuracy(train_roots, dev_roots, test_roots):.3f}")
    every_phrase = [phrase for phrases in train for phrase in phrases]
    print(f"  bag of words, from every phrase   {bag_of_words_accuracy(every_phrase, dev_roots, test_roots):.3f}")


if __name__ == "__main__":
    main()
