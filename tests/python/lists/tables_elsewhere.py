"""Programs with tables, as in table_programs.py, that arguments, objects, functions and other loops hold, or that change in other ways than loops that fill them."""

SOURCE = '''
def filled(table: list[list[float]], v: lt.Tensor[lt.f64, 'k']):
    d = [[x * 1.0 for x in row] for row in table]
    for i in range(1, len(table)):
        for j in range(1, len(v)):
            d[i][j] = max(d[i - 1][j], d[i][j - 1]) * v[j] + table[i][j] * table[i - 1][j - 1]
    return d


def of_an_argument(v, m, n):
    table = [[m[i, j] * v[n] for j in range(len(v))] for i in range(m.shape[0])]
    d = filled(table, v)
    return d[-1][-1] + sum(d[n]) * table[n][n]


def in_an_object(v, m, n):
    chart = Chart([[0.0] * len(v) for _ in range(m.shape[0])], [0.0] * m.shape[0])
    for i in range(m.shape[0]):
        for j in range(len(v)):
            chart.rows[i][j] = m[i, j] * v[j]
            if i > 0:
                chart.rows[i][j] += chart.rows[i - 1][j] * chart.best[i - 1]
        chart.best[i] = max(chart.rows[i])
    return sum(chart.best) + chart.rows[n][n]


def span(memo, m: lt.Tensor[lt.f64, 'r', 'k'], i: int, j: int) -> float:
    if memo[i][j] < 0.0:
        memo[i][j] = m[i % 3, j % 4] if i >= j else min(span(memo, m, i + 1, j) * 1.1, span(memo, m, i, j - 1)) + m[i % 3, j % 4]
    return memo[i][j]


def with_a_memo(v, m, n):
    memo = [[-1.0] * 4 for _ in range(5)]
    return span(memo, m * v[n], 0, 3) + memo[0][2]


def blended(a: float, b: float) -> float:
    return -math.log(math.exp(-a) + math.exp(-b)) if a < b else -math.log(math.exp(-b) + math.exp(-a))


def with_a_function(v, m, n):
    d = [[1.0] * (len(v) + 1) for _ in range(m.shape[0] + 1)]
    for i in range(m.shape[0]):
        for j in range(len(v)):
            d[i + 1][j + 1] = blended(d[i][j + 1] * v[j], blended(d[i + 1][j], d[i][j])) + m[i, j]
    return d[-1][-1] * d[n][n + 1]


def best_paths(v, m, n):
    a = [[m[t, s] for s in range(len(v))] for t in range(m.shape[0])]
    back = [[0] * len(v) for _ in range(m.shape[0])]
    for t in range(1, m.shape[0]):
        for s in range(len(v)):
            k = 0
            for r in range(len(v)):
                if a[t - 1][r] * v[r] > a[t - 1][k] * v[k]:
                    k = r
            back[t][s] = k
            a[t][s] = a[t - 1][back[t][s]] * v[back[t][s]] + m[t, s]
    s, total = 0, 0.0
    for t in range(m.shape[0] - 1, 0, -1):
        s = back[t][s]
        total += a[t][s] * v[s]
    return total + a[-1][n]


def spans(v, m, n):
    chart = [[0.0] * 5 for _ in range(5)]
    for i in range(4):
        chart[i][i + 1] = v[i]
    for length in range(2, len(v) + 1):
        for i in range(len(v) - length + 1):
            best = -1e30
            for k in range(i + 1, i + length):
                score = chart[i][k] * chart[k][i + length] + m[i % 3, k % 4]
                if score > best:
                    best = score
            chart[i][i + length] = best
    return chart[0][4] + chart[n][n + 1]


def of_each_turn(v, m, n):
    total = 0.0
    for t in range(m.shape[0]):
        d = [[v[t], v[n]], [m[t, 0], m[t, 1]]]
        for i in range(2):
            for j in range(2):
                d[i][j] = d[i][j] * d[i - 1][j - 1] + total
        total += d[1][1] * d[0][1]
    return total


def two_tables(v, m, n):
    a = [[1.0] * len(v) for _ in range(m.shape[0])]
    b = [[0.5] * len(v) for _ in range(m.shape[0])]
    for i in range(m.shape[0]):
        for j in range(len(v)):
            a[i][j] = b[i - 1][j] * m[i, j] + a[i][j - 1]
            b[i][j] = a[i][j] * v[j] + b[i][j - 1]
    return sum(map(sum, a)) * b[n][n]


def ragged(v, m, n):
    d = [[1.0] * (i + 1) for i in range(4)]
    for i in range(1, 4):
        for j in range(1, i):
            d[i][j] = d[i - 1][j - 1] * v[j] + d[i - 1][j] * v[i]
        d[i][-1] = d[i - 1][-1] * m[0, i]
    return sum(map(sum, d)) + d[3][n] * d[-1][-1]


def as_it_was(v, m, n):
    d, kept = [[1.0] * len(v) for _ in range(2)], []
    for i in range(m.shape[0]):
        kept.append([row[n] for row in d])
        before = d[1][:]
        for j in range(len(v)):
            d[i % 2][j] = before[j - 1] * m[i, j] + v[j] * d[1][j]
    return sum(map(sum, d)) + sum(map(sum, kept))


def read_behind(v, m, n):
    d = [[x, x * x] for x in v]
    first = d[0][0] * d[n][1]
    for i in range(len(v)):
        d[i][1] = d[i - 1][1] * d[i][0]
    other = [[y * 2.0 for y in row] for row in d]
    for i in range(1, len(v)):
        other[i][0] = other[i - 1][0] * d[i][1]
        d[i][0] = other[i][0] + m[0, i]
    return first * sum(map(sum, d)) + other[-1][0] * d[n][0]


def never(v, m, n):
    d = [[v[0]] * 3 for _ in range(3)]
    for i in range(0):
        d[i][i] = v[1]
    for i in range(2, 3):
        for j in range(i, 2):
            d[i][j] = v[2]
    return sum(map(sum, d))
'''
