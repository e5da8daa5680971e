#include "core/interchange/python/python_program.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"

#include <QtTest/QTest>
#include <cmath>
#include <fstream>
#include <functional>
#include <sstream>
#include <vector>

using core::Json;
using tests::Answer;
using tests::Workbench;

namespace {

/// Two products of one weight each, both 1 at first, of inputs and labels that are all 1; the loss is what
/// `loss` computes of the answer `p`.
std::string chainOf(const std::string& between, const std::string& loss) {
    return "import tensorflow as tf\n"
           "from tensorflow.python import ipu\n"
           "def weight(name):\n"
           "    return tf.keras.layers.Dense(1, use_bias=False, kernel_initializer='ones', name=name)\n"
           "cfg = ipu.config.IPUConfig()\n"
           "cfg.auto_select_ipus = 1\n"
           "cfg.configure_ipu_system()\n"
           "with ipu.ipu_strategy.IPUStrategy().scope():\n"
           "    i = tf.keras.Input((1,), batch_size=2)\n"
           "    x = weight('first')(i)\n"
           "    x = " +
           between +
           "\n"
           "    m = tf.keras.Model(i, weight('second')(x))\n"
           "    m.compile(tf.keras.optimizers.SGD(0.1), loss=lambda t, p: tf.reduce_mean(" +
           loss +
           "), steps_per_execution=4)\n"
           "    m.fit(tf.data.Dataset.from_tensor_slices((tf.ones((64, 1)), tf.ones((64, 1)))).batch(2, "
           "drop_remainder=True).repeat(), steps_per_epoch=4)\n";
}

/// Two stages of one weight each, both 1 at first, whose loss has a gradient of 0, in a pipeline that
/// accumulates 4 micro-batches; `optimizer` is what its optimizer function makes of `o`.
std::string decayingPipeline(const std::string& optimizer, int ipus) {
    return "import numpy as np\n"
           "import tensorflow.compat.v1 as tf\n"
           "from tensorflow.python import ipu\n"
           "from tensorflow.python.ipu import pipelining_ops\n"
           "from tensorflow.python.ipu.optimizers import CrossReplicaOptimizer, MapGradientOptimizer, "
           "IpuOptimizer\n"
           "tf.disable_v2_behavior()\n"
           "class OfEach(IpuOptimizer):\n"
           "    def compute_gradients(self, loss, var_list=None, **kwargs):\n"
           "        pairs = super().compute_gradients(loss, var_list=var_list, **kwargs)\n"
           "        return [(g + 0.01 * v, v) for g, v in pairs]\n"
           "class OfTheSum(IpuOptimizer):\n"
           "    def apply_gradients(self, grads_and_vars, global_step=None, name=None):\n"
           "        return super().apply_gradients([(g + 0.01 * v, v) for g, v in grads_and_vars])\n"
           "ones = np.ones((960, 1), np.float32)\n"
           "ds = tf.data.Dataset.from_tensor_slices((ones, ones)).repeat().batch(2, drop_remainder=True)\n"
           "infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds)\n"
           "outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()\n"
           "def weight(x, name):\n"
           "    return tf.layers.dense(x, 1, use_bias=False, kernel_initializer=tf.ones_initializer(), "
           "name=name)\n"
           "def s1(x, y):\n"
           "    return weight(x, 'a'), y\n"
           "def s2(x, y):\n"
           "    p = weight(x, 'b')\n"
           "    return tf.reduce_mean(tf.stop_gradient(p)) + 0.0 * tf.reduce_mean(p)\n"
           "def decay(grad, var):\n"
           "    return grad + 0.01 * var\n"
           "def opt(loss):\n"
           "    o = tf.train.GradientDescentOptimizer(1.0)\n"
           "    return pipelining_ops.OptimizerFunctionOutput(" +
           optimizer +
           ", loss)\n"
           "def net():\n"
           "    return pipelining_ops.pipeline([s1, s2], gradient_accumulation_count=4, repeat_count=4, "
           "infeed_queue=infeed, outfeed_queue=outfeed, optimizer_function=opt)\n"
           "with ipu.scopes.ipu_scope('/device:IPU:0'):\n"
           "    run = ipu.ipu_compiler.compile(net, inputs=[])\n"
           "cfg = ipu.config.IPUConfig()\n"
           "cfg.auto_select_ipus = " +
           std::to_string(ipus) +
           "\n"
           "cfg.configure_ipu_system()\n"
           "with tf.Session() as sess:\n"
           "    sess.run(tf.global_variables_initializer())\n"
           "    sess.run(infeed.initializer)\n"
           "    sess.run(run)\n";
}

/// A graph of TensorFlow 1 whose loss is the product of two weights, both 1 at first; its eight updates are
/// those of `optimizer`, which may be of `step`, the global step.
std::string productOfTwo(const std::string& optimizer) {
    return "import numpy as np\n"
           "import tensorflow.compat.v1 as tf\n"
           "from tensorflow.python import ipu\n"
           "tf.disable_v2_behavior()\n"
           "ones = np.ones((64, 1), np.float32)\n"
           "ds = tf.data.Dataset.from_tensor_slices((ones, ones)).repeat().batch(2, drop_remainder=True)\n"
           "infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds)\n"
           "def weight(x, name):\n"
           "    return tf.layers.dense(x, 1, use_bias=False, kernel_initializer=tf.ones_initializer(), "
           "name=name)\n"
           "def body(x, y):\n"
           "    loss = tf.reduce_mean(weight(weight(x, 'a'), 'b'))\n"
           "    step = tf.train.get_or_create_global_step()\n"
           "    return " +
           optimizer +
           ".minimize(loss, global_step=step)\n"
           "def net():\n"
           "    return ipu.loops.repeat(8, body, [], infeed)\n"
           "with ipu.scopes.ipu_scope('/device:IPU:0'):\n"
           "    run = ipu.ipu_compiler.compile(net, inputs=[])\n"
           "cfg = ipu.config.IPUConfig()\n"
           "cfg.auto_select_ipus = 1\n"
           "cfg.configure_ipu_system()\n"
           "with tf.Session() as sess:\n"
           "    sess.run(tf.global_variables_initializer())\n"
           "    sess.run(infeed.initializer)\n"
           "    sess.run(run)\n";
}

/// One weight and what its optimizer remembers of it.
struct Trained {
    double weight = 1;
    double accumulator = 0;
    double mean = 0;
    double squares = 0;
};
/// An update of one weight by its gradient; the first is that of step 0.
using Update = std::function<void(Trained&, double gradient, int step)>;

std::vector<double> lossesOfTwo(const Update& update, double accumulator, double squares) {
    Trained a{1, accumulator, 0, squares};
    Trained b = a;
    std::vector<double> losses;
    for (int step = 0; step < 8; ++step) {
        losses.push_back(a.weight * b.weight);
        const double gradient = b.weight;
        update(b, a.weight, step);
        update(a, gradient, step);
    }
    return losses;
}

/// The losses of a project's run on rows of ones.
std::vector<double> lossesOf(const Workbench& workbench, const QString& project) {
    std::string rows;
    for (int row = 0; row < 64; ++row)
        rows += "1,1\n";
    workbench.write("ones.csv", rows);
    const Answer run =
        workbench.run({"run", project, "--json", "--database", "runs.sqlite", "--set",
                       R"(training.dataset={"kind": "csv", "file": "ones.csv", "header": false})"});
    if (run.code == 0)
        return run.json()["metrics"]["loss"].get<std::vector<double>>();
    qWarning("%s", run.err.constData());
    return {};
}

void compareLosses(const std::vector<double>& seen, const std::vector<double>& wanted) {
    QCOMPARE(seen.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i)
        QVERIFY2(std::abs(seen[i] - wanted[i]) < 1e-4,
                 qPrintable(QString("%1: %2 for %3").arg(i).arg(seen[i]).arg(wanted[i])));
}

/// A program computes the losses, and so does the program that its project is exported as.
void computes(const std::string& program, const std::vector<double>& losses,
              const std::vector<QString>& editions = {"2.4", "2.1"}) {
    const Workbench workbench;
    workbench.write("program.py", program);
    const Answer imported = workbench.run({"import", "program.py", "-o", "p.ipuproj"});
    QVERIFY2(imported.code == 0, imported.err);
    compareLosses(lossesOf(workbench, "p.ipuproj"), losses);
    for (const QString& edition : editions) {
        const Answer exported = workbench.run(
            {"export", "p.ipuproj", "--format", "python", "--api", edition, "-o", "again.py", "--force"});
        QVERIFY2(exported.code == 0, exported.err);
        std::stringstream whole; // what it computes is not in the comment at its end
        whole << std::ifstream(workbench.path("again.py")).rdbuf();
        workbench.write("again.py", whole.str().substr(0, whole.str().find(core::pythonRemainder)));
        const Answer back = workbench.run({"import", "again.py", "-o", "again.ipuproj", "--force"});
        QVERIFY2(back.code == 0, back.err);
        compareLosses(lossesOf(workbench, "again.ipuproj"), losses);
    }
}

} // namespace

