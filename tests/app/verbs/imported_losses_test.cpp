#include "core/base/file.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"

#include <QRegularExpression>
#include <QtTest/QTest>
#include <cmath>

using tests::Answer;
using tests::Workbench;

namespace {

/// A model of `units` outputs that is trained with `loss` on `labels`; `definitions` come before.
QString fittedProgram(int units, const QString& labels, const QString& definitions, const QString& loss) {
    return QString("import functools\n"
                   "import numpy as np\n"
                   "import tensorflow as tf\n"
                   "%1\n"
                   "model = tf.keras.Sequential([tf.keras.layers.Dense(%2, input_shape=(3,))])\n"
                   "model.compile('sgd', %3)\n"
                   "model.fit(np.zeros((64, 3), np.float32), %4, batch_size=8)\n")
        .arg(definitions)
        .arg(units)
        .arg(loss, labels);
}

/// A model of 6 outputs that a loop trains with `loss` on what `batch` unpacks.
QString loopProgram(const QString& batch, const QString& dataset, const QString& loss) {
    return QString("import tensorflow as tf\n"
                   "from tensorflow.python import ipu\n"
                   "@tf.function(jit_compile=True)\n"
                   "def loop(it, n, model, opt):\n"
                   "    for _ in tf.range(n):\n"
                   "        %1 = next(it)\n"
                   "        with tf.GradientTape() as tape:\n"
                   "            p = model(x, training=True)\n"
                   "            loss = %2\n"
                   "        g = tape.gradient(loss, model.trainable_variables)\n"
                   "        opt.apply_gradients(zip(g, model.trainable_variables))\n"
                   "strategy = ipu.ipu_strategy.IPUStrategy()\n"
                   "with strategy.scope():\n"
                   "    model = tf.keras.Sequential([tf.keras.layers.Dense(6, input_shape=(8,))])\n"
                   "    data = tf.data.Dataset.from_tensor_slices(%3)\n"
                   "    it = iter(data.batch(4, drop_remainder=True).repeat())\n"
                   "    strategy.run(loop, args=(it, 10, model, tf.keras.optimizers.SGD(0.1)))\n")
        .arg(batch, loss, dataset);
}

/// A layer of the program with a weight `self.w` [1, 6, 4] that answers `call` of x [batch, 6, 4].
QString layerProgram(const QString& call) {
    return QString("import numpy as np\n"
                   "import tensorflow as tf\n"
                   "class Token(tf.keras.layers.Layer):\n"
                   "    def build(self, shape):\n"
                   "        self.w = self.add_weight('w', shape=(1, 6, shape[-1]))\n"
                   "    def call(self, x):\n"
                   "        return %1\n"
                   "i = tf.keras.Input((6, 4))\n"
                   "h = tf.keras.layers.Flatten()(Token()(tf.keras.layers.Dense(4)(i)))\n"
                   "model = tf.keras.Model(i, tf.keras.layers.Dense(2)(h))\n"
                   "model.compile('sgd', 'mse')\n"
                   "model.fit(np.zeros((64, 6, 4), np.float32), np.zeros((64, 2), np.float32), "
                   "batch_size=8)\n")
        .arg(call);
}

const QString threeParts = "(tf.zeros((64, 8)), tf.zeros((64, 6)), tf.ones((64,)))";

} // namespace

