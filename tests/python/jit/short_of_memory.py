"""Gradients of a batch by three threads where so many more bytes can be addressed.

    python short_of_memory.py BYTES      prints what comes of them; and again, of the same programs, where there is memory
"""
import os
import random
import resource
import sys
from typing import List

os.environ.update(LANTERN_THREADS="3", LANTERN_SCHEDULE="batched")

import lantern as lt  # noqa: E402
from batched_models import Binary, Tree, assert_same, tree  # noqa: E402

MODEL = Binary()
BATCH = [tree(random.Random(i), 5) for i in range(20)]


def total(batch: List[Tree]):
    loss = 0.0
    for each in batch:
        loss += MODEL.loss(each)
    return loss


def squares(batch: List[Tree]):
    return lt.sum(lt.vmap(MODEL.loss)(batch) ** 2)


def outcome(compiled, plain):
    try:
        assert_same(compiled(BATCH), plain(BATCH))
    except MemoryError as error:
        return str(error)
    return "right"


for function in (total, squares):
    plain = lt.value_and_grad(function)
    compiled = lt.function(plain, dtype="f64")
    compiled(BATCH[:1])     # by one thread
    plain(BATCH)
    with open("/proc/self/statm") as sizes:
        used = int(sizes.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + int(sys.argv[1]), resource.RLIM_INFINITY))
    short = outcome(compiled, plain)
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    print(function.__name__, short, outcome(compiled, plain), sep=", ")
