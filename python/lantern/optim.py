"""Optimisers: functions over operators and state, so that they run eagerly and are staged by the same text.

    optimizer = lt.optim.Adam(lt.optim.warm_up(100, lt.optim.cosine(0.001, 10_000)))
    loss, gradients = lt.value_and_grad(model.loss)(tree)
    optimizer.step(lt.optim.clip_by_global_norm(gradients, 5.0))

A learning rate is a number, or a schedule: a function from the number of steps taken so far to a number, such as those at the
end of this file, or one of the user's own. Weight decay adds `weight_decay * parameter` to the gradient (an L2 penalty), but for
AdamW. A rule that changes a parameter whose gradient is zero (momentum, decay) steps through all of it; the others step through
the rows of a table that have a gradient. Adam does, too, where the loop is compiled: other rows have its steps when they are read.

A parameter that a step does not read has the gradient zero in it, so that its momentum goes on and it decays. Compiled, that
holds from the first step for all that some path of the function reads. Eagerly it is not known what other paths read: where a
parameter is to decay that only a later call reads for the first time, `step` raises ValueError.
"""
from __future__ import annotations

import math

from lantern import dispatch, init, ops
from lantern.lazy_numpy import np
from lantern.module import Variable, assign_all, state_of
from lantern.tape import RowSum


