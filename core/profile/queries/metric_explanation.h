#pragma once

#include "core/base/result.h"
#include "core/plan/prediction_interval.h"
#include "core/profile/records/run_records.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace core {

/// Where a figure comes from.
enum class FigureSource : std::uint8_t {
    Formula, ///< from the inputs that it has
    Counted, ///< the simulation counted it: operations, bytes of blocks, gaps, values of a metric
    Setting, ///< of the project
    Target,  ///< of the machine
    Measured ///< of measurements of real machines
};

/// "formula", "counted", "setting", "target", "measured".
[[nodiscard]] std::string_view toString(FigureSource source);

/// A figure that another one is computed from.
struct ExplainedInput {
    /// The metric's own name where it can be explained itself ("step_cycles"), else a name of the formula.
    std::string name;
    double value = 0;
    /// "cycles", "bytes", "1/s", …; empty for counts and shares.
    std::string unit;
    /// One sentence: what it is.
    std::string meaning;
    FigureSource source = FigureSource::Counted;
    /// Its own, where it has one, and the inputs of that (`StoredExplainer`).
    std::string formula = {};
    std::vector<ExplainedInput> inputs = {};
};

/// A figure of a run's summary: what it means, how it is computed, and what it can reach.
struct MetricExplanation {
    std::string metric;
    double value = 0;
    std::string unit;
    std::string meaning;
    /// In the names of the inputs: "effective_batch · updates · clock_hz / execution_cycles".
    std::string formula;
    std::vector<ExplainedInput> inputs;
    /// What the formula gives for the inputs; nothing where the figure is a sum that the simulation made of
    /// many parts, which the formula names.
    std::optional<double> computed;
    /// What it should approach, and why; without a bound: why there is none.
    std::string boundMeaning;
    std::optional<double> bound;
    /// It must not be above the bound, and need not come near.
    bool isLimited = false;

    /// "It should approach", "It must not exceed".
    [[nodiscard]] std::string_view boundVerb() const {
        return isLimited ? "It must not exceed" : "It should approach";
    }
};

/// Cycles that all IPUs of a replica wait over one step, whatever the cause.
[[nodiscard]] Cycles idleTotal(const RunSummary& summary);

/// Of the model that was run.
[[nodiscard]] ProgramFamily familyOf(const RunSummary& summary);
/// Where measured figures lie that a run predicts.
[[nodiscard]] PredictedRanges rangesOf(const RunSummary& summary);

/// Explains many figures of one summary, which must outlive it: what there is, is listed once.
class MetricExplainer {
public:
    explicit MetricExplainer(const RunSummary& summary);

    /// Every metric that can be explained: the keys of the JSON of `run`, "stages.1.forward_cycles",
    /// "memory.0.peak_bytes", "memory.0.by_category.stash", "idle.drain", "intervals.step_cycles.0",
    /// "metrics.loss".
    [[nodiscard]] std::vector<std::string> metrics() const;
    /// Also a figure between those: an input of one that has a formula itself ("busy_cycles").
    [[nodiscard]] bool has(std::string_view metric) const { return m_places.contains(metric); }
    /// One of `metrics()`.
    [[nodiscard]] bool isMetric(std::string_view metric) const {
        const auto place = m_places.find(metric);
        return place != m_places.end() && place->second < m_metricCount;
    }
    /// Nothing where the run has no such figure.
    [[nodiscard]] std::optional<MetricExplanation> explain(std::string_view metric) const;

private:
    std::vector<std::pair<std::string, std::function<MetricExplanation()>>> m_rows;
    /// Of the rows those of the summary come first.
    std::size_t m_metricCount = 0;
    std::map<std::string, std::size_t, std::less<>> m_places;
};

[[nodiscard]] std::vector<std::string> explainedMetrics(const RunSummary& summary);

/// Error (Trouble::Usage): "explain/metric" with the nearest name.
[[nodiscard]] Result<MetricExplanation> explain(const RunSummary& summary, std::string_view metric);

} // namespace core
