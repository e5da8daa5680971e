#include "core/text/visible_text.h"

#include "core/base/diagnostic.h"
#include "core/base/json.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

class VisibleTextTest : public QObject {
    Q_OBJECT

private slots:
    void escapesWhatMovesTheCursorOrReordersText_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("visible");
        const auto row = [](const char* name, const char* text, const char* visible) {
            QTest::newRow(name) << QByteArray(text) << QByteArray(visible);
        };
        row("plain", "dense_1 (Übung) → 12 %", "dense_1 (Übung) → 12 %");
        row("escape sequence", "a\x1b[31m", "a\\x1b[31m");
        row("bell, return, tabulator, line", "\a\r\t\n", "\\x07\\x0d\\x09\\x0a");
        row("delete", "a\x7f", "a\\x7f");
        row("C1 control sequence introducer", "a\u009b31m", "a\\u009b31m");
        row("right-to-left override", "abc\u202ecba", "abc\\u202ecba");
        row("isolates", "\u2066a\u2069", "\\u2066a\\u2069");
        row("marks", "\u200e\u200f\u061c", "\\u200e\\u200f\\u061c");
        row("line and paragraph separators", "\u2028\u2029", "\\u2028\\u2029");
        row("neighbours of the marks", "\u00a0\u200d\u2010\u202f\u2065\u206a",
            "\u00a0\u200d\u2010\u202f\u2065\u206a");
        row("four bytes", "\U0001F600", "\U0001F600");
        row("a lone byte",
            "a\x9b"
            "31m",
            "a\\x9b31m");
        row("a cut sequence", "a\xe2\x80", "a\\xe2\\x80");
        row("an overlong slash", "\xc0\xaf", "\\xc0\\xaf");
        row("a surrogate", "\xed\xa0\x80", "\\xed\\xa0\\x80");
        row("beyond Unicode", "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80");
    }
    void escapesWhatMovesTheCursorOrReordersText() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, visible);
        QCOMPARE(QByteArray::fromStdString(core::visibleText(text.toStdString())), visible);
    }

    void keepsTheLinesOfATextOfLines() {
        QCOMPARE(core::visibleLines("a\tb\r\n\x1b"
                                    "c\n"),
                 std::string("a\tb\\x0d\n\\x1b"
                             "c\n"));
    }

    void escapesEveryPartOfADiagnostic() {
        const core::Diagnostic hostile{core::Severity::Error,
                                       core::Trouble::Input,
                                       "a/code",
                                       {"f\x1b", "/p\u009b"},
                                       "m\u202e",
                                       {"h\x7f"}};
        QCOMPARE(core::toText(hostile),
                 std::string("f\\x1b:/p\\u009b: error: m\\u202e [a/code]\nhint: h\\x7f"));
    }

    void writesJsonThatIsHarmlessAndTheSame() {
        const core::Json value{{"name", "a\x1b\x7f\u009b\u202eü\u2028"}};
        const std::string text = core::toText(value, -1);
        QCOMPARE(text, std::string(R"({"name":"a\u001b\u007f\u009b\u202eü\u2028"})"));
        QVERIFY(core::Json::parse(text) == value);
    }

    void writesFieldsThatNoSpreadsheetComputes_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("field");
        const auto row = [](const char* text, const char* field) {
            QTest::newRow(text) << QByteArray(text) << QByteArray(field);
        };
        row("dense", "dense");
        row("a,b", "\"a,b\"");
        row("a \"b\"", "\"a \"\"b\"\"\"");
        row("=1+1", "'=1+1");
        row("@SUM(A1)", "'@SUM(A1)");
        row("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0");
        row("-2+3+cmd|' /C calc'!A0", "'-2+3+cmd|' /C calc'!A0");
        row("-A1", "'-A1");
        row("=HYPERLINK(\"x\",\"y\")", "\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\"");
        row("\t=1", "\\x09=1");
        row("-3", "-3");
        row("-1.5e-07", "-1.5e-07");
        row("+0.5 %", "+0.5 %");
        row("-1,024 cycles", "\"-1,024 cycles\"");
        row("+12.5%", "+12.5%");
        row("-4 MiB/s", "-4 MiB/s");
        row("+1/matmul", "'+1/matmul");
        row("-1x", "'-1x");
        row("-1 /x", "'-1 /x");
        row("-", "-");
        row("", "");
    }
    void writesFieldsThatNoSpreadsheetComputes() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, field);
        QCOMPARE(QByteArray::fromStdString(core::csvField(text.toStdString())), field);
    }

    void quotesTheSeparatorInUse() {
        QCOMPARE(core::csvField("a;b", ';'), std::string("\"a;b\""));
        QCOMPARE(core::csvField("a,b", ';'), std::string("a,b"));
    }
};

REGISTER_TEST("visible_text", VisibleTextTest)
#include "visible_text_test.moc"
