"""What functions of `heapq` do: converted and traced where a heap is staged.

A heap has its elements in the places that CPython's has them in. None of these places is missing (failures.py).
"""
from __future__ import annotations

from lantern.staging.convert import requested


@requested
def _raise_item(heap, start, place):
    """Moves the item at `place` towards the root, as far as `start`, where it belongs."""
    item = heap[place]
    while place > start:
        above = (place - 1) // 2
        parent = heap[above]
        if not item < parent:
            break
        heap[place] = parent
        place = above
    heap[place] = item


@requested
def _settle_item(heap, item, start):
    """Puts the item at `start`: the smaller child moves up each time, down to a leaf, and from there the item to where it belongs."""
    place, child, size = start, 2 * start + 1, len(heap)
    while child < size:
        if child + 1 < size and not heap[child] < heap[child + 1]:
            child = child + 1
        heap[place] = heap[child]
        place = child
        child = 2 * place + 1
    heap[place] = item
    _raise_item(heap, start, place)


def push(heap, item):
    heap.append(item)
    _raise_item(heap, 0, len(heap) - 1)


def pop(heap):
    if len(heap) == 0:
        raise IndexError("index out of range")
    item = heap.pop()
    if len(heap) > 0:
        smallest = heap[0]
        _settle_item(heap, item, 0)
        item = smallest
    return item


def replace(heap, item):
    if len(heap) == 0:
        raise IndexError("index out of range")
    smallest = heap[0]
    _settle_item(heap, item, 0)
    return smallest


def push_and_pop(heap, item):
    if len(heap) > 0 and heap[0] < item:
        smallest = heap[0]
        _settle_item(heap, item, 0)
        item = smallest
    return item


def heapify(heap):
    for place in range(len(heap) // 2 - 1, -1, -1):
        _settle_item(heap, heap[place], place)
