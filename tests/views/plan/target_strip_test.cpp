#include "views/plan/target/target_strip.h"

#include "core/model/graph/model_builder.h"
#include "tests/support/recorded_intents.h"
#include "tests/support/test_registry.h"

#include <QPushButton>
#include <QSlider>
#include <QtTest/QTest>
#include <cmath>

using namespace views;

namespace {

core::Project triedProject() {
    core::Project project;
    project.name = "net";
    project.model = core::sequentialModel("net", {8}, {{"Dense", "a", {{"units", 8}}}});
    return project;
}

/// A clock and tiles as a target has them, and as the project sets them.
std::vector<TargetFigureValue> clockAndTiles(const core::Project& project, const std::filesystem::path&) {
    TargetFigureValue clock{"clock_hz", 1.33e9, 1.33e9, 1e6, 1e12, false, "a data sheet"};
    TargetFigureValue tiles{"tiles", 1472, 1472, 1, 2000, true, "a data sheet"};
    clock.value = project.system.other.value("clock_hz", clock.own);
    tiles.value = project.system.other.value("tiles", tiles.own);
    return {tiles, clock};
}

core::PlanEstimate estimateOfClock(double clockHz) {
    core::PlanEstimate estimate;
    estimate.step = core::Cycles(1'330'000);
    estimate.clockHz = clockHz;
    estimate.samplesPerSecond = clockHz / 1e6;
    estimate.fits = true;
    core::IpuEstimate ipu;
    ipu.limit = core::Bytes(1000);
    ipu.peak = core::Bytes(500);
    estimate.ipus = {ipu};
    return estimate;
}

struct ShownStrip {
    Document document;
    tests::RecordedIntents intents;
    TargetStrip strip{document, intents, clockAndTiles};

    ShownStrip() {
        strip.resize(900, 120);
        strip.show();
        document.open(triedProject(), {});
        document.setEstimate(document.snapshot(), estimateOfClock(1.33e9));
    }
    [[nodiscard]] QSlider& clock() { return *strip.slider("clock_hz"); }
    [[nodiscard]] core::Json set() const { return document.project().system.other; }
};

} // namespace

/// Figures of the target that are tried with sliders.
class TargetStripTest : public QObject {
    Q_OBJECT

private slots:
    void theMiddleIsTheTargetsOwnValueAndEndsAreItsReach() {
        const auto knobs = targetKnobs(clockAndTiles(triedProject(), {}));
        QCOMPARE(knobs.size(), std::size_t(2));
        QCOMPARE(knobs.front().figure.key, std::string("clock_hz"));
        QCOMPARE(knobValue(knobs.front(), 0), 1.33e9);
        QCOMPARE(knobValue(knobs.front(), knobEnd), 2.66e9);
        QCOMPARE(knobValue(knobs.front(), -knobEnd), 0.67e9);
        // No more tiles than a project may set.
        QCOMPARE(knobValue(knobs.back(), knobEnd), 2000.0);
        for (const TargetKnob& knob : knobs)
            for (int position = -knobEnd; position <= 0; ++position) {
                const double value = knobValue(knob, position);
                QVERIFY(std::abs(knobPosition(knob, value) - position) <= 1);
                QVERIFY(knob.figure.key != "tiles" || value == std::round(value));
            }
    }

    void aMovedSliderShowsWhatItDoesAndAReleasedOneSetsTheFigure() {
        ShownStrip shown;
        shown.clock().setSliderDown(true);
        shown.clock().setValue(knobEnd);
        QVERIFY(shown.document.preview() != nullptr);
        QCOMPARE(shown.document.preview()->system.other.value("clock_hz", 0.0), 2.66e9);
        QVERIFY(shown.set().empty());
        shown.document.setEstimate(shown.document.preview(), estimateOfClock(2.66e9));
        QVERIFY2(shown.strip.effect().contains(QString::fromUtf8("−50.0")), qPrintable(shown.strip.effect()));
        QVERIFY2(shown.strip.effect().contains(QString::fromUtf8(" → ")), qPrintable(shown.strip.effect()));
        shown.clock().setSliderDown(false);
        QVERIFY(shown.document.preview() == nullptr);
        QCOMPARE(shown.set().value("clock_hz", 0.0), 2.66e9);
        shown.document.setEstimate(shown.document.snapshot(), estimateOfClock(2.66e9));
        QVERIFY2(shown.strip.effect().contains(QString::fromUtf8("−50.0")), qPrintable(shown.strip.effect()));
        shown.document.undoStack().undo();
        QVERIFY(shown.set().empty());
        QCOMPARE(shown.clock().value(), 0);
    }

    void aSliderThatComesBackLeavesNothing() {
        ShownStrip shown;
        shown.clock().setSliderDown(true);
        shown.clock().setValue(40);
        shown.clock().setValue(0);
        shown.clock().setSliderDown(false);
        QVERIFY(shown.document.preview() == nullptr);
        QVERIFY(shown.set().empty());
        QCOMPARE(shown.document.undoStack().count(), 0);
    }

    void keysSetAFigureInOneStepOfTheHistory() {
        ShownStrip shown;
        QSlider& tiles = *shown.strip.slider("tiles");
        for (int i = 0; i < 5; ++i)
            QTest::keyClick(&tiles, Qt::Key_Left);
        QCOMPARE(shown.document.undoStack().count(), 1);
        QVERIFY(shown.set().at("tiles").is_number_integer());
        QVERIFY(shown.set().value("tiles", 0) < 1472);
        QVERIFY(shown.strip.reset().isEnabled());
        shown.strip.reset().click();
        QVERIFY(shown.set().empty());
        QVERIFY(!shown.strip.reset().isEnabled());
    }

    void savingIsLeftToTheWindow() {
        ShownStrip shown;
        shown.strip.save().click();
        QCOMPARE(shown.intents.calls, std::vector<QString>{"saveTarget"});
    }

    void withoutAReadableTargetThereIsNothingToMove() {
        Document document;
        tests::RecordedIntents intents;
        TargetStrip strip(document, intents, [](const core::Project&, const std::filesystem::path&) {
            return std::vector<TargetFigureValue>();
        });
        document.open(triedProject(), {});
        QVERIFY(strip.slider("clock_hz") == nullptr);
        QVERIFY(!strip.save().isEnabled());
        QVERIFY(!strip.effect().isEmpty());
    }
};

REGISTER_WIDGET_TEST("target_strip", TargetStripTest)
#include "target_strip_test.moc"
