#include "core/profile/exports/csv.h"

#include "core/profile/queries/timeline_queries.h"
#include "core/text/nearest_name.h"
#include "core/text/visible_text.h"

#include <array>
#include <fmt/format.h>
#include <limits>

namespace core {

namespace {

struct ExportTable {
    std::string_view name;
    std::string_view view;
    std::string_view order;
    /// A run without a timeline has no rows in it.
    bool isOfTimeline = false;
};
constexpr std::array<ExportTable, 23> exportTables{{
    {"run", "v_run", "run"},
    {"stages", "v_stage_summary", "stage"},
    {"lanes", "v_lane", "lane", true},
    {"spans", "v_span", "lane, start_cycles", true},
    {"idle", "v_idle", "ipu, cause", true},
    {"utilisation", "v_utilisation", "ipu", true},
    {"operations", "v_operation", "operation"},
    {"layers", "v_layer", "stage, layer, phase"},
    {"program", "v_program_step", "step"},
    {"transfers", "v_transfer", "from_stage, to_stage"},
    {"peak", "v_peak", "ipu"},
    {"memory_categories", "v_memory_category", "ipu, category"},
    {"liveness", "v_liveness", "ipu, step"},
    {"tensors", "v_tensor", "ipu, first_step"},
    {"tiles", "v_tile", "ipu, tile"},
    {"metrics", "v_metric", "metric, position"},
    {"executions", "v_execution", "execution"},
    {"callbacks", "v_callback", "execution, position"},
    {"tensor_statistics", "v_tensor_statistics", "weight_update, tensor, kind"},
    {"confusion", "v_confusion", "epoch, output, truth, predicted"},
    {"sample_predictions", "v_sample_prediction", "epoch, output, sample"},
    {"outputs", "v_output", "position"},
    {"predictions", "v_prediction", "output, sample, element"},
}};

std::string fieldOf(const SqlValue& value) {
    if (const auto* number = std::get_if<std::int64_t>(&value))
        return std::to_string(*number);
    if (const auto* real = std::get_if<double>(&value))
        return fmt::format("{}", *real);
    if (const auto* text = std::get_if<std::string>(&value))
        return csvField(*text);
    return {};
}

} // namespace

std::string toCsv(const SqlTable& table) {
    std::string csv;
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        csv.append(i == 0 ? "" : ",").append(csvField(table.columns[i]));
    csv += "\r\n";
    for (const std::vector<SqlValue>& row : table.rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (i > 0)
                csv += ',';
            csv += fieldOf(row[i]);
        }
        csv += "\r\n";
    }
    return csv;
}

std::vector<std::string> exportTableNames() {
    std::vector<std::string> names;
    for (const ExportTable& table : exportTables)
        names.emplace_back(table.name);
    return names;
}

Result<SqlTable> exportTable(const ProfileDatabase& database, RunId run, std::string_view table) {
    for (const ExportTable& known : exportTables) {
        if (known.name != table)
            continue;
        constexpr std::int64_t everyRow = std::numeric_limits<std::int64_t>::max();
        Result<SqlTable> rows = querySql(
            database,
            fmt::format("SELECT * FROM {} WHERE run = {} ORDER BY {}", known.view, run.value(), known.order),
            everyRow);
        if (rows && rows->rows.empty() && known.isOfTimeline) {
            const auto lanes = loadLanes(database, run);
            if (lanes && lanes->empty())
                return failure(withoutTimeline(run));
        }
        if (rows && known.view != "v_run") {
            rows->columns.erase(rows->columns.begin());
            for (std::vector<SqlValue>& row : rows->rows)
                row.erase(row.begin());
        }
        return rows;
    }
    const std::vector<std::string> names = exportTableNames();
    const auto nearest = nearestName(table, names);
    return failure(makeError(Trouble::Usage, "export/unknown-table", {},
                             fmt::format("there is no table \"{}\"", table),
                             {nearest ? fmt::format("did you mean {}?", *nearest) : std::string(),
                              fmt::format("tables: {}", fmt::join(names, ", "))}));
}

} // namespace core
