#include "core/base/file.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"

#include <QtTest/QTest>
#include <algorithm>
#include <cmath>

using tests::Answer;
using tests::Workbench;

namespace {

/// A product of one weight, 1 at first, that SGD trains on what `data` makes x and y of; `fit` is what fit()
/// is given.
std::string programOf(const std::string& data, const std::string& fit, const std::string& shape = "(1,)") {
    return "import numpy as np\n"
           "import tensorflow as tf\n"
           "from tensorflow.python import ipu\n"
           "cfg = ipu.config.IPUConfig()\n"
           "cfg.auto_select_ipus = 1\n"
           "cfg.configure_ipu_system()\n" +
           data +
           "with ipu.ipu_strategy.IPUStrategy().scope():\n"
           "    i = tf.keras.Input(" +
           shape +
           ", batch_size=2)\n"
           "    m = tf.keras.Model(i, tf.keras.layers.Dense(1, use_bias=False, "
           "kernel_initializer='ones')(i))\n"
           "    m.compile(tf.keras.optimizers.SGD(0.1), 'mse', steps_per_execution=2)\n"
           "    m.fit(" +
           fit + ")\n";
}

/// The mean squared errors of the batches of two rows, in order.
std::vector<double> errorsOf(const std::vector<double>& x, const std::vector<double>& y, double rate = 0.1) {
    std::vector<double> errors;
    double weight = 1;
    for (std::size_t i = 0; i + 1 < x.size(); i += 2) {
        double error = 0;
        double gradient = 0;
        for (std::size_t j = i; j < i + 2; ++j) {
            const double difference = weight * x[j] - y[j];
            error += difference * difference / 2;
            gradient += difference * x[j];
        }
        errors.push_back(error);
        weight -= rate * gradient;
    }
    return errors;
}

const std::string graphHead = "import numpy as np\n"
                              "import tensorflow.compat.v1 as tf\n"
                              "from tensorflow.python import ipu\n"
                              "r = np.random.RandomState(0)\n"
                              "X = r.rand(40, 6).astype(np.float32)\n"
                              "Y = r.rand(40, 1).astype(np.float32)\n";
const std::string graphLoss =
    "    loss = tf.losses.mean_squared_error(y, tf.layers.dense(x, 1, kernel_initializer="
    "tf.ones_initializer()))\n"
    "    return loss, tf.train.GradientDescentOptimizer(0.1).minimize(loss)\n";

/// A loop on the device, fed by a queue.
std::string queueOf(const std::string& samples, const std::string& parameters) {
    return graphHead + "ds = tf.data.Dataset.from_tensor_slices(" + samples +
           ").batch(4, drop_remainder=True).repeat()\n"
           "q = ipu.ipu_infeed_queue.IPUInfeedQueue(ds)\n"
           "def body(loss, " +
           parameters + "):\n" + graphLoss +
           "with ipu.scopes.ipu_scope('/device:IPU:0'):\n"
           "    op = ipu.ipu_compiler.compile(lambda: ipu.loops.repeat(10, body, [0.0], q))\n"
           "with tf.Session() as s:\n"
           "    s.run(op)\n";
}

/// A graph whose placeholders a session feeds ten times.
std::string feedingProgram(const std::string& x, const std::string& y) {
    return graphHead +
           "px = tf.placeholder(tf.float32, [4, 6])\n"
           "py = tf.placeholder(tf.float32, [4, 1])\n"
           "def net(x, y):\n" +
           graphLoss +
           "with ipu.scopes.ipu_scope('/device:IPU:0'):\n"
           "    op = ipu.ipu_compiler.compile(net, [px, py])\n"
           "with tf.Session() as s:\n"
           "    for i in range(10):\n"
           "        s.run(op, {px: " +
           x + ", py: " + y + "})\n";
}

/// What a run of the imported program trains by, update by update.
core::Json lossesOf(const Workbench& workbench, const std::string& program) {
    workbench.write("p.py", program);
    const Answer imported = workbench.run({"import", "p.py", "-o", "p.ipuproj", "--force"});
    if (imported.code != 0)
        QTest::qFail(imported.err, __FILE__, __LINE__);
    const Answer run = workbench.run({"run", "p.ipuproj", "--json", "--database", "r.sqlite"});
    if (run.code != 0)
        QTest::qFail(run.err, __FILE__, __LINE__);
    return run.json()["metrics"]["loss"];
}

const std::vector<double> xs{0, 1, 2, 3, 4, 5, 6, 7};
const std::vector<double> ys{1, 1, 1, 1, 1, 1, 1, 1};

} // namespace

