def root(x):
    guess = x
    while guess * guess > x and guess:
        guess = (guess + x / guess) / 2
    return guess
