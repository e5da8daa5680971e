#include "core/profile/exports/trace_comparison.h"
#include "tests/support/pictures.h"
#include "tests/support/recorded_intents.h"
#include "tests/support/stored_run.h"
#include "tests/support/test_registry.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/segmented_control.h"
#include "views/comparison/compared_cells.h"
#include "views/comparison/comparison_canvas.h"
#include "views/comparison/comparison_painter.h"
#include "views/comparison/comparison_view.h"
#include "views/comparison/difference_lane.h"
#include "views/comparison/run_chips.h"
#include "views/profile/reference_lanes.h"
#include "views/profile/tables/filter_chips.h"
#include "views/profile/tables/table_panel.h"
#include "views/profile/tables/table_tabs.h"

#include <QApplication>
#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QtTest/QTest>
#include <qcustomplot.h>

using namespace views;
using core::RunId;

namespace {

/// A view with what it shows.
struct Shown {
    Document document;
    Selection selection;
    ProfileSource source;
    tests::RecordedIntents intents;
    ComparisonView view{document, selection, source, intents};

    explicit Shown(const std::filesystem::path& path) {
        view.resize(1280, 800);
        view.show();
        source.setPath(path);
    }
};

/// Row of a table by the text of its first cell; empty where there is none.
QStringList rowOf(const TableContent& content, const QString& name) {
    for (const std::vector<TableCell>& row : content.rows) {
        if (row.front().text != name)
            continue;
        QStringList texts;
        for (const TableCell& cell : row)
            texts.append(cell.text);
        return texts;
    }
    return {};
}

/// The cells of the columns of differences.
std::vector<TableCell> differencesOf(const TableContent& content) {
    std::vector<TableCell> cells;
    for (const std::vector<TableCell>& row : content.rows)
        for (std::size_t i = 0; i < row.size(); ++i)
            if (content.columns[i].title.startsWith(QStringLiteral("Δ")))
                cells.push_back(row[i]);
    return cells;
}

} // namespace

class ComparisonViewTest : public QObject {
    Q_OBJECT

    tests::StoredRuns m_runs;
    std::vector<RunId> m_ids;

    ComparisonData load(const std::vector<RunId>& runs, RunId baseline) const {
        const auto database =
            core::ProfileDatabase::open(m_runs.path(), {.access = core::DatabaseAccess::ReadOnly});
        return *loadComparison(*database, runs, baseline, 800);
    }

private slots:
    void initTestCase() {
        applyTheme(*qApp, Theme(ThemeKind::Light));
        tests::SyntheticRun run;
        m_ids.push_back(m_runs.add(run));
        run.schedule = "Interleaved";
        run.projectText = R"({"name": "resnet50-4x2", "pipeline": {"schedule": "Interleaved"}})";
        m_ids.push_back(m_runs.add(run));
        run.schedule = "Grouped";
        run.projectText = R"({"name": "resnet50-4x2"})";
        run.firstStageScale = 2;
        run.overLimit = true;
        m_ids.push_back(m_runs.add(run));
        m_ids.push_back(m_runs.add());
    }

    void theBaselineComesFirstWhateverTheOrder() {
        const ComparisonData data = load({m_ids[0], m_ids[1], m_ids[2]}, m_ids[1]);
        QCOMPARE(data.comparison.runs, (std::vector<RunId>{m_ids[1], m_ids[0], m_ids[2]}));
        QCOMPARE(data.comparison.baseline, std::size_t{0});
        QCOMPARE(data.timelines.size(), std::size_t{3});
        QCOMPARE(data.timelines[0].run, m_ids[1]);
    }

    void equalRunsDifferByNothing() {
        const ComparisonData data = load({m_ids[0], m_ids[3]}, m_ids[0]);
        for (const core::ComparedMetric& metric : data.comparison.metrics) {
            QVERIFY2(!metric.deltas[1] || *metric.deltas[1] == 0, metric.name.c_str());
            QVERIFY2(!isBetter(metric, 1), metric.name.c_str());
        }
        QVERIFY(differenceTable(data).rows.empty());
        QVERIFY(comparedLayerTable(data, {}, true).rows.empty());
        QVERIFY(reading(data, {}).front().startsWith("B is as fast as A"));
    }

