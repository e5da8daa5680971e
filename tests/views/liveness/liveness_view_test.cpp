#include "core/profile/queries/program_queries.h"
#include "tests/support/recorded_intents.h"
#include "tests/support/stored_run.h"
#include "tests/support/test_registry.h"
#include "views/common/theme/widget_theme.h"
#include "views/liveness/liveness_chart.h"
#include "views/liveness/liveness_painter.h"
#include "views/liveness/liveness_picture.h"
#include "views/liveness/liveness_view.h"
#include "views/profile/tables/table_panel.h"

#include <QApplication>
#include <QPainter>
#include <QPicture>
#include <QTableView>
#include <QtTest/QTest>
#include <SQLiteCpp/SQLiteCpp.h>
#include <qcustomplot.h>

using namespace views;

class LivenessViewTest : public QObject {
    Q_OBJECT

    tests::StoredRuns m_runs;

    Document m_document;
    Selection m_selection;
    ProfileSource m_source;
    tests::RecordedIntents m_intents;
    std::unique_ptr<LivenessView> m_view;

    LivenessChart& chart() { return m_view->chart(); }
    void show(int width = 1230, int height = 860) {
        m_selection.set({});
        m_view = std::make_unique<LivenessView>(m_document, m_selection, m_source, m_intents);
        m_view->resize(width, height);
        m_view->show();
        QTRY_VERIFY(chart().scene().data != nullptr);
    }
    [[nodiscard]] TablePanel* panel(const char* name) const {
        for (TablePanel* table : m_view->findChildren<TablePanel*>()) {
            if (table->table().accessibleName() == name)
                return table;
        }
        return nullptr;
    }
    QPoint pointAt(std::int64_t step) {
        const LivenessLayout layout = chart().chartLayout();
        const LivenessScene& scene = chart().scene();
        const double x = layout.x(scene, (scene.position(step) + scene.position(step + 1)) / 2);
        return QPointF(x, layout.curve().top() + 30).toPoint();
    }

private slots:
    void initTestCase() {
        applyTheme(*qApp, Theme(ThemeKind::Light));
        m_runs.add();
        m_source.setPath(m_runs.path());
    }
    void init() { show(); }
    void cleanup() { m_view.reset(); }

    void startsAtThePeakOfTheFullestIpu() {
        const LivenessScene& scene = chart().scene();
        QCOMPARE(scene.state.columns, std::vector<std::int64_t>{scene.data->peakStep()});
        const QString last = toPlainText(panel("At A")->content()).trimmed().section('\n', -1);
        QVERIFY2(last.startsWith("Sum = curve"), qPrintable(last));
    }

    void aClickFreezesAStepAndShiftAddsOne() {
        QTest::mouseClick(&chart(), Qt::LeftButton, {}, pointAt(100));
        QCOMPARE(chart().state().columns, std::vector<std::int64_t>{100});
        QTest::mouseClick(&chart(), Qt::LeftButton, Qt::ShiftModifier, pointAt(50));
        QCOMPARE(chart().state().columns, (std::vector<std::int64_t>{100, 50}));
        QVERIFY(panel("At A")->content().columns.size() == 9);
        QTest::keyClick(&chart(), Qt::Key_Right);
        QCOMPARE(chart().state().columns.front(), 101);
        QTest::keyClick(&chart(), Qt::Key_Escape);
        QCOMPARE(chart().state().columns, std::vector<std::int64_t>{chart().scene().data->peakStep()});
    }

    void aRowAndItsRectangleAreOneSelection() {
        panel("At A")->table().selectRow(0);
        QVERIFY(chart().state().selected.has_value());
        const std::size_t range = *chart().state().selected;
        QCOMPARE(panel("At A")->content().rows[0][0].text,
                 QString::fromStdString(chart().scene().data->ranges[range].name));
        QCOMPARE(m_selection.state().current->path, chart().scene().data->ranges[range].layer);
    }

    void theAxisMayCountTime() {
        chart().setAxis(LivenessAxis::Time);
        const LivenessScene& scene = chart().scene();
        QVERIFY(scene.end() > 1e6);
        for (const std::int64_t step : {0, 1, 40, 100})
            QCOMPARE(scene.stepAt(scene.position(step)), step);
    }

