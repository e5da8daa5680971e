#include "views/comparison/comparison_painter.h"

#include "core/profile/queries/run_queries.h"
#include "views/common/text/elided_text.h"
#include "views/common/theme/icons.h"
#include "views/profile/legend_bar.h"
#include "views/profile/tables/table_painter.h"
#include "views/profile/time/plot_style.h"

#include <algorithm>
#include <cmath>
#include <qcustomplot.h>

namespace views {

namespace {

constexpr double defaultWidth = 1600;
constexpr double titleHeight = 30;
constexpr double legendHeight = 30;
constexpr double leastBottom = 360;
/// Of all lanes together: each is some rectangles of 230 bytes where a picture is an SVG, which stays below
/// 5 MB.
constexpr std::int64_t mostBins = 9'000;

/// One for each pixel, fewer where there are many lanes.
core::Result<std::int64_t> binsOf(const core::ProfileDatabase& database, const std::vector<core::RunId>& runs,
                                  double width) {
    std::int64_t lanes = 1;
    for (const core::RunId run : runs) {
        const auto summary = core::loadRun(database, run);
        if (!summary)
            return core::failure(summary.error());
        lanes += static_cast<std::int64_t>(summary->memory.size());
    }
    return std::clamp<std::int64_t>(mostBins / lanes, 100, std::max<std::int64_t>(100, std::llround(width)));
}

/// The page below the timelines.
class BottomPass {
public:
    BottomPass(QPainter& painter, const ComparisonScene& scene, const Theme& theme)
        : m_painter(painter)
        , m_scene(scene)
        , m_theme(theme) {}

    void run(const QRectF& rect) {
        const double metrics = rect.width() * 0.50;
        const double differences = rect.width() * 0.28;
        paintMetrics(QRectF(rect.left(), rect.top(), metrics, rect.height()));
        paintDifferences(QRectF(rect.left() + metrics, rect.top(), differences, rect.height()));
        paintPareto(QRectF(rect.left() + metrics + differences, rect.top(),
                           rect.width() - metrics - differences, rect.height()));
    }

private:
    /// Frame and title of a part; what is left for its content.
    QRectF section(const QRectF& rect, const QString& title, const QString& remark) {
        m_painter.fillRect(rect, m_theme.color(Role::Panel));
        const QRectF bar(rect.left(), rect.top(), rect.width(), m_theme.px(titleHeight));
        m_painter.fillRect(bar, m_theme.color(Role::Panel2));
        m_painter.fillRect(QRectF(bar.left(), bar.bottom() - 1, bar.width(), 1), m_theme.color(Role::Border));
        m_painter.fillRect(QRectF(rect.right() - 1, rect.top(), 1, rect.height()),
                           m_theme.color(Role::Border));
        const QRectF inside = bar.adjusted(m_theme.px(8), 0, -m_theme.px(10), 0);
        const QFont bold = m_theme.font(12, QFont::DemiBold);
        m_painter.setPen(m_theme.color(Role::Text));
        paintElided(m_painter, inside, Qt::AlignLeft | Qt::AlignVCenter, title, bold);
        m_painter.setPen(m_theme.color(Role::Text3));
        paintElided(m_painter, inside.adjusted(textWidth(title, bold) + m_theme.px(12), 0, 0, 0),
                    Qt::AlignRight | Qt::AlignVCenter, remark, m_theme.font(11));
        return rect.adjusted(0, bar.height(), -1, 0);
    }

    void paintMetrics(const QRectF& rect) {
        const QString remark = m_scene.data->count() > 1
                                   ? QStringLiteral("green is better, red is worse than the baseline")
                                   : QString();
        paintTable(m_painter, section(rect, QStringLiteral("Metrics"), remark),
                   metricTable(*m_scene.data, m_scene.state.units), m_theme);
    }

    void paintDifferences(const QRectF& rect) {
        const TableContent table = differenceTable(*m_scene.data);
        const QRectF inside = section(rect, QStringLiteral("Differences"),
                                      table.rows.empty() ? QStringLiteral("none")
                                                         : QStringLiteral("%1 rows").arg(table.rows.size()));
        const QStringList same = sameness(*m_scene.data);
        const QStringList sentences = reading(*m_scene.data, m_scene.state.units);
        const double line = m_theme.px(22);
        const double below = line * double(same.size()) + 2.4 * line * double(sentences.size());
        double top = inside.top();
        if (!table.rows.empty()) {
            const double wanted = tableHeight(table.rows.size(), m_theme);
            const double height = std::min(wanted, std::max(inside.height() - below - line, 4 * line));
            paintTable(m_painter, QRectF(inside.left(), top, inside.width(), height), table, m_theme);
            top += height;
        }
        top += line / 2;
        for (const QString& sentence : same)
            top += paintSentence(QRectF(inside.left(), top, inside.width(), inside.bottom() - top), sentence,
                                 QStringLiteral("ok"), Role::Success);
        for (const QString& sentence : sentences)
            top += paintSentence(QRectF(inside.left(), top, inside.width(), inside.bottom() - top), sentence,
                                 QStringLiteral("bulb"), Role::AccentText);
    }