    void aSlowerRunIsWorseAndItsOptionsAreListed() {
        const ComparisonData data = load({m_ids[0], m_ids[1], m_ids[2]}, m_ids[0]);
        const TableContent metrics = metricTable(data, {});
        const QStringList speed = rowOf(metrics, "Throughput");
        QVERIFY2(speed.last().startsWith(QChar(0x2212)), qPrintable(speed.last()));
        QCOMPARE(rowOf(metrics, "Step time").last().front(), QChar('+'));
        QVERIFY(rowOf(metrics, "Step").isEmpty());
        Units cycles;
        cycles.time = TimeUnit::Cycles;
        QVERIFY(!rowOf(metricTable(data, cycles), "Step").isEmpty());
        const QStringList option = rowOf(differenceTable(data), "Schedule");
        QCOMPARE(option.mid(1), QStringList({"Grouped", "Interleaved", "Grouped"}));
        QVERIFY(rowOf(differenceTable(data), "→ schedule").isEmpty());
        const QStringList sentences = reading(data, {});
        QCOMPARE(sentences.size(), 2);
        QVERIFY2(sentences[1].contains("slower than A") && sentences[1].endsWith("it does not fit."),
                 qPrintable(sentences[1]));
    }

    void memoryOfAllRunsStandsSideBySide() {
        const ComparisonData data = load({m_ids[0], m_ids[2]}, m_ids[0]);
        const TableContent table = memoryTable(data, {});
        QCOMPARE(rowOf(table, "IPU 0, peak").size(), 4);
        QVERIFY(!rowOf(table, "All IPUs: Weights").isEmpty());
        QVERIFY(rowOf(table, "All IPUs: Constants").isEmpty());
    }

    void everyTableTellsTheDifference() {
        const ComparisonData equal = load({m_ids[0], m_ids[3]}, m_ids[0]);
        const ComparisonData slower = load({m_ids[0], m_ids[2]}, m_ids[0]);
        const auto tablesOf = [](const ComparisonData& data) {
            return std::vector{metricTable(data, {}), waterfallTable(data, {}), stageTable(data, {}),
                               comparedLayerTable(data, {}, false), memoryTable(data, {})};
        };
        for (const TableContent& table : tablesOf(equal))
            for (const TableCell& cell : differencesOf(table))
                QVERIFY2(cell.text == "0" || cell.text == "–", qPrintable(cell.text));
        for (TableContent& table : tablesOf(slower)) {
            const std::vector<TableCell> cells = differencesOf(table);
            QVERIFY(std::ranges::any_of(cells, [](const TableCell& c) { return c.isBetter == false; }));
            putLargestDifferenceFirst(table);
            const std::vector<TableCell> sorted = differencesOf(table);
            QVERIFY(std::abs(sorted.front().sort.toDouble()) >= std::abs(sorted.back().sort.toDouble()));
        }
        // The stage whose cycles were doubled: 100 % more.
        const TableContent stages = stageTable(slower, {});
        QVERIFY(std::abs(stages.rows[0][5].sort.toDouble() / stages.rows[0][1].sort.toDouble() - 1) < 0.01);
        QCOMPARE(stages.rows[1][5].text, QString("0"));
    }

