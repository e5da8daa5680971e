#include "views/training/training_data.h"

#include "core/profile/queries/run_queries.h"
#include "core/profile/queries/timeline_queries.h"
#include "core/profile/queries/training_queries.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace views {

namespace {

constexpr std::string_view validationPrefix = "val_";

bool isValidation(const std::string& name) {
    return name.starts_with(validationPrefix);
}

std::string trainingName(const std::string& name) {
    return isValidation(name) ? name.substr(validationPrefix.size()) : name;
}

/// Names in order of arrival, training metrics before validation ones.
std::vector<std::string> metricNames(const TrainingData& data) {
    std::vector<std::string> names;
    for (const core::MetricRecord& metric : data.metrics) {
        if (std::find(names.begin(), names.end(), metric.name) == names.end())
            names.push_back(metric.name);
    }
    std::stable_sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
        return isValidation(a) < isValidation(b);
    });
    return names;
}

} // namespace

std::int64_t TrainingData::effectiveBatch() const {
    return provenance.batchSize * provenance.microBatches * provenance.replicas;
}

std::int64_t TrainingData::updates() const {
    std::int64_t updates = 0;
    for (const core::ExecutionRecord& execution : executions)
        updates += execution.updates;
    return updates;
}

std::int64_t TrainingData::epochsBegun() const {
    return executions.empty() ? 0 : executions.back().epoch + 1;
}

double TrainingData::progress() const {
    return plannedExecutions > 0 ? std::min(1.0, static_cast<double>(executions.size()) /
                                                     static_cast<double>(plannedExecutions))
                                 : 1.0;
}

double TrainingData::throughput(const core::ExecutionRecord& execution) const {
    if (execution.duration.value() <= 0)
        return 0;
    return static_cast<double>(effectiveBatch() * execution.updates) * provenance.clockHz /
           static_cast<double>(execution.duration.value());
}

double TrainingData::computedSamplesPerSecond() const {
    return elapsedSeconds > 0 ? static_cast<double>(effectiveBatch() * updates()) / elapsedSeconds : 0;
}

core::Result<TrainingData> loadTraining(const core::ProfileDatabase& database, core::RunId run) {
    core::Result<core::RunSummary> summary = core::loadRun(database, run);
    if (!summary)
        return core::failure(summary.error());
    auto executions = core::loadExecutions(database, run);
    if (!executions)
        return core::failure(executions.error());
    auto metrics = core::loadMetrics(database, run);
    if (!metrics)
        return core::failure(metrics.error());
    auto callbacks = core::loadCallbacks(database, run);
    if (!callbacks)
        return core::failure(callbacks.error());
    TrainingData training;
    training.run = run;
    training.provenance = std::move(summary->provenance);
    training.provenance.projectText.clear();
    training.executions = *std::move(executions);
    training.metrics = *std::move(metrics);
    training.callbacks = *std::move(callbacks);
    training.plannedExecutions = static_cast<std::int64_t>(training.executions.size());
    training.plannedEpochs = std::max<std::int64_t>(1, training.epochsBegun());
    training.step = summary->step;
    training.idleFraction = summary->idleFraction;
    for (const core::IpuMemorySummary& memory : summary->memory)
        training.peak = std::max(training.peak, memory.peak);
    return training;
}

std::vector<MetricPlot> metricPlots(const TrainingData& data) {
    std::vector<MetricPlot> plots;
    for (const core::MetricRecord& metric : data.metrics) {
        const std::string name = trainingName(metric.name);
        auto plot =
            std::find_if(plots.begin(), plots.end(), [&](const MetricPlot& p) { return p.name == name; });
        if (plot == plots.end())
            plot = plots.insert(plots.end(), {name, {}, {}});
        (isValidation(metric.name) ? plot->validation : plot->training)
            .push_back({static_cast<double>(metric.update), metric.epoch, metric.value});
    }
    std::stable_sort(plots.begin(), plots.end(), [](const MetricPlot& a, const MetricPlot& b) {
        const auto rank = [](const MetricPlot& plot) {
            return plot.name == "loss" ? 0 : plot.name == learningRateMetric ? 2 : 1;
        };
        return rank(a) < rank(b);
    });
    return plots;
}

