#include "core/profile/records/span_label.h"
#include "views/common/text/elided_text.h"
#include "views/common/theme/color_mix.h"
#include "views/common/theme/hatch.h"
#include "views/timeline/painting/counter_texts.h"
#include "views/timeline/painting/timeline_painter.h"

#include <QPainterPath>
#include <algorithm>
#include <array>
#include <cmath>

namespace views {

namespace {

using core::LaneKind;
using core::SpanKind;

/// Paths of more points are drawn without smooth edges, and into pixels as columns: a few hundred points of a
/// smooth curve as wide as a large screen take as long as all the rest of a frame.
constexpr int smoothPoints = 80;

/// Paints the lanes of one row after the other.
class LanePainter {
public:
    LanePainter(QPainter& painter, const TimelineScene& scene, const Theme& theme)
        : m_painter(painter)
        , m_scene(scene)
        , m_frame(*scene.frame)
        , m_theme(theme)
        , m_axis(scene.axis())
        , m_perCycle(m_axis.pixelsPerCycle())
        , m_byPhase(SpanColour::Phase, theme)
        , m_byChoice(scene.state.colour, theme)
        , m_gridLines(gridLines()) {}

    /// The rows of a block, as far as they meet `clip`; rows paint their own ground, what is left of the
    /// block gets the canvas.
    void paint(const QRectF& block, const QRectF& clip, const std::vector<TimelineRow>& rows) {
        if (clip.isEmpty())
            return;
        m_painter.save();
        m_painter.setClipRect(clip, Qt::IntersectClip);
        double bottom = block.top();
        for (const TimelineRow& row : rows) {
            m_row = QRectF(block.left(), m_scene.rowTop(row), block.width(), row.height);
            bottom = m_row.bottom();
            if (m_row.bottom() >= clip.top() && m_row.top() <= clip.bottom())
                paintRow(row);
        }
        if (bottom < clip.bottom())
            m_painter.fillRect(QRectF(QPointF(block.left(), bottom), block.bottomRight()),
                               m_theme.color(Role::Canvas));
        m_painter.restore();
    }

private:
    void paintRow(const TimelineRow& row) {
        m_stage = row.stage;
        if (row.kind == RowKind::ReplicaHeader)
            return paintReplicaHeader(row);
        const TimelineIpu& ipu = m_frame.ipus[row.ipu];
        const QColor lane = ipu.stages.empty()
                                ? m_theme.color(Role::Canvas)
                                : m_theme.stageLane(row.stage.value_or(ipu.stages.front()).index());
        m_painter.fillRect(m_row, row.replica == 0 ? lane : m_theme.color(Role::Canvas));
        if (row.kind != RowKind::CollapsedIpu)
            paintGrid();
        if (row.kind == RowKind::Counter)
            return row.counter ? paintRate(ipu, *row.counter) : paintCounter(ipu);
        if (row.kind == RowKind::CollapsedIpu) {
            const double inset = m_theme.px(2);
            paintLane(ipu, LaneKind::Compute, QRectF(0, m_row.top() + inset, 0, m_row.height() - 2 * inset),
                      true);
        } else {
            for (std::size_t kind = 0; kind < core::laneKindCount; ++kind) {
                const auto laneKind = static_cast<LaneKind>(kind);
                const TimelineLayout::LaneBox box = m_scene.layout.laneBox(laneKind);
                paintLane(ipu, laneKind, QRectF(0, m_row.top() + box.top, 0, box.height), false);
            }
        }
        m_painter.setPen(QPen(m_theme.color(Role::Border), 1));
        if (row.kind == RowKind::Ipu)
            m_painter.drawLine(QPointF(m_row.left(), m_row.bottom() - 0.5),
                               QPointF(m_row.right(), m_row.bottom() - 0.5));
    }

