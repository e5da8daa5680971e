#pragma once

#include "core/profile/records/run_records.h"
#include "core/profile/schema/run_state.h"
#include "core/profile/schema/table.h"

namespace core {

/// What a run's row holds from its beginning.
struct StartedRun {
    RunState state = RunState::Recording;
    /// Who records (process_identity.h).
    std::string process;
    /// The row of `project_snapshot` with the text and hash of the project.
    std::int64_t snapshot = 0;
    RunProvenance provenance;
    /// Of a run that was merged from another file: who recorded it, and its number there. Empty: recorded
    /// here.
    std::string origin;
};

template <auto Outer, auto Inner>
struct Inside {
    template <class Record>
    constexpr auto& operator()(Record& record) const {
        return record.*Outer.*Inner;
    }
};

/// Whether a field is one of the provenance.
template <class Field>
inline constexpr bool isOfProvenance = false;
template <auto Inner>
inline constexpr bool isOfProvenance<Inside<&StartedRun::provenance, Inner>> = true;

/// A column that holds a field of the provenance; `show` prints it.
template <auto Member>
constexpr auto provenanceColumn(std::string_view name, std::string_view type,
                                std::int32_t since = firstSchemaVersion) {
    return column(name, type, Inside<&StartedRun::provenance, Member>(), since);
}

// clang-format off
/// Its number is made by SQLite and never given twice. The seed is unsigned here and signed in SQL.
inline constexpr auto startedRunTable = table<StartedRun>(
    "run", "",
    column("state", "INTEGER NOT NULL REFERENCES run_state", &StartedRun::state),
    column("process", "TEXT NOT NULL", &StartedRun::process),
    provenanceColumn<&RunProvenance::projectName>("project_name", "TEXT NOT NULL"),
    column("snapshot_id", "INTEGER NOT NULL REFERENCES project_snapshot", &StartedRun::snapshot),
    provenanceColumn<&RunProvenance::programVersion>("program_version", "TEXT NOT NULL"),
    provenanceColumn<&RunProvenance::costModelVersion>("cost_model_version", "TEXT NOT NULL"),
    provenanceColumn<&RunProvenance::mode>("mode", "INTEGER NOT NULL REFERENCES run_mode"),
    provenanceColumn<&RunProvenance::seed>("seed", "INTEGER NOT NULL"),
    provenanceColumn<&RunProvenance::targetName>("target_name", "TEXT NOT NULL"),
    provenanceColumn<&RunProvenance::tiles>("tiles", "INTEGER NOT NULL"),
    provenanceColumn<&RunProvenance::memoryPerTile>("memory_per_tile_bytes", "INTEGER NOT NULL"),
    provenanceColumn<&RunProvenance::clockHz>("clock_hz", "REAL NOT NULL"),
    provenanceColumn<&RunProvenance::ipus>("ipus", "INTEGER NOT NULL"),
    provenanceColumn<&RunProvenance::ipusPerReplica>("ipus_per_replica", "INTEGER NOT NULL"),
    provenanceColumn<&RunProvenance::replicas>("replicas", "INTEGER NOT NULL"),
    provenanceColumn<&RunProvenance::microBatches>("micro_batches", "INTEGER NOT NULL"),
    provenanceColumn<&RunProvenance::batchSize>("batch_size", "INTEGER NOT NULL"),
    provenanceColumn<&RunProvenance::schedule>("schedule", "TEXT NOT NULL"),
    provenanceColumn<&RunProvenance::profileLevel>("profile_level", "TEXT NOT NULL"),
    provenanceColumn<&RunProvenance::started>("started", "TEXT NOT NULL"),
    provenanceColumn<&RunProvenance::engineVersion>("engine_version", "TEXT NOT NULL DEFAULT ''", 4),
    provenanceColumn<&RunProvenance::targetFigures>("target_figures", "TEXT NOT NULL DEFAULT ''", 4),
    column("origin", "TEXT NOT NULL DEFAULT ''", &StartedRun::origin, 4),
    provenanceColumn<&RunProvenance::kernels>("kernels", "TEXT NOT NULL DEFAULT ''", 4));

/// What a complete run adds to its row; NULL before.
inline constexpr auto runTotalsTable =
    table<RunSummary>("run", "",
                      column("fits", "INTEGER", &RunSummary::fits),
                      column("effective_batch", "INTEGER", &RunSummary::effectiveBatch),
                      column("executions", "INTEGER", &RunSummary::executions),
                      column("step_cycles", "INTEGER", &RunSummary::step),
                      column("samples_per_second", "REAL", &RunSummary::samplesPerSecond),
                      column("idle_fraction", "REAL", &RunSummary::idleFraction),
                      column("host_stall_fraction", "REAL", &RunSummary::hostStallFraction));

inline constexpr auto stageTable =
    table<StageSummary>("stage", "run_id, position",
                        runColumn(),
                        given("position", "INTEGER NOT NULL"),
                        column("stage", "INTEGER", &StageSummary::stage),
                        column("ipu", "INTEGER", &StageSummary::ipu),
                        column("forward_cycles", "INTEGER NOT NULL", &StageSummary::forward),
                        column("backward_cycles", "INTEGER NOT NULL", &StageSummary::backward),
                        column("recompute_cycles", "INTEGER NOT NULL", &StageSummary::recompute),
                        column("update_cycles", "INTEGER NOT NULL", &StageSummary::update),
                        column("transfer_bytes", "INTEGER NOT NULL", &StageSummary::transfer),
                        column("fifo_depth", "INTEGER NOT NULL", &StageSummary::fifoDepth),
                        column("stash_bytes", "INTEGER NOT NULL", &StageSummary::stash));

/// One value of `RunSummary::idleByCause`.
struct IdleTotal {
    IdleCause cause = IdleCause::WarmUp;
    Cycles cycles;
};

inline constexpr auto idleTotalTable =
    table<IdleTotal>("idle_total", "run_id, cause",
                     runColumn(),
                     column("cause", "INTEGER NOT NULL REFERENCES idle_cause", &IdleTotal::cause),
                     column("cycles", "INTEGER NOT NULL", &IdleTotal::cycles));

inline constexpr auto diagnosticTable =
    table<Diagnostic>("diagnostic", "run_id, position",
                      runColumn(),
                      given("position", "INTEGER NOT NULL"),
                      column("severity", "INTEGER NOT NULL REFERENCES severity", &Diagnostic::severity),
                      column("trouble", "INTEGER NOT NULL", &Diagnostic::trouble),
                      column("code", "TEXT NOT NULL", &Diagnostic::code),
                      column("file", "TEXT NOT NULL", Inside<&Diagnostic::location, &Location::file>()),
                      column("place", "TEXT NOT NULL", Inside<&Diagnostic::location, &Location::place>()),
                      column("message", "TEXT NOT NULL", &Diagnostic::message),
                      column<JsonList>("hints", "TEXT NOT NULL", &Diagnostic::hints));
// clang-format on

inline constexpr std::array runViews{
    ViewText{"v_run", R"sql(
SELECT run.id AS run, project_name AS project, run_mode.name AS mode, run_state.name AS state, schedule,
       target_name AS target, tiles, memory_per_tile_bytes, clock_hz, ipus, ipus_per_replica, replicas,
       micro_batches, batch_size, effective_batch, executions, fits, step_cycles,
       step_cycles * 1e9 / clock_hz AS step_ns, samples_per_second, idle_fraction, host_stall_fraction,
       (SELECT max(peak_bytes) FROM ipu_memory WHERE run_id = run.id) AS peak_bytes,
       seed, profile_level, program_version, cost_model_version, engine_version,
       target_figures, hash AS project_hash, started, kernels, nullif(origin, '') AS merged_from
FROM run
JOIN run_state ON run_state.id = run.state
JOIN run_mode ON run_mode.id = run.mode
JOIN project_snapshot ON project_snapshot.id = run.snapshot_id)sql"},
    ViewText{"v_stage_summary", R"sql(
SELECT run_id AS run, stage, ipu, forward_cycles, backward_cycles, recompute_cycles, update_cycles,
       forward_cycles + backward_cycles + recompute_cycles AS slot_cycles,
       1.0 * (forward_cycles + backward_cycles + recompute_cycles)
           / max(1, max(forward_cycles + backward_cycles + recompute_cycles) OVER (PARTITION BY run_id))
           AS share_of_slowest,
       transfer_bytes, fifo_depth, stash_bytes
FROM stage)sql"},
    ViewText{"v_diagnostic", R"sql(
SELECT run_id AS run, position, severity.name AS severity, code, file, place, message, hints
FROM diagnostic JOIN severity ON severity.id = diagnostic.severity)sql"},
};

} // namespace core
