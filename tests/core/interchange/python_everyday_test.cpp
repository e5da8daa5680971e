#include "core/interchange/python/python_program.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <chrono>

namespace {

/// A program in which `units` is a list of numbers and every one of them becomes a Dense layer.
std::string everydayProgram(const std::string& program) {
    return "import tensorflow as tf\nfrom tensorflow.keras import layers\n" + program +
           "\nif units:\n    model = tf.keras.Sequential([tf.keras.Input((4,))])\n    for width in units:\n"
           "        model.add(layers.Dense(width))\n";
}

QString denseUnits(const core::ModelGraph& model) {
    QStringList list;
    for (const core::Layer& layer : model.layers)
        if (layer.className == "Dense")
            list << QString::number(layer.config.at("units").get<int>());
    return list.join(' ');
}

} // namespace

/// Small programs as people write them, with the widths that they have in Python.
class PythonEverydayTest : public QObject {
    Q_OBJECT

private slots:
    void aSmallProgramMakesTheLayersThatPythonMakes_data() {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const char* program, const char* expected) {
            QTest::newRow(name) << program << expected;
        };
        row("walrus", R"py(units = [n] if (n := 8) > 4 else [])py", "8");
        row("walrus in a comprehension", R"py(units = [m for w in (1, 2) if (m := w * 4) > 4] + [m])py",
            "8 8");
        row("elif", R"py(n = 3
if n < 2:
    units = [1]
elif n > 8:
    units = [2]
elif n == 3:
    units = [8]
else:
    units = [4])py",
            "8");
        row("tuples are compared", R"py(import sys
units = [8] if (1, 2) < (1, 3) and not [2] <= [1, 9] and sys.version_info >= (3, 6) else [4])py",
            "8");
        row("del of a name and an entry", R"py(a = [8, 4, 2]
del a[1]
b = 3
del b
d = {'x': 1, 'y': 5}
del d['x']
units = a + list(d.values()))py",
            "8 2 5");
        row("an error that is caught", R"py(try:
    raise ValueError('no')
except (KeyError, ValueError) as error:
    units = [8]
else:
    units = [1]
finally:
    units.append(2))py",
            "8 2");
        row("a missing key is caught", R"py(try:
    w = {}['w']
except KeyError:
    w = 8
units = [w])py",
            "8");
        row("a text that is no number is caught", R"py(try:
    w = int('x')
except ValueError:
    w = 8
units = [w])py",
            "8");
        row("finally behind a return", R"py(units = []
def f():
    try:
        return 8
    finally:
        units.append(2)
units.append(f()))py",
            "2 8");
        row("an own error", R"py(class Wrong(ValueError):
    pass
try:
    raise Wrong('x')
except ValueError:
    units = [8])py",
            "8");
        row("raised again", R"py(try:
    try:
        raise KeyError('x')
    except KeyError:
        raise
except LookupError:
    units = [8])py",
            "8");
        row("a generator function", R"py(def widths():
    for w in (8, 4):
        yield w
    yield from [2]
units = list(widths()))py",
            "8 4 2");
        row("next with a default", R"py(it = iter([8])
units = [next(it), next(it, 4)])py",
            "8 4");
        row("an iterator goes on", R"py(it = iter([8, 4, 2])
next(it)
units = [w for w in it])py",
            "4 2");
        row("a decorator of the program", R"py(def twice(f):
    def inner(*args):
        return 2 * f(*args)
    return inner
@twice
def width(w):
    return w
units = [width(4)])py",
            "8");
        row("nonlocal", R"py(def counter():
    n = 0
    def up():
        nonlocal n
        n += 4
        return n
    return up
c = counter()
units = [c(), c()])py",
            "4 8");
        row("recursion", R"py(def f(n):
    return 1 if n == 0 else 2 * f(n - 1)
units = [f(3)])py",
            "8");
        row("sets", R"py(a = {1, 2, 3} & {2, 3, 4}
a.add(8)
a.discard(2)
units = sorted(a | {4} - {5}))py",
            "3 4 8");
        row("dictionaries joined", R"py(d = {'a': 1} | {'a': 8, 'b': 4}
units = list(d.values()) + [d.setdefault('c', 2), d.pop('a'), d.pop('x', 3)])py",
            "8 4 2 8 3");
        row("a list is sorted", R"py(units = [4, 8, 2]
units.sort(key=lambda w: -w)
units.remove(4))py",
            "8 2");
        row("tuples are sorted", R"py(units = [w for _, w in sorted([(2, 4), (1, 8)])])py", "8 4");
        row("min with a key", R"py(units = [min([4, 8], key=lambda w: -w), max((), default=3)])py", "8 3");
        row("divmod and pow", R"py(units = list(divmod(17, 2)) + [pow(2, 3)])py", "8 1 8");
        row("getattr and hasattr", R"py(class C:
    w = 8
units = [getattr(C, 'w'), getattr(C, 'v', 4), 2 if hasattr(C(), 'w') else 1])py",
            "8 4 2");
        row("setattr", R"py(class C:
    pass
c = C()
setattr(c, 'w', 8)
units = [c.w])py",
            "8");
        row("isinstance of a class", R"py(class A:
    pass
class B(A):
    pass
units = [8] if isinstance(B(), A) and not isinstance(A(), B) else [4])py",
            "8");
        row("type", R"py(units = [8] if type(3) == int and type('a') is not int else [4])py", "8");
        row("exact whole numbers", R"py(units = [(3**30 // 3**28) - 1, -7 // 2 + 12, -7 % 5])py", "8 8 3");
        row("truth values count", R"py(units = [8 * True, sum([True, True])])py", "8 2");
        row("words of a text",
            R"py(units = [int(w) for w in ' 8  4 '.split()] + [int(w) for w in '2,1'.rsplit(',', 1)])py",
            "8 4 2 1");
        row("methods of texts",
            R"py(units = [8] if 'ab_c'.partition('_')[2].zfill(3) == '00c' and 'x'.isalpha() and 'abc'.find('z') == -1 and ' a'.lstrip().title() == 'A' else [4])py",
            "8");
        row("a dataclass", R"py(from dataclasses import dataclass, field
@dataclass
class C:
    width: int
    depth: int = 2
    more: list = field(default_factory=list)
c = C(8)
c.more.append(4)
units = [c.width] * c.depth + c.more + C(1, depth=3).more)py",
            "8 8 4");
        row("a named tuple", R"py(from typing import NamedTuple
class C(NamedTuple):
    width: int
    depth: int = 2
w, d = C(8)
units = [w, d, C(4)[0]])py",
            "8 2 4");
        row("namedtuple", R"py(import collections
C = collections.namedtuple('C', 'width depth')
c = C(8, depth=4)
units = [c.width, c.depth, c._replace(width=2).width])py",
            "8 4 2");
        row("an enumeration", R"py(from enum import Enum
class Size(Enum):
    SMALL = 4
    LARGE = 8
units = [s.value for s in Size] + [Size['LARGE'].value, 1 if Size(4) is Size.SMALL else 2])py",
            "4 8 8 1");
        row("a namespace", R"py(from types import SimpleNamespace
c = SimpleNamespace(width=8)
c.depth = 2
units = [c.width] * c.depth)py",
            "8 8");
        row("class methods", R"py(class C:
    width = 8
    @classmethod
    def make(cls, by):
        return cls(by)
    def __init__(self, by):
        self.by = by
    @staticmethod
    def two():
        return 2
units = [C.make(4).by, C.two(), C.width])py",
            "4 2 8");
        row("a property that is set", R"py(class C:
    @property
    def width(self):
        return self.w
    @width.setter
    def width(self, w):
        self.w = w * 2
c = C()
c.width = 4
units = [c.width])py",
            "8");
        row("attributes of a class see one another", R"py(width = 1
class C:
    width = 4
    double = width * 2
    def own(self):
        return width
units = [C.double, C().own()])py",
            "8 1");
        row("an attribute of a class is set", R"py(class C:
    n = 0
C.n += 8
units = [C().n])py",
            "8");
        row("special functions", R"py(class C:
    def __len__(self):
        return 8
    def __getitem__(self, i):
        return i * 2
    def __call__(self, w):
        return w
    def __iter__(self):
        return iter([1])
c = C()
units = [len(c), c[2], c(3)] + list(c))py",
            "8 4 3 1");
        row("partial", R"py(import functools
f = functools.partial(lambda a, b=1: a * b, b=2)
units = [f(4), functools.reduce(lambda a, b: a + b, [1, 2, 3])])py",
            "8 6");
        row("itertools", R"py(import itertools as it
units = list(it.chain([8], (4,))) + [a * b for a, b in it.product([1, 2], [3])] + list(it.repeat(2, 2)) + list(it.islice([5, 6, 7], 1)))py",
            "8 4 3 6 2 2 5");
        row("defaultdict", R"py(from collections import defaultdict, OrderedDict
d = defaultdict(list)
d['a'].append(8)
units = d['a'] + list(OrderedDict([('x', 4)]).values()))py",
            "8 4");
        row("json and copies", R"py(import json, copy
a = json.loads('{"w": [8, 4]}')
b = copy.deepcopy(a)
b['w'].append(2)
units = a['w'] + b['w'][2:])py",
            "8 4 2");
        row("the environment", R"py(import os
units = [int(os.environ.get('WIDTH', '8')), int(os.getenv('N', 4))])py",
            "8 4");
        row("no arguments", R"py(import sys
units = [8] if len(sys.argv) < 2 else [4])py",
            "8");
        row("math.pi", R"py(import math
from math import pi
units = [int(math.pi * 2), int(pi)])py",
            "6 3");
        row("with brackets", R"py(import contextlib
with (contextlib.nullcontext() as a, contextlib.suppress(ValueError)):
    units = [8])py",
            "8");
        row("a context of the program", R"py(class C:
    def __enter__(self):
        return 8
    def __exit__(self, *args):
        pass
with C() as w:
    units = [w])py",
            "8");
        row("a layer of the program", R"py(class Block(layers.Layer):
    def __init__(self, width, **kwargs):
        super().__init__(**kwargs)
        self.width = width
    def build(self, shape):
        self.parts = {'a': layers.Dense(self.width), 'b': [layers.Dense(2)]}
        super().build(shape)
    def call(self, x, training=None):
        return self.parts['b'][0](self.parts['a'](x))
    def get_config(self):
        return {**super().get_config(), 'width': self.width}
inputs = tf.keras.Input((4,))
units = []
small = tf.keras.Model(inputs, Block(8)(inputs))
small.compile('sgd', 'mse')
small.fit(x, y))py",
            "8 2");
        row("else and continue of loops", R"py(units = []
for w in (1, 8):
    if w < 2:
        continue
    units.append(w)
else:
    units += [4])py",
            "8 4");
        row("stars in the middle", R"py(a, *b, c = 8, 4, 2, 1
units = [*b, a + c])py",
            "4 2 9");
        row("slices that are set", R"py(units = [1, 2, 3, 4]
units[::2] = [8, 6])py",
            "8 2 6 4");
        row("augmented attributes and items", R"py(class C:
    w = 4
c = C()
c.w *= 2
d = {'n': 1}
d['n'] += 1
units = [c.w, d['n']])py",
            "8 2");
        row("nested comprehensions",
            R"py(units = [sum(row) for row in [[w * i for w in (1, 2)] for i in (1, 2)]])py", "3 6");
        row("a generator in a call", R"py(units = [sum(w for w in (1, 2, 5)), max(w for w in (4, 2))])py",
            "8 4");
        row("any and all of generators",
            R"py(units = [8] if any(w > 3 for w in (1, 4)) and all(w for w in (1, 2)) else [4])py", "8");
        row("map of two lists", R"py(units = list(map(lambda a, b: a * b, [2, 4], [4, 1])))py", "8 4");
        row("calls on calls", R"py(def f():
    return lambda w: w * 2
units = [f()(4)])py",
            "8");
        row("keywords are passed on", R"py(def g(a, *, b):
    return a + b
def f(*args, **kwargs):
    return g(*args, **kwargs)
units = [f(4, b=4)])py",
            "8");
        row("the parent's function", R"py(class A:
    def w(self):
        return 4
class B(A):
    def w(self):
        return super().w() * 2
units = [B().w()])py",
            "8");
    }
    void aSmallProgramMakesTheLayersThatPythonMakes() {
        QFETCH(const QString, program);
        const auto file = core::readPythonProgram(everydayProgram(program.toStdString()), "program.py");
        QVERIFY2(file.has_value(), file ? "" : core::toText(file.error().front()).c_str());
        QTEST(denseUnits(file->project.model), "expected");
    }

    /// In one clear refusal, and soon.
    void whatIsNotFollowedIsRefusedWithItsCode_data() {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("code");
        const auto row = [](const char* program, const char* code) {
            QTest::newRow(program) << program << code;
        };
        row(R"py(x = 'a' * 10**9)py", "python/value");
        row(R"py(x = 'a'
while True:
    x += x)py",
            "python/endless");
        row(R"py(def f(n):
    return f(n + 1)
f(0))py",
            "python/endless");
        row(R"py(x = 1 / 0)py", "python/value");
        row(R"py(x = unknown_name)py", "python/name");
        row(R"py(for a, b in tf.data.TFRecordDataset('a'):
    layers.Dense(3))py",
            "python/unsupported");
        row(R"py(for a in tf.data.Dataset.range(3).repeat():
    pass)py",
            "python/unsupported");
        row(R"py(assert 1 == 2, 'no')py", "python/raised");
        row(R"py(x = {}['a'])py", "python/unsupported");
        row(R"py(import argparse
p = argparse.ArgumentParser()
p.add_subparsers(required=True)
p.parse_args())py",
            "python/arguments");
        row(R"py(from enum import Enum
class A(Enum):
    B = 1
A(2))py",
            "python/value");
        row(R"py(x = 10.0 ** 999)py", "python/value");
        row(R"py(class A(layers.Layer):
    def build(self, shape):
        self.w = self.add_weight(shape=(len(tf.data.TFRecordDataset('a')),))
    def call(self, x):
        return x
A()(tf.keras.Input((4,))))py",
            "python/unsupported");
        row(R"py(try:
    raise KeyError('x')
except ValueError:
    pass)py",
            "python/raised");
        row(R"py(next(iter([])))py", "python/unsupported");
        row(R"py(import itertools
x = list(zip(itertools.repeat(1), itertools.count())))py",
            "python/endless");
        row(R"py(async def f():
    pass)py",
            "python/syntax");
        row(R"py(x = int('a'))py", "python/value");
    }
    void whatIsNotFollowedIsRefusedWithItsCode() {
        QFETCH(const QString, program);
        const auto begin = std::chrono::steady_clock::now();
        const auto file =
            core::readPythonProgram(everydayProgram("units = [8]\n" + program.toStdString()), "p.py");
        QVERIFY(!file.has_value());
        QCOMPARE(file.error().size(), std::size_t{1});
        QVERIFY2(!file.error().front().hints.empty(), file.error().front().message.c_str());
        QVERIFY2(file.error().front().message.find("yet") == std::string::npos,
                 file.error().front().message.c_str());
        QFETCH(const QString, code);
        QVERIFY2(QString::fromStdString(file.error().front().code) == code,
                 core::toText(file.error().front()).c_str());
        constexpr std::chrono::seconds patience{5}; // a second where nothing else runs
        QVERIFY(std::chrono::steady_clock::now() - begin < patience);
    }
};

REGISTER_TEST("python_everyday", PythonEverydayTest)
#include "python_everyday_test.moc"