    /// An update that waits for remote memory before its first operation is no shorter for that, nor is the
    /// work before it longer.
    void everyProgramIsAsLongOnTheAxisAsInTheTimeline() {
        tests::StoredRuns runs;
        const core::RunId run = runs.add();
        auto database = core::ProfileDatabase::open(runs.path());
        constexpr std::int64_t wait = 500'000;
        database->connection().exec(
            "UPDATE program_step SET start_cycles = start_cycles + 500000 WHERE phase = 3 AND "
            "operation IS NOT NULL");
        const core::Result<LivenessData> data = loadLiveness(*database, run, core::IpuId(0));
        QVERIFY(data.has_value());
        const auto programs = core::loadStagePrograms(*database, run);
        QVERIFY(programs.has_value());
        int updates = 0;
        for (const ProgramStretch& stretch : data->stretches) {
            const core::Cycles from = data->stepTimes[std::size_t(stretch.first)];
            const core::Cycles to = data->stepTimes[std::size_t(stretch.last) + 1];
            QCOMPARE(from, data->programTimes.at({stretch.stage, stretch.phase}));
            QCOMPARE(to - from, programs->at({stretch.stage, stretch.phase}).work());
            updates += stretch.phase == core::ProgramPhase::WeightUpdate && to - from < core::Cycles(wait);
        }
        QCOMPARE(updates, 1);
    }

    void aPlaceThatWasAskedForBeforeTheViewWasMadeIsFrozen() {
        const LivenessScene scene = chart().scene();
        const std::optional<TimeCursor> place = scene.cursorAt(40);
        QVERIFY(place && scene.data->peakStep() != 40);
        TimeCursor held = *place;
        held.isHeld = true;
        m_view.reset();
        m_selection.setCursor(held);
        show();
        QTRY_COMPARE(chart().state().columns, std::vector<std::int64_t>{*scene.stepAt(held)});
        m_selection.setCursor(std::nullopt);
    }

    void zoomStaysInsideTheProgram() {
        for (int i = 0; i < 30; ++i)
            QTest::keyClick(&chart(), Qt::Key_W);
        QVERIFY(chart().scene().to() - chart().scene().from() >= 3.9);
        QTest::keyClick(&chart(), Qt::Key_Home);
        QCOMPARE(chart().scene().from(), 0.0);
        QCOMPARE(chart().scene().to(), chart().scene().end());
    }

    void theIpuIsSharedWithOtherViews() {
        m_selection.selectIpu(core::IpuId(3));
        QTRY_VERIFY(chart().scene().data->ipu == core::IpuId(3));
    }

    void everyTableSumsToTheCurve() {
        const auto database = core::ProfileDatabase::open(m_runs.path());
        for (std::size_t ipu = 0; ipu < 4; ++ipu) {
            const LivenessData data = loadLiveness(*database, core::RunId(1), core::IpuId(ipu)).value();
            const std::vector<std::int64_t> steps{data.peakStep(), 0, data.steps() - 1};
            for (const TableContent& table :
                 {columnTable(data, steps, {}, 5), liveLayerTable(data, steps, {}),
                  liveCategoryTable(data, steps, {}), peakReasonTable(data, {})}) {
                const std::size_t column = table.columns.size() == 4 ? 2 : table.footer.size() - 6;
                double sum = 0;
                for (const auto& row : table.rows)
                    sum += row[column].sort.toDouble();
                QCOMPARE(sum, table.footer[column].sort.toDouble());
                QCOMPARE(sum, double(data.curve.points[*data.curve.peak].live.value()));
            }
        }
    }

    void blocksThatLiveTogetherDoNotOverlap() {
        const auto database = core::ProfileDatabase::open(m_runs.path());
        const auto ranges = core::liveRanges(*database, core::RunId(1), core::IpuId(1)).value();
        const LifetimePlacement placement = placeLifetimes(ranges, 100000);
        QCOMPARE(placement.hidden, std::size_t{0});
        for (const PlacedRange& a : placement.placed) {
            for (const PlacedRange& b : placement.placed) {
                const core::LiveRangeRecord& x = ranges[a.range];
                const core::LiveRangeRecord& y = ranges[b.range];
                const bool together = x.firstStep <= y.lastStep && y.firstStep <= x.lastStep;
                const bool apart = a.bottom + x.bytes <= b.bottom || b.bottom + y.bytes <= a.bottom;
                QVERIFY(a.range == b.range || !together || apart);
            }
        }
        QCOMPARE(placeLifetimes(ranges, 10).hidden, ranges.size() - 10);
    }

