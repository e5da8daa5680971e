#include "views/plan/schedule/schedule_painter.h"

#include "core/profile/records/span_label.h"
#include "views/common/text/elided_text.h"
#include "views/common/text/number_text.h"
#include "views/common/widgets/chip.h"
#include "views/profile/legend_bar.h"
#include "views/profile/time/band_painter.h"
#include "views/profile/time/span_painter.h"

#include <algorithm>
#include <map>

namespace views {

namespace {

/// One pass over the picture.
class SchedulePass {
public:
    SchedulePass(QPainter& painter, const ScheduleChart& chart, const ScheduleState& state,
                 const ScheduleLayout& layout, const Theme& theme)
        : m_painter(painter)
        , m_chart(chart)
        , m_state(state)
        , m_layout(layout)
        , m_theme(theme)
        , m_visible(painter.hasClipping() ? painter.clipBoundingRect()
                                          : QRectF(0, 0, layout.width, layout.height)) {}

    void run() {
        m_painter.fillRect(QRectF(0, 0, m_layout.width, m_layout.height), m_theme.color(Role::Canvas));
        if (!m_layout.isCompact)
            paintTitle();
        paintBands();
        for (std::size_t row = 0; row < m_chart.rows.size(); ++row) {
            if (isSeen(row))
                paintRow(row);
        }
        for (const ScheduleColumn& column : m_layout.columns) {
            if (column.left - columnMargin < m_visible.right() &&
                column.left + column.width + columnMargin > m_visible.left())
                paintColumn(column);
        }
        paintHostHeaders();
        if (!m_layout.isCompact)
            paintLegendLine();
        paintRing();
    }

private:
    /// Numbers of slots may reach a little over the edges of their columns.
    static constexpr double columnMargin = 4;

    [[nodiscard]] bool isSeen(std::size_t row) const { return m_layout.row(row).intersects(m_visible); }

    void text(const QRectF& rect, Qt::Alignment alignment, const QString& text, const QFont& font,
              Role role) {
        m_painter.setPen(m_theme.color(role));
        paintElided(m_painter, rect, alignment, text, font);
    }

    void paintTitle() {
        const double left = m_theme.px(12);
        const double width = std::min(m_layout.width, m_visible.right()) - 2 * left;
        text(QRectF(left, m_theme.px(8), width, m_theme.px(20)), Qt::AlignLeft | Qt::AlignVCenter,
             m_chart.subject.empty() ? QStringLiteral("Schedule") : toQString(m_chart.subject),
             m_theme.font(14, QFont::DemiBold), Role::Text);
        text(QRectF(left, m_theme.px(28), width, m_theme.px(18)), Qt::AlignLeft | Qt::AlignVCenter,
             toQString(m_chart.description()), m_theme.font(11), Role::Text2);
    }

    /// Slots that are left out are in the middle of the band that most of them belong to.
    [[nodiscard]] core::ScheduleBand bandOf(const ScheduleColumn& column) const {
        if (column.kind == ScheduleColumn::Kind::Update)
            return core::ScheduleBand::Update;
        if (column.kind == ScheduleColumn::Kind::Slot)
            return m_chart.slotList[column.slot].band;
        std::map<core::ScheduleBand, std::size_t> counts;
        for (std::size_t i = column.slot; i < column.slot + column.omitted; ++i)
            ++counts[m_chart.slotList[i].band];
        return std::max_element(counts.begin(), counts.end(),
                                [](const auto& a, const auto& b) { return a.second < b.second; })
            ->first;
    }

    /// Neighbouring columns of one band share its bar.
    void paintBands() {
        const double height = m_theme.px(14);
        for (std::size_t i = 0; i < m_layout.columns.size();) {
            const ScheduleColumn& first = m_layout.columns[i];
            std::size_t last = i;
            while (last + 1 < m_layout.columns.size() && bandOf(m_layout.columns[last + 1]) == bandOf(first))
                ++last;
            const ScheduleColumn& end = m_layout.columns[last];
            paintBand(m_painter,
                      QRectF(first.left, m_layout.bandTop, end.left + end.width - first.left, height),
                      bandOf(first), m_theme);
            i = last + 1;
        }
    }

