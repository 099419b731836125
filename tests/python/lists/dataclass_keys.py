"""Functions with frozen dataclasses as keys of dicts, and in sets: (xs, n), plain Python's against the compiled one's."""
import collections
import dataclasses
import functools
import heapq


@dataclasses.dataclass(frozen=True)
class Cell:
    x: int
    y: int

    def neighbours(self):
        return [Cell(self.x + dx, self.y + dy) for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))]


@dataclasses.dataclass(frozen=True, order=True)
class Edge:
    start: Cell
    weight: float
    name: str = "edge"


@dataclasses.dataclass(frozen=True)
class Tag:
    name: str
    note: str = dataclasses.field(default="", compare=False)


def reached(xs: list[int], n: int):
    walls = {Cell(x % 4, x // 4 % 4) for x in xs}
    start = Cell(0, n % 4)
    frontier, seen, steps = [start], {start}, 0
    while frontier:
        frontier = [cell for each in frontier for cell in each.neighbours() if 0 <= cell.x < 4 and 0 <= cell.y < 4 and cell not in walls]
        frontier = sorted({(cell.x, cell.y) for cell in frontier if cell not in seen})
        frontier = [Cell(x, y) for x, y in frontier]
        seen.update(frontier)
        steps += 1
    return steps, len(seen), Cell(3, 3) in seen


def cheapest(xs: list[int], n: int):
    start, goal = Cell(0, 0), Cell(n % 5, len(xs) % 5)
    cost, came = {start: 0}, {start: None}
    heap = [(0, 0, 0)]
    while heap:
        paid, x, y = heapq.heappop(heap)
        if Cell(x, y) == goal:
            break
        for cell in Cell(x, y).neighbours():
            if not (0 <= cell.x < 5 and 0 <= cell.y < 5):
                continue
            new = paid + 1 + abs(xs[(cell.x * 5 + cell.y) % len(xs)])
            if cell not in cost or new < cost[cell]:
                cost[cell], came[cell] = new, Cell(x, y)
                heapq.heappush(heap, (new, cell.x, cell.y))
    path, at = [], goal
    while at is not None:
        path.append((at.x, at.y))
        at = came[at]
    return cost[goal], path


def given_back(xs: list[int], n: int):
    return {Cell(x, i % 2): i for i, x in enumerate(xs)}


def members(xs: list[int], n: int):
    return {Cell(x % n, 0) for x in xs} | {Cell(n, 1)}


def edges(xs: list[int], n: int):
    counts = collections.Counter(Edge(Cell(x % 3, 0), x % 2 / 2) for x in xs)
    groups = collections.defaultdict(list)
    for i, x in enumerate(xs):
        groups[Edge(Cell(x % 2, n), 0.5, "a" if x > n else "b"), i % 2].append(x)
    best = max(counts, key=lambda edge: (counts[edge], edge))
    return best.start.x, best.weight, [(edge.name, i, those) for (edge, i), those in groups.items()], Edge(Cell(0, 0), 0.0) in counts


def paths(xs: list[int], n: int):
    @functools.lru_cache(maxsize=None)
    def count(cell):
        return 1 if cell.x == 0 or cell.y == 0 else count(Cell(cell.x - 1, cell.y)) + count(Cell(cell.x, cell.y - 1))
    return count(Cell(n, len(xs) % 6))


def known(xs: list[int], n: int):
    names = {Cell(0, 0): "corner", Cell(1, 2): "inside"}
    return [names.get(Cell(x % 2, x % 4), "none") for x in xs], names.get(Cell(n % 2, 2)) is None


def of_names(xs: list[int], n: int):
    tags = {Tag("a", "first"): n}
    tags[Tag("a", str(n))] = len(xs)
    return tags[Tag("a")], len(tags)


def one_more(xs: list[int], n: int):
    seen = {Cell(1, 0): 2, Cell(3, 1): 4}
    for x in xs:
        seen[Cell(x % 5, n % 2)] = x
    return [(cell.x, cell.y, x) for cell, x in seen.items()]
