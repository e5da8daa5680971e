#pragma once

#include "core/profile/analysis/run_verdict.h"
#include "core/profile/records/run_records.h"
#include "views/common/text/number_text.h"
#include "views/profile/time/mini_timeline.h"

#include <string>
#include <vector>

namespace views {

/// A block that is live at the peak.
struct PeakHolder {
    std::string name;
    std::string layer;
    core::MemoryCategory category = core::MemoryCategory::Activations;
    core::Bytes bytes;
};

/// Everything that the page of a run says.
struct SummaryData {
    core::RunId run;
    core::RunVerdict verdict;
    core::RunSummary summary;
    /// Of one update, IPU by IPU; empty where no timeline was recorded.
    std::vector<core::LaneStatistics> lanes;
    /// The memory that is nearest to its limit; null where none was recorded.
    const core::IpuMemorySummary* fullest() const;
    /// The largest blocks at its peak, and the others together: they add up to the peak.
    std::vector<PeakHolder> holders;
    std::int64_t otherBlocks = 0;
    core::Bytes otherBytes;
    MiniTimeline timeline;

    [[nodiscard]] TimeScale timeScale() const { return {summary.provenance.clockHz, summary.step}; }
    /// Cycles of all IPUs of a replica in an update that are idle for a cause.
    [[nodiscard]] core::Cycles idle(core::IdleCause cause) const;
    /// Of all causes and work: IPUs × step.
    [[nodiscard]] core::Cycles allTime() const;
};

/// `units`: of the sentences. Errors: those of reading the run.
[[nodiscard]] core::Result<SummaryData> loadSummary(const core::ProfileDatabase& database, core::RunId run,
                                                    const Units& units);

} // namespace views
