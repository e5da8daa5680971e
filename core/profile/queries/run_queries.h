#pragma once

#include "core/profile/records/run_records.h"
#include "core/profile/schema/profile_database.h"
#include "core/profile/schema/run_state.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// A stored run in a list; figures are those of a complete run and absent otherwise.
struct RunRow {
    RunId run;
    std::string project;
    std::string projectHash;
    RunMode mode = RunMode::Train;
    RunState state = RunState::Complete;
    std::string schedule;
    std::string target;
    std::string profileLevel;
    std::int64_t ipus = 1;
    std::int64_t replicas = 1;
    std::int64_t microBatches = 1;
    std::int64_t batchSize = 1;
    std::uint64_t seed = 0;
    double clockHz = 0;
    std::string started;
    std::optional<bool> fits;
    std::optional<Cycles> step;
    std::optional<double> samplesPerSecond;
    std::optional<double> idleFraction;
    /// Of the fullest IPU.
    std::optional<Bytes> peak;
    std::optional<Bytes> limit;
    /// Of a run that was merged from another file: who recorded it, and behind the last slash its number
    /// there. Empty: recorded here.
    std::string mergedFrom;

    bool operator==(const RunRow&) const = default;
};

/// Every run, oldest first. A run whose process died shows as interrupted.
[[nodiscard]] Result<std::vector<RunRow>> listRuns(const ProfileDatabase& database);

/// The run a person means: a number, or "last" for the newest complete run. Errors: "run/not-a-run"
/// (Trouble::Usage) when the text is neither, "run/unknown" (Trouble::Input), "run/none" when there is no
/// complete run.
[[nodiscard]] Result<RunId> findRun(const ProfileDatabase& database, std::string_view text);
/// The same for several, in their order.
[[nodiscard]] Result<std::vector<RunId>> findRuns(const ProfileDatabase& database,
                                                  std::span<const std::string> texts);

/// The summary exactly as the run recorded it. Errors: "run/unknown"; "run/incomplete" (Trouble::Input) for a
/// run that is not complete, with what stopped it.
[[nodiscard]] Result<RunSummary> loadRun(const ProfileDatabase& database, RunId run);

/// What a run, complete or not, was made from.
[[nodiscard]] Result<RunProvenance> loadProvenance(const ProfileDatabase& database, RunId run);

/// The same as an object: what its table's rows say of where a run comes from, by the names of the columns.
/// The project's text is not among them.
[[nodiscard]] Json provenanceJson(const RunProvenance& provenance);
/// `RunRow::mergedFrom`.
[[nodiscard]] Result<std::string> mergedFrom(const ProfileDatabase& database, RunId run);

/// What a run reported: its findings, or why it failed.
[[nodiscard]] Result<Diagnostics> loadDiagnostics(const ProfileDatabase& database, RunId run);

/// Removes runs with all their rows, texts and snapshots that nothing else uses, and gives the space back to
/// the file system. All or none: an unknown run refuses the whole. A run that a living process is recording
/// is refused ("run/recording").
[[nodiscard]] Result<void> deleteRuns(const ProfileDatabase& database, std::span<const RunId> runs);

} // namespace core
