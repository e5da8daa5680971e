#pragma once

#include "core/profile/analysis/compared/layer_times.h"
#include "core/profile/analysis/compared/range_division.h"
#include "core/profile/analysis/compared/run_anchors.h"
#include "core/profile/analysis/compared/step_pieces.h"
#include "core/profile/analysis/step_division.h"
#include "core/profile/queries/comparison.h"
#include "core/profile/queries/run_queries.h"
#include "views/common/text/number_text.h"
#include "views/profile/tables/table_content.h"
#include "views/profile/time/mini_timeline.h"

#include <memory>
#include <optional>
#include <vector>

namespace views {

/// Runs side by side, the baseline first, and all runs of the database beside them.
struct ComparisonData {
    core::RunComparison comparison;
    std::vector<core::ComparedStepPart> stepParts;
    /// Slots or micro-batches of the step, in time.
    core::ComparedPieces pieces;
    /// One per compared layer.
    std::vector<core::LayerTimes> layerTimes;
    /// One per compared run.
    std::vector<MiniTimeline> timelines;
    /// Where stages and layers of each compared run begin.
    std::vector<core::RunAnchors> anchors;
    /// Every complete run, for the Pareto plot.
    std::vector<core::RunRow> runs;

    [[nodiscard]] std::size_t count() const { return comparison.runs.size(); }
    [[nodiscard]] const core::RunSummary& summary(std::size_t run) const { return comparison.summaries[run]; }
    /// Step of a run in seconds.
    [[nodiscard]] double seconds(std::size_t run) const;
};

/// `bins`: resolution of the timelines. The baseline need not be among `runs`.
[[nodiscard]] core::Result<ComparisonData> loadComparison(const core::ProfileDatabase& database,
                                                          const std::vector<core::RunId>& runs,
                                                          core::RunId baseline, std::int64_t bins);

/// "A", "B", …: runs are letters, never colours.
[[nodiscard]] QString runLetter(std::size_t index);
/// What tells a run apart from the others: its project, else its schedule, else its number.
[[nodiscard]] QString runName(const ComparisonData& data, std::size_t run);
/// "Run #14".
[[nodiscard]] QString runNumber(const ComparisonData& data, std::size_t run);
/// What the name does not say: "Run #14 · resnet50", "Grouped · resnet50".
[[nodiscard]] QString runSubtitle(const ComparisonData& data, std::size_t run);

/// The name under which a run explains a metric (`ViewIntents::explainFigure`); empty for sums of several
/// figures.
[[nodiscard]] std::string explainedName(const core::ComparedMetric& metric, const core::RunSummary& run);
/// One row per metric: value of the baseline, then value, bar and signed difference of every other run.
[[nodiscard]] TableContent metricTable(const ComparisonData& data, const Units& units);
/// Parts of the step × runs: cycles of the mean IPU and their differences, drawn as a way from the
/// baseline's step to the other's; the sums are the steps.
[[nodiscard]] TableContent waterfallTable(const ComparisonData& data, const Units& units,
                                          bool isLargestFirst = false);
/// The same of a range of time (`core::compareRanges`).
[[nodiscard]] TableContent rangeTable(const ComparisonData& data,
                                      const std::vector<core::ComparedStepPart>& parts, const Units& units,
                                      bool isLargestFirst = false);
/// Slots (or micro-batches) of the step × runs: how long each is, and the differences; the sums are the
/// steps. Of `shown` alone, by index, where it is given.
[[nodiscard]] TableContent pieceTable(const ComparisonData& data, const Units& units,
                                      const std::optional<std::vector<std::size_t>>& shown = {});
/// Stages × runs: cycles of a slot, transfer, stash, and their differences.
[[nodiscard]] TableContent stageTable(const ComparisonData& data, const Units& units);
/// Memory × runs: peak and always live of each IPU, then the categories of all IPUs together.
[[nodiscard]] TableContent memoryTable(const ComparisonData& data, const Units& units);
/// Layers × runs: stage and time in a step; only the layers that differ, or all.
[[nodiscard]] TableContent comparedLayerTable(const ComparisonData& data, const Units& units,
                                              bool onlyDifferent);
/// Differing options, then their consequences (→), then differing layers of the model.
[[nodiscard]] TableContent differenceTable(const ComparisonData& data);
/// What is the same, one sentence each: "Model identical", "Stage split identical", ….
[[nodiscard]] QStringList sameness(const ComparisonData& data);

/// One sentence per run that is not the baseline: faster or slower, for which idle time, at what memory.
[[nodiscard]] QStringList reading(const ComparisonData& data, const Units& units);

/// "+11.6 %", "−5.1 pp", "0": the signed difference as users read it.
[[nodiscard]] QString deltaText(const core::ComparedMetric& metric, std::size_t run);
/// Nothing where the metric has no direction or nothing differs.
[[nodiscard]] std::optional<bool> isBetter(const core::ComparedMetric& metric, std::size_t run);

} // namespace views
