"""The TreeLSTM of tree_lstm.py, trained from Python by lt.fit, and what it says of each phrase of a sentence.

    python examples/sentiment.py train --train TRAIN --dev DEV --weights best.safetensors --log run.jsonl --checkpoint run.ckpt
    python examples/sentiment.py show --weights best.safetensors --data DEV --html trees.html

`lantern plot run.jsonl` draws the first one's curves. Call it again and it goes on from its checkpoint.
"""
import argparse
import itertools
import os
import shutil
import sys

import lantern as lt
from tree_lstm import Tree, TreeLSTM, size
from tree_view import Phrase, page_of, text_of


def train(arguments):
    words = lt.vocabulary(arguments.train)
    trees, dev = (lt.treebank(path, words, Tree) for path in (arguments.train, arguments.dev))
    lt.seed(arguments.seed)
    model = TreeLSTM(len(words), arguments.embedding, arguments.hidden, dropout=arguments.dropout)
    judge = lt.function(judged)

    def validate():
        found = [judge(model, tree) for tree in dev]
        return {"roots": sum(root for root, _ in found) / len(dev), "all nodes": sum(nodes for _, nodes in found) / sum(map(size, dev))}
    loss = model.loss if arguments.dropout else lambda tree: model.loss(tree)     # without a key nothing is dropped
    lt.fit(model, loss, trees, lt.optim.Adagrad(arguments.learning_rate), epochs=arguments.epochs, seed=arguments.seed, validate=validate,
           monitor="roots", mode="max", patience=arguments.patience, on_best=lambda: lt.save(arguments.weights, model, words),
           checkpoint=arguments.checkpoint, checkpoint_every=1000 if arguments.checkpoint else None, log=arguments.log)


def judged(model: lt.static[object], tree: Tree):
    """Whether the root of a tree is guessed right, and how many of its nodes are."""
    h, c, loss, right = model.encode(tree)
    return lt.argmax(model.scores(h)) == tree.label, right


def show(arguments):
    words = lt.load_vocabulary(arguments.weights)
    shapes = {name: array.shape for name, array in lt.load_arrays(arguments.weights).items()}
    model = TreeLSTM(*shapes["embedding"], hidden=shapes["head"][1], classes=shapes["head"][0])
    lt.load(arguments.weights, model)

    @lt.function
    def probabilities(tree: Tree):
        h, c, loss, right = model.encode(tree)
        return lt.softmax(model.scores(h))
    own = lt.vocabulary(arguments.data)     # of words that the model does not know, too
    pairs = zip(lt.treebank(arguments.data, words, Tree), lt.treebank(arguments.data, own, Tree))
    sentences = [phrase_of(probabilities, own, *pair) for pair in itertools.islice(pairs, arguments.first)]
    if not sentences:
        sys.exit(f"{arguments.data}: there is no tree in it")
    if arguments.html:
        with open(arguments.html, "w", encoding="utf-8") as file:
            file.write(page_of(sentences, os.path.basename(arguments.data)))
    else:
        colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        print("\n\n".join(text_of(sentence, colour, shutil.get_terminal_size().columns) for sentence in sentences))


def phrase_of(probabilities, words, tree, named):
    """A tree and its twin that names all words → a Phrase."""
    parts = () if tree.left is None else (phrase_of(probabilities, words, tree.left, named.left), phrase_of(probabilities, words, tree.right, named.right))
    said = parts[0].words + parts[1].words if parts else [words[named.word]]
    return Phrase(said, tree.label, probabilities(tree).tolist(), parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)
    training = commands.add_parser("train", help="train a model, and keep the epoch that is best on dev")
    training.set_defaults(run=train)
    for name in ("train", "dev", "weights"):
        training.add_argument(f"--{name}", required=True)
    for name, value in (("epochs", 10), ("seed", 1), ("patience", 3), ("embedding", 300), ("hidden", 150), ("learning-rate", 0.05), ("dropout", 0.0)):
        training.add_argument(f"--{name}", type=type(value), default=value, help=f"{value} by default")
    training.add_argument("--checkpoint")
    training.add_argument("--log", action="append", default=[])
    showing = commands.add_parser("show", help="print trees with what a model says of each phrase, or write them as a page")
    showing.set_defaults(run=show)
    for name in ("weights", "data"):
        showing.add_argument(f"--{name}", required=True)
    showing.add_argument("--first", type=int, default=10, help="so many trees: 10 by default")
    showing.add_argument("--html", help="the page; without it, the terminal")
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    try:
        main()
    except (lt.DataError, OSError) as error:
        sys.exit(str(error))
