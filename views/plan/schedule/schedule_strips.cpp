#include "views/plan/schedule/schedule_strips.h"

#include "views/common/text/elided_text.h"
#include "views/common/widgets/chip.h"
#include "views/profile/legend_bar.h"
#include "views/profile/time/span_painter.h"
#include "views/profile/time/time_axis.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace views {

namespace {

QString sentenceOf(const QString& words) {
    return words.left(1).toUpper() + words.mid(1);
}

/// Where the parts of the strips are.
struct StripMeasures {
    explicit StripMeasures(const Theme& theme)
        : side(theme.px(12))
        , label(theme.px(38))
        , title(theme.px(22))
        , gap(theme.px(12))
        , axis(theme.px(22))
        , legend(theme.px(26))
        , least(theme.px(5))
        , most(theme.px(14)) {}

    [[nodiscard]] double lane(std::size_t ipus) const {
        constexpr double tallest = 112;
        return std::clamp(most / 14 * tallest / double(std::max<std::size_t>(1, ipus)), least, most);
    }

    double side;
    /// Before the lanes, for the IPU.
    double label;
    double title;
    double gap;
    double axis;
    double legend;
    double least;
    double most;
};

TimeToPixel axisOf(const StripsScene& scene, double width, const Theme& theme) {
    const StripMeasures measures(theme);
    const double left = measures.side + measures.label;
    return {core::Cycles(0), std::max(core::Cycles(1), scene.span()), left,
            std::max(1.0, width - left - measures.side)};
}

QRectF laneOf(const QRectF& strip, std::size_t ipu, std::size_t ipus, const Theme& theme) {
    const StripMeasures measures(theme);
    const double height = (strip.height() - measures.title - measures.gap) / double(ipus);
    const double left = strip.left() + measures.side + measures.label;
    return {left, strip.top() + measures.title + height * double(ipu),
            std::max(1.0, strip.right() - measures.side - left), height};
}

/// What each lane may have more than it needs.
double spareOf(const StripsScene& scene, const Theme& theme) {
    const StripMeasures measures(theme);
    double needed = measures.legend + measures.axis;
    std::size_t lanes = 0;
    for (const core::ScheduleOutcome& outcome : scene.outcomes) {
        lanes += outcome.work.size();
        needed +=
            measures.title + measures.gap + double(outcome.work.size()) * measures.lane(outcome.work.size());
    }
    return lanes == 0 ? 0 : std::clamp((scene.room - needed) / double(lanes), 0.0, measures.most);
}

/// What the strips show, and idle time.
std::vector<LegendEntry> stripsLegend(const StripsScene& scene, const Theme& theme) {
    std::set<Activity> shown;
    for (const core::ScheduleOutcome& outcome : scene.outcomes)
        for (const auto& lane : outcome.work)
            for (const core::WorkStretch& work : lane)
                shown.insert(activityOf(work.phase));
    std::vector<LegendEntry> entries;
    for (const Activity activity : shown)
        entries.push_back({int(activity), sentenceOf(activityName(activity)), theme.activity(activity)});
    entries.push_back({int(activityCount), QStringLiteral("Idle"), theme.idleFill(), HatchPattern::Slash});
    return entries;
}

class StripsPass {
public:
    StripsPass(QPainter& painter, const StripsScene& scene, double width, const Theme& theme)
        : m_painter(painter)
        , m_scene(scene)
        , m_theme(theme)
        , m_measures(theme)
        , m_width(width)
        , m_axis(axisOf(scene, width, theme))
        , m_fastest(core::fastestThatFits(scene.outcomes)) {}