std::vector<double> epochEnds(const TrainingData& data) {
    std::vector<double> ends;
    std::int64_t updates = 0;
    for (std::size_t i = 0; i < data.executions.size(); ++i) {
        updates += data.executions[i].updates;
        const bool isLast =
            i + 1 == data.executions.size() || data.executions[i + 1].epoch != data.executions[i].epoch;
        if (isLast && (i + 1 < data.executions.size() || !data.isRunning))
            ends.push_back(static_cast<double>(updates));
    }
    return ends;
}

std::vector<MetricPoint> smoothed(const std::vector<MetricPoint>& points, double weight) {
    std::vector<MetricPoint> result;
    result.reserve(points.size());
    double average = 0;
    double correction = 1;
    for (const MetricPoint& point : points) {
        // What is no number is shown and leaves the average alone.
        if (!std::isfinite(point.value)) {
            result.push_back(point);
            continue;
        }
        average = weight * average + (1 - weight) * point.value;
        correction *= weight;
        result.push_back({point.update, point.epoch, weight >= 1 ? point.value : average / (1 - correction)});
    }
    return result;
}

QString metricText(double value) {
    if (std::isnan(value))
        return QStringLiteral("not a number");
    if (std::isinf(value))
        return value > 0 ? QStringLiteral("+∞") : QStringLiteral("−∞");
    const double size = std::abs(value);
    if (size > 0 && size < 1e-3)
        return QString::number(value, 'e', 3);
    return fixedText(value, size >= 1000 ? 1 : 4);
}

QString metricTitle(const std::string& name) {
    QString title = toQString(name);
    title.replace(QLatin1Char('_'), QLatin1Char(' '));
    if (!title.isEmpty())
        title[0] = title[0].toUpper();
    return title;
}

TableContent epochTable(const TrainingData& data) {
    const std::vector<std::string> names = metricNames(data);
    std::map<std::int64_t, std::map<std::string, double>> epochs;
    for (const core::MetricRecord& metric : data.metrics)
        epochs[metric.epoch][metric.name] = metric.value;
    TableContent content;
    content.columns = {numberColumn(QStringLiteral("Epoch"))};
    for (const std::string& name : names)
        content.columns.push_back(numberColumn(metricTitle(name)));
    content.columns.front().isElastic = false;
    for (const auto& [epoch, values] : epochs) {
        std::vector<TableCell> row{numberCell(QString::number(epoch + 1), static_cast<double>(epoch))};
        for (const std::string& name : names) {
            const auto value = values.find(name);
            row.push_back(value == values.end() ? dashCell()
                                                : numberCell(metricText(value->second), value->second));
        }
        content.rows.push_back(std::move(row));
    }
    return content;
}

bool hasAsynchronousCallbacks(const TrainingData& data) {
    return data.callbacks.size() > 1 && data.callbacks[0].at == data.callbacks[1].at;
}

namespace {

/// The rows of the callback table, added newest first.
class CallbackRows {
public:
    CallbackRows(const TrainingData& data, std::size_t most)
        : m_data(data)
        , m_most(most)
        , m_names(metricNames(data)) {
        std::erase_if(m_names, isValidation);
        for (const core::MetricRecord& metric : data.metrics) {
            const auto at = std::find(m_names.begin(), m_names.end(), metric.name);
            if (at == m_names.end())
                continue;
            auto& row = m_logs.try_emplace(metric.update, m_names.size()).first->second;
            row[static_cast<std::size_t>(at - m_names.begin())] = metric.value;
        }
        m_content.columns = {numberColumn(QStringLiteral("Update")),
                             {QStringLiteral("Callback"), ColumnKind::Text, {}, 130, {}, true},
                             numberColumn(QStringLiteral("Epoch"))};
        if (!data.callbacks.empty())
            for (const char* title : {"Step", "Replica", "Late"})
                m_content.columns.push_back(numberColumn(QString::fromLatin1(title)));
        for (const std::string& name : m_names)
            m_content.columns.push_back(numberColumn(metricTitle(name)));
    }

    [[nodiscard]] bool isFull() const { return m_content.rows.size() >= m_most; }

