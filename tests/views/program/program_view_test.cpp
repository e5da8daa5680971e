#include "core/profile/queries/timeline_queries.h"
#include "tests/support/recorded_intents.h"
#include "tests/support/stored_run.h"
#include "tests/support/test_registry.h"
#include "views/common/theme/widget_theme.h"
#include "views/profile/tables/table_panel.h"
#include "views/program/program_tree_model.h"
#include "views/program/program_view.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QTableView>
#include <QToolButton>
#include <QTreeView>
#include <QtTest/QTest>
#include <algorithm>
#include <array>
#include <iterator>

using namespace views;

class ProgramViewTest : public QObject {
    Q_OBJECT

    tests::StoredRuns m_runs;
    Document m_document;
    Selection m_selection;
    ProfileSource m_source;
    tests::RecordedIntents m_intents;
    std::unique_ptr<ProgramView> m_view;

    void show() {
        m_view = std::make_unique<ProgramView>(m_document, m_selection, m_source, m_intents);
        m_view->resize(1280, 700);
        m_view->show();
        QTRY_VERIFY(m_view->program() != nullptr);
    }

private slots:
    void initTestCase() {
        applyTheme(*qApp, Theme(ThemeKind::Light));
        m_runs.add();
        m_source.setPath(m_runs.path());
    }
    void init() { show(); }
    void cleanup() { m_view.reset(); }

    void theTreeIsAProperModel() {
        ProgramTreeModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setProgram(m_view->program(), {});
        QCOMPARE(model.rowCount(), 1);
        const QModelIndex root = model.index(0, 0);
        QCOMPARE(model.data(root, Qt::DisplayRole).toString(), QString("training loop"));
        const QModelIndex repeat = model.index(0, 0, root);
        QCOMPARE(model.data(model.index(0, ProgramTreeModel::CountColumn, root), Qt::DisplayRole).toString(),
                 QString::fromUtf8("× 4"));
        QCOMPARE(model.rowCount(model.index(0, 0, repeat)), 16);
    }

    void aRepeatCountsItsChildren() {
        std::vector<core::ProgramStepRecord> steps(4);
        for (std::size_t i = 0; i < steps.size(); ++i)
            steps[i].id = core::ProgramStepId(i);
        steps[0].kind = core::StepKind::Repeat;
        steps[0].count = 3;
        steps[1].parent = steps[2].parent = core::ProgramStepId(0);
        steps[1].duration = core::Cycles(10);
        steps[3].parent = core::ProgramStepId(2);
        steps[3].duration = core::Cycles(5);
        const std::vector<StepTime> times = stepTimes(steps, {});
        QVERIFY(times[2].busiest() == core::Cycles(5));
        QVERIFY(times[0].busiest() == core::Cycles(45));
    }

    void ipusThatWorkAtTheSameTimeAreNotAddedUp() {
        std::vector<core::ProgramStepRecord> steps(4);
        for (std::size_t i = 0; i < steps.size(); ++i)
            steps[i].id = core::ProgramStepId(i);
        steps[0].kind = core::StepKind::Repeat;
        steps[0].count = 3;
        for (std::size_t i = 1; i < steps.size(); ++i)
            steps[i].parent = core::ProgramStepId(0);
        steps[1].stage = core::StageId(0);
        steps[1].duration = core::Cycles(10);
        steps[2].stage = core::StageId(1);
        steps[2].duration = core::Cycles(7);
        // Of no stage: all take part.
        steps[3].duration = core::Cycles(2);
        const std::vector<StepTime> times =
            stepTimes(steps, {{core::StageId(0), core::IpuId(0)}, {core::StageId(1), core::IpuId(1)}});
        QVERIFY(times[0].busiest() == core::Cycles(36));
        QCOMPARE(times[0].byIpu.size(), std::size_t(2));
        ProgramTreeModel model;
        model.setProgram(m_view->program(), {});
        QVERIFY(model.headerData(ProgramTreeModel::TimeColumn, Qt::Horizontal, Qt::DisplayRole)
                    .toString()
                    .startsWith("Busiest IPU"));
    }

    void numbersOfTheTreeAreNeverCut() {
        m_view->resize(1000, 600);
        const auto& model = static_cast<const ProgramTreeModel&>(*m_view->tree().model());
        const QFontMetrics metrics(m_view->tree().font());
        for (const int column : {ProgramTreeModel::CountColumn, ProgramTreeModel::TimeColumn,
                                 ProgramTreeModel::ShareColumn, ProgramTreeModel::BytesColumn})
            QVERIFY(m_view->tree().isColumnHidden(column) ||
                    m_view->tree().columnWidth(column) >
                        metrics.horizontalAdvance(model.widestText(column)) + 15);
    }

    void theTableSortsFiltersAndSums() {
        TablePanel& table = m_view->operations();
        const std::size_t rows = table.content().rows.size();
        QCOMPARE(rows, m_view->program()->operations.size());
        table.sortBy(1, Qt::DescendingOrder);
        const QAbstractItemModel& shown = *table.table().model();
        QCOMPARE(shown.rowCount(), int(rows) + 1);
        QVERIFY(shown.index(int(rows), 0).data().toString().endsWith("operations"));
        QCOMPARE(table.content().footer[2].text, QString("100.00"));
        table.setFilter("conv2_block1_1_conv backward");
        QCOMPARE(shown.rowCount(), 2);
        // The sum is that of the row that is left.
        for (const int column : {1, 2, 6, 7})
            QCOMPARE(shown.index(1, column).data().toString(), shown.index(0, column).data().toString());
        QVERIFY(shown.index(1, 0).data().toString().startsWith("1 of "));
        table.setFilter({});
        QCOMPARE(table.content().footer[2].text, QString("100.00"));
    }

