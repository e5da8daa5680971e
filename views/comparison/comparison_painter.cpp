#include "views/comparison/comparison_painter.h"

#include "views/common/text/elided_text.h"
#include "views/common/theme/color_mix.h"
#include "views/common/theme/control_painters.h"
#include "views/common/widgets/chip.h"
#include "views/comparison/difference_lane.h"

#include <algorithm>

namespace views {

namespace {

const core::ComparedMetric* stepMetric(const ComparisonData& data) {
    for (const core::ComparedMetric& metric : data.comparison.metrics) {
        if (metric.name == "step_ns")
            return &metric;
    }
    return nullptr;
}

class TimelinesPass {
public:
    TimelinesPass(QPainter& painter, const ComparisonScene& scene, const ComparisonLayout& layout,
                  const Theme& theme)
        : m_painter(painter)
        , m_scene(scene)
        , m_data(*scene.data)
        , m_layout(layout)
        , m_theme(theme) {}

    void run() {
        m_painter.fillRect(QRectF(0, 0, m_layout.width, m_layout.height), m_theme.color(Role::Canvas));
        paintRuler();
        for (std::size_t run = 0; run < m_data.count(); ++run) {
            paintLanes(run);
            paintHeader(run);
        }
        for (std::size_t run = 0; run < m_data.count(); ++run)
            paintDifferences(run);
        for (std::size_t run = 0; run < m_data.count(); ++run)
            paintRange(run);
        paintCursor();
        if (m_scene.state.fitsEach)
            return;
        paintBaselineEnd();
        paintAnchor();
    }

private:
    [[nodiscard]] TimeScale scaleOf(std::size_t run) const {
        return {m_data.timelines[run].clockHz, m_data.timelines[run].step};
    }

    void text(const QRectF& rect, const QString& text, const QFont& font, Role role,
              Qt::Alignment alignment = Qt::AlignLeft) {
        m_painter.setPen(m_theme.color(role));
        paintElided(m_painter, rect, alignment | Qt::AlignVCenter, text, font);
    }

    void paintRuler() {
        const QRectF ruler = m_layout.ruler();
        m_painter.fillRect(QRectF(0, 0, m_layout.width, ruler.height()), m_theme.color(Role::Panel2));
        m_painter.fillRect(QRectF(0, ruler.bottom() - 1, m_layout.width, 1), m_theme.color(Role::Border));
        const QString note = m_scene.state.fitsEach ? QStringLiteral("Each update in full width")
                                                    : QStringLiteral("Aligned at ") + m_scene.alignmentText();
        text(QRectF(m_layout.px(12), 0, m_layout.headerWidth() - m_layout.px(16), ruler.height()), note,
             m_theme.font(11), Role::Text2);
        if (m_scene.state.fitsEach)
            return;
        const TimeToPixel axis = m_scene.axis(ruler.left(), ruler.width());
        const QFont font = m_theme.mono(10);
        for (const AxisTick& tick : timeTicks(axis, m_scene.state.units.time,
                                              scaleOf(m_data.comparison.baseline), m_theme.px(110))) {
            const double x = std::round(axis.x(tick.at)) + 0.5;
            if (x < ruler.left() || x > ruler.right())
                continue;
            m_painter.setPen(QPen(m_theme.color(tick.isMajor ? Role::BorderStrong : Role::Border), 1));
            m_painter.drawLine(QPointF(x, ruler.bottom() - m_theme.px(tick.isMajor ? 8 : 4)),
                               QPointF(x, ruler.bottom() - 1));
            if (!tick.isMajor)
                continue;
            m_painter.setPen(QPen(m_theme.color(Role::Border), 1));
            m_painter.drawLine(QPointF(x, ruler.bottom()), QPointF(x, m_layout.height));
            const double width = textWidth(tick.label, font);
            if (x + width + 4 < ruler.right())
                text(QRectF(x + 4, 0, width + 2, ruler.height() - m_theme.px(4)), tick.label, font,
                     Role::Text2);
        }
    }