/// What programs compute, by the numbers that can be worked out by hand.
class ProgramRunsTest : public QObject {
    Q_OBJECT

private slots:
    /// tf.stop_gradient() hands its input on, which is a constant to training.
    void gradientsAreStopped_data() {
        QTest::addColumn<QString>("between");
        QTest::addColumn<QString>("loss");
        QTest::addColumn<std::vector<double>>("losses");
        const auto row = [](const char* name, const char* between, const char* loss,
                            std::vector<double> losses) {
            QTest::newRow(name) << between << loss << std::move(losses);
        };
        row("nowhere", "x", "p", {1, 0.81, 0.6561, 0.53144});
        row("between layers", "tf.stop_gradient(x)", "p", {1, 0.9, 0.8, 0.7});
        row("of the backend", "tf.keras.backend.stop_gradient(x)", "p", {1, 0.9, 0.8, 0.7});
        row("in a Lambda layer", "tf.keras.layers.Lambda(lambda t: tf.stop_gradient(t))(x)", "p",
            {1, 0.9, 0.8, 0.7});
        row("in a factor of the loss", "x", "tf.stop_gradient(p) * p", {1, 0.6561, 0.467985, 0.352478});
        row("straight through", "x + tf.stop_gradient(tf.round(x) - x)", "p", {1, 0.9, 0.8, 0.7});
    }
    void gradientsAreStopped() {
        QFETCH(QString, between);
        QFETCH(QString, loss);
        QFETCH(std::vector<double>, losses);
        computes(chainOf(between.toStdString(), loss.toStdString()), losses);
    }

