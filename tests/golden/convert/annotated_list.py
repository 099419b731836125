def adjacent(n):
    adj: list[list[int]] = [[] for _ in range(n)]
    count: int = 0
    return adj, count