    void paintLanes(std::size_t run) {
        const MiniTimeline& timeline = m_data.timelines[run];
        const QRectF lanes = m_layout.lanes(run);
        const TimeToPixel axis = m_scene.axisOf(run, lanes.left(), lanes.width());
        paintMiniTimeline(m_painter, lanes, timeline, axis, m_theme);
        const double end = axis.x(timeline.step);
        if (end < lanes.left() || end > lanes.right())
            return;
        m_painter.fillRect(
            QRectF(end - 0.75, lanes.top() - m_theme.px(4), 1.5, lanes.height() + m_theme.px(8)),
            m_theme.color(Role::Text));
        paintNotes(run, QRectF(end + m_theme.px(8), lanes.top(), lanes.right() - end - m_theme.px(16),
                               lanes.height()));
    }

    /// What the plan of a run comes to, behind its end where there is space.
    void paintNotes(std::size_t run, const QRectF& space) {
        const QFont font = m_theme.font(11);
        QRectF line(space.left(), space.top(), space.width(), m_theme.px(17));
        const std::vector<std::pair<const char*, const char*>> notes{
            {"micro-batches per update", "%1 micro-batches per update"},
            {"slots with compute", "%1 slots with compute, then update"},
            {"FIFO depth per stage", "FIFO depths %1"},
        };
        for (const auto& [name, pattern] : notes) {
            const auto fact = std::find_if(m_data.comparison.facts.begin(), m_data.comparison.facts.end(),
                                           [&](const core::ComparedFact& f) { return f.name == name; });
            if (fact == m_data.comparison.facts.end() || fact->values[run].empty())
                continue;
            const QString note = QString::fromUtf8(pattern).arg(toQString(fact->values[run]));
            if (textWidth(note, font) > space.width() || line.bottom() > space.bottom())
                return;
            text(line, note, font, Role::Text2);
            line.translate(0, line.height());
        }
    }

    void paintDifferences(std::size_t run) {
        if (m_layout.differences(run).isEmpty())
            return;
        const auto& current = m_scene.difference;
        paintDifferenceLane(m_painter, m_scene, m_layout, run,
                            current && current->run == run ? std::optional(current->piece) : std::nullopt,
                            m_theme);
    }

    /// What the tables are about.
    void paintRange(std::size_t run) {
        const auto range = m_scene.rangeOf(run);
        if (!range)
            return;
        const QRectF lanes = m_layout.lanes(run);
        const TimeToPixel axis = m_scene.axisOf(run, lanes.left(), lanes.width());
        const double from = std::clamp(axis.x(range->from), lanes.left(), lanes.right());
        const double to = std::clamp(axis.x(range->to), lanes.left(), lanes.right());
        m_painter.fillRect(QRectF(from, lanes.top(), to - from, lanes.height()),
                           withAlpha(m_theme.color(Role::Accent), 0.14));
        m_painter.setPen(QPen(m_theme.color(Role::Accent), 1.2));
        for (const double x : {from, to})
            m_painter.drawLine(QPointF(x, lanes.top()), QPointF(x, lanes.bottom()));
    }

    void paintCursor() {
        m_painter.setPen(QPen(withAlpha(m_theme.color(Role::Accent), 0.8), 1));
        for (const QLineF& line : cursorLines(m_scene, m_layout))
            m_painter.drawLine(line);
    }