    void paintReplicaHeader(const TimelineRow& row) {
        m_painter.fillRect(m_row, m_theme.color(Role::Panel2));
        const core::RunProvenance& p = m_frame.provenance;
        const std::int64_t perReplica = p.batchSize * p.microBatches;
        QString text;
        if (row.replica == 0)
            text = QStringLiteral("samples 0–%1 of the effective batch %2 · IPUs 0–%3")
                       .arg(groupedText(perReplica - 1), groupedText(perReplica * p.replicas))
                       .arg(p.ipusPerReplica - 1);
        else
            text = QStringLiteral("identical by construction; differ only in data · IPUs %1–%2")
                       .arg(p.ipusPerReplica)
                       .arg(p.ipus - 1);
        m_painter.setPen(m_theme.color(Role::Text3));
        paintElided(m_painter, m_row.adjusted(m_theme.px(9), 0, -m_theme.px(9), 0), Qt::AlignVCenter, text,
                    m_theme.font(11));
        m_painter.setPen(QPen(m_theme.color(Role::Border), 1));
        m_painter.drawLine(QPointF(m_row.left(), m_row.bottom() - 0.5),
                           QPointF(m_row.right(), m_row.bottom() - 0.5));
    }

    /// Where slots begin, not closer than the eye tells apart. However many there are, those that begin
    /// within that distance are passed at once.
    [[nodiscard]] std::vector<double> gridLines() const {
        constexpr double closest = 12;
        std::vector<double> lines;
        const double right = m_axis.left + m_axis.width;
        if (!m_scene.updateSlots)
            return lines;
        const std::vector<core::SlotTime>& times = m_scene.updateSlots->times;
        forEachUpdate([&](core::Cycles offset) {
            const auto firstFrom = [&](auto from, double x) {
                return std::partition_point(from, times.end(), [&](const core::SlotTime& slot) {
                    return xOf(offset + slot.start) < x;
                });
            };
            double last = -1e9;
            // Rounding may bring a line a pixel nearer.
            for (auto slot = firstFrom(times.begin(), -1); slot != times.end();) {
                const double x = std::round(xOf(offset + slot->start)) + 0.5;
                if (x > right + closest)
                    break;
                if (x - last < closest) {
                    slot = std::max(slot + 1, firstFrom(slot, last + closest - 1));
                    continue;
                }
                lines.push_back(x);
                last = x;
                ++slot;
            }
        });
        return lines;
    }

    /// Faint lines where slots begin.
    void paintGrid() {
        const bool isVector = isVectorDevice(m_painter);
        m_painter.setPen(QPen(m_theme.color(Role::Border), 1));
        for (const double x : m_gridLines) {
            if (x < m_row.left() || x > m_row.right())
                continue;
            // Lines are in the middle of a pixel; as a path one takes ten times as long.
            if (isVector)
                m_painter.drawLine(QPointF(x, m_row.top()), QPointF(x, m_row.bottom()));
            else
                m_painter.fillRect(QRectF(x - 0.5, m_row.top(), 1, m_row.height()),
                                   m_theme.color(Role::Border));
        }
    }

    /// As the axis has it.
    [[nodiscard]] double xOf(core::Cycles time) const {
        return m_axis.left + static_cast<double>((time - m_axis.from).value()) * m_perCycle;
    }

    template <class Draw>
    void forEachUpdate(Draw draw) const {
        const auto [first, last] = m_scene.updatesInView();
        for (std::int64_t update = first; update <= last; ++update)
            draw(update * m_frame.step);
    }

    [[nodiscard]] const core::LaneWindow* windowOf(const TimelineIpu& ipu, LaneKind kind) const {
        const auto lane = ipu.lane(kind);
        if (!lane || !m_scene.window || !m_scene.shares)
            return nullptr;
        const auto& lanes = m_scene.window->lanes;
        const auto found = std::find_if(lanes.begin(), lanes.end(),
                                        [&](const core::LaneWindow& w) { return w.lane.id == *lane; });
        return found == lanes.end() ? nullptr : &*found;
    }

