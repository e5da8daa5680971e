#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"
#include "tests/tools/oracle/oracle_case.h"

#include <QtTest/QTest>

/// Values computed by other programs.
class OraclesTest : public QObject {
    Q_OBJECT

private slots:
    void resultsAgreeWithOtherPrograms_data() {
        QTest::addColumn<QString>("folder");
        for (const char* folder : {"oracles/layer", "oracles/loss", "oracles/optimizer", "ipu-ops"})
            QTest::newRow(folder) << QString(folder);
    }

    void resultsAgreeWithOtherPrograms() {
        REQUIRE_SHARED_DATA();
        QFETCH(QString, folder);
        const auto outcomes = oracles::runFolders({tests::sharedData() / folder.toStdString()});
        QVERIFY(outcomes && !outcomes->empty());
        for (const oracles::Outcome& outcome : *outcomes)
            QVERIFY2(outcome.verdict.kind == oracles::Verdict::Kind::Passed,
                     qPrintable(QString::fromStdString(outcome.name + ": " + outcome.verdict.message)));
    }
};

REGISTER_TEST("oracles", OraclesTest)
#include "oracles_test.moc"
