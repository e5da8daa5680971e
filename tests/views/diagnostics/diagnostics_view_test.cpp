#include "views/diagnostics/diagnostics_view.h"

#include "core/config/ipu_config/ipu_config_values.h"
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

/// A project with one thing wrong, and what a click on its row does about it.
struct Spoilt {
    const char* code;
    const char* action;
    void (*spoil)(core::Project& project);
};

constexpr Spoilt spoiltProjects[]{
    {"warning/recompute-without-stages", "Leave out allow_recompute",
     [](core::Project& project) {
         project.assignment = {};
         project.pipeline.gradientAccumulationSteps.reset();
         core::setOption(project.ipuConfig, "allow_recompute", true);
     }},
    {"warning/recompute-stages", "Leave out recompute_stages",
     [](core::Project& project) { project.pipeline.recomputedStages = {0}; }},
    {"warning/offload-stages", "Leave out offload_stages",
     [](core::Project& project) { project.pipeline.offloadedStages = {0}; }},
    {"warning/half-partials", "Leave out poplar_options",
     [](core::Project& project) {
         core::setOption(project.ipuConfig, "matmuls.poplar_options", {{"partialsType", "half"}});
     }},
    {"not-implemented/continuous-weight-updates", "Leave out continuous_weight_updates",
     [](core::Project& project) { project.pipeline.continuousWeightUpdates = true; }},
    {"value-error/outfeed-mask-length", "Leave out outfeed_mask",
     [](core::Project& project) { project.pipeline.outfeedMask = {true}; }},
    {"value-error/repeat-count", "Leave out repeat_count",
     [](core::Project& project) { project.pipeline.repeatCount = 3; }},
    {"not-implemented/batch-serialization-schedule", "Use the schedule Sequential",
     [](core::Project& project) {
         project.pipeline.batchSerializationIterations = 2;
         project.pipeline.reductionMethod = core::ReductionMethod::Sum;
     }},
    {"warning/from-logits", "Leave out from_logits",
     [](core::Project& project) {
         project.model = core::sequentialModel(
             "m", {8}, {{"Dense", "a", {{"units", 8}}}, {"Dense", "b", {{"units", 8}}}, {"Softmax", "c"}});
         project.training.losses = {{"CategoricalCrossentropy", {{"from_logits", true}}}};
     }},
    {"warning/unused-opaque-layer", "Remove what is declared of it",
     [](core::Project& project) { project.opaqueLayers["gone"] = {}; }},
    {"warning/left-over-steps", "Use 16 steps per epoch",
     [](core::Project& project) {
         project.replicas = 2;
         project.system.ipus = 4;
         project.training.stepsPerEpoch = 17;
     }},
    {"value-error/too-few-ipus", "Use 2 IPUs", [](core::Project& project) { project.system.ipus = 1; }},
    // No cure is the plain one: the place is shown.
    {"value-error/empty-model", "Show",
     [](core::Project& project) {
         core::ModelBuilder builder("empty");
         const core::TensorRef in = builder.input("in", {8});
         project.model = std::move(builder).build({in});
         project.assignment = {};
     }},
};

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

    void everyProblemIsMendedOrShownByAClick_data() {
        QTest::addColumn<int>("which");
        for (int i = 0; i < int(std::size(spoiltProjects)); ++i)
            QTest::newRow(spoiltProjects[i].code) << i;
    }

    void everyProblemIsMendedOrShownByAClick() {
        QFETCH(int, which);
        const Spoilt& spoilt = spoiltProjects[which];
        Document document;
        Selection selection;
        tests::RecordedIntents intents;
        DiagnosticsView view(document, selection, intents);
        view.resize(1000, 300);
        view.show();
        core::Project project = pipelined(8);
        spoilt.spoil(project);
        document.open(project, {});
        const core::Diagnostics findings = core::validateAll(project, core::RunMode::Train).findings;
        document.setAnalysis(document.snapshot(), {nullptr, findings});
        const NoteModel& model = view.model(DiagnosticsView::Problems);
        QCOMPARE(model.rowCount(), int(findings.size()));
        int row = -1;
        for (int i = 0; i < model.rowCount(); ++i) {
            QVERIFY2(!model.row(i).action.isEmpty() && model.row(i).act, qPrintable(model.row(i).text));
            if (model.row(i).tip.contains(QLatin1String(spoilt.code)))
                row = i;
        }
        QVERIFY(row >= 0);
        QCOMPARE(model.row(row).action, QString(spoilt.action));
        QTableView& table = view.table(DiagnosticsView::Problems);
        table.scrollTo(model.index(row, NoteModel::ActionColumn));
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {},
                          table.visualRect(model.index(row, NoteModel::ActionColumn)).center());
        if (QString(spoilt.action) == "Show") {
            QVERIFY(!intents.calls.empty());
            QVERIFY(document.project() == project);
            return;
        }
        QVERIFY(!findingOf(document.project(), spoilt.code));
        QCOMPARE(document.undoStack().count(), 1);
        document.undoStack().undo();
        QVERIFY(document.project() == project);
    }

    void layersOfUnknownClassesAreDeclaredTogether() {
        core::ModelBuilder builder("opaque");
        core::TensorRef at = builder.input("in", {8});
        for (const char* name : {"one", "two"})
            at = builder.call("ReLU", name, core::Json::object(), {at});
        core::Project project = pipelined(8);
        project.model = std::move(builder).build({builder.call("Dense", "last", {{"units", 2}}, {at})});
        for (const char* name : {"one", "two"}) {
            core::Layer& layer = project.model.layers[project.model.findLayer(name)->index()];
            layer.className = "SomebodysLayer";
            layer.config = {{"name", name}};
        }
        const auto finding = findingOf(project, "not-implemented/opaque-layer");
        QVERIFY(finding);
        const std::optional<QuickFix> fix = quickFix(project, *finding);
        QVERIFY(fix);
        QCOMPARE(fix->text, "Let all 2 give what they read");
        QCOMPARE(fix->project.opaqueLayers.size(), std::size_t(2));
        QVERIFY(!findingOf(fix->project, "not-implemented/opaque-layer"));
        QVERIFY(core::validate(fix->project, core::RunMode::Train).has_value());
    }

    void anIpuThatIsAlmostFullShowsItsLayers() {
        Document document;
        Selection selection;
        tests::RecordedIntents intents;
        DiagnosticsView view(document, selection, intents);
        view.resize(900, 150);
        view.show();
        document.open(pipelined(8), {});
        core::PlanEstimate estimate;
        for (std::size_t k = 0; k < 2; ++k) {
            core::IpuEstimate ipu;
            ipu.ipu = core::IpuId(k);
            ipu.limit = core::Bytes(1000);
            ipu.peak = core::Bytes(k == 1 ? 990 : 10);
            estimate.ipus.push_back(ipu);
        }
        document.setEstimate(document.snapshot(), estimate);
        const NoteModel& model = view.model(DiagnosticsView::Problems);
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(model.row(0).action, "Show");
        QTableView& table = view.table(DiagnosticsView::Problems);
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {},
                          table.visualRect(model.index(0, NoteModel::ActionColumn)).center());
        QCOMPARE(selection.state().ipu, std::optional(core::IpuId(1)));
        QCOMPARE(selection.state().invocations, (std::set<InvocationKey>{{"b", 0}, {"c", 0}}));
        QCOMPARE(intents.calls, (std::vector<QString>{"showSelectedLayers"}));
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
