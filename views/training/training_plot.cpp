#include "views/training/training_plot.h"

#include "views/common/color_mix.h"
#include "views/profile/plot_style.h"
#include "views/profile/time_axis.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <limits>
#include <qcustomplot.h>

namespace views {

namespace {

/// Beyond this, bars are thinner than a pixel and a filled line does the same.
constexpr std::size_t mostBars = 400;
constexpr std::size_t mostEpochLines = 120;

double lastUpdate(const TrainingData& data) {
    const double done = static_cast<double>(data.updates());
    const double planned = data.progress() > 0 ? done / data.progress() : done;
    return std::max(1.0, std::round(planned));
}

QColor plotColour(std::size_t index, const Theme& theme) {
    constexpr std::array<std::size_t, 6> stages{0, 2, 3, 1, 7, 4};
    return theme.stage(stages[index % stages.size()]);
}

/// Lowest and highest finite value; a little apart when equal.
std::pair<double, double> rangeOf(const MetricPlot& plot, bool isPositive) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const std::vector<MetricPoint>* points : {&plot.training, &plot.validation}) {
        for (const MetricPoint& point : *points) {
            if (!std::isfinite(point.value) || (isPositive && point.value <= 0))
                continue;
            low = std::min(low, point.value);
            high = std::max(high, point.value);
        }
    }
    if (!(low <= high))
        return {isPositive ? 0.1 : 0.0, 1.0};
    const double margin = high > low ? (high - low) * 0.06 : std::max(std::abs(high) * 0.1, 1e-9);
    return isPositive ? std::pair(low / 1.15, high * 1.15) : std::pair(low - margin, high + margin);
}

QVector<QCPGraphData> graphData(const std::vector<MetricPoint>& points) {
    QVector<QCPGraphData> result;
    result.reserve(static_cast<qsizetype>(points.size()));
    for (const MetricPoint& point : points)
        result.append({point.update, std::isfinite(point.value) ? point.value : qQNaN()});
    return result;
}

/// Builds the rows of the plot.
class Rows {
public:
    Rows(QCustomPlot& plot, const TrainingScene& scene, const Theme& theme)
        : m_plot(plot)
        , m_scene(scene)
        , m_theme(theme)
        , m_margins(new QCPMarginGroup(&plot)) {}

    void addMetric(const MetricPlot& metric, std::size_t index) {
        const bool isLogarithmic =
            m_scene.state.isLogarithmic && metric.name.find("loss") != std::string::npos;
        QCPAxisRect& rect =
            addRect(metricTitle(metric.name) + (isLogarithmic ? QStringLiteral(" (log)") : QString()));
        QCPAxis& y = *rect.axis(QCPAxis::atLeft);
        if (isLogarithmic) {
            y.setScaleType(QCPAxis::stLogarithmic);
            const QSharedPointer<QCPAxisTickerLog> ticker(new QCPAxisTickerLog);
            y.setTicker(ticker);
            y.setNumberFormat(QStringLiteral("g"));
        }
        const auto [low, high] = rangeOf(metric, isLogarithmic);
        y.setRange(low, high);
        const QColor colour = plotColour(index, m_theme);
        addLine(rect, metric.training, QPen(mix(m_theme.color(Role::Canvas), colour, 0.5), 1));
        addLine(rect, smoothed(metric.training, m_scene.state.smoothing), QPen(colour, 2));
        addValidation(rect, metric.validation);
        if (!metric.training.empty())
            addTag(rect, metric.training.back(), colour);
    }

    void addThroughput() {
        const TrainingData& data = *m_scene.data;
        QCPAxisRect& rect = addRect(QStringLiteral("Throughput, samples/s of simulated time"));
        double most = 0;
        double update = 0;
        QVector<QCPGraphData> points;
        for (const core::ExecutionRecord& execution : data.executions) {
            points.append({update, data.throughput(execution)});
            update += static_cast<double>(execution.updates);
            most = std::max(most, points.last().value);
        }
        rect.axis(QCPAxis::atLeft)->setRange(0, most > 0 ? most * 1.1 : 1);
        std::vector<std::pair<double, QString>> ticks;
        for (const double value : valueTicks(0, most * 1.1, 4))
            ticks.emplace_back(value, most < 1e5 ? compactText(value) : countText(value).joined());
        setTicks(*rect.axis(QCPAxis::atLeft), ticks);
        const QColor colour = mix(m_theme.color(Role::Canvas), m_theme.phase(Phase::WeightUpdate), 0.75);
        if (data.executions.size() <= mostBars) {
            auto* bars = new QCPBars(rect.axis(QCPAxis::atBottom), rect.axis(QCPAxis::atLeft));
            const double width =
                data.executions.empty() ? 1 : static_cast<double>(data.executions.front().updates);
            bars->setWidth(width * 0.86);
            bars->setPen(Qt::NoPen);
            bars->setBrush(colour);
            for (const QCPGraphData& point : points)
                bars->addData(point.key + width / 2, point.value);
            return;
        }
        points.append({update, points.isEmpty() ? 0 : points.last().value});
        QCPGraph* graph = m_plot.addGraph(rect.axis(QCPAxis::atBottom), rect.axis(QCPAxis::atLeft));
        graph->setLineStyle(QCPGraph::lsStepLeft);
        graph->setPen(Qt::NoPen);
        graph->setBrush(colour);
        graph->data()->set(points, true);
    }

