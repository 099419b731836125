"""Training a TreeLSTM tree by tree: our generated program, the same by hand, and eager PyTorch."""
import os
import pathlib
import sys

from peers import Peer, build_cpp, lantern, python_with

HERE = pathlib.Path(__file__).resolve().parent
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
    """The peers, ours first, built; and what is left out, with the reason."""
    treebank = write(folder / "trees.txt", lines)
    program = lantern("compile", HERE / "treelstm_bench.py", "--emit", "so").strip()
    trial = [sys.executable, HERE / "generated_trial.py", program, "train", treebank, len(lines), arguments.passes]
    peers, absent = [Peer("lantern", trial, "generated from `examples/tree_lstm.py`")], []
    if "limit" in arguments.without:
        absent.append("the hand-written program: left out by --without.")
    else:
        by_hand = build_cpp(HERE / "limit" / "treelstm_handwritten.cpp", folder)
        peers.append(Peer("by hand", [by_hand, treebank, arguments.passes], "`benchmarks/limit`, on the same runtime"))
    if "torch" in arguments.without:
        absent.append("PyTorch: left out by --without.")
    elif python := python_with("torch"):
        share = lines[:: max(1, len(lines) // TORCH_TREES)]
        command = [python, HERE / "torch" / "treelstm_torch.py", write(folder / "trees-torch.txt", share),
                   "--trees", len(share), "--passes", 1]
        peers.append(Peer("PyTorch, eager", command, f"`benchmarks/torch`, over {len(share)} of the trees, {nodes(share):.1f} nodes each"))
    else:
        absent.append("PyTorch: no Python here can import torch (pip install torch).")
    return peers, absent


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
