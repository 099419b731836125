def ways(coins, amount):
    @cached
    @limited(to=100)
    def go(i, rest):
        return rest == 0 or go(i + 1, rest - coins[i])

    return go(0, amount)
