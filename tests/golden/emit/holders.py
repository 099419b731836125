"""What a gradient is taken at has its adjoint under its own name; of two gradients at one number, the second has a name beside it."""
import lantern as lt


def energy(x, a):
    return a * x**2 + x**3.0


@lt.export
def both(x: float, a: float):
    value, dx = lt.value_and_grad(energy, wrt="x")(x, a)
    return value, dx, lt.grad(energy, wrt=("x", "a"))(x, a)


@lt.export
def descent(x: float, steps: int):
    for _ in range(steps):
        x -= 0.01 * lt.grad(energy, wrt="x")(x, 2.0)
    return x