/// Numbers that a program says are those that its model trains on.
class StoredSamplesTest : public QObject {
    Q_OBJECT

private slots:
    void theRunTrainsOnThem_data() {
        QTest::addColumn<QString>("data");
        QTest::addColumn<QString>("fit");
        const char* arrays =
            "x = np.arange(8, dtype=np.float32).reshape(8, 1) / 10\ny = np.ones((8, 1), np.float32)\n";
        QTest::newRow("arrays") << arrays << "x, y, batch_size=2, shuffle=False";
        QTest::newRow("a list")
            << "x = np.array([[0.0], [0.1], [0.2], [0.3], [0.4], [0.5], [0.6], [0.7]])\ny = np.ones((8, 1))\n"
            << "x, y, batch_size=2, shuffle=False";
        QTest::newRow("a dataset")
            << QString(arrays) +
                   "ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(2, drop_remainder=True)\n"
            << "ds";
        QTest::newRow("a mapped dataset")
            << "x = np.arange(8)\nds = tf.data.Dataset.from_tensor_slices((x, np.ones(8)))\n"
               "ds = ds.map(lambda a, b: (tf.cast(tf.reshape(a, [1]), tf.float32) / 10.0, tf.reshape(b, "
               "[1])))\n"
               "ds = ds.batch(2, drop_remainder=True).repeat().prefetch(4)\n"
            << "ds, steps_per_epoch=4";
        QTest::newRow("a map of batches")
            << "x = np.arange(8).reshape((8, 1))\nds = tf.data.Dataset.from_tensor_slices((x, np.ones((8, "
               "1))))\n"
               "ds = ds.batch(2, drop_remainder=True).map(lambda a, b: (tf.cast(a, tf.float32) / 10., b))\n"
            << "ds";
        QTest::newRow("a part of it") << "x = np.arange(20).reshape((20, 1)) / 10\n"
                                         "ds = tf.data.Dataset.from_tensor_slices((x, np.ones((20, "
                                         "1)))).take(8).batch(2, drop_remainder=True)\n"
                                      << "ds";
        QTest::newRow("zipped")
            << "a = tf.data.Dataset.from_tensor_slices(np.arange(8).reshape((8, 1)) / 10)\n"
               "b = tf.data.Dataset.from_tensor_slices(np.ones((8, 1)))\n"
               "ds = tf.data.Dataset.zip((a, b)).batch(2, drop_remainder=True)\n"
            << "ds";
    }
    void theRunTrainsOnThem() {
        QFETCH(const QString, data);
        QFETCH(const QString, fit);
        const Workbench workbench;
        const Answer run = importedAndRun(workbench, programOf(data.toStdString(), fit.toStdString()));
        QCOMPARE(m_imported.err, QByteArray("wrote p.ipuproj, and beside it p.data.npz\n"));
        std::vector<double> x = xs;
        for (double& one : x)
            one /= 10;
        const std::vector<double> wanted = errorsOf(x, ys);
        const auto losses = run.json()["metrics"]["loss"].get<std::vector<double>>();
        QCOMPARE(losses.size(), wanted.size());
        for (std::size_t i = 0; i < losses.size(); ++i)
            QVERIFY2(std::abs(losses[i] - wanted[i]) < 1e-5, run.out);
        const core::Json project = core::Json::parse(core::readFile(workbench.path("p.ipuproj")).value());
        QCOMPARE(project["training"]["dataset"]["file"].get<std::string>(), std::string("p.data.npz"));
    }