    void theWaterfallLeadsFromOneStepToTheOther() {
        const ComparisonData data = load({m_ids[0], m_ids[2]}, m_ids[0]);
        const TableContent table = waterfallTable(data, {});
        const auto cycles = [](const TableCell& cell) { return cell.sort.toDouble(); };
        double sum = 0;
        double at = table.rows.front()[4].way->first;
        for (const std::vector<TableCell>& row : table.rows) {
            sum += cycles(row[3]);
            QCOMPARE(cycles(row[3]), cycles(row[2]) - cycles(row[1]));
            QVERIFY(std::abs(row[4].way->first - at) < 1e-9);
            at = row[4].way->second;
        }
        QCOMPARE(table.footer[0].text, QString("Step"));
        QCOMPARE(sum, cycles(table.footer[3]));
        QCOMPARE(sum, double((data.summary(1).step - data.summary(0).step).value()));
        QVERIFY(std::abs(table.footer[4].way->second - at) < 1e-9);
    }

    void theLargestDifferenceComesFirstOnDemand() {
        Shown shown(m_runs.path());
        shown.view.compare({m_ids[0], m_ids[2]}, m_ids[0]);
        QTRY_COMPARE(shown.view.runs(), (std::vector<RunId>{m_ids[0], m_ids[2]}));
        auto* tabs = shown.view.findChild<TableTabs*>();
        const auto tableNamed = [&](const QString& name) {
            for (TablePanel* table : tabs->findChildren<TablePanel*>())
                if (table->table().accessibleName() == name)
                    return table;
            return static_cast<TablePanel*>(nullptr);
        };
        TablePanel* waterfall = tableNamed("Waterfall");
        QVERIFY(waterfall != nullptr);
        QVERIFY(waterfall->toCsv().contains("Step,"));
        for (QCheckBox* box : tabs->findChildren<QCheckBox*>())
            if (box->text() == "Sort by Δ")
                box->click();
        double before = 1e18;
        for (const std::vector<TableCell>& row : waterfall->content().rows) {
            QVERIFY(std::abs(row[3].sort.toDouble()) <= before);
            before = std::abs(row[3].sort.toDouble());
        }
        // A click on a stage chooses that stage wherever it stands.
        TablePanel* stages = tableNamed("Stages");
        const auto& rows = stages->content().rows;
        QCOMPARE(rows.front().front().stage, std::optional<std::size_t>(0));
        emit stages->rowChosen(int(rows.size()) - 1);
        QCOMPARE(shown.selection.state().stage->index(), *rows.back().front().stage);
    }

    void aTableWithoutRowsSaysWhy() {
        Shown shown(m_runs.path());
        shown.view.compare({m_ids[0], m_ids[3]}, m_ids[0]);
        QTRY_COMPARE(shown.view.runs(), (std::vector<RunId>{m_ids[0], m_ids[3]}));
        auto* tabs = shown.view.findChild<TableTabs*>();
        const auto saysInstead = [&](const QString& words) {
            for (const QLabel* label : tabs->currentWidget()->findChildren<QLabel*>())
                if (label->isVisible() && label->text().contains(words))
                    return true;
            return false;
        };
        tabs->setCurrentIndex(4);
        QVERIFY(saysInstead("have the same stage and take the same time"));
        tabs->setCurrentIndex(0);
        QVERIFY(!saysInstead(""));
        tabs->filter().setText("nothing like it");
        QVERIFY(saysInstead("No row holds “nothing like it”."));
    }

    void timelinesShareOneAxisAndAlignByMicroBatch() {
        ComparisonScene scene{
            std::make_shared<const ComparisonData>(load({m_ids[0], m_ids[1]}, m_ids[0])), {}, {}};
        scene.view = scene.whole();
        const double end = scene.axisOf(0, 0, 1000).x(scene.data->timelines[0].step);
        QVERIFY(std::abs(end - scene.axis(0, 1000).x(scene.length(0))) < 1e-6);
        QVERIFY(scene.axisOf(1, 0, 1000).x(scene.data->timelines[1].step) > end);

        scene.state.alignment = TimelineAlignment::MicroBatch;
        scene.state.microBatch = 3;
        scene.view = scene.whole();
        const auto placeOf = [&](std::size_t run) {
            const MiniTimeline& timeline = scene.data->timelines[run];
            double place = 1e9;
            for (const core::LaneWindow& lane : timeline.window.lanes) {
                for (const core::SpanRecord& span : lane.spans) {
                    if (span.kind == core::SpanKind::Forward && span.microBatch == 3)
                        place = std::min(place, scene.axisOf(run, 0, 1000).x(span.start));
                }
            }
            return place;
        };
        QVERIFY(scene.shift(1) != core::Cycles());
        QVERIFY2(std::abs(placeOf(0) - placeOf(1)) < 0.01,
                 qPrintable(QString("%1 %2").arg(placeOf(0)).arg(placeOf(1))));

        scene.state.fitsEach = true;
        const double last = scene.axisOf(1, 0, 1000).x(scene.data->timelines[1].step);
        QVERIFY(last > 980 && last <= 1000);
    }

