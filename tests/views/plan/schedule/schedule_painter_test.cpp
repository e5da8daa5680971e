#include "tests/support/test_registry.h"
#include "tests/views/plan/schedule/schedule_samples.h"
#include "views/plan/schedule/schedule_painter.h"

#include <QImage>
#include <QPainter>
#include <QtTest/QTest>
#include <algorithm>

using namespace views;
using tests::grouped;

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

    void aPointBetweenWorkFindsWhatElseStandsThere() {
        using Kind = SchedulePlace::Kind;
        ScheduleChart chart = grouped();
        chart.slotList[2].infeed = 2;
        const ScheduleLayout layout = layOut(chart, Theme(), 900);
        const ScheduleColumn& second = layout.columns[2];
        QCOMPARE(placeAt(chart, layout, layout.place(layout.columns[0], 1).center()),
                 std::optional(SchedulePlace{Kind::Idle, 0, 1, 0, 0}));
        QCOMPARE(placeAt(chart, layout, layout.place(layout.columns.back(), 1).center()),
                 std::optional(SchedulePlace{Kind::Update, 8, 1, 0, 0}));
        const QPointF host(second.left + 4, layout.hostTop + 4);
        QCOMPARE(placeAt(chart, layout, host), std::optional(SchedulePlace{Kind::Infeed, 2, 0, 0, 0}));
        QVERIFY(!placeAt(chart, layout, host + QPointF(0, layout.lineHeight)));
        QVERIFY(!placeAt(chart, layout, QPointF(layout.headerWidth / 2, layout.rowTop + 3)));
    }

    void itsFullWidthShowsEverySlot() {
        ScheduleChart chart = grouped();
        chart.slotList.insert(chart.slotList.begin() + 4, 60, chart.slotList[3]);
        const auto isOmitted = [](const ScheduleColumn& column) {
            return column.kind == ScheduleColumn::Kind::Omitted;
        };
        const double width = fullWidth(chart, Theme());
        const auto all = layOut(chart, Theme(), width);
        QVERIFY(std::none_of(all.columns.begin(), all.columns.end(), isOmitted));
        const auto fewer = layOut(chart, Theme(), width - 10);
        QVERIFY(std::any_of(fewer.columns.begin(), fewer.columns.end(), isOmitted));
    }

    void aCompactPictureHasNeitherTitleNorLegend() {
        const ScheduleLayout full = layOut(grouped(), Theme(), 900, 100);
        const ScheduleLayout compact = layOut(grouped(), Theme(), 900, 100, true);
        QVERIFY(compact.height + 80 < full.height);
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