    void paintLane(const TimelineIpu& ipu, LaneKind kind, const QRectF& box, bool isMini) {
        const core::LaneWindow* window = windowOf(ipu, kind);
        if (window == nullptr)
            return;
        const double mostRate = kind == LaneKind::Exchange ? highestRate(*window) : 0;
        ThinExchange thin;
        const auto index = static_cast<std::size_t>(window - m_scene.window->lanes.data());
        forEachUpdate([&](core::Cycles offset) {
            paintBins((*m_scene.shares)[index], offset, box, kind);
            for (const core::SpanRecord& span : window->spans) {
                const double fromX = xOf(offset + span.start);
                const double toX = xOf(offset + span.start + span.duration);
                if (toX < m_row.left() - 4 || fromX > m_row.right() + 4)
                    continue;
                if (kind == LaneKind::Compute)
                    paintCompute(span, fromX, toX, box, isMini);
                else if (span.kind == SpanKind::Exchange && toX - fromX < narrowest)
                    thin.add(*this, span, fromX, toX);
                else
                    paintThin(span, kind, fromX, toX, box, mostRate);
            }
        });
        thin.paint(*this, box);
    }

    /// Exchanges narrower than this are summed by pixel, in px.
    static constexpr double narrowest = 2;

    /// Exchanges of which many share a pixel: as high as they fill it, as the sums of a lane with more of
    /// them are. One by one they would paint it whole.
    class ThinExchange {
    public:
        void add(LanePainter& lanes, const core::SpanRecord& span, double fromX, double toX) {
            m_covered.resize(static_cast<std::size_t>(std::max(0.0, std::ceil(lanes.m_row.width()))));
            m_colour = lanes.m_byPhase.of(span, lanes.emphasisOf(span)).fill;
            const double left = fromX - lanes.m_row.left();
            const double right = toX - lanes.m_row.left();
            for (double x = std::floor(left); x < right; ++x)
                if (x >= 0 && x < static_cast<double>(m_covered.size()))
                    m_covered[static_cast<std::size_t>(x)] +=
                        std::max(0.0, std::min(right, x + 1) - std::max(left, x));
        }
        void paint(const LanePainter& lanes, const QRectF& box) const {
            for (std::size_t x = 0; x < m_covered.size(); ++x) {
                if (m_covered[x] <= 0)
                    continue;
                const double height = std::max(1.0, std::min(1.0, m_covered[x]) * box.height());
                lanes.m_painter.fillRect(QRectF(std::floor(lanes.m_row.left()) + static_cast<double>(x),
                                                box.bottom() - height, 1, height),
                                         m_colour);
            }
        }

    private:
        std::vector<double> m_covered;
        QColor m_colour;
    };

    /// Bars that follow each other and are as high are painted as one.
    class BarRun {
    public:
        void add(QPainter& painter, const QRectF& bar, const QColor& colour) {
            if (m_bar.right() == bar.left() && m_bar.top() == bar.top() && m_bar.bottom() == bar.bottom()) {
                m_bar.setRight(bar.right());
                return;
            }
            paint(painter);
            m_bar = bar;
            m_colour = colour;
        }
        void paint(QPainter& painter) const { painter.fillRect(m_bar, m_colour); }

    private:
        QRectF m_bar;
        QColor m_colour;
    };