    /// A sentence with its icon, wrapped; nothing where it does not fit. Answers what it took.
    double paintSentence(const QRectF& space, const QString& sentence, const QString& icon, Role role) {
        const QRectF text = space.adjusted(m_theme.px(30), 0, -m_theme.px(8), 0);
        m_painter.setFont(m_theme.font(11));
        const QRectF needed = m_painter.boundingRect(text, Qt::AlignLeft | Qt::TextWordWrap, sentence);
        if (needed.height() > space.height())
            return 0;
        const double side = m_theme.px(14);
        paintIcon(m_painter, QRectF(space.left() + m_theme.px(8), space.top(), side, side), icon,
                  m_theme.color(role));
        m_painter.setPen(m_theme.color(Role::Text));
        m_painter.drawText(text, Qt::AlignLeft | Qt::TextWordWrap, sentence);
        return needed.height() + m_theme.px(7);
    }

    void paintPareto(const QRectF& rect) {
        const QRectF inside = section(rect, QStringLiteral("Pareto"),
                                      countedText(std::int64_t(m_scene.data->runs.size()),
                                                  QStringLiteral("run"), QStringLiteral("runs")));
        QCustomPlot plot;
        fillParetoPlot(plot,
                       paretoScene(m_scene.data->runs, m_scene.data->comparison.runs, m_scene.state.units),
                       m_theme);
        paintPlot(m_painter, inside, plot);
    }

    QPainter& m_painter;
    const ComparisonScene& m_scene;
    const Theme& m_theme;
};

void paintLegendLine(QPainter& painter, const ComparisonScene& scene, const QRectF& rect,
                     const Theme& theme) {
    painter.fillRect(rect, theme.color(Role::Panel));
    painter.fillRect(QRectF(rect.left(), rect.bottom() - 1, rect.width(), 1), theme.color(Role::Border));
    const std::vector<LegendEntry> entries = smallActivityLegend(theme);
    const double width = legendWidth(entries, theme);
    painter.setPen(theme.color(Role::Text));
    paintElided(
        painter, rect.adjusted(theme.px(12), 0, -width - theme.px(24), 0), Qt::AlignLeft | Qt::AlignVCenter,
        countedText(std::int64_t(scene.data->count()), QStringLiteral("run"), QStringLiteral("runs")) +
            QStringLiteral(" compared"),
        theme.font(13, QFont::DemiBold));
    paintLegend(painter, QRectF(rect.right() - width - theme.px(4), rect.top(), width + 1, rect.height()),
                entries, {}, theme);
}

} // namespace

Picture pictureOf(const ComparisonScene& scene, const QSizeF& size, const Theme& theme) {
    const double legend = theme.px(legendHeight);
    const double lanes = timelinesHeight(*scene.data, theme.scale());
    const double rows = double(metricTable(*scene.data, scene.state.units).rows.size());
    const double bottom = std::max(
        theme.px(leastBottom), theme.px(titleHeight) + tableHeight(std::size_t(rows), theme) + theme.px(8));
    const QSizeF whole = sizeOr(size, QSizeF(defaultWidth, legend + lanes + bottom));
    // In a low picture the timelines give, down to what their headers need.
    const double least = layOut(*scene.data, whole.width(), 0, theme.scale()).bottom();
    const double upper = std::max(least, std::min(lanes, (whole.height() - legend) * 0.55));
    return {QStringLiteral("Comparison of runs"), whole,
            [scene, theme, whole, legend, upper](QPainter& painter) {
                painter.fillRect(QRectF(QPointF(0, 0), whole), theme.color(Role::Panel));
                paintLegendLine(painter, scene, QRectF(0, 0, whole.width(), legend), theme);
                painter.save();
                painter.translate(0, legend);
                paintComparisonTimelines(painter, scene,
                                         layOut(*scene.data, whole.width(), upper, theme.scale()), theme);
                painter.restore();
                BottomPass(painter, scene, theme)
                    .run(QRectF(0, legend + upper, whole.width(), whole.height() - legend - upper));
            }};
}

core::Result<Picture> comparisonPicture(const core::ProfileDatabase& database,
                                        const std::vector<core::RunId>& runs, core::RunId baseline,
                                        const Theme& theme, const QSizeF& size,
                                        const ComparisonState& state) {
    const auto bins = binsOf(database, runs, sizeOr(size, QSizeF(defaultWidth, 0)).width());
    if (!bins)
        return core::failure(bins.error());
    auto data = loadComparison(database, runs, baseline, *bins);
    if (!data)
        return core::failure(data.error());
    ComparisonScene scene{std::make_shared<const ComparisonData>(*std::move(data)), state, {}};
    scene.view = scene.whole();
    return pictureOf(scene, size, theme);
}

} // namespace views
