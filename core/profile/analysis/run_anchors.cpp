#include "core/profile/analysis/run_anchors.h"

#include "core/profile/records/program_phase.h"
#include "core/profile/records/time_records.h"
#include "core/profile/schema/database_trouble.h"
#include "core/profile/schema/row_reader.h"

#include <algorithm>

namespace core {

Result<RunAnchors> loadRunAnchors(const ProfileDatabase& database, RunId run) {
    return guarded(database, [&]() -> Result<RunAnchors> {
        RunAnchors anchors;
        // Summed here and not by GROUP BY, which would sort millions of rows.
        SQLite::Statement spans(
            database.connection(),
            "SELECT stage, micro_batch, start_cycles FROM span WHERE run_id = ?1 AND kind = ?2");
        spans.bind(1, sqlId(run));
        spans.bind(2, codeOf(SpanKind::Forward));
        const auto note = [](auto& map, const auto& key, Cycles start) {
            const auto [place, isNew] = map.try_emplace(key, start);
            if (!isNew)
                place->second = std::min(place->second, start);
        };
        while (spans.executeStep()) {
            StageId stage;
            std::optional<std::int64_t> microBatch;
            Cycles start;
            RowReader(spans).read(stage, microBatch, start);
            if (stage.isValid())
                note(anchors.stages, stage, start);
            if (microBatch)
                note(anchors.microBatches, *microBatch, start);
        }
        SQLite::Statement steps(
            database.connection(),
            "SELECT layer.value, program_step.stage, min(program_step.start_cycles) FROM program_step "
            "JOIN operation ON operation.run_id = program_step.run_id "
            "AND operation.operation = program_step.operation "
            "JOIN text AS layer ON layer.id = operation.layer_id "
            "WHERE program_step.run_id = ?1 AND program_step.phase = ?2 GROUP BY layer.value, "
            "program_step.stage");
        steps.bind(1, sqlId(run));
        steps.bind(2, codeOf(ProgramPhase::Forward));
        while (steps.executeStep()) {
            std::string layer;
            StageId stage;
            Cycles offset;
            RowReader(steps).read(layer, stage, offset);
            const auto program = anchors.stages.find(stage);
            if (program != anchors.stages.end())
                note(anchors.layers, layer, program->second + offset);
        }
        return anchors;
    });
}

} // namespace core
