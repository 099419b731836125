"""Programs whose loops set items of lists, and of lists of lists, for their gradients."""

# Each gives a number; v is as long as m's rows are.
SOURCE = '''
class Chart:
    def __init__(self, rows, best):
        self.rows, self.best = rows, best


def distances(v, m, n):
    r, k = m.shape[0], len(v)
    d = [[0.0 for j in range(k + 1)] for i in range(r + 1)]
    for i in range(1, r + 1):
        d[i][0] = d[i - 1][0] + 0.3
    for j in range(1, k + 1):
        d[0][j] = d[0][j - 1] + 0.4 * v[j - 1]
    for i in range(1, r + 1):
        for j in range(1, k + 1):
            d[i][j] = min(d[i - 1][j] + v[0], d[i][j - 1] + 0.2, d[i - 1][j - 1] + m[i - 1, j - 1] * v[j - 1])
    return d[r][k] * d[n][n]


def again_and_again(v, m, n):
    d = [[0.0] * len(v) for _ in range(m.shape[0])]
    for i in range(m.shape[0]):
        for j in range(len(v)):
            d[i][j] += m[i, j] * v[j]
            d[i][j] *= d[i][j] + 0.5
            if i > 0:
                d[i][j] += d[i - 1][j] * d[i - 1][j - 1] + math.sin(d[i - 1][j])
    return sum(sum(row) * (i + 1) for i, row in enumerate(d))


def rows_by_names(v, m, n):
    d = [[0.0] * len(v) for _ in range(m.shape[0])]
    for i in range(m.shape[0]):
        row = d[i]
        for j in range(len(v)):
            row[j] = m[i, j] * v[j]
            if i > 0:
                above = d[i - 1]
                row[j] += math.sin(above[j]) * above[j - 1]
        row[n] = row[n] * row[0]
    return sum(d[-1]) + d[0][n]


def whole_rows(v, m, n):
    d = [[1.0, 2.0] for _ in range(m.shape[0] + 1)]
    for i in range(m.shape[0]):
        d[i + 1] = [m[i, j] * d[i][j % len(d[i])] for j in range(len(v))]
        d[i + 1][n] = d[i + 1][n] * d[i][0] + v[n]
        d[i][0] *= v[i]
    return sum(sum(row) * (i + 1) for i, row in enumerate(d))


def rows_copied(v, m, n):
    d = [[0.5 for _ in v] for _ in range(m.shape[0] + 1)]
    for i in range(m.shape[0]):
        d[i + 1] = list(d[i])
        for j in range(len(v)):
            d[i + 1][j] += d[i][j - 1] * m[i, j]
            d[i][j] = d[i][j] * v[j]
    return sum(sum(row) * (i + 1) for i, row in enumerate(d))


def rows_exchanged(v, m, n):
    d = [[x * i for x in v] for i in range(4)]
    for i in range(m.shape[0]):
        d[i], d[n] = list(d[n]), [x * m[i, n] for x in d[i]]
        d[i][n], d[i][0] = d[i][0] * v[i], d[i][n] * m[i, n]
    return sum(sum(row) * (i + 1) for i, row in enumerate(d))


def three_deep(v, m, n):
    d = [[[0.0, 1.0, 0.5] for j in v] for i in range(m.shape[0])]
    for i in range(1, m.shape[0]):
        for j in range(1, len(v)):
            for s in range(3):
                d[i][j][s] = d[i - 1][j][(s + 1) % 3] * m[i, j] + math.sin(d[i][j - 1][s]) * v[j]
            d[i][j][n] += d[i][j][0] * d[0][j][1]
    return sum(d[-1][-1]) + d[1][1][n]


def three_deep_by_names(v, m, n):
    d = [[[0.0, 1.0] for j in v] for i in range(m.shape[0])]
    for i in range(m.shape[0]):
        plane = d[i]
        for j in range(len(v)):
            cell = plane[j]
            cell[0] = m[i, j] * d[i - 1][j][1]
            cell[1] = cell[0] * v[j]
        plane[n][0] += plane[0][1]
    return sum(sum(cell[0] * cell[1] for cell in plane) * (i + 1) for i, plane in enumerate(d))


def tuples(v, m, n):
    d = [[(0.5, 1.0) for j in v] for i in range(m.shape[0])]
    for i in range(1, m.shape[0]):
        for j in range(1, len(v)):
            a, b = d[i - 1][j]
            p, q = d[i][j - 1]
            d[i][j] = (a * v[j] + q, math.sin(b) + p * m[i, j])
    return d[-1][-1][0] * d[-1][-1][1] + d[n][n][0]


def vectors(v, m, n):
    d = [[v * 0.5 for j in range(3)] for i in range(m.shape[0])]
    for i in range(1, m.shape[0]):
        for j in range(1, 3):
            d[i][j] = d[i - 1][j] * m[i] + d[i][j - 1] * v[n] + lt.sum(d[i][j])
            if j == 2:
                d[i][j] = d[i][j] * d[i][j]
    return lt.sum(d[-1][-1] * d[n][1])


def vectors_of_several_lengths(v, m, n):
    xs = [v[:1] for _ in range(4)]
    for i in range(1, 4):
        xs[i] = v[:i] * xs[i - 1][0] + lt.sum(xs[i])
        xs[i - 1] = xs[i] * xs[i][0]
    return sum(lt.sum(x) * (i + 1) for i, x in enumerate(xs))


def knapsack(v, m, n):
    best = [0.0] * 8
    for i in range(m.shape[0]):
        for w in range(7, i, -1):
            best[w] = max(best[w], best[w - i - 1] + v[i] * m[i, w % 4])
    return best[7] * best[n + 3]


def prefixes(v, m, n):
    xs = [x * 1.0 for x in v]
    for i in range(1, len(xs)):
        xs[i] = sum(xs[:i]) * v[i] + max(xs) * 0.5 + len(xs)
        for j, x in enumerate(xs):
            if j > i:
                break
            xs[0] = xs[0] * 0.9 + 0.1 * xs[i]
    return sum(xs) * xs[n]


def along_rows(v, m, n):
    d = [[0.1 * j for j in range(4)] for _ in range(m.shape[0] + 1)]
    for i in range(1, m.shape[0] + 1):
        for j in range(len(v)):
            total = 0.0
            for x in d[i - 1]:
                total += x * x
            d[i][j] = total * m[i - 1, j] + sum(d[i][:j]) + sum([math.sin(x) * y for x, y in zip(d[i - 1], d[i])]) + len(d[i])
    return d[-1][-1] + d[n][n]


def all_rows(v, m, n):
    d = [[0.1 * j for j in range(4)] for _ in range(m.shape[0])]
    for i in range(m.shape[0]):
        d[i][n] = sum([sum(row) * row[0] for row in d]) + m[i, n]
        for row in d:
            d[i][0] += 1.0
        d[i][1] = sum([row[-1] * v[i] for row in d])
    return sum(map(sum, d)) * d[n][n]


def until(v, m, n):
    d = [[0.0] * (len(v) + 1) for _ in range(m.shape[0] + 1)]
    i = 1
    while i <= m.shape[0]:
        j = 1
        while j <= len(v):
            d[i][j] = max(d[i - 1][j], d[i][j - 1]) + m[i - 1, j - 1] * v[j - 1]
            if d[i][j] > 6.0 - n:
                break
            j += 1
        else:
            d[i][0] = d[i][n]
        i += 1
    return sum(sum(row) * (i + 1) for i, row in enumerate(d))


def under_conditions(v, m, n):
    d = [[0.0] * len(v) for _ in range(m.shape[0])]
    for i in range(m.shape[0]):
        for j in range(len(v)):
            if m[i, j] > 1.2:
                d[i][j] = m[i, j] * v[j]
                if j == n:
                    d[i][j] *= d[i - 1][j - 1]
                    continue
            else:
                d[i - 1][j] = v[j] + d[i][j] * d[i][j]
            d[i][0] += d[i][j] * 0.5
    return sum(sum(row) * (i + 1) for i, row in enumerate(d))


def rows_put_and_set(v, m, n):
    d = []
    for i in range(m.shape[0]):
        d.append([0.0] * len(v))
        for j in range(len(v)):
            d[i][j] = m[i, j] * v[j]
            if i > 0:
                d[i][j] += d[i - 1][j] * d[i][j - 1]
        d[-1][n] *= d[0][0]
    return sum(d[-1]) + d[n][1]


def longer_and_shorter(v, m, n):
    d, out = [[v[0], v[1]]], 0.0
    for i in range(m.shape[0]):
        row = [x * m[i, n] for x in d[-1]]
        d.append(row + [out])
        d[-1][0] *= v[i]
        d.insert(n - 1, [out, m[i, 0]])
        d[i][1] = d[i][0] * d[-1][-1]
        if i == n:
            out += sum(d.pop())
        elif len(d) > 2:
            del d[1]
        d[0][0] += out * v[n]
    return out + sum(sum(row) * (i + 1) for i, row in enumerate(d))


def numbers_longer_and_shorter(v, m, n):
    xs, out = [v[0]], 0.0
    for i in range(m.shape[0]):
        for j in range(len(v)):
            xs.append(math.sin(xs[-1] * m[i, j]))
            xs[0] = math.cos(xs[0] * xs[-1] + v[j])
            while len(xs) > 3:
                out = math.sin(out + xs.pop(n) * xs[1])
        xs.insert(1, out)
        xs[1] *= out
    return out + sum(x * (i + 1) for i, x in enumerate(xs))


def queued(v, m, n):
    queue, total = [(v[0], 0)], 0.0
    while queue:
        x, depth = queue.pop()
        total += x * x
        if depth < 3:
            queue.append((x * m[depth, n], depth + 1))
            queue[0] = (queue[0][0] * v[depth], depth + 1)
            if depth == n:
                queue.append((x + v[n], depth + 2))
    return total


def arrays_longer(v, m, n):
    d = [m @ v, m @ v]
    for i in range(m.shape[0]):
        d[0] = v[i] * d[1]
        d.append(d[0] * d[1])
        d[n] = d[-1] * v[n] + d[n][0]
    return sum(lt.sum(row) * (i + 1) for i, row in enumerate(d))


def rows_put_twice(v, m, n):
    row, d = [v[0], v[1]], []
    for i in range(m.shape[0]):
        d.append(list(row))
        row[0] = row[1] * m[i, n]
        d[i][1] = row[0] * d[0][0]
        row = list(d[n - 3]) if i > 1 else row
    return sum(row) + sum(sum(row) * (i + 1) for i, row in enumerate(d))


def rows_built_and_put(v, m, n):
    d = []
    for i in range(m.shape[0]):
        row = []
        for j in range(len(v)):
            row.append(m[i, j] if i == 0 or j == 0 else min(d[i - 1][j] * v[j], row[j - 1] + d[i - 1][j - 1]))
        d.append(row)
    return sum(d[-1]) + d[n][1]


def two_rows(v, m, n):
    prev = [x * x for x in v]
    for i in range(m.shape[0]):
        cur = [prev[0] * 0.5]
        for j in range(1, len(v)):
            cur.append(min(prev[j], cur[j - 1] * m[i, j]) + prev[j - 1] * v[j])
        prev = cur
    return sum(prev) * prev[n]


def two_rows_set(v, m, n):
    prev = [x * x for x in v]
    for i in range(m.shape[0]):
        cur = [0.0] * len(v)
        for j in range(len(v)):
            cur[j] = min(prev[j], cur[j - 1] + m[i, j]) + prev[j - 1] * v[j]
        prev = cur
    return sum(prev) * prev[n]
'''
