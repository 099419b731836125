"""Times one entry of a built program: generated_trial.py PROGRAM.so ENTRY TREEBANK TREES PASSES

The entry takes (treebank, passes); reading and initialising are out of the rate.
"""
import sys

from lantern.compiled import Program
from timing import Memory, rate_of_difference


def main():
    path, entry, treebank, trees, passes = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
    call = Program(path, {}).entry(entry)
    memory = Memory()

    rate_of_difference("", trees, lambda count: call(treebank, count), passes)
    memory.print()


if __name__ == "__main__":
    main()
