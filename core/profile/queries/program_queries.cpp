#include "core/profile/queries/program_queries.h"

#include "core/profile/queries/record_query.h"
#include "core/profile/schema/program_tables.h"

#include <algorithm>
#include <fmt/core.h>

namespace core {

Result<std::vector<OperationRecord>> loadOperations(const ProfileDatabase& database, RunId run) {
    return loadRecords(database, operationTable, "run_id = ?1 ORDER BY operation", run);
}

Result<std::vector<ProgramStepRecord>> loadProgram(const ProfileDatabase& database, RunId run) {
    auto steps = loadRecords(database, programStepTable, "run_id = ?1 ORDER BY step", run);
    // Whoever walks the tree counts on parents that come before their children.
    for (std::size_t i = 0; steps && i < steps->size(); ++i) {
        const ProgramStepId parent = (*steps)[i].parent;
        if (parent.isValid() && parent.index() >= i)
            return failure(makeError(
                Trouble::World, "database/damaged", {database.path().string(), "program_step"},
                fmt::format("step {} of run {} belongs to a step that is not there", i, run.value()),
                {"restore a copy of the database, or run the project again"}));
    }
    return steps;
}

Result<std::vector<LayerShare>> stageProgram(const ProfileDatabase& database, RunId run, StageId stage,
                                             ProgramPhase phase) {
    return guarded(database, [&]() -> Result<std::vector<LayerShare>> {
        // Recompute may run the forward operations; it has rows of its own when it was planned apart.
        SQLite::Statement statement(
            database.connection(),
            "SELECT coalesce(l.value, n.value), sum(compute_cycles), sum(exchange_cycles), sum(sync_cycles), "
            "sum(flops), count(*) FROM operation JOIN text AS n ON n.id = name_id LEFT JOIN text AS l ON "
            "l.id = "
            "layer_id LEFT JOIN (SELECT operation, min(start_cycles) AS start FROM program_step WHERE run_id "
            "= ?1 "
            "AND operation IS NOT NULL GROUP BY operation) AS p USING (operation) WHERE run_id = ?1 AND "
            "stage = ?2 "
            "AND phase = ?3 GROUP BY coalesce(layer_id, name_id) ORDER BY min(start), min(operation)");
        statement.bind(1, sqlId(run));
        statement.bind(2, sqlId(stage));
        statement.bind(3, codeOf(phase));
        std::vector<LayerShare> layers;
        while (statement.executeStep()) {
            LayerShare& l = layers.emplace_back();
            RowReader(statement).read(l.layer, l.compute, l.exchange, l.sync, l.flops, l.operations);
        }
        return layers;
    });
}

Result<std::vector<LayerRow>> loadLayers(const ProfileDatabase& database, RunId run) {
    return guarded(database, [&]() -> Result<std::vector<LayerRow>> {
        SQLite::Statement statement(
            database.connection(),
            "SELECT value, stage, sum(cycles) FILTER (WHERE phase = ?2), sum(cycles) FILTER (WHERE phase = "
            "?3), sum(cycles) FILTER (WHERE phase = ?4), sum(cycles) FILTER (WHERE phase = ?5), sum(flops), "
            "sum(exchange_bytes), sum(output_bytes) FILTER (WHERE phase = ?2) FROM (SELECT *, "
            "compute_cycles + exchange_cycles + sync_cycles AS cycles FROM operation WHERE run_id = ?1) "
            "JOIN text ON text.id = layer_id GROUP BY layer_id, stage ORDER BY min(operation)");
        statement.bind(1, sqlId(run));
        statement.bind(2, codeOf(ProgramPhase::Forward));
        statement.bind(3, codeOf(ProgramPhase::Backward));
        statement.bind(4, codeOf(ProgramPhase::Recompute));
        statement.bind(5, codeOf(ProgramPhase::WeightUpdate));
        std::vector<LayerRow> layers;
        while (statement.executeStep()) {
            LayerRow& l = layers.emplace_back();
            RowReader(statement).read(l.layer, l.stage, l.forward, l.backward, l.recompute, l.update, l.flops,
                                      l.exchange, l.output);
        }
        return layers;
    });
}

} // namespace core