    void aPhaseIsPaintedInTheColourOfItsWork() {
        core::OperationRecord operation;
        operation.phase = core::ProgramPhase::WeightGradient;
        ProgramData data = *m_view->program();
        data.operations = {operation};
        const Theme theme(ThemeKind::Light);
        const TableContent table = operationTable(data, Units{});
        std::vector<QColor> colours;
        for (const TableCell& cell : table.rows.front())
            if (cell.colour)
                colours.push_back(cell.colour(theme));
        QCOMPARE(colours, std::vector<QColor>{theme.activity(Activity::WeightGradient)});
    }

    void choosingAnOperationSelectsItsLayerEverywhere() {
        m_view->operations().table().selectRow(5);
        const core::OperationRecord& operation = m_view->program()->operations[5];
        QCOMPARE(m_selection.state().current->path, operation.layer);
        QCOMPARE(m_selection.state().operation.value(), operation.name);
        const auto* model = static_cast<const ProgramTreeModel*>(m_view->tree().model());
        QVERIFY(model->step(m_view->tree().currentIndex())->operation == operation.id);
        m_selection.selectLayer("avg_pool");
        QCOMPARE(m_view->program()->operations[std::size_t(m_view->operations().currentRow())].layer,
                 std::string("avg_pool"));
    }

    void theTimelineIsAskedForTheChosenStep() {
        auto* button = [&] {
            for (QToolButton* one : m_view->findChildren<QToolButton*>())
                if (one->text() == "Timeline")
                    return one;
            return static_cast<QToolButton*>(nullptr);
        }();
        QVERIFY(button != nullptr);
        m_intents.calls.clear();
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(m_intents.calls.back(), QString("showWorkspace"));
        m_view->operations().table().selectRow(5);
        const core::OperationRecord& operation = m_view->program()->operations[5];
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_COMPARE(m_intents.calls.back(), "showInTimeline " + QString::fromStdString(operation.name));
        const core::SearchHit& hit = *m_intents.hit;
        QVERIFY(hit.span && hit.stage == operation.stage && hit.phase == operation.phase);
        QVERIFY(hit.span->start <= hit.from && hit.from < hit.to &&
                hit.to <= hit.span->start + hit.span->duration);
    }

    void aSelectedTimeNarrowsTheOperations() {
        const auto database = core::ProfileDatabase::open(m_runs.path());
        const auto spans = core::loadSpans(*database, core::RunId(1)).value();
        const auto first = std::find_if(spans.begin(), spans.end(), [](const core::SpanRecord& span) {
            return span.kind == core::SpanKind::Backward;
        });
        const core::Cycles step = m_view->program()->step;
        // Two updates later it is the same.
        const core::Cycles from = first->start + 2 * step;
        const core::Cycles to = from + first->duration;
        std::set<std::pair<core::StageId, core::ProgramPhase>> expected;
        constexpr std::array phases{core::ProgramPhase::Forward, core::ProgramPhase::Backward,
                                    core::ProgramPhase::Recompute, core::ProgramPhase::WeightUpdate};
        for (const core::SpanRecord& span : spans) {
            if (core::programPhaseOf(span.kind) && span.start < first->start + first->duration &&
                span.start + span.duration > first->start)
                expected.emplace(span.stage, phases[std::size_t(span.kind)]);
        }
        const auto& operations = m_view->program()->operations;
        const auto runs = std::count_if(operations.begin(), operations.end(), [&](const auto& operation) {
            return expected.contains({operation.stage, operation.phase});
        });
        QVERIFY(runs > 0 && runs < std::ssize(operations));
        m_selection.selectTime(TimeRange{from, to});
        QTRY_COMPARE(std::ssize(m_view->operations().content().rows), runs);
        m_view->operations().table().selectRow(0);
        QVERIFY(
            expected.contains({*m_selection.state().stage,
                               std::find_if(operations.begin(), operations.end(), [&](const auto& operation) {
                                   return operation.name == m_selection.state().operation;
                               })->phase}));
        m_selection.selectTime(std::nullopt);
        QTRY_COMPARE(m_view->operations().content().rows.size(), operations.size());
    }

    /// IPU_WORKBENCH_PICTURES=folder keeps what was drawn, to be looked at.
    void picturesToLookAt() {
        const QString folder = qEnvironmentVariable("IPU_WORKBENCH_PICTURES");
        if (folder.isEmpty())
            QSKIP("set IPU_WORKBENCH_PICTURES to a folder to see the pictures");
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
            applyTheme(*qApp, Theme(kind));
            show();
            m_view->operations().table().selectRow(12);
            QTest::qWait(50);
            m_view->grab().save(QStringLiteral("%1/program-%2.png").arg(folder, themeName(kind)));
        }
    }
};

REGISTER_WIDGET_TEST("program_view", ProgramViewTest)
#include "program_view_test.moc"