    void run() {
        const double height = stripsHeight(m_scene, m_width, m_theme);
        m_painter.fillRect(QRectF(0, 0, m_width, height), m_theme.color(Role::Canvas));
        paintLegend(m_painter, QRectF(m_measures.side, 0, m_width - 2 * m_measures.side, m_measures.legend),
                    stripsLegend(m_scene, m_theme), {}, m_theme);
        const std::vector<QRectF> places = stripPlaces(m_scene, m_width, m_theme);
        for (std::size_t i = 0; i < places.size(); ++i)
            paintStrip(i, places[i]);
        paintAxis(places.empty() ? m_measures.legend : places.back().bottom());
    }

private:
    void paintStrip(std::size_t index, const QRectF& place) {
        const core::ScheduleOutcome& outcome = m_scene.outcomes[index];
        if (m_scene.chosen == index)
            m_painter.fillRect(place, m_theme.color(Role::AccentSoft));
        else if (m_scene.hovered == index)
            m_painter.fillRect(place, m_theme.color(Role::Hover));
        paintTitle(index, QRectF(place.left() + m_measures.side, place.top(),
                                 place.width() - 2 * m_measures.side, m_measures.title));
        for (std::size_t ipu = 0; ipu < outcome.work.size(); ++ipu)
            paintLane(outcome, ipu, laneOf(place, ipu, outcome.work.size(), m_theme));
    }

    void paintTitle(std::size_t index, const QRectF& line) {
        const core::ScheduleOutcome& outcome = m_scene.outcomes[index];
        double x = line.left();
        const QString name = toQString(outcome.schedule);
        const QFont font = m_theme.font(12, QFont::DemiBold);
        const double nameWidth = QFontMetricsF(font).horizontalAdvance(name) + m_theme.px(8);
        m_painter.setPen(m_theme.color(Role::Text));
        paintElided(m_painter, QRectF(x, line.top(), nameWidth, line.height()),
                    Qt::AlignLeft | Qt::AlignVCenter, name, font);
        x += nameWidth;
        const auto chip = [&](const QString& text, ChipTone tone) {
            const double width = chipWidth(text, m_theme);
            paintChip(m_painter, QRectF(x, line.center().y() - m_theme.px(8), width, m_theme.px(16)), text,
                      tone, m_theme);
            x += width + m_theme.px(6);
        };
        if (outcome.isOwn)
            chip(QStringLiteral("this project"), ChipTone::Accent);
        if (outcome.isWhatIf)
            chip(QStringLiteral("what-if"), ChipTone::Neutral);
        if (m_fastest == index)
            chip(QStringLiteral("fastest"), ChipTone::Success);
        if (!outcome.isRefused() && !outcome.plan.fits)
            chip(QStringLiteral("does not fit"), ChipTone::Error);
        m_painter.setPen(m_theme.color(outcome.isRefused() ? Role::Error : Role::Text2));
        paintElided(m_painter,
                    QRectF(x + m_theme.px(4), line.top(), line.right() - x - m_theme.px(4), line.height()),
                    Qt::AlignLeft | Qt::AlignVCenter, outcomeText(outcome, m_scene.units),
                    outcome.isRefused() ? m_theme.font(11) : m_theme.mono(11));
    }

    /// Work that is narrower than a pixel shares it with what comes first there.
    void paintLane(const core::ScheduleOutcome& outcome, std::size_t ipu, const QRectF& lane) {
        const double hair = lane.height() > m_theme.px(7) ? 1 : 0.5;
        const QRectF bar = lane.adjusted(0, hair / 2, 0, -hair / 2);
        const double end = m_axis.x(outcome.plan.step);
        const QRectF whole(bar.left(), bar.top(), end - bar.left(), bar.height());
        paintPlainGap(m_painter, whole, m_theme);
        if (lane.height() >= m_theme.px(9)) {
            m_painter.setPen(m_theme.color(Role::Text2));
            paintElided(m_painter, QRectF(m_measures.side, lane.top(), m_measures.label, lane.height()),
                        Qt::AlignLeft | Qt::AlignVCenter,
                        QStringLiteral("IPU %1").arg(outcome.plan.ipus[ipu].ipu.index()), m_theme.font(10));
        }
        double painted = bar.left() - 1;
        for (const core::WorkStretch& work : outcome.work[ipu]) {
            const double from = m_axis.x(work.start);
            const double to = std::max(m_axis.x(work.end()), from + 0.5);
            if (to <= painted + 0.5)
                continue;
            const double left = std::max(from, painted);
            const bool isWide = to - left > 3;
            m_painter.fillRect(QRectF(left, bar.top(), to - left - (isWide ? 0.6 : 0), bar.height()),
                               m_theme.activity(activityOf(work.phase)));
            painted = to;
        }
    }

