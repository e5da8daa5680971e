#include "views/diagnostics/diagnostics_view.h"

#include "core/model/graph/model_builder.h"
#include "core/project/validate.h"
#include "tests/support/recorded_intents.h"
#include "tests/support/test_registry.h"
#include "views/common/theme/widget_theme.h"
#include "views/diagnostics/quick_fix.h"

#include <QApplication>
#include <QTableView>
#include <QtTest/QTest>
#include <algorithm>

using namespace views;

namespace {

core::Project pipelined(std::int64_t microBatches) {
    core::Project project;
    project.model = core::sequentialModel(
        "m", {8},
        {{"Dense", "a", {{"units", 8}}}, {"Dense", "b", {{"units", 8}}}, {"Dense", "c", {{"units", 4}}}});
    project.assignment.stages = {core::StageId(0), core::StageId(1), core::StageId(1)};
    project.pipeline.gradientAccumulationSteps = microBatches;
    project.training.losses = {{"MeanSquaredError", core::Json::object()}};
    project.training.stepsPerExecution = microBatches;
    project.training.stepsPerEpoch = microBatches;
    project.system.ipus = 2;
    return project;
}

std::optional<core::Diagnostic> findingOf(const core::Project& project, const std::string& code) {
    for (const core::Diagnostic& finding : core::validateAll(project, core::RunMode::Train).findings) {
        if (finding.code == code)
            return finding;
    }
    return std::nullopt;
}

} // namespace

class DiagnosticsViewTest : public QObject {
    Q_OBJECT

private slots:
    void anIllegalNumberOfMicroBatchesIsMendedToTheNextLegalOne() {
        const core::Project project = pipelined(7);
        const auto finding = findingOf(project, "failed-precondition/micro-batch-multiple");
        QVERIFY(finding);
        const std::optional<QuickFix> fix = quickFix(project, *finding);
        QVERIFY(fix);
        QCOMPARE(fix->project.pipeline.gradientAccumulationSteps, std::optional<std::int64_t>(8));
        QCOMPARE(fix->text, "Use 8 micro-batches");
    }

    void stagesOutOfOrderAreSplitAnew() {
        core::Project project = pipelined(8);
        project.assignment.stages = {core::StageId(1), core::StageId(0), core::StageId(1)};
        bool isMended = false;
        for (const core::Diagnostic& finding : core::validateAll(project, core::RunMode::Train).findings) {
            if (const std::optional<QuickFix> fix = quickFix(project, finding))
                isMended = isMended || fix->project.assignment.stages.front() == core::StageId(0);
        }
        QVERIFY(isMended);
    }

    void aMovedLayerStaysAndTakesAlongWhatItMust() {
        core::Project project = pipelined(8);
        project.assignment.stages = {core::StageId(1), core::StageId(0), core::StageId(1)};
        const auto finding = findingOf(project, "value-error/stage-step");
        QVERIFY(finding);
        // The second layer was put on stage 0: the first comes along.
        const auto back = quickFix(project, *finding, {{"b", 0}});
        QVERIFY(back);
        QCOMPARE(back->text, "Take a along");
        QVERIFY((back->project.assignment.stages ==
                 std::vector<core::StageId>{core::StageId(0), core::StageId(0), core::StageId(1)}));
    }

    void whatHasNoObviousMendIsLeftToThePerson() {
        QVERIFY(!quickFix(pipelined(8),
                          {.code = "value-error/unknown", .location = {}, .message = "x", .hints = {}}));
    }

    void stagesThatShareWeightsArePutOnOneIpu() {
        core::Project project = pipelined(4);
        core::ModelBuilder builder("shared");
        const auto in = builder.input("in", {8});
        const auto first = builder.call("Dense", "shared", {{"units", 8}}, {in});
        project.model = std::move(builder).build({builder.callAgain("shared", {first})});
        project.assignment.stages = {core::StageId(0), core::StageId(1)};
        const auto finding = findingOf(project, "unimplemented/shared-variable");
        QVERIFY(finding);
        const std::optional<QuickFix> fix = quickFix(project, *finding);
        QVERIFY(fix);
        QCOMPARE(fix->text, "Put stages that share weights on one IPU");
        QVERIFY(!findingOf(fix->project, "unimplemented/shared-variable"));
    }

