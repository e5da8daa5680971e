#include "views/ask/ask_view.h"

#include "core/profile/notes/store/note_store.h"
#include "tests/support/recorded_intents.h"
#include "tests/support/stored_run.h"
#include "tests/support/test_registry.h"
#include "views/common/theme/widget_theme.h"
#include "views/profile/profile_source.h"
#include "views/profile/tables/table_panel.h"

#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QtTest/QTest>

using namespace views;

namespace {

struct Bench {
    Bench() {
        stored.add();
        source.setPath(stored.path());
        view = std::make_unique<AskView>(selection, source, intents);
        view->resize(1200, 240);
        view->show();
    }
    /// Writes a query by keys and asks it.
    void ask(const char* sql) const {
        view->query().selectAll();
        QTest::keyClicks(&view->query(), sql);
        QTest::keyClick(&view->query(), Qt::Key_Return, Qt::ControlModifier);
    }
    void choose(const QString& question) const {
        const int index = view->questions().findText(question);
        QVERIFY(index > 0);
        view->questions().setFocus();
        view->questions().setCurrentIndex(index);
        emit view->questions().activated(index);
    }

    tests::StoredRuns stored;
    Selection selection;
    ProfileSource source;
    tests::RecordedIntents intents;
    std::unique_ptr<AskView> view;
};

} // namespace

class AskViewTest : public QObject {
    Q_OBJECT

private slots:
    void everyPresetIsAnsweredWithRows() {
        const Bench bench;
        int asked = 0;
        for (int i = 1; i < bench.view->questions().count(); ++i) {
            const QString question = bench.view->questions().itemText(i);
            bench.choose(question);
            QTRY_VERIFY2(bench.view->said().endsWith(" rows") || bench.view->said().endsWith(" row"),
                         qPrintable(question + ": " + bench.view->said()));
            QVERIFY2(!bench.view->answer().content().rows.empty(), qPrintable(question));
            ++asked;
        }
        QCOMPARE(asked, 10);
    }

    void aPresetIsAboutTheRunThatIsShown() {
        Bench bench;
        const core::RunId other = bench.stored.add();
        const auto runsIn = [&] {
            std::set<QString> runs;
            for (const auto& row : bench.view->answer().content().rows)
                runs.insert(row.front().text);
            return runs;
        };
        const auto only = [](core::RunId run) { return std::set{QString::number(run.value())}; };
        for (int i = 1; i < bench.view->questions().count(); ++i) {
            const QString question = bench.view->questions().itemText(i);
            bench.selection.selectRun(core::RunId(1));
            bench.choose(question);
            if (question.startsWith("The fastest runs")) {
                QTRY_COMPARE(runsIn(), (std::set{QString("1"), QString::number(other.value())}));
                continue;
            }
            QTRY_COMPARE(runsIn(), only(core::RunId(1)));
            // Another run is shown: the answer is of that one.
            bench.selection.selectRun(other);
            QTRY_COMPARE(runsIn(), only(other));
        }
        // What was written is left as it is.
        bench.ask("SELECT run FROM v_run ORDER BY run");
        QTRY_COMPARE(bench.view->said(), QString("2 rows"));
        bench.selection.selectRun(core::RunId(1));
        QCOMPARE(bench.view->query().toPlainText(), QString("SELECT run FROM v_run ORDER BY run"));
    }

    void whatIsTypedIsAnsweredByKey() {
        const Bench bench;
        bench.ask(
            "SELECT stage, forward_cycles, 'x' AS word, 0.5 AS half, NULL AS absent FROM v_stage_summary");
        QTRY_COMPARE(bench.view->said(), QString("4 rows"));
        const TableContent& table = bench.view->answer().content();
        QCOMPARE(table.columns[1].title, QString("forward_cycles"));
        QVERIFY(table.columns[1].kind == ColumnKind::Number);
        QVERIFY(table.columns[2].kind == ColumnKind::Text);
        QVERIFY(table.rows[0][1].sort.toLongLong() > 0);
        QCOMPARE(table.rows[3][2].text, QString("x"));
        QCOMPARE(table.rows[3][3].text, QString("0.5"));
        QCOMPARE(table.rows[3][4].text, dashCell().text);
    }

    void aWrongQueryIsExplainedAndNothingIsWritten() {
        const Bench bench;
        bench.ask("SELECT stag FROM v_stage_summary");
        QTRY_VERIFY2(bench.view->said().contains("stage"), qPrintable(bench.view->said()));
        bench.ask("DELETE FROM run");
        QTRY_VERIFY2(bench.view->said().contains("SELECT"), qPrintable(bench.view->said()));
        bench.ask("SELECT count(*) FROM v_run");
        QTRY_COMPARE(bench.view->said(), QString("1 row"));
        QCOMPARE(bench.view->answer().content().rows[0][0].text, QString("1"));
    }

    void aNewQuestionStopsOneThatTakesLong() {
        const Bench bench;
        bench.ask("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n");
        bench.ask("SELECT 7");
        QTRY_COMPARE(bench.view->said(), QString("1 row"));
        QCOMPARE(bench.view->answer().content().rows[0][0].text, QString("7"));
    }

    void aQueryIsKeptUnderANameAndForgotten() {
        const Bench bench;
        bench.ask("SELECT 42");
        QVERIFY(!bench.view->keepButton().isEnabled());
        QTest::keyClicks(&bench.view->name(), "the answer");
        QTest::mouseClick(&bench.view->keepButton(), Qt::LeftButton);
        QCOMPARE(bench.intents.queries.size(), std::size_t(1));
        QCOMPARE(bench.intents.queries[0].name, std::string("the answer"));
        QCOMPARE(bench.intents.queries[0].sql, std::string("SELECT 42"));
        QCOMPARE(bench.view->questions().currentText(), QString("the answer"));
        // Under the same name it replaces what was there.
        bench.ask("SELECT 43");
        QTest::keyClick(&bench.view->name(), Qt::Key_Return);
        QCOMPARE(bench.intents.queries.size(), std::size_t(1));
        QCOMPARE(bench.intents.queries[0].sql, std::string("SELECT 43"));
        QTest::mouseClick(&bench.view->forgetButton(), Qt::LeftButton);
        QVERIFY(bench.intents.queries.empty());
        QCOMPARE(bench.view->questions().findText("the answer"), -1);
    }

    void whatWasKeptIsAskedAgainAndItsAnswerFollowsTheRuns() {
        Bench bench;
        const std::vector<core::QueryRecord> kept{{"how many", "SELECT count(*) AS runs FROM v_run"}};
        QVERIFY(core::storeQueries(*core::ProfileDatabase::open(bench.stored.path()), kept).has_value());
        bench.source.announceChange();
        QTRY_VERIFY(bench.view->questions().findText("how many") > 0);
        bench.choose("how many");
        QTRY_COMPARE(bench.view->answer().content().rows.size(), std::size_t(1));
        QCOMPARE(bench.view->answer().content().rows[0][0].text, QString("1"));
        bench.stored.add();
        bench.source.announceChange();
        QTRY_COMPARE(bench.view->answer().content().rows[0][0].text, QString("2"));
    }
};

REGISTER_WIDGET_TEST("ask_view", AskViewTest)
#include "ask_view_test.moc"
