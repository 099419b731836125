"""Digits by softmax regression, trained inside the program: the in-graph training of the AutoGraph paper (its table 2).

    lantern run examples/mnist_linear.py train --data MNIST      as C++ that Lantern generates: reading, steps and test in one call
    python examples/mnist_linear.py train --data MNIST           the same, on NumPy

MNIST is a folder with the four files of http://yann.lecun.com/exdb/mnist, gzipped.
"""
import lantern as lt

PIXELS, CLASSES = 784, 10


class Linear(lt.Module):
    def __init__(self):
        self.weight = lt.Parameter((PIXELS, CLASSES), lt.init.zeros())
        self.bias = lt.Parameter(CLASSES, lt.init.zeros())

    def scores(self, images):
        """What speaks for each class, [n, classes], of images [n, pixels]."""
        return images @ self.weight + self.bias

    def loss(self, images, labels):
        """Mean negative log likelihood of the labels [n]."""
        scores = self.scores(images)
        return lt.mean(lt.logsumexp(scores, 1) - lt.sum(scores * lt.one_hot(labels, CLASSES), 1))


def digits(folder, part):
    """The images, from 0 to 1, and labels of a part of MNIST: train or t10k."""
    images = lt.read_idx(f"{folder}/{part}-images-idx3-ubyte.gz", lt.Tensor[None, 28, 28])
    labels = lt.read_idx(f"{folder}/{part}-labels-idx1-ubyte.gz", lt.Tensor[lt.i64, None])
    return lt.dataset(lt.reshape(images, len(images), PIXELS) / 255.0, labels)


def accuracy(model, data):
    right = 0
    for images, labels in lt.batch(data, 1000):
        right += lt.sum(lt.argmax(model.scores(images), 1) == labels)
    return right / len(data)


@lt.export
def train(data: str, steps: int = 1000, batch: int = 200, learning_rate: float = 0.5, seed: int = 1):
    """Takes so many steps of gradient descent, then says how many of the test images are classified right.

    Args:
        data: folder of MNIST's files
        steps: how many
        batch: images in a step
        learning_rate: of gradient descent
        seed: of the order of the images
    """
    lt.seed(seed)
    images = digits(data, "train")
    model = Linear()
    optimizer = lt.optim.SGD(learning_rate)
    step = 0
    while step < steps:
        for x, y in lt.batch(lt.shuffle(images), batch):
            if step == steps:
                break
            loss, gradients = lt.value_and_grad(model.loss)(x, y)
            optimizer.step(gradients)
            step += 1
            if step % 100 == 0:
                print(f"step {step}: loss {loss:.4f}")
    print(f"test accuracy: {accuracy(model, digits(data, 't10k')):.4f}")


if __name__ == "__main__":
    lt.main()
