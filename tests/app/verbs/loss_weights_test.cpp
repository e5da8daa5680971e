#include "core/base/file.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"

#include <QtTest/QTest>
#include <cmath>
#include <vector>

using tests::Answer;
using tests::Workbench;

namespace {

constexpr const char* program = R"(
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy().scope():
    i = tf.keras.Input((4,))
    h = tf.keras.layers.Dense(8, activation="relu")(i)
    model = tf.keras.Model(i, [tf.keras.layers.Dense(3, activation="softmax", name="kind")(h),
                               tf.keras.layers.Dense(1, name="size")(h)])
    model.compile("sgd", loss={"kind": "sparse_categorical_crossentropy", "size": "mse"},
                  loss_weights={"size": 0.25}, steps_per_execution=2)
    model.fit(np.ones((64, 4), np.float32), {"kind": np.zeros(64, np.int32), "size": np.ones((64, 1), np.float32)},
              batch_size=8, epochs=2, callbacks=[tf.keras.callbacks.CSVLogger("log.csv")])
)";

/// Runs the project on made-up samples, validated on others.
core::Json metricsOf(const Workbench& workbench, const QStringList& settings) {
    QStringList arguments{"run",
                          "p.ipuproj",
                          "--json",
                          "--set",
                          R"(training.dataset={"kind": "synthetic", "samples": 64})",
                          "--set",
                          R"(training.validation_dataset={"kind": "synthetic", "samples": 32, "seed": 5})"};
    const Answer ran = workbench.run(arguments + settings);
    if (ran.code != 0)
        QTest::qFail(ran.err, __FILE__, __LINE__);
    return ran.json()["metrics"];
}

/// A program without the comment that holds what Python has no words for.
std::string withoutComment(const QByteArray& program) {
    const auto at = program.lastIndexOf("# ipu-workbench: ");
    return (at < 0 ? program : program.left(at)).toStdString();
}

double numberOf(const core::Json& metrics, const char* name, std::size_t at) {
    return metrics.at(name).at(at).get<double>();
}

bool isNear(double value, double wanted) {
    return std::abs(value - wanted) <= 1e-5 * std::max(1.0, std::abs(wanted));
}

} // namespace

/// What the losses of several outputs count for: in "loss" and in the gradients, never in the losses of the
/// outputs themselves, as in Keras.
class LossWeightsTest : public QObject {
    Q_OBJECT

private slots:
    void init() {
        m_workbench = std::make_unique<Workbench>();
        m_workbench->write("p.py", program);
        const Answer imported = m_workbench->run({"import", "p.py", "-o", "p.ipuproj"});
        QVERIFY2(imported.code == 0, imported.err);
    }

    void importKeepsThemBesideTheLosses() {
        const core::Json project = core::Json::parse(core::readFile(m_workbench->path("p.ipuproj")).value());
        QCOMPARE(project["training"]["loss_weights"].dump(), std::string("[1.0,0.25]"));
        QVERIFY2(project["training"]["loss"].dump().find("LossFunction") == std::string::npos,
                 project["training"]["loss"].dump().c_str());
    }

    void outputsShowTheirLossesUnweightedAndLossIsWeighted() {
        const core::Json weighted = metricsOf(*m_workbench, {});
        for (const std::string prefix : {"", "val_"}) {
            const auto name = [&](const char* metric) { return prefix + metric; };
            const std::size_t count = weighted[name("loss")].size();
            QVERIFY(count > 1);
            for (std::size_t i = 0; i < count; ++i)
                QVERIFY(isNear(numberOf(weighted, name("loss").c_str(), i),
                               numberOf(weighted, name("kind_loss").c_str(), i) +
                                   0.25 * numberOf(weighted, name("size_loss").c_str(), i)));
        }
        const core::Json plain = metricsOf(*m_workbench, {"--set", "training.loss_weights=null"});
        QVERIFY(isNear(numberOf(plain, "size_loss", 0), numberOf(weighted, "size_loss", 0)));
        QVERIFY(isNear(numberOf(plain, "loss", 0),
                       numberOf(plain, "kind_loss", 0) + numberOf(plain, "size_loss", 0)));
        // The gradients have the weight: after an update the losses are apart.
        QVERIFY(!isNear(numberOf(plain, "size_loss", 4), numberOf(weighted, "size_loss", 4)));

        const Answer shown = m_workbench->run({"show", "1", "--json", "--database", "p.profiles.sqlite"});
        QVERIFY2(shown.code == 0, shown.err);
        QVERIFY(shown.json()["metrics"] == weighted);
    }

    /// The columns of Keras' CSVLogger: the means of an epoch.
    void theLogOfAnEpochHasBoth() {
        const core::Json metrics = metricsOf(*m_workbench, {});
        const std::string log = core::readFile(m_workbench->path("log.csv")).value();
        const QStringList lines = QString::fromStdString(log).split('\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 3);
        const QStringList columns = lines[0].trimmed().split(',');
        const QStringList values = lines[1].trimmed().split(',');
        const auto value = [&](const char* column) {
            const auto at = columns.indexOf(column);
            return at < 0 ? std::nan("") : values.at(at).toDouble();
        };
        QVERIFY2(isNear(value("loss"), value("kind_loss") + 0.25 * value("size_loss")), log.c_str());
        QVERIFY2(isNear(value("val_loss"), value("val_kind_loss") + 0.25 * value("val_size_loss")),
                 log.c_str());
    }

    void theExportedProgramSaysThem() {
        for (const char* api : {"2.4", "2.1"}) {
            const Answer exported = m_workbench->run({"export", "p.ipuproj", "--format", "python", "--api",
                                                      api, "--set", "training.callbacks=[]"});
            QVERIFY2(exported.code == 0, exported.err);
            QVERIFY2(exported.out.contains("loss_weights=[1.0, 0.25]"), exported.out);
            m_workbench->write("again.py", withoutComment(exported.out));
            const Answer again = m_workbench->run({"import", "again.py", "-o", "again.ipuproj", "--force"});
            QVERIFY2(again.code == 0, again.err);
            const core::Json project =
                core::Json::parse(core::readFile(m_workbench->path("again.ipuproj")).value());
            QCOMPARE(project["training"]["loss_weights"].dump(), std::string("[1.0,0.25]"));
        }
    }

    void othersThanANumberForEachOutputAreRefused_data() {
        QTest::addColumn<QString>("weights");
        QTest::addColumn<QString>("says");
        QTest::newRow("too few") << "[1]"
                                 << "there are 1 loss_weights for 2 outputs of the model";
        QTest::newRow("text") << R"([1, "much"])"
                              << "not a number";
        QTest::newRow("no output") << R"({"sise": 2})"
                                   << "did you mean \"size\"?";
    }
    void othersThanANumberForEachOutputAreRefused() {
        QFETCH(const QString, weights);
        QFETCH(const QString, says);
        const Answer refused =
            m_workbench->run({"validate", "p.ipuproj", "--set", "training.loss_weights=" + weights});
        QCOMPARE(refused.code, 3);
        QVERIFY2((refused.out + refused.err).contains(says.toUtf8()), refused.out + refused.err);
    }

private:
    std::unique_ptr<Workbench> m_workbench;
};

REGISTER_TEST("loss_weights", LossWeightsTest)
#include "loss_weights_test.moc"