    /// Sums of many short spans: as high as they fill their bin.
    void paintBins(const std::vector<BinShare>& bins, core::Cycles offset, const QRectF& box, LaneKind kind) {
        if (bins.empty())
            return;
        const core::TimelineWindow& w = *m_scene.window;
        // By kind, those of idle time by cause.
        std::array<QColor, core::spanKindCount + core::idleCauseCount> fills;
        std::array<BarRun, core::spanKindCount + core::idleCauseCount> runs;
        for (std::size_t i = 0; i < fills.size(); ++i) {
            core::SpanRecord span;
            span.kind = static_cast<SpanKind>(i);
            fills[i] = i < core::spanKindCount
                           ? m_byPhase.of(span, emphasisOf(span)).fill
                           : m_theme.idleFill(static_cast<core::IdleCause>(i - core::spanKindCount));
        }
        // Heights that no pixel tells apart are equal.
        const double grain = isVectorDevice(m_painter) ? 4.0 : m_painter.device()->devicePixelRatioF();
        const auto whole = [&](double y) { return std::round(y * grain) / grain; };
        std::int64_t index = -1;
        double used = 0;
        for (const BinShare& bin : bins) {
            if (bin.index != index) {
                index = bin.index;
                used = 0;
            }
            // On whole pixels: seams between neighbours would look like waves.
            const double fromX = std::round(xOf(offset + w.binEdge(bin.index)));
            const double toX = std::round(xOf(offset + w.binEdge(bin.index + 1)));
            if (toX <= fromX || toX < m_row.left() || fromX > m_row.right())
                continue;
            const double height =
                kind == LaneKind::Sync ? box.height() : std::max(1.0, bin.share * box.height());
            const double top = whole(box.bottom() - used - height);
            const std::size_t of = bin.kind == SpanKind::Idle
                                       ? core::spanKindCount + static_cast<std::size_t>(bin.cause)
                                       : static_cast<std::size_t>(bin.kind);
            runs[of].add(m_painter, QRectF(QPointF(fromX, top), QPointF(toX, whole(box.bottom() - used))),
                         fills[of]);
            used += kind == LaneKind::Sync ? 0 : height;
        }
        for (const BarRun& run : runs)
            run.paint(m_painter);
    }

    [[nodiscard]] SpanEmphasis emphasisOf(const core::SpanRecord& span) const {
        const TimelineState& state = m_scene.state;
        const std::optional<Activity> activity = activityOf(span.kind);
        if (!state.isolated.empty() && activity && !state.isolated.contains(*activity))
            return SpanEmphasis::Muted;
        const bool isWork = core::programPhaseOf(span.kind).has_value();
        if (isWork && m_stage && span.stage.isValid() && span.stage != *m_stage)
            return SpanEmphasis::Muted;
        if (state.showsCriticalPath && m_scene.critical)
            return m_scene.critical->holds(span) ? SpanEmphasis::Normal : SpanEmphasis::Muted;
        if (isWork && !state.highlighted.empty())
            return state.highlighted.contains({span.stage, span.kind}) ? SpanEmphasis::Normal
                                                                       : SpanEmphasis::Muted;
        const bool isFollowed = state.microBatch && state.flows == FlowMode::Selected;
        if (!isFollowed || !isWork || span.kind == SpanKind::WeightUpdate)
            return SpanEmphasis::Normal;
        return span.microBatch == *state.microBatch ? SpanEmphasis::Framed : SpanEmphasis::Muted;
    }

    void paintCompute(const core::SpanRecord& span, double fromX, double toX, const QRectF& box,
                      bool isMini) {
        QRectF rect = spanRect(fromX, toX, box.top(), box.height());
        if (span.kind == SpanKind::Idle) {
            // A gap wider than the view says its name where it can be seen.
            const QRectF visible(QPointF(std::max(fromX, m_row.left()), rect.top()),
                                 QPointF(std::min(toX, m_row.right()), rect.bottom()));
            if (isMini)
                m_painter.fillRect(visible, m_theme.idleFill(span.cause));
            else
                paintGap(m_painter, visible, span.cause,
                         hasLabelSpace(visible, true, m_theme)
                             ? QString::fromStdString(core::idleCauseLabel(span.cause))
                             : QString(),
                         m_theme);
            return;
        }
        const SpanEmphasis emphasis = emphasisOf(span);
        const SpanColours& colours = m_byChoice.of(span, emphasis);
        if (isMini) {
            m_painter.fillRect(rect, colours.fill);
            return;
        }
        rect.setLeft(std::max(rect.left(), m_row.left() - 8));
        rect.setRight(std::min(rect.right(), m_row.right() + 8));
        const bool isByLayer = m_scene.state.colour == SpanColour::Layer;
        if (paintInside(span, {&span, fromX, toX, rect, m_row.left(), isByLayer}, colours, emphasis))
            return;
        if (!isByLayer || !paintLayers(span, fromX, toX, rect))
            paintSpan(m_painter, rect, labelOf(span, rect), colours, emphasis, m_theme);
    }

