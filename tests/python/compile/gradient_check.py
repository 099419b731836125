"""Central finite differences."""
import numpy as np


def central_differences(function, values, step=1e-5):
    """The gradient of a function that returns a float, with respect to each of its operands."""
    gradients = []
    for position, value in enumerate(values):
        gradient = np.zeros(np.shape(value))
        for index in np.ndindex(gradient.shape):
            ends = []
            for sign in (1, -1):
                moved = np.array(value, float)
                moved[index] += sign * step
                moved = float(moved) if np.ndim(value) == 0 else moved
                ends.append(function(*values[:position], moved, *values[position + 1:]))
            gradient[index] = (ends[0] - ends[1]) / (2 * step)
        gradients.append(gradient)
    return gradients
