"""A trial of several peers, side by side: each is a process, and one of them works at a time.

The speed of a machine may change from second to second. So a program asks for its turn before each round that it times (by a line on standard output;
trial/timing.py, limit/trial.h) and waits for a line on standard input: the rounds of all peers follow one another, and what is compared was
measured within seconds.
"""
import contextlib
import os
import signal
import subprocess
import tempfile
import threading
import time

from peers import BenchmarkError, environment_with, failure, too_long

TURN = "turn\t"     # and the case


def one_trial(peers, begins=lambda case: None):
    """A fresh run of each: {peer: its Measurements, or the BenchmarkError of one that is optional}. begins: is told each case when it is measured first."""
    processes, outcomes, order = [_Process(peer) for peer in peers], {}, []

    def work(process):
        process.work()
        if process.waits_for is None:
            outcomes[process.peer] = process.outcome()
        elif process.waits_for not in order:
            order.append(process.waits_for)
    try:
        for process in processes:   # until its first round: what it prepares is nobody's round
            work(process)
        begun = set()
        while waiting := [process for process in processes if process.waits_for is not None]:
            case = min((process.waits_for for process in waiting), key=order.index)
            if case not in begun:
                begun.add(case)
                begins(case)
            for process in waiting:
                if process.waits_for == case:
                    work(process)
    finally:
        for process in processes:
            process.end()
    return outcomes


class _Process:
    def __init__(self, peer):
        self.peer, self.waits_for = peer, None  # the case that it wants to measure next; None before it has started and when it has ended
        self._process, self._lines, self._seconds = None, [], 0.0

    def work(self):
        """Until it asks for its next turn, or ends; one that has worked for longer than it may is ended."""
        try:
            self._go_on()
        except OSError as error:
            if self._process is None:
                raise BenchmarkError(f"{self.peer.name}: {error}") from None
        self.waits_for = None
        start = time.monotonic()
        limit = threading.Timer(max(self.peer.limit - self._seconds, 0), self._kill)
        limit.start()
        for line in self._process.stdout:
            if line.startswith(TURN):
                self.waits_for = line[len(TURN):].strip() or self.peer.case
                break
            self._lines.append(line)
        else:
            self._process.wait()
        limit.cancel()
        self._seconds += time.monotonic() - start

    def outcome(self):
        """What it has measured; the error, if it is optional and has failed."""
        try:
            if self._seconds >= self.peer.limit:
                raise too_long(self.peer.name, self.peer.limit)
            output = "".join(self._lines)
            self._errors.seek(0)
            if self._process.returncode:
                raise failure(self.peer.name, self._process.returncode, self._errors.read() or output)
            return self.peer.measurements(output)
        except BenchmarkError as error:
            if not self.peer.optional:
                raise
            return error

    def end(self):
        if self._process:
            self._kill()
            self._process.wait()
            for file in (self._process.stdin, self._process.stdout, self._errors):
                with contextlib.suppress(OSError):
                    file.close()

    def _go_on(self):
        if self._process:
            self._process.stdin.write("\n")
            self._process.stdin.flush()
            return
        self._errors = tempfile.TemporaryFile("w+", errors="replace")
        self._process = subprocess.Popen(self.peer.command, env=environment_with(BENCHMARK_TURNS="1", **self.peer.environment), stdin=subprocess.PIPE,
                                         stdout=subprocess.PIPE, stderr=self._errors, text=True, start_new_session=True)

    def _kill(self):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)    # what it has started, too: a compiler, say
