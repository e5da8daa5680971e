#include "views/layers/traffic_view.h"

#include "core/model/graph/infer_shapes.h"
#include "core/model/graph/model_builder.h"
#include "tests/support/recorded_intents.h"
#include "tests/support/test_registry.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/segmented_control.h"
#include "views/layers/heat_scale.h"

#include <QApplication>
#include <QToolButton>
#include <QtTest/QTest>

using namespace views;

namespace {

/// Two branches of a model behind one layer, on two stages: 4 samples in a micro-batch.
struct TrafficBench {
    TrafficBench() {
        core::ModelBuilder builder("fork");
        const core::TensorRef pixels = builder.input("pixels", {32});
        const core::TensorRef stem = builder.call("Dense", "stem", {{"units", 64}}, {pixels});
        const core::TensorRef left = builder.call("Dense", "left", {{"units", 16}}, {stem});
        const core::TensorRef right = builder.call("Dense", "right", {{"units", 16}}, {stem});
        const core::TensorRef sum = builder.call("Add", "sum", core::Json::object(), {left, right});
        core::Project project;
        project.name = "fork";
        project.model = std::move(builder).build({sum});
        project.assignment.stages = {core::StageId(0), core::StageId(0), core::StageId(1), core::StageId(1)};
        project.deviceMapping.ipus = {core::IpuId(1), core::IpuId(0)};
        view = std::make_unique<TrafficView>(document, selection, intents);
        view->resize(900, 320);
        view->show();
        document.open(project, {});
        core::InferenceOptions options;
        options.batchSize = 4;
        const core::InferredModel inferred = core::inferKnownShapes(project.model, options);
        document.setAnalysis(document.snapshot(), {std::make_shared<core::TypedGraph>(inferred.graph), {}});
        QApplication::processEvents();
    }
    MatrixCanvas& canvas() { return view->canvas(); }
    std::size_t row(const QString& name) {
        const auto& groups = canvas().matrix().groups;
        return std::size_t(std::ranges::find(groups, name, &TrafficMatrix::Group::name) - groups.begin());
    }
    void keep(const QString& name) {
        const QString folder = qEnvironmentVariable("IPU_WORKBENCH_PICTURES");
        if (!folder.isEmpty())
            view->grab().save(folder + "/" + name + ".png");
    }

    Document document;
    Selection selection;
    tests::RecordedIntents intents;
    std::unique_ptr<TrafficView> view;
};

} // namespace

/// Affinity and traffic (row 28).
class TrafficViewTest : public QObject {
    Q_OBJECT

private slots:
    void init() { applyTheme(*qApp, Theme(ThemeKind::Light)); }

    void layersSayWhatTheyGiveEachOther() {
        TrafficBench bench;
        const TrafficMatrix& matrix = bench.canvas().matrix();
        QCOMPARE(matrix.groups.size(), std::size_t{5});
        // 64 numbers of four bytes for each of four samples, to each of two readers.
        QCOMPARE(matrix.traffic(bench.row("stem"), bench.row("left")), 1024.0);
        QCOMPARE(matrix.traffic(bench.row("stem"), bench.row("right")), 1024.0);
        QCOMPARE(matrix.traffic(bench.row("left"), bench.row("stem")), 0.0);
        QCOMPARE(matrix.traffic(bench.row("left"), bench.row("sum")), 256.0);
        QCOMPARE(bench.canvas().cellFigure(bench.row("stem"), bench.row("left")).simplified(), "1.00 KiB");
        // The sum reads from two layers alike; the input gives to the stem alone.
        QCOMPARE(matrix.affinity(bench.row("sum"), bench.row("left")), 0.5);
        QCOMPARE(matrix.affinity(bench.row("pixels"), bench.row("stem")), 1.0);
        QCOMPARE(matrix.affinity(bench.row("pixels"), bench.row("sum")), 0.0);
        bench.keep("traffic-layers-light");
        applyTheme(*qApp, Theme(ThemeKind::Dark));
        QApplication::processEvents();
        bench.keep("traffic-layers-dark");
        applyTheme(*qApp, Theme(ThemeKind::HighContrast));
        QApplication::processEvents();
        bench.keep("traffic-layers-contrast");
    }

    void stagesAndIpusSendATensorOnce() {
        TrafficBench bench;
        QTest::mouseClick(bench.view->levels().button(1), Qt::LeftButton);
        // Of post-order stem, left | right, sum: stage 1 reads the stem's and the left layer's tensors.
        QCOMPARE(bench.canvas().matrix().groups.size(), std::size_t{2});
        QCOMPARE(bench.canvas().matrix().traffic(0, 1), 1024.0 + 256.0);
        bench.keep("traffic-stages-light");
        QTest::mouseClick(bench.view->levels().button(2), Qt::LeftButton);
        QCOMPARE(bench.canvas().matrix().groups[0].name, "IPU 0");
        QCOMPARE(bench.canvas().matrix().traffic(1, 0), 1280.0);
        QTest::mouseClick(bench.view->figures().button(1), Qt::LeftButton);
        QCOMPARE(bench.canvas().cellFigure(0, 1), "1.00");
        QCOMPARE(bench.view->findChild<HeatScale*>()->largest(), "1");
    }

    void aClickSelectsBothAndArrowsWalk() {
        TrafficBench bench;
        const QRectF cell = bench.canvas().cellRect(bench.row("stem"), bench.row("right"));
        QTest::mouseClick(&bench.canvas(), Qt::LeftButton, {}, cell.center().toPoint());
        QVERIFY(bench.selection.contains({"stem", 0}) && bench.selection.contains({"right", 0}));
        QCOMPARE(bench.selection.state().invocations.size(), std::size_t{2});
        QCOMPARE(bench.canvas().accessibleDescription().simplified(),
                 "stem gives 1.00 KiB to right with each micro-batch, affinity 0.80");
        QTest::keyClick(&bench.canvas(), Qt::Key_Up);
        QCOMPARE(bench.selection.state().invocations.size(), std::size_t{2});
        QVERIFY(!bench.selection.contains({"stem", 0}));
    }

    void itIsSavedAsATable() {
        TrafficBench bench;
        for (QToolButton* button : bench.view->findChildren<QToolButton*>()) {
            if (button->toolTip() == "Save the matrix")
                QTest::mouseClick(button, Qt::LeftButton);
        }
        QVERIFY(bench.intents.table.contains("\"stem\",\"left\",1024,"));
    }

    void thousandsOfLayersAreShownInRuns() {
        Document document;
        core::ModelBuilder builder("deep");
        core::TensorRef at = builder.input("pixels", {8});
        for (int i = 0; i < 1000; ++i)
            at = builder.call("Dense", "layer" + std::to_string(i), {{"units", 8}}, {at});
        core::Project project;
        project.model = std::move(builder).build({at});
        document.open(project, {});
        const core::InferredModel inferred = core::inferKnownShapes(document.project().model);
        document.setAnalysis(document.snapshot(), {std::make_shared<core::TypedGraph>(inferred.graph), {}});
        const TrafficMatrix matrix = trafficMatrix(document, TrafficLevel::Layers);
        QVERIFY(matrix.groups.size() <= mostTrafficRows && matrix.groups.size() > 200);
        QCOMPARE(matrix.groups[1].name, QString::fromUtf8("layer3 … layer6"));
        QCOMPARE(matrix.traffic(1, 2), 32.0);
    }
};

REGISTER_WIDGET_TEST("traffic_view", TrafficViewTest)
#include "traffic_view_test.moc"