    /// What stands on a span; nothing where there is no space.
    [[nodiscard]] QString labelOf(const core::SpanRecord& span, const QRectF& rect) const {
        return hasLabelSpace(rect, false, m_theme) ? QString::fromStdString(core::spanLabel(span))
                                                   : QString();
    }

    /// The label of a stage program over what runs inside it; false where there is no space or nothing known.
    bool paintInside(const core::SpanRecord& span, const DepthPlace& place, const SpanColours& colours,
                     SpanEmphasis emphasis) {
        const auto boxes = m_scene.depths ? depthBoxes(place.rect, m_theme) : std::nullopt;
        if (!boxes || !paintDepth(m_painter, *m_scene.depths, place, m_scene.state.layers, m_theme))
            return false;
        paintSpan(m_painter, boxes->label, labelOf(span, boxes->label), colours, emphasis, m_theme);
        return true;
    }

    /// The layers of a stage program side by side; false when there is no space or nothing known.
    bool paintLayers(const core::SpanRecord& span, double fromX, double toX, const QRectF& rect) {
        if (!m_scene.programs || toX - fromX < 6)
            return false;
        const auto program = m_scene.programs->find({span.stage, span.kind});
        if (program == m_scene.programs->end() || program->second.layers.empty())
            return false;
        const core::Cycles total = program->second.work();
        core::Cycles at;
        const QFont font = m_theme.font(10);
        for (const core::LayerShare& layer : program->second.layers) {
            const double left = fromX + ratio(at, total) * (toX - fromX);
            at += layer.total();
            const double right = fromX + ratio(at, total) * (toX - fromX);
            if (right < rect.left() || left > rect.right())
                continue;
            const QRectF piece(left, rect.top(), std::max(0.5, right - left - (right - left > 3 ? 0.5 : 0)),
                               rect.height());
            const QColor fill =
                mix(m_theme.color(Role::Canvas), m_theme.stage(colourIndexOf(layer.layer)), 0.55);
            m_painter.fillRect(piece, fill);
            const QString name = toQString(layer.layer);
            if (piece.width() > 24 && textWidth(name, font) + 4 < piece.width()) {
                m_painter.setFont(font);
                m_painter.setPen(m_theme.color(Role::Text));
                m_painter.drawText(piece, Qt::AlignCenter, name);
            }
        }
        return true;
    }

    /// Bytes per cycle of the densest exchange: the full height of the lane.
    [[nodiscard]] static double highestRate(const core::LaneWindow& window) {
        double most = 0;
        for (const core::SpanRecord& span : window.spans) {
            if (span.kind == SpanKind::Exchange && span.duration.value() > 0)
                most = std::max(most, rateOf(span));
        }
        return most;
    }

    [[nodiscard]] static double rateOf(const core::SpanRecord& span) {
        return static_cast<double>(span.bytes.value()) / static_cast<double>(span.duration.value());
    }

    void paintThin(const core::SpanRecord& span, LaneKind kind, double fromX, double toX, const QRectF& box,
                   double mostRate) {
        QRectF rect = spanRect(fromX, toX, box.top(), box.height());
        const SpanColours& colours = m_byPhase.of(span, emphasisOf(span));
        if (kind == LaneKind::Sync) {
            rect.setWidth(std::max(1.0, rect.width() > 3 ? rect.width() : 1.0));
            m_painter.fillRect(rect, colours.fill);
        } else if (span.kind == SpanKind::Exchange) {
            const double share = mostRate > 0 ? std::clamp(rateOf(span) / mostRate, 0.15, 1.0) : 0.6;
            rect.setTop(rect.bottom() - rect.height() * (0.3 + 0.7 * share));
            m_painter.fillRect(rect, colours.fill);
        } else {
            rect.setLeft(std::max(rect.left(), m_row.left() - 8));
            rect.setRight(std::min(rect.right(), m_row.right() + 8));
            const QString label = kind == LaneKind::Exchange ? labelOf(span, rect) : QString();
            paintSpan(m_painter, rect, box.height() >= m_theme.px(13) ? label : QString(), colours,
                      SpanEmphasis::Normal, m_theme);
        }
    }

