"""What the programs that are measured print, and how they measure it. Lines, their fields set apart by tabs; peers.py reads them:

    turn    CASE                  asks for its turn, a round of CASE: turns.py answers by a line on standard input. Without $BENCHMARK_TURNS it has it
    rate    CASE  NUMBER...       units of work a second (of `compile`, seconds), round by round; CASE is empty where a program measures one thing
    latency CASE  P50 P95 P99     microseconds that a call takes: the median, and what 95 and 99 of a hundred calls do not exceed
    value   NAME  NUMBER  SCALE   what all peers must agree on, up to a thousandth of SCALE
    memory  BEFORE  PEAK  CODE    bytes that were resident before the work, at most until now, and of those the files mapped since

The standard library alone: any Python that has a peer installed can import this.
"""
import os
import sys
import time

ROUNDS = 5      # of a case in a trial, fewer where they take long
ROUND = 0.02    # seconds, at least
LONGEST = 2     # seconds, after which there is no further round
PERCENTILES = (50, 95, 99)


def rate(case, units, work):
    """Calls work() in rounds, after a call that is not timed, and prints how many units a second that is, round by round.

    units: of work in one call. A round is one call; where that takes less than ROUND seconds, as many as fit.
    """
    work()
    _turn(case)
    once = max(_seconds(work, 1), 1e-9)
    calls = max(1, int(ROUND / once))
    taken = [once] if calls == 1 else []
    while len(taken) < ROUNDS and calls * sum(taken) < LONGEST:
        _turn(case)
        if calls > 1:
            work()  # what it reads may have left the processor's caches meanwhile
        taken.append(_seconds(work, calls) / calls)
    line("rate", case, *(units / seconds for seconds in taken))


def rate_of_difference(case, units, run):
    """For a program that prepares its data itself and has run before: a round is run(passes) less run(0), which prepares and does no work."""
    _turn(case)
    passes, prepared = 1, _seconds(lambda: run(0), 1)
    while _seconds(lambda: run(passes), 1) - prepared < max(prepared / 2, ROUND):   # too little: the difference would be noise
        passes *= 2
    taken = []
    while len(taken) < ROUNDS and sum(taken) < LONGEST:
        _turn(case)
        seconds = _seconds(lambda: run(passes), 1)
        prepared = min(prepared, _seconds(lambda: run(0), 1))
        taken.append(seconds - prepared)
    line("rate", case, *(units * passes / seconds for seconds in taken))


def latencies(case, works):
    """How long a call takes, of each of works, called one after the other in each round, after a first call that is not timed: percentiles.

    Also their rates: calls a second.
    """
    for work in works:
        work()
    rounds = []
    while len(rounds) < ROUNDS and sum(map(sum, rounds)) < LONGEST:
        _turn(case)
        rounds.append([_seconds(work, 1) for work in works])
    taken = sorted(seconds for of_round in rounds for seconds in of_round)
    line("rate", case, *(len(of_round) / sum(of_round) for of_round in rounds))
    line("latency", case, *(1e6 * percentile(taken, share) for share in PERCENTILES))


def percentile(sorted_numbers, share):
    """The smallest number that such a share of them does not exceed."""
    return sorted_numbers[max(0, -(-len(sorted_numbers) * share // 100) - 1)]


def value(name, number):
    """A number that every peer has to find, too."""
    line("value", name, float(number), abs(float(number)))


def sample(name, numbers, places=8):
    """The size of an array (root mean square), and some of its elements; numbers: all of them, row-major."""
    numbers = [float(number) for number in numbers]
    size = (sum(number * number for number in numbers) / len(numbers)) ** 0.5
    line("value", f"{name} rms", size, size)
    for i in range(places):
        at = (2 * i + 1) * len(numbers) // (2 * places)
        line("value", f"{name}[{at}]", numbers[at], size)


class Memory:
    """This process's resident memory: `before = Memory()`, then, when the work is done, `before.print()`.

    What was needed before, to make data, and has been given back is not counted. What lt.function compiles with is, and stays: 70 MiB.
    """

    def __init__(self):
        self.before, self.files_before = _status("VmRSS"), _status("RssFile")
        try:
            with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
                file.write("5")     # the peak so far is forgotten
        except OSError:
            pass

    def print(self):
        line("memory", self.before, _status("VmHWM"), _status("RssFile") - self.files_before)


def _status(field):
    """Bytes, as Linux counts them for this process alone; 0 elsewhere. (ru_maxrss would count what it was started from, too.)"""
    try:
        with open("/proc/self/status", encoding="ascii") as lines:
            return next(1024 * int(line.split()[1]) for line in lines if line.startswith(field + ":"))
    except (OSError, StopIteration):
        return 0


def _turn(case):
    if os.environ.get("BENCHMARK_TURNS"):
        line("turn", case)
        sys.stdin.readline()


def _seconds(work, calls):
    start = time.perf_counter()
    for _ in range(calls):
        work()
    return time.perf_counter() - start


def line(*fields):
    """Prints one of the lines above, for what the functions here do not measure."""
    print(*fields, sep="\t", flush=True)
