#include "views/plan/system_view.h"

#include "core/model/graph/model_builder.h"
#include "core/project/project_edit.h"
#include "tests/support/recorded_intents.h"
#include "tests/support/test_registry.h"
#include "views/common/theme/widget_theme.h"
#include "views/document/selection.h"

#include <QApplication>
#include <QtTest/QTest>

using namespace views;

namespace {

/// Four stages on four IPUs, two of which share an IPU where that is said.
core::Project fourIpus(std::int64_t replicas = 1) {
    core::Project project;
    project.name = "net";
    std::vector<core::SequentialEntry> layers;
    for (const char* name : {"a", "b", "c", "d", "e"})
        layers.push_back({"Dense", name, {{"units", 8}}});
    project.model = core::sequentialModel("net", {8}, layers);
    for (const std::size_t stage : {0, 1, 2, 3, 3})
        project.assignment.stages.emplace_back(stage);
    project.pipeline.gradientAccumulationSteps = 8;
    project.replicas = replicas;
    project.system.ipus = 4 * replicas;
    return project;
}

core::PlanEstimate boardEstimate(std::size_t stages) {
    core::PlanEstimate estimate;
    estimate.clockHz = 1.33e9;
    estimate.step = core::Cycles(1'000'000);
    for (std::size_t i = 0; i < stages; ++i) {
        core::StageEstimate stage;
        stage.stage = core::StageId(i);
        stage.ipu = core::IpuId(i);
        stage.cut = core::Bytes(std::int64_t(1'000'000 / (i + 1)));
        estimate.stages.push_back(stage);
        core::IpuEstimate ipu;
        ipu.ipu = core::IpuId(i);
        ipu.limit = core::Bytes(900'000'000);
        ipu.peak = core::Bytes(std::int64_t(300'000'000 * (i + 1)));
        ipu.alwaysLive = core::Bytes(200'000'000);
        ipu.stash = core::Bytes(50'000'000);
        ipu.busy = core::Cycles(900'000);
        estimate.ipus.push_back(ipu);
    }
    return estimate;
}

struct ShownBoard {
    Document document;
    Selection selection;
    tests::RecordedIntents intents;
    SystemView view{document, selection, intents, [](const core::Project&, const std::filesystem::path&) {
                        return std::vector<TargetFigureValue>();
                    }};

    explicit ShownBoard(std::int64_t replicas = 1, QSize size = {1280, 400}) {
        view.resize(size);
        view.show();
        document.open(fourIpus(replicas), {});
        document.setEstimate(document.snapshot(), boardEstimate(4));
        QCoreApplication::processEvents();
    }
    [[nodiscard]] BoardCanvas& canvas() { return view.canvas(); }
    [[nodiscard]] QPoint chip(std::size_t stage) {
        for (const BoardChip& chip : canvas().placement().chips)
            if (chip.stage == stage)
                return chip.rect.center().toPoint();
        return {};
    }
    [[nodiscard]] QPoint card(std::size_t ipu) {
        for (const BoardCard& card : canvas().placement().cards)
            if (card.ipu == ipu)
                return card.rect.center().toPoint();
        return {};
    }
    [[nodiscard]] std::vector<std::size_t> mapping() const {
        std::vector<std::size_t> ipus;
        for (const core::IpuId ipu : document.project().deviceMapping.ipus)
            ipus.push_back(ipu.index());
        return ipus;
    }
};

} // namespace

/// The simulated system as a picture, and what a person does with it.
class SystemViewTest : public QObject {
    Q_OBJECT

private slots:
    void everyStageIsOnItsIpuInEveryReplica() {
        ShownBoard fixture(2);
        const SystemBoard& board = fixture.canvas().board();
        QCOMPARE(board.ipus.size(), std::size_t(4));
        QCOMPARE(board.replicas, std::size_t(2));
        QCOMPARE(board.links.size(), std::size_t(3));
        QCOMPARE(board.links[1].bytes.value(), std::int64_t(500'000));
        QCOMPARE(fixture.canvas().placement().chips.size(), std::size_t(8));
        QVERIFY2(boardTitle(board).contains("8 × ipu2") && boardTitle(board).contains("2 replicas"),
                 qPrintable(boardTitle(board)));
    }

    void theBarsOfTheBoardAreSeenInALowPanel() {
        ShownBoard fixture(1, {1280, 180});
        for (const BoardCard& card : fixture.canvas().placement().cards) {
            const QPoint end = fixture.canvas().mapTo(&fixture.view, card.rect.bottomRight().toPoint());
            QVERIFY2(end.y() <= 180, qPrintable(QString::number(end.y())));
        }
    }

    void nothingLiesOnAnythingElse() {
        for (const int width : {500, 900, 1280, 2560}) {
            ShownBoard fixture(2, QSize(width, 700));
            const BoardLayout& layout = fixture.canvas().placement();
            for (std::size_t i = 0; i < layout.cards.size(); ++i)
                for (std::size_t j = i + 1; j < layout.cards.size(); ++j)
                    QVERIFY(!layout.cards[i].rect.intersects(layout.cards[j].rect));
            QVERIFY(layout.size.width() <= width);
        }
    }

    void aStageIsDraggedToAnotherIpuAsOneStep() {
        ShownBoard fixture;
        BoardCanvas& canvas = fixture.canvas();
        QTest::mousePress(&canvas, Qt::LeftButton, {}, fixture.chip(2));
        QVERIFY(fixture.selection.state().stage == core::StageId(2));
        QTest::mouseMove(&canvas, fixture.chip(2) + QPoint(20, 20));
        QTest::mouseMove(&canvas, fixture.card(0));
        // What it would be there is looked at on the way, and nothing is changed.
        QVERIFY(fixture.document.preview() != nullptr);
        QVERIFY(fixture.document.preview()->deviceMapping.ipus[2] == core::IpuId(0));
        QCOMPARE(fixture.document.undoStack().count(), 0);
        QTest::mouseRelease(&canvas, Qt::LeftButton, {}, fixture.card(0));
        QVERIFY(fixture.document.preview() == nullptr);
        QCOMPARE(fixture.mapping(), (std::vector<std::size_t>{0, 1, 0, 3}));
        QCOMPARE(fixture.document.undoStack().count(), 1);
        fixture.document.undoStack().undo();
        QVERIFY(fixture.mapping().empty());
    }

    void replicasAreDrawnOutOfTheLastOneAndBackIntoIt() {
        ShownBoard fixture;
        BoardCanvas& canvas = fixture.canvas();
        const auto gripNow = [&] { return canvas.placement().grip.center().toPoint(); };
        const QPoint from = gripNow();
        const QPoint down(0, int(canvas.placement().replicaStep));
        QTest::mousePress(&canvas, Qt::LeftButton, {}, from);
        QTest::mouseMove(&canvas, from + down / 2);
        QTest::mouseMove(&canvas, from + down);
        // The board, and all figures, are of two replicas; nothing is changed yet.
        QVERIFY(fixture.document.preview() != nullptr);
        QCOMPARE(canvas.placement().frames.size(), std::size_t(2));
        QCOMPARE(fixture.document.undoStack().count(), 0);
        QTest::keyClick(&canvas, Qt::Key_Escape);
        QVERIFY(fixture.document.preview() == nullptr);
        QTest::mouseRelease(&canvas, Qt::LeftButton, {}, from + down);
        QCOMPARE(fixture.document.undoStack().count(), 0);
        QTest::mousePress(&canvas, Qt::LeftButton, {}, from);
        QTest::mouseMove(&canvas, from + down);
        QTest::mouseRelease(&canvas, Qt::LeftButton, {}, from + down);
        QCOMPARE(fixture.document.undoStack().count(), 1);
        QCOMPARE(fixture.document.project().replicas, std::optional<std::int64_t>(2));
        QCOMPARE(fixture.document.project().system.ipus, std::int64_t(8));
        // And back; there is always one.
        const QPoint second = gripNow();
        QTest::mousePress(&canvas, Qt::LeftButton, {}, second);
        QTest::mouseMove(&canvas, second - 3 * down);
        QTest::mouseRelease(&canvas, Qt::LeftButton, {}, second - 3 * down);
        QCOMPARE(fixture.document.project().replicas, std::optional<std::int64_t>(1));
        canvas.setFocus();
        QTest::keyClick(&canvas, Qt::Key_Plus);
        QCOMPARE(fixture.document.project().replicas, std::optional<std::int64_t>(2));
        QTest::keyClick(&canvas, Qt::Key_Minus);
        QTest::keyClick(&canvas, Qt::Key_Minus);
        QCOMPARE(fixture.document.project().replicas, std::optional<std::int64_t>(1));
    }

    void escapeAndTheSpaceBetweenLeaveItWhereItWas() {
        ShownBoard fixture;
        BoardCanvas& canvas = fixture.canvas();
        QTest::mousePress(&canvas, Qt::LeftButton, {}, fixture.chip(1));
        QTest::mouseMove(&canvas, fixture.card(3));
        QTest::keyClick(&canvas, Qt::Key_Escape);
        QVERIFY(fixture.document.preview() == nullptr);
        QTest::mouseRelease(&canvas, Qt::LeftButton, {}, fixture.card(3));
        QTest::mousePress(&canvas, Qt::LeftButton, {}, fixture.chip(1));
        QTest::mouseMove(&canvas, QPoint(4, 4));
        QTest::mouseRelease(&canvas, Qt::LeftButton, {}, QPoint(4, 4));
        QCOMPARE(fixture.document.undoStack().count(), 0);
    }

    void keysChooseMoveAndLock() {
        ShownBoard fixture;
        BoardCanvas& canvas = fixture.canvas();
        canvas.setFocus();
        QTest::keyClick(&canvas, Qt::Key_Right);
        QTest::keyClick(&canvas, Qt::Key_Right);
        QCOMPARE(canvas.state().current, std::optional<std::size_t>(1));
        QVERIFY2(canvas.accessibleDescription().startsWith("Stage 1 on IPU 1: "),
                 qPrintable(canvas.accessibleDescription()));
        QTest::keyClick(&canvas, Qt::Key_Right, Qt::ControlModifier);
        QCOMPARE(fixture.mapping(), (std::vector<std::size_t>{0, 2, 2, 3}));
        QTest::keyClick(&canvas, Qt::Key_0);
        QCOMPARE(fixture.mapping(), (std::vector<std::size_t>{0, 0, 2, 3}));
        QTest::keyClick(&canvas, Qt::Key_L);
        QVERIFY((core::lockedLayers(fixture.document.project()) == std::set<std::string>{"b"}));
        QVERIFY(canvas.board().locked[1] && !canvas.board().locked[0]);
        QTest::keyClick(&canvas, Qt::Key_L);
        QVERIFY(core::lockedLayers(fixture.document.project()).empty());
        QCOMPARE(fixture.document.undoStack().count(), 4);
    }

    void itIsSeenInEveryTheme() {
        const QString folder = qEnvironmentVariable("IPU_WORKBENCH_PICTURES");
        if (folder.isEmpty())
            QSKIP("no folder for pictures");
        for (const auto kind : {ThemeKind::Light, ThemeKind::Dark}) {
            applyTheme(*qApp, Theme(kind));
            for (const QSize size : {QSize(1280, 420), QSize(2560, 800)}) {
                ShownBoard fixture(2, size);
                fixture.view.grab().save(QStringLiteral("%1/system-%2-%3.png")
                                             .arg(folder, kind == ThemeKind::Light ? "light" : "dark")
                                             .arg(size.width()));
            }
        }
    }
};

REGISTER_WIDGET_TEST("system_view", SystemViewTest)
#include "system_view_test.moc"