    /// Live bytes over time: the curve of each stage program, and between them what stays, which is the stash
    /// of the micro-batches in flight and what is always live.
    void paintCounter(const TimelineIpu& ipu) {
        // Beside a limit far above, the curve would be a line at the bottom.
        constexpr std::int64_t farAway = 4;
        const bool showsLimit = ipu.peak * farAway >= ipu.limit;
        const core::Bytes top =
            showsLimit ? std::max(ipu.limit, ipu.peak) : core::Bytes(ipu.peak.value() + ipu.peak.value() / 3);
        const core::LaneWindow* window = windowOf(ipu, LaneKind::Compute);
        if (top.value() <= 0 || window == nullptr)
            return;
        const double bottom = m_row.bottom() - m_theme.px(4);
        const double height = m_row.height() - m_theme.px(10);
        const auto y = [&](core::Bytes bytes) { return bottom - ratio(bytes, top) * height; };
        const QColor line = m_theme.category(core::MemoryCategory::Activations);
        QPainterPath curve;
        const core::Cycles from = m_scene.state.view.from;
        const core::Cycles to = m_scene.state.view.to;
        const auto [first, last] = m_scene.updatesInView();
        curve.moveTo(m_row.left(), y(ipu.liveBetween(from - first * m_frame.step)));
        forEachUpdate([&](core::Cycles offset) {
            if (window->spans.empty())
                addFlight(ipu, offset, y, curve);
            for (const core::SpanRecord& span : window->spans)
                addProgram(ipu, span, offset, y, curve);
        });
        curve.lineTo(m_row.right(), y(ipu.liveBetween(to - last * m_frame.step)));
        m_painter.save();
        const bool isSmooth = curve.elementCount() < smoothPoints;
        if (isSmooth || isVectorDevice(m_painter)) {
            QPainterPath area = curve;
            area.lineTo(m_row.right(), bottom);
            area.lineTo(m_row.left(), bottom);
            m_painter.setRenderHint(QPainter::Antialiasing, isSmooth);
            m_painter.fillPath(area, withAlpha(line, 0.3));
            m_painter.strokePath(curve, QPen(line, isSmooth ? 1.2 : 1.0));
        } else {
            paintColumns(curve, bottom, line);
        }
        m_painter.setRenderHint(QPainter::Antialiasing);
        paintCounterLimit(ipu, showsLimit ? std::optional(y(ipu.limit)) : std::nullopt);
        m_painter.restore();
    }

    /// A curve that goes from left to right, and the area below it, a column of pixels at a time: as a path
    /// its thousands of points take longer than the rest of the frame.
    void paintColumns(const QPainterPath& curve, double bottom, const QColor& line) {
        const int first = static_cast<int>(m_row.left());
        std::vector<double> tops(static_cast<std::size_t>(std::max(0.0, std::ceil(m_row.width()))), bottom);
        for (int i = 1; i < curve.elementCount(); ++i) {
            const QPointF from = curve.elementAt(i - 1);
            const QPointF to = curve.elementAt(i);
            const double slope = to.x() > from.x() ? (to.y() - from.y()) / (to.x() - from.x()) : 0;
            const auto begin = static_cast<int>(std::max(from.x(), m_row.left())) - first;
            const auto end = static_cast<int>(std::min(to.x(), m_row.right())) - first;
            for (int x = std::max(0, begin); x <= end && x < static_cast<int>(tops.size()); ++x) {
                const double at = std::clamp<double>(first + x, from.x(), std::max(from.x(), to.x()));
                double& top = tops[static_cast<std::size_t>(x)];
                top = std::min(top, std::round(from.y() + (at - from.x()) * slope));
            }
        }
        const QColor area = withAlpha(line, 0.3);
        double before = tops.empty() ? 0 : tops.front();
        for (std::size_t x = 0; x < tops.size();) {
            std::size_t end = x + 1;
            while (end < tops.size() && tops[end] == tops[x])
                ++end;
            const double left = first + static_cast<double>(x);
            const double width = static_cast<double>(end - x);
            m_painter.fillRect(QRectF(left, tops[x], width, bottom - tops[x]), area);
            m_painter.fillRect(QRectF(left, tops[x], width, 1), line);
            m_painter.fillRect(QRectF(left, std::min(before, tops[x]), 1, std::abs(before - tops[x])), line);
            before = tops[x];
            x = end;
        }
    }