    void paintHeader(std::size_t run) {
        const QRectF row = m_layout.body(run);
        const double width = m_layout.headerWidth();
        m_painter.fillRect(QRectF(0, row.top(), width - 1, row.height()), m_theme.color(Role::Panel));
        m_painter.fillRect(QRectF(width - 1, row.top(), 1, row.height()), m_theme.color(Role::Border));
        m_painter.fillRect(QRectF(0, row.bottom() - 1, m_layout.width, 1), m_theme.color(Role::Border));
        const bool isBaseline = run == m_data.comparison.baseline;
        const double side = stageChipSide(m_theme);
        paintRunLetter(m_painter, QRectF(m_theme.px(12), row.top() + m_theme.px(11), side, side), run,
                       isBaseline, m_theme);
        const double left = m_theme.px(12) + side + m_theme.px(8);
        const double chips = m_theme.px(30);
        QRectF line(left, row.top() + m_theme.px(10), width - left - chips, m_theme.px(19));
        text(line, runName(m_data, run), m_theme.font(13, QFont::DemiBold), Role::Text);
        line.translate(0, m_theme.px(18));
        line.setHeight(m_theme.px(16));
        text(line, runSubtitle(m_data, run), m_theme.font(11), Role::Text2);
        line.translate(0, m_theme.px(19));
        paintDelta(line, run, isBaseline);
        line.translate(0, m_theme.px(17));
        if (line.bottom() <= row.bottom())
            text(line, timeText(m_data.timelines[run].step, m_scene.state.units.time, scaleOf(run)).joined(),
                 m_theme.mono(11), Role::Text);
        paintMiniChips(m_painter,
                       QRectF(width - chips, m_layout.lanes(run).top(), chips - m_theme.px(10),
                              m_layout.lanes(run).height()),
                       m_data.timelines[run], m_theme);
    }

    void paintDelta(const QRectF& line, std::size_t run, bool isBaseline) {
        if (isBaseline) {
            const QString word = QStringLiteral("baseline");
            paintChip(m_painter, QRectF(line.left(), line.top(), chipWidth(word, m_theme), m_theme.px(16)),
                      word, ChipTone::Accent, m_theme);
            return;
        }
        const core::ComparedMetric* step = stepMetric(m_data);
        if (step == nullptr)
            return;
        const std::optional<bool> better = isBetter(*step, run);
        const Role role = !better ? Role::Text2 : *better ? Role::Success : Role::Error;
        text(line, QStringLiteral("step ") + deltaText(*step, run), m_theme.mono(11), role);
    }

    void paintBaselineEnd() {
        const QRectF ruler = m_layout.ruler();
        const TimeToPixel axis = m_scene.axis(ruler.left(), ruler.width());
        const double x = axis.x(m_scene.length(m_data.comparison.baseline));
        if (x < ruler.left() || x > ruler.right())
            return;
        QPen pen(m_theme.color(Role::Accent), 1.3);
        pen.setDashPattern({4, 3});
        m_painter.setPen(pen);
        m_painter.drawLine(QPointF(x, ruler.bottom()), QPointF(x, m_layout.height));
    }

    /// Where what the runs are aligned by begins in all of them.
    void paintAnchor() {
        const auto anchor = m_scene.anchor(m_data.comparison.baseline);
        if (m_scene.state.alignment == TimelineAlignment::Step || !anchor)
            return;
        const QRectF ruler = m_layout.ruler();
        const double x = m_scene.axis(ruler.left(), ruler.width()).x(*anchor);
        if (x < ruler.left() || x > ruler.right())
            return;
        m_painter.setPen(QPen(m_theme.color(Role::Accent), 1.3));
        m_painter.drawLine(QPointF(x, ruler.bottom() - m_theme.px(8)), QPointF(x, m_layout.height));
    }

    QPainter& m_painter;
    const ComparisonScene& m_scene;
    const ComparisonData& m_data;
    const ComparisonLayout& m_layout;
    const Theme& m_theme;
};

} // namespace

void paintRunLetter(QPainter& painter, const QRectF& rect, std::size_t run, bool isBaseline,
                    const Theme& theme) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    paintCard(painter, rect, 4, theme.color(isBaseline ? Role::AccentFill : Role::Raised),
              theme.color(isBaseline ? Role::AccentFill : Role::BorderStrong), theme.frameWidth());
    painter.setPen(theme.color(isBaseline ? Role::OnAccent : Role::Text));
    painter.setFont(theme.font(11, QFont::DemiBold));
    painter.drawText(rect, Qt::AlignCenter, runLetter(run));
    painter.restore();
}

void paintComparisonTimelines(QPainter& painter, const ComparisonScene& scene, const ComparisonLayout& layout,
                              const Theme& theme) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    TimelinesPass(painter, scene, layout, theme).run();
    painter.restore();
}

} // namespace views