    /// The first numbers of np.random.seed(0); np.random.rand(4, 1), as NumPy draws them.
    void seededNumbersAreThose() {
        const Workbench workbench;
        const Answer run = importedAndRun(
            workbench, programOf("np.random.seed(0)\nx = np.random.rand(4, 1)\ny = np.ones((4, 1))\n",
                                 "x, y, batch_size=2, shuffle=False"));
        const std::vector<double> wanted =
            errorsOf({0.5488135, 0.71518937, 0.60276338, 0.54488318}, {1, 1, 1, 1});
        const auto losses = run.json()["metrics"]["loss"].get<std::vector<double>>();
        QCOMPARE(losses.size(), wanted.size());
        for (std::size_t i = 0; i < losses.size(); ++i)
            QVERIFY2(std::abs(losses[i] - wanted[i]) < 1e-5, run.out);
    }

    void filesBesideTheProgramAreRead() {
        const Workbench workbench;
        // 4 rows of one float32.
        std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (4, 1), }";
        header.resize(118 - 1, ' ');
        header += '\n';
        std::string bytes = std::string("\x93NUMPY\x01\x00", 8) + std::string("\x76\x00", 2) + header;
        for (const float number : {0.0F, 0.5F, 1.0F, 1.5F})
            bytes.append(reinterpret_cast<const char*>(&number), sizeof(number));
        workbench.write("x.npy", bytes);
        const Answer run = importedAndRun(workbench, programOf("x = np.load('x.npy')\ny = np.zeros((4, 1))\n",
                                                               "x, y, batch_size=2, shuffle=False"));
        const std::vector<double> wanted = errorsOf({0, 0.5, 1, 1.5}, {0, 0, 0, 0});
        const auto losses = run.json()["metrics"]["loss"].get<std::vector<double>>();
        QCOMPARE(losses.size(), wanted.size());
        for (std::size_t i = 0; i < losses.size(); ++i)
            QVERIFY2(std::abs(losses[i] - wanted[i]) < 1e-5, run.out);
    }

    void severalInputsAndLabelsFollowTheirNames() {
        const Workbench workbench;
        const Answer run = importedAndRun(workbench, R"(
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy().scope():
    a = tf.keras.Input((1,), batch_size=2, name="a")
    b = tf.keras.Input((1,), batch_size=2, name="b")
    one = dict(use_bias=False, kernel_initializer="ones")
    m = tf.keras.Model([a, b], [tf.keras.layers.Dense(1, name="p", **one)(a), tf.keras.layers.Dense(1, name="q", **one)(b)])
    m.compile(tf.keras.optimizers.SGD(0.0), "mse", steps_per_execution=2)
    m.fit({"b": 3 * np.ones((4, 1)), "a": np.ones((4, 1))}, {"q": np.ones((4, 1)), "p": np.zeros((4, 1))}, batch_size=2)
)");
        const core::Json metrics = run.json()["metrics"];
        QVERIFY2(std::abs(metrics["p_loss"][0].get<double>() - 1) < 1e-5, run.out);
        QVERIFY2(std::abs(metrics["q_loss"][0].get<double>() - 4) < 1e-5, run.out);
    }

    void validationIsMeasuredOnItsOwn() {
        const Workbench workbench;
        const Answer run = importedAndRun(
            workbench,
            programOf("x = np.zeros((8, 1))\ny = np.zeros((8, 1))\n",
                      "x, y, batch_size=2, validation_data=(2 * np.ones((4, 1)), np.zeros((4, 1)))"));
        QVERIFY2(std::abs(run.json()["metrics"]["val_loss"][0].get<double>() - 4) < 1e-5, run.out);
    }

    void queuesOfLoopsFeedThem() {
        const Workbench workbench;
        const Answer run = importedAndRun(workbench, R"(
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu
tf.disable_v2_behavior()
ds = tf.data.Dataset.from_tensor_slices((2 * np.ones((8, 1), np.float32), np.zeros((8, 1), np.float32)))
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds.repeat().batch(2, drop_remainder=True))
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
def body(x, y):
    p = tf.layers.dense(x, 1, use_bias=False, kernel_initializer=tf.ones_initializer())
    loss = tf.losses.mean_squared_error(y, p)
    train = tf.train.GradientDescentOptimizer(0.0).minimize(loss)
    with tf.control_dependencies([train]):
        return outfeed.enqueue(loss)
with ipu.scopes.ipu_scope("/device:IPU:0"):
    op = ipu.ipu_compiler.compile(lambda: ipu.loops.repeat(4, body, [], infeed))
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(infeed.initializer)
    sess.run(op)
)");
        QVERIFY2(std::abs(run.json()["metrics"]["loss"][0].get<double>() - 4) < 1e-5, run.out);
    }

    /// Numbers drawn without a seed are nobody's: made-up ones stand for them, said at the line of fit().
    void othersAreMadeUp() {
        const Workbench workbench;
        const Answer run = importedAndRun(
            workbench, programOf("x = np.random.rand(8, 1)\ny = np.ones((8, 1))\n", "x, y, batch_size=2"));
        QVERIFY2(m_imported.err.contains("p.py:13:") && m_imported.err.contains("[python/dataset]") &&
                     m_imported.err.contains("made-up samples of the same extents take their place"),
                 m_imported.err);
        const core::Json project = core::Json::parse(core::readFile(workbench.path("p.ipuproj")).value());
        QCOMPARE(project["training"]["dataset"].dump(),
                 std::string(R"({"kind":"synthetic","samples":8,"shuffle":true})"));
        QVERIFY(run.json()["metrics"]["loss"].size() == 4);
    }

    void whereNothingCanBeStoredMadeUpOnesStand() {
        const Workbench workbench;
        workbench.write("p.py",
                        programOf("x = np.zeros((8, 1))\ny = np.ones((8, 1))\n", "x, y, batch_size=2"));
        const Answer printed = workbench.run({"import", "p.py"});
        QCOMPARE(printed.code, 0);
        QVERIFY2(printed.err.contains("there is no folder to store them in"), printed.err);
        QVERIFY(printed.json()["training"]["dataset"]["kind"] == "synthetic");
        workbench.write("p.data.npz", "something of somebody");
        const Answer refused = workbench.run({"import", "p.py", "-o", "p.ipuproj"});
        QCOMPARE(refused.code, 4);
        QVERIFY2(refused.err.contains("p.data.npz"), refused.err);
        QVERIFY(!std::filesystem::exists(workbench.path("p.ipuproj")));
    }

    /// The archive is written with the project, and is told of.
    void theArchiveStandsBesideTheProject() {
        const Workbench workbench;
        workbench.write("p.py",
                        programOf("x = np.zeros((8, 1))\ny = np.ones((8, 1))\n", "x, y, batch_size=2"));
        const Answer written = workbench.run({"import", "p.py", "-o", "p.ipuproj"});
        QVERIFY2(written.code == 0 && written.err.contains("wrote p.ipuproj, and beside it p.data.npz"),
                 written.err);
        const Answer thrownAway = workbench.run({"import", "p.py", "-o", "/dev/null"});
        QVERIFY2(thrownAway.code == 0 && thrownAway.err.contains("there is no folder to store them in"),
                 thrownAway.err);
        QVERIFY(!std::filesystem::exists("/dev/null.data.npz"));
    }

    /// A project that cannot be written takes nothing with it.
    void anArchiveOutlivesAProjectThatIsNotWritten() {
        const Workbench workbench;
        workbench.write("p.py",
                        programOf("x = np.zeros((8, 1))\ny = np.ones((8, 1))\n", "x, y, batch_size=2"));
        workbench.write("p.data.npz", "something of somebody");
        std::filesystem::create_symlink("missing/p.ipuproj", workbench.path("p.ipuproj"));
        const Answer failed = workbench.run({"import", "p.py", "-o", "p.ipuproj", "--force"});
        QVERIFY2(failed.code == 4, failed.err);
        QCOMPARE(core::readFile(workbench.path("p.data.npz")).value(), std::string("something of somebody"));
    }

    /// from_tensors() answers a batch each time; an estimator feeds what its input_fn answers.
    void batchesAndEstimatorsAreStored_data() {
        QTest::addColumn<QString>("program");
        for (const char* program : {"30_one_element_is_a_batch", "30_samples_of_an_estimator"})
            QTest::newRow(program) << program;
    }
    void batchesAndEstimatorsAreStored() {
        QFETCH(const QString, program);
        const Workbench workbench;
        const auto text = core::readFile(tests::projectRoot() / "tests" / "core" / "interchange" /
                                         "python_programs" / (program + ".py").toStdString());
        const Answer run = importedAndRun(workbench, text.value());
        QVERIFY2(!m_imported.err.contains("[python/dataset]"), m_imported.err);
        const core::Json project = core::Json::parse(core::readFile(workbench.path("p.ipuproj")).value());
        QCOMPARE(project["training"]["dataset"]["kind"].dump(), std::string(R"("npz")"));
        QCOMPARE(run.json()["metrics"]["loss"].size(),
                 project["training"]["steps_per_epoch"].get<std::size_t>());
    }

    /// A model without loss and optimizer is valid and predicts; who trains it is told so.
    void whatOnlyPredictsIsValid() {
        const Workbench workbench;
        workbench.write("p.py", R"(
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy().scope():
    m = tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(5,))])
    m.compile(steps_per_execution=2)
    m.predict(np.ones((16, 5), np.float32), batch_size=4)
)");
        QCOMPARE(workbench.run({"import", "p.py", "-o", "p.ipuproj"}).code, 0);
        const Answer valid = workbench.run({"validate", "p.ipuproj"});
        QVERIFY2(valid.code == 0 && valid.err.contains("[warning/no-loss]"), valid.err);
        const Answer predicted = workbench.run({"run", "p.ipuproj", "--mode", "predict", "--quiet"});
        QVERIFY2(predicted.code == 0, predicted.err);
        const Answer trained = workbench.run({"run", "p.ipuproj", "--quiet"});
        QCOMPARE(trained.code, 3);
        QVERIFY2(trained.err.contains("[value-error/no-loss]") && trained.err.contains("--mode predict"),
                 trained.err);
    }

    void classWeightsCountOnThem() {
        const Workbench workbench;
        const Answer run = importedAndRun(workbench, R"(
import numpy as np
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.layers.Dense(2, use_bias=False, kernel_initializer="zeros", input_shape=(1,))])
model.compile(tf.keras.optimizers.SGD(0.0), tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(np.ones((8, 1)), np.ones(8, "int32"), batch_size=2, class_weight={0: 1.0, 1: 3.0})
)");
        QVERIFY2(std::abs(run.json()["metrics"]["loss"][0].get<double>() - 3 * std::log(2.0)) < 1e-4,
                 run.out);
    }

