#include "tests/app/profile/figure_twins.h"
#include "tests/support/test_registry.h"
#include "views/comparison/comparison_view.h"
#include "views/liveness/liveness_chart.h"
#include "views/liveness/liveness_view.h"
#include "views/program/program_tree_model.h"
#include "views/program/program_view.h"
#include "views/timeline/timeline_view.h"

#include <QImage>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <QTreeView>
#include <set>

using tests::RanWindow;
using tests::tablePanel;

namespace {

/// Somebody at the window of a run.
struct Onlooker {
    RanWindow ran;

    [[nodiscard]] app::MainWindow& window() const { return *ran.bench.window; }
    template <class View>
    View& view() const {
        return window().workspaces().view<View>();
    }
    [[nodiscard]] views::TimelineView& timeline() const {
        window().workspaces().show(views::WorkspaceId::Timeline);
        auto& view = this->view<views::TimelineView>();
        const bool isThere = QTest::qWaitFor([&] { return view.canvas().scene().window != nullptr; });
        Q_UNUSED(isThere)
        return view;
    }
    [[nodiscard]] views::LivenessView& memory() const {
        window().workspaces().show(views::WorkspaceId::Memory);
        auto& view = this->view<views::LivenessView>();
        const bool isThere = QTest::qWaitFor([&] { return view.chart().scene().data != nullptr; });
        Q_UNUSED(isThere)
        return view;
    }
    static void click(QWidget& widget, const QPoint& at) {
        QTest::mouseClick(&widget, Qt::LeftButton, {}, at);
    }
    static void click(QWidget& widget) { click(widget, widget.rect().center()); }
    /// From one place to another, with stops on the way.
    static void drag(QWidget& widget, const QPoint& from, const QPoint& to) {
        constexpr int steps = 6;
        QTest::mousePress(&widget, Qt::LeftButton, {}, from);
        for (int i = 1; i <= steps; ++i)
            QTest::mouseMove(&widget, from + (to - from) * i / steps);
        QTest::mouseRelease(&widget, Qt::LeftButton, {}, to);
    }
    /// A tab by what it says.
    static void openTab(const QWidget& view, const QString& title) {
        for (QTabBar* bar : view.findChildren<QTabBar*>())
            for (int i = 0; i < bar->count(); ++i)
                if (bar->tabText(i).startsWith(title) && bar->isVisible())
                    return click(*bar, bar->tabRect(i).center());
        QFAIL(qPrintable("no tab " + title));
    }
    /// A button of a view by what it says or what its tip says.
    [[nodiscard]] static QToolButton* button(const QWidget& view, const QString& text) {
        for (QToolButton* button : view.findChildren<QToolButton*>())
            if (button->isVisible() && (button->text() == text || button->toolTip() == text))
                return button;
        return nullptr;
    }
};

} // namespace

/// What a person does with a run, by mouse and keys.
class ProfileGesturesTest : public QObject {
    Q_OBJECT

private slots:
    void theWindowInTheOverviewIsDraggedAlong() {
        const Onlooker onlooker;
        QVERIFY(onlooker.ran.isReady);
        views::TimelineCanvas& canvas = onlooker.timeline().canvas();
        const QRectF strip = canvas.scene().layout.overview();
        const auto view = [&] { return canvas.scene().state.view; };
        for (int i = 0; i < 4; ++i)
            QTest::keyClick(&canvas, Qt::Key_W);
        const core::Cycles length = view().to - view().from;
        const core::Cycles before = view().from;
        const auto placeOf = [&](core::Cycles time) {
            return QPointF(overviewAxis(canvas.scene()).x(time), strip.center().y()).toPoint();
        };
        const QPoint inside = placeOf(before + core::Cycles(length.value() / 2));
        Onlooker::drag(canvas, inside, inside + QPoint(int(strip.width() / 8), 0));
        QTRY_VERIFY(view().from > before);
        QCOMPARE((view().to - view().from).value(), length.value());
        // A click elsewhere brings that place into view.
        Onlooker::click(canvas, placeOf(core::Cycles(1)));
        QTRY_VERIFY(view().from < before);
    }

