#include "core/base/diagnostic.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

class DiagnosticTest : public QObject {
    Q_OBJECT

private slots:
    void anErrorIsMadeOfItsParts() {
        const core::Diagnostic error = core::makeError(core::Trouble::World, "file/missing", {"a.csv", "3:1"},
                                                       "there is no file", {"make one", "", "name another"});
        QVERIFY(error.severity == core::Severity::Error && error.trouble == core::Trouble::World);
        QCOMPARE(core::toText(error),
                 std::string("a.csv:3:1: error: there is no file [file/missing]\nhint: make one\n"
                             "hint: name another"));
    }

    void anEmptyHintIsNone() {
        QVERIFY(core::makeError(core::Trouble::Input, "a/b", {}, "no", {std::string()}).hints.empty());
    }
};

REGISTER_TEST("diagnostic", DiagnosticTest)
#include "diagnostic_test.moc"