    void aLongMessageHasMoreLinesBeforeItIsCut() {
        Document document;
        Selection selection;
        tests::RecordedIntents intents;
        DiagnosticsView view(document, selection, intents);
        view.resize(420, 300);
        view.show();
        NoteRow row;
        row.text = "The moving statistics of this layer and 52 others are not updated properly here";
        NoteRow brief;
        brief.text = "In order";
        view.setAdvice({row, brief}, {});
        view.showPage(DiagnosticsView::Advice);
        QApplication::processEvents();
        const auto tables = view.findChildren<QTableView*>();
        const auto table = std::ranges::find_if(tables, [](const QTableView* each) {
            return each->isVisible() && each->model()->rowCount() == 2;
        });
        QVERIFY(table != tables.end());
        QVERIFY((*table)->rowHeight(0) > (*table)->rowHeight(1));
        const int plain = (*table)->rowHeight(1);
        view.resize(1400, 300);
        QTRY_COMPARE((*table)->rowHeight(0), plain);
    }

    void aProblemJumpsAndIsMendedInOneClick() {
        applyTheme(*qApp, Theme(ThemeKind::Light));
        Document document;
        Selection selection;
        tests::RecordedIntents intents;
        DiagnosticsView view(document, selection, intents);
        view.resize(900, 150);
        view.show();
        QObject::connect(&document, &Document::projectChanged, &document, [&document] {
            document.setAnalysis(
                document.snapshot(),
                {nullptr, core::validateAll(document.project(), core::RunMode::Train).findings});
        });
        document.open(pipelined(7), {});
        NoteModel& model = view.model(DiagnosticsView::Problems);
        QVERIFY(model.rowCount() > 0);
        int row = -1;
        for (int i = 0; i < model.rowCount(); ++i) {
            if (model.row(i).action == "Use 8 micro-batches")
                row = i;
        }
        QVERIFY(row >= 0);
        const QString folder = qEnvironmentVariable("IPU_WORKBENCH_PICTURES");
        if (!folder.isEmpty())
            view.grab().save(folder + "/diagnostics.png");
        emit view.table(DiagnosticsView::Problems).activated(model.index(row, 0));
        QCOMPARE(intents.calls.size(), std::size_t(1));
        QVERIFY2(intents.calls.front().startsWith("showSetting /pipeline/"),
                 qPrintable(intents.calls.front()));
        emit view.table(DiagnosticsView::Problems).clicked(model.index(row, NoteModel::ActionColumn));
        QCOMPARE(document.project().pipeline.gradientAccumulationSteps, std::optional<std::int64_t>(8));
        QVERIFY(document.undoStack().canUndo());
    }

    void aPlaceIsSaidWholeWhereItHasNoRoom() {
        Document document;
        Selection selection;
        tests::RecordedIntents intents;
        DiagnosticsView view(document, selection, intents);
        document.open(pipelined(8), {});
        ProjectAnalysis analysis;
        analysis.diagnostics.push_back(
            core::makeError(core::Trouble::Input, "value-error/some",
                            {{}, "/pipeline/gradient_accumulation_steps_per_replica_of_a_long_name/and/more"},
                            "is wrong", std::string("mend it")));
        document.setAnalysis(document.snapshot(), analysis);
        const NoteModel& model = view.model(DiagnosticsView::Problems);
        QCOMPARE(model.rowCount(), 1);
        const QModelIndex place = model.index(0, NoteModel::PlaceColumn);
        const QString whole = "pipeline.gradient_accumulation_steps_per_replica_of_a_long_name.and.more";
        QCOMPARE(place.data().toString(), whole);
        QVERIFY(place.data(Qt::ToolTipRole).toString().startsWith(whole));
        QVERIFY(!model.index(0, NoteModel::TextColumn).data(Qt::ToolTipRole).toString().startsWith(whole));
    }