class Optimizer:
    """Base: `rule(now, gradient, parameter, *memory)` → (new parameter, *new memory), over operators.

    learning_rate: a number or a schedule.
    memory: names the arrays that the rule keeps beside each parameter, and what they begin with.
    counts: whether the rule needs the number of the step, from 1; a schedule has it counted in any case.
    leaves_rows: whether a zero gradient leaves a parameter and its memory as they are. What is compiled finds out by itself.
    """

    memory = {}
    counts = False
    leaves_rows = False

    def __init__(self, learning_rate):
        if not (_is_number(learning_rate) or callable(learning_rate) or dispatch.is_staged(learning_rate) or hasattr(learning_rate, "dtype")):
            raise TypeError(f"the learning rate of {type(self).__name__} is a number or a schedule, not a {type(learning_rate).__name__}; which parameters "
                            "a step changes, its gradients say: optimizer.step(gradients)")
        self.learning_rate = learning_rate
        self._memories = _Memories()
        self._trace, self._place = dispatch.active_trace(), None
        if self._trace is not None:
            self._place = self._trace.here()

    def rule(self, now, gradient, parameter, *memory):
        raise NotImplementedError(f"{type(self).__name__} has no rule: define rule(self, now, gradient, parameter{''.join(f', {name}' for name in self.memory)}), "
                                  "which gives a tuple of what they become")

    def numbers(self, rate, step):
        """What `rule` gets as `now`: the learning rate. step: the number of this step, from 1, where it is counted."""
        return rate

    def step(self, gradients):
        """Updates each parameter in `gradients` (what `lt.value_and_grad` gives). Raises ValueError where weight decay would
        not be that of a compiled function (above)."""
        if not hasattr(gradients, "items"):
            raise TypeError(f"step takes the gradients that lt.value_and_grad gives without wrt, by parameter, not a {type(gradients).__name__}")
        trace = dispatch.active_trace()
        pairs = gradients.sparse_items() if hasattr(gradients, "sparse_items") else list(gradients.items())
        if not pairs:
            return
        if getattr(gradients, "late", ()) and getattr(self, "weight_decay", None):
            names = ", ".join(sorted(f"'{parameter.name}'" for parameter in gradients.late))
            raise ValueError(f"weight decay of {names}, which earlier calls of the function have not read: compiled, it would have decayed since "
                             "the first. Compile the step by lt.function, or have every call read it, e.g. by adding 0.0 * lt.sum(parameter)")
        dispatch.relies_on(self, type(self).rule, type(self).numbers)
        now = self._begin(pairs[0][0])
        for parameter, gradient in pairs:
            stored = (parameter, *self.memory_of(parameter))
            if trace is not None:
                trace.update(list(zip(stored, self._ruled(now, gradient, *stored))))
            else:
                _step(lambda *arrays: self._ruled(now, *arrays), gradient, [x.changing() for x in stored], self.leaves_rows)

    def _ruled(self, now, gradient, *stored):
        """What `rule` gives: something for each of what is stored."""
        given = self.rule(now, gradient, *stored)
        if not isinstance(given, (tuple, list)) or len(given) != len(stored):
            what = f"{len(given)} values" if isinstance(given, (tuple, list)) else f"a {type(given).__name__}"
            raise TypeError(f"{type(self).__name__}.rule gives a tuple of {len(stored)}, (new parameter{''.join(f', new {name}' for name in self.memory)}"
                            f"{'' if self.memory else ','}), not {what}")
        return given

    def _begin(self, parameter):
        """Counts a step, if anybody asks for the count; what the rule gets as `now`."""
        schedule = self._has_schedule()
        if not (schedule or self.counts):
            return self.numbers(self.learning_rate, None)
        count = self._count(parameter)
        before = ops.item(count)
        step = before + 1
        count.assign(step)
        rate = _number(dispatch.call(self.learning_rate, before)) if schedule else self.learning_rate
        return self.numbers(rate, step)

    def _has_schedule(self):
        return callable(self.learning_rate) and not dispatch.is_staged(self.learning_rate)

    def _count(self, parameter):
        (count,) = self._kept(None, parameter, {"steps": 0}, (), "i64")
        return count

    def memory_of(self, parameter):
        """What is kept beside a parameter; made when it is first asked for."""
        return self._kept(parameter, parameter, self.memory, parameter.shape, parameter.dtype)

    def _kept(self, key, parameter, initial, shape, dtype):
        """The memory of `key`: of the program being traced, if the optimiser or the parameter was made there; else it outlives it."""
        trace = dispatch.active_trace()
        memories = self._memories.of
        if key not in memories:
            name = parameter.name if key is not None else type(self).__name__.lower()
            place = (self._place, parameter) if trace is not None and self._trace is trace or parameter._value is None else None
            if place is None:
                dispatch.set_active_trace(None)
            try:
                memories[key] = tuple(Memory(shape, value, dtype, f"{name}.{kind}" if name else None, place)
                                      for kind, value in initial.items())
            finally:
                dispatch.set_active_trace(trace)
        if trace is not None:
            for kept in memories[key]:
                if kept._value is None:
                    trace.create(kept)      # again, where the program is traced again
        return memories[key]

    def state_for(self, parameters):
        """{name: Variable} of all that is remembered where these parameters are trained, made now if need be."""
        for parameter in parameters:
            self.memory_of(parameter)
        if parameters and (self.counts or self._has_schedule()):
            self._count(parameters[0])
        return self.state()

    def state(self):
        """{name: Variable} of all that is remembered from one step to the next."""
        return {kept.name: kept for memory in self._memories.of.values() for kept in memory}

    def state_dict(self, model):
        """{name: NumPy array} of what is remembered of the module's trainable parameters (`weight.momentum`) and the count of steps, as
        copies. The learning rate is not part of it."""
        return state_of(self._state_of(model))

    def load_state_dict(self, state, model):
        """Goes on with what `state_dict` gave, of the same rule and a module of the same parameters. Raises ValueError where it is of others; then
        nothing has changed."""
        assign_all(self._state_of(model), state, ValueError)

    def _state_of(self, model):
        return self.state_for([p for p in model.parameters().values() if p.trainable])


class _Memories:
    """Made as parameters are first met, while a program is traced, too: an object of ours, so that a rule of the user's is not taken to have changed
    something."""

    def __init__(self):
        self.of = {}    # Parameter → its memory; None → the count of steps


