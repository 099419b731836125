"""Parts of models with their gradients, compiled by lt.function, for run.py to time.

    parts.py SHARE        of each axis, one part in so many
"""
import sys
import types

import lantern as lt
import numpy as np
import parts_of_models

if __name__ == "__main__":
    nn = types.SimpleNamespace(sigmoid=lt.sigmoid, softmax=lt.softmax, log_softmax=lt.log_softmax, cross_entropy=lambda x, labels: np.mean(lt.cross_entropy(x, labels)))
    parts_of_models.measure(int(sys.argv[1]), np, nn, lambda part, count: lt.value_and_grad(lt.function(part), wrt=part.__code__.co_varnames[:count]), np.asarray)
