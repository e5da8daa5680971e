#include "core/profile/training_queries.h"

#include "core/profile/database_trouble.h"
#include "core/profile/row_reader.h"

namespace core {

Result<std::vector<MetricRecord>> loadMetrics(const ProfileDatabase& database, RunId run) {
    return guarded(database, [&]() -> Result<std::vector<MetricRecord>> {
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

} // namespace core
