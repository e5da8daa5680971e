#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"
#include "tests/tools/onnx/onnx_case.h"

#include <QtTest/QTest>
#include <filesystem>

/// Models imported from ONNX compute what their file computes: import, project, validate, compile, run.
class OnnxImportTest : public QObject {
    Q_OBJECT

private slots:
    void wholeModelsComputeFromTheirImportedWeights_data() {
        QTest::addColumn<QString>("name");
        for (const char* name :
             {"mlp_784_256_128_64_32_10", "resnet18_narrow", "transformer_encoder_tiny", "lstm_classifier"})
            QTest::newRow(name) << name;
    }
    void wholeModelsComputeFromTheirImportedWeights() {
        REQUIRE_SHARED_DATA();
        QFETCH(QString, name);
        const auto verdict = onnx_cases::runCase(tests::sharedData() / "onnx/whole" / name.toStdString());
        QVERIFY2(verdict.kind == oracles::Verdict::Kind::Passed, verdict.message.c_str());
    }

    void everyNodeComputesTheSame() {
        REQUIRE_SHARED_DATA();
        const char* elsewhere = std::getenv("ONNX_NODE_CASES");
        const auto outcomes = onnx_cases::runFolders(
            {elsewhere != nullptr ? std::filesystem::path(elsewhere) : tests::sharedData() / "onnx/node"});
        QVERIFY(outcomes.has_value());
        QStringList different;
        for (const oracles::Outcome& outcome : *outcomes) {
            if (outcome.verdict.kind != oracles::Verdict::Kind::Passed)
                different << QString::fromStdString(outcome.name + ": " + outcome.verdict.message);
        }
        QVERIFY2(different.isEmpty(), qPrintable(different.join("\n")));
        QVERIFY(outcomes->size() > 100);
    }
};

REGISTER_TEST("onnx_import", OnnxImportTest)
#include "onnx_import_test.moc"
