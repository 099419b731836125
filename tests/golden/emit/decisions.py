"""Every kind of decision that `--emit staging` shows."""
import lantern as lt


def relu(x):
    return x if x > 0 else 0.0


def dense(layers, x):
    if not layers:
        return x
    return dense(layers[1:], relu(x * layers[0]))


def factorial(n):
    return 1 if n <= 1 else n * factorial(n - 1)


class Model:
    def __init__(self, depth):
        self.depth = depth
        if depth > 3:
            self.deep = True

    def run(self, x, mask=None):
        if mask is not None:
            for value in mask:
                x = x * value
        for i in range(self.depth):
            if i % 2:
                x = relu(x)
            elif x > 3:
                x = x - 1
            else:
                while x > 1:
                    x = x / 2
        return x


@lt.export
def main(x: float, n: int):
    model = Model(2)
    y = dense([1.0, 2.0], x) + factorial(n)
    for i in range(n):
        y = y + model.run(x)
    k = 0
    while k < 3:
        k += 1
    print(y, sorted([k, 1]))
    return y
