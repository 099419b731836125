"""An interrupt, by a signal, of a compiled program that calls back into Python."""
import signal
import threading

import pytest

import lantern as lt


class Interrupt(Exception):
    pass


@pytest.fixture
def interrupts():
    """Called with seconds, and what is done as it comes: this thread is interrupted then."""
    done = []

    def interrupt(number, frame):
        done[-1]()
        raise Interrupt
    before = signal.signal(signal.SIGALRM, interrupt)
    yield lambda seconds, do: (done.append(do), signal.setitimer(signal.ITIMER_REAL, seconds))
    signal.signal(signal.SIGALRM, before)


def test_an_interrupt_is_the_callers_wherever_it_comes(interrupts):
    """And at once: of what the program calls, no more than what it is in."""
    calls, calls_then = [], []

    def one():
        calls.append(None)
        return 1.0

    @lt.function
    def program(n: int):
        total = 0.0
        for i in range(n):
            total = total + lt.py_function(one, (), float)
        return total + 0.0 * lt.item(lt.uniform(0.0, 1.0))
    assert program(3) == 3.0
    for k in range(300):
        calls_then.clear()
        try:        # it may come before the call: pytest.raises is not within itself
            interrupts(0.0005 + 0.00001 * k, lambda: calls_then.append(len(calls)))
            program(100_000)
        except Interrupt:
            pass
        [before] = calls_then
        assert len(calls) <= before + 1
    assert program(3) == 3.0
    thread = threading.Thread(target=lambda: lt.uniform(0.0, 1.0))      # the stream of random numbers is nobody's
    thread.start()
    thread.join(20)
    assert not thread.is_alive()
