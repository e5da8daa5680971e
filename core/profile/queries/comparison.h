#pragma once

#include "core/profile/records/project_difference.h"
#include "core/profile/records/run_records.h"
#include "core/profile/schema/profile_database.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace core {

/// Which direction of a metric is an improvement.
enum class Better { Higher, Lower, Neither };

/// Lowest and highest (value − baseline) / |baseline|.
struct RelativeInterval {
    double low = 0;
    double high = 0;

    [[nodiscard]] bool isCertain() const { return low > 0 || high < 0; }
};

/// A figure of several runs side by side, in the order of the runs; nothing where a run has none.
struct ComparedMetric {
    /// Stable name with the unit: "samples_per_second", "idle.drain", "peak_bytes.ipu0", "loss".
    std::string name;
    /// For people: "Throughput".
    std::string label;
    /// "samples/s", "ns", "bytes", "" for shares (0 … 1) and metrics.
    std::string unit;
    Better better = Better::Neither;
    bool isShare = false;
    std::vector<std::optional<double>> values;
    /// Value − baseline's value, in the unit; exactly 0 for equal values.
    std::vector<std::optional<double>> deltas;
    /// (value − baseline) / |baseline|; nothing where the baseline is 0.
    std::vector<std::optional<double>> relative;
    /// Where `relative` lies for 80 % of measured pairs; nothing for the baseline and for figures of which
    /// nothing is published. A comparison is certain where it does not hold 0.
    std::vector<std::optional<RelativeInterval>> intervals = {};
};

/// A layer of any of the runs; what it costs says `compareLayers` (`analysis/layer_times.h`).
struct ComparedLayer {
    std::string layer;
    /// Per run; nothing where the run has no such layer.
    std::vector<std::vector<StageId>> stages;

    [[nodiscard]] bool isMoved() const;
};

/// A consequence of the options: a figure of the plan, as text per run.
struct ComparedFact {
    std::string name;
    std::vector<std::string> values;

    [[nodiscard]] bool differs() const;
};

struct RunComparison {
    std::vector<RunId> runs;
    /// Index into `runs`.
    std::size_t baseline = 0;
    std::vector<RunSummary> summaries;
    std::vector<ComparedMetric> metrics;
    std::vector<ComparedLayer> layers;
    std::vector<ComparedFact> facts;
    /// Baseline → run, per run; empty for the baseline.
    std::vector<ProjectDifference> differences;
};

/// Cycles of one clock in those of another, rounded; as they are where a clock is not known (0).
[[nodiscard]] Cycles inOtherClock(Cycles cycles, double fromHz, double toHz);

/// Complete runs side by side; `baseline` must be one of `runs`. Errors: those of loadRun;
/// "compare/baseline" (Trouble::Usage).
[[nodiscard]] Result<RunComparison> compareRuns(const ProfileDatabase& database, std::span<const RunId> runs,
                                                RunId baseline);

} // namespace core
