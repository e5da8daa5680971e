#pragma once

#include "core/profile/records/program_records.h"
#include "core/profile/schema/table.h"

namespace core {

// clang-format off
inline constexpr auto operationTable = table<OperationRecord>(
    "operation", "run_id, operation",
    runColumn(),
    column("operation", "INTEGER NOT NULL", &OperationRecord::id),
    column<Interned>("name_id", "INTEGER NOT NULL REFERENCES text", &OperationRecord::name),
    column<Interned>("kind_id", "INTEGER NOT NULL REFERENCES text", &OperationRecord::kind),
    column<InternedOrNull>("layer_id", "INTEGER REFERENCES text", &OperationRecord::layer),
    column("stage", "INTEGER", &OperationRecord::stage),
    column("phase", "INTEGER NOT NULL REFERENCES program_phase", &OperationRecord::phase),
    column("compute_cycles", "INTEGER NOT NULL", &OperationRecord::compute),
    column("exchange_cycles", "INTEGER NOT NULL", &OperationRecord::exchange),
    column("sync_cycles", "INTEGER NOT NULL", &OperationRecord::sync),
    column("flops", "INTEGER NOT NULL", &OperationRecord::flops),
    column("tiles_used", "INTEGER NOT NULL", &OperationRecord::tilesUsed),
    column("exchange_bytes", "INTEGER NOT NULL", &OperationRecord::exchangeBytes),
    column("temporary_bytes_per_tile", "INTEGER NOT NULL", &OperationRecord::temporaryPerTile),
    column("output_bytes", "INTEGER NOT NULL", &OperationRecord::outputBytes),
    column<InternedOrNull>("plan_id", "INTEGER REFERENCES text", &OperationRecord::plan),
    column<InternedOrNull>("precision_id", "INTEGER REFERENCES text", &OperationRecord::precision, 6),
    column("peak_flops_per_cycle", "INTEGER NOT NULL DEFAULT 0", &OperationRecord::peakPerCycle, 6));

inline constexpr auto programStepTable = table<ProgramStepRecord>(
    "program_step", "run_id, step",
    runColumn(),
    column("step", "INTEGER NOT NULL", &ProgramStepRecord::id),
    column("parent", "INTEGER", &ProgramStepRecord::parent),
    column("kind", "INTEGER NOT NULL REFERENCES step_kind", &ProgramStepRecord::kind),
    column<InternedOrNull>("label_id", "INTEGER REFERENCES text", &ProgramStepRecord::label),
    column("count", "INTEGER NOT NULL", &ProgramStepRecord::count),
    column("stage", "INTEGER", &ProgramStepRecord::stage),
    column("phase", "INTEGER REFERENCES program_phase", &ProgramStepRecord::phase),
    column("operation", "INTEGER", &ProgramStepRecord::operation),
    column("start_cycles", "INTEGER NOT NULL", &ProgramStepRecord::start),
    column("duration_cycles", "INTEGER NOT NULL", &ProgramStepRecord::duration),
    column("bytes", "INTEGER NOT NULL", &ProgramStepRecord::bytes));

inline constexpr auto transferTable = table<TransferRecord>(
    "transfer", "run_id, position",
    runColumn(),
    given("position", "INTEGER NOT NULL"),
    column<InternedOrNull>("tensor_id", "INTEGER REFERENCES text", &TransferRecord::tensor),
    column("from_stage", "INTEGER", &TransferRecord::from),
    column("to_stage", "INTEGER", &TransferRecord::to),
    column("phase", "INTEGER NOT NULL REFERENCES program_phase", &TransferRecord::phase),
    column("bytes", "INTEGER NOT NULL", &TransferRecord::bytes),
    column("hops", "INTEGER NOT NULL", &TransferRecord::hops),
    column("is_pass_through", "INTEGER NOT NULL", &TransferRecord::passThrough));
// clang-format on

inline constexpr std::array programViews{
    ViewText{"v_operation", R"sql(
SELECT run_id AS run, operation, name.value AS name, kind.value AS kind, layer.value AS layer, stage,
       program_phase.name AS phase, compute_cycles, exchange_cycles, sync_cycles,
       compute_cycles + exchange_cycles + sync_cycles AS cycles, flops, tiles_used, exchange_bytes,
       temporary_bytes_per_tile, output_bytes, plan.value AS plan, precision.value AS precision,
       peak_flops_per_cycle
FROM operation
JOIN program_phase ON program_phase.id = operation.phase
JOIN text AS name ON name.id = operation.name_id
JOIN text AS kind ON kind.id = operation.kind_id
LEFT JOIN text AS layer ON layer.id = operation.layer_id
LEFT JOIN text AS plan ON plan.id = operation.plan_id
LEFT JOIN text AS precision ON precision.id = operation.precision_id)sql"},
    ViewText{"v_layer", R"sql(
SELECT run, layer, stage, phase, count(*) AS operations, sum(cycles) AS cycles, sum(flops) AS flops,
       sum(exchange_bytes) AS exchange_bytes, max(temporary_bytes_per_tile) AS temporary_bytes_per_tile
FROM v_operation
WHERE layer IS NOT NULL
GROUP BY run, layer, stage, phase)sql"},
    ViewText{"v_program_step", R"sql(
SELECT run_id AS run, step, parent, step_kind.name AS kind, label.value AS label, count, stage,
       program_phase.name AS phase, operation, start_cycles, duration_cycles, bytes
FROM program_step
JOIN step_kind ON step_kind.id = program_step.kind
LEFT JOIN program_phase ON program_phase.id = program_step.phase
LEFT JOIN text AS label ON label.id = program_step.label_id)sql"},
    ViewText{"v_transfer", R"sql(
SELECT run_id AS run, tensor.value AS tensor, from_stage, to_stage, program_phase.name AS phase, bytes, hops,
       is_pass_through
FROM transfer
JOIN program_phase ON program_phase.id = transfer.phase
LEFT JOIN text AS tensor ON tensor.id = transfer.tensor_id)sql"},
};

} // namespace core
