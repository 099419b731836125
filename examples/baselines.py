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


def count_words(phrases, column_of):
    """Word counts, shape [phrases, vocabulary + 1]; the last column is a constant 1. Unknown words are dropped."""
    counts = np.zeros((len(phrases), len(column_of) + 1))
    counts[:, -1] = 1
    for row, (_, words) in enumerate(phrases):
        for word in words:
            if word in column_of:
                counts[row, column_of[word]] += 1
    return counts


def fit_softmax_regression(counts, labels, decay, steps=300):
    """Weights of shape [vocabulary + 1, classes], by Adagrad over the whole training set."""
    weights = np.zeros((counts.shape[1], CLASSES))
    squares = np.full_like(weights, 1e-8)
    target = np.eye(CLASSES)[labels]
    for _ in range(steps):
        scores = counts @ weights
        likelihood = np.exp(scores - scores.max(axis=1, keepdims=True))
        likelihood /= likelihood.sum(axis=1, keepdims=True)
        gradient = counts.T @ (likelihood - target) / len(labels) + decay * weights
        squares += gradient**2
        weights -= 0.3 * gradient / np.sqrt(squares)
    return weights


def bag_of_words_accuracy(training_phrases, dev_roots, test_roots):
    vocabulary = sorted({word for _, words in training_phrases for word in words})
    column_of = {word: column for column, word in enumerate(vocabulary)}
    counts = count_words(training_phrases, column_of)
    labels = np.array([label for label, _ in training_phrases])

    def accuracy(weights, roots):
        guesses = (count_words(roots, column_of) @ weights).argmax(axis=1)
        return float(np.mean(guesses == [label for label, _ in roots]))

    candidates = [fit_softmax_regression(counts, labels, decay) for decay in (1e-4, 1e-3, 1e-2)]
    chosen = max(candidates, key=lambda weights: accuracy(weights, dev_roots))
    return accuracy(chosen, test_roots)


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