    void paintRow(std::size_t row) {
        const ScheduleRow& ipu = m_chart.rows[row];
        const QRectF rect = m_layout.row(row);
        const QRectF lane(0, rect.top() + 1, rect.width(), rect.height() - 2);
        const bool hasStage = !ipu.stages.empty();
        m_painter.fillRect(lane, hasStage ? m_theme.stageLane(ipu.stages.front().index())
                                          : m_theme.color(Role::Canvas));
        if (hasStage)
            m_painter.fillRect(QRectF(0, lane.top(), m_theme.px(3.5), lane.height()),
                               m_theme.stage(ipu.stages.front().index()));
        const double side = stageChipSide(m_theme);
        double x = m_theme.px(12);
        const std::size_t shown = std::min<std::size_t>(ipu.stages.size(), 6);
        for (std::size_t i = 0; i < shown; ++i, x += side + m_theme.px(3))
            paintStageChip(m_painter, QRectF(x, rect.center().y() - side / 2, side, side),
                           ipu.stages[i].index(), m_theme);
        x += m_theme.px(5);
        const double right = m_layout.headerWidth - m_theme.px(8);
        QRectF name(x, rect.top(), right - x, rect.height());
        text(name, Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("IPU %1").arg(ipu.ipu.value()),
             m_theme.font(12), Role::Text);
        const double nameWidth = textWidth(QStringLiteral("IPU %1").arg(ipu.ipu.value()), m_theme.font(12));
        name.setLeft(name.left() + nameWidth + m_theme.px(6));
        if (m_chart.isTraining && ipu.fifoDepth > 0)
            text(name, Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("FIFO %1").arg(ipu.fifoDepth),
                 m_theme.mono(10), Role::Text3);
    }

    void paintColumn(const ScheduleColumn& column) {
        const QRectF number(column.left - 3, m_layout.numberTop, column.width + 6, m_theme.px(16));
        if (column.kind == ScheduleColumn::Kind::Omitted) {
            text(number, Qt::AlignCenter, QStringLiteral("⋯"), m_theme.mono(10), Role::Text2);
            paintOmitted(column);
            return;
        }
        if (column.kind == ScheduleColumn::Kind::Update) {
            for (std::size_t row = 0; row < m_chart.rows.size(); ++row)
                paintUpdate(m_layout.place(column, row));
            return;
        }
        text(number, Qt::AlignCenter, QString::number(column.slot), m_theme.mono(10), Role::Text2);
        const ScheduleSlot& slot = m_chart.slotList[column.slot];
        for (std::size_t row = 0; row < m_chart.rows.size(); ++row) {
            if (!isSeen(row))
                continue;
            const std::vector<ScheduleCell>& work = slot.work[row];
            QRectF idle = m_layout.place(column, row);
            idle.setLeft(idle.left() + double(work.size()) * m_layout.cellWidth);
            idle.setWidth(std::max(0.0, idle.width() - 1));
            if (idle.width() > 1)
                paintPlainGap(m_painter, idle, m_theme);
            for (std::size_t i = 0; i < work.size(); ++i)
                paintCell(m_layout.cell(column, row, i), work[i]);
        }
        paintHost(column, slot.infeed, 0);
        paintHost(column, slot.outfeed, 1);
    }

    void paintOmitted(const ScheduleColumn& column) {
        const double height = double(m_chart.rows.size()) * m_layout.rowHeight;
        const QRectF rect(column.left, m_layout.rowTop, column.width, height);
        const QRectF upper(rect.left(), rect.center().y() - m_theme.px(16), rect.width(), m_theme.px(16));
        text(upper, Qt::AlignCenter, QString::number(column.omitted), m_theme.mono(11, QFont::DemiBold),
             Role::Text2);
        text(upper.translated(0, m_theme.px(16)), Qt::AlignCenter, QStringLiteral("more slots"),
             m_theme.font(10), Role::Text3);
    }

    void paintUpdate(const QRectF& rect) {
        core::SpanRecord span;
        span.kind = core::SpanKind::WeightUpdate;
        const SpanEmphasis emphasis = m_state.microBatch ? SpanEmphasis::Muted : SpanEmphasis::Normal;
        paintSpan(m_painter, rect, toQString(core::spanLabel(span)),
                  spanColours(span, SpanColour::Phase, emphasis, m_theme), emphasis, m_theme);
    }

