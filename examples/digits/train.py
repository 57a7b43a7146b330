"""Trains the network of `make demo` on scikit-learn's digits.

usage: train.py            (writes the files beside it; needs python3-sklearn)

The 1797 images of 8 by 8 pixels (0 to 16) are divided by a seeded permutation:
360 are for tests, the others for training, 64 of which are written down for
calibration. Written are

  digits.onnx        the network in floating point, batch normalisation apart
  calibration.npy    64 training images, float32, NCHW
  test.npy           360 test images
  labels.npy         their digits, int64

Neither building xc nor the demo runs this.
"""

import os
import sys

import numpy as np
from sklearn.datasets import load_digits

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "../../test/Frontend/ONNX/Inputs"))
import onnx  # noqa: E402  (the writer that the tests use)

SEED = 7
NUM_TEST, NUM_CALIBRATION = 360, 64
EPOCHS, BATCH, RATE, MOMENTUM, DECAY = 24, 32, 0.05, 0.9, 5e-4
EPSILON = 1e-5
rng = np.random.default_rng(SEED)


def normal(deviation, *shape):
    return rng.normal(0, deviation, shape).astype("f4")


class Conv:
    """3x3 with padding 1, NHWC, weight [9 * inputs, outputs]; then batch
    normalisation."""

    def __init__(self, inputs, outputs):
        self.weight = normal(np.sqrt(2 / (9 * inputs)), 9 * inputs, outputs)
        self.gamma, self.beta = np.ones(outputs, "f4"), np.zeros(outputs, "f4")
        self.mean, self.variance = np.zeros(outputs, "f4"), np.ones(outputs, "f4")
        self.parameters = ["weight", "gamma", "beta"]

    def forward(self, x, training):
        n, h, w, c = x.shape
        padded = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
        self.columns = np.concatenate(
            [padded[:, i:i + h, j:j + w] for i in range(3) for j in range(3)],
            axis=3).reshape(-1, 9 * c)
        self.shape = x.shape
        y = self.columns @ self.weight
        mean, variance = self.mean, self.variance
        if training:
            mean, variance = y.mean(0), y.var(0)
            self.mean = 0.9 * self.mean + 0.1 * mean
            self.variance = 0.9 * self.variance + 0.1 * variance
        self.scale = 1 / np.sqrt(variance + EPSILON)
        self.normal = (y - mean) * self.scale
        return (self.gamma * self.normal + self.beta).reshape(n, h, w, -1)

    def backward(self, grad):
        n, h, w, c = self.shape
        grad = grad.reshape(-1, grad.shape[-1])
        self.grads = {"gamma": (grad * self.normal).sum(0), "beta": grad.sum(0)}
        grad = grad * self.gamma
        grad = self.scale * (grad - grad.mean(0)
                             - self.normal * (grad * self.normal).mean(0))
        self.grads["weight"] = self.columns.T @ grad
        columns = (grad @ self.weight.T).reshape(n, h, w, 9, c)
        padded = np.zeros((n, h + 2, w + 2, c), "f4")
        for k in range(9):
            padded[:, k // 3:k // 3 + h, k % 3:k % 3 + w] += columns[:, :, :, k]
        return padded[:, 1:-1, 1:-1]


class Dense:
    def __init__(self, inputs, outputs):
        self.weight = normal(np.sqrt(1 / inputs), inputs, outputs)
        self.bias = np.zeros(outputs, "f4")
        self.parameters = ["weight", "bias"]

    def forward(self, x, training):
        self.input = x
        return x @ self.weight + self.bias

    def backward(self, grad):
        self.grads = {"weight": self.input.T @ grad, "bias": grad.sum(0)}
        return grad @ self.weight.T


class Network:
    """stem, a residual block, pool, a convolution, average, dense."""

    def __init__(self):
        self.stem, self.first, self.second = Conv(1, 24), Conv(24, 24), Conv(24, 24)
        self.last, self.dense = Conv(24, 32), Dense(32, 10)
        self.layers = [self.stem, self.first, self.second, self.last, self.dense]

    def forward(self, x, training=False):
        self.a = np.maximum(self.stem.forward(x, training), 0)
        self.b = np.maximum(self.first.forward(self.a, training), 0)
        self.c = np.maximum(self.second.forward(self.b, training) + self.a, 0)
        n, h, w, c = self.c.shape
        windows = self.c.reshape(n, h // 2, 2, w // 2, 2, c)
        self.d = windows.max((2, 4))
        self.e = np.maximum(self.last.forward(self.d, training), 0)
        return self.dense.forward(self.e.mean((1, 2)), training)

    def backward(self, grad):
        n, h, w, c = self.e.shape
        grad = self.dense.backward(grad)[:, None, None] / (h * w) * (self.e > 0)
        grad = self.last.backward(grad)
        is_max = (self.c.reshape(n, h, 2, w, 2, -1) == self.d[:, :, None, :, None])
        share = grad[:, :, None, :, None] * is_max / is_max.sum((2, 4), keepdims=True)
        grad = share.reshape(self.c.shape) * (self.c > 0)
        inner = self.first.backward(self.second.backward(grad) * (self.b > 0))
        self.stem.backward((grad + inner) * (self.a > 0))


def shifted(images):
    """Each image moved by at most a pixel."""
    result = np.zeros_like(images)
    padded = np.pad(images, ((0, 0), (1, 1), (1, 1), (0, 0)))
    for i, (y, x) in enumerate(rng.integers(0, 3, (len(images), 2))):
        result[i] = padded[i, y:y + 8, x:x + 8]
    return result


def train(network, images, labels):
    velocity = {}
    steps = EPOCHS * (len(images) // BATCH)
    step = 0
    for epoch in range(EPOCHS):
        order, loss = rng.permutation(len(images)), 0
        for at in range(0, len(images) - BATCH + 1, BATCH):
            chosen = order[at:at + BATCH]
            logits = network.forward(shifted(images[chosen]), True)
            p = np.exp(logits - logits.max(1, keepdims=True))
            p /= p.sum(1, keepdims=True)
            truth = np.eye(10, dtype="f4")[labels[chosen]]
            loss -= np.log((p * truth).sum(1) + 1e-12).sum()
            network.backward((p - truth) / BATCH)
            rate = RATE * 0.5 * (1 + np.cos(np.pi * step / steps))
            step += 1
            for layer in network.layers:
                for name in layer.parameters:
                    value = getattr(layer, name)
                    grad = layer.grads[name] + DECAY * value * (name == "weight")
                    key = (id(layer), name)
                    velocity[key] = MOMENTUM * velocity.get(key, 0) - rate * grad
                    value += velocity[key]
        print(f"epoch {epoch + 1}: loss {loss / len(images):.4f}", flush=True)


class Writer:
    def __init__(self):
        self.graph = b""

    def init(self, name, array):
        array = np.ascontiguousarray(array, "<f4")
        dims = b"".join(onnx.number(1, d) for d in array.shape)
        self.graph += onnx.block(5, dims + onnx.number(2, 1) + onnx.block(8, name)
                                 + onnx.block(9, array.tobytes()))

    def node(self, text):
        self.graph += onnx.block(1, onnx.node(text))

    def conv(self, name, layer, source):
        inputs = layer.weight.shape[0] // 9
        weight = layer.weight.reshape(3, 3, inputs, -1).transpose(3, 2, 0, 1)
        self.init(name + ".weight", weight)
        for part in ("gamma", "beta", "mean", "variance"):
            self.init(f"{name}.{part}", getattr(layer, part))
        self.node(f"Conv {source},{name}.weight -> {name}.sum name={name} "
                  "kernel_shape=[3,3] pads=[1,1,1,1]")
        self.node(f"BatchNormalization {name}.sum,{name}.gamma,{name}.beta,"
                  f"{name}.mean,{name}.variance -> {name}.out name={name}.norm")


def write_model(network, path):
    w = Writer()
    w.conv("stem", network.stem, "image")
    w.node("Relu stem.out -> a name=stem.relu")
    w.conv("first", network.first, "a")
    w.node("Relu first.out -> b name=first.relu")
    w.conv("second", network.second, "b")
    w.node("Add second.out,a -> sum name=join")
    w.node("Relu sum -> c name=join.relu")
    w.node("MaxPool c -> d name=pool kernel_shape=[2,2] strides=[2,2]")
    w.conv("last", network.last, "d")
    w.node("Relu last.out -> e name=last.relu")
    w.node("GlobalAveragePool e -> mean name=average")
    w.node("Flatten mean -> features name=flatten")
    w.init("classes.weight", network.dense.weight.T)
    w.init("classes.bias", network.dense.bias)
    w.node("Gemm features,classes.weight,classes.bias -> scores name=classes transB=1")
    w.node("Softmax scores -> probabilities name=softmax")
    w.graph += onnx.block(11, onnx.value_info("image", "f32", "1x1x8x8"))
    w.graph += onnx.block(12, onnx.value_info("probabilities", "f32", "1x10"))
    with open(path, "wb") as file:
        file.write(onnx.number(1, 8) + onnx.block(7, onnx.block(2, "digits") + w.graph)
                   + onnx.block(8, onnx.number(2, 13)))


def main():
    digits = load_digits()
    images = digits.images.astype(np.float32)[..., None]
    order = rng.permutation(len(images))
    test, rest = order[:NUM_TEST], order[NUM_TEST:]
    network = Network()
    train(network, images[rest], digits.target[rest])
    scores = network.forward(images[test])
    right = (scores.argmax(1) == digits.target[test]).sum()
    print(f"test: {right} of {NUM_TEST}")
    write_model(network, os.path.join(HERE, "digits.onnx"))
    for name, chosen in (("calibration", rest[:NUM_CALIBRATION]), ("test", test)):
        np.save(os.path.join(HERE, name + ".npy"),
                images[chosen].transpose(0, 3, 1, 2).copy())
    np.save(os.path.join(HERE, "labels.npy"), digits.target[test].astype("<i8"))


if __name__ == "__main__":
    main()
