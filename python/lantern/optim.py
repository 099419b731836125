"""Optimisers: functions over operators and state, so that they run eagerly and are staged by the same text.

    optimizer = lt.optim.Adagrad(0.05)
    loss, gradients = lt.value_and_grad(model.loss)(tree)
    optimizer.step(gradients)
"""
from __future__ import annotations

import numpy as np

from lantern import dispatch, init, ops
from lantern.module import Variable
from lantern.tape import RowSum


class Optimizer:
    """Base: `rule(gradient, parameter, *memory)` → (new parameter, *new memory), over operators.

    `memory` names the arrays that the rule keeps beside each parameter, and what they begin with.
    """

    memory = {}

    def __init__(self):
        self._state = {}

    def rule(self, gradient, parameter, *memory):
        raise NotImplementedError

    def step(self, gradients):
        """Updates each parameter in `gradients` (what `lt.value_and_grad` gives)."""
        trace = dispatch.active_trace()
        pairs = gradients.sparse_items() if hasattr(gradients, "sparse_items") else list(gradients.items())
        for parameter, gradient in pairs:
            stored = (parameter, *self.memory_of(parameter))
            if trace is not None:
                trace.update(list(zip(stored, self.rule(gradient, *stored))))
            else:
                _step(self.rule, gradient, [x.read() for x in stored])

    def memory_of(self, parameter):
        """What is kept beside a parameter; made when it is first asked for.

        A parameter that a program being traced makes has its memory there; any other's outlives the program.
        """
        if parameter not in self._state:
            trace = dispatch.active_trace()
            if parameter._value is not None:
                dispatch.set_active_trace(None)
            try:
                self._state[parameter] = tuple(
                    Variable(shape=parameter.shape, init=init.fill(value), dtype=parameter.dtype,
                             name=f"{parameter.name}.{name}" if parameter.name else None)
                    for name, value in self.memory.items())
            finally:
                dispatch.set_active_trace(trace)
        return self._state[parameter]


def _step(rule, gradient, arrays):
    """One update, in place. Where only some rows have a gradient, of those rows: a rule changes nothing for a zero."""
    if isinstance(gradient, RowSum):
        where = np.fromiter(gradient.rows, np.int64, len(gradient.rows))
        gradient = np.stack(list(gradient.rows.values())) if len(where) else np.zeros((0, *gradient.shape[1:]), gradient.dtype)
    else:
        where = ...
    before = [array[where] for array in arrays]
    for array, value in zip(arrays, rule(gradient, *before)):
        array[where] = value


class SGD(Optimizer):
    """parameter - learning_rate * gradient."""

    def __init__(self, learning_rate=0.01):
        super().__init__()
        self.learning_rate = learning_rate

    def rule(self, gradient, parameter):
        return (parameter - self.learning_rate * gradient,)


class Adagrad(Optimizer):
    """Duchi, Hazan and Singer (2011): each entry's step is divided by the root of the sum of its squared gradients.

    s' = s + g²; p' = p - learning_rate * g / (√s' + epsilon)
    """

    memory = {"adagrad": 0.0}

    def __init__(self, learning_rate=0.01, epsilon=1e-10):
        super().__init__()
        self.learning_rate, self.epsilon = learning_rate, epsilon

    def rule(self, gradient, parameter, total):
        total = total + gradient * gradient
        return parameter - self.learning_rate * gradient / (ops.sqrt(total) + self.epsilon), total
