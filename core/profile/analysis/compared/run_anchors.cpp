#include "core/profile/analysis/compared/run_anchors.h"

#include "core/profile/queries/timeline_queries.h"
#include "core/profile/records/program_phase.h"
#include "core/profile/records/time_records.h"
#include "core/profile/schema/database_trouble.h"
#include "core/profile/schema/row_reader.h"
#include "core/profile/spans/span_reader.h"

#include <algorithm>

namespace core {

Result<RunAnchors> loadRunAnchors(const ProfileDatabase& database, RunId run) {
    const Result<std::vector<LaneRecord>> lanes = loadLanes(database, run);
    if (!lanes)
        return failure(lanes.error());
    return guardedPart(database, timelineEvents, [&]() -> Result<RunAnchors> {
        RunAnchors anchors;
        const auto note = [](auto& map, const auto& key, Cycles start) {
            const auto [place, isNew] = map.try_emplace(key, start);
            if (!isNew)
                place->second = std::min(place->second, start);
        };
        SpanReader reader(database, run);
        // A stage that goes forward and back in one program has no forward work of its own: that program
        // begins with it.
        RunAnchors fused;
        for (const LaneRecord& lane : *lanes)
            reader.forEachBlock(lane.id, [&](const SpanBlock& block, const std::vector<PackedSpan>& spans) {
                for (const PackedSpan& span : spans) {
                    const ReadShape& shape = reader.shapeOf(span);
                    const SpanKind kind = shape.record.kind;
                    if (kind != SpanKind::Forward && kind != SpanKind::Backward)
                        continue;
                    RunAnchors& found = kind == SpanKind::Forward ? anchors : fused;
                    if (shape.record.stage.isValid())
                        note(found.stages, shape.record.stage, Cycles(span.start));
                    if (!shape.hasMicroBatch)
                        continue;
                    // Later turns of the same micro-batch begin later.
                    const std::int64_t turns = block.microBatchStride == 0 ? 1 : block.turns;
                    for (std::int64_t turn = 0; turn < turns; ++turn)
                        note(found.microBatches, span.microBatch + turn * block.microBatchStride,
                             Cycles(span.start + turn * block.strideCycles));
                }
            });
        std::erase_if(fused.stages, [&](const auto& stage) { return anchors.stages.contains(stage.first); });
        anchors.stages.insert(fused.stages.begin(), fused.stages.end());
        anchors.microBatches.merge(fused.microBatches);
        SQLite::Statement steps(
            database.connection(),
            "SELECT layer.value, program_step.stage, program_step.phase, min(program_step.start_cycles) "
            "FROM program_step JOIN operation ON operation.run_id = program_step.run_id "
            "AND operation.operation = program_step.operation "
            "JOIN text AS layer ON layer.id = operation.layer_id "
            "WHERE program_step.run_id = ?1 AND operation.phase = ?2 GROUP BY layer.value, "
            "program_step.stage, program_step.phase");
        steps.bind(1, sqlId(run));
        steps.bind(2, codeOf(ProgramPhase::Forward));
        while (steps.executeStep()) {
            std::string layer;
            StageId stage;
            ProgramPhase phase = ProgramPhase::Forward;
            Cycles offset;
            RowReader(steps).read(layer, stage, phase, offset);
            const auto program = anchors.stages.find(stage);
            const bool isFused = fused.stages.contains(stage);
            if (program != anchors.stages.end() &&
                phase == (isFused ? ProgramPhase::Backward : ProgramPhase::Forward))
                note(anchors.layers, layer, program->second + offset);
        }
        return anchors;
    });
}

} // namespace core
