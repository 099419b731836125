"""Times one entry of a built program: generated_trial.py PROGRAM.so ENTRY TREEBANK TREES PASSES

The entry takes (treebank, passes). It is called for one pass, then for PASSES more, and the rate is that of the
difference: reading and initialising are out of it. Prints `lantern R trees/s, loss L`.
"""
import sys
import time

from lantern.compiled import Program


def main():
    path, entry, treebank, trees, passes = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
    call = Program(path, {}).entry(entry)

    def seconds(count):
        start = time.perf_counter()
        loss, = call(treebank, count)
        return time.perf_counter() - start, loss

    first, _ = seconds(1)
    all_, loss = seconds(1 + passes)
    print(f"lantern {trees * passes / (all_ - first):.1f} trees/s, loss {loss:.4f}")


if __name__ == "__main__":
    main()
