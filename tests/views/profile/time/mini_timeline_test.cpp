#include "views/profile/time/mini_timeline.h"

#include "tests/support/test_registry.h"
#include "views/profile/legend_bar.h"

#include <QImage>
#include <QtTest/QTest>

using namespace views;

class MiniTimelineTest : public QObject {
    Q_OBJECT

private slots:
    /// By the colour that the legend has for it.
    void whoWaitsForRemoteMemoryIsToldFromOtherWaits() {
        MiniTimeline timeline;
        timeline.step = core::Cycles(300);
        timeline.window.to = timeline.step;
        timeline.window.binCount = 300;
        core::LaneWindow lane;
        for (const auto& [start, kind, cause] :
             {std::tuple(0, core::SpanKind::Forward, core::IdleCause::Imbalance),
              std::tuple(100, core::SpanKind::Idle, core::IdleCause::Offload),
              std::tuple(200, core::SpanKind::Idle, core::IdleCause::Drain)}) {
            core::SpanRecord span;
            span.kind = kind;
            span.cause = cause;
            span.start = core::Cycles(start);
            span.duration = core::Cycles(100);
            lane.spans.push_back(span);
        }
        timeline.window.lanes.push_back(lane);
        timeline.lanes.push_back({core::IpuId(0), {core::StageId(0)}, std::size_t{0}, {}});
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::HighContrast}) {
            const Theme theme(kind);
            QImage image(300, 20, QImage::Format_RGB32);
            image.fill(theme.color(Role::Panel));
            QPainter painter(&image);
            paintMiniTimeline(painter, QRectF(0, 0, 300, 20), timeline,
                              {core::Cycles(), timeline.step, 0, 300}, theme);
            painter.end();
            const auto holds = [&](int from, const QColor& colour) {
                for (int x = from + 2; x < from + 98; ++x)
                    for (int y = 2; y < 16; ++y)
                        if (image.pixelColor(x, y) == colour)
                            return true;
                return false;
            };
            const std::vector<LegendEntry> legend = smallActivityLegend(theme);
            const auto entry = std::ranges::find(legend, QString("Remote memory"), &LegendEntry::name);
            QVERIFY(entry != legend.end());
            QVERIFY(holds(100, entry->colour));
            QVERIFY(entry->pattern == Theme::idlePattern(core::IdleCause::Offload));
            QVERIFY(!holds(0, entry->colour));
            QVERIFY(holds(200, theme.idleFill()));
        }
    }
};

REGISTER_WIDGET_TEST("mini_timeline", MiniTimelineTest)
#include "mini_timeline_test.moc"