    [[nodiscard]] QColor rateColour(core::Counter counter) const {
        switch (counter) {
        case core::Counter::BusyTiles:
            return m_theme.activity(Activity::Forward);
        case core::Counter::LinkBytes:
            return m_theme.activity(Activity::Copy);
        case core::Counter::HostBytes:
            return m_theme.activity(Activity::Host);
        case core::Counter::RemoteBytes:
            break;
        }
        return m_theme.activity(Activity::RemoteMemory);
    }

    /// What works or flows, as high as its mean over a pixel against the highest rate of the run; tiles
    /// against all of them. So a height means the same however near the view is.
    void paintRate(const TimelineIpu& ipu, core::Counter counter) {
        if (!m_scene.counters || !m_scene.counterTops)
            return;
        const core::CounterWindow& window = *m_scene.counters;
        const double top = counterTop(m_frame, *m_scene.counterTops, counter);
        const core::CounterCurve* curve = window.curveOf(ipu.ipu, counter);
        const double bottom = m_row.bottom() - m_theme.px(3);
        const double height = m_row.height() - m_theme.px(8);
        const QColor colour = rateColour(counter);
        if (curve != nullptr && top > 0) {
            const double width = core::real((window.to - window.from).value()) / core::real(window.binCount);
            forEachUpdate([&](core::Cycles offset) {
                for (std::size_t bin = 0; bin < curve->means.size(); ++bin) {
                    if (curve->means[bin] <= 0)
                        continue;
                    const auto edge = [&](double index) {
                        return std::round(
                            xOf(offset + window.from + core::Cycles(std::llround(width * index))));
                    };
                    const double from = edge(double(bin));
                    const double to = std::max(from + 1, edge(double(bin) + 1));
                    const double share = std::max(1.0, std::min(1.0, curve->means[bin] / top) * height);
                    if (to >= m_row.left() && from <= m_row.right())
                        m_painter.fillRect(QRectF(from, bottom - share, to - from, share), colour);
                }
            });
        }
        m_painter.setPen(QPen(m_theme.color(Role::Border), 1));
        m_painter.drawLine(QPointF(m_row.left(), bottom + 0.5), QPointF(m_row.right(), bottom + 0.5));
    }

    /// The limit's line and figure; without a place it is above the row.
    void paintCounterLimit(const TimelineIpu& ipu, std::optional<double> y) {
        if (y) {
            QPen limit(m_theme.color(Role::Limit), 1.5);
            limit.setDashPattern({4, 2});
            m_painter.setPen(limit);
            m_painter.drawLine(QPointF(m_row.left(), *y), QPointF(m_row.right(), *y));
        }
        const NumberText text = bytesText(ipu.limit, m_scene.state.units.bytes);
        m_painter.setFont(m_theme.font(10));
        m_painter.setPen(m_theme.color(Role::Limit));
        // Below its line; a limit far below the peak has no room there.
        const double high = m_theme.px(15);
        const double top = !y ? m_row.top() + 1 : *y + high > m_row.bottom() - 1 ? *y - high - 1 : *y;
        const QRectF place(m_row.left(), top, m_row.width() - m_theme.px(9), high);
        m_painter.drawText(place, Qt::AlignRight | Qt::AlignBottom,
                           (y ? QStringLiteral("limit ") : QStringLiteral("↑ limit ")) + text.joined());
    }