    /// Dotted lines where epochs end; names of epochs below the last plot.
    void finish() {
        const std::vector<double> ends = epochEnds(*m_scene.data);
        std::vector<std::pair<double, QString>> names;
        double begin = 0;
        const std::size_t every = std::max<std::size_t>(1, ends.size() / 12);
        for (std::size_t i = 0; i < ends.size(); ++i) {
            if (i % every == 0)
                names.emplace_back((begin + ends[i]) / 2, QStringLiteral("epoch %1").arg(i + 1));
            begin = ends[i];
        }
        if (m_scene.data->isRunning && !m_scene.data->executions.empty())
            names.emplace_back((begin + double(m_scene.data->updates())) / 2,
                               QStringLiteral("epoch %1").arg(m_scene.data->epochsBegun()));
        for (QCPAxisRect* rect : m_rects) {
            addEpochLines(*rect, ends, begin);
            QCPAxis& x = *rect->axis(QCPAxis::atBottom);
            x.setRange(0, lastUpdate(*m_scene.data));
            const bool isLast = rect == m_rects.back();
            x.setTickLabels(isLast);
            x.setTicks(isLast);
            x.setBasePen(QPen(m_theme.color(Role::BorderStrong), 1));
            x.setTickPen(Qt::NoPen);
            x.setTickLabelFont(m_theme.font(10));
            if (isLast)
                setTicks(x, names);
        }
    }

private:
    QCPAxisRect& addRect(const QString& title) {
        QCPLayoutGrid& grid = *m_plot.plotLayout();
        auto* text = new QCPTextElement(&m_plot, title, m_theme.font(11, QFont::DemiBold));
        text->setTextColor(m_theme.color(Role::Text));
        text->setTextFlags(Qt::AlignLeft | Qt::AlignVCenter);
        text->setMargins(QMargins(m_theme.ipx(12), m_theme.ipx(6), 0, m_theme.ipx(2)));
        const int row = grid.rowCount();
        grid.addElement(row, 0, text);
        auto* rect = new QCPAxisRect(&m_plot, false);
        rect->addAxes(QCPAxis::atLeft | QCPAxis::atBottom);
        grid.addElement(row + 1, 0, rect);
        grid.setRowStretchFactor(row, 0.001);
        rect->setMarginGroup(QCP::msLeft | QCP::msRight, m_margins);
        rect->setMinimumMargins(QMargins(m_theme.ipx(52), m_theme.ipx(4), m_theme.ipx(70), m_theme.ipx(8)));
        styleAxisRect(*rect, m_theme);
        m_rects.push_back(rect);
        return *rect;
    }

