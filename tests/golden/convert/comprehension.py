def positive(xs, k):
    return [x * k for x in xs if x > 0]
