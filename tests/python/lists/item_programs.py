"""Programs whose loops change arrays item by item, for their gradients."""

# Each gives a number; v is as long as m's rows are.
SOURCE = '''
def running(v, m, n):
    out, total = lt.zeros(len(v), dtype=lt.f64), 0.0
    for i in range(len(v)):
        total += v[i] * v[i]
        out[i] = total
    return lt.sum(lt.sin(out))


def only_linear(v, m, n):
    out = lt.zeros(len(v), dtype=lt.f64)
    for i in range(len(v)):
        out[i] = out[i - 1] * 0.9 + v[i]
    return lt.sum(lt.sin(out)) + out[n] * out[0]


def products(v, m, n):
    out = v * 1.0
    for i in range(len(v)):
        out[i] = out[i - 1] * v[i] + 1.0
    return lt.sum(out * out) + out[n]


def distances(v, m, n):
    d = lt.zeros((m.shape[0] + 1, m.shape[1] + 1), dtype=lt.f64)
    for i in range(m.shape[0]):
        d[i + 1, 0] = d[i, 0] + 0.3
        for j in range(m.shape[1]):
            d[0, j + 1] = 0.4 * (j + 1)
            d[i + 1, j + 1] = m[i, j] * v[j] + lt.minimum(d[i, j], lt.minimum(d[i, j + 1], d[i + 1, j]))
    return d[m.shape[0], m.shape[1]] * lt.sum(d)


def paths(v, m, n):
    a = m * 1.0
    for t in range(1, m.shape[0]):
        for s in range(m.shape[1]):
            stay = lt.exp(a[t - 1, s])
            if s > 0:
                stay = stay + lt.exp(a[t - 1, s - 1])
            a[t, s] = lt.log(stay) + m[t, s] * v[s]
    return lt.sum(lt.sin(a))


def best_paths(v, m, n):
    a = m * 1.0
    back = lt.zeros((m.shape[0], m.shape[1]), dtype=lt.i64)
    for t in range(1, m.shape[0]):
        for s in range(m.shape[1]):
            k = 0
            for r in range(m.shape[1]):
                if a[t - 1, r] * v[r] > a[t - 1, k] * v[k]:
                    k = r
            back[t, s] = k
            a[t, s] = a[t - 1, back[t, s]] * v[back[t, s]] + m[t, s]
    s, total = 0, 0.0
    for t in range(m.shape[0] - 1, 0, -1):
        total += a[t, s] * (back[t, s] + 1)
        s = back[t, s]
    return total


def two_names(v, m, n):
    a = v * 1.0
    b = a.copy()
    for i in range(len(v)):
        a[i] = a[i - 1] * b[i]
    c = a.copy()
    for i in range(len(v)):
        c[i] = c[i] * a[-1 - i] + c[i - 1]
    return lt.sum(a * b) + lt.sum(c * v)


def between(v, m, n):
    a = v * 1.0
    total = 0.0
    for i in range(len(v)):
        total += lt.sum(a * a) * a[i]
        a[i] = total * 0.1
        total += lt.sum(a * v)
        for j in range(i):
            a[j] = a[j] * a[i] + 0.5
            total += a[j] * a[j]
        total += a[0] * a[-1]
        a[n] = lt.sin(a[n])
    return total + lt.sum(a)


def breaking(v, m, n):
    a = v * 1.0
    i = 0
    while i < len(v):
        a[i] = a[i] * a[i - 1]
        if a[i] > 2.5:
            break
        j = i
        while True:
            j += 1
            if j >= len(v):
                break
            if j == n:
                continue
            a[j] = a[j] * 1.5 + a[i] * a[i]
        i += 1
    return lt.sum(a * v)


def twice(v, m, n):
    a = v * 1.0
    for i in range(len(v)):
        a[i] = a[i] * a[i - 1]
        a[i] = lt.sin(a[i]) * a[i] + a[0]
        a[0] = a[i] * a[0]
    return lt.sum(a * a)


def under_conditions(v, m, n):
    a = v * 1.0
    for i in range(len(v)):
        if a[i] > n:
            a[i] = a[i - 1] * v[i]
            if a[i] > 2.0:
                a[i] = a[i] * a[i]
        elif a[i] * 2.0 > a[i - 1]:
            a[0] = a[i] * a[0]
        else:
            a[-1] = a[i]
        a[1] = a[1] * a[i]
    return lt.sum(a * a)


def rows(v, m, n):
    h = m * 1.0
    for t in range(1, len(m)):
        h[t] = lt.tanh(h[t - 1] * v + m[t])
        h[t, n] = h[t, n - 1] * h[t, n]
        h[0] = h[t]
    return lt.sum(h * h)


def rows_as_they_were(v, m, n):
    h = m * 1.0
    total = 0.0
    for t in range(len(m)):
        row = h[t]
        total += lt.sum(row * row * v) + row[n]
        h[t] = row * h[t - 1] + v
        total += lt.sum(h[t, 1:] * v[1:])
    return total + lt.sum(h)


def sorted_by_swaps(v, m, n):
    a, w = v * 1.0, v * v
    for i in range(len(a)):
        for j in range(len(a) - 1 - i):
            if a[j] < a[j + 1]:
                t = a[j]
                a[j] = a[j + 1]
                a[j + 1] = t
                w[j] = w[j + 1] * w[j]
    return a[0] * w[0] + a[1] * a[1] * w[n] + a[-1]


def in_each_turn_another(v, m, n):
    out = v * 1.0
    total = 0.0
    for i in range(len(v)):
        part = lt.zeros(len(v), dtype=lt.f64)
        for j in range(i + 1):
            part[j] = part[j - 1] * out[j] + v[j]
        total += part[i] * part[0]
        out[i] = lt.sum(part * part) * 0.1
    return lt.sum(out) + total


def two_arrays(v, m, n):
    a, b, best = v * 1.0, v * 2.0, 0.0
    for i in range(1, len(v)):
        a[i] = b[i - 1] * a[i]
        b[i] = a[i] * b[i] + a[i - 1]
        best = lt.maximum(best, b[i])
    return lt.sum(a * b) + best


def new_ones_between(v, m, n):
    a = v * 1.0
    for i in range(len(v)):
        a[i] = a[i] * a[i - 1]
        if i == n:
            a = a * v
    return lt.sum(a)


def the_one_before(v, m, n):
    a = v * 1.0
    before = v * 0.0
    for i in range(len(v)):
        before = a.copy()
        a[i] = before[i - 1] * a[i]
    return lt.sum(a * before)


def places(v, m, n):
    order = lt.zeros(len(v), dtype=lt.i64)
    a = v * 1.0
    for i in range(len(v)):
        order[i] = (i * 3 + n) % len(v)
        if i > 1:
            order[order[i - 1]] = order[i]
        a[order[i]] = a[order[i - 1]] * a[i] + v[i]
    return lt.sum(a * a)


def by_functions(v, m, n):
    a = v * 1.0
    for i in range(len(v)):
        a[i] = blended(a, i) * a[i]
        a = put(a, i, a[i] * v[i])
    return lt.sum(a * a)


def blended(a, i):
    return lt.sum(a * a) + a[i]


def put(a, i, x):
    a[i] = x
    for k in range(i):
        a[k] = a[k] * a[i]
    return a


def given_on(v, m, n):
    a = filled(v, n)
    b = filled(a * v, 1)
    return lt.sum(a * b) + a[n]


def filled(v, n):
    a = v * 1.0
    for i in range(n, len(v)):
        a[i] = a[i - 1] * a[i]
    return a


def recursive(v, m, n):
    return deeper(v * 1.0, v, n + 1)


def deeper(a, v, n):
    for i in range(n, len(v)):
        a[i] = a[i] * a[i - 1] + v[n]
    if n <= 0:
        return lt.sum(a)
    return deeper(a * v, v, n - 1) * lt.sum(a)


def own_derivative(v, m, n):
    a = v * 1.0
    for i in range(len(v)):
        a[i] = doubled(a[i - 1]) * a[i]
        row = twice_of(a * v)
        a[0] = row[i] * a[0]
    return lt.sum(a * a)


doubled = lt.custom_vjp(lambda x: x * 2.0, lambda x: (x * 2.0, x), lambda x, d: d * 2.0)
twice_of = lt.custom_vjp(lambda x: x * 2.0, lambda x: (x * 2.0, x), lambda x, d: d * 2.0)


def over_values(v, m, n):
    a, i = v * 1.0, 0
    for x in v:
        assert a[i] > -100.0
        a[i] = a[i - 1] * x
        i += 1
    for i in range(len(v) - 1, -1, -2):
        a[i] = a[i] * a[i - 1]
    for row in m:
        a[0] = a[0] * 0.5 + row[n] * row[0]
    return lt.sum(a * a)


def until(v, m, n):
    a = v * 1.0
    for i in range(n + 2):
        a[i] = a[i - 1] * v[0]
    return lt.sum(a * a)


def cubes(v, m, n):
    c = lt.zeros((2, 3, 4), dtype=lt.f64)
    for i in range(len(m) - 1):
        for j in range(len(m)):
            c[i, j] = v * m[i, 0]
            for k in range(len(v)):
                c[i, j, k] = c[i, j, k] * c[i - 1, j - 1, k - 1] + m[j, k] + c[i, j, k - 1]
    return lt.sum(c * c)
'''
