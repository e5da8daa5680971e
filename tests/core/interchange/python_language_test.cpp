#include "core/interchange/importer_catalogue.h"
#include "core/interchange/python/python_program.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

namespace {

/// A program in which `units` is a list of numbers and every one of them becomes a Dense layer.
std::string withLayers(const std::string& program) {
    return "import tensorflow as tf\nfrom tensorflow.keras import layers\n" + program + R"(
model = tf.keras.Sequential([tf.keras.Input((4,))])
for width in units:
    model.add(layers.Dense(width))
)";
}

QString firstRefusal(const core::Diagnostics& diagnostics) {
    return diagnostics.empty() ? QString() : QString::fromStdString(core::toText(diagnostics.front()));
}

/// The units of the Dense layers of a model, in order: "8 16".
QString widths(const core::ModelGraph& model) {
    QStringList list;
    for (const core::Layer& layer : model.layers)
        if (layer.className == "Dense")
            list << QString::number(layer.config.at("units").get<int>());
    return list.join(' ');
}

QString names(const core::ModelGraph& model) {
    QStringList list;
    for (const core::Layer& layer : model.layers)
        if (layer.className == "Dense")
            list << QString::fromStdString(layer.name);
    return list.join(' ');
}

} // namespace

/// Python as people write it around their models.
class PythonLanguageTest : public QObject {
    Q_OBJECT

private slots:
    void everydayPythonIsFollowed_data() {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const char* program, const char* expected) {
            QTest::newRow(name) << program << expected;
        };
        row("a list that grows", "units = []\nunits.append(8)\nunits.extend([16, 4])\nunits.insert(0, 2)",
            "2 8 16 4");
        row("a list shared by two names", "units = [8]\nother = units\nother.append(16)", "8 16");
        row("a list changed in a function",
            "def grow(list):\n    list.append(3)\nunits = []\ngrow(units)\ngrow(units)", "3 3");
        row("lists are added", "units = [8, 4] + [2]", "8 4 2");
        row("a list is lengthened in place", "units = [8]\nother = units\nother += [4]", "8 4");
        row("reversed", "units = list(reversed([1, 2, 3]))", "3 2 1");
        row("a slice backwards", "units = [1, 2, 3, 4][::-1]", "4 3 2 1");
        row("every second one", "units = [1, 2, 3, 4, 5][1::2]", "2 4");
        row("enumerate from one", "units = [i * w for i, w in enumerate([8, 8], start=1)]", "8 16");
        row("zip", "units = [a + b for a, b in zip([1, 2, 3], (4, 5, 6))]", "5 7 9");
        row("iter of a list", "it = iter([8, 4])\nunits = [next(it), next(it)]", "8 4");
        row("a condition in a comprehension", "units = [i for i in range(10) if i % 3 == 1]", "1 4 7");
        row("two loops in a comprehension", "units = [a * b for a in (1, 2) for b in (3, 4)]", "3 4 6 8");
        row("a dictionary comprehension", "sizes = {n: n * 2 for n in (1, 2)}\nunits = list(sizes.values())",
            "2 4");
        row("a generator", "units = tuple(2 ** i for i in range(1, 4))", "2 4 8");
        row("a set keeps one of equals", "units = [w for w in {4, 8, 4}]", "4 8");
        row("shifts and masks", "units = [1 << 4, 64 >> 2, 12 & 10, 12 | 3, 6 ^ 3, ~-9]", "16 16 8 15 5 8");
        row("shifted in place", "w = 1\nw <<= 3\nunits = [w]", "8");
        row("raise behind a condition that does not hold",
            "units = [8]\nif len(units) > 3:\n    raise ValueError('too deep')", "8");
        row("a while loop that ends", "units = []\nw = 32\nwhile w > 4:\n    units.append(w)\n    w //= 2",
            "32 16 8");
        row("break and continue",
            "units = []\nfor i in range(1, 100):\n    if i % 2:\n        continue\n    if i > 6:\n        "
            "break\n"
            "    units.append(i)",
            "2 4 6");
        row("else of a loop", "units = []\nfor i in []:\n    pass\nelse:\n    units.append(5)", "5");
        row("a conditional expression", "deep = False\nunits = [8] if deep else [4]", "4");
        row("not binds looser than a comparison", "a = 3\nunits = [8] if not a == 4 else [4]", "8");
        row("a chain of comparisons", "units = [w for w in (1, 5, 9) if 1 < w <= 9]", "5 9");
        row("unpacking", "first, *rest = 8, 4, 2\n(a, b), c = (1, 2), 3\nunits = [first] + rest + [a, b, c]",
            "8 4 2 1 2 3");
        row("a swap", "a, b = 1, 2\na, b = b, a\nunits = [a, b]", "2 1");
        row("keyword-only arguments",
            "def width(*, depth, base=2):\n    return base * depth\nunits = [width(depth=4)]", "8");
        row("star arguments",
            "def all_of(*widths, **more):\n    return list(widths) + list(more.values())\n"
            "units = all_of(1, 2, last=3)",
            "1 2 3");
        row("unpacked arguments",
            "def two(a, b, c=9):\n    return [a, b, c]\nunits = two(*[1, 2], **{'c': 3})", "1 2 3");
        row("a default of its definition", "n = 4\ndef width(w=n):\n    return w\nn = 8\nunits = [width()]",
            "4");
        row("a constant of the module", "WIDTH = 8\ndef widths():\n    return [WIDTH] * 2\nunits = widths()",
            "8 8");
        row("a global that is set",
            "n = 1\ndef step():\n    global n\n    n += 1\nstep()\nstep()\nunits = [n]", "3");
        row("lambda", "double = lambda w, by=2: w * by\nunits = [double(4), double(4, by=3)]", "8 12");
        row("a function within a function",
            "def scaled(by):\n    def scale(w):\n        return w * by\n    return scale\nunits = "
            "[scaled(2)(4), scaled(3)(4)]",
            "8 12");
        row("map and filter", "units = list(filter(lambda w: w > 2, map(lambda w: w * 2, [1, 2, 3])))",
            "4 6");
        row("sorted, min, max, sum, abs, round",
            "units = sorted([3, 1, 2], reverse=True) + [min(4, 5), max([6, 7]), sum([1, 2]), abs(-9), "
            "round(7.6)]",
            "3 2 1 4 7 3 9 8");
        row("numbers of texts", "units = [int('8'), int(float('4.5')), len('abc')]", "8 4 3");
        row("math", "import math\nunits = [math.ceil(2.2), int(math.sqrt(16)), int(math.log2(8))]", "3 4 3");
        row("a dictionary",
            "c = {'w': 8}\nc['v'] = 4\nc.update(u=2)\nunits = [c['w'], c.get('v'), c.get('x', 1)] + "
            "[v for k, v in c.items() if k == 'u']",
            "8 4 1 2");
        row("dictionaries are merged", "a = {'w': 8}\nunits = list({**a, 'v': 4}.values())", "8 4");
        row("a list is changed at a place", "units = [1, 2, 3]\nunits[1] = 9\nunits[-1] = 7", "1 9 7");
        row("membership", "units = [8] if 'b' in {'a': 1, 'b': 2} and 3 not in [1, 2] else []", "8");
        row("argparse",
            "import argparse\nparser = argparse.ArgumentParser(description='x')\n"
            "parser.add_argument('--hidden-size', '-n', type=int, default=16, help='width')\n"
            "parser.add_argument('--small', action='store_true')\n"
            "parser.add_argument('--depth', type=int, default='2')\nargs = parser.parse_args()\n"
            "units = [args.hidden_size] * args.depth if not args.small else [1]",
            "16 16");
        row("a class of plain values",
            "class Config:\n    width = 8\n    depth = 2\nunits = [Config.width] * Config.depth", "8 8");
        row("a class with functions",
            "class Base:\n    def __init__(self, width):\n        self.width = width\n"
            "    def widths(self):\n        return [self.width]\n"
            "class Wide(Base):\n    def __init__(self, width, by=2):\n        super().__init__(width * by)\n"
            "        self.by = by\n    @property\n    def last(self):\n        return self.by\n"
            "wide = Wide(4, by=3)\nunits = wide.widths() + [wide.last]",
            "12 3");
        row("try",
            "try:\n    units = [8]\nexcept ImportError as error:\n    units = [4]\nfinally:\n    units = "
            "units + [2]",
            "8 2");
        row("an annotation", "width: int = 8\ndepth: int\nunits = [width]", "8");
        row("assert and print", "units = [8]\nassert len(units) == 1, 'one'\nprint('units', units)", "8");
        row("a main function",
            "def main():\n    global units\n    units = [8]\nif __name__ == '__main__':\n    main()", "8");
    }
    void everydayPythonIsFollowed() {
        QFETCH(const QString, program);
        const auto file = core::readPythonProgram(withLayers(program.toStdString()), "program.py");
        QVERIFY2(file.has_value(), file ? "" : qPrintable(firstRefusal(file.error())));
        QTEST(widths(file->project.model), "expected");
    }

    void textsAreFormattedAsPythonDoes_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* text, const char* expected) {
            QTest::newRow(text) << text << expected;
        };
        row("f'block_{i}'", "block_3");
        row("f'{i:02d}_{name}'", "03_wide");
        row("f'{rate:.2f}{{x}}'", "0.25{x}");
        row("f'{name!r}'", "'wide'");
        row("f'{i + 1}' 'a{b}'", "4a{b}");
        row("f'{name!s}_{widths[1]}'", "wide_16");
        row("'block_%d' % i", "block_3");
        row("'%s_%02d' % (name, i)", "wide_03");
        row("'%.1e' % rate", "2.5e-01");
        row("'{}_{}'.format(name, i)", "wide_3");
        row("'{1}_{0}_{last:03d}'.format(name, i, last=7)", "3_wide_007");
        row("'_'.join(['a', name])", "a_wide");
        row("name.upper().replace('W', 'v') + str(i) + str(1.0)", "vIDE31.0");
        row("'a,b'.split(',')[1] + name[0] + name[-2:]", "bwde");
    }
    void textsAreFormattedAsPythonDoes() {
        QFETCH(const QString, text);
        const auto file = core::readPythonProgram(
            "import tensorflow as tf\ni, name, rate, widths = 3, 'wide', 0.25, [8, 16]\n"
            "model = tf.keras.Sequential([tf.keras.layers.Dense(2, name=" +
                text.toStdString() + ", input_shape=(4,))])\n",
            "program.py");
        QVERIFY2(file.has_value(), file ? "" : qPrintable(firstRefusal(file.error())));
        QTEST(names(file->project.model), "expected");
    }

    /// In the manner of the programs that people write for IPUs.
    void aWholeProgramIsFollowed() {
        const std::string program = R"("""Trains a wide network.

It is [split] over {two} IPUs.
"""
import argparse
import tensorflow as tf
from tensorflow.python import ipu

WIDTHS = (1 << 5, 1 << 4)


def block(x, width, *, name, activation="relu"):
    if width <= 0:
        raise ValueError("width {} is not positive".format(width))
    return tf.keras.layers.Dense(width, activation=activation, name=name)(x)


def create_model(widths, batch_size):
    inputs = tf.keras.Input((16,), batch_size=batch_size)
    x = inputs
    for stage, width in enumerate(widths):
        with ipu.keras.PipelineStage(stage):
            x = block(x, width, name=f"dense_{stage}")
            for _ in range(2):
                x = block(x, width, name="block_%d_%d" % (stage, _))
    return tf.keras.Model(inputs, x)


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch-size", type=int, default=8)
    parser.add_argument("--steps", type=int, default=16)
    return parser.parse_args()


def main():
    args = parse()
    config = ipu.config.IPUConfig()
    config.auto_select_ipus = len(WIDTHS)
    config.configure_ipu_system()
    data = tf.data.Dataset.from_tensor_slices(([[0.0] * 16], [[0.0] * 16])).batch(args.batch_size, drop_remainder=True)
    with ipu.ipu_strategy.IPUStrategy().scope():
        model = create_model(WIDTHS, args.batch_size)
        model.compile("sgd", "mse", steps_per_execution=args.steps)
        model.set_pipelining_options(gradient_accumulation_steps_per_replica=args.steps // 2)
        model.fit(data, epochs=2, steps_per_epoch=args.steps)


if __name__ == "__main__":
    main()
)";
        QVERIFY(core::isPythonProgram(program));
        const auto file = core::importProject(program, "train.py");
        QVERIFY2(file.has_value(), file ? "" : qPrintable(firstRefusal(file.error())));
        const core::Project& project = file->project;
        QCOMPARE(widths(project.model), QString("32 32 32 16 16 16"));
        QCOMPARE(names(project.model), QString("dense_0 block_0_0 block_0_1 dense_1 block_1_0 block_1_1"));
        QCOMPARE(project.assignment.stageCount(), std::size_t{2});
        QCOMPARE(project.system.ipus, 2);
        QCOMPARE(project.training.batchSize, 8);
        QCOMPARE(*project.pipeline.gradientAccumulationSteps, 8);
        QCOMPARE(project.training.stepsPerExecution, 16);
        // It is known by its text, too.
        QVERIFY(core::importProject(program, "train").has_value());
    }

    void saysWhyItDoesNotFollow_data() {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("place");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* program, const char* place, const char* says) {
            QTest::newRow(program) << program << place << says;
        };
        const char* const loop = "a loop over data is not followed";
        const char* const grows = "    layers.Dense(3)";
        const std::string open = "data = tf.data.TFRecordDataset('a')\n";
        row((open + "for x in data:\n" + grows).c_str(), "4:1", loop);
        row((open + "for i, x in enumerate(data):\n" + grows).c_str(), "4:1", loop);
        row("for x in tf.data.Dataset.range(3).repeat():\n    pass", "3:1", "has no end");
        row("n = tf.random.uniform([])\nif n > 2:\n    layers.Dense(3)", "4:4", "depends on data");
        row("n = tf.random.uniform([])\nwhile n < 4:\n    layers.Dense(3)", "4:7",
            "is known only when it runs");
        row("while True:\n    pass", "3:1", "does not end");
        row("depth = 9\nif depth > 8:\n    raise ValueError('too deep')", "5:5", "ValueError: too deep");
        row("def f(a):\n    return a\nf(1, 2)", "5:1", "takes 1 arguments and gets 2");
        row("def f(a):\n    return a\nf(b=2)", "5:1", "lacks its argument \"a\"");
        row("def f(a):\n    return a\nf(1, c=2)", "5:1", "has no argument \"c\"");
        row("a, b = [1, 2, 3]", "3:1", "unpack into 2 names");
        row("x = [1, 2][5]", "3:5", "not among");
        row("x = []\nx.append(x)", "4:1", "hold itself");
        row("(1, 2).append(3)", "3:1", "a tuple has no append()");
        row("class A:\n    pass\nA().f()", "5:1", "A has no function \"f\"");
        row("x = 'a' - 1", "3:5", "\"-\" is not read here");
        row("x = f'{1:q}'", "3:6", "is no format of a number");
        row("x = f'{1'", "3:6", "never closed");
    }
    void saysWhyItDoesNotFollow() {
        QFETCH(const QString, program);
        const auto file =
            core::readPythonProgram(withLayers("\n" + program.toStdString() + "\nunits = [8]"), "program.py");
        QVERIFY(!file.has_value());
        const core::Diagnostic& error = file.error().front();
        QFETCH(const QString, says);
        QVERIFY2(QString::fromStdString(error.message).contains(says), error.message.c_str());
        // Two lines of imports and an empty one come before it.
        QFETCH(const QString, place);
        const QStringList parts = place.split(':');
        QCOMPARE(QString::fromStdString(error.location.place),
                 QString("%1:%2").arg(parts[0].toInt() + 1).arg(parts[1]));
        QVERIFY2(!error.hints.empty(), error.message.c_str());
    }

    /// Values that share or hold one another must not grow without end.
    void programsThatGrowWithoutEndAreRefused_data() {
        QTest::addColumn<QString>("program");
        const auto row = [](const char* program) { QTest::newRow(program) << program; };
        row("x = [1]\nfor i in range(100):\n    x = [x]");
        row("x = [1]\nfor i in range(60):\n    x = [x, x]");
        row("x = {}\nx['x'] = x");
        row("def f():\n    return f()\nf()");
        row("f = lambda: f()\nf()");
        row("for i in range(100000):\n    for j in range(100000):\n        pass");
        row("x = [[i for i in range(90000)] for j in range(90000)]");
        row("class A:\n    def f(self):\n        self.g = self\nA().f()");
        row("x = [1]\nwhile True:\n    x = x + x");
        row("x = [[0] * 10000 for _ in range(100000)]");
        row("x = sum([[0] * 1000] * 100000, [])");
        row("import itertools\nx = list(itertools.product(range(100), repeat=6))");
        row("x = []\nwhile True:\n    x.append('b' * 100000)");
    }
    void programsThatGrowWithoutEndAreRefused() {
        QFETCH(const QString, program);
        const auto file = core::readPythonProgram(program.toStdString() + "\n", "program.py");
        QVERIFY(!file.has_value());
        QCOMPARE(QString::fromStdString(file.error().front().code), QString("python/endless"));
    }
};

REGISTER_TEST("python_language", PythonLanguageTest)
#include "python_language_test.moc"
