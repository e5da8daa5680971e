"""The workloads of numerics_benchmark in PyTorch on one thread; prints "name milliseconds" and, behind a #, what
multiplies its matrices: Debian's PyTorch takes the system's BLAS, a slow one unless OpenBLAS is installed."""

import os
import time

import torch
from torch import nn

torch.set_num_threads(1)


def best(repetitions, work):
    work()
    times = []
    for _ in range(repetitions):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return 1000 * min(times)


def training(model, x, classes):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    target = torch.randint(0, classes, (len(x),))
    loss = nn.CrossEntropyLoss()

    def step():
        optimizer.zero_grad()
        loss(model(x), target).backward()
        optimizer.step()

    return step


def mlp():
    sizes = [784, 256, 128, 64, 32]
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), nn.ReLU()]
    return nn.Sequential(*layers, nn.Linear(32, 10))


def cnn():
    return nn.Sequential(
        nn.Conv2d(1, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(32, 64, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(3136, 128), nn.ReLU(), nn.Linear(128, 10))


class Bottleneck(nn.Module):
    def __init__(self, inputs, width, stride):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(inputs, width, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(),
            nn.Conv2d(width, width, 3, stride, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(),
            nn.Conv2d(width, 4 * width, 1, bias=False), nn.BatchNorm2d(4 * width))
        self.shortcut = nn.Identity() if inputs == 4 * width and stride == 1 else nn.Sequential(
            nn.Conv2d(inputs, 4 * width, 1, stride, bias=False), nn.BatchNorm2d(4 * width))

    def forward(self, x):
        return torch.relu(self.body(x) + self.shortcut(x))


def resnet50():
    layers = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(3, 2, 1)]
    inputs = 64
    for width, blocks, stride in [(64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)]:
        for block in range(blocks):
            layers.append(Bottleneck(inputs, width, stride if block == 0 else 1))
            inputs = 4 * width
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(2048, 1000))


def blas_libraries():
    with open("/proc/self/maps") as maps:
        files = {line.split()[-1] for line in maps if "blas" in line}
    return ", ".join(sorted(os.path.basename(file) for file in files)) or "built in"


print(f"# PyTorch {torch.__version__}, BLAS: {blas_libraries()}")
print("tutorial MLP, batch 32, training", best(400, training(mlp(), torch.randn(32, 784), 10)))
print("small CNN, batch 32, training", best(40, training(cnn(), torch.randn(32, 1, 28, 28), 10)))
model = resnet50().eval()
image = torch.randn(8, 3, 224, 224)
with torch.no_grad():
    print("ResNet-50, batch 8, forward", best(5, lambda: model(image)), flush=True)
