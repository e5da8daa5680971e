#include "tests/app/profile/ran_window.h"
#include "tests/support/test_registry.h"
#include "views/comparison/comparison_view.h"
#include "views/explain/explain_view.h"
#include "views/flame/flame_view.h"
#include "views/profile/tables/number_card.h"
#include "views/profile/tables/table_panel.h"
#include "views/program/program_view.h"
#include "views/roofline/roofline_view.h"
#include "views/tiles/tiles_view.h"
#include "views/timeline/timeline_view.h"

#include <QTabWidget>
#include <QTableView>
#include <QTextBrowser>

using tests::RanWindow;

namespace {

/// The first number of a table that no explanation is known of; empty where all have one.
QString unexplained(const views::TablePanel& table, int& numbers) {
    const views::TableContent& content = table.content();
    constexpr std::size_t mostRows = 40;
    for (std::size_t row = 0; row < std::min(mostRows, content.rows.size()); ++row)
        for (std::size_t column = 1; column < content.columns.size(); ++column) {
            const QString& text = content.rows[row][column].text;
            const bool isNumber = content.columns[column].kind == views::ColumnKind::Number &&
                                  !text.isEmpty() && text[0].isDigit();
            if (!isNumber)
                continue;
            ++numbers;
            const auto explanation = views::explanationOf(content, row, column);
            if (!explanation || explanation->meaning.isEmpty() ||
                (explanation->formula.isEmpty() && explanation->bound.isEmpty()))
                return content.rows[row].front().text + " · " + content.columns[column].title + " = " + text;
        }
    return {};
}

} // namespace

/// Every number of a table explains itself where it stands.
class ExplainedNumbersTest : public QObject {
    Q_OBJECT

private slots:
    void everyNumberOfEveryTableSaysHowItComesAbout() {
        const RanWindow ran;
        QVERIFY(ran.isReady);
        QVERIFY(ran.bench.run());
        app::MainWindow& window = *ran.bench.window;
        for (const views::WorkspaceId workspace :
             {views::WorkspaceId::Timeline, views::WorkspaceId::Program, views::WorkspaceId::Roofline,
              views::WorkspaceId::Flame, views::WorkspaceId::Compare, views::WorkspaceId::Memory}) {
            window.workspaces().show(workspace);
            QTest::qWait(300);
        }
        int numbers = 0;
        for (QWidget* view : {static_cast<QWidget*>(&window.workspaces().view<views::TimelineView>()),
                              static_cast<QWidget*>(&window.workspaces().view<views::RooflineView>()),
                              static_cast<QWidget*>(&window.workspaces().view<views::FlameView>()),
                              static_cast<QWidget*>(&window.workspaces().view<views::ComparisonView>()),
                              static_cast<QWidget*>(window.findChild<views::ProgramView*>()),
                              static_cast<QWidget*>(window.findChild<views::TilesView*>())}) {
            QVERIFY(view != nullptr);
            for (const views::TablePanel* table : view->findChildren<views::TablePanel*>()) {
                for (auto* tabs : view->findChildren<QTabWidget*>())
                    for (int tab = 0; tab < tabs->count(); ++tab)
                        if (tabs->widget(tab)->isAncestorOf(table) || tabs->widget(tab) == table)
                            tabs->setCurrentIndex(tab);
                QTest::qWait(60);
                const QString missing = unexplained(*table, numbers);
                QVERIFY2(missing.isEmpty(), qPrintable(table->table().accessibleName() + ": " + missing));
            }
        }
        QVERIFY2(numbers > 200, qPrintable(QString::number(numbers)));
    }

    void aNumberIsExplainedByKeysAndLeadsToItsInputs() {
        const RanWindow ran;
        QVERIFY(ran.isReady);
        app::MainWindow& window = *ran.bench.window;
        window.workspaces().show(views::WorkspaceId::Timeline);
        auto& timeline = window.workspaces().view<views::TimelineView>();
        views::TablePanel* area = nullptr;
        for (views::TablePanel* table : timeline.findChildren<views::TablePanel*>())
            if (table->table().accessibleName() == "Time of each lane in the area")
                area = table;
        QVERIFY(area != nullptr);
        QTRY_VERIFY(!area->content().rows.empty());
        area->table().setFocus();
        area->setCurrentRow(0);
        const int busy = static_cast<int>(area->content().columns.size()) - 1;
        area->table().setCurrentIndex(area->table().model()->index(0, busy));
        QTest::keyClick(&area->table(), Qt::Key_E, Qt::ControlModifier);
        QTRY_VERIFY(area->numberCard() != nullptr && area->numberCard()->isVisible());
        const QString text = area->numberCard()->page().toPlainText();
        QVERIFY2(text.contains("Busy") && text.contains("100 · (Forward + Backward"), qPrintable(text));
        QVERIFY(text.contains("Bound:"));
        if (const QString folder = qEnvironmentVariable("IPU_WORKBENCH_PICTURES"); !folder.isEmpty())
            area->numberCard()->grab().save(folder + "/number-card.png");
        // An input is a number that explains itself.
        emit area->numberCard()->linkChosen("column:2");
        QTRY_VERIFY(area->numberCard()->page().toPlainText().contains("How long the lane runs"));
        // A figure of the run is on its page.
        emit area->numberCard()->linkChosen("figure:idle_fraction");
        auto* figures = window.findChild<views::ExplainView*>();
        QTRY_VERIFY(figures != nullptr && figures->isVisible());
        QCOMPARE(figures->figure(), QString("idle_fraction"));
        QVERIFY(!area->numberCard()->isVisible());
    }
};

REGISTER_WIDGET_TEST("explained_numbers", ExplainedNumbersTest)
#include "explained_numbers_test.moc"
