#include "views/summary/summary_page.h"

#include "core/profile/queries/metric_explanation.h"
#include "core/profile/records/span_label.h"
#include "views/common/text/interval_text.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

namespace views {

namespace {

constexpr double pageMargin = 24;
constexpr double pageGap = 12;
constexpr double figureHeight = 66;
constexpr double cardPadding = 12;
constexpr double cardHead = 20;

QString questionOf(core::VerdictQuestion question) {
    switch (question) {
    case core::VerdictQuestion::Bottleneck:
        return QStringLiteral("What sets the step");
    case core::VerdictQuestion::Idle:
        return QStringLiteral("Why IPUs wait");
    case core::VerdictQuestion::Peak:
        return QStringLiteral("What fills the memory");
    case core::VerdictQuestion::Difference:
        return QStringLiteral("Against the run before");
    }
    return {};
}

double textHeight(const QString& text, const QFont& font, double width) {
    if (text.isEmpty())
        return 0;
    return std::ceil(QFontMetricsF(font)
                         .boundingRect(QRectF(0, 0, std::max(1.0, width), 1e5), Qt::TextWordWrap, text)
                         .height());
}

} // namespace

double summaryLaneHeight(std::size_t lanes) {
    return lanes <= 8 ? 18 : lanes <= 16 ? 12 : lanes <= 32 ? 8 : 5;
}

QString questionText(const SummaryScene& scene, std::size_t answer) {
    const auto& clauses = scene.data->verdict.clauses;
    return answer < clauses.size() ? questionOf(clauses[answer].question) : QStringLiteral("What would help");
}

QString headlineText(const SummaryScene& scene, std::size_t answer) {
    const auto& clauses = scene.data->verdict.clauses;
    if (answer < clauses.size())
        return toQString(clauses[answer].headline);
    return scene.advice ? scene.advice->headline : QStringLiteral("Looking for a better plan …");
}

QString detailText(const SummaryScene& scene, std::size_t answer) {
    const auto& clauses = scene.data->verdict.clauses;
    if (answer < clauses.size())
        return toQString(clauses[answer].detail);
    return scene.advice ? scene.advice->detail
                        : QStringLiteral("changes are simulated before they are shown");
}

QString summaryTitle(const SummaryData& data) {
    return QStringLiteral("Run %1 · %2")
        .arg(data.run.value())
        .arg(data.summary.provenance.projectName.empty() ? QStringLiteral("untitled")
                                                         : toQString(data.summary.provenance.projectName));
}

QString summaryOrigin(const SummaryData& data) {
    const core::RunProvenance& from = data.summary.provenance;
    QStringList parts;
    parts.append(from.mode == core::RunMode::Train      ? QStringLiteral("training")
                 : from.mode == core::RunMode::Evaluate ? QStringLiteral("evaluation")
                                                        : QStringLiteral("prediction"));
    if (!from.schedule.empty())
        parts.append(toQString(from.schedule));
    parts.append(countedText(static_cast<std::int64_t>(data.summary.stages.size()), QStringLiteral("stage"),
                             QStringLiteral("stages")));
    parts.append(countedText(from.ipus, QStringLiteral("IPU"), QStringLiteral("IPUs")) +
                 (from.replicas > 1 ? QStringLiteral(" in %1 replicas").arg(from.replicas) : QString()) +
                 QStringLiteral(" (%1)").arg(toQString(from.targetName)));
    parts.append(QStringLiteral("%1 micro-batches of %2").arg(from.microBatches).arg(from.batchSize));
    if (!from.started.empty())
        parts.append(toQString(from.started).left(16).replace(u'T', u' '));
    return parts.join(QStringLiteral(" · "));
}

std::vector<SummaryFigure> summaryFigures(const SummaryScene& scene) {
    const SummaryData& data = *scene.data;
    const core::RunSummary& summary = data.summary;
    const core::PredictedRanges ranges = core::rangesOf(summary);
    const Units times{TimeUnit::Time, scene.units.bytes};
    std::vector<SummaryFigure> figures{
        {QStringLiteral("Throughput"), fixedText(summary.samplesPerSecond, 1) + QStringLiteral(" samples/s"),
         false, rateRangeText(ranges), "samples_per_second"},
        {QStringLiteral("Step"), timeText(summary.step, TimeUnit::Time, data.timeScale()).joined(), false,
         stepRangeText(ranges, times, data.timeScale()), "step_cycles"},
        {QStringLiteral("Idle"), percentText(summary.idleFraction), false, {}, "idle_fraction"},
        {QStringLiteral("Host stalls, with launch"),
         percentText(summary.hostStallFraction),
         false,
         {},
         "host_stall_fraction"}};
    if (const core::IpuMemorySummary* fullest = data.fullest())
        figures.push_back({QStringLiteral("Peak of IPU %1").arg(fullest->ipu.value()),
                           bytesText(fullest->peak, scene.units.bytes).joined() +
                               (summary.fits ? QStringLiteral(", fits") : QStringLiteral(", does not fit")),
                           !summary.fits, peakRangeText(ranges, scene.units),
                           "memory." + std::to_string(fullest - summary.memory.data()) + ".peak_bytes"});
    figures.push_back({QStringLiteral("Effective batch"),
                       groupedText(summary.effectiveBatch),
                       false,
                       {},
                       "effective_batch"});
    return figures;
}

std::vector<IdleShare> idleShares(const SummaryData& data) {
    std::vector<IdleShare> shares;
    for (std::size_t i = 0; i < core::idleCauseCount; ++i)
        if (const auto cause = static_cast<core::IdleCause>(i); data.idle(cause).value() > 0)
            shares.push_back({cause, data.idle(cause)});
    std::ranges::stable_sort(shares, std::greater(), &IdleShare::cycles);
    return shares;
}

SummaryPage::SummaryPage(const SummaryScene& scene, double width, const Theme& theme, double reserved)
    : m_width(width)
    , m_margin(theme.px(pageMargin)) {
    if (!scene.data)
        return;
    const double inside = width - 2 * m_margin;
    double y = theme.px(16);
    m_title = QRectF(m_margin, y, inside, theme.px(26));
    y = m_title.bottom();
    m_origin = QRectF(m_margin, y, inside,
                      std::max(theme.px(18), textHeight(summaryOrigin(*scene.data), theme.font(12), inside)));
    y = m_origin.bottom() + theme.px(pageGap);
    placeFigures(scene, theme, y);
    placeAnswers(scene, theme, reserved, y);
    placeBlocks(scene, theme, y);
    m_height = y + theme.px(12);
}

/// As many in a row as have room, all of one width.
void SummaryPage::placeFigures(const SummaryScene& scene, const Theme& theme, double& y) {
    const std::vector<SummaryFigure> figures = summaryFigures(scene);
    const double inside = m_width - 2 * m_margin;
    double widest = 0;
    for (const SummaryFigure& figure : figures)
        widest =
            std::max({widest, QFontMetricsF(theme.mono(14, QFont::DemiBold)).horizontalAdvance(figure.value),
                      QFontMetricsF(theme.font(11)).horizontalAdvance(figure.name),
                      QFontMetricsF(theme.font(11)).horizontalAdvance(figure.range)});
    widest += theme.px(2 * cardPadding);
    const auto most = static_cast<std::size_t>(
        std::clamp(std::floor((inside + theme.px(pageGap)) / (widest + theme.px(pageGap))), 1.0,
                   static_cast<double>(figures.size())));
    // As many rows as it takes, and no more in one of them than in another.
    const std::size_t rows = (figures.size() + most - 1) / most;
    const std::size_t columns = (figures.size() + rows - 1) / rows;
    const double each =
        (inside - theme.px(pageGap) * static_cast<double>(columns - 1)) / static_cast<double>(columns);
    for (std::size_t i = 0; i < figures.size(); ++i)
        m_figures.emplace_back(m_margin + static_cast<double>(i % columns) * (each + theme.px(pageGap)),
                               y + static_cast<double>(i / columns) *
                                       (theme.px(figureHeight) + theme.px(pageGap)),
                               each, theme.px(figureHeight));
    y = m_figures.back().bottom() + theme.px(pageGap);
}

/// Two columns where there is room, rows as high as their longer text.
void SummaryPage::placeAnswers(const SummaryScene& scene, const Theme& theme, double reserved, double& y) {
    const double inside = m_width - 2 * m_margin;
    const std::size_t columns = inside >= theme.px(760) ? 2 : 1;
    const double each = (inside - theme.px(pageGap) * static_cast<double>(columns - 1)) / double(columns);
    const double padding = theme.px(cardPadding);
    const std::size_t count = scene.answers();
    for (std::size_t from = 0; from < count; from += columns) {
        const std::size_t to = std::min(from + columns, count);
        double height = 0;
        for (std::size_t answer = from; answer < to; ++answer) {
            // The last of an odd number takes the whole row.
            const double cardWidth = to - from < columns ? inside : each;
            const double left = m_margin + static_cast<double>(answer - from) * (each + theme.px(pageGap));
            const double right = answer + 1 == count ? reserved : 0;
            const double textWidth = cardWidth - 2 * padding - right;
            const double top = y + padding + theme.px(cardHead);
            m_headlines.emplace_back(
                left + padding, top, textWidth,
                textHeight(headlineText(scene, answer), theme.font(14, QFont::DemiBold), textWidth));
            m_details.emplace_back(left + padding, m_headlines.back().bottom() + theme.px(3), textWidth,
                                   textHeight(detailText(scene, answer), theme.font(12), textWidth));
            height = std::max(height, m_details.back().bottom() + padding - y);
            m_answers.emplace_back(left, y, cardWidth, 0);
        }
        for (std::size_t answer = from; answer < to; ++answer)
            m_answers[answer].setHeight(height);
        y += height + theme.px(pageGap);
    }
}

void SummaryPage::placeBlocks(const SummaryScene& scene, const Theme& theme, double& y) {
    const SummaryData& data = *scene.data;
    const double inside = m_width - 2 * m_margin;
    const std::size_t columns = inside >= theme.px(760) ? 2 : 1;
    const double each = (inside - theme.px(pageGap) * static_cast<double>(columns - 1)) / double(columns);
    const double row = theme.px(summaryRow);
    const double lanes =
        static_cast<double>(data.lanes.size()) * theme.px(summaryLaneHeight(data.lanes.size()) + 2);
    const double idleHeight = theme.px(summaryBlockHead) +
                              row * static_cast<double>(idleShares(data).size() + 1) + theme.px(8) + lanes;
    const double peakHeight =
        data.fullest() == nullptr
            ? theme.px(summaryBlockHead) + row
            : theme.px(summaryBlockHead) + theme.px(24) +
                  row * static_cast<double>(data.holders.size() + (data.otherBlocks > 0 ? 1 : 0) + 1);
    y += theme.px(6);
    m_idle = QRectF(m_margin, y, each, idleHeight);
    if (columns == 1)
        y = m_idle.bottom() + theme.px(pageGap);
    m_peak = QRectF(columns == 1 ? m_margin : m_margin + each + theme.px(pageGap), y, each, peakHeight);
    y = std::max(m_idle.bottom(), m_peak.bottom()) + theme.px(pageGap);
    if (data.timeline.lanes.empty())
        return;
    m_timeline = QRectF(m_margin, y, inside,
                        theme.px(summaryBlockHead) +
                            theme.px(std::clamp(22.0 * double(data.timeline.lanes.size()), 44.0, 260.0)));
    y = m_timeline.bottom();
}

std::optional<std::size_t> SummaryPage::answerAt(const QPointF& point) const {
    for (std::size_t answer = 0; answer < m_answers.size(); ++answer)
        if (m_answers[answer].contains(point))
            return answer;
    return std::nullopt;
}

std::optional<std::size_t> SummaryPage::figureAt(const QPointF& point) const {
    for (std::size_t figure = 0; figure < m_figures.size(); ++figure)
        if (m_figures[figure].contains(point))
            return figure;
    return std::nullopt;
}

} // namespace views