    void paintAxis(double top) {
        const TimeScale scale = m_scene.timeScale();
        m_painter.setPen(m_theme.color(Role::Border));
        m_painter.drawLine(QPointF(m_axis.left, top + 0.5), QPointF(m_axis.left + m_axis.width, top + 0.5));
        const QFont font = m_theme.mono(10);
        const QFontMetricsF metrics(font);
        double free = 0;
        for (const AxisTick& tick : timeTicks(m_axis, m_scene.units.time, scale, m_theme.px(90))) {
            if (!tick.isMajor)
                continue;
            const double x = m_axis.x(tick.at);
            const double width = metrics.horizontalAdvance(tick.label);
            const double left =
                std::clamp(x - width / 2, m_axis.left, std::max(m_axis.left, m_width - width));
            m_painter.setPen(m_theme.color(Role::Border));
            m_painter.drawLine(QPointF(x, top), QPointF(x, top + m_theme.px(4)));
            if (left < free)
                continue;
            m_painter.setPen(m_theme.color(Role::Text3));
            paintElided(m_painter,
                        QRectF(left, top + m_theme.px(4), width + 1, m_measures.axis - m_theme.px(4)),
                        Qt::AlignLeft | Qt::AlignVCenter, tick.label, font);
            free = left + width + m_theme.px(8);
        }
    }

    QPainter& m_painter;
    const StripsScene& m_scene;
    const Theme& m_theme;
    StripMeasures m_measures;
    double m_width;
    TimeToPixel m_axis;
    std::optional<std::size_t> m_fastest;
};

} // namespace

core::Cycles StripsScene::span() const {
    core::Cycles most;
    for (const core::ScheduleOutcome& outcome : outcomes)
        most = std::max(most, outcome.plan.step);
    return most;
}

TimeScale StripsScene::timeScale() const {
    const auto known = std::ranges::find_if(
        outcomes, [](const core::ScheduleOutcome& outcome) { return outcome.plan.clockHz > 0; });
    return {known == outcomes.end() ? 0 : known->plan.clockHz, span()};
}

QString outcomeText(const core::ScheduleOutcome& outcome, const Units& units) {
    if (outcome.isRefused())
        return sentenceOf(toQString(outcome.plan.refusal));
    const core::PlanEstimate& plan = outcome.plan;
    // A share of itself would say nothing.
    const TimeUnit unit = units.time == TimeUnit::PercentOfStep ? TimeUnit::Time : units.time;
    return QStringLiteral("%1 samples/s · %2 per update · %3 idle · fullest IPU %4")
        .arg(fixedText(plan.samplesPerSecond, plan.samplesPerSecond < 100 ? 1 : 0),
             timeText(plan.step, unit, {plan.clockHz, plan.step}).joined(), percentText(plan.idleFraction),
             bytesText(outcome.peak(), units.bytes).joined());
}

std::vector<QRectF> stripPlaces(const StripsScene& scene, double width, const Theme& theme) {
    const StripMeasures measures(theme);
    std::vector<QRectF> places;
    const double spare = spareOf(scene, theme);
    double top = measures.legend;
    for (const core::ScheduleOutcome& outcome : scene.outcomes) {
        const auto ipus = double(outcome.work.size());
        const double height =
            measures.title + ipus * (measures.lane(outcome.work.size()) + spare) + measures.gap;
        places.emplace_back(0, top, width, height);
        top += height;
    }
    return places;
}

std::optional<std::size_t> stripAt(const StripsScene& scene, const QPointF& point, double width,
                                   const Theme& theme) {
    const std::vector<QRectF> places = stripPlaces(scene, width, theme);
    const auto place = std::ranges::find_if(places, [&](const QRectF& one) { return one.contains(point); });
    return place == places.end() ? std::nullopt : std::optional(std::size_t(place - places.begin()));
}