    void whatIsPaintedAndListedDoesNotGrowWithTheAllocations() {
        constexpr std::size_t most = 1500;
        const auto sceneOf = [](std::size_t count) {
            auto data = std::make_shared<LivenessData>();
            data->curve.stepCount = 15300;
            data->curve.limit = core::Bytes(900'000'000);
            data->curve.points.resize(1);
            data->curve.peak = 0;
            data->ranges.resize(count);
            for (std::size_t i = 0; i < count; ++i) {
                core::LiveRangeRecord& range = data->ranges[i];
                range.bytes = core::Bytes(1000 + std::int64_t(i * 7919 % 5000));
                range.firstStep = std::int64_t(i * 31 % 15000);
                range.lastStep = range.firstStep + 1 + std::int64_t(i * 17 % 300);
            }
            LivenessScene scene;
            scene.placement = std::make_shared<LifetimePlacement>(placeLifetimes(data->ranges, most));
            scene.data = std::move(data);
            return scene;
        };
        // A QPicture keeps every command of a painter: its size counts what is painted.
        const auto painted = [](const LivenessScene& scene) {
            QPicture picture;
            QPainter painter(&picture);
            paintLifetimes(painter, scene, {1200, 700, 1}, Theme(ThemeKind::Light));
            painter.end();
            return picture.size();
        };
        const LivenessScene few = sceneOf(2000);
        const LivenessScene many = sceneOf(40000);
        QCOMPARE(few.placement->placed.size(), most);
        QCOMPARE(many.placement->placed.size(), most);
        QCOMPARE(many.placement->hidden, 40000 - most);
        QVERIFY2(painted(many) < painted(few) * 1.05,
                 qPrintable(QString("%1 against %2 bytes of commands").arg(painted(many)).arg(painted(few))));
        constexpr std::size_t mostRows = 60;
        // One more for the others, and one for bytes of the curve that no block names.
        QVERIFY(columnTable(*many.data, {7000}, {}, mostRows).rows.size() <= mostRows + 2);
    }

    void aCurveOfManyStepsKeepsItsPeakAndNoMorePointsThanPixels() {
        auto data = std::make_shared<LivenessData>();
        constexpr std::int64_t steps = 300000;
        constexpr std::int64_t peakStep = 123457;
        data->curve.stepCount = steps;
        data->curve.limit = core::Bytes(900'000'000);
        for (std::int64_t step = 0; step < steps; ++step) {
            core::LivenessPoint& point = data->curve.points.emplace_back();
            point.step = step;
            const auto stash = std::size_t(core::MemoryCategory::Stash);
            point.byCategory[stash] = core::Bytes(step == peakStep ? 800'000'000 : 1000 + step * 7919 % 5000);
            point.live = point.byCategory[stash];
        }
        data->curve.peak = peakStep;
        LivenessScene scene;
        scene.placement = std::make_shared<LifetimePlacement>();
        scene.data = std::move(data);
        QCustomPlot plot;
        const LivenessBands bands = fillLivenessPlot(plot, scene, Theme(ThemeKind::Light));
        const LivenessLayout layout{1200, 700, 1};
        const auto pointsAt = [&](double from, double to) {
            scene.state.from = from;
            scene.state.to = to;
            setLivenessRange(plot, scene, bands, layout);
            return plot.graph(0)->data();
        };
        const auto highest = [](const QSharedPointer<QCPGraphDataContainer>& points) {
            double most = 0;
            for (const QCPGraphData& point : *points)
                most = std::max(most, point.value);
            return most;
        };
        for (const auto& [from, to] :
             {std::pair(0.0, double(steps)), std::pair(100000.0, 200000.0), std::pair(123400.0, 123500.0)}) {
            const auto points = pointsAt(from, to);
            QVERIFY2(points->size() <= int(layout.curve().width()) * 2 + 3,
                     qPrintable(QString::number(points->size())));
            QCOMPARE(highest(points), 8e8);
            QVERIFY(points->constBegin()->key <= from && (points->constEnd() - 1)->key >= to);
        }
        // Near enough every step is there, where it is.
        QCOMPARE(pointsAt(123400, 123500)->findBegin(peakStep, false)->value, 8e8);
        QVERIFY(highest(pointsAt(200000, 300000)) < 7000);
    }

