#include "views/common/text/finding_text.h"

#include "core/model/graph/model_builder.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

using namespace views;

class FindingTextTest : public QObject {
    Q_OBJECT

private slots:
    void aSentenceBeginsWithACapitalAndANameDoesNot() {
        const core::ModelGraph model = core::sequentialModel("m", {8}, {{"Dense", "head", {{"units", 4}}}});
        const auto text = [&](const char* message) {
            return findingText(QString::fromLatin1(message), &model, ByteUnit::KiB);
        };
        QCOMPARE(text("the model has no outputs"), QString("The model has no outputs"));
        QCOMPARE(text("gradient_accumulation_steps is 3"), QString("gradient_accumulation_steps is 3"));
        QCOMPARE(text("units is -5"), QString("units is -5"));
        QCOMPARE(text("head takes one input"), QString("head takes one input"));
        QCOMPARE(text("\"units\" is -5"), QString("\"units\" is -5"));
        QCOMPARE(text(""), QString());
    }

    void bytesFollowTheUnitThatWasChosen() {
        const QString message =
            QStringLiteral("IPU 0: tile 0 needs 15452240 bytes, 14813264 bytes more than it has");
        QCOMPARE(findingText(message, nullptr, ByteUnit::Byte).count(QStringLiteral(" bytes")), 0);
        const QString text = findingText(message, nullptr, ByteUnit::KiB);
        QVERIFY2(text.contains(bytesText(core::Bytes(15452240), ByteUnit::KiB).joined()), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral(" more than it has")), qPrintable(text));
    }
};

REGISTER_TEST("finding_text", FindingTextTest)
#include "finding_text_test.moc"