    /// What a program adds to the gradients of each micro-batch is accumulated with them.
    void whatIsAddedToGradientsIsAccumulated_data() {
        QTest::addColumn<QString>("optimizer");
        QTest::addColumn<int>("ipus");
        QTest::addColumn<double>("kept"); // of each weight, by an update
        const auto row = [](const char* name, const char* optimizer, int ipus, double kept) {
            QTest::newRow(name) << optimizer << ipus << kept;
        };
        row("of each", "MapGradientOptimizer(o, decay)", 2, 0.96);
        row("of each replica", "CrossReplicaOptimizer(MapGradientOptimizer(o, decay))", 4, 0.96);
        row("around another", "MapGradientOptimizer(CrossReplicaOptimizer(o), decay)", 4, 0.96);
        row("of an own class", "OfEach(o)", 2, 0.96);
        row("of the sum", "OfTheSum(o)", 2, 0.99);
    }
    void whatIsAddedToGradientsIsAccumulated() {
        QFETCH(QString, optimizer);
        QFETCH(int, ipus);
        QFETCH(double, kept);
        std::vector<double> losses;
        for (int update = 0; update < 4; ++update)
            losses.push_back(std::pow(kept, 2 * update));
        computes(decayingPipeline(optimizer.toStdString(), ipus), losses);
    }