/// Losses that programs compute by themselves, imported and run.
class ImportedLossesTest : public QObject {
    Q_OBJECT

private slots:
    void aLossOfTheProgramRunsOnItsLabels_data() {
        QTest::addColumn<QString>("program");
        const auto row = [](const char* name, int units, const char* labels, const char* definitions,
                            const char* loss) {
            QTest::newRow(name) << fittedProgram(units, labels, definitions, loss);
        };
        row("one label beside three quantiles", 3, "np.zeros((64, 1), np.float32)",
            "def f(y, p):\n"
            "    return tf.reduce_mean(tf.maximum(0.5 * (y - p), -0.5 * (y - p)), axis=-1)",
            "f");
        row("a part of what the model answers", 15, "np.zeros((64, 1), np.float32)",
            "def f(y, p):\n"
            "    a, mean, spread = tf.split(p, 3, axis=-1)\n"
            "    return tf.reduce_mean(tf.square(y - mean) * spread, axis=-1)",
            "f");
        row("labels and their mask in one array", 4, "np.zeros((64, 2), np.float32)",
            "class L(tf.keras.losses.Loss):\n"
            "    def call(self, y, p):\n"
            "        return tf.reduce_mean(y[:, 1:] * tf.square(p - y[:, :1]), axis=-1)",
            "L()");
        row("class numbers with an axis of 1", 10, "np.zeros((64,), np.int32)",
            "def f(y, p):\n"
            "    hot = tf.one_hot(tf.cast(tf.squeeze(y, -1), tf.int32), 10)\n"
            "    return tf.reduce_mean(tf.square(hot - p), axis=-1)",
            "f");
        row("class numbers as places", 10, "np.zeros((64, 1), np.int32)",
            "def f(y, p):\n"
            "    places = tf.cast(tf.squeeze(y, -1), tf.int32)\n"
            "    return -tf.gather(tf.nn.log_softmax(p), places, batch_dims=1)",
            "f");
        row("a loss without labels", 15, "np.zeros((64, 2), np.float32)",
            "def f(y, p):\n    return tf.reduce_mean(p, axis=-1)", "f");
        row("a loss without labels and samples", 15, "np.zeros((64, 2), np.float32)",
            "def f(y, p):\n    return tf.reduce_mean(p)", "f");
        QTest::newRow("labels without an axis in a loop")
            << loopProgram("x, y", "(tf.zeros((64, 8)), tf.zeros((64,)))",
                           "tf.reduce_mean(tf.square(tf.reduce_sum(p, axis=1) - y))");
    }
    void aLossOfTheProgramRunsOnItsLabels() {
        QFETCH(QString, program);
        const Workbench workbench;
        importAndRun(workbench, program);
    }

    /// A loss of Keras and what is written for it by hand are trained alike.
    void lossesByHandAreThoseOfKeras_data() {
        QTest::addColumn<QString>("definitions");
        QTest::addColumn<QString>("loss");
        const auto row = [](const char* name, const char* body) {
            QTest::newRow(name) << QString("def f(y, p):\n    ") + body << "f";
        };
        row("one-hot", "return -tf.reduce_sum(tf.one_hot(tf.cast(tf.squeeze(y, -1), tf.int32), 10) * "
                       "tf.nn.log_softmax(p), axis=-1)");
        row("a multiple of the sparse loss",
            "return 1.0 * tf.keras.losses.sparse_categorical_crossentropy(y, p, from_logits=True)");
    }
    void lossesByHandAreThoseOfKeras() {
        QFETCH(QString, definitions);
        QFETCH(QString, loss);
        const char* const labels = "np.zeros((64, 1), np.int32)";
        const core::Json byHand = trainedLosses(fittedProgram(10, labels, definitions, loss));
        const core::Json ofKeras = trainedLosses(
            fittedProgram(10, labels, "", "tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)"));
        QVERIFY(ofKeras.is_array() && ofKeras.size() == 8 && byHand.size() == ofKeras.size());
        for (std::size_t i = 0; i < ofKeras.size(); ++i)
            QVERIFY(std::abs(byHand[i].get<double>() - ofKeras[i].get<double>()) < 1e-5);
    }
    void placesInALossAreThoseOfTheSamples() {
        const char* const labels = "np.zeros((64, 1), np.int32)";
        const QString places = "def f(y, p):\n"
                               "    at = tf.cast(tf.squeeze(y, -1), tf.int32)\n"
                               "    return -tf.gather(tf.nn.log_softmax(p), at, batch_dims=1)";
        const core::Json gathered = trainedLosses(fittedProgram(2, labels, places, "f"));
        const core::Json ofKeras = trainedLosses(
            fittedProgram(2, labels, "", "tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)"));
        QVERIFY(gathered.is_array() && gathered.size() == 8);
        for (std::size_t i = 0; i < gathered.size(); ++i)
            QVERIFY(std::abs(gathered[i].get<double>() - ofKeras[i].get<double>()) < 1e-5);
    }