    void manySmallBlocksHaveTheColourOfWhatFillsMostOfThem() {
        LivenessScene scene = chart().scene();
        auto data = std::make_shared<LivenessData>(*scene.data);
        auto placement = std::make_shared<LifetimePlacement>();
        data->ranges.clear();
        core::Bytes top;
        const auto add = [&](core::MemoryCategory category, std::int64_t bytes) {
            core::LiveRangeRecord range;
            range.category = category;
            range.bytes = core::Bytes(bytes);
            range.firstStep = 0;
            range.lastStep = data->steps() - 1;
            placement->placed.push_back({data->ranges.size(), top});
            data->ranges.push_back(range);
            top += range.bytes;
        };
        // A pixel is some dozens of these pairs high.
        for (int i = 0; i < 20'000; ++i) {
            add(core::MemoryCategory::Stash, 9000);
            add(core::MemoryCategory::Activations, 1000);
        }
        placement->top = top;
        scene.data = data;
        scene.placement = placement;
        scene.state = {};
        const Theme theme(ThemeKind::Light);
        const LivenessLayout layout{900, 600, 1};
        QImage image(900, 600, QImage::Format_RGB32);
        image.fill(theme.color(Role::Canvas));
        QPainter painter(&image);
        paintLifetimes(painter, scene, layout, theme);
        painter.end();
        const QPoint middle = layout.lifetimes().center().toPoint();
        QCOMPARE(image.pixelColor(middle), theme.category(core::MemoryCategory::Stash));
        // One that is alone is not lost.
        data->ranges.clear();
        placement->placed.clear();
        top = core::Bytes(5'000'000);
        add(core::MemoryCategory::Activations, 1000);
        image.fill(theme.color(Role::Canvas));
        painter.begin(&image);
        paintLifetimes(painter, scene, layout, theme);
        painter.end();
        bool isSeen = false;
        for (int y = 0; y < image.height(); ++y)
            isSeen = isSeen ||
                     image.pixelColor(middle.x(), y) == theme.category(core::MemoryCategory::Activations);
        QVERIFY(isSeen);
    }

    /// IPU_WORKBENCH_PICTURES=folder keeps what was drawn, to be looked at.
    void picturesToLookAt() {
        const QString folder = qEnvironmentVariable("IPU_WORKBENCH_PICTURES");
        if (folder.isEmpty())
            QSKIP("set IPU_WORKBENCH_PICTURES to a folder to see the pictures");
        const auto database = core::ProfileDatabase::open(m_runs.path());
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
            applyTheme(*qApp, Theme(kind));
            const auto picture = livenessPicture(*database, core::RunId(1), Theme(kind));
            QVERIFY(savePicture(*picture, folder + "/liveness-" + themeName(kind) + ".png").has_value());
            QVERIFY(savePicture(*picture, folder + "/liveness-" + themeName(kind) + ".svg").has_value());
            QVERIFY(savePicture(*picture, folder + "/liveness-" + themeName(kind) + ".pdf").has_value());
            for (const QSize size : {QSize(1280, 700), QSize(1600, 870)}) {
                show(size.width(), size.height());
                chart().setColumns({chart().scene().data->peakStep(), 60});
                panel("At A")->table().selectRow(3);
                QTest::qWait(100);
                m_view->grab().save(QStringLiteral("%1/liveness-view-%2-%3.png")
                                        .arg(folder, themeName(kind))
                                        .arg(size.width()));
            }
        }
    }
};

REGISTER_WIDGET_TEST("liveness_view", LivenessViewTest)
#include "liveness_view_test.moc"