    /// `call` and the step it names in its epoch; none for what no batch callback is.
    void add(std::int64_t update, const QString& name, std::int64_t epoch,
             const core::CallbackRecord* call = nullptr, std::int64_t step = 0) {
        std::vector<TableCell> row{numberCell(groupedText(update), static_cast<double>(update)),
                                   textCell(name),
                                   numberCell(QString::number(epoch + 1), static_cast<double>(epoch))};
        if (call != nullptr) {
            row.push_back(numberCell(groupedText(step), static_cast<double>(step)));
            row.push_back(numberCell(QString::number(call->replica), static_cast<double>(call->replica)));
            row.push_back(lateCell(*call));
        } else if (!m_data.callbacks.empty()) {
            row.insert(row.end(), 3, dashCell());
        }
        const auto logs = m_logs.find(update);
        for (std::size_t i = 0; i < m_names.size(); ++i) {
            const auto value = logs == m_logs.end() ? std::nullopt : logs->second[i];
            row.push_back(value ? numberCell(metricText(*value), *value) : dashCell());
        }
        m_content.rows.push_back(std::move(row));
    }

    [[nodiscard]] TableContent take() { return std::move(m_content); }

private:
    [[nodiscard]] TableCell lateCell(const core::CallbackRecord& call) const {
        const double microseconds = m_data.provenance.clockHz > 0 ? static_cast<double>(call.late().value()) *
                                                                        1e6 / m_data.provenance.clockHz
                                                                  : 0;
        return numberCell(QStringLiteral("%1 µs").arg(microseconds, 0, 'f', 1), microseconds);
    }

    const TrainingData& m_data;
    std::size_t m_most;
    std::vector<std::string> m_names;
    /// Values by update, in the order of the names.
    std::map<std::int64_t, std::vector<std::optional<double>>> m_logs;
    TableContent m_content;
};

/// The calls of one execution, newest first. `update` are the updates done when it ended, `step` its first
/// step in its epoch.
void addCalls(CallbackRows& rows, const TrainingData& data, const core::ExecutionRecord& execution,
              std::int64_t update, std::int64_t step) {
    const std::int64_t microBatches = std::max<std::int64_t>(1, data.provenance.microBatches);
    for (auto call = data.callbacks.rbegin(); call != data.callbacks.rend() && !rows.isFull(); ++call) {
        const bool isEnd = call->name.ends_with("_end");
        // A begin sees no logs yet; an end those of the update its step belongs to.
        const std::int64_t seen = update - execution.updates + call->step / microBatches + (isEnd ? 1 : 0);
        rows.add(seen, QString::fromStdString(call->name), execution.epoch, &*call, step + call->step);
    }
}

} // namespace

TableContent callbackTable(const TrainingData& data, std::size_t most) {
    CallbackRows rows(data, most);
    const bool isTraining = data.provenance.mode == core::RunMode::Train;
    const QString batchEnd = isTraining ? QStringLiteral("on_train_batch_end")
                             : data.provenance.mode == core::RunMode::Evaluate
                                 ? QStringLiteral("on_test_batch_end")
                                 : QStringLiteral("on_predict_batch_end");
    std::map<std::int64_t, std::int64_t> firstOfEpoch;
    for (const core::ExecutionRecord& execution : data.executions)
        firstOfEpoch.try_emplace(execution.epoch, execution.index);
    std::int64_t update = data.updates();
    for (auto execution = data.executions.rbegin(); execution != data.executions.rend() && !rows.isFull();
         ++execution) {
        const bool endsEpoch = isTraining && !data.isRunning && execution == data.executions.rbegin();
        const bool isLastOfEpoch =
            execution != data.executions.rbegin() && std::prev(execution)->epoch != execution->epoch;
        if (endsEpoch || (isTraining && isLastOfEpoch))
            rows.add(update, QStringLiteral("on_epoch_end"), execution->epoch);
        const std::int64_t steps =
            execution->updates * std::max<std::int64_t>(1, data.provenance.microBatches);
        if (data.callbacks.empty())
            rows.add(update, batchEnd, execution->epoch);
        else
            addCalls(rows, data, *execution, update,
                     (execution->index - firstOfEpoch[execution->epoch]) * steps);
        update -= execution->updates;
    }
    return rows.take();
}

QString callbackNote(const TrainingData& data) {
    if (hasAsynchronousCallbacks(data))
        return QStringLiteral(
            "Asynchronous: a begin and an end for every step and replica, back to back, when "
            "the host finds the step's results in the outfeed.");
    const std::int64_t updates = data.executions.empty() ? 1 : data.executions.front().updates;
    return QStringLiteral("Synchronous: one begin and end per execution of %1; the logs are those "
                          "of its last micro-batch, and the results of its first steps wait for them.")
        .arg(countedText(updates, QStringLiteral("weight update"), QStringLiteral("weight updates")));
}

} // namespace views