    /// The optimizers of tf.train update by rules of their own, and are exported as themselves.
    void optimizersOfTensorFlow1UpdateByTheirOwnRules_data() {
        QTest::addColumn<QString>("optimizer");
        QTest::addColumn<QString>("written"); // by the export
        QTest::addColumn<Update>("update");
        QTest::addColumn<double>("accumulator");
        QTest::addColumn<double>("squares");
        const auto row = [](const char* name, const char* optimizer, const char* written, Update update,
                            double accumulator = 0, double squares = 1) {
            QTest::newRow(name) << optimizer << written << std::move(update) << accumulator << squares;
        };
        const auto root = [](Trained& one, double gradient, double decay, double momentum, double epsilon) {
            one.squares = decay * one.squares + (1 - decay) * gradient * gradient;
            one.accumulator = momentum * one.accumulator +
                              0.05 * gradient / std::sqrt(one.squares - one.mean * one.mean + epsilon);
            one.weight -= one.accumulator;
        };
        row("descent", "tf.train.GradientDescentOptimizer(0.1)", "tf.keras.optimizers.SGD(",
            [](Trained& one, double gradient, int) { one.weight -= 0.1 * gradient; });
        const auto momentum = [](const std::function<double(int)>& rate, bool isNesterov) {
            return [rate, isNesterov](Trained& one, double gradient, int step) {
                one.accumulator = 0.9 * one.accumulator + gradient;
                one.weight -= rate(step) * (isNesterov ? gradient + 0.9 * one.accumulator : one.accumulator);
            };
        };
        const auto fixed = [](int) { return 0.03; };
        row("momentum", "tf.train.MomentumOptimizer(0.03, 0.9)", "tf.compat.v1.train.MomentumOptimizer(",
            momentum(fixed, false));
        row("momentum of Nesterov",
            "tf.compat.v1.train.MomentumOptimizer(learning_rate=0.03, momentum=0.9, use_nesterov=True)",
            "use_nesterov=True", momentum(fixed, true));
        row("momentum of a falling rate",
            "tf.train.MomentumOptimizer(tf.train.exponential_decay(0.1, step, 1, 0.5), 0.9)",
            "trace.assign(share * trace + grad)",
            momentum([](int step) { return 0.1 * std::pow(0.5, step); }, false));
        row("mean of squares", "tf.train.RMSPropOptimizer(0.05, decay=0.5, epsilon=0.25)",
            "tf.compat.v1.train.RMSPropOptimizer(",
            [root](Trained& one, double gradient, int) { root(one, gradient, 0.5, 0, 0.25); });
        row("mean of squares, with momentum",
            "tf.train.RMSPropOptimizer(0.05, 0.75, momentum=0.5, epsilon=0.01)",
            "tf.compat.v1.train.RMSPropOptimizer(",
            [root](Trained& one, double gradient, int) { root(one, gradient, 0.75, 0.5, 0.01); });
        row("variance", "tf.train.RMSPropOptimizer(0.05, 0.75, epsilon=0.5, centered=True)", "centered=True",
            [root](Trained& one, double gradient, int) {
                one.mean = 0.75 * one.mean + 0.25 * gradient;
                root(one, gradient, 0.75, 0, 0.5);
            });
        row(
            "sum of squares", "tf.train.AdagradOptimizer(0.1, initial_accumulator_value=0.0001)",
            "tf.keras.optimizers.Adagrad(",
            [](Trained& one, double gradient, int) {
                one.squares += gradient * gradient;
                one.weight -= 0.1 * gradient / std::sqrt(one.squares);
            },
            0, 0.0001);
    }
    void optimizersOfTensorFlow1UpdateByTheirOwnRules() {
        QFETCH(QString, optimizer);
        QFETCH(QString, written);
        QFETCH(Update, update);
        QFETCH(double, accumulator);
        QFETCH(double, squares);
        const std::string program = productOfTwo(optimizer.toStdString());
        computes(program, lossesOfTwo(update, accumulator, squares));
        const Workbench workbench;
        workbench.write("program.py", program);
        const Answer imported = workbench.run({"import", "program.py", "-o", "p.ipuproj"});
        QVERIFY(!imported.err.contains("python/approximated"));
        for (const char* edition : {"2.4", "2.1"}) {
            const Answer text =
                workbench.run({"export", "p.ipuproj", "--format", "python", "--api", edition});
            QVERIFY2(text.out.contains(written.toUtf8()), text.out);
        }
    }