    void aStageOrALayerStartsAtOnePlaceInAllRuns() {
        Shown shown(m_runs.path());
        shown.view.compare({m_ids[0], m_ids[2]}, m_ids[0]);
        QTRY_COMPARE(shown.view.runs().size(), std::size_t{2});
        auto* align = shown.view.findChild<SegmentedControl*>();
        const auto placeOf = [&](std::size_t run) {
            return shown.view.scene().axisOf(run, 0, 1000).x(*shown.view.scene().anchor(run));
        };
        // The second has a slower first stage, so its last one starts later.
        shown.selection.selectStage(core::StageId(3));
        QTest::mouseClick(align->button(2), Qt::LeftButton);
        QVERIFY(shown.view.scene().shift(1) != core::Cycles());
        QVERIFY(std::abs(placeOf(0) - placeOf(1)) < 0.01);
        QCOMPARE(shown.view.scene().alignmentText(), QString("stage 3"));
        const auto layers = shown.view.scene().data->anchors[0].layers;
        const auto latest = std::ranges::max_element(layers, {}, [](const auto& one) { return one.second; });
        shown.selection.selectLayer(latest->first);
        QTest::mouseClick(align->button(3), Qt::LeftButton);
        QVERIFY(std::abs(placeOf(0) - placeOf(1)) < 0.01);
        QCOMPARE(*shown.view.scene().anchor(0), latest->second);
        // The layer begins inside the first forward work of its stage.
        QVERIFY(latest->second >= shown.view.scene().data->anchors[0].stages.at(core::StageId(3)));
        tests::takePictures(shown.view, "comparison-layer");
        shown.selection.selectLayer("no such layer");
        QCOMPARE(shown.view.scene().alignmentText(), QString("no such layer (not in A, B)"));
        QCOMPARE(shown.view.scene().shift(1), core::Cycles());
    }

