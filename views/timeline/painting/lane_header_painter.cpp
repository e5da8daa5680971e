#include "views/common/text/elided_text.h"
#include "views/common/theme/icons.h"
#include "views/common/widgets/chip.h"
#include "views/timeline/painting/counter_texts.h"
#include "views/timeline/painting/program_depth.h"
#include "views/timeline/painting/timeline_painter.h"

#include <array>

namespace views {

namespace {

class HeaderPainter {
public:
    HeaderPainter(QPainter& painter, const TimelineScene& scene, const Theme& theme)
        : m_painter(painter)
        , m_scene(scene)
        , m_theme(theme)
        , m_width(scene.layout.px(TimelineSizes{}.headerWidth)) {}

    void paintRows(const QRectF& lanes, const std::vector<TimelineRow>& rows) {
        m_painter.save();
        m_painter.setClipRect(QRectF(0, lanes.top(), m_width, lanes.height()), Qt::IntersectClip);
        for (const TimelineRow& row : rows) {
            const QRectF rect(0, m_scene.rowTop(row), m_width, row.height);
            if (rect.bottom() >= lanes.top() && rect.top() <= lanes.bottom())
                paintRow(row, rect);
        }
        m_painter.restore();
    }

    void paintCorner() {
        const QRectF overview(0, 0, m_width, m_scene.layout.overview().height());
        const QRectF ruler(0, overview.bottom(), m_width, m_scene.layout.ruler().height());
        m_painter.fillRect(overview.united(ruler), m_theme.color(Role::Panel));
        const TimelineFrame& frame = *m_scene.frame;
        const Units& units = m_scene.state.units;
        const OverviewRange range = overviewRange(frame, m_scene.state.view);
        const double left = m_theme.px(10);
        text(QRectF(left, overview.top() + m_theme.px(8), m_width - 2 * left, m_theme.px(18)),
             QStringLiteral("Overview"), m_theme.font(12, QFont::DemiBold), Role::Text);
        const QString shown =
            range.count == frame.updates
                ? QStringLiteral("%1 %2").arg(range.count).arg(frame.updates == 1 ? "update" : "updates")
                : QStringLiteral("updates %1–%2 of %3")
                      .arg(range.first)
                      .arg(range.first + range.count - 1)
                      .arg(groupedText(frame.updates));
        const NumberText length = timeText(range.count * frame.step, absolute(units.time), frame.timeScale());
        text(QRectF(left, overview.top() + m_theme.px(26), m_width - 2 * left, m_theme.px(16)),
             shown + QStringLiteral(" · ") + length.joined(), m_theme.font(11), Role::Text2);

        const NumberText inView = timeText(m_scene.state.view.length(), units.time, frame.timeScale());
        text(QRectF(left, ruler.top() + m_theme.px(6), m_width - 2 * left, m_theme.px(16)),
             inView.joined() + QStringLiteral(" in view"), m_theme.mono(11, QFont::Medium), Role::Text);
        text(QRectF(left, ruler.top() + m_theme.px(22), m_width - 2 * left - m_theme.px(30), m_theme.px(16)),
             QStringLiteral("from start of update %1").arg(m_scene.updatesInView().first), m_theme.font(11),
             Role::Text3);
        text(QRectF(left, ruler.top() + m_theme.px(15), m_width - 2 * left, m_theme.px(15)),
             QStringLiteral("slot"), m_theme.font(10), Role::Text3, Qt::AlignRight | Qt::AlignVCenter);
        line(QPointF(0, overview.bottom() - 0.5), QPointF(m_width, overview.bottom() - 0.5), Role::Border);
        line(QPointF(0, ruler.bottom() - 0.5), QPointF(m_width, ruler.bottom() - 0.5), Role::BorderStrong);
    }

    void paintEdge() {
        line(QPointF(m_width - 0.5, 0), QPointF(m_width - 0.5, m_scene.layout.height), Role::Border);
    }

private:
    /// A length of several updates is no share of one.
    static TimeUnit absolute(TimeUnit unit) {
        return unit == TimeUnit::PercentOfStep ? TimeUnit::Time : unit;
    }

    void text(const QRectF& rect, const QString& words, const QFont& font, Role role,
              Qt::Alignment alignment = Qt::AlignLeft | Qt::AlignVCenter) {
        m_painter.setPen(m_theme.color(role));
        paintElided(m_painter, rect, alignment, words, font);
    }

    /// Level or upright, a pixel thick: as a rectangle, since smooth lines take far longer.
    void line(const QPointF& from, const QPointF& to, Role role) {
        const QRectF middle(from, to);
        m_painter.fillRect(from.y() == to.y() ? middle.adjusted(0, -0.5, 0, 0.5)
                                              : middle.adjusted(-0.5, 0, 0.5, 0),
                           m_theme.color(role));
    }