    void addLine(QCPAxisRect& rect, const std::vector<MetricPoint>& points, const QPen& pen) {
        QCPGraph* graph = m_plot.addGraph(rect.axis(QCPAxis::atBottom), rect.axis(QCPAxis::atLeft));
        graph->setPen(pen);
        graph->data()->set(graphData(points), true);
        if (points.size() == 1)
            graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, pen.color(), 5));
    }

    void addValidation(QCPAxisRect& rect, const std::vector<MetricPoint>& points) {
        if (points.empty())
            return;
        const QColor colour = m_theme.color(Role::Text);
        QCPGraph* graph = m_plot.addGraph(rect.axis(QCPAxis::atBottom), rect.axis(QCPAxis::atLeft));
        graph->setPen(QPen(colour, 1, Qt::DashLine));
        graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDiamond, QPen(colour, 1.4),
                                               m_theme.color(Role::Canvas), m_theme.px(9)));
        graph->data()->set(graphData(points), true);
    }

    void addTag(QCPAxisRect& rect, const MetricPoint& point, const QColor& colour) {
        if (!std::isfinite(point.value))
            return;
        auto* text = new QCPItemText(&m_plot);
        text->setClipToAxisRect(false);
        text->position->setAxes(rect.axis(QCPAxis::atBottom), rect.axis(QCPAxis::atLeft));
        text->position->setAxisRect(&rect);
        text->position->setCoords(point.update, point.value);
        text->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
        text->setPadding(QMargins(6, 3, 6, 3));
        text->setText(metricText(point.value));
        text->setFont(m_theme.mono(10));
        text->setColor(m_theme.color(Role::Text));
        text->setBrush(m_theme.color(Role::Raised));
        text->setPen(QPen(colour, 1.2));
        auto* dot = new QCPItemTracer(&m_plot);
        dot->setClipToAxisRect(false);
        dot->position->setAxes(rect.axis(QCPAxis::atBottom), rect.axis(QCPAxis::atLeft));
        dot->position->setAxisRect(&rect);
        dot->position->setCoords(point.update, point.value);
        dot->setStyle(QCPItemTracer::tsCircle);
        dot->setSize(7);
        dot->setPen(QPen(m_theme.color(Role::Canvas), 1.4));
        dot->setBrush(colour);
    }

    void addEpochLines(QCPAxisRect& rect, const std::vector<double>& ends, double currentBegin) {
        QCPAxis* x = rect.axis(QCPAxis::atBottom);
        QCPAxis* y = rect.axis(QCPAxis::atLeft);
        if (m_scene.data->isRunning) {
            auto* wash = new QCPItemRect(&m_plot);
            wash->setLayer(QStringLiteral("background"));
            for (QCPItemPosition* position : {wash->topLeft, wash->bottomRight}) {
                position->setAxes(x, y);
                position->setAxisRect(&rect);
                position->setTypeY(QCPItemPosition::ptAxisRectRatio);
            }
            wash->setClipAxisRect(&rect);
            wash->topLeft->setCoords(currentBegin, 0);
            wash->bottomRight->setCoords(static_cast<double>(m_scene.data->updates()), 1);
            wash->setPen(Qt::NoPen);
            wash->setBrush(withAlpha(m_theme.color(Role::Accent), 0.08));
        }
        if (ends.size() > mostEpochLines)
            return;
        for (const double end : ends) {
            auto* line = new QCPItemStraightLine(&m_plot);
            for (QCPItemPosition* position : {line->point1, line->point2}) {
                position->setAxes(x, y);
                position->setAxisRect(&rect);
                position->setTypeY(QCPItemPosition::ptAxisRectRatio);
            }
            line->setClipAxisRect(&rect);
            line->point1->setCoords(end, 0);
            line->point2->setCoords(end, 1);
            line->setPen(QPen(m_theme.color(Role::BorderStrong), 1, Qt::DotLine));
        }
    }

    QCustomPlot& m_plot;
    const TrainingScene& m_scene;
    const Theme& m_theme;
    QCPMarginGroup* m_margins;
    std::vector<QCPAxisRect*> m_rects;
};

} // namespace

void fillTrainingPlot(QCustomPlot& plot, const TrainingScene& scene, const Theme& theme) {
    plot.clearItems();
    plot.clearPlottables();
    plot.plotLayout()->clear();
    plot.plotLayout()->setRowSpacing(0);
    stylePlot(plot, theme);
    Rows rows(plot, scene, theme);
    const std::vector<MetricPlot> metrics = metricPlots(*scene.data);
    for (std::size_t i = 0; i < metrics.size(); ++i)
        rows.addMetric(metrics[i], i);
    if (!scene.data->executions.empty())
        rows.addThroughput();
    rows.finish();
}

std::optional<core::Diagnostic> trainingObjection(const TrainingData& data) {
    if (!data.metrics.empty())
        return std::nullopt;
    return core::Diagnostic{core::Severity::Error,
                            core::Trouble::Input,
                            "run/no-metrics",
                            {},
                            data.run ? fmt::format("run {} computed no loss", data.run->value())
                                     : std::string("this run computes no loss"),
                            {"give the project a dataset, and run it with numerics"}};
}

Picture pictureOf(const TrainingScene& scene, const QSizeF& size, const Theme& theme) {
    return {scene.data->run ? QStringLiteral("Training of run %1").arg(scene.data->run->value())
                            : QStringLiteral("Training"),
            size, [scene, size, theme](QPainter& painter) {
                painter.fillRect(QRectF(QPointF(0, 0), size), theme.color(Role::Canvas));
                const double head = trainingHeadHeight(theme);
                paintTrainingHead(painter, QRectF(0, 0, size.width(), head), scene, theme);
                QCustomPlot plot;
                fillTrainingPlot(plot, scene, theme);
                paintPlot(painter, QRectF(0, head, size.width(), size.height() - head), plot);
            }};
}

core::Result<Picture> trainingPicture(const core::ProfileDatabase& database, core::RunId run,
                                      const Theme& theme, const QSizeF& size, const TrainingState& state) {
    core::Result<TrainingData> data = loadTraining(database, run);
    if (!data)
        return core::failure(data.error());
    if (std::optional<core::Diagnostic> objection = trainingObjection(*data))
        return core::failure(*std::move(objection));
    TrainingScene scene{std::make_shared<const TrainingData>(*std::move(data)), nullptr, state};
    const double plots = static_cast<double>(metricPlots(*scene.data).size() + 1);
    return pictureOf(scene, sizeOr(size, QSizeF(1100, trainingHeadHeight(theme) + 210 * plots)), theme);
}

} // namespace views