    void theLaneOfDifferencesSaysWhichSlotsAreSlower() {
        Shown shown(m_runs.path());
        shown.view.compare({m_ids[0], m_ids[2]}, m_ids[0]);
        QTRY_COMPARE(shown.view.runs().size(), std::size_t{2});
        auto* canvas = shown.view.findChild<ComparisonCanvas*>();
        const ComparisonScene& scene = canvas->scene();
        const core::ComparedPieces& compared = scene.data->pieces;
        QVERIFY(compared.cut == core::StepCut::Slots);
        core::Cycles sum;
        std::size_t slowest = 0;
        for (std::size_t i = 0; i < compared.pieces.size(); ++i) {
            sum += compared.pieces[i].difference(1, 0);
            if (compared.pieces[i].difference(1, 0) > compared.pieces[slowest].difference(1, 0))
                slowest = i;
        }
        QCOMPARE(sum, scene.data->summary(1).step - scene.data->summary(0).step);
        QVERIFY2(canvas->accessibleDescription().startsWith(QStringLiteral("Δ B \u2212 A: +")) &&
                     canvas->accessibleDescription().contains("slower in "),
                 qPrintable(canvas->accessibleDescription()));

        const ComparisonLayout layout =
            layOut(*scene.data, canvas->width(), canvas->height(), themeOf(canvas).scale());
        QVERIFY(layout.differences(0).isEmpty());
        QVERIFY(layout.differences(1).top() >= layout.lanes(0).bottom());
        QVERIFY(layout.differences(1).bottom() <= layout.lanes(1).top());
        const QPointF place = differenceRect(scene, layout, 1, slowest)->center();
        QTest::mouseMove(canvas, place.toPoint() + QPoint(0, 3));
        QTRY_VERIFY(scene.difference.has_value());
        QCOMPARE(scene.difference->piece, slowest);
        const QString name = toQString(compared.name(compared.pieces[slowest]));
        QVERIFY2(canvas->accessibleDescription().contains(name + "; ") &&
                     canvas->accessibleDescription().contains("%), slower"),
                 qPrintable(canvas->accessibleDescription()));
        // A slower piece is red above the middle of the lane and not below it.
        const QImage picture = canvas->grab().toImage();
        const double ratio = picture.devicePixelRatio();
        const auto colourAt = [&](double y) {
            return picture.pixelColor(QPointF(place.x() * ratio, y * ratio).toPoint());
        };
        QCOMPARE(colourAt(place.y() - 6), themeOf(canvas).color(Role::Error));
        QVERIFY(colourAt(place.y() + 6) != themeOf(canvas).color(Role::Error));

        // By keys from one to the next; it stays when the mouse goes, until Escape.
        QTest::mouseClick(canvas, Qt::LeftButton, {}, place.toPoint() + QPoint(0, 3));
        QTest::keyClick(canvas, Qt::Key_Period);
        QCOMPARE(scene.difference->piece, std::min(slowest + 1, compared.pieces.size() - 1));
        QTest::keyClick(canvas, Qt::Key_Comma);
        QTest::keyClick(canvas, Qt::Key_Comma);
        QCOMPARE(scene.difference->piece, slowest - 1);
        tests::takePictures(shown.view, "comparison-differences");
        QTest::keyClick(canvas, Qt::Key_Escape);
        QVERIFY(!scene.difference.has_value());
    }

    /// The same piece of time of every run: what is dragged over the lanes is in every table that knows time.
    void aRangeRestrictsTheTables() {
        Shown shown(m_runs.path());
        shown.view.compare({m_ids[0], m_ids[2]}, m_ids[0]);
        QTRY_COMPARE(shown.view.runs().size(), std::size_t{2});
        auto* canvas = shown.view.findChild<ComparisonCanvas*>();
        const auto table = [&](const char* name) {
            for (TablePanel* panel : shown.view.findChildren<TablePanel*>())
                if (panel->table().accessibleName() == name)
                    return panel;
            return static_cast<TablePanel*>(nullptr);
        };
        const std::size_t slotCount = table("Slots")->content().rows.size();
        const ComparisonLayout layout =
            layOut(*canvas->scene().data, canvas->width(), canvas->height(), themeOf(canvas).scale());
        const QRectF lanes = layout.lanes(0);
        const QPoint from = (lanes.topLeft() + QPointF(lanes.width() * 0.1, 20)).toPoint();
        const QPoint to = from + QPoint(int(lanes.width() * 0.3), 0);
        QTest::mousePress(canvas, Qt::LeftButton, {}, from);
        QTest::mouseMove(canvas, (from + to) / 2);
        QTest::mouseMove(canvas, to);
        QTest::mouseRelease(canvas, Qt::LeftButton, {}, to);
        const auto range = shown.selection.state().time;
        QVERIFY(range.has_value());
        const core::Cycles length = range->to - range->from;
        TablePanel* waterfall = table("Waterfall");
        QTRY_COMPARE(waterfall->content().columns.front().title, QString("Part of the range"));
        QCOMPARE(waterfall->content().footer.front().text, QString("Range"));
        double sums[2] = {0, 0};
        for (const auto& row : waterfall->content().rows) {
            sums[0] += row[1].sort.toDouble();
            sums[1] += row[2].sort.toDouble();
        }
        // Both are as long, for the second run is longer than the range.
        QCOMPARE(sums[0], double(length.value()));
        QCOMPARE(sums[1], double(length.value()));
        const auto& pieces = table("Slots")->content();
        QVERIFY(!pieces.rows.empty() && pieces.rows.size() < slotCount);
        QCOMPARE(pieces.footer.front().text, QString("Sum"));
        tests::takePictures(shown.view, "comparison-range");
        // The chip says so, and its cross shows all again.
        const auto chips = shown.view.findChildren<FilterChips*>();
        QVERIFY(std::ranges::any_of(chips, &FilterChips::isVisible));
        shown.selection.selectTime(std::nullopt);
        QTRY_COMPARE(waterfall->content().columns.front().title, QString("Part of the step"));
        QCOMPARE(table("Slots")->content().rows.size(), slotCount);
    }