    void chevron(double x, double middle, bool isOpen) {
        const double side = m_theme.px(14);
        paintIcon(m_painter, QRectF(x, middle - side / 2, side, side),
                  isOpen ? QStringLiteral("chevron") : QStringLiteral("chevron-right"),
                  m_theme.color(Role::Text3));
    }

    void paintRow(const TimelineRow& row, const QRectF& rect) {
        m_painter.fillRect(rect,
                           m_theme.color(row.kind == RowKind::ReplicaHeader ? Role::Panel2 : Role::Panel));
        switch (row.kind) {
        case RowKind::ReplicaHeader:
            return paintReplica(row, rect);
        case RowKind::Counter:
            return paintCounter(row, rect);
        case RowKind::Ipu:
        case RowKind::CollapsedIpu:
            return paintIpu(row, rect);
        }
    }

    void paintReplica(const TimelineRow& row, const QRectF& rect) {
        const bool isOpen = row.replica == 0 || m_scene.state.showsReplicas;
        const std::int64_t last = m_scene.frame->provenance.replicas - 1;
        chevron(m_theme.px(6), rect.center().y(), isOpen);
        const QString name = row.replica == 0 || last == 1 ? QStringLiteral("Replica %1").arg(row.replica)
                                                           : QStringLiteral("Replicas 1–%1").arg(last);
        text(rect.adjusted(m_theme.px(26), 0, -m_theme.px(8), 0), name, m_theme.font(12, QFont::DemiBold),
             Role::Text);
        line(QPointF(0, rect.bottom() - 0.5), QPointF(m_width, rect.bottom() - 0.5), Role::Border);
    }

    void paintIpu(const TimelineRow& row, const QRectF& rect) {
        const TimelineIpu& ipu = m_scene.frame->ipus[row.ipu];
        const bool isCollapsed = row.kind == RowKind::CollapsedIpu;
        const double lineHeight = isCollapsed ? rect.height() : m_theme.px(28);
        const double middle = rect.top() + lineHeight / 2 + (isCollapsed ? 0 : m_theme.px(3));
        if (!ipu.stages.empty())
            m_painter.fillRect(QRectF(0, rect.top(), m_theme.px(3.5), rect.height()),
                               m_theme.stage(row.stage.value_or(ipu.stages.front()).index()));
        if (row.replica == 0)
            chevron(m_theme.px(7), middle, !isCollapsed);
        double x = m_theme.px(26);
        const double chip =
            isCollapsed ? std::min(stageChipSide(m_theme), rect.height() - 2) : stageChipSide(m_theme);
        constexpr std::size_t mostChips = 2;
        const std::vector<core::StageId> stages =
            row.stage ? std::vector<core::StageId>{*row.stage} : ipu.stages;
        for (std::size_t i = 0; i < std::min(stages.size(), mostChips); ++i) {
            paintStageChip(m_painter, QRectF(x, middle - chip / 2, chip, chip), stages[i].index(), m_theme);
            x += chip + m_theme.px(3);
        }
        x += m_theme.px(4);
        const double pin = row.replica == 0 ? m_theme.px(24) : m_theme.px(8);
        const QString busy = percentText(ipu.busyShare, 1);
        const QFont mono = m_theme.mono(11);
        const double busyWidth = textWidth(busy, mono) + 2;
        const std::int64_t number = row.replica * m_scene.frame->provenance.ipusPerReplica + ipu.ipu.value();
        text(QRectF(x, middle - m_theme.px(9), m_width - x - pin - busyWidth - m_theme.px(4), m_theme.px(18)),
             QStringLiteral("IPU %1").arg(number), // the chip says the stage
             m_theme.font(12, isCollapsed ? QFont::Normal : QFont::DemiBold), Role::Text);
        text(QRectF(m_width - pin - busyWidth, middle - m_theme.px(9), busyWidth, m_theme.px(18)), busy, mono,
             Role::Text2, Qt::AlignRight | Qt::AlignVCenter);
        if (row.replica == 0) {
            const double side = m_theme.px(13);
            paintIcon(m_painter, QRectF(m_width - m_theme.px(19), middle - side / 2, side, side),
                      QStringLiteral("pin"), m_theme.color(row.isPinned ? Role::Accent : Role::Disabled));
        }
        if (!isCollapsed) {
            paintLaneNames(rect);
            line(QPointF(0, rect.bottom() - 0.5), QPointF(m_width, rect.bottom() - 0.5), Role::Border);
        }
    }

