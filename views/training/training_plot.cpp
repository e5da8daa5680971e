#include "views/training/training_plot.h"

#include "views/common/theme/color_mix.h"
#include "views/profile/time/plot_style.h"
#include "views/profile/time/time_axis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/core.h>
#include <iterator>
#include <limits>
#include <qcustomplot.h>

namespace views {

namespace {

/// Beyond this, bars are thinner than a pixel and a filled line does the same.
constexpr std::size_t mostBars = 400;
constexpr std::size_t mostEpochLines = 120;

double lastUpdate(const TrainingScene& scene) {
    const double done = static_cast<double>(scene.data->updates());
    const double planned = scene.data->progress() > 0 ? done / scene.data->progress() : done;
    double last = std::max(1.0, std::round(planned));
    for (const auto& other : scene.others)
        last = std::max(last, static_cast<double>(other->updates()));
    return last;
}

const MetricPlot* plotNamed(const std::vector<MetricPlot>& plots, const std::string& name) {
    const auto plot = std::find_if(plots.begin(), plots.end(),
                                   [&](const MetricPlot& candidate) { return candidate.name == name; });
    return plot == plots.end() ? nullptr : &*plot;
}

/// Told apart without colours, also in print.
QPen overlayPen(std::size_t index, const Theme& theme) {
    static const std::array<QList<qreal>, mostOverlays> dashes{
        {{6, 3}, {2, 2}, {8, 3, 2, 3}, {12, 4}, {4, 2, 1, 2, 1, 2}}};
    QPen pen(theme.color(Role::Text2), 1.5);
    pen.setDashPattern(dashes[(index - 1) % dashes.size()]);
    pen.setCapStyle(Qt::FlatCap);
    return pen;
}

QColor plotColour(std::size_t index, const Theme& theme) {
    constexpr std::array<std::size_t, 6> stages{0, 2, 3, 1, 7, 4};
    return theme.stage(stages[index % stages.size()]);
}

/// Lowest and highest finite value; a little apart when equal.
std::pair<double, double> rangeOf(const std::vector<const MetricPlot*>& plots, bool isPositive) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const MetricPlot* plot : plots) {
        for (const std::vector<MetricPoint>* points : {&plot->training, &plot->validation}) {
            for (const MetricPoint& point : *points) {
                if (!std::isfinite(point.value) || (isPositive && point.value <= 0))
                    continue;
                low = std::min(low, point.value);
                high = std::max(high, point.value);
            }
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

    /// `others`: the same metric of the runs laid over it, null where they have none.
    void addMetric(const MetricPlot& metric, const std::vector<const MetricPlot*>& others,
                   std::size_t index) {
        const bool isLogarithmic =
            m_scene.state.isLogarithmic && metric.name.find("loss") != std::string::npos;
        // What is set by a schedule has no noise to be smoothed away.
        const bool isSchedule = metric.name == learningRateMetric;
        QCPAxisRect& rect =
            addRect(metricTitle(metric.name) + (isLogarithmic ? QStringLiteral(" (log)") : QString()),
                    endings(metric, others));
        QCPAxis& y = *rect.axis(QCPAxis::atLeft);
        if (isLogarithmic) {
            y.setScaleType(QCPAxis::stLogarithmic);
            const QSharedPointer<QCPAxisTickerLog> ticker(new QCPAxisTickerLog);
            y.setTicker(ticker);
            y.setNumberFormat(QStringLiteral("g"));
        }
        std::vector<const MetricPlot*> shown{&metric};
        std::copy_if(others.begin(), others.end(), std::back_inserter(shown),
                     [](const MetricPlot* other) { return other != nullptr; });
        const auto [low, high] = rangeOf(shown, isLogarithmic);
        y.setRange(low, high);
        const QColor colour = plotColour(index, m_theme);
        const double smoothing = isSchedule ? 0 : m_scene.state.smoothing;
        for (std::size_t i = 0; i < others.size(); ++i) {
            if (others[i] == nullptr)
                continue;
            const auto line = smoothed(others[i]->training, smoothing);
            addLine(rect, line, overlayPen(i + 1, m_theme));
            addLetter(rect, line, i + 1);
        }
        if (!isSchedule && others.empty())
            addLine(rect, metric.training, QPen(mix(m_theme.color(Role::Canvas), colour, 0.5), 1));
        const auto line = smoothed(metric.training, smoothing);
        addLine(rect, line, QPen(colour, 2));
        if (!others.empty())
            addLetter(rect, line, 0);
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
        const QColor colour =
            mix(m_theme.color(Role::Canvas), m_theme.activity(Activity::WeightUpdate), 0.75);
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
            x.setRange(0, lastUpdate(m_scene));
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
    /// "A 0.1115   B 0.1302": the last values of a metric of all runs, where there are several.
    [[nodiscard]] static QString endings(const MetricPlot& metric,
                                         const std::vector<const MetricPlot*>& others) {
        if (others.empty())
            return {};
        QStringList said;
        const auto say = [&](const MetricPlot* plot, std::size_t index) {
            if (plot != nullptr && !plot->training.empty())
                said.append(overlayLetter(index) + u' ' + metricText(plot->training.back().value));
        };
        say(&metric, 0);
        for (std::size_t i = 0; i < others.size(); ++i)
            say(others[i], i + 1);
        return said.join(QStringLiteral("    "));
    }

    QCPAxisRect& addRect(const QString& title, const QString& endings = {}) {
        QCPLayoutGrid& grid = *m_plot.plotLayout();
        auto* text = new QCPTextElement(&m_plot, title, m_theme.font(11, QFont::DemiBold));
        text->setTextColor(m_theme.color(Role::Text));
        text->setTextFlags(Qt::AlignLeft | Qt::AlignVCenter);
        text->setMargins(QMargins(m_theme.ipx(12), m_theme.ipx(6), 0, m_theme.ipx(2)));
        const int row = grid.rowCount();
        auto* head = new QCPLayoutGrid;
        head->addElement(0, 0, text);
        if (!endings.isEmpty()) {
            auto* values = new QCPTextElement(&m_plot, endings, m_theme.mono(10));
            values->setTextColor(m_theme.color(Role::Text2));
            values->setTextFlags(Qt::AlignRight | Qt::AlignVCenter);
            values->setMargins(QMargins(0, m_theme.ipx(6), m_theme.ipx(12), m_theme.ipx(2)));
            head->addElement(0, 1, values);
        }
        grid.addElement(row, 0, head);
        auto* rect = new QCPAxisRect(&m_plot, false);
        rect->addAxes(QCPAxis::atLeft | QCPAxis::atBottom);
        grid.addElement(row + 1, 0, rect);
        grid.setRowStretchFactor(row, 0.001);
        rect->setMarginGroup(QCP::msLeft | QCP::msRight, m_margins);
        rect->setMinimumMargins(QMargins(m_theme.ipx(52), m_theme.ipx(9), m_theme.ipx(70), m_theme.ipx(8)));
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

    /// The letter of a run on its line, each a little further along than the one before, so that lines that
    /// end together can be read.
    void addLetter(QCPAxisRect& rect, const std::vector<MetricPoint>& line, std::size_t index) {
        if (line.empty())
            return;
        const double share = 0.62 + 0.07 * static_cast<double>(index);
        const auto at = static_cast<std::size_t>(share * static_cast<double>(line.size() - 1));
        if (!std::isfinite(line[at].value))
            return;
        auto* text = new QCPItemText(&m_plot);
        text->position->setAxes(rect.axis(QCPAxis::atBottom), rect.axis(QCPAxis::atLeft));
        text->position->setAxisRect(&rect);
        text->setClipAxisRect(&rect);
        text->position->setCoords(line[at].update, line[at].value);
        text->setPositionAlignment(Qt::AlignHCenter | Qt::AlignVCenter);
        text->setPadding(QMargins(3, 1, 3, 1));
        text->setText(overlayLetter(index));
        text->setFont(m_theme.mono(10, QFont::DemiBold));
        text->setColor(m_theme.color(Role::Text));
        text->setBrush(m_theme.color(Role::Canvas));
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
    std::vector<std::vector<MetricPlot>> others;
    for (const auto& other : scene.others)
        others.push_back(metricPlots(*other));
    for (std::size_t i = 0; i < metrics.size(); ++i) {
        std::vector<const MetricPlot*> same;
        for (const std::vector<MetricPlot>& other : others)
            same.push_back(plotNamed(other, metrics[i].name));
        rows.addMetric(metrics[i], same, i);
    }
    if (!scene.data->executions.empty())
        rows.addThroughput();
    rows.finish();
}

QString overlayLetter(std::size_t index) {
    return QString(QChar(static_cast<char16_t>(u'A' + index)));
}

std::vector<MetricReading> readingsAt(const TrainingScene& scene, const std::string& metric, double update) {
    const auto nearest = [&](const std::vector<MetricPoint>& points) -> std::optional<MetricPoint> {
        const auto after = std::lower_bound(points.begin(), points.end(), update,
                                            [](const MetricPoint& p, double x) { return p.update < x; });
        if (after == points.end())
            return points.empty() ? std::nullopt : std::optional(points.back());
        if (after == points.begin() || after->update - update < update - std::prev(after)->update)
            return *after;
        return *std::prev(after);
    };
    std::vector<MetricReading> readings;
    const auto read = [&](const TrainingData& data) {
        const std::vector<MetricPlot> plots = metricPlots(data);
        if (const MetricPlot* plot = plotNamed(plots, metric))
            readings.push_back(
                {overlayLetter(readings.size()), nearest(plot->training), nearest(plot->validation)});
        else
            readings.push_back({overlayLetter(readings.size()), {}, {}});
    };
    read(*scene.data);
    for (const auto& other : scene.others)
        read(*other);
    return readings;
}

std::optional<core::Diagnostic> trainingObjection(const TrainingData& data) {
    if (!data.metrics.empty())
        return std::nullopt;
    return core::makeError(core::Trouble::Input, "run/no-metrics", {},
                           data.run ? fmt::format("run {} computed no loss", data.run->value())
                                    : std::string("this run computes no loss"),
                           {"give the project a dataset, and run it with numerics"});
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
    TrainingScene scene{std::make_shared<const TrainingData>(*std::move(data)), {}, nullptr, state};
    const double plots = static_cast<double>(metricPlots(*scene.data).size() + 1);
    return pictureOf(scene, sizeOr(size, QSizeF(1100, trainingHeadHeight(theme) + 210 * plots)), theme);
}

} // namespace views
