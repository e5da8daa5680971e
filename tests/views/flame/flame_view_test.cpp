#include "views/flame/flame_view.h"

#include "tests/support/pictures.h"
#include "tests/support/recorded_intents.h"
#include "tests/support/stored_run.h"
#include "tests/support/test_registry.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/segmented_control.h"
#include "views/flame/flame_canvas.h"
#include "views/flame/flame_painter.h"
#include "views/profile/profile_source.h"
#include "views/profile/tables/table_panel.h"

#include <QApplication>
#include <QCheckBox>
#include <QLineEdit>
#include <QTableView>
#include <QtTest/QTest>

using namespace views;

namespace {

struct Bench {
    Bench() {
        core::Project project;
        project.name = "p";
        document.open(project, "p.ipuproj");
        source.setPath(stored.path());
        selection.selectRun(stored.add());
        view.resize(1280, 700);
        view.show();
    }
    [[nodiscard]] bool isShown() {
        return QTest::qWaitFor([&] { return view.canvas().scene().data != nullptr; }) &&
               QTest::qWaitForWindowExposed(&view);
    }
    [[nodiscard]] const core::TimeNode& root() const { return view.canvas().scene().data->root; }
    /// The box of a node of this level that is wide enough to be hit.
    [[nodiscard]] std::optional<FlameBox> box(core::TimeLevel level) const {
        for (const FlameBox& one : view.canvas().boxes())
            if (one.node != nullptr && one.node->level == level && one.rect.width() > 4)
                return one;
        return std::nullopt;
    }
    void click(const FlameBox& one) {
        QTest::mouseClick(&view.canvas(), Qt::LeftButton, {}, one.rect.center().toPoint());
    }

    tests::StoredRuns stored;
    Document document;
    Selection selection;
    ProfileSource source;
    tests::RecordedIntents intents;
    FlameView view{document, selection, source, intents};
};

} // namespace

class FlameViewTest : public QObject {
    Q_OBJECT

private slots:
    void boxesOfARowAddUpToTheBoxAboveAndNoneVanishes() {
        Bench bench;
        QVERIFY(bench.isShown());
        const std::vector<FlameBox> boxes = bench.view.canvas().boxes();
        for (const FlameBox& box : boxes) {
            if (box.node == nullptr || box.node->children.empty())
                continue;
            double width = 0;
            core::Cycles cycles;
            for (const FlameBox& child : boxes) {
                const FlamePath parent(child.path.begin(),
                                       child.path.end() -
                                           (child.node != nullptr && !child.path.empty() ? 1 : 0));
                if (child.depth != box.depth + 1 || parent != box.path)
                    continue;
                width += child.rect.width();
                cycles += child.cycles;
            }
            QCOMPARE(cycles, box.cycles);
            QVERIFY(std::abs(width - box.rect.width()) < 0.01);
        }
    }

    void aClickOnALayerChoosesItEverywhereAndTheTableTellsItsOperations() {
        Bench bench;
        QVERIFY(bench.isShown());
        const auto layer = bench.box(core::TimeLevel::Layer);
        QVERIFY(layer.has_value());
        bench.click(*layer);
        QCOMPARE(bench.selection.state().current->path, layer->node->layer);
        QCOMPARE(bench.selection.state().stage, std::optional(layer->node->stage));
        const TableContent& table = bench.view.table().content();
        QCOMPARE(table.rows.size(), layer->node->children.size());
        QCOMPARE(table.rows.front().front().text, toQString(layer->node->children.front().name));
        // The sum below is the box.
        QCOMPARE(table.footer[5].text, QStringLiteral("100.00"));
        QTest::keyClick(&bench.view.canvas(), Qt::Key_Escape);
        QVERIFY(!bench.selection.state().current.has_value());
    }

    void aDoubleClickLooksInsideAndBackspaceComesBack() {
        Bench bench;
        QVERIFY(bench.isShown());
        const auto phase = bench.box(core::TimeLevel::Phase);
        QVERIFY(phase.has_value());
        QTest::mouseDClick(&bench.view.canvas(), Qt::LeftButton, {}, phase->rect.center().toPoint());
        QCOMPARE(bench.view.canvas().scene().focus, phase->path);
        const auto wide = bench.box(core::TimeLevel::Phase);
        QCOMPARE(wide->rect.width(), double(bench.view.canvas().width()));
        QTest::keyClick(&bench.view.canvas(), Qt::Key_Backspace);
        QCOMPARE(bench.view.canvas().scene().focus.size(), phase->path.size() - 1);
        QTest::keyClick(&bench.view.canvas(), Qt::Key_Home);
        QVERIFY(bench.view.canvas().scene().focus.empty());
    }

