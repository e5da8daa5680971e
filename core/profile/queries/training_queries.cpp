#include "core/profile/queries/training_queries.h"

#include "core/profile/queries/record_query.h"
#include "core/profile/schema/training_tables.h"

namespace core {

Result<std::vector<MetricRecord>> loadMetrics(const ProfileDatabase& database, RunId run) {
    return guardedPart(database, "training curves", [&]() -> Result<std::vector<MetricRecord>> {
        SQLite::Statement statement(
            database.connection(),
            "SELECT text.value, coalesce(weight_update, position + 1), coalesce(epoch, 0), metric.value "
            "FROM metric JOIN metric_series USING (run_id, series) JOIN text ON text.id = name_id "
            "WHERE run_id = ? ORDER BY series, position");
        statement.bind(1, sqlId(run));
        std::vector<MetricRecord> metrics;
        while (statement.executeStep()) {
            MetricRecord& m = metrics.emplace_back();
            RowReader(statement).read(m.name, m.update, m.epoch, m.value);
        }
        return metrics;
    });
}

Result<std::vector<CallbackRecord>> loadCallbacks(const ProfileDatabase& database, RunId run) {
    return loadRecords(database, callbackTable, "run_id = ?1 ORDER BY position", run);
}

// A number of `text` says nothing of the text's place in the alphabet.

Result<std::vector<TensorStatisticsRecord>> loadTensorStatistics(const ProfileDatabase& database, RunId run) {
    return loadRecords(database, tensorStatisticsTable,
                       "run_id = ?1 ORDER BY weight_update, kind, "
                       "(SELECT value FROM text WHERE text.id = tensor_id)",
                       run);
}

Result<std::vector<ConfusionRecord>> loadConfusion(const ProfileDatabase& database, RunId run) {
    return loadRecords(
        database, confusionTable,
        "run_id = ?1 ORDER BY (SELECT value FROM text WHERE text.id = output_id), epoch, truth, "
        "predicted",
        run);
}

Result<std::vector<SamplePredictionRecord>> loadSamplePredictions(const ProfileDatabase& database,
                                                                  RunId run) {
    return loadRecords(
        database, samplePredictionTable,
        "run_id = ?1 ORDER BY (SELECT value FROM text WHERE text.id = output_id), epoch, sample", run);
}

Result<std::vector<SampleImageRecord>> loadSampleImages(const ProfileDatabase& database, RunId run) {
    return loadRecords(database, sampleImageTable, "run_id = ?1 ORDER BY sample", run);
}

Result<std::vector<ModelOutputRecord>> loadModelOutputs(const ProfileDatabase& database, RunId run) {
    return loadRecords(database, modelOutputTable, "run_id = ?1 ORDER BY position", run);
}

Result<std::vector<OutputValueRecord>> loadOutputValues(const ProfileDatabase& database, RunId run) {
    return loadRecords(database, outputValueTable, "run_id = ?1 ORDER BY output_id, sample, element", run);
}

} // namespace core
