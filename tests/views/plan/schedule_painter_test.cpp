#include "tests/support/test_registry.h"
#include "views/plan/schedule_painter.h"

#include <QtTest/QTest>

using namespace views;

namespace {

using core::SpanKind;

ScheduleCell cell(SpanKind kind, std::size_t stage, std::int64_t microBatch) {
    return {kind, core::StageId(stage), microBatch, true};
}

/// Two stages, Grouped, four micro-batches, as the pipelining documents list them.
ScheduleChart grouped() {
    ScheduleChart chart;
    chart.schedule = "Grouped";
    chart.subject = "net";
    chart.stages = 2;
    chart.microBatches = 4;
    chart.overlap = 4;
    chart.slotsWithCompute = 7;
    chart.rows = {{core::IpuId(0), {core::StageId(0)}, 2}, {core::IpuId(1), {core::StageId(1)}, 0}};
    chart.updateAfter = 7;
    for (std::int64_t slot = 0; slot < 8; ++slot) {
        ScheduleSlot& column = chart.slotList.emplace_back();
        column.band = slot < 4 ? core::ScheduleBand::RampUp : core::ScheduleBand::RampDown;
        column.work.resize(2);
        for (std::int64_t stage = 0; stage < 2; ++stage) {
            auto& work = column.work[static_cast<std::size_t>(stage)];
            const std::int64_t backward = slot - 3 + stage;
            if (backward >= 0 && backward < 4)
                work.push_back(cell(SpanKind::Backward, static_cast<std::size_t>(stage), backward));
            const std::int64_t forward = slot - stage;
            if (forward >= 0 && forward < 4)
                work.push_back(cell(SpanKind::Forward, static_cast<std::size_t>(stage), forward));
        }
    }
    return chart;
}

} // namespace

class SchedulePainterTest : public QObject {
    Q_OBJECT

private slots:
    void aDescriptionCounts() {
        QCOMPARE(QString::fromStdString(grouped().description()),
                 QString("Grouped · 2 stages · 4 micro-batches, 4 in flight · 8 slots, 7 with compute · "
                         "weight update after slot 7"));
        ScheduleChart single;
        single.schedule = "Sequential";
        single.slotList.resize(1);
        QCOMPARE(QString::fromStdString(single.description()),
                 QString("Sequential · 1 stage · 1 micro-batch, 1 in flight · 1 slot, 0 with compute"));
    }

    void everySlotHasItsColumnAsWideAsItsWork() {
        const ScheduleChart chart = grouped();
        const ScheduleLayout layout = layOut(chart, Theme());
        QCOMPARE(layout.columns.size(), std::size_t{9});
        QCOMPARE(layout.columns[0].width, layout.cellWidth);
        QCOMPARE(layout.columns[2].width, 2 * layout.cellWidth);
        QVERIFY(layout.columns.back().kind == ScheduleColumn::Kind::Update);
        for (std::size_t i = 1; i < layout.columns.size(); ++i)
            QVERIFY(layout.columns[i].left >= layout.columns[i - 1].left + layout.columns[i - 1].width);
        QVERIFY(layout.columns.back().left + layout.columns.back().width <= layout.width);
    }

    void slotsInTheMiddleAreLeftOutWhereThereIsNoRoom() {
        ScheduleChart chart = grouped();
        chart.slotList.insert(chart.slotList.begin() + 4, 200, chart.slotList[3]);
        const ScheduleLayout layout = layOut(chart, Theme(), 800);
        QCOMPARE(layout.width, 800.0);
        std::size_t shown = 0;
        std::size_t omitted = 0;
        for (const ScheduleColumn& column : layout.columns) {
            shown += column.kind == ScheduleColumn::Kind::Slot ? 1U : 0U;
            omitted += column.omitted;
        }
        QCOMPARE(shown + omitted, std::size_t{208});
        QVERIFY(shown >= 8);
        QCOMPARE(layout.columns.front().slot, std::size_t{0});
        QCOMPARE(layout.columns[layout.columns.size() - 2].slot, std::size_t{207});
    }

    void aPointFindsTheWorkUnderIt() {
        const ScheduleChart chart = grouped();
        const ScheduleLayout layout = layOut(chart, Theme(), 900);
        const QPointF point = layout.cell(layout.columns[3], 1, 1).center();
        const auto found = cellAt(chart, layout, point);
        QVERIFY(found.has_value());
        QCOMPARE(*found, (ScheduleCellId{3, 1, 1}));
        QVERIFY(!cellAt(chart, layout, layout.cell(layout.columns[0], 1, 0).center()));
        QVERIFY(!cellAt(chart, layout, QPointF(1, 1)));
    }

    void thePictureNamesEveryPieceOfWork() {
        const auto bytes = renderPicture(schedulePicture(grouped(), Theme()), PictureFormat::Svg);
        QVERIFY(bytes.has_value());
        const QString svg = QString::fromUtf8(*bytes);
        for (const char* text :
             {">F0<", ">F3<", ">B0<", ">B3<", ">IPU 1<", ">FIFO 2<", ">update<", ">Ramp-up<", ">Ramp-down<"})
            QVERIFY2(svg.contains(QLatin1String(text)), text);
        QCOMPARE(svg.count(QLatin1String(">B2<")), 2);
        QCOMPARE(renderPicture(schedulePicture(grouped(), Theme()), PictureFormat::Svg), bytes);
    }
};

REGISTER_WIDGET_TEST("schedule_painter", SchedulePainterTest)

#include "schedule_painter_test.moc"
