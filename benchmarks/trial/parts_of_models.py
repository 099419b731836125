"""Parts of models, as users of NumPy write them, and what they are measured on: ours, PyTorch's and JAX's programs run the same lines."""
from fixed import fixed
from timing import Memory, rate, sample


def parts(np, nn):
    """{name: function} of a library's NumPy, and of what it has for networks: sigmoid, softmax and log_softmax of the last axis, the mean cross_entropy."""

    def layer_norm(x, gain, bias):
        apart = x - np.mean(x, axis=1, keepdims=True)
        y = apart / np.sqrt(np.mean(apart * apart, axis=1, keepdims=True) + 1e-5) * gain + bias
        return np.sum(y * y)

    def batch_norm(x, gain, bias):
        apart = x - np.mean(x, axis=0)
        y = np.tanh(apart / np.sqrt(np.mean(apart * apart, axis=0) + 1e-5) * gain + bias)
        return np.sum(y)

    def cross_entropy(x, labels):
        return nn.cross_entropy(x, labels)

    def two_layers(x, w1, b1, w2, b2, labels):
        return nn.cross_entropy(np.tanh(x @ w1.T + b1) @ w2.T + b2, labels)

    def attention(q, k, v):
        return np.sum(nn.softmax(q @ k.T / 8.0) @ v)

    def lstm_cell(x, h, c, w, u, b):
        gates = x @ w.T + h @ u.T + b
        n = c.shape[1]
        i, f, o, g = nn.sigmoid(gates[:, :n]), nn.sigmoid(gates[:, n:2 * n]), nn.sigmoid(gates[:, 2 * n:3 * n]), np.tanh(gates[:, 3 * n:])
        return np.sum(o * np.tanh(f * c + i * g))

    def recurrence(xs, w, u):
        h = xs[0] @ w
        for t in range(1, xs.shape[0]):
            h = np.tanh(xs[t] @ w + h @ u)
        return np.sum(h * h)

    def huber_loss(x, y):
        d = x - y
        size = np.abs(d)
        return np.sum(np.where(size < 0.1, 0.5 * d * d, 0.1 * (size - 0.05)))

    def bernoulli_loss(x, z, mean, log_variance):
        p = nn.sigmoid(z)
        likely = np.sum(x * np.log(p + 1e-6) + (1.0 - x) * np.log(1.0 - p + 1e-6))
        return -0.5 * np.sum(1.0 + log_variance - mean * mean - np.exp(log_variance)) - likely

    def distances(x, y):
        apart = x[:, None, :] - y[None, :, :]
        return np.sum(np.sqrt(np.sum(apart * apart, axis=2) + 1e-6))

    def polynomial(x, a):
        return np.sum(a[0] + x * (a[1] + x * (a[2] + x * (a[3] + x * a[4]))))

    return {each.__name__.replace("_", " "): each for each in
            (layer_norm, batch_norm, cross_entropy, two_layers, attention, lstm_cell, recurrence, huber_loss, bernoulli_loss, distances, polynomial)}


# The shapes of what is differentiated; of labels, how many there are, and of how many classes.
SHAPES = {
    "layer norm": [(256, 512), (512,), (512,)],
    "batch norm": [(256, 512), (512,), (512,)],
    "cross entropy": [(512, 1000)],
    "two layers": [(128, 256), (512, 256), (512,), (10, 512), (10,)],
    "attention": [(128, 64), (128, 64), (128, 64)],
    "lstm cell": [(32, 100), (32, 128), (32, 128), (512, 100), (512, 128), (512,)],
    "recurrence": [(60, 16, 32), (32, 64), (64, 64)],
    "huber loss": [(100_000,), (100_000,)],
    "bernoulli loss": [(256, 784), (256, 784), (256, 64), (256, 64)],
    "distances": [(100, 32), (120, 32)],
    "polynomial": [(100_000,), (5,)],
}
LABELS = {"cross entropy": (512, 1000), "two layers": (128, 10)}


def arguments(name, share):
    """The arrays of f32, and the labels if there are any; of an axis, a share."""
    def shortened(shape):
        return [max(5, size // share) for size in shape]

    arrays = [fixed(seed, *shortened(shape), low=-0.1, high=0.1) for seed, shape in enumerate(SHAPES[name])]
    count, classes = shortened(LABELS[name]) if name in LABELS else (0, 0)
    return arrays, [fixed(9, count, low=0, high=classes).astype("int64")] * (name in LABELS)


def measure(share, np, nn, gradient, array, finish=lambda gradients: gradients):
    """Times each part with its gradient. gradient(function, n): what gives value and gradients of the first n arguments; array(x): a library's own;
    finish(gradients): behind the last of some calls."""
    memory = Memory()
    for name, part in parts(np, nn).items():
        arrays, labels = arguments(name, share)
        call, given = gradient(part, len(arrays)), [array(x) for x in (*arrays, *labels)]
        _, gradients = call(*given)
        sample(f"{name}, gradient", gradients[0].reshape(-1).tolist())
        rate(name, 1, lambda call=call, given=given: finish(call(*given)))
    memory.print()