    void paintLaneNames(const QRectF& rect) {
        static const std::array<std::pair<core::LaneKind, const char*>, 4> names{
            {{core::LaneKind::RemoteMemory, "remote memory"},
             {core::LaneKind::Exchange, "exchange"},
             {core::LaneKind::Sync, "sync"},
             {core::LaneKind::Host, "host"}}};
        const auto name = [&](const QString& words, double middle) {
            text(QRectF(m_theme.px(26), middle - m_theme.px(7), m_width - m_theme.px(36), m_theme.px(14)),
                 words, m_theme.font(10), Role::Text3, Qt::AlignRight | Qt::AlignVCenter);
        };
        for (const auto& [kind, words] : names)
            if (const TimelineLayout::LaneBox box = m_scene.layout.laneBox(kind); box.height > 0)
                name(QString::fromLatin1(words), rect.top() + box.top + box.height / 2);
        const TimelineLayout::LaneBox compute = m_scene.layout.laneBox(core::LaneKind::Compute);
        if (!m_scene.state.isDeep || !m_scene.depths)
            return;
        constexpr std::array<const char*, depthLevelCount> levels{"layers", "operations", "steps"};
        if (const auto boxes = depthBoxes(
                QRectF(0, rect.top() + compute.top, m_scene.layout.width, compute.height), m_theme))
            for (std::size_t level = 0; level < depthLevelCount; ++level)
                name(QString::fromLatin1(levels[level]), boxes->levels[level].center().y());
    }

    void paintCounter(const TimelineRow& row, const QRectF& rect) {
        const TimelineIpu& ipu = m_scene.frame->ipus[row.ipu];
        if (!ipu.stages.empty())
            m_painter.fillRect(QRectF(0, rect.top(), m_theme.px(3.5), rect.height()),
                               m_theme.stage(ipu.stages.front().index()));
        const double left = m_theme.px(26);
        const double middle = rect.center().y();
        if (row.counter)
            return paintRate(ipu, *row.counter, rect);
        text(QRectF(left, middle - m_theme.px(16), m_width - left - 8, m_theme.px(16)),
             QStringLiteral("IPU %1 live bytes").arg(ipu.ipu.value()), m_theme.font(11), Role::Text);
        text(QRectF(left, middle, m_width - left - 8, m_theme.px(16)),
             QStringLiteral("peak ") + bytesText(ipu.peak, m_scene.state.units.bytes).joined(),
             m_theme.mono(10), Role::Text2);
        line(QPointF(0, rect.bottom() - 0.5), QPointF(m_width, rect.bottom() - 0.5), Role::Border);
    }

    /// The name of what flows, and what the full height of its row is.
    void paintRate(const TimelineIpu& ipu, core::Counter counter, const QRectF& rect) {
        const double left = m_theme.px(26);
        const double middle = rect.center().y();
        text(QRectF(left, middle - m_theme.px(15), m_width - left - 8, m_theme.px(15)), counterName(counter),
             m_theme.font(11), Role::Text);
        const double top =
            m_scene.counterTops ? counterTop(*m_scene.frame, *m_scene.counterTops, counter) : 0;
        const bool isKnown =
            top > 0 && m_scene.counters && m_scene.counters->curveOf(ipu.ipu, counter) != nullptr;
        text(QRectF(left, middle, m_width - left - 8, m_theme.px(14)),
             !isKnown ? QStringLiteral("none here")
             : counter == core::Counter::BusyTiles
                 ? QStringLiteral("of ") + groupedText(std::int64_t(top))
                 : QStringLiteral("means, of ") + counterText(*m_scene.frame, counter, top),
             m_theme.mono(10), Role::Text2);
        line(QPointF(0, rect.bottom() - 0.5), QPointF(m_width, rect.bottom() - 0.5), Role::Border);
    }

    QPainter& m_painter;
    const TimelineScene& m_scene;
    const Theme& m_theme;
    double m_width;
};

} // namespace

void paintLaneHeaders(QPainter& painter, const TimelineScene& scene, const Theme& theme) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    HeaderPainter headers(painter, scene, theme);
    const QRectF lanes = scene.layout.lanes();
    painter.fillRect(QRectF(0, lanes.top(), scene.layout.px(TimelineSizes{}.headerWidth), lanes.height()),
                     theme.color(Role::Panel));
    headers.paintRows(scene.layout.pinnedLanes(), scene.layout.pinnedRows);
    headers.paintRows(lanes, scene.layout.rows);
    headers.paintCorner();
    headers.paintEdge();
    painter.restore();
}

} // namespace views
