"""Optimisers, ours and a few of a user's, and the formulas of their papers, as NumPy over whole arrays."""
import math

import numpy as np

import lantern as lt


def sgd(g, w, s, t, rate, momentum=None, nesterov=False, decay=0.0):
    g = g + decay * w
    if momentum is None:
        return w - rate * g
    s["v"] = momentum * s.get("v", 0) + g
    return w - rate * (g + momentum * s["v"] if nesterov else s["v"])


def adagrad(g, w, s, t, rate, epsilon=1e-10, decay=0.0):
    g = g + decay * w
    s["sum"] = s.get("sum", 0) + g**2
    return w - rate * g / (np.sqrt(s["sum"]) + epsilon)


def adam(g, w, s, t, rate, b1=0.9, b2=0.999, epsilon=1e-8, decay=0.0, decoupled=0.0):
    g = g + decay * w
    w = w - rate * decoupled * w
    s["m"] = b1 * s.get("m", 0) + (1 - b1) * g
    s["v"] = b2 * s.get("v", 0) + (1 - b2) * g**2
    return w - rate * (s["m"] / (1 - b1**t)) / (np.sqrt(s["v"] / (1 - b2**t)) + epsilon)


def lazy_adam(g, w, s, t, rate, **options):
    before = {"w": w, "m": s.get("m", 0 * w), "v": s.get("v", 0 * w)}
    w = adam(g, w, s, t, rate, **options)
    s["m"], s["v"] = np.where(g == 0, before["m"], s["m"]), np.where(g == 0, before["v"], s["v"])
    return np.where(g == 0, before["w"], w)


class Held(lt.optim.Optimizer):
    """Leaves what is 0.5 where it is."""

    memory = {"steps": 1.0, "sum": 0.0}

    def rule(self, now, gradient, parameter, steps, total):
        still = parameter == 0.5
        return lt.where(still, parameter, parameter - now * gradient / steps), lt.where(still, steps, steps + 1.0), lt.where(still, total, total + gradient)


class Three(lt.optim.Optimizer):
    """Stops when its own memory says so, which changes in the step that it is told of."""

    memory = {"steps": 1.0, "sum": 0.0}

    def rule(self, now, gradient, parameter, steps, total):
        still = steps == 3.0
        return lt.where(still, parameter, parameter - now * gradient), lt.where(still, steps, steps + 1.0), lt.where(still, total, total + gradient + steps)


class Clipped(lt.optim.Optimizer):
    """Moves where the gradient, with what it remembers, is not small."""

    memory = {"sum": 0.0}

    def rule(self, now, gradient, parameter, total):
        small = lt.abs(gradient + 0.5 * total) <= 0.8
        return lt.where(small, parameter, parameter - now * gradient), lt.where(small, total, 0.5 * total + gradient)


class HeldApart(lt.optim.Optimizer):
    """The parameter is left for another reason than its memory is."""

    memory = {"sum": 0.0}

    def rule(self, now, gradient, parameter, total):
        total = lt.where(gradient == 0.0, total, total + gradient)
        return lt.where(parameter == 0.5, parameter, parameter - now * total), total


class Delayed(lt.optim.Optimizer):
    """Steps along the gradient before the last: what it remembers moves on as it is."""

    memory = {"last": 0.0, "before": 0.0}

    def rule(self, now, gradient, parameter, last, before):
        return parameter - now * before, gradient, last


class Plainly(lt.optim.Optimizer):
    """One array, one condition."""

    leaves_rows = True

    def rule(self, now, gradient, parameter):
        return (lt.where(0.0 == gradient, parameter, parameter - now * gradient + 0.01),)


def held(g, w, s, t, rate):
    steps = s.get("steps", np.ones_like(w))
    s["steps"] = np.where(w == 0.5, steps, steps + 1)
    return np.where(w == 0.5, w, w - rate * g / steps)


def three(g, w, s, t, rate):
    steps, total = s.get("steps", np.ones_like(w)), s.get("sum", 0)
    s["steps"], s["sum"] = np.where(steps == 3, steps, steps + 1), np.where(steps == 3, total, total + g + steps)
    return np.where(steps == 3, w, w - rate * g)


def clipped(g, w, s, t, rate):
    total = s.get("sum", np.zeros_like(w))
    small = abs(g + 0.5 * total) <= 0.8
    s["sum"] = np.where(small, total, 0.5 * total + g)
    return np.where(small, w, w - rate * g)


def held_apart(g, w, s, t, rate):
    s["sum"] = s.get("sum", 0) + g
    return np.where(w == 0.5, w, w - rate * s["sum"])


def delayed(g, w, s, t, rate):
    before = s.get("before", 0)
    s["before"], s["last"] = s.get("last", 0), g
    return w - rate * before


def plainly(g, w, s, t, rate):
    return np.where(g == 0, w, w - rate * g + 0.01)


RULES = {
    "sgd": (lambda rate: lt.optim.SGD(rate), sgd, {}),
    "sgd, decay": (lambda rate: lt.optim.SGD(rate, weight_decay=0.3), sgd, {"decay": 0.3}),
    "momentum": (lambda rate: lt.optim.SGD(rate, momentum=0.9), sgd, {"momentum": 0.9}),
    "nesterov": (lambda rate: lt.optim.SGD(rate, 0.8, nesterov=True, weight_decay=0.01), sgd, {"momentum": 0.8, "nesterov": True, "decay": 0.01}),
    "adagrad": (lambda rate: lt.optim.Adagrad(rate), adagrad, {}),
    "adagrad, decay": (lambda rate: lt.optim.Adagrad(rate, weight_decay=0.2), adagrad, {"decay": 0.2}),
    "adam": (lambda rate: lt.optim.Adam(rate), adam, {}),
    "adam, decay": (lambda rate: lt.optim.Adam(rate, 0.8, 0.9, 1e-3, weight_decay=0.1), adam, {"b1": 0.8, "b2": 0.9, "epsilon": 1e-3, "decay": 0.1}),
    "lazy adam": (lambda rate: lt.optim.LazyAdam(rate, 0.8), lazy_adam, {"b1": 0.8}),
    "held": (Held, held, {}),
    "three": (Three, three, {}),
    "clipped": (Clipped, clipped, {}),
    "held apart": (HeldApart, held_apart, {}),
    "delayed": (Delayed, delayed, {}),
    "plainly": (Plainly, plainly, {}),
    "adamw": (lambda rate: lt.optim.AdamW(rate), adam, {"decoupled": 0.01}),
}


def half_at_a_time(step):
    """A schedule of the user's, with a condition."""
    if step < 2:
        return 0.2
    return 0.1 / step


SCHEDULES = {
    "constant": (lt.optim.constant(0.2), lambda k: 0.2),
    "stepwise": (lt.optim.stepwise(0.2, 2, 0.5), lambda k: 0.2 * 0.5 ** (k // 2)),
    "exponential": (lt.optim.exponential(0.2, 0.9, 3), lambda k: 0.2 * 0.9 ** (k / 3)),
    "cosine": (lt.optim.cosine(0.2, 3, 0.05), lambda k: 0.05 + 0.15 * (1 + math.cos(math.pi * min(k, 3) / 3)) / 2),
    "warm up": (lt.optim.warm_up(2, 0.2), lambda k: 0.2 * min(1.0, (k + 1) / 2)),
    "warm up, then": (lt.optim.warm_up(2, lt.optim.stepwise(0.2, 1, 0.5)), lambda k: 0.1 * (k + 1) if k < 2 else 0.2 * 0.5 ** (k - 2)),
    "the user's": (half_at_a_time, lambda k: 0.2 if k < 2 else 0.1 / k),
}
