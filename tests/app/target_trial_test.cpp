#include "app/services/plan/target_trial.h"

#include "simulator/target/target_catalogue.h"
#include "simulator/target/target_file.h"
#include "tests/app/window_bench.h"
#include "tests/support/test_registry.h"
#include "views/plan/system_view.h"
#include "views/plan/target/target_strip.h"

#include <QPushButton>
#include <QSlider>
#include <algorithm>

using tests::WindowBench;

namespace {

const views::TargetFigureValue& figure(const std::vector<views::TargetFigureValue>& values,
                                       std::string_view key) {
    return *std::ranges::find(values, key, &views::TargetFigureValue::key);
}

} // namespace

/// A target that is changed in the window.
class TargetTrialTest : public QObject {
    Q_OBJECT

private slots:
    void figuresAreTheTargetsAndWhatTheProjectSets() {
        core::Project project;
        project.system.target = "bow";
        project.system.other = {{"tiles", 1000}};
        const auto values = app::targetFigureValues(project, {});
        QCOMPARE(figure(values, "clock_hz").value, 1.85e9);
        QVERIFY(!figure(values, "clock_hz").source.empty());
        QCOMPARE(figure(values, "tiles").own, 1472.0);
        QCOMPARE(figure(values, "tiles").value, 1000.0);
        QVERIFY(figure(values, "tiles").isWhole);
        QCOMPARE(figure(values, "memory_per_tile_bytes").low, 208 * 1024.0);
        project.system.target = "nothing/there.json";
        QVERIFY(app::targetFigureValues(project, {}).empty());
    }

    void aTargetFileReadsBackToTheSameTarget() {
        core::Project project;
        project.system.target = "bow";
        project.system.other = {{"clock_hz", 2.0e9}};
        const auto text = app::targetFileText(project, {}, "bow");
        QVERIFY(text.has_value());
        const auto target = simulator::readTarget(*text, "bow.json");
        QVERIFY(target.has_value());
        simulator::IpuTarget wanted = simulator::findTarget("bow")->target;
        wanted.clockHz = 2.0e9;
        wanted.name = target->name;
        QVERIFY(*target == wanted);
        QVERIFY(simulator::findTarget(target->name) == nullptr);
    }

    void aSliderChangesTheStepOfTheProjectAtOnce() {
        WindowBench bench;
        QVERIFY(bench.window->files().open(bench.writeProject()));
        QVERIFY(bench.waitForEstimate());
        bench.window->actions().action("pipeline.system")->trigger();
        auto* view = bench.window->findChild<views::SystemView*>();
        QVERIFY(view != nullptr);
        views::Document& document = bench.window->document();
        const double before = document.estimate()->samplesPerSecond;
        QSlider& clock = *view->target().slider("clock_hz");
        clock.setValue(views::knobEnd);
        QVERIFY(bench.waitForEstimate());
        QCOMPARE(document.estimate()->clockHz, 2.66e9);
        QVERIFY(document.estimate()->samplesPerSecond > before);
        QVERIFY2(view->target().effect().contains(QString::fromUtf8("−")),
                 qPrintable(view->target().effect()));
        // Written into a file, the figures are the target's.
        bench.dialogs->target = bench.folder.filePath("fast.json");
        view->target().save().click();
        QCOMPARE(document.project().system.target, std::string("fast.json"));
        QVERIFY(document.project().system.other.empty());
        QVERIFY(bench.waitForEstimate());
        QCOMPARE(document.estimate()->clockHz, 2.66e9);
        QCOMPARE(clock.value(), 0);
    }
};

REGISTER_WIDGET_TEST("target_trial", TargetTrialTest)
#include "target_trial_test.moc"
