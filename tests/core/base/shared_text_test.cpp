#include "core/base/shared_text.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <fmt/format.h>
#include <string>

using core::SharedText;

class SharedTextTest : public QObject {
    Q_OBJECT

private slots:
    void copiesHoldTheSameText() {
        const SharedText name("conv1/out");
        const SharedText copy = name;
        QCOMPARE(&copy.str(), &name.str());
    }

    void anotherTextLeavesCopiesAsTheyWere() {
        SharedText name("conv1/out");
        const SharedText copy = name;
        name = std::string("conv2/out");
        QCOMPARE(copy.str(), std::string("conv1/out"));
        QCOMPARE(name.str(), std::string("conv2/out"));
    }

    void theEmptyTextIsOneHoweverItIsMade() {
        QVERIFY(SharedText().empty());
        QVERIFY(SharedText("").empty());
        QVERIFY(SharedText() == SharedText(std::string()));
        QCOMPARE(SharedText().str(), std::string());
    }

    void textsCompareByWhatTheySay() {
        QVERIFY(SharedText("a") == SharedText(std::string("a")));
        QVERIFY(SharedText("a") == "a");
        QVERIFY(std::string("a") == SharedText("a"));
        QVERIFY(SharedText("a") < SharedText("b"));
        QVERIFY(SharedText() < SharedText("a"));
    }

    void itIsWrittenAsItsText() {
        QCOMPARE(fmt::format("{:>4}", SharedText("ab")), std::string("  ab"));
        QCOMPARE(SharedText("a") + " (arrived)", std::string("a (arrived)"));
    }
};

REGISTER_TEST("shared_text", SharedTextTest)
#include "shared_text_test.moc"
