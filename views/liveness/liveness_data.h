#pragma once

#include "core/profile/analysis/stash_count.h"
#include "core/profile/queries/memory_queries.h"
#include "core/profile/records/run_records.h"
#include "core/profile/schema/profile_database.h"
#include "views/common/text/number_text.h"
#include "views/profile/tables/table_content.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace views {

/// A row of steps that belong to one phase of one stage.
struct ProgramStretch {
    core::StageId stage;
    core::ProgramPhase phase = core::ProgramPhase::Forward;
    std::int64_t first = 0;
    std::int64_t last = 0;
};

/// Everything about the memory of one IPU of a run.
struct LivenessData {
    core::RunId run;
    core::IpuId ipu;
    /// Every IPU of the run, and the sums of each.
    std::vector<core::IpuMemorySummary> memory;
    /// Stages on this IPU.
    std::vector<core::StageSummary> stages;
    /// Why micro-batches wait on this IPU, by stage.
    std::vector<core::StashCount> stashCounts;
    core::LivenessCurve curve;
    /// In the order of the steps.
    std::vector<ProgramStretch> stretches;
    std::vector<core::LiveRangeRecord> ranges;
    /// Start of each step in the time of a full slot (backward, forward, recompute, update one after the
    /// other), and the end of the last; empty when the program's times are not known.
    std::vector<core::Cycles> stepTimes;
    /// Where each program begins on that axis.
    std::map<std::pair<core::StageId, core::ProgramPhase>, core::Cycles> programTimes;
    double clockHz = 0;
    std::int64_t tiles = 0;
    core::Bytes memoryPerTile;

    [[nodiscard]] const core::IpuMemorySummary* summary() const;
    /// Bytes at the peak, by MemoryCategory; empty where they were not recorded.
    [[nodiscard]] std::vector<core::Bytes> peakByCategory() const;
    [[nodiscard]] std::int64_t steps() const { return curve.stepCount; }
    /// Index of the curve's point at a step (clamped); nothing when there is no curve.
    [[nodiscard]] const core::LivenessPoint* pointAt(std::int64_t step) const;
    /// The step of the peak.
    [[nodiscard]] std::int64_t peakStep() const;
};

[[nodiscard]] core::Result<LivenessData> loadLiveness(const core::ProfileDatabase& database, core::RunId run,
                                                      core::IpuId ipu);

/// "Backward · stage 1".
[[nodiscard]] QString stretchName(const ProgramStretch& stretch, bool hasSeveralStages);

/// Position of the rectangle of a block: `bottom` is an offset in bytes.
struct PlacedRange {
    std::size_t range = 0;
    core::Bytes bottom;
};
struct LifetimePlacement {
    std::vector<PlacedRange> placed;
    /// Blocks too small to be shown alone.
    std::size_t hidden = 0;
    /// The highest edge.
    core::Bytes top;
    /// Bottoms are the planner's addresses; else blocks are stacked where there is space.
    bool hasAddresses = false;
};
/// At most `most` blocks, those with most bytes × steps. Addresses are taken where no two blocks that are
/// live together overlap.
[[nodiscard]] LifetimePlacement placeLifetimes(const std::vector<core::LiveRangeRecord>& ranges,
                                               std::size_t most);

/// Letters of frozen columns: "A", "B", ….
[[nodiscard]] QString columnLetter(std::size_t column);

/// The blocks live at the frozen steps, largest first, the rest as one row, and the sum, which is the curve.
[[nodiscard]] TableContent columnTable(const LivenessData& data, const std::vector<std::int64_t>& columns,
                                       const Units& units, std::size_t most = 60);
/// Index into `ranges` of each row of `columnTable`, for selection; −1 for the row of the others.
[[nodiscard]] std::vector<int>
columnTableRanges(const LivenessData& data, const std::vector<std::int64_t>& columns, std::size_t most = 60);
[[nodiscard]] TableContent liveLayerTable(const LivenessData& data, const std::vector<std::int64_t>& columns,
                                          const Units& units);
[[nodiscard]] TableContent liveCategoryTable(const LivenessData& data,
                                             const std::vector<std::int64_t>& columns, const Units& units);
/// The peak as a sum with its reasons: what is always there, the stash with its count from the schedule, what
/// is in flight. To the byte.
[[nodiscard]] TableContent peakReasonTable(const LivenessData& data, const Units& units);
/// The stage whose figures explain a row of it; nothing where the row is not of one stage.
[[nodiscard]] std::optional<core::StageId> peakReasonStage(const TableContent& table, std::size_t row);
/// All IPUs side by side.
[[nodiscard]] TableContent ipuMemoryTable(const LivenessData& data, const Units& units);

} // namespace views
