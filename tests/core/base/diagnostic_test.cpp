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

    void thereIsAlwaysAHint() {
        // A call without a hint, or with {}, does not compile.
        static_assert(!std::is_default_constructible_v<core::Hints>);
        for (const core::Diagnostic& finding :
             {core::makeError(core::Trouble::Input, "a/b", {}, "no", {std::string()}),
              core::makeWarning(core::Trouble::Input, "a/b", {}, "no", std::vector<std::string>()),
              core::makeNote(core::Trouble::Input, "a/b", {}, "no", {"", ""})}) {
            QCOMPARE(finding.hints.size(), std::size_t{1});
            QVERIFY(!finding.hints.front().empty());
        }
    }

    void warningsAndNotesAreMadeLikeErrors() {
        const core::Diagnostic warning =
            core::makeWarning(core::Trouble::World, "a/b", {"f", ""}, "odd", {"look"});
        QCOMPARE(core::toText(warning), std::string("f: warning: odd [a/b]\nhint: look"));
        QVERIFY(core::makeNote(core::Trouble::World, "a/b", {}, "odd", {"look"}).severity ==
                core::Severity::Note);
    }
};

REGISTER_TEST("diagnostic", DiagnosticTest)
#include "diagnostic_test.moc"
