"""Trains examples/tree_lstm.py on the whole Stanford Sentiment Treebank and writes down what came of it.

    python3 benchmarks/sst.py                    trains on $LANTERN_DATA/sst: seeds 1 2 3, plainly and regularised, and seed 1 frozen
    python3 benchmarks/sst.py --from-logs DIR    reads DIR/KIND_SEED.txt, outputs of earlier runs (the kinds are those of KINDS)

Batch 1, Adagrad 0.05, loss at every node, the epoch chosen on dev. Writes docs/sst.md and, where matplotlib can be
imported, docs/sst.svg.
"""
import argparse
import os
import pathlib
import re
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
EPOCH = re.compile(r"epoch (\d+): mean loss ([\d.]+)\n\s+dev accuracy: roots ([\d.]+), all nodes ([\d.]+)")
TEST = re.compile(r"test accuracy: roots ([\d.]+), all nodes ([\d.]+)")


# What is trained, and by which flags.
KINDS = {"trained": ("embedding trained", []), "regularized": ("dropout 0.5, annealed", ["--dropout=0.5", "--anneal"]),
         "frozen": ("embedding frozen", ["--frozen"])}


def command(data, seed, epochs, kind):
    files = [f"--{part}={data / (part + '.txt')}" for part in ("train", "dev", "test")]
    return [str(ROOT / "build/bin/lantern"), "run", str(ROOT / "examples/tree_lstm.py"), "train", *files,
            f"--epochs={epochs}", f"--seed={seed}", *KINDS[kind][1]]


def run(name, arguments, folder):
    print(name, "…", file=sys.stderr, flush=True)
    output = subprocess.run(arguments, check=True, text=True, stdout=subprocess.PIPE).stdout
    (folder / f"{name}.txt").write_text(output)


def parse(path):
    text = path.read_text()
    epochs = [(int(n), float(loss), float(roots), float(nodes)) for n, loss, roots, nodes in EPOCH.findall(text)]
    test = TEST.search(text)
    if not epochs or not test:
        sys.exit(f"{path}: not the output of a finished run")
    return {"epochs": epochs, "test_roots": float(test[1]), "test_nodes": float(test[2])}


def table(runs):
    lines = ["| run | best dev epoch | dev roots | test roots | test, all nodes |", "|---|---|---|---|---|"]
    for name, run_ in runs.items():
        best = max(run_["epochs"], key=lambda epoch: (epoch[2], epoch[0]))
        lines.append(f"| {name} | {best[0]} | {best[2]:.4f} | {run_['test_roots']:.4f} | {run_['test_nodes']:.4f} |")
    return "\n".join(lines)


def curves(runs):
    epochs = max(len(run_["epochs"]) for run_ in runs.values())
    lines = ["| epoch | " + " | ".join(runs) + " |", "|---|" + "---|" * len(runs)]
    for i in range(epochs):
        cells = [f"{r['epochs'][i][1]:.2f}, {r['epochs'][i][2]:.4f}" if i < len(r["epochs"]) else "" for r in runs.values()]
        lines.append(f"| {i + 1} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def mean(runs, kind):
    roots = [run_["test_roots"] for name, run_ in runs.items() if name.startswith(KINDS[kind][0])]
    spread = f" ± {statistics.stdev(roots):.4f}" if len(roots) > 1 else ""
    return f"{statistics.mean(roots):.4f}{spread}" if roots else "not run"


def plot(runs, path):
    try:
        import matplotlib
    except ImportError:
        print("no plot: matplotlib cannot be imported", file=sys.stderr)
        return False
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "lantern"  # the same text for the same runs
    from matplotlib import pyplot
    figure, (loss, accuracy) = pyplot.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
    for name, run_ in runs.items():
        numbers = [epoch[0] for epoch in run_["epochs"]]
        loss.plot(numbers, [epoch[1] for epoch in run_["epochs"]], marker=".", label=name)
        accuracy.plot(numbers, [epoch[2] for epoch in run_["epochs"]], marker=".", label=name)
    loss.set(title="mean training loss of a tree", xlabel="epoch")
    accuracy.set(title="dev accuracy, roots, five labels", xlabel="epoch")
    loss.legend(fontsize=8)
    figure.savefig(path, metadata={"Date": None})
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--from-logs", type=pathlib.Path)
    arguments = parser.parse_args()
    logs = arguments.from_logs
    if logs is None:
        if not os.environ.get("LANTERN_DATA"):
            sys.exit("set LANTERN_DATA to the folder that holds sst/train.txt, dev.txt and test.txt")
        logs = ROOT / "build/bench/sst"
        logs.mkdir(parents=True, exist_ok=True)
        data = pathlib.Path(os.environ["LANTERN_DATA"]) / "sst"
        for kind in KINDS:
            for seed in arguments.seeds[:1] if kind == "frozen" else arguments.seeds:
                run(f"{kind}_{seed}", command(data, seed, arguments.epochs, kind), logs)
    runs = {}
    for kind, (name, _) in KINDS.items():
        for path in sorted(logs.glob(f"{kind}_*.txt")):
            runs[f"{name}, seed {path.stem.split('_')[1]}"] = parse(path)
    drawn = plot(runs, ROOT / "docs/sst.svg")
    (ROOT / "docs/sst.md").write_text(f"""# The Stanford Sentiment Treebank

`examples/tree_lstm.py` as generated C++, on the whole of SST: trained tree by tree on `train.txt` (8,544 trees) with
Adagrad 0.05 and the loss at every node, embedding 300 initialised in ±0.05, hidden 150, the epoch chosen on `dev.txt`.
Fine-grained (five labels) accuracy on `test.txt`:

{table(runs)}

At the roots, mean and spread of the seeds: plainly **{mean(runs, "trained")}**; with dropout 0.5 of words' vectors and of what labels are
read from, and the learning rate let fall to 0 along half a cosine, **{mean(runs, "regularized")}**. Tai et al. (2015)
report 0.439 ± 0.006 for randomly initialised embeddings. The frozen run shows what the embedding's gradient is worth.
{"" if not drawn else chr(10) + "![loss and accuracy by epoch](sst.svg)" + chr(10)}
Mean training loss of a tree, and dev accuracy at the roots, by epoch:

{curves(runs)}

To repeat: `LANTERN_DATA=DIR python3 benchmarks/sst.py`, with the treebank in `DIR/sst`.
""")


if __name__ == "__main__":
    main()
