#include "tests/app/profile/ran_window.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"
#include "views/profile/tables/table_panel.h"
#include "views/profile/tables/table_tabs.h"
#include "views/timeline/timeline_canvas.h"
#include "views/timeline/timeline_view.h"

#include <QHeaderView>
#include <QLabel>
#include <QTableView>

using tests::RanWindow;

namespace {

const views::TablePanel* criticalTable(const views::TimelineView& view) {
    for (const views::TablePanel* table : view.findChildren<views::TablePanel*>())
        if (table->table().accessibleName() == "What the critical path is made of")
            return table;
    return nullptr;
}

int columnOf(const views::TableContent& content, const QString& title) {
    for (std::size_t i = 0; i < content.columns.size(); ++i)
        if (content.columns[i].title == title)
            return static_cast<int>(i);
    return -1;
}

} // namespace

/// What the step takes with a part of its critical path faster.
class FasterPartsWindowTest : public QObject {
    Q_OBJECT

private slots:
    void theTableSaysWhatEachPartTenPercentFasterGives() {
        const RanWindow ran;
        QVERIFY(ran.isReady);
        app::MainWindow& window = *ran.bench.window;
        window.workspaces().show(views::WorkspaceId::Timeline);
        auto& view = window.workspaces().view<views::TimelineView>();
        QTRY_VERIFY(view.canvas().scene().window != nullptr);
        view.canvas().setFocus();
        QTest::keyClick(&view.canvas(), Qt::Key_K);
        const views::TablePanel* table = criticalTable(view);
        QVERIFY(table != nullptr);
        QTRY_VERIFY(columnOf(table->content(), "If 10 % faster") > 0);
        const views::TableContent& content = table->content();
        const auto faster = static_cast<std::size_t>(columnOf(content, "If 10 % faster"));
        const auto gain = static_cast<std::size_t>(columnOf(content, "Throughput"));

        // The batch says the same figures of the same rows.
        const tests::Workbench workbench;
        const QString database = QString::fromStdString(window.source().path().string());
        const core::Json batch = workbench
                                     .run({"timeline", "last", "--faster", "10", "--json", "--database",
                                           database, "--folder", ran.bench.folder.path()})
                                     .json();
        QVERIFY(!batch.is_discarded());
        QVERIFY(batch["simulated_step_cycles"] == batch["step_cycles"]);
        std::vector<core::Json> rows;
        for (const char* sum : {"critical_path_by_kind", "critical_path_by_stage", "critical_path_by_layer"})
            for (const core::Json& row : batch[sum])
                rows.push_back(row);
        QCOMPARE(content.rows.size(), rows.size());
        int gaining = 0;
        for (std::size_t row = 0; row < rows.size(); ++row) {
            const std::vector<views::TableCell>& cells = content.rows[row];
            if (rows[row]["faster_step_cycles"].is_null()) {
                QCOMPARE(cells[faster].text, views::dashCell().text);
                continue;
            }
            QCOMPARE(cells[faster].sort.toDouble(), rows[row]["faster_step_cycles"].get<double>());
            QCOMPARE(cells[gain].sort.toDouble(), 100 * rows[row]["throughput_gain"].get<double>());
            gaining += cells[gain].sort.toDouble() > 0 ? 1 : 0;
        }
        QVERIFY(gaining > 2);
        // A click on the head brings what gives most to the top.
        const QTableView& shown = table->table();
        auto& header = *shown.horizontalHeader();
        QTest::mouseClick(
            header.viewport(), Qt::LeftButton, {},
            QPoint(header.sectionViewportPosition(static_cast<int>(gain)) + 8, header.height() / 2));
        const auto* label = [&]() -> const QLabel* {
            for (const QLabel* each : view.findChildren<QLabel*>())
                if (each->text().contains("10 % less time"))
                    return each;
            return nullptr;
        }();
        QVERIFY(label != nullptr && label->isVisible());
        ran.takePictures("critical-path-faster");
    }

    void aPercentageThatIsNoneIsRefused() {
        const RanWindow ran;
        QVERIFY(ran.isReady);
        const tests::Workbench workbench;
        const QString database = QString::fromStdString(ran.bench.window->source().path().string());
        const tests::Answer refused =
            workbench.run({"timeline", "last", "--faster", "0", "--database", database});
        QCOMPARE(refused.code, 2);
        QVERIFY2(refused.err.contains("--faster"), refused.err.constData());
    }

    void picturesToLookAt() {
        if (!qEnvironmentVariableIsSet("IPU_WORKBENCH_PICTURES"))
            QSKIP("IPU_WORKBENCH_PICTURES names no folder");
        const RanWindow ran("resnet50/resnet50.ipuproj");
        QVERIFY(ran.isReady);
        ran.bench.window->workspaces().show(views::WorkspaceId::Timeline);
        auto& view = ran.bench.window->workspaces().view<views::TimelineView>();
        QTRY_VERIFY(view.canvas().scene().window != nullptr);
        view.canvas().setFocus();
        QTest::keyClick(&view.canvas(), Qt::Key_K);
        QTRY_VERIFY_WITH_TIMEOUT(columnOf(criticalTable(view)->content(), "If 10 % faster") > 0, 60000);
        ran.takePictures("critical-path-faster-large");
    }
};

REGISTER_WIDGET_TEST("faster_parts_window", FasterPartsWindowTest)
#include "faster_parts_window_test.moc"