class Memory(Variable):
    """What an optimiser remembers. place: (where it was made, the parameter): a program begins it at the later of the two."""

    def __init__(self, shape, value, dtype, name, place):
        self.place = place
        super().__init__(shape=shape, init=init.fill(value), dtype=dtype, name=name)


def _number(x):
    return ops.item(x) if dispatch.is_staged(x) else float(x)


def _step(rule, gradient, arrays, leaves_rows):
    """One update, in place. Where only some rows have a gradient, and the rule leaves the others, of those rows."""
    where = ...
    if isinstance(gradient, RowSum):
        if leaves_rows:
            where, gradient = np.fromiter(gradient.rows, np.int64, len(gradient.rows)), gradient.stacked()
        else:
            gradient = gradient.dense()
    before = [array[where].copy() for array in arrays]      # a rule may give one of them as what another becomes
    for array, value in zip(arrays, rule(gradient, *before)):
        array[where] = value


def _decayed(gradient, parameter, weight_decay):
    return gradient if weight_decay is None else gradient + weight_decay * parameter


class SGD(Optimizer):
    """parameter - learning_rate * gradient.

    momentum: v' = momentum * v + gradient is stepped along instead (Polyak 1964); with nesterov, gradient + momentum * v'.
    weight_decay: of the L2 penalty. None for no momentum, no decay.
    """

    def __init__(self, learning_rate=0.01, momentum=None, nesterov=False, weight_decay=None):
        super().__init__(learning_rate)
        if nesterov and momentum is None:
            raise ValueError("nesterov=True needs a momentum")
        self.momentum, self.nesterov, self.weight_decay = momentum, nesterov, weight_decay
        self.memory = {} if momentum is None else {"momentum": 0.0}
        self.leaves_rows = momentum is None and weight_decay is None

    def rule(self, now, gradient, parameter, *memory):
        gradient = _decayed(gradient, parameter, self.weight_decay)
        if self.momentum is None:
            return (parameter - now * gradient,)
        velocity = self.momentum * memory[0] + gradient
        direction = gradient + self.momentum * velocity if self.nesterov else velocity
        return parameter - now * direction, velocity


class Adagrad(Optimizer):
    """Duchi, Hazan and Singer (2011): each entry's step is divided by the root of the sum of its squared gradients.

    s' = s + g²; p' = p - learning_rate * g / (√s' + epsilon)
    """

    memory = {"adagrad": 0.0}

    def __init__(self, learning_rate=0.01, epsilon=1e-10, weight_decay=None):
        super().__init__(learning_rate)
        self.epsilon, self.weight_decay = epsilon, weight_decay
        self.leaves_rows = weight_decay is None and epsilon > 0.0   # 0 / 0 is not 0

    def rule(self, now, gradient, parameter, total):
        gradient = _decayed(gradient, parameter, self.weight_decay)
        total = total + gradient * gradient
        return parameter - now * gradient / (ops.sqrt(total) + self.epsilon), total


class Adam(Optimizer):
    """Kingma and Ba (2015), algorithm 1, step t: running means m of the gradient and v of its square, without their bias to zero.

    m' = β₁m + (1 - β₁)g; v' = β₂v + (1 - β₂)g²; p' = p - learning_rate * m'/(1 - β₁ᵗ) / (√(v'/(1 - β₂ᵗ)) + epsilon)
    """

    memory = {"mean": 0.0, "square": 0.0}
    counts = True

    def __init__(self, learning_rate=0.001, beta1=0.9, beta2=0.999, epsilon=1e-8, weight_decay=None):
        super().__init__(learning_rate)
        self.beta1, self.beta2, self.epsilon, self.weight_decay = beta1, beta2, epsilon, weight_decay

    def numbers(self, rate, step):
        """The learning rate; the step's size and the factor of √v', both with the bias taken out. A factor: a division takes longer."""
        return rate, rate / (1.0 - self.beta1 ** step), 1.0 / ops.sqrt(1.0 - self.beta2 ** step)

    def rule(self, now, gradient, parameter, mean, square):
        return self._moved(now, _decayed(gradient, parameter, self.weight_decay), parameter, mean, square)

    def _moved(self, now, gradient, parameter, mean, square):
        _, size, factor = now
        mean = self.beta1 * mean + (1.0 - self.beta1) * gradient
        square = self.beta2 * square + (1.0 - self.beta2) * (gradient * gradient)
        return parameter - size * mean / (factor * ops.sqrt(square) + self.epsilon), mean, square


