#include "core/profile/queries/training_queries.h"

#include "core/base/json.h"
#include "core/profile/schema/database_trouble.h"
#include "core/profile/schema/row_reader.h"

namespace core {

namespace {

/// One record per row of a query whose only parameter is the run.
template <class Record, class Read>
Result<std::vector<Record>> recordsOf(const ProfileDatabase& database, RunId run, const char* sql,
                                      Read read) {
    return guarded(database, [&]() -> Result<std::vector<Record>> {
        SQLite::Statement statement(database.connection(), sql);
        statement.bind(1, sqlId(run));
        std::vector<Record> records;
        while (statement.executeStep())
            read(RowReader(statement), records.emplace_back());
        return records;
    });
}

} // namespace

Result<std::vector<MetricRecord>> loadMetrics(const ProfileDatabase& database, RunId run) {
    return recordsOf<MetricRecord>(
        database, run,
        "SELECT text.value, coalesce(weight_update, position + 1), coalesce(epoch, 0), metric.value "
        "FROM metric JOIN metric_series USING (run_id, series) JOIN text ON text.id = name_id "
        "WHERE run_id = ? ORDER BY series, position",
        [](RowReader row, MetricRecord& m) { row.read(m.name, m.update, m.epoch, m.value); });
}

Result<std::vector<CallbackRecord>> loadCallbacks(const ProfileDatabase& database, RunId run) {
    return recordsOf<CallbackRecord>(
        database, run,
        "SELECT text.value, step, replica, at_cycles, due_cycles FROM callback "
        "JOIN text ON text.id = name_id WHERE run_id = ? ORDER BY position",
        [](RowReader row, CallbackRecord& r) { row.read(r.name, r.step, r.replica, r.at, r.due); });
}

Result<std::vector<TensorStatisticsRecord>> loadTensorStatistics(const ProfileDatabase& database, RunId run) {
    return recordsOf<TensorStatisticsRecord>(
        database, run,
        "SELECT tensor.value, coalesce(layer.value, ''), kind, weight_update, epoch, elements, not_finite, "
        "norm, minimum, maximum, mean, histogram FROM tensor_statistics "
        "JOIN text AS tensor ON tensor.id = tensor_id LEFT JOIN text AS layer ON layer.id = layer_id "
        "WHERE run_id = ? ORDER BY weight_update, kind, tensor.value",
        [](RowReader row, TensorStatisticsRecord& r) {
            std::string histogram;
            row.read(r.tensor, r.layer, r.kind, r.update, r.epoch, r.elements, r.notFinite, r.norm, r.minimum,
                     r.maximum, r.mean, histogram);
            if (const auto counts = parseJson(histogram, ""); counts && counts->is_array())
                for (const Json& count : *counts)
                    r.histogram.push_back(count.is_number() ? count.get<std::int64_t>() : 0);
        });
}

Result<std::vector<ConfusionRecord>> loadConfusion(const ProfileDatabase& database, RunId run) {
    return recordsOf<ConfusionRecord>(
        database, run,
        "SELECT text.value, epoch, truth, predicted, count FROM confusion "
        "JOIN text ON text.id = output_id WHERE run_id = ? ORDER BY text.value, epoch, truth, predicted",
        [](RowReader row, ConfusionRecord& r) {
            row.read(r.output, r.epoch, r.truth, r.predicted, r.count);
        });
}

Result<std::vector<SamplePredictionRecord>> loadSamplePredictions(const ProfileDatabase& database,
                                                                  RunId run) {
    return recordsOf<SamplePredictionRecord>(
        database, run,
        "SELECT text.value, epoch, sample, truth, predicted, probability FROM sample_prediction "
        "JOIN text ON text.id = output_id WHERE run_id = ? ORDER BY text.value, epoch, sample",
        [](RowReader row, SamplePredictionRecord& r) {
            row.read(r.output, r.epoch, r.sample, r.truth, r.predicted, r.probability);
        });
}

Result<std::vector<SampleImageRecord>> loadSampleImages(const ProfileDatabase& database, RunId run) {
    return recordsOf<SampleImageRecord>(
        database, run,
        "SELECT sample, rows, columns, channels, pixels FROM sample_image WHERE run_id = ? ORDER BY sample",
        [](RowReader row, SampleImageRecord& r) {
            row.read(r.sample, r.rows, r.columns, r.channels, r.pixels);
        });
}

} // namespace core