    void aSpanThinnerThanAPixelIsSeenAndHit() {
        const Onlooker onlooker;
        QVERIFY(onlooker.ran.isReady);
        views::TimelineView& view = onlooker.timeline();
        views::TimelineCanvas& canvas = view.canvas();
        const views::TimeToPixel axis = canvas.scene().axis();
        // The thinnest copy between IPUs.
        std::optional<core::SpanRecord> thinnest;
        for (const core::LaneWindow& lane : canvas.scene().window->lanes)
            for (const core::SpanRecord& span : lane.spans)
                if (span.kind == core::SpanKind::InterIpuCopy && lane.lane.kind == core::LaneKind::Exchange &&
                    (!thinnest || span.duration < thinnest->duration))
                    thinnest = span;
        QVERIFY(thinnest);
        const double width = axis.x(thinnest->start + thinnest->duration) - axis.x(thinnest->start);
        QVERIFY2(width < 2, qPrintable(QString::number(width)));
        const auto row = canvas.scene().frame->ipuOfLane(thinnest->lane);
        const auto lane = canvas.scene().computeLane(*row);
        const auto box = canvas.scene().layout.laneBox(core::LaneKind::Exchange);
        const auto compute = canvas.scene().layout.laneBox(core::LaneKind::Compute);
        const QPointF at(axis.x(thinnest->start) + width / 2,
                         lane->top() + box.top - compute.top + box.height - 2);
        // It is painted: the ground of the lane is another colour.
        const QImage picture = canvas.grab().toImage();
        const auto colourAt = [&](double x) { return picture.pixel(QPointF(x, at.y()).toPoint()); };
        std::set<QRgb> colours;
        for (const double x : {at.x() - 2, at.x() - 1, at.x(), at.x() + 1, at.x() + 2})
            colours.insert(colourAt(x));
        QVERIFY(colours.size() > 1);
        Onlooker::click(canvas, at.toPoint());
        QTRY_VERIFY(canvas.state().selected);
        QVERIFY(canvas.state().selected->span.kind == core::SpanKind::InterIpuCopy);
    }

    /// Layers are summed for who looks at them, and then follow what is in view.
    void layersOfWhatIsInViewAreATabAway() {
        const Onlooker onlooker;
        QVERIFY(onlooker.ran.isReady);
        views::TimelineView& view = onlooker.timeline();
        QTRY_VERIFY(!tablePanel(view, "Time of each lane in the area").content().rows.empty());
        const views::TablePanel& layers = tablePanel(view, "Layers");
        Onlooker::openTab(view, "Layers");
        QTRY_VERIFY(!layers.content().rows.empty());
        const auto total = [&] {
            double sum = 0;
            for (const auto& row : layers.content().rows)
                sum += row[row.size() - 2].sort.toDouble();
            return sum;
        };
        const double whole = total();
        for (int i = 0; i < 4; ++i)
            QTest::keyClick(&view.canvas(), Qt::Key_W);
        QTRY_VERIFY(total() > 0 && total() < whole);
    }

    void aPictureIsSavedByItsButton() {
        const Onlooker onlooker;
        QVERIFY(onlooker.ran.isReady);
        views::TimelineView& view = onlooker.timeline();
        QToolButton* save = Onlooker::button(view, "Save the picture");
        QVERIFY(save != nullptr);
        for (const char* format : {"svg", "png", "pdf"}) {
            const QString file = onlooker.ran.bench.folder.filePath(QStringLiteral("view.%1").arg(format));
            onlooker.ran.bench.dialogs->target = file;
            Onlooker::click(*save);
            QTRY_VERIFY2(QFileInfo(file).size() > 1000, format);
        }
    }

