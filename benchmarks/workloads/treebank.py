"""The labelled trees that several workloads run on."""
import os
import pathlib
import sys

# So many trees, evenly spread, one batch of the largest size: all of them would take minutes.
TREES = 256
SHARE = 25


def lines_of(name, arguments):
    """The lines of the treebank, one tree each; None, after saying so, if there is no treebank. name: of the workload."""
    path = arguments.treebank
    if path is None:
        folder = os.environ.get("LANTERN_DATA")
        if not folder:
            print(f"{name}: skipped. Set LANTERN_DATA to a folder that holds sst/dev.txt, or give a file by --treebank", file=sys.stderr)
            return None
        path = pathlib.Path(folder) / "sst" / "dev.txt"
    try:
        lines = [line for line in path.read_text("utf-8").splitlines() if line.strip()]
    except OSError as error:
        print(f"{name}: skipped. {path}: {error.strerror}", file=sys.stderr)
        return None
    if arguments.small:
        return lines[:3]
    return _spread(lines, TREES) if arguments.trees is None else lines[: arguments.trees or None]


def files(lines, folder):
    """The file of all trees, that of a slow peer's share, as long as the others on average, and what a reader has to know of the share."""
    if len(lines) <= SHARE:
        share, note = lines, ""
    else:
        share = _spread(sorted(lines, key=lambda line: line.count("(")), SHARE)
        note = f"over {len(share)} of the trees, {nodes(share):.1f} nodes each"
    return _write(folder / "trees.txt", lines), _write(folder / "trees-torch.txt", share), note


def nodes(lines):
    """How many nodes a tree has, on average."""
    return sum(line.count("(") for line in lines) / len(lines)


def _spread(lines, count):
    return [lines[(2 * i + 1) * len(lines) // (2 * count)] for i in range(count)] if count < len(lines) else lines


def _write(path, lines):
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path
