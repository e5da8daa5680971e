"""The workloads of numerics_benchmark in PyTorch on one thread; prints "name milliseconds" (of processor time, the
median) and, behind a #, what multiplies its matrices: Debian's PyTorch takes the system's BLAS, a slow one unless
OpenBLAS is installed. The first argument chooses the workloads whose names contain it; with a second one the network
of the last is written to that file as ONNX instead."""

import os
import statistics
import sys
import time

import torch
from torch import nn

torch.set_num_threads(1)


def report(name, repetitions, make):
    if only not in name:
        return
    work = make()
    work()
    times = []
    for _ in range(repetitions):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    print(name, 1000 * statistics.median(times), flush=True)


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


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(128, 256, batch_first=True)
        self.dense = nn.Linear(256, 10)

    def forward(self, x):
        return self.dense(self.lstm(x)[0][:, -1])


class BertLayers(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(768, 12, 3072, dropout=0.0, activation="gelu", batch_first=True)
            for _ in range(2))
        self.dense = nn.Linear(768, 10)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return self.dense(x.mean(1))


def forward(model, x):
    def step():
        with torch.no_grad():
            model(x)

    model.eval()
    return step


only = sys.argv[1] if len(sys.argv) > 1 else ""
image = torch.randn(8, 3, 224, 224)
if len(sys.argv) > 2:
    torch.onnx.export(resnet50().eval(), image, sys.argv[2], input_names=["x"], output_names=["y"])
    sys.exit()
print(f"# PyTorch {torch.__version__}, BLAS: {blas_libraries()}")
report("tutorial MLP, batch 32, training", 400, lambda: training(mlp(), torch.randn(32, 784), 10))
report("small CNN, batch 32, training", 20, lambda: training(cnn(), torch.randn(32, 1, 28, 28), 10))
report("LSTM 256 x 64 steps, batch 32, training", 5, lambda: training(Recurrent(), torch.randn(32, 64, 128), 10))
report("2 BERT-Base layers, 4 x 128 tokens, training", 3,
       lambda: training(BertLayers(), torch.randn(4, 128, 768), 10))
report("ResNet-50, batch 8, forward", 3, lambda: forward(resnet50(), image))
