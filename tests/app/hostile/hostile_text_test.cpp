#include "core/base/file.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"

#include <QtTest/QTest>

using tests::Answer;
using tests::Workbench;

namespace {

/// ESC, BEL, CR, DEL, a C1 control and the mark that reverses what is read: as JSON and as they would meet a
/// terminal.
const std::string hostileJson = R"(x\u001b[2J\u0007\r\u007f\u009b31m\u202ey)";
const QString hostileName = QStringLiteral("x\u001b[2J\a\r\u007f\u009b31m\u202ey");

/// No control but line breaks, no mark that reorders text.
bool isHarmless(const QByteArray& bytes) {
    const QString text = QString::fromUtf8(bytes);
    for (const QChar c : text) {
        const char16_t code = c.unicode();
        if ((code < 0x20 && code != '\n') || (code >= 0x7f && code < 0xa0) ||
            (code >= 0x202a && code <= 0x202e))
            return false;
    }
    return true;
}

} // namespace

/// Names and paths from outside, in everything that a verb writes to a terminal.
class HostileTextTest : public QObject {
    Q_OBJECT

    Workbench m_workbench;
    Workbench m_trained;

private slots:
    void initTestCase() {
        m_workbench.writeProject("p.ipuproj", {{"\"name\": \"example\"", "\"name\": \"" + hostileJson + "\""},
                                               {"\"name\": \"a\"", "\"name\": \"" + hostileJson + "\""}});
        m_trained.writeProject("p.ipuproj");
        const Answer answer = m_trained.run({"run", "p.ipuproj", "--profile", "tile"});
        QVERIFY2(answer.code == 0, answer.err);
    }

    void noVerbPassesAControlOn_data() {
        QTest::addColumn<QStringList>("arguments");
        const auto row = [](const char* name, const QStringList& arguments) {
            QTest::newRow(name) << arguments;
        };
        row("run", {"run", "p.ipuproj", "--no-numerics"});
        for (const char* verb : {"summary", "validate", "schedule", "devices"})
            row(verb, {verb, "p.ipuproj"});
        row("summary as CSV", {"summary", "p.ipuproj", "--csv"});
        row("summary as JSON", {"summary", "p.ipuproj", "--json"});
        row("show", {"show", "last"});
        row("runs", {"runs"});
        row("compare", {"compare", "1", "1"});
        row("export", {"export", "last", "--format", "csv", "--table", "layers"});
        for (const char* format : {"python", "keras-json", "schedule-csv"})
            row(format, {"export", "p.ipuproj", "--format", format, "-o", "-"});
        for (const char* view : {"graph", "schedule", "summary"})
            row(view, {"export", "p.ipuproj", "--format", "svg", "--view", view, "-o", "-"});
        row("sql: cells", {"sql", "SELECT DISTINCT layer FROM v_layer"});
        row("sql: titles", {"sql", "SELECT 1 AS \"" + hostileName + "\""});
        row("sql: titles as CSV", {"sql", "SELECT 1 AS \"" + hostileName + "\"", "--csv"});
        row("sql: refused", {"sql", "SELECT " + hostileName});
        row("a missing file", {"validate", hostileName + ".ipuproj"});
        row("--set", {"validate", "p.ipuproj", "--set", hostileName + "=1"});
        row("a value of --set", {"validate", "p.ipuproj", "--set", "pipeline.schedule=" + hostileName});
        row("--target", {"run", "p.ipuproj", "--target", hostileName});
        row("a missing data file",
            {"validate", "p.ipuproj", "--set", "training.weights=" + hostileName + ".npz"});
        row("an unknown verb", {hostileName});
        row("an unknown option", {"validate", "--" + hostileName});
    }
    void noVerbPassesAControlOn() {
        QFETCH(QStringList, arguments);
        const Answer answer = m_workbench.run(arguments);
        QVERIFY2(answer.code >= 0 && answer.code < 5, answer.err);
        QVERIFY2(!answer.out.isEmpty() || !answer.err.isEmpty(), "nothing was written");
        QByteArray out = answer.out;
        if (arguments.contains("--csv") || arguments.contains("csv") || arguments.contains("schedule-csv"))
            out.replace("\r\n", "\n"); // RFC 4180
        QVERIFY2(isHarmless(out), out);
        QVERIFY2(isHarmless(answer.err), answer.err);
    }

    void theNameIsStillRead() {
        const Answer answer = m_workbench.run({"summary", "p.ipuproj"});
        QVERIFY2(answer.out.contains("x\\x1b[2J\\x07\\x0d\\x7f\\u009b31m\\u202ey"), answer.out);
    }

    void namesThatASpreadsheetWouldComputeAreTexts() {
        Workbench workbench;
        workbench.writeProject("p.ipuproj", {{"\"name\": \"a\"", "\"name\": \"=1+cmd|' /C calc'!A0\""}});
        const Answer answer = workbench.run({"summary", "p.ipuproj", "--csv"});
        QVERIFY2(answer.out.contains("\r\n'=1+cmd|") || answer.out.contains(",'=1+cmd|"), answer.out);
        QVERIFY2(!answer.out.contains(",=1+") && !answer.out.contains("\n=1+"), answer.out);
    }

    void picturesAndTablesAreTheSameInEveryLocale_data() {
        QTest::addColumn<QStringList>("arguments");
        for (const char* view : {"timeline", "liveness", "tiles", "schedule", "training", "comparison"})
            QTest::newRow(view) << QStringList{"render", "last", "--view", view};
        for (const char* table : {"layers", "spans", "metrics"})
            QTest::newRow(table) << QStringList{"export", "last", "--format", "csv", "--table", table};
    }
    void picturesAndTablesAreTheSameInEveryLocale() {
        QFETCH(QStringList, arguments);
        std::string first;
        for (const char* locale : {"C", "de_DE.UTF-8", "tr_TR.UTF-8", "ar_EG.UTF-8"}) {
            const QByteArray err = m_trained.runOnTerminal(
                arguments + QStringList{"-o", "out.svg", "--force"},
                {QStringLiteral("LC_ALL=%1").arg(locale), QStringLiteral("LANG=%1").arg(locale)});
            const auto content = core::readFile(m_trained.path("out.svg"));
            QVERIFY2(content.has_value() && !content->empty(), err);
            if (first.empty())
                first = *content;
            QVERIFY2(*content == first, locale);
        }
    }
};

REGISTER_TEST("hostile_text", HostileTextTest)
#include "hostile_text_test.moc"
