#include "core/profile/queries/metric_explanation.h"
#include "tests/app/profile/ran_window.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"
#include "views/comparison/comparison_view.h"
#include "views/explain/explain_view.h"
#include "views/profile/tables/table_panel.h"
#include "views/summary/summary_view.h"

#include <QLineEdit>
#include <QTableView>
#include <QTextBrowser>
#include <QToolButton>

using tests::RanWindow;

namespace {

views::ExplainView& pageOf(const RanWindow& ran) {
    return *ran.bench.window->findChild<views::ExplainView*>();
}

/// Clicks a link of the text.
void follow(QTextBrowser& page, const QString& name) {
    QTextCursor at = page.document()->find(name);
    while (!at.isNull() && at.charFormat().anchorHref() != name)
        at = page.document()->find(name, at);
    QVERIFY2(!at.isNull(), qPrintable("no link " + name));
    const int begin = at.selectionStart();
    at.setPosition(begin + 1);
    page.setTextCursor(at);
    page.ensureCursorVisible();
    QTest::mouseClick(page.viewport(), Qt::LeftButton, {}, page.cursorRect(at).center());
}

} // namespace

/// Every figure of a run says how it comes about.
class ExplainWindowTest : public QObject {
    Q_OBJECT

private slots:
    void aFigureOfTheSummaryExplainsItselfAndItsInputs() {
        const RanWindow ran;
        QVERIFY(ran.isReady);
        app::MainWindow& window = *ran.bench.window;
        window.resize(1280, 800);
        window.workspaces().show(views::WorkspaceId::Summary);
        auto& summary = window.workspaces().view<views::SummaryView>();
        QTRY_VERIFY(!summary.page().figures().empty());
        QTest::mouseClick(&summary.canvas(), Qt::LeftButton, {},
                          summary.page().figures().front().center().toPoint());
        views::ExplainView& page = pageOf(ran);
        QTRY_VERIFY(page.isVisible());
        QCOMPARE(page.figure(), QString("samples_per_second"));
        QTRY_VERIFY(page.page().toPlainText().contains("effective_batch"));
        QVERIFY2(page.page().viewport()->height() > 120, qPrintable(QString::number(page.page().height())));
        ran.takePictures(QStringLiteral("explain"));
        follow(page.page(), "step_cycles");
        QCOMPARE(page.figure(), QString("step_cycles"));
        QVERIFY(page.page().toPlainText().startsWith("step_cycles"));
        QVERIFY(page.page().toPlainText().contains("It should approach"));
        QTest::keyClick(&page.page(), Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(page.figure(), QString("samples_per_second"));
        QVERIFY(!page.backButton().isEnabled());
        // By keys: up from the answers to the figures of the head.
        summary.canvas().setFocus(Qt::TabFocusReason);
        QTest::keyClick(&summary.canvas(), Qt::Key_Up);
        QTest::keyClick(&summary.canvas(), Qt::Key_Right);
        QVERIFY(summary.canvas().accessibleDescription().startsWith("Step: "));
        QTest::keyClick(&summary.canvas(), Qt::Key_Return);
        QCOMPARE(page.figure(), QString("step_cycles"));
    }

    void everyFigureIsThatOfTheBatch() {
        const RanWindow ran;
        QVERIFY(ran.isReady);
        app::MainWindow& window = *ran.bench.window;
        window.intents().explainFigure("idle_fraction");
        views::ExplainView& page = pageOf(ran);
        QTRY_VERIFY(!page.figures().content().rows.empty());
        const tests::Workbench workbench;
        const QString database = QString::fromStdString(window.source().path().string());
        const core::Json listed = workbench.run({"explain", "last", "--json", "--database", database}).json();
        const auto& rows = page.figures().content().rows;
        QCOMPARE(rows.size(), listed["metrics"].size());
        page.figures().table().setFocus();
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const core::Json& metric = listed["metrics"][i];
            QCOMPARE(rows[i][0].text.toStdString(), metric["metric"].get<std::string>());
            QCOMPARE(rows[i][1].sort.toDouble(), metric["value"].get<double>());
            QTest::keyClick(&page.figures().table(), i == 0 ? Qt::Key_Home : Qt::Key_Down, Qt::NoModifier);
            if (i == 0)
                page.showFigure(rows[0][0].text.toStdString());
            QCOMPARE(page.figure(), rows[i][0].text);
            QVERIFY2(page.page().toPlainText().contains(
                         QString::fromStdString(metric["meaning"].get<std::string>())),
                     qPrintable(page.figure()));
        }
        // What is typed filters.
        QTest::keyClicks(&page.filter(), "stash");
        const QAbstractItemModel& model = *page.figures().table().model();
        QVERIFY(model.rowCount() > 0 && model.rowCount() < static_cast<int>(rows.size()));
    }

    void aMetricOfTheComparisonIsExplained() {
        const RanWindow ran;
        QVERIFY(ran.isReady && ran.bench.run());
        app::MainWindow& window = *ran.bench.window;
        window.workspaces().show(views::WorkspaceId::Compare);
        auto& compare = window.workspaces().view<views::ComparisonView>();
        const views::TablePanel* metrics = nullptr;
        QTRY_VERIFY(std::ranges::any_of(
            compare.findChildren<views::TablePanel*>(), [&](const views::TablePanel* table) {
                metrics = table;
                return !table->content().rows.empty() && table->content().rows[0][0].text == "Throughput";
            }));
        metrics->table().setFocus();
        metrics->table().setCurrentIndex(metrics->table().model()->index(0, 0));
        QTest::keyClick(&metrics->table(), Qt::Key_Return);
        QTRY_COMPARE(pageOf(ran).figure(), QString("samples_per_second"));
        QVERIFY(pageOf(ran).isVisible());
    }
};

REGISTER_WIDGET_TEST("explain_window", ExplainWindowTest)
#include "explain_window_test.moc"