    void alwaysLiveAndGapsAreShownOrNot() {
        const Onlooker onlooker;
        QVERIFY(onlooker.ran.isReady);
        views::LivenessView& view = onlooker.memory();
        const views::LivenessChart& chart = view.chart();
        const auto picture = [&] { return view.chart().grab().toImage(); };
        for (const auto& [text, isShown] : {std::pair("Always live", &views::LivenessState::showsAlwaysLive),
                                            std::pair("Gaps", &views::LivenessState::showsGaps)}) {
            QToolButton* toggle = Onlooker::button(view, text);
            QVERIFY2(toggle != nullptr, text);
            const bool before = chart.state().*isShown;
            const QImage as = picture();
            Onlooker::click(*toggle);
            QCOMPARE(chart.state().*isShown, !before);
            QVERIFY2(picture() != as, text);
            Onlooker::click(*toggle);
            QCOMPARE(chart.state().*isShown, before);
        }
    }

    /// By category, by IPU, and why, each a click away; the stash says how many micro-batches it holds.
    void thePeakIsTakenApartTabByTab() {
        const Onlooker onlooker;
        QVERIFY(onlooker.ran.isReady);
        views::LivenessView& view = onlooker.memory();
        const double peak = double(
            view.chart().scene().data->curve.points[*view.chart().scene().data->curve.peak].live.value());
        Onlooker::openTab(view, "By category");
        const views::TablePanel& categories = tablePanel(view, "By category");
        QTRY_VERIFY(categories.isVisible() && !categories.content().rows.empty());
        const auto& columns = categories.content().columns;
        const auto bytes =
            std::ranges::find(columns, QStringLiteral("A"), &views::TableColumn::title) - columns.begin();
        double sum = 0;
        for (const auto& row : categories.content().rows)
            sum += row[std::size_t(bytes)].sort.toDouble();
        QCOMPARE(sum, peak);
        Onlooker::openTab(view, "Why this peak");
        const views::TablePanel& why = tablePanel(view, "Why this peak");
        QTRY_VERIFY(why.isVisible() && !why.content().rows.empty());
        QVERIFY2(views::toPlainText(why.content()).contains("micro-batch"),
                 qPrintable(views::toPlainText(why.content())));
        // The other IPU is chosen by its row.
        Onlooker::openTab(view, "IPUs");
        const views::TablePanel& ipus = tablePanel(view, "IPUs");
        QTRY_COMPARE(ipus.content().rows.size(), std::size_t(2));
        const core::IpuId before = view.chart().scene().data->ipu;
        const int other = before == core::IpuId(0) ? 1 : 0;
        const QTableView& table = ipus.table();
        Onlooker::click(*table.viewport(), table.visualRect(table.model()->index(other, 0)).center());
        QTRY_VERIFY(view.chart().scene().data->ipu != before);
    }

    void theProgramTreeIsWalkedByKeys() {
        const Onlooker onlooker;
        QVERIFY(onlooker.ran.isReady);
        onlooker.window().workspaces().show(views::WorkspaceId::Program);
        auto& view = onlooker.view<views::ProgramView>();
        QTreeView& tree = view.tree();
        QTRY_VERIFY(tree.model()->rowCount() > 0);
        Onlooker::click(*tree.viewport(), tree.visualRect(tree.model()->index(0, 0)).center());
        QTest::keyClick(&tree, Qt::Key_Home);
        const QModelIndex first = tree.currentIndex();
        QVERIFY(first.isValid());
        if (tree.isExpanded(first))
            QTest::keyClick(&tree, Qt::Key_Left);
        QVERIFY(!tree.isExpanded(first));
        QTest::keyClick(&tree, Qt::Key_Right);
        QVERIFY(tree.isExpanded(first));
        // Past the execution, down to the first step of an operation, which is then explained.
        QTest::keyClick(&tree, Qt::Key_Left);
        constexpr int most = 20;
        for (int i = 0; i < most && !onlooker.window().selection().state().operation; ++i) {
            QTest::keyClick(&tree, Qt::Key_Down);
            QTest::keyClick(&tree, Qt::Key_Right);
        }
        QVERIFY(onlooker.window().selection().state().operation);
        const views::TablePanel& details = tablePanel(view, "The chosen operation");
        QVERIFY(views::toPlainText(details.content()).contains("Per step"));
    }