    void theParetoPlotIsZoomedAndStaysSo() {
        Shown shown(m_runs.path());
        shown.view.compare({m_ids[0], m_ids[2]}, m_ids[0]);
        QTRY_COMPARE(shown.view.runs().size(), std::size_t{2});
        auto* plot = shown.view.findChild<QCustomPlot*>();
        plot->replot();
        const QCPRange all = plot->xAxis->range();
        const QPointF centre = plot->axisRect()->rect().center();
        QWheelEvent wheel(centre, plot->mapToGlobal(centre), {}, {0, 240}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(plot, &wheel);
        const QCPRange near = plot->xAxis->range();
        QVERIFY(near.size() < all.size());
        shown.document.setUnits({TimeUnit::Cycles, ByteUnit::KiB});
        QCOMPARE(plot->xAxis->range().size(), near.size());
        // Beside the points.
        QTest::mouseDClick(plot, Qt::LeftButton, {}, plot->axisRect()->rect().bottomLeft() + QPoint(3, -3));
        QVERIFY(plot->xAxis->range().size() > near.size());
    }

    void otherSchedulesAreHeldAgainstOneAnotherByMicroBatch() {
        const ComparisonData data = load({m_ids[0], m_ids[1], m_ids[2]}, m_ids[0]);
        QVERIFY(data.pieces.cut == core::StepCut::MicroBatches);
        QCOMPARE(QString::fromStdString(data.pieces.name(data.pieces.pieces.front())),
                 QString("micro-batch 0"));
        QCOMPARE(QString::fromStdString(data.pieces.name(data.pieces.pieces.back())),
                 QString("weight update"));
        for (std::size_t run = 0; run < 3; ++run) {
            core::Cycles sum;
            for (const core::ComparedPiece& piece : data.pieces.pieces) {
                QVERIFY(piece.lengths[run].value() >= 0);
                sum += piece.lengths[run];
            }
            QCOMPARE(sum, data.summary(run).step);
        }
        const TableContent table = pieceTable(data, {});
        QCOMPARE(table.rows.size(), data.pieces.pieces.size());
        QCOMPARE(table.footer.front().text, QString("Step"));
    }

    void everyRunHasRoomForItsHeader() {
        const ComparisonData data = load({m_ids[0], m_ids[1], m_ids[2]}, m_ids[0]);
        for (const double height : {100.0, 400.0, 900.0}) {
            const ComparisonLayout layout = layOut(data, 1000, height, 1);
            for (std::size_t run = 0; run < 3; ++run) {
                QVERIFY(layout.rowHeight(run) >= 86);
                QCOMPARE(layout.runAt(layout.row(run).center()), std::optional(run));
            }
            QVERIFY(height < 400 || std::abs(layout.bottom() - height) < 1e-6);
        }
    }

    void theFrontierIsWhatNoRunBeats() {
        const std::vector<ParetoPoint> points{{0, 10, core::Bytes(5), 1, "", true},
                                              {1, 20, core::Bytes(9), 1, "", true},
                                              {2, 15, core::Bytes(9), 1, "", true},
                                              {3, 9, core::Bytes(6), 1, "", true},
                                              {4, 99, core::Bytes(1), 1, "", false}};
        QCOMPARE(paretoFrontier(points), (std::vector<std::size_t>{0, 1}));
    }

    void lettersOfEqualRunsStandBesideEachOther() {
        ParetoScene scene;
        for (int id = 0; id < 6; ++id)
            scene.points.push_back({id, 20, core::Bytes(9'000'000), 1, "", true});
        scene.points.push_back({6, 10, core::Bytes(3'000'000), 1, "", true});
        scene.lettered = {0, 1, 2, 3, 4, 5, 6};
        QCustomPlot plot;
        plot.resize(500, 400);
        plot.replot();
        fillParetoPlot(plot, scene, Theme());
        plot.replot();
        std::vector<QRectF> letters;
        for (int i = 0; i < plot.itemCount(); ++i)
            if (const auto* text = qobject_cast<QCPItemText*>(plot.item(i)); text && text->text().size() == 1)
                letters.emplace_back(text->topLeft->pixelPosition(), text->bottomRight->pixelPosition());
        QCOMPARE(letters.size(), std::size_t(7));
        for (std::size_t i = 0; i < letters.size(); ++i)
            for (std::size_t other = 0; other < i; ++other)
                QVERIFY2(!letters[i].intersects(letters[other]),
                         qPrintable(QStringLiteral("%1 and %2").arg(other).arg(i)));
    }

    void theViewComparesTheNewestRunsByItself() {
        Shown shown(m_runs.path());
        QTRY_COMPARE(shown.view.runs(), (std::vector<RunId>{m_ids[3], m_ids[2], m_ids[1]}));
        shown.view.compare({m_ids[0], m_ids[1]}, m_ids[1]);
        QTRY_COMPARE(shown.view.runs(), (std::vector<RunId>{m_ids[1], m_ids[0]}));
    }

    void aChipMakesItsRunTheBaselineAndItsCrossTakesItOut() {
        Shown shown(m_runs.path());
        QTRY_COMPARE(shown.view.runs().size(), std::size_t{3});
        auto* chips = shown.view.findChild<RunChips*>();
        emit chips->baselineChosen(m_ids[1]);
        QTRY_COMPARE(shown.view.runs(), (std::vector<RunId>{m_ids[1], m_ids[3], m_ids[2]}));
        chips->setFocus();
        QTest::keyClick(chips, Qt::Key_Right);
        QTest::keyClick(chips, Qt::Key_Delete);
        QTRY_COMPARE(shown.view.runs(), (std::vector<RunId>{m_ids[1], m_ids[2]}));
    }

    void keysZoomAndAClickChoosesTheRun() {
        Shown shown(m_runs.path());
        QTRY_COMPARE(shown.view.runs().size(), std::size_t{3});
        auto* canvas = shown.view.findChild<ComparisonCanvas*>();
        const TimelineViewport whole = canvas->scene().view;
        QTest::keyClick(canvas, Qt::Key_W);
        QVERIFY(canvas->scene().view.length() < whole.length());
        QTest::keyClick(canvas, Qt::Key_Home);
        QCOMPARE(canvas->scene().view, whole);
        QTest::mouseClick(canvas, Qt::LeftButton, {}, QPoint(30, canvas->height() - 40));
        QTRY_COMPARE(shown.selection.state().run, std::optional(m_ids[1]));
        QCOMPARE(shown.view.runs().size(), std::size_t{3});
    }

    void aTraceOfAnotherProgramIsHeldAgainstTheBaseline() {
        Shown shown(m_runs.path());
        QTRY_VERIFY(shown.view.scene().data != nullptr);
        const RunId baseline = shown.view.runs().front();
        const auto database = core::ProfileDatabase::open(m_runs.path());
        core::EventTrace trace = core::eventsOf(*core::loadTrace(*database, baseline));
        for (core::EventSlice& slice : trace.lanes.front().slices)
            slice.duration *= 2;
        const core::EventSlice first = trace.lanes.front().slices.front();
        const QString lane = QString::fromStdString(trace.lanes.front().name);
        shown.source.setReference(
            std::make_shared<const ReferenceTrace>(makeReferenceTrace("hardware.json", std::move(trace))));
        auto* tabs = shown.view.findChild<TableTabs*>();
        QCOMPARE(tabs->tabText(tabs->currentIndex()), QString("Trace"));
        const auto* panel = qobject_cast<TablePanel*>(tabs->currentWidget());
        QVERIFY(panel != nullptr);
        QTRY_VERIFY(!panel->content().rows.empty());
        const std::vector<TableCell>& row = panel->content().rows.front();
        QCOMPARE(row[0].text, lane);
        QCOMPARE(row[1].text, QString::fromStdString(first.name));
        QCOMPARE(row[2].text, row[3].text);
        QCOMPARE(row.back().text, QString("+100.0"));
        // Its lanes are below those of the runs, on the axis of the baseline.
        auto* lanes = shown.view.findChild<ReferenceLanes*>();
        QVERIFY(lanes->isVisible());
        const auto* canvas = shown.view.findChild<ComparisonCanvas*>();
        const double clock = shown.view.scene().data->timelines.front().clockHz;
        const core::Cycles start(std::llround(static_cast<double>(first.start) * clock / 1e9));
        QVERIFY(std::abs(lanes->placeOf(0, 0)->left() - canvas->axis().x(start)) < 1);
        shown.source.setReference(nullptr);
        QVERIFY(!lanes->isVisible());
        QTRY_VERIFY(panel->content().rows.empty());
    }

    void withoutRunsItSaysWhatToDo() {
        Shown shown({});
        QVERIFY(!shown.view.scene().data);
        QVERIFY(shown.view.grab().width() > 0);
    }

    void thePictureHoldsTheWholeComparison() {
        const auto database =
            core::ProfileDatabase::open(m_runs.path(), {.access = core::DatabaseAccess::ReadOnly});
        const auto picture = comparisonPicture(*database, {m_ids[0], m_ids[1]}, m_ids[0], Theme());
        QVERIFY(picture.has_value());
        const QString svg = QString::fromUtf8(*renderPicture(*picture, PictureFormat::Svg));
        for (const char* text : {"Throughput", "Schedule", "baseline", "Pareto"})
            QVERIFY2(svg.contains(QLatin1String(text)), text);
        const auto small =
            comparisonPicture(*database, {m_ids[0], m_ids[1]}, m_ids[0], Theme(), QSizeF(1280, 800));
        QCOMPARE(small->size, QSizeF(1280, 800));
        QCOMPARE(comparisonPicture(*database, {RunId(77)}, RunId(77), Theme()).error().front().code,
                 std::string("run/unknown"));
    }

    /// IPU_WORKBENCH_PICTURES=folder keeps what was drawn, to be looked at.
    void picturesToLookAt() {
        const QString folder = qEnvironmentVariable("IPU_WORKBENCH_PICTURES");
        if (folder.isEmpty())
            QSKIP("set IPU_WORKBENCH_PICTURES to a folder to see the pictures");
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
            applyTheme(*qApp, Theme(kind));
            for (const QSize size : {QSize(1280, 700), QSize(2560, 1340)}) {
                Shown shown(m_runs.path());
                shown.view.resize(size);
                QTRY_VERIFY(shown.view.scene().data != nullptr);
                auto* tabs = shown.view.findChild<TableTabs*>();
                for (int tab = 0; tab < tabs->count(); ++tab) {
                    tabs->setCurrentIndex(tab);
                    QTest::qWait(100);
                    shown.view.grab().save(QStringLiteral("%1/comparison-view-%2-%3-%4.png")
                                               .arg(folder, themeName(kind))
                                               .arg(size.width())
                                               .arg(tab));
                }
            }
        }
    }
};

REGISTER_WIDGET_TEST("comparison_view", ComparisonViewTest)

#include "comparison_view_test.moc"
