"""What the programs that are measured print, and how they measure it. Lines, their fields set apart by tabs; peers.py reads them:

    rate    CASE  NUMBER          units of work a second (of `compile`, seconds); CASE is empty where a program measures one thing
    latency CASE  P50 P95 P99     microseconds that a call takes: the median, and what 95 and 99 of a hundred calls do not exceed
    value   NAME  NUMBER  SCALE   what all peers must agree on, up to a thousandth of SCALE
    memory  BEFORE  PEAK  CODE    bytes that were resident before the work, at most until now, and of those the files mapped since

The standard library alone: any Python that has a peer installed can import this.
"""
import statistics
import time

ROUNDS = 5
PERCENTILES = (50, 95, 99)


def rate(case, units, work, seconds=0.1):
    """Calls work() for about so many seconds, after a call that is not timed, and prints how many units that is a second.

    units: of work in one call. The rate is that of the median of five rounds, of fewer where a call takes long.
    """
    work()
    once = max(_seconds(work, 1), 1e-9)
    calls = max(1, int(seconds / ROUNDS / once))
    taken = [once] if calls == 1 else []
    while len(taken) < ROUNDS and calls * sum(taken) < seconds:
        taken.append(_seconds(work, calls) / calls)
    line("rate", case, units / statistics.median(taken))


def rate_of_passes(case, units, work, passes):
    """As `rate`, where one call takes long enough to be timed by itself: the median of so many calls after a first."""
    work()
    line("rate", case, units / statistics.median(_seconds(work, 1) for _ in range(passes)))


def rate_of_difference(case, units, run, passes):
    """For a program that prepares its data itself and has run before: run(passes) less run(0), which prepares and does no work.

    passes: at least. More, where those take so little time that the difference would be noise.
    """
    prepared = _seconds(lambda: run(0), 1)
    while (taken := _seconds(lambda: run(passes), 1) - prepared) < max(prepared / 2, 0.02):
        passes *= 2
    line("rate", case, units * passes / taken)


def latencies(case, works, rounds):
    """How long a call takes, of each of works, called one after the other so many times after a first that is not timed: percentiles.

    Also their rate: calls a second.
    """
    for work in works:
        work()
    taken = sorted(_seconds(work, 1) for _ in range(rounds) for work in works)
    line("rate", case, len(taken) / sum(taken))
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


def _seconds(work, calls):
    start = time.perf_counter()
    for _ in range(calls):
        work()
    return time.perf_counter() - start


def line(*fields):
    """Prints one of the lines above, for what the functions here do not measure."""
    print(*fields, sep="\t", flush=True)