    void aStepOfTheProgramIsSeenInTheTimeline() {
        const Onlooker onlooker;
        QVERIFY(onlooker.ran.isReady);
        onlooker.window().workspaces().show(views::WorkspaceId::Program);
        auto& view = onlooker.view<views::ProgramView>();
        QTRY_VERIFY(!view.operations().content().rows.empty());
        // One of the backward pass: not where the timeline begins.
        const auto program = view.program();
        const auto one = std::ranges::find_if(program->operations, [](const auto& operation) {
            return operation.phase == core::ProgramPhase::Backward && !operation.layer.empty();
        });
        QVERIFY(one != program->operations.end());
        QTableView& table = view.operations().table();
        const QModelIndex row = table.model()->index(int(one - program->operations.begin()), 0);
        table.scrollTo(row);
        Onlooker::click(*table.viewport(), table.visualRect(row).center());
        QCOMPARE(onlooker.window().selection().state().operation, std::optional(one->name));
        QToolButton* button = Onlooker::button(view, "Timeline");
        QVERIFY(button != nullptr);
        Onlooker::click(*button);
        QTRY_VERIFY(onlooker.window().workspaces().current() == views::WorkspaceId::Timeline);
        const views::TimelineScene& scene = onlooker.timeline().canvas().scene();
        QTRY_VERIFY(scene.state.piece.has_value());
        QCOMPARE(QString::fromStdString(scene.state.piece->name), QString::fromStdString(one->name));
        const core::SpanRecord& span = scene.state.selected->span;
        QVERIFY(span.kind == core::SpanKind::Backward && span.stage == one->stage);
        // The operation takes a good part of what is in view, and all of it is.
        const core::Cycles from = span.start + scene.state.piece->start - span.offset;
        QVERIFY(scene.state.view.from <= from && from + scene.state.piece->duration <= scene.state.view.to);
        QVERIFY(scene.state.view.length() <= 8 * scene.state.piece->duration);
        // A program as a whole is selected where it first runs.
        onlooker.window().workspaces().show(views::WorkspaceId::Program);
        QTreeView& tree = view.tree();
        auto& model = static_cast<const views::ProgramTreeModel&>(*tree.model());
        QModelIndex stageProgram;
        for (QModelIndex at = model.index(0, 0); at.isValid() && !stageProgram.isValid();
             at = tree.indexBelow(at))
            if (const core::ProgramStepRecord* step = model.step(at);
                step->stage == core::StageId(1) && step->phase == core::ProgramPhase::Forward &&
                !step->operation.isValid())
                stageProgram = at;
        QVERIFY(stageProgram.isValid());
        tree.scrollTo(stageProgram);
        Onlooker::click(*tree.viewport(), tree.visualRect(stageProgram).center());
        Onlooker::click(*button);
        QTRY_VERIFY(onlooker.window().workspaces().current() == views::WorkspaceId::Timeline);
        QTRY_VERIFY(scene.state.selected && scene.state.selected->span.stage == core::StageId(1) &&
                    scene.state.selected->span.kind == core::SpanKind::Forward);
    }

    void aRunAgainDiffersInNothing() {
        const Onlooker onlooker;
        QVERIFY(onlooker.ran.isReady);
        QTest::keyClick(&onlooker.window(), Qt::Key_F5);
        QTRY_VERIFY_WITH_TIMEOUT(!onlooker.window().runs().isRunning(), 60000);
        onlooker.window().workspaces().show(views::WorkspaceId::Compare);
        auto& view = onlooker.view<views::ComparisonView>();
        QTRY_VERIFY(view.scene().data != nullptr && view.scene().data->count() == 2);
        for (const char* title : {"Metrics", "Waterfall", "Slots", "Stages", "Memory"}) {
            Onlooker::openTab(view, title);
            const views::TableContent& content = tablePanel(view, title).content();
            QVERIFY2(!content.rows.empty(), title);
            for (const auto& row : content.rows)
                for (std::size_t i = 0; i < row.size(); ++i)
                    if (content.columns[i].title.startsWith(u'Δ'))
                        QVERIFY2(row[i].text == "0" || row[i].text == QString(QChar(0x2013)),
                                 qPrintable(row.front().text + ": " + row[i].text));
        }
    }
};

REGISTER_WIDGET_TEST("profile_gestures", ProfileGesturesTest)
#include "profile_gestures_test.moc"