private:
    Answer importedAndRun(const Workbench& workbench, const std::string& program) {
        workbench.write("p.py", program);
        m_imported = workbench.run({"import", "p.py", "-o", "p.ipuproj"});
        if (m_imported.code != 0)
            QTest::qFail(m_imported.err, __FILE__, __LINE__);
        const Answer run = workbench.run({"run", "p.ipuproj", "--json", "--quiet"});
        if (run.code != 0)
            QTest::qFail(run.err, __FILE__, __LINE__);
        return run;
    }

    Answer m_imported;

    /// Tuples, dictionaries in any order and what a session feeds are the same samples.
    void graphsTrainOnThem() {
        const std::string tuple = queueOf("(X, Y)", "x, y");
        const Workbench workbench;
        const core::Json losses = lossesOf(workbench, tuple);
        QCOMPARE(losses.size(), std::size_t(10));
        QVERIFY(lossesOf(workbench, queueOf("{'y': Y, 'x': X}", "x, y")) == losses);
        QVERIFY(lossesOf(workbench, feedingProgram("X[4 * i:4 * i + 4]", "Y[4 * i:4 * i + 4]")) == losses);
        // The same rows in every run are one batch.
        QVERIFY(lossesOf(workbench, feedingProgram("X[:4]", "Y[:4]")) != losses);
        const core::Json project = core::Json::parse(core::readFile(workbench.path("p.ipuproj")).value());
        QCOMPARE(project["training"]["batch_size"].get<int>(), 4);
        QVERIFY(project["training"]["dataset"].contains("file"));
    }

    /// What CTC and its like compare with are inputs of the model.
    void labelsThatAreInputsAreNoTargets() {
        const Workbench workbench;
        const std::string program =
            graphHead + "ds = tf.data.Dataset.from_tensor_slices((r.randn(40, 12, 6).astype(np.float32), "
                        "r.randint(1, 5, (40, "
                        "3)).astype(np.int32), np.full([40], 12, np.int32), np.full([40], 3, np.int32)))\n"
                        "q = ipu.ipu_infeed_queue.IPUInfeedQueue(ds.batch(4, drop_remainder=True).repeat())\n"
                        "def body(loss, a, t, a_len, t_len):\n"
                        "    logits = tf.layers.dense(tf.transpose(a, [1, 0, 2]), 5)\n"
                        "    loss = tf.reduce_mean(ipu.nn_ops.ctc_loss_v2(t, logits, t_len, a_len, 0))\n"
                        "    return loss, tf.train.GradientDescentOptimizer(0.01).minimize(loss)\n"
                        "with ipu.scopes.ipu_scope('/device:IPU:0'):\n"
                        "    op = ipu.ipu_compiler.compile(lambda: ipu.loops.repeat(10, body, [0.0], q))\n"
                        "with tf.Session() as s:\n"
                        "    s.run(op)\n";
        const core::Json losses = lossesOf(workbench, program);
        QCOMPARE(losses.size(), std::size_t(10));
        QVERIFY(losses.back().get<double>() < losses.front().get<double>());
    }

    void aLoopThatOnlyAnswersHasItsSamples() {
        const Workbench workbench;
        workbench.write(
            "p.py", graphHead + "q = ipu.ipu_infeed_queue.IPUInfeedQueue(tf.data.Dataset.from_tensor_slices("
                                "r.rand(40, 8).astype(np.float32)).batch(4, drop_remainder=True).repeat())\n"
                                "out = ipu.ipu_outfeed_queue.IPUOutfeedQueue()\n"
                                "def body(x):\n"
                                "    return out.enqueue(tf.nn.softmax(tf.layers.dense(x, 3)))\n"
                                "with ipu.scopes.ipu_scope('/device:IPU:0'):\n"
                                "    op = ipu.ipu_compiler.compile(lambda: ipu.loops.repeat(10, body, "
                                "infeed_queue=q))\n"
                                "with tf.Session() as s:\n"
                                "    s.run(op)\n");
        const Answer imported = workbench.run({"import", "p.py", "-o", "p.ipuproj", "--force"});
        QVERIFY2(imported.code == 0, imported.err);
        const Answer run = workbench.run(
            {"run", "p.ipuproj", "--mode", "predict", "--predictions", "p.csv", "--database", "r.sqlite"});
        QVERIFY2(run.code == 0, run.err);
        const std::string rows = core::readFile(workbench.path("p.csv")).value();
        QCOMPARE(std::ranges::count(rows, '\n'), std::ptrdiff_t(41)); // and their headings
    }
};

REGISTER_TEST("stored_samples", StoredSamplesTest)
#include "stored_samples_test.moc"