double stripsHeight(const StripsScene& scene, double width, const Theme& theme) {
    const StripMeasures measures(theme);
    const std::vector<QRectF> places = stripPlaces(scene, width, theme);
    return (places.empty() ? measures.legend : places.back().bottom()) + measures.axis;
}

void paintStrips(QPainter& painter, const StripsScene& scene, double width, const Theme& theme) {
    StripsPass(painter, scene, width, theme).run();
}

ToolTipContent stripToolTip(const StripsScene& scene, const QPointF& point, double width,
                            const Theme& theme) {
    const auto index = stripAt(scene, point, width, theme);
    if (!index)
        return {};
    const QRectF place = stripPlaces(scene, width, theme)[*index];
    const core::ScheduleOutcome& outcome = scene.outcomes[*index];
    const TimeToPixel axis = axisOf(scene, width, theme);
    const TimeScale scale{outcome.plan.clockHz, outcome.plan.step};
    for (std::size_t ipu = 0; ipu < outcome.work.size(); ++ipu) {
        if (!laneOf(place, ipu, outcome.work.size(), theme).contains(point))
            continue;
        const core::Cycles time = axis.time(point.x());
        const auto& lane = outcome.work[ipu];
        const auto work = std::ranges::find_if(
            lane, [&](const core::WorkStretch& one) { return one.start <= time && time < one.end(); });
        if (work == lane.end())
            continue;
        ToolTipContent content;
        content.title = sentenceOf(activityName(activityOf(work->phase)));
        if (work->microBatch >= 0)
            content.rows.push_back({QStringLiteral("Micro-batch"), QString::number(work->microBatch)});
        if (work->stage.isValid())
            content.rows.push_back({QStringLiteral("Stage"), QString::number(work->stage.index())});
        content.rows.push_back({QStringLiteral("IPU"), QString::number(outcome.plan.ipus[ipu].ipu.index())});
        content.rows.push_back(
            {QStringLiteral("Starts"), timeText(work->start, scene.units.time, scale).joined()});
        content.rows.push_back(
            {QStringLiteral("Takes"), timeText(work->duration, scene.units.time, scale).joined()});
        content.footer = toQString(outcome.schedule);
        return content;
    }
    ToolTipContent content{toQString(outcome.schedule), {}, {}};
    if (outcome.isRefused()) {
        content.footer = outcomeText(outcome, scene.units);
        return content;
    }
    content.rows = {{QStringLiteral("Samples per second"), fixedText(outcome.plan.samplesPerSecond, 1)},
                    {QStringLiteral("Update"), timeText(outcome.plan.step, TimeUnit::Time, scale).joined()},
                    {QStringLiteral("Idle"), percentText(outcome.plan.idleFraction)},
                    {QStringLiteral("Fullest IPU"), bytesText(outcome.peak(), scene.units.bytes).joined()}};
    content.footer = QStringLiteral("Enter or a double click looks at its slots");
    return content;
}

Picture stripsPicture(const StripsScene& scene, const Theme& theme, const QSizeF& size) {
    const double width = size.width() > 0 ? size.width() : theme.px(1100);
    const QSizeF natural(width, stripsHeight(scene, width, theme) + theme.px(30));
    return {QStringLiteral("Schedules of %1").arg(scene.subject), sizeOr(size, natural),
            [scene, theme, width](QPainter& painter) {
                const QRectF title(theme.px(12), theme.px(6), width - theme.px(24), theme.px(22));
                painter.fillRect(QRectF(0, 0, width, theme.px(30)), theme.color(Role::Canvas));
                painter.setPen(theme.color(Role::Text));
                paintElided(painter, title, Qt::AlignLeft | Qt::AlignVCenter,
                            QStringLiteral("Schedules of %1").arg(scene.subject),
                            theme.font(14, QFont::DemiBold));
                painter.translate(0, theme.px(30));
                paintStrips(painter, scene, width, theme);
            }};
}

} // namespace views
