"""Arrays that are the same in every peer, whatever it draws its own numbers by (benchmarks/limit/trial.h has the same in C++)."""
import numpy as np


def fixed(seed, *shape, low=-1.0, high=1.0):
    """A float32 array of numbers between low and high: the hash of splitmix64 (Steele, Lea and Flood 2014) of seed and place."""
    with np.errstate(over="ignore"):
        z = np.arange(1, int(np.prod(shape)) + 1, dtype=np.uint64) + np.uint64(seed << 32)
        z *= np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    unit = (z >> np.uint64(40)).astype(np.float64) / 2.0**24
    return (low + (high - low) * unit).astype(np.float32).reshape(shape)