    void paintCell(const QRectF& rect, const ScheduleCell& cell) {
        core::SpanRecord span;
        span.kind = cell.kind;
        span.stage = cell.stage;
        span.microBatch = cell.microBatch;
        const bool isOther = m_state.microBatch && *m_state.microBatch != cell.microBatch;
        const SpanEmphasis emphasis = isOther || !cell.computes ? SpanEmphasis::Muted
                                      : m_state.microBatch      ? SpanEmphasis::Framed
                                                                : SpanEmphasis::Normal;
        paintSpan(m_painter, rect, toQString(core::spanLabel(span)),
                  spanColours(span, SpanColour::Phase, emphasis, m_theme), emphasis, m_theme);
        if (!cell.stage.isValid())
            return;
        const double stripe = m_theme.px(3);
        m_painter.fillRect(QRectF(rect.left() + 2, rect.bottom() - stripe - 1.5, rect.width() - 4, stripe),
                           m_theme.stage(cell.stage.index()));
    }

    /// What the host gives or takes in a slot, in its line.
    void paintHost(const ScheduleColumn& column, const std::optional<std::int64_t>& microBatch, int line) {
        if (!microBatch)
            return;
        const QRectF rect(column.left, m_layout.hostTop + line * m_layout.lineHeight, m_layout.cellWidth - 1,
                          m_layout.lineHeight - 2);
        core::SpanRecord span;
        span.kind = line == 0 ? core::SpanKind::Infeed : core::SpanKind::Outfeed;
        const SpanEmphasis emphasis = m_state.microBatch && *m_state.microBatch != *microBatch
                                          ? SpanEmphasis::Muted
                                          : SpanEmphasis::Normal;
        paintSpan(m_painter, rect, QString::number(*microBatch),
                  spanColours(span, SpanColour::Phase, emphasis, m_theme), emphasis, m_theme);
    }

    void paintHostHeaders() {
        const double right = m_layout.headerWidth - m_theme.px(8);
        for (int line = 0; line < 2; ++line)
            text(QRectF(0, m_layout.hostTop + line * m_layout.lineHeight, right, m_layout.lineHeight),
                 Qt::AlignRight | Qt::AlignVCenter,
                 line == 0 ? QStringLiteral("infeed") : QStringLiteral("outfeed"), m_theme.font(10),
                 Role::Text3);
    }

    void paintLegendLine() {
        std::vector<LegendEntry> entries;
        for (const LegendEntry& entry : activityLegend(m_theme)) {
            if (isShown(static_cast<Activity>(entry.id)))
                entries.push_back(entry);
        }
        entries.push_back({-1, QStringLiteral("Idle"), m_theme.idleFill(), HatchPattern::Slash});
        paintLegend(m_painter,
                    QRectF(m_layout.headerWidth, m_layout.legendTop, m_layout.width - m_layout.headerWidth,
                           m_theme.px(20)),
                    entries, {}, m_theme);
    }

    [[nodiscard]] bool isShown(Activity activity) const {
        if (activity == Activity::Host)
            return true;
        if (activity == Activity::WeightUpdate)
            return m_chart.updateAfter.has_value();
        return std::any_of(m_chart.slotList.begin(), m_chart.slotList.end(), [&](const ScheduleSlot& slot) {
            return std::any_of(slot.work.begin(), slot.work.end(), [&](const auto& work) {
                return std::any_of(work.begin(), work.end(), [&](const ScheduleCell& cell) {
                    return activityOf(cell.kind) == activity;
                });
            });
        });
    }

    void paintRing() {
        if (!m_state.selected)
            return;
        for (const ScheduleColumn& column : m_layout.columns) {
            if (column.kind == ScheduleColumn::Kind::Slot && column.slot == m_state.selected->slot)
                paintSpanRing(m_painter,
                              m_layout.cell(column, m_state.selected->row, m_state.selected->index), m_theme);
        }
    }

    QPainter& m_painter;
    const ScheduleChart& m_chart;
    const ScheduleState& m_state;
    const ScheduleLayout& m_layout;
    const Theme& m_theme;
    /// Only what is inside is painted.
    const QRectF m_visible;
};

} // namespace

void paintSchedule(QPainter& painter, const ScheduleChart& chart, const ScheduleState& state,
                   const ScheduleLayout& layout, const Theme& theme) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    SchedulePass(painter, chart, state, layout, theme).run();
    painter.restore();
}

Picture schedulePicture(const ScheduleChart& chart, const Theme& theme, const QSizeF& size,
                        const ScheduleState& state) {
    const ScheduleLayout layout =
        layOut(chart, theme, std::max(0.0, size.width()), std::max(0.0, size.height()));
    const QString subject = chart.subject.empty() ? QStringLiteral("Schedule") : toQString(chart.subject);
    return {subject, QSizeF(layout.width, layout.height), [chart, state, layout, theme](QPainter& painter) {
                paintSchedule(painter, chart, state, layout, theme);
            }};
}

} // namespace views
