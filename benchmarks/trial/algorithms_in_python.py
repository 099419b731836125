"""Algorithms in plain Python, as users write them, and what they are measured on, for benchmarks/ours/algorithms.py and benchmarks/plain/algorithms.py."""
import dataclasses
import heapq

import numpy as np
from timing import Memory, rate, value


def count_words(words: list[str]):
    counts = {}
    for word in words:
        counts[word] = counts.get(word, 0) + 1
    return max(counts.values()) * len(counts)


def distinct_pairs(numbers: list[int]):
    seen = set()
    for i in range(1, len(numbers)):
        seen.add((numbers[i - 1], numbers[i]))
    return len(seen)


def shortest_paths(ends: list[int]):
    graph = [[(0, 2.0)] for _ in range(len(ends) // 10)]
    for i, end in enumerate(ends):
        graph[i % len(graph)].append((end % len(graph), 1.0 + end % 13))
    distance = [1e9] * len(graph)
    distance[0] = 0.0
    heap = [(0.0, 0)]
    while heap:
        d, node = heapq.heappop(heap)
        if d > distance[node]:
            continue
        for other, length in graph[node]:
            if d + length < distance[other]:
                distance[other] = d + length
                heapq.heappush(heap, (d + length, other))
    return sum(distance)


def edit_distance(one: list[int], other: list[int]):
    row = list(range(len(other) + 1))
    for i in range(len(one)):
        before, row[0] = row[0], i + 1
        for j in range(len(other)):
            replaced = before if one[i] == other[j] else before + 1
            before, row[j + 1] = row[j + 1], min(replaced, row[j] + 1, row[j + 1] + 1)
    return row[-1]


def primes(n: int):
    is_prime = [True] * n
    for i in range(2, n):
        if is_prime[i]:
            for j in range(i * i, n, i):
                is_prime[j] = False
    return sum(is_prime) - 2


def quicksort(numbers: list[float]):
    def ordered(xs):
        if len(xs) < 2:
            return xs
        return ordered([x for x in xs[1:] if x < xs[0]]) + [xs[0]] + ordered([x for x in xs[1:] if x >= xs[0]])
    return ordered(numbers)[len(numbers) // 3]


def change(amount: int):
    coins, memo = [1, 5, 10, 25, 50], {}

    def ways(rest, kind):
        if rest == 0:
            return 1
        if rest < 0 or kind == len(coins):
            return 0
        if (rest, kind) not in memo:
            memo[rest, kind] = (ways(rest - coins[kind], kind) + ways(rest, kind + 1)) % 1_000_003
        return memo[rest, kind]
    return ways(amount, 0)


def exchange_sort(numbers: list[float]):
    xs = list(numbers)
    for i in range(len(xs)):
        for j in range(len(xs) - 1 - i):
            if xs[j] > xs[j + 1]:
                xs[j], xs[j + 1] = xs[j + 1], xs[j]
    return xs[len(xs) // 3]


def heat(size: int):
    u = np.zeros((size, size))
    u[0, 0] = 1.0
    for _ in range(4):
        v = u.copy()
        for i in range(1, size - 1):
            for j in range(1, size - 1):
                v[i, j] = (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]) / 4
        u = v
        u[1, 1] = 1.0
    return float(u[2, 2])


@dataclasses.dataclass
class Body:
    place: float
    speed: float


def pendulum(steps: int):
    body = Body(1.0, 0.0)
    for _ in range(steps):
        body.speed -= 0.001 * body.place
        body.place += 0.001 * body.speed
    return body.place


def join_texts(words: list[str]):
    text = ""
    for number, word in enumerate(words):
        text += f"{number}: {word}, "
    return len(text)


def cases(size):
    """(function, its arguments) of each."""
    numbers = [(i * i * 31 + i * 7) % 1009 for i in range(size)]
    words = [f"{'abcdefgh'[i % 8]}{number}" for i, number in enumerate(numbers)]
    few = max(size // 40, 2)
    return [(count_words, [words]), (distinct_pairs, [numbers]), (shortest_paths, [[number * 7 + i for i, number in enumerate(numbers)]]), (edit_distance, [numbers[:few], numbers[few:2 * few]]), (primes, [size]),
            (quicksort, [[number + i / size for i, number in enumerate(numbers)]]), (exchange_sort, [[float(number) for number in numbers[:few]]]), (heat, [max(int(size ** 0.5), 4)]), (change, [size // 40]), (pendulum, [size]), (join_texts, [words])]


def measure(size, as_compiled):
    """Prints how many calls a second there are of as_compiled(f), for each function f."""
    memory = Memory()
    for function, arguments in cases(size):
        name = function.__name__.replace("_", " ")
        run = as_compiled(function)
        value(name, run(*arguments))
        rate(name, 1, lambda: run(*arguments))
    memory.print()
