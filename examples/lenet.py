"""Digits by a convolutional network: LeCun et al. (1998), LeNet-5, with the rectifiers and pools of largest values of today.

    lantern run examples/lenet.py train --data MNIST      as C++ that Lantern generates
    python examples/lenet.py train --data MNIST           the same, on NumPy

MNIST is a folder with the four files of http://yann.lecun.com/exdb/mnist, gzipped.
"""
import lantern as lt

from mnist_linear import CLASSES, accuracy, digits


class LeNet(lt.Module):
    def __init__(self):
        self.first = lt.Parameter((5, 5, 1, 6), lt.init.uniform(-0.2, 0.2))
        self.second = lt.Parameter((5, 5, 6, 16), lt.init.uniform(-0.08, 0.08))
        self.hidden = lt.Parameter((4 * 4 * 16, 84), lt.init.uniform(-0.06, 0.06))
        self.hidden_bias = lt.Parameter(84, lt.init.zeros())
        self.head = lt.Parameter((84, CLASSES), lt.init.uniform(-0.1, 0.1))
        self.head_bias = lt.Parameter(CLASSES, lt.init.zeros())

    def scores(self, images):
        """What speaks for each class, [n, classes], of images [n, pixels]."""
        n = len(images)
        x = lt.reshape(images, n, 28, 28, 1)
        x = lt.max_pool(lt.relu(lt.conv2d(x, self.first)), 2)
        x = lt.max_pool(lt.relu(lt.conv2d(x, self.second)), 2)
        x = lt.relu(lt.reshape(x, n, 4 * 4 * 16) @ self.hidden + self.hidden_bias)
        return x @ self.head + self.head_bias

    def loss(self, images, labels):
        """Mean negative log likelihood of the labels [n]."""
        scores = self.scores(images)
        return lt.mean(lt.logsumexp(scores, 1) - lt.sum(scores * lt.one_hot(labels, CLASSES), 1))


@lt.export
def train(data: str, epochs: int = 1, batch: int = 50, learning_rate: float = 0.001, seed: int = 1):
    """Learns from all the training images in batches, and prints how many of the test images it classifies right.

    Args:
        data: folder of MNIST's files
        epochs: how often each image is learnt from
        batch: images in a step
        learning_rate: of Adam
        seed: of the random numbers
    """
    lt.seed(seed)
    images = digits(data, "train")
    test = digits(data, "t10k")
    model = LeNet()
    optimizer = lt.optim.Adam(learning_rate)
    mean = lt.metrics.Mean()
    for epoch in range(epochs):
        for x, y in lt.batch(lt.shuffle(images), batch):
            loss, gradients = lt.value_and_grad(model.loss)(x, y)
            optimizer.step(gradients)
            mean.add(loss)
        print(f"epoch {epoch + 1}: mean loss {lt.item(mean.value()):.4f}, test accuracy {accuracy(model, test):.4f}")
        mean.reset()


if __name__ == "__main__":
    lt.main()