    void whatLooksTheSameIsNotMadeAnewButDoesWhatIsNewToDo() {
        Document document;
        Selection selection;
        tests::RecordedIntents intents;
        DiagnosticsView view(document, selection, intents);
        document.open(pipelined(8), {});
        const auto report = [&] {
            ProjectAnalysis analysis;
            analysis.diagnostics.push_back(core::makeError(core::Trouble::Input, "value-error/some",
                                                           {{}, "/pipeline"}, "is wrong",
                                                           std::string("mend it")));
            document.setAnalysis(document.snapshot(), analysis);
        };
        report();
        NoteModel& model = view.model(DiagnosticsView::Problems);
        int resets = 0;
        QObject::connect(&model, &QAbstractItemModel::modelReset, &model, [&] { ++resets; });
        report();
        QCOMPARE(resets, 0);
        bool isNew = false;
        NoteRow row = model.row(0);
        row.act = [&] { isNew = true; };
        QVERIFY(!model.setRows({row}));
        model.row(0).act();
        QVERIFY(isNew);
        row.text += ", too";
        QVERIFY(model.setRows({row}));
        QCOMPARE(resets, 1);
    }

    void adviceWithoutPlacesTakesAllTheRoom() {
        applyTheme(*qApp, Theme(ThemeKind::Light));
        Document document;
        Selection selection;
        tests::RecordedIntents intents;
        DiagnosticsView view(document, selection, intents);
        view.resize(800, 150);
        view.show();
        document.open(pipelined(8), {});
        view.showPage(DiagnosticsView::Advice);
        NoteRow row;
        row.text = "Keep the optimizer state on the IPUs: +64.0 % samples/s";
        row.action = "Apply";
        view.setAdvice({row}, {});
        QCoreApplication::processEvents();
        const QTableView& table = view.table(DiagnosticsView::Advice);
        QVERIFY(table.isColumnHidden(NoteModel::PlaceColumn));
        QVERIFY(table.columnWidth(NoteModel::ActionColumn) < 100);
        QVERIFY(table.columnWidth(NoteModel::TextColumn) > 650);
    }

    void aMessageTakesTheCellsBesideItThatSayNothing() {
        applyTheme(*qApp, Theme(ThemeKind::Light));
        Document document;
        Selection selection;
        tests::RecordedIntents intents;
        DiagnosticsView view(document, selection, intents);
        view.resize(800, 150);
        view.show();
        document.open(pipelined(8), {});
        NoteRow placed;
        placed.text = "one";
        placed.place = "training.steps_per_execution";
        placed.action = "Use 8 steps per execution";
        NoteRow bare;
        bare.text = "two";
        view.setAdvice({placed, bare}, {});
        const QTableView& table = view.table(DiagnosticsView::Advice);
        QCOMPARE(table.columnSpan(0, NoteModel::TextColumn), 1);
        QCOMPARE(table.columnSpan(1, NoteModel::TextColumn), 3);
    }

    void whatDoesNotFitComesBeforeWhatIsToBeThoughtOf() {
        Document document;
        Selection selection;
        tests::RecordedIntents intents;
        DiagnosticsView view(document, selection, intents);
        document.open(pipelined(8), {});
        document.setAnalysis(document.snapshot(), {nullptr,
                                                   {{.severity = core::Severity::Warning,
                                                     .code = "warning/some",
                                                     .location = {},
                                                     .message = "think of it",
                                                     .hints = {}}}});
        core::PlanEstimate estimate;
        core::IpuEstimate ipu;
        ipu.limit = core::Bytes(100);
        ipu.peak = core::Bytes(300);
        estimate.ipus = {ipu};
        document.setEstimate(document.snapshot(), estimate);
        const NoteModel& rows = view.model(DiagnosticsView::Problems);
        QCOMPARE(rows.rowCount(), 2);
        QVERIFY(rows.row(0).text.contains("too little memory"));
        QCOMPARE(rows.row(1).text, "Think of it");
    }

    void refusalsAndMessagesAreKept() {
        Document document;
        Selection selection;
        tests::RecordedIntents intents;
        DiagnosticsView view(document, selection, intents);
        document.open(pipelined(8), {});
        QVERIFY(!document.apply("Break", [](const core::Project&) -> core::Result<core::Project> {
            return core::failure(
                {.code = "edit/no", .location = {}, .message = "not like this", .hints = {}});
        }));
        QCOMPARE(view.model(DiagnosticsView::Messages).rowCount(), 1);
        QCOMPARE(view.model(DiagnosticsView::Messages).row(0).text, "Not like this");
    }
};

REGISTER_WIDGET_TEST("diagnostics_view", DiagnosticsViewTest)
#include "diagnostics_view_test.moc"