    /// Predictions come with time before samples, and the loss turns the labels alike.
    void aLossOfTurnedLabelsRuns() {
        const Workbench workbench;
        importAndRun(workbench, R"(
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
tf.disable_v2_behavior()
ids = np.random.randint(0, 30, size=(64, 13)).astype(np.int32)
DATASET = {"kind": "synthetic", "samples": 64, "classes": 30}
ds = tf.data.Dataset.from_tensor_slices((ids[:, :-1], ids[:, 1:])).batch(8, drop_remainder=True).repeat()
q = ipu.ipu_infeed_queue.IPUInfeedQueue(ds)
def step(loss, x, y):
    with tf.variable_scope("v", use_resource=True):
        e = tf.nn.embedding_lookup(tf.get_variable("t", [30, 16]), tf.transpose(x, [1, 0]))
        logits = tf.layers.dense(e, 30)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(
            labels=tf.transpose(y, [1, 0]), logits=logits))
        train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    with tf.control_dependencies([train]):
        return tf.identity(loss)
with ipu.scopes.ipu_scope("/device:IPU:0"):
    op = ipu.ipu_compiler.compile(lambda: ipu.loops.repeat(4, step, [0.0], q))
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
with tf.Session() as sess:
    sess.run(op)
)");
    }

    void classesOfAMaskAreCountedAsKerasDoes() {
        const Workbench workbench;
        importAndRun(workbench,
                     "import numpy as np\n"
                     "import tensorflow as tf\n"
                     "i = tf.keras.Input((4, 4, 3))\n"
                     "model = tf.keras.Model(i, tf.keras.layers.Conv2D(1, 1, activation='sigmoid')(i))\n"
                     "model.compile('sgd', 'binary_crossentropy',\n"
                     "              metrics=[tf.keras.metrics.MeanIoU(num_classes=2)])\n"
                     "model.fit(np.zeros((64, 4, 4, 3), np.float32), np.zeros((64, 4, 4, 1), np.float32), "
                     "batch_size=8)\n");
    }

    void labelsThatDoNotFitAreSaidAtTheImport() {
        const Workbench workbench;
        workbench.write("p.py",
                        fittedProgram(15, "np.zeros((64, 2), np.float32)",
                                      "def f(y, p):\n    return tf.reduce_mean(tf.square(y - p), -1)", "f")
                            .toStdString());
        const Answer answer = workbench.run({"import", "p.py", "--json"});
        QCOMPARE(answer.codes(), "python/shape");
        QVERIFY2(workbench.run({"import", "p.py"}).err.contains("does not fit the labels"), answer.err);
    }

    void whateverCanBeCalledIsALoss_data() {
        QTest::addColumn<QString>("definitions");
        QTest::addColumn<QString>("loss");
        const char* const function = "def g(y, p, k=1.0):\n"
                                     "    return tf.reduce_mean(k * tf.square(y - p), -1)\n";
        const char* const holder = "class C:\n"
                                   "    k = 2.0\n"
                                   "    def f(self, y, p):\n"
                                   "        return tf.reduce_mean(self.k * tf.square(y - p), -1)\n"
                                   "    @classmethod\n"
                                   "    def of_class(cls, y, p):\n"
                                   "        return tf.reduce_mean(cls.k * tf.square(y - p), -1)\n"
                                   "    def __call__(self, y, p):\n"
                                   "        return self.f(y, p)\n";
        const auto row = [](const char* definitions, const char* loss) {
            QTest::newRow(loss) << definitions << loss;
        };
        row(function, "functools.partial(g, k=2.0)");
        row(function, "functools.update_wrapper(functools.partial(g, k=2.0), g)");
        row(function, "functools.partial(tf.keras.losses.huber, delta=0.5)");
        row(function, "tf.function(g)");
        row(holder, "C().f");
        row(holder, "C.of_class");
        row(holder, "C()");
    }
    void whateverCanBeCalledIsALoss() {
        QFETCH(QString, definitions);
        QFETCH(QString, loss);
        const Workbench workbench;
        importAndRun(workbench, fittedProgram(4, "np.zeros((64, 4), np.float32)", definitions, loss));
    }

    void whatSamplesCountForIsNeverTakenForLabels_data() {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("loss");
        const auto row = [](const char* loss, const QString& program, const char* expected) {
            QTest::newRow(loss) << program << expected;
        };
        const auto loop = [&](const char* loss, const char* expected) {
            row(loss, loopProgram("x, y, w", threeParts, loss), expected);
        };
        loop("tf.reduce_mean(w * tf.keras.losses.mean_squared_error(y, p))", "MeanSquaredError");
        loop("tf.nn.compute_average_loss(tf.keras.losses.mean_squared_error(y, p), sample_weight=w)",
             "MeanSquaredError");
        loop("tf.reduce_mean(w[:, None] * tf.square(y - p))", "LossFunction");
        loop("tf.reduce_mean(tf.multiply(tf.cast(w, tf.float32), tf.reduce_mean(tf.square(y - p), axis=-1)))",
             "LossFunction");
        row("in a nested tuple",
            loopProgram("x, (y, w)", "(tf.zeros((64, 8)), (tf.zeros((64, 6)), tf.ones((64,))))",
                        "tf.reduce_mean(tf.keras.losses.mean_squared_error(y, p) * w)"),
            "MeanSquaredError");
        row("in what fit() is given",
            "import tensorflow as tf\n"
            "model = tf.keras.Sequential([tf.keras.layers.Dense(6, input_shape=(8,))])\n"
            "model.compile('sgd', 'mse')\n"
            "data = tf.data.Dataset.from_tensor_slices(" +
                threeParts + ")\nmodel.fit(data.batch(4, drop_remainder=True))\n",
            "MeanSquaredError");
    }
    void whatSamplesCountForIsNeverTakenForLabels() {
        QFETCH(QString, program);
        QFETCH(QString, loss);
        const Workbench workbench;
        const Answer imported = importAndRun(workbench, program);
        QVERIFY2(imported.err.contains("what the samples count for in this loss is left out"), imported.err);
        const auto project = core::readFile(workbench.path("p.ipuproj"));
        QVERIFY2(project && project->find(loss.toStdString()) != std::string::npos, loss.toUtf8());
    }

    void whatSamplesCountForIsRefusedWhereItIsMoreThanAFactor() {
        const Workbench workbench;
        for (const char* loss :
             {"tf.reduce_sum(w * tf.keras.losses.mean_squared_error(y, p)) / tf.reduce_sum(w)",
              "tf.reduce_mean(w * tf.square(y - p))"}) {
            workbench.write("p.py", loopProgram("x, y, w", threeParts, loss).toStdString());
            QCOMPARE(workbench.run({"import", "p.py", "--json"}).codes(), "python/unsupported");
        }
    }

    /// A project holds no loss of them: model, optimizer and steps stay.
    void derivativesByTheInputAreNamed() {
        const Workbench workbench;
        workbench.write("p.py", loopProgram("x, y", "(tf.zeros((64, 8)), tf.zeros((64, 6)))",
                                            "tf.reduce_mean(tf.square(y - p)) + "
                                            "tf.reduce_mean(tf.square(tape.gradient(p, x)))")
                                    .toStdString());
        const Answer answer = workbench.run({"import", "p.py"});
        QVERIFY2(answer.code == 0 && answer.err.contains("p.py:9:") && answer.err.contains("by its input"),
                 answer.err);
    }

    void whatIsRepeatedForEverySampleRuns_data() {
        QTest::addColumn<QString>("call");
        QTest::newRow("broadcast_to")
            << "tf.concat([tf.broadcast_to(self.w, [tf.shape(x)[0], 6, x.shape[-1]]), x], axis=1)";
        QTest::newRow("tile") << "x + tf.tile(self.w, [tf.shape(x)[0], 1, 1])";
        QTest::newRow("ones") << "tf.concat([tf.ones((tf.shape(x)[0], 6, 4)), x], axis=1)";
        QTest::newRow("fill") << "x * tf.fill([tf.shape(x)[0], 6, 1], 0.5)";
        QTest::newRow("repeat") << "x + tf.repeat(self.w, tf.shape(x)[0], axis=0)";
    }
    void whatIsRepeatedForEverySampleRuns() {
        QFETCH(QString, call);
        const Workbench workbench;
        importAndRun(workbench, layerProgram(call));
    }

    /// What a function on tensors cannot do is said where the program is imported, at its line.
    void functionsThatDoNotFitAreRefused_data() {
        QTest::addColumn<QString>("call");
        for (const char* call :
             {"tf.squeeze(x, 1)", "tf.squeeze(x, [0])", "tf.transpose(x, [0, 1, 1])", "tf.roll(x, 1, 7)",
              "tf.reverse(x, [3])", "tf.math.l2_normalize(x, axis=5)", "tf.nn.softmax(x, axis=4)",
              "tf.where(x > 0, x, tf.zeros((3, 3)))", "tf.tile(x, [1, 0, 1])",
              "tf.broadcast_to(x, [8, 6, 5])", "tf.gather(x, [[0, 1]], batch_dims=1, axis=1)",
              "tf.pad(x, [[0, 0], [1, 1]])", "tf.pad(x, [[0, 0], [9, 9], [0, 0]], mode='REFLECT')",
              "tf.split(x, [2, 2, 3], axis=1)[2]", "tf.gather(x, [0, 9], axis=1)"})
            QTest::newRow(call) << call;
    }
    void functionsThatDoNotFitAreRefused() {
        QFETCH(QString, call);
        const Workbench workbench;
        workbench.write("p.py", layerProgram(call).toStdString());
        const Answer refused = workbench.run({"import", "p.py", "-o", "p.ipuproj"});
        QCOMPARE(refused.code, 3);
        QVERIFY2(QRegularExpression(R"(p\.py:\d+:\d+: error: )").match(refused.err).hasMatch() &&
                     refused.err.contains("hint:"),
                 refused.err);
    }