    /// A softmax of the units is a function of a gate like the others.
    void fusedCellsComputeSoftmax_data() {
        QTest::addColumn<QString>("cell");
        QTest::addColumn<double>("loss"); // of the first batch, worked out by hand: all weights are 0
        QTest::newRow("output of a GRU")
            << "PopnnGRU(2, activation='softmax', kernel_initializer='zeros', recurrent_initializer='zeros')"
            << 0.375;
        QTest::newRow("gates of an LSTM")
            << "PopnnLSTM(2, activation='softmax', "
               "recurrent_activation='softmax', kernel_initializer='zeros', recurrent_initializer='zeros')"
            << 0.25;
        QTest::newRow("gates of a GRU of four units")
            << "PopnnGRU(4, activation='sigmoid', recurrent_activation='softmax', "
               "kernel_initializer='zeros', recurrent_initializer='zeros')"
            << 0.46875;
    }
    void fusedCellsComputeSoftmax() {
        QFETCH(QString, cell);
        QFETCH(double, loss);
        const Workbench workbench;
        workbench.write("program.py",
                        "import tensorflow as tf\n"
                        "from tensorflow.python import ipu\n"
                        "cfg = ipu.config.IPUConfig()\n"
                        "cfg.auto_select_ipus = 1\n"
                        "cfg.configure_ipu_system()\n"
                        "with ipu.ipu_strategy.IPUStrategy().scope():\n"
                        "    i = tf.keras.Input((2, 1), batch_size=2)\n"
                        "    m = tf.keras.Model(i, ipu.keras.layers." +
                            cell.toStdString() +
                            "(i))\n"
                            "    m.compile(tf.keras.optimizers.SGD(0.5), loss=lambda t, p: "
                            "tf.reduce_mean(p), steps_per_execution=4)\n"
                            "    m.fit(tf.data.Dataset.from_tensor_slices((tf.ones((64, 2, 1)), "
                            "tf.ones((64, 1)))).batch(2, drop_remainder=True).repeat(), "
                            "steps_per_epoch=4)\n");
        const auto run = [&](const QString& project) {
            return workbench.run({"run", project, "--json", "--database", "runs.sqlite", "--set",
                                  R"(training.dataset={"kind": "synthetic"})"});
        };
        const Answer imported = workbench.run({"import", "program.py", "-o", "p.ipuproj"});
        QVERIFY2(imported.code == 0, imported.err);
        const Answer first = run("p.ipuproj");
        QVERIFY2(first.code == 0, first.err);
        const auto losses = first.json()["metrics"]["loss"].get<std::vector<double>>();
        QVERIFY2(std::abs(losses.at(0) - loss) < 1e-6, qPrintable(QString::number(losses.at(0))));
        for (const char* edition : {"2.4", "2.1"}) {
            const Answer exported = workbench.run(
                {"export", "p.ipuproj", "--format", "python", "--api", edition, "-o", "again.py", "--force"});
            QVERIFY2(exported.code == 0, exported.err);
            const Answer back = workbench.run({"import", "again.py", "-o", "again.ipuproj", "--force"});
            QVERIFY2(back.code == 0, back.err);
            const Answer second = run("again.ipuproj");
            QVERIFY2(second.code == 0, second.err);
            QCOMPARE(second.json()["metrics"]["loss"].get<std::vector<double>>(), losses);
            QCOMPARE(second.json()["step_cycles"].dump(), first.json()["step_cycles"].dump());
        }
    }

    /// What a program evaluates behind its training is as long as it says, not as long as an epoch.
    void evaluationsTakeTheirOwnSteps() {
        const Workbench workbench;
        workbench.write("program.py", "import tensorflow as tf\n"
                                      "from tensorflow.python import ipu\n"
                                      "cfg = ipu.config.IPUConfig()\n"
                                      "cfg.auto_select_ipus = 1\n"
                                      "cfg.configure_ipu_system()\n"
                                      "ds = tf.data.Dataset.from_tensor_slices((tf.ones((64, 2)), "
                                      "tf.ones((64, 1)))).batch(2, drop_remainder=True).repeat()\n"
                                      "with ipu.ipu_strategy.IPUStrategy().scope():\n"
                                      "    m = tf.keras.Sequential([tf.keras.layers.Dense(1, "
                                      "input_shape=(2,))])\n"
                                      "    m.compile('sgd', 'mse', steps_per_execution=4)\n"
                                      "    m.fit(ds, steps_per_epoch=8)\n"
                                      "    m.evaluate(ds, steps=12)\n");
        const auto executions = [&](const QString& project, const QString& mode) {
            const Answer run =
                workbench.run({"run", project, "--mode", mode, "--json", "--database", "runs.sqlite", "--set",
                               R"(training.dataset={"kind": "synthetic"})"});
            return run.code == 0 ? run.json()["executions"].dump() : run.err.toStdString();
        };
        const Answer imported = workbench.run({"import", "program.py", "-o", "p.ipuproj"});
        QVERIFY2(imported.code == 0, imported.err);
        QCOMPARE(executions("p.ipuproj", "train"), std::string("2"));
        QCOMPARE(executions("p.ipuproj", "evaluate"), std::string("3"));
        for (const char* edition : {"2.4", "2.1"}) {
            const Answer exported = workbench.run(
                {"export", "p.ipuproj", "--format", "python", "--api", edition, "-o", "again.py", "--force"});
            QVERIFY2(exported.code == 0, exported.err);
            const Answer back = workbench.run({"import", "again.py", "-o", "again.ipuproj", "--force"});
            QVERIFY2(back.code == 0, back.err);
            QCOMPARE(executions("again.ipuproj", "train"), std::string("2"));
            QCOMPARE(executions("again.ipuproj", "evaluate"), std::string("3"));
        }
    }

