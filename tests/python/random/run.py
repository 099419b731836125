"""Runs random programs: `python tests/python/random/run.py plain|compiled|typed|places --seed S --count N`; see README.md."""

import argparse
import collections
import json
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "frontend"), str(HERE.parents[2] / "python")]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mode", choices=("plain", "compiled", "typed", "places"))
    parser.add_argument("--seed", default="1")
    parser.add_argument("--first", type=int, default=0, help="number of the first program")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--batch", type=int, default=50, help="programs that are converted, or compiled, together")
    parser.add_argument("--most", type=int, default=5, help="kinds of failure that are shrunk, before it stops")
    parser.add_argument("--keep", type=pathlib.Path, default=HERE / "regressions", help="where shrunk programs go")
    parser.add_argument("--counts", action="store_true", help="print how often each construct was chosen")
    options = parser.parse_args()
    if options.mode == "plain":
        from plain import Plain as Comparison
    elif options.mode == "typed":
        from derivatives import Derivatives as Comparison
    elif options.mode == "places":
        from compiled import Places as Comparison
    else:
        from compiled import Compiled as Comparison
    comparison, counts, kinds = Comparison(), collections.Counter(), {}
    began, ran = time.time(), 0
    for first in range(options.first, options.first + options.count, options.batch):
        numbers = range(first, min(first + options.batch, options.first + options.count))
        programs = comparison.generate(options.seed, numbers, counts)
        ran += len(programs)
        for failure in comparison.compare(programs):
            if failure.kind() in kinds:
                continue
            kinds[failure.kind()] = failure
            text = comparison.shrunk(failure)
            path = options.keep / f"{options.mode}_{options.seed}_{failure.number}.py"
            path.write_text(text)
            print(f"program {failure.number} differs; shrunk, in {path}:\n{text}")
            for again in comparison.compare({failure.number: text}):
                for expected, got in again.differences():
                    print(f"  expected {str(expected)[:500]}\n  got      {str(got)[:500]}", flush=True)
        if first // options.batch % 100 == 99 or len(kinds) >= options.most:
            print(f"{ran} programs, {ran / (time.time() - began):.0f} a second, up to number {numbers[-1]}; {len(kinds)} kinds of failure",
                  comparison.summary(), flush=True)
        if len(kinds) >= options.most:
            break
    if options.counts:
        print(json.dumps(dict(sorted(counts.items())), indent=1))
    print(f"{ran} programs, {len(kinds)} kinds of failure {comparison.summary()}")
    return 1 if kinds else 0


if __name__ == "__main__":
    sys.exit(main())