    void keysWalkTheTree() {
        Bench bench;
        QVERIFY(bench.isShown());
        QWidget& canvas = bench.view.canvas();
        const auto& chosen = [&] { return bench.view.canvas().scene().chosen; };
        QTest::keyClick(&canvas, Qt::Key_Down);
        QCOMPARE(chosen(), std::optional(FlamePath{}));
        QTest::keyClick(&canvas, Qt::Key_Down);
        QTest::keyClick(&canvas, Qt::Key_Right);
        QCOMPARE(chosen(), std::optional(FlamePath{1}));
        QTest::keyClick(&canvas, Qt::Key_Down);
        QCOMPARE(chosen(), (std::optional(FlamePath{1, 0})));
        QTest::keyClick(&canvas, Qt::Key_Return);
        QCOMPARE(bench.view.canvas().scene().focus, (FlamePath{1, 0}));
        QTest::keyClick(&canvas, Qt::Key_Up);
        QTest::keyClick(&canvas, Qt::Key_Left);
        QCOMPARE(chosen(), std::optional(FlamePath{0}));
        QVERIFY(canvas.accessibleDescription().contains("%"));
    }

    void otherGroupingsAndNoIdleTimeAskNothingAnew() {
        Bench bench;
        QVERIFY(bench.isShown());
        const auto pieces = bench.view.canvas().scene().data->pieces;
        for (int grouping = 0; grouping < bench.view.groupings().count(); ++grouping) {
            QTest::mouseClick(bench.view.groupings().button(grouping), Qt::LeftButton);
            QCOMPARE(bench.view.canvas().scene().data->pieces, pieces);
            QCOMPARE(bench.root().cycles, pieces->total());
        }
        QTest::mouseClick(&bench.view.idle(), Qt::LeftButton, {}, QPoint(8, bench.view.idle().height() / 2));
        QVERIFY(!bench.box(core::TimeLevel::Idle).has_value());
        core::Cycles work;
        for (const core::TimePiece& piece : pieces->pieces)
            work += piece.phase ? piece.cycles : core::Cycles();
        QCOMPARE(bench.root().cycles, work);
    }

    void aNameTellsItsShareWhereverItIs() {
        Bench bench;
        QVERIFY(bench.isShown());
        QTest::mouseClick(bench.view.groupings().button(4), Qt::LeftButton);
        QTest::keyClicks(&bench.view.filter(), "forward");
        core::Cycles forward;
        for (const core::TimePiece& piece : bench.view.canvas().scene().data->pieces->pieces)
            if (piece.phase == core::ProgramPhase::Forward)
                forward += piece.cycles;
        QVERIFY2(bench.view.figures().contains(percentText(ratio(forward, bench.root().cycles), 2)),
                 qPrintable(bench.view.figures()));
        bench.view.filter().clear();
        QTest::keyClicks(&bench.view.filter(), "no such thing");
        QVERIFY(bench.view.figures().contains("nothing is called"));
    }

    void aTimeSelectedElsewhereRestrictsIt() {
        Bench bench;
        QVERIFY(bench.isShown());
        const core::Cycles step = bench.view.canvas().scene().data->pieces->step;
        const TimeRange range{core::Cycles(step.value() / 4), core::Cycles(step.value() / 2)};
        bench.selection.selectTime(range);
        QTRY_COMPARE(bench.root().cycles, 4 * (range.to - range.from));
        bench.selection.selectTime(std::nullopt);
        QTRY_COMPARE(bench.root().cycles, 4 * step);
    }

    void aLayerChosenElsewhereIsFound() {
        Bench bench;
        QVERIFY(bench.isShown());
        const auto layer = bench.box(core::TimeLevel::Layer);
        bench.selection.selectLayer(layer->node->layer);
        QVERIFY(bench.view.canvas().scene().chosen.has_value());
        QCOMPARE(nodeAt(bench.root(), *bench.view.canvas().scene().chosen)->layer, layer->node->layer);
    }

    void picturesToLookAt() {
        if (!tests::wantsPictures())
            QSKIP("IPU_WORKBENCH_PICTURES names no folder");
        Bench bench;
        QVERIFY(bench.isShown());
        tests::takePictures(bench.view, "flame-stage");
        QTest::mouseClick(bench.view.groupings().button(2), Qt::LeftButton);
        tests::takePictures(bench.view, "flame-layer");
    }

    void theToolTipTellsShareAndRuns() {
        Bench bench;
        QVERIFY(bench.isShown());
        const auto phase = bench.box(core::TimeLevel::Phase);
        const ToolTipContent content = flameToolTip(*bench.view.canvas().scene().data, *phase, {});
        QCOMPARE(content.title, toQString(phase->node->name));
        QVERIFY(std::ranges::find(content.rows, ToolTipContent::Row{"Runs", "8"}) != content.rows.end());
    }
};

REGISTER_WIDGET_TEST("flame_view", FlameViewTest)
#include "flame_view_test.moc"