    /// Where the programs themselves are too narrow to be loaded one by one.
    template <class Y>
    void addFlight(const TimelineIpu& ipu, core::Cycles offset, const Y& y, QPainterPath& curve) {
        if (!ipu.inFlight)
            return;
        for (const core::Cycles edge : {ipu.inFlight->first, ipu.inFlight->second}) {
            const double x = xOf(offset + edge);
            if (x < m_row.left() || x > m_row.right())
                continue;
            curve.lineTo(x, y(ipu.liveBetween(edge - core::Cycles(1))));
            curve.lineTo(x, y(ipu.liveBetween(edge)));
        }
    }

    template <class Y>
    void addProgram(const TimelineIpu& ipu, const core::SpanRecord& span, core::Cycles offset, const Y& y,
                    QPainterPath& curve) {
        const std::optional<core::ProgramPhase> phase = core::programPhaseOf(span.kind);
        if (!phase)
            return;
        const double fromX = xOf(offset + span.start);
        const double toX = xOf(offset + span.start + span.duration);
        const auto program = ipu.liveness.find({span.stage, *phase});
        if (toX < m_row.left() || fromX > m_row.right() || program == ipu.liveness.end())
            return;
        curve.lineTo(fromX, y(ipu.liveBetween(span.start - core::Cycles(1))));
        if (const auto begin = ipu.liveInside(span.stage, *phase, span.offset))
            curve.lineTo(fromX, y(*begin));
        double lastX = -1e9;
        core::Bytes most;
        for (const core::ProgramLiveness& point : program->second) {
            if (point.from < span.offset || point.from > span.offset + span.duration)
                continue;
            // Points closer than a pixel keep their highest.
            most = std::max(most, point.live);
            const double x = xOf(offset + span.start - span.offset + point.from);
            if (x - lastX < 1)
                continue;
            curve.lineTo(x, y(most));
            lastX = x;
            most = core::Bytes();
        }
        curve.lineTo(toX, y(ipu.liveBetween(span.start + span.duration)));
    }

    QPainter& m_painter;
    const TimelineScene& m_scene;
    const TimelineFrame& m_frame;
    const Theme& m_theme;
    TimeToPixel m_axis;
    double m_perCycle;
    SpanPalette m_byPhase;
    SpanPalette m_byChoice;
    std::vector<double> m_gridLines;
    QRectF m_row;
    /// Of a row that is of one stage.
    std::optional<core::StageId> m_stage;
};

} // namespace

void paintLanes(QPainter& painter, const TimelineScene& scene, const QRectF& area, const Theme& theme) {
    LanePainter lanes(painter, scene, theme);
    const QRectF pinned = scene.layout.pinnedLanes();
    lanes.paint(pinned, pinned & area, scene.layout.pinnedRows);
    const QRectF others = scene.layout.lanes();
    lanes.paint(others, others & area, scene.layout.rows);
    if (scene.layout.pinnedHeight > 0)
        painter.fillRect(QRectF(0, scene.layout.lanes().top() - 1, scene.layout.width, 2),
                         theme.color(Role::BorderStrong));
}

std::optional<QRectF> placeOf(const TimelineScene& scene, const PlacedSpan& placed) {
    const auto ipu = scene.frame->ipuOfLane(placed.span.lane);
    const auto kind = scene.frame->kindOfLane(placed.span.lane);
    if (!ipu || !kind)
        return std::nullopt;
    const std::optional<QRectF> compute = scene.computeLane(*ipu, placed.span.stage);
    if (!compute)
        return std::nullopt;
    const TimeToPixel axis = scene.axis();
    const core::Cycles offset = placed.update * scene.frame->step;
    const double fromX = axis.x(offset + placed.span.start);
    const double toX = axis.x(offset + placed.span.start + placed.span.duration);
    if (*kind == LaneKind::Compute)
        return spanRect(fromX, toX, compute->top(), compute->height());
    if (scene.state.collapsed.contains(*ipu))
        return std::nullopt;
    const TimelineLayout::LaneBox box = scene.layout.laneBox(*kind);
    const double rowTop = compute->top() - scene.layout.laneBox(LaneKind::Compute).top;
    return spanRect(fromX, toX, rowTop + box.top, box.height);
}

} // namespace views