class LazyAdam(Adam):
    """Adam that leaves an entry, and its means, as they are where the gradient is zero (Abadi et al. 2016, tf.contrib.opt).

    Of a table, a step goes through the rows that were read, and not through all: of a large vocabulary, few. The means of a row do
    not decay while it is not read, and it does not go on moving, so that the numbers are others than Adam's.
    """

    leaves_rows = True

    def __init__(self, learning_rate=0.001, beta1=0.9, beta2=0.999, epsilon=1e-8):
        super().__init__(learning_rate, beta1, beta2, epsilon)

    def rule(self, now, gradient, parameter, mean, square):
        moved = self._moved(now, gradient, parameter, mean, square)
        still = gradient == 0.0
        return tuple(ops.where(still, old, new) for old, new in zip((parameter, mean, square), moved))


class AdamW(Adam):
    """Loshchilov and Hutter (2019): Adam, whose decay does not pass through the means: p is first multiplied by
    1 - learning_rate * weight_decay."""

    def __init__(self, learning_rate=0.001, beta1=0.9, beta2=0.999, epsilon=1e-8, weight_decay=0.01):
        super().__init__(learning_rate, beta1, beta2, epsilon, weight_decay)

    def rule(self, now, gradient, parameter, mean, square):
        return self._moved(now, gradient, (1.0 - now[0] * self.weight_decay) * parameter, mean, square)


# Gradients

def clip_by_value(gradients, low, high):
    """The same gradients, each entry no less than `low` and no more than `high`."""
    return gradients.map(lambda gradient: ops.clip(gradient, low, high))


def _is_number(value):
    if isinstance(value, (int, float)):
        return True
    import numbers
    return isinstance(value, numbers.Real)


def global_norm(gradients):
    """The Euclidean norm of all gradients taken together, a rank-0 array."""
    total = 0.0
    for _, gradient in gradients.sparse_items():
        total = total + ops.sum(ops.square(gradient.stacked() if isinstance(gradient, RowSum) else gradient))
    return ops.sqrt(total)


def clip_by_global_norm(gradients, limit):
    """The same gradients, all scaled by limit / norm where their norm taken together is above `limit`."""
    scale = limit / ops.maximum(global_norm(gradients), limit)
    return gradients.map(lambda gradient: gradient * scale)


# Learning rates. Each gives a function of the number of steps taken so far.

def constant(rate):
    """Always `rate`."""
    return lambda step: rate


def stepwise(rate, every, factor=0.1):
    """`rate`, multiplied by `factor` after every `every` steps."""
    return lambda step: rate * factor ** (step // every)


def exponential(rate, factor, every=1):
    """rate * factor^(step / every)."""
    return lambda step: rate * factor ** (step / every)


def cosine(rate, steps, end=0.0):
    """From `rate` to `end` along half a cosine in `steps` steps, then `end` (Loshchilov and Hutter 2017)."""
    return lambda step: end + (rate - end) * 0.5 * (1.0 + ops.cos(math.pi * (ops.minimum(step, steps) / steps)))


def warm_up(steps, then):
    """Linearly up to what `then`, a number or a schedule, begins with, which the last of `steps` steps reaches; then `then`."""
    def rate(step):
        after = ops.maximum(step - steps, 0)
        return ops.minimum((step + 1) / steps, 1.0) * (dispatch.call(then, after) if callable(then) else then)
    return rate
