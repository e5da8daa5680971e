#pragma once

#include "core/profile/records/callback_record.h"
#include "core/profile/records/output_records.h"
#include "core/profile/records/training_records.h"
#include "core/profile/schema/table.h"

namespace core {

/// A row of values by name.
struct StoredSeries {
    std::int64_t series = 0;
    std::string name;
    bool isInSummary = false;
};

// clang-format off
inline constexpr auto metricSeriesTable = table<StoredSeries>(
    "metric_series", "run_id, series",
    runColumn(),
    column("series", "INTEGER NOT NULL", &StoredSeries::series),
    column<Interned>("name_id", "INTEGER NOT NULL REFERENCES text", &StoredSeries::name),
    column("is_in_summary", "INTEGER NOT NULL", &StoredSeries::isInSummary));

struct StoredMetric {
    std::int64_t series = 0;
    std::int64_t position = 0;
    std::optional<std::int64_t> update;
    std::optional<std::int64_t> epoch;
    double value = 0;
};

/// A NULL value is "not a number".
inline constexpr auto metricTable =
    table<StoredMetric>("metric", "run_id, series, position",
                        runColumn(),
                        column("series", "INTEGER NOT NULL", &StoredMetric::series),
                        column("position", "INTEGER NOT NULL", &StoredMetric::position),
                        column("weight_update", "INTEGER", &StoredMetric::update),
                        column("epoch", "INTEGER", &StoredMetric::epoch),
                        column("value", "REAL", &StoredMetric::value));

/// `histogram` is a JSON list of counts in equal bins from minimum to maximum. NULL: no finite element.
inline constexpr auto tensorStatisticsTable =
    table<TensorStatisticsRecord>(
        "tensor_statistics", "run_id, weight_update, kind, tensor_id",
        runColumn(),
        column("weight_update", "INTEGER NOT NULL", &TensorStatisticsRecord::update),
        column("kind", "INTEGER NOT NULL REFERENCES trained_tensor_kind", &TensorStatisticsRecord::kind),
        column<Interned>("tensor_id", "INTEGER NOT NULL REFERENCES text", &TensorStatisticsRecord::tensor),
        column<InternedOrNull>("layer_id", "INTEGER REFERENCES text", &TensorStatisticsRecord::layer),
        column("epoch", "INTEGER NOT NULL", &TensorStatisticsRecord::epoch),
        column("elements", "INTEGER NOT NULL", &TensorStatisticsRecord::elements),
        column("not_finite", "INTEGER NOT NULL", &TensorStatisticsRecord::notFinite),
        column("norm", "REAL", &TensorStatisticsRecord::norm),
        column("minimum", "REAL", &TensorStatisticsRecord::minimum),
        column("maximum", "REAL", &TensorStatisticsRecord::maximum),
        column("mean", "REAL", &TensorStatisticsRecord::mean),
        column<JsonList>("histogram", "TEXT NOT NULL", &TensorStatisticsRecord::histogram))
        .from(2);

inline constexpr auto confusionTable =
    table<ConfusionRecord>(
        "confusion", "run_id, output_id, epoch, truth, predicted",
        runColumn(),
        column<Interned>("output_id", "INTEGER NOT NULL REFERENCES text", &ConfusionRecord::output),
        column("epoch", "INTEGER NOT NULL", &ConfusionRecord::epoch),
        column("truth", "INTEGER NOT NULL", &ConfusionRecord::truth),
        column("predicted", "INTEGER NOT NULL", &ConfusionRecord::predicted),
        column("count", "INTEGER NOT NULL", &ConfusionRecord::count))
        .from(2);

/// A NULL probability: the output is a value, no class.
inline constexpr auto samplePredictionTable =
    table<SamplePredictionRecord>(
        "sample_prediction", "run_id, output_id, epoch, sample",
        runColumn(),
        column<Interned>("output_id", "INTEGER NOT NULL REFERENCES text", &SamplePredictionRecord::output),
        column("epoch", "INTEGER NOT NULL", &SamplePredictionRecord::epoch),
        column("sample", "INTEGER NOT NULL", &SamplePredictionRecord::sample),
        column("truth", "REAL", &SamplePredictionRecord::truth),
        column("predicted", "REAL", &SamplePredictionRecord::predicted),
        column("probability", "REAL", &SamplePredictionRecord::probability))
        .from(2);

/// 8 bits per channel, row by row, channels last.
inline constexpr auto sampleImageTable =
    table<SampleImageRecord>("sample_image", "run_id, sample",
                             runColumn(),
                             column("sample", "INTEGER NOT NULL", &SampleImageRecord::sample),
                             column("rows", "INTEGER NOT NULL", &SampleImageRecord::rows),
                             column("columns", "INTEGER NOT NULL", &SampleImageRecord::columns),
                             column("channels", "INTEGER NOT NULL", &SampleImageRecord::channels),
                             column("pixels", "BLOB NOT NULL", &SampleImageRecord::pixels))
        .from(2);

/// The calls of one execution, from its start; all executions of a run have the same.
inline constexpr auto callbackTable =
    table<CallbackRecord>(
        "callback", "run_id, position",
        runColumn(),
        given("position", "INTEGER NOT NULL"),
        column<Interned>("name_id", "INTEGER NOT NULL REFERENCES text", &CallbackRecord::name),
        column("step", "INTEGER NOT NULL", &CallbackRecord::step),
        column("replica", "INTEGER NOT NULL", &CallbackRecord::replica),
        column("at_cycles", "INTEGER NOT NULL", &CallbackRecord::at),
        column("due_cycles", "INTEGER NOT NULL", &CallbackRecord::due))
        .from(3);

/// `shape` is a JSON list, the samples first.
inline constexpr auto modelOutputTable =
    table<ModelOutputRecord>(
        "model_output", "run_id, position",
        runColumn(),
        given("position", "INTEGER NOT NULL"),
        column<Interned>("output_id", "INTEGER NOT NULL REFERENCES text", &ModelOutputRecord::output),
        column<JsonList>("shape", "TEXT NOT NULL", &ModelOutputRecord::shape),
        column("type", "TEXT NOT NULL", &ModelOutputRecord::type),
        column("stored_samples", "INTEGER NOT NULL", &ModelOutputRecord::storedSamples))
        .from(4);

/// A NULL value is "not a number".
inline constexpr auto outputValueTable =
    table<OutputValueRecord>(
        "output_value", "run_id, output_id, sample, element",
        runColumn(),
        column<Interned>("output_id", "INTEGER NOT NULL REFERENCES text", &OutputValueRecord::output),
        column("sample", "INTEGER NOT NULL", &OutputValueRecord::sample),
        column("element", "INTEGER NOT NULL", &OutputValueRecord::element),
        column("value", "REAL", &OutputValueRecord::value))
        .from(4);
// clang-format on

inline constexpr std::array trainingViews{
    ViewText{"v_metric", R"sql(
SELECT metric.run_id AS run, text.value AS metric, position, weight_update, epoch, metric.value AS value
FROM metric
JOIN metric_series USING (run_id, series)
JOIN text ON text.id = metric_series.name_id)sql"},
    ViewText{"v_tensor_statistics", R"sql(
SELECT run_id AS run, epoch, weight_update, layer.value AS layer, tensor.value AS tensor,
       trained_tensor_kind.name AS kind, elements, not_finite, norm, minimum, maximum, mean, histogram
FROM tensor_statistics
JOIN trained_tensor_kind ON trained_tensor_kind.id = tensor_statistics.kind
JOIN text AS tensor ON tensor.id = tensor_statistics.tensor_id
LEFT JOIN text AS layer ON layer.id = tensor_statistics.layer_id)sql"},
    ViewText{"v_confusion", R"sql(
SELECT run_id AS run, epoch, text.value AS output, truth, predicted, count
FROM confusion JOIN text ON text.id = confusion.output_id)sql"},
    ViewText{"v_sample_prediction", R"sql(
SELECT run_id AS run, epoch, text.value AS output, sample, truth, predicted, probability
FROM sample_prediction JOIN text ON text.id = sample_prediction.output_id)sql"},
    ViewText{"v_sample_image", R"sql(
SELECT run_id AS run, sample, rows, columns, channels, pixels FROM sample_image)sql"},
    ViewText{"v_output", R"sql(
SELECT run_id AS run, position, text.value AS output, shape, type, stored_samples
FROM model_output JOIN text ON text.id = model_output.output_id)sql"},
    ViewText{"v_prediction", R"sql(
SELECT run_id AS run, text.value AS output, sample, element, output_value.value AS value
FROM output_value JOIN text ON text.id = output_value.output_id)sql"},
    /// Every call of a run: the step it names in its epoch, when it came, and how far behind the device.
    ViewText{"v_callback", R"sql(
SELECT execution.run_id AS run, execution.execution AS execution, execution.epoch AS epoch,
       callback.position AS position, text.value AS callback,
       (execution.execution
           - (SELECT min(first.execution) FROM execution AS first
              WHERE first.run_id = execution.run_id AND first.epoch = execution.epoch))
           * execution.updates * run.micro_batches + callback.step AS step,
       callback.replica AS replica, execution.start_cycles + at_cycles AS called_cycles,
       execution.start_cycles + due_cycles AS due_cycles, at_cycles - due_cycles AS late_cycles,
       (at_cycles - due_cycles) * 1e9 / run.clock_hz AS late_ns
FROM execution
JOIN run ON run.id = execution.run_id
JOIN callback ON callback.run_id = execution.run_id
JOIN text ON text.id = callback.name_id)sql"},
};

} // namespace core
