"""Training a TreeLSTM tree by tree: our generated program, the same by hand, and eager PyTorch."""
import os
import pathlib
import sys

from peers import HERE, Roster, lantern

TITLE = "TreeLSTM, batch 1"
UNIT = "trees/s"
TORCH_TREES = 130  # about so many of them, evenly spread, for PyTorch: all would take minutes


def data(arguments):
    """The lines of the treebank, one tree each; None, after saying so, if there is no treebank."""
    path = arguments.treebank
    if path is None:
        folder = os.environ.get("LANTERN_DATA")
        if not folder:
            print("treelstm: skipped. Set LANTERN_DATA to a folder that holds sst/dev.txt, or give a file by --treebank",
                  file=sys.stderr)
            return None
        path = pathlib.Path(folder) / "sst" / "dev.txt"
    try:
        lines = [line for line in path.read_text("utf-8").splitlines() if line.strip()]
    except OSError as error:
        print(f"treelstm: skipped. {path}: {error.strerror}", file=sys.stderr)
        return None
    return lines[: arguments.trees] if arguments.trees else lines


def prepare(lines, arguments, folder):
    roster = Roster(arguments, folder)
    treebank = write(folder / "trees.txt", lines)
    program = lantern("compile", HERE / "ours" / "treelstm.py", "--emit", "so").strip()
    roster.ours("generated_trial.py", program, "train", treebank, len(lines), arguments.passes, note="generated from `examples/tree_lstm.py`")
    roster.by_hand("treelstm_handwritten.cpp", treebank, arguments.passes, note="on the same runtime")
    share = lines[:: max(1, len(lines) // TORCH_TREES)]
    roster.torch("eager", "treelstm.py", write(folder / "trees-torch.txt", share), "--trees", len(share), "--passes", 1,
                 note=f"over {len(share)} of the trees, {nodes(share):.1f} nodes each")
    return roster


def settings(lines, arguments):
    """What every peer does, in a sentence."""
    return (f"{len(lines)} trees of {nodes(lines):.1f} nodes on average, each a step of Adagrad; embedding 300, frozen; hidden 150; "
            f"loss at every node; f32; one thread; {arguments.passes} passes a trial after a first, which is not timed.")


def nodes(lines):
    """How many nodes a tree has, on average."""
    return sum(line.count("(") for line in lines) / len(lines)


def write(path, lines):
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path