    /// Sequences of different lengths whose steps are the first axis.
    void recurrentCellsTakeLengths_data() {
        QTest::addColumn<QString>("cell");
        QTest::addColumn<QString>("output");
        const auto row = [](const char* name, const char* cell, const char* output) {
            QTest::newRow(name) << cell << output;
        };
        row("dynamic, last step", "PopnnDynamicGRU(6)(x, n, training=True)", "y[-1]");
        row("dynamic, state", "PopnnDynamicGRU(6, reset_after=True)(x, n)", "s");
        row("dynamic, begun", "PopnnDynamicGRU(6)(x, n, initial_state=tf.zeros([4, 6]))", "y[-1]");
        row("with attention", "PopnnAUGRU(6)(x, n, a)", "s");
        row("with attention, steps behind",
            "PopnnAUGRU(6)(tf.transpose(x, [1, 0, 2]), n, a, "
            "time_major=False)",
            "s");
    }
    void recurrentCellsTakeLengths() {
        QFETCH(QString, cell);
        QFETCH(QString, output);
        const Workbench workbench;
        workbench.write("program.py",
                        "import numpy as np\n"
                        "import tensorflow.compat.v1 as tf\n"
                        "from tensorflow.python import ipu\n"
                        "from tensorflow.python.ipu.rnn_ops import PopnnDynamicGRU, PopnnAUGRU\n"
                        "tf.disable_v2_behavior()\n"
                        "arrays = (np.zeros((40, 10, 8), np.float32), np.full((40,), 10, np.int32), "
                        "np.zeros((40, 10), np.float32), np.zeros((40,), np.int32))\n"
                        "ds = tf.data.Dataset.from_tensor_slices(arrays).batch(4, "
                        "drop_remainder=True).repeat()\n"
                        "infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds)\n"
                        "outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()\n"
                        "def body(x, n, a, labels):\n"
                        "    with tf.variable_scope('v', use_resource=True):\n"
                        "        x = tf.transpose(x, (1, 0, 2))\n"
                        "        y, s = " +
                            cell.toStdString() +
                            "\n"
                            "        logits = tf.layers.dense(" +
                            output.toStdString() +
                            ", 5)\n"
                            "    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits("
                            "labels=labels, logits=logits))\n"
                            "    return tf.train.GradientDescentOptimizer(0.1).minimize(loss), "
                            "outfeed.enqueue(loss)\n"
                            "def net():\n"
                            "    return ipu.loops.repeat(5, body, [], infeed)\n"
                            "with ipu.scopes.ipu_scope('/device:IPU:0'):\n"
                            "    r = ipu.ipu_compiler.compile(net, [])\n"
                            "cfg = ipu.config.IPUConfig()\n"
                            "cfg.auto_select_ipus = 1\n"
                            "cfg.configure_ipu_system()\n"
                            "with tf.Session() as s:\n"
                            "    s.run(tf.global_variables_initializer())\n"
                            "    s.run(infeed.initializer)\n"
                            "    s.run(r)\n");
        const Answer imported = workbench.run({"import", "program.py", "-o", "p.ipuproj"});
        QVERIFY2(imported.code == 0, imported.err);
        const Answer run = workbench.run({"run", "p.ipuproj", "--json", "--database", "runs.sqlite", "--set",
                                          R"(training.dataset={"kind": "synthetic"})"});
        QVERIFY2(run.code == 0, run.err);
        const Json losses = run.json()["metrics"]["loss"];
        QVERIFY(losses.size() == 5);
        for (const Json& loss : losses)
            QVERIFY(loss.is_number() && std::isfinite(loss.get<double>()));
    }
};

REGISTER_TEST("program_runs", ProgramRunsTest)
#include "program_runs_test.moc"
