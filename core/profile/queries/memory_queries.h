#pragma once

#include "core/profile/records/memory_records.h"
#include "core/profile/schema/profile_database.h"

#include <array>
#include <optional>
#include <vector>

namespace core {

/// Live bytes of one IPU at one step of its program, by category, always-live included.
struct LivenessPoint {
    std::int64_t step = 0;
    StageId stage;
    ProgramPhase phase = ProgramPhase::Forward;
    OperationId operation;
    Bytes live;
    std::array<Bytes, memoryCategoryCount> byCategory{};
    /// Bytes of `live` that no live range names.
    Bytes unnamed;
};

/// The curve of an IPU. Decimated, a point stands for a row of steps and is the one with most bytes, so the
/// peak is never lost.
struct LivenessCurve {
    IpuId ipu;
    Bytes limit;
    Bytes alwaysLive;
    std::int64_t stepCount = 0;
    std::vector<LivenessPoint> points;
    /// Index into `points` of the highest; nothing when there is none.
    std::optional<std::size_t> peak;
};

/// Exact, or with at most `mostPoints` points.
[[nodiscard]] Result<LivenessCurve> livenessCurve(const ProfileDatabase& database, RunId run, IpuId ipu,
                                                  std::optional<std::int64_t> mostPoints = {});

/// Every block of an IPU, in the order of recording.
[[nodiscard]] Result<std::vector<LiveRangeRecord>> liveRanges(const ProfileDatabase& database, RunId run,
                                                              IpuId ipu);
[[nodiscard]] Result<std::vector<LivenessStepRecord>> loadLivenessSteps(const ProfileDatabase& database,
                                                                        RunId run, IpuId ipu);
/// What is live while an operation of a stage program runs; times are relative to the start of the program.
struct ProgramLiveness {
    StageId stage;
    ProgramPhase phase = ProgramPhase::Forward;
    std::int64_t step = 0;
    Cycles from;
    Cycles to;
    /// Always-live included.
    Bytes live;
};
/// In the order of the steps; steps whose operation has no place in the program are left out.
[[nodiscard]] Result<std::vector<ProgramLiveness>> programLiveness(const ProfileDatabase& database, RunId run,
                                                                   IpuId ipu);

/// Empty when the run was profiled without tiles.
[[nodiscard]] Result<TileMemoryRecord> loadTileMemory(const ProfileDatabase& database, RunId run, IpuId ipu);

} // namespace core