private:
    /// The losses of the program on made-up samples.
    static core::Json trainedLosses(const QString& program) {
        const Workbench workbench;
        importAndRun(workbench, program);
        const Answer ran = workbench.run({"run", "p.ipuproj", "--json", "--set",
                                          R"(training.dataset={"kind": "synthetic", "samples": 64})"});
        if (ran.code != 0)
            QTest::qFail(ran.err, __FILE__, __LINE__);
        return ran.json()["metrics"]["loss"];
    }

    static Answer importAndRun(const Workbench& workbench, const QString& program) {
        workbench.write("p.py", program.toStdString());
        const Answer imported = workbench.run({"import", "p.py", "-o", "p.ipuproj", "--force"});
        if (imported.code != 0)
            QTest::qFail(imported.err, __FILE__, __LINE__);
        const Answer valid = workbench.run({"validate", "p.ipuproj"});
        if (valid.code != 0)
            QTest::qFail(valid.out + valid.err, __FILE__, __LINE__);
        const Answer ran = workbench.run({"run", "p.ipuproj"});
        if (ran.code != 0)
            QTest::qFail(ran.out + ran.err, __FILE__, __LINE__);
        return imported;
    }
};

REGISTER_TEST("imported_losses", ImportedLossesTest)
#include "imported_losses_test.moc"
