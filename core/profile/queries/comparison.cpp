#include "core/profile/queries/comparison.h"

#include "core/plan/prediction_interval.h"
#include "core/profile/queries/metric_explanation.h"
#include "core/profile/queries/program_queries.h"
#include "core/profile/queries/run_queries.h"
#include "core/profile/queries/timeline_queries.h"
#include "core/profile/records/span_label.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>

namespace core {

namespace {

using Values = std::vector<std::optional<double>>;

/// Idle cycles of a cause as a share of all IPUs over the step: its part of the idle fraction.
std::optional<double> idleShare(const RunSummary& summary, std::size_t cause) {
    if (cause >= summary.idleByCause.size())
        return std::nullopt;
    return summary.idleFraction * ratio(summary.idleByCause[cause], idleTotal(summary));
}

std::optional<double> sumOfStages(const RunSummary& summary, Bytes StageSummary::*field,
                                  std::int64_t factor) {
    Bytes total;
    for (const StageSummary& stage : summary.stages)
        total += stage.*field * factor;
    return static_cast<double>(total.value());
}

class MetricTable {
public:
    explicit MetricTable(RunComparison& comparison)
        : m_comparison(comparison) {}

    template <class ValueOf>
    void add(std::string name, std::string label, std::string unit, Better better, bool isShare,
             ValueOf valueOf) {
        ComparedMetric metric{
            std::move(name), std::move(label), std::move(unit), better, isShare, {}, {}, {}};
        for (const RunSummary& summary : m_comparison.summaries)
            metric.values.push_back(valueOf(summary));
        const std::optional<double> base = metric.values[m_comparison.baseline];
        for (const std::optional<double>& value : metric.values) {
            const bool areBoth = value && base;
            // The same value differs by 0 even where it is no number.
            const bool areEqual = areBoth && (*value == *base || (std::isnan(*value) && std::isnan(*base)));
            metric.deltas.push_back(areBoth ? std::optional(areEqual ? 0.0 : *value - *base) : std::nullopt);
            const bool hasRelative = areBoth && (areEqual || *base != 0);
            metric.relative.push_back(hasRelative
                                          ? std::optional(areEqual ? 0.0 : (*value - *base) / std::abs(*base))
                                          : std::nullopt);
        }
        m_comparison.metrics.push_back(std::move(metric));
    }

private:
    RunComparison& m_comparison;
};

/// A step of another batch is other work: that it is longer or moves more is neither good nor bad.
Better betterStep(const RunComparison& comparison) {
    const auto batchOf = [](const RunSummary& summary) { return summary.effectiveBatch; };
    const bool isSame = std::ranges::all_of(comparison.summaries, [&](const RunSummary& summary) {
        return batchOf(summary) == batchOf(comparison.summaries.front());
    });
    return isSame ? Better::Lower : Better::Neither;
}

void addTimes(MetricTable& table, Better step) {
    table.add("samples_per_second", "Throughput", "samples/s", Better::Higher, false,
              [](const RunSummary& s) { return std::optional(s.samplesPerSecond); });
    table.add("step_ns", "Step time", "ns", step, false, [](const RunSummary& s) {
        return s.provenance.clockHz > 0
                   ? std::optional(static_cast<double>(s.step.value()) * 1e9 / s.provenance.clockHz)
                   : std::nullopt;
    });
    table.add("step_cycles", "Step", "cycles", step, false,
              [](const RunSummary& s) { return std::optional(static_cast<double>(s.step.value())); });
    table.add("compute_fraction", "Compute share", "", Better::Higher, true,
              [](const RunSummary& s) { return std::optional(1.0 - s.idleFraction); });
    table.add("idle_fraction", "Idle", "", Better::Lower, true,
              [](const RunSummary& s) { return std::optional(s.idleFraction); });
    for (std::size_t cause = 0; cause < idleCauseCount; ++cause) {
        const auto value = static_cast<IdleCause>(cause);
        table.add(fmt::format("idle_fraction.{}", toString(value)), "Idle: " + idleCauseLabel(value), "",
                  Better::Lower, true, [&](const RunSummary& s) { return idleShare(s, cause); });
    }
    table.add("host_stall_fraction", "Host stalls, with launch", "", Better::Lower, true,
              [](const RunSummary& s) { return std::optional(s.hostStallFraction); });
}

void addMemory(MetricTable& table, const RunComparison& comparison) {
    std::size_t ipus = 0;
    for (const RunSummary& summary : comparison.summaries)
        ipus = std::max(ipus, summary.memory.size());
    table.add("peak_bytes", "Peak memory, fullest IPU", "bytes", Better::Lower, false,
              [](const RunSummary& s) {
                  std::optional<double> peak;
                  for (const IpuMemorySummary& memory : s.memory)
                      peak = std::max(peak.value_or(0), static_cast<double>(memory.peak.value()));
                  return peak;
              });
    for (std::size_t ipu = 0; ipu < ipus; ++ipu)
        table.add(fmt::format("peak_bytes.ipu{}", ipu), fmt::format("Peak memory, IPU {}", ipu), "bytes",
                  Better::Lower, false, [&](const RunSummary& s) {
                      return ipu < s.memory.size()
                                 ? std::optional(static_cast<double>(s.memory[ipu].peak.value()))
                                 : std::nullopt;
                  });
    table.add("stash_bytes", "Stash, all stages", "bytes", Better::Lower, false,
              [](const RunSummary& s) { return sumOfStages(s, &StageSummary::stash, 1); });
    table.add("transfer_bytes", "Inter-IPU traffic per step", "bytes", betterStep(comparison), false,
              [](const RunSummary& s) {
                  return sumOfStages(s, &StageSummary::transfer, s.provenance.microBatches);
              });
}

/// The last value of every series; a loss or error should fall, anything else rise.
void addTrainingMetrics(MetricTable& table, const RunComparison& comparison) {
    std::vector<std::string> names;
    for (const RunSummary& summary : comparison.summaries) {
        for (const MetricSeries& series : summary.metrics) {
            if (std::find(names.begin(), names.end(), series.name) == names.end())
                names.push_back(series.name);
        }
    }
    for (const std::string& name : names) {
        const bool falls = name.find("loss") != std::string::npos || name.find("error") != std::string::npos;
        std::string words = name;
        std::ranges::replace(words, '_', ' ');
        table.add(name, "Last " + words, "", falls ? Better::Lower : Better::Higher, false,
                  [&](const RunSummary& s) -> std::optional<double> {
                      for (const MetricSeries& series : s.metrics) {
                          if (series.name == name && !series.values.empty())
                              return series.values.back();
                      }
                      return std::nullopt;
                  });
    }
}

Result<void> addLayers(const ProfileDatabase& database, RunComparison& comparison) {
    std::map<std::string, std::size_t> indexOf;
    for (std::size_t run = 0; run < comparison.runs.size(); ++run) {
        const Result<std::vector<LayerRow>> rows = loadLayers(database, comparison.runs[run]);
        if (!rows)
            return failure(rows.error());
        for (const LayerRow& row : *rows) {
            const auto [at, isNew] = indexOf.try_emplace(row.layer, comparison.layers.size());
            if (isNew)
                comparison.layers.push_back(
                    {row.layer, std::vector<std::vector<StageId>>(comparison.runs.size())});
            if (row.isPlaced)
                comparison.layers[at->second].stages[run].push_back(row.stage);
        }
    }
    return {};
}

template <class TextOf>
ComparedFact factOf(const RunComparison& comparison, std::string name, TextOf textOf) {
    ComparedFact fact{std::move(name), {}};
    for (std::size_t run = 0; run < comparison.runs.size(); ++run)
        fact.values.push_back(textOf(run));
    return fact;
}

std::string depthsText(const RunSummary& summary) {
    std::vector<std::int64_t> depths;
    for (const StageSummary& stage : summary.stages)
        depths.push_back(stage.fifoDepth);
    const bool isNone = std::all_of(depths.begin(), depths.end(), [](std::int64_t d) { return d == 0; });
    return isNone ? "none" : fmt::format("{}", fmt::join(depths, " "));
}

Result<void> addFacts(const ProfileDatabase& database, RunComparison& comparison) {
    std::vector<std::size_t> slots;
    for (const RunId run : comparison.runs) {
        const Result<std::vector<SlotTime>> times = loadSlots(database, run);
        if (!times)
            return failure(times.error());
        slots.push_back(static_cast<std::size_t>(
            std::count_if(times->begin(), times->end(), [](const SlotTime& s) { return s.hasWork; })));
    }
    const auto& summaries = comparison.summaries;
    const auto provenance = [&](std::size_t run) -> const RunProvenance& {
        return summaries[run].provenance;
    };
    comparison.facts = {
        factOf(comparison, "schedule", [&](std::size_t run) { return provenance(run).schedule; }),
        factOf(comparison, "target", [&](std::size_t run) { return provenance(run).targetName; }),
        factOf(comparison, "IPUs", [&](std::size_t run) { return fmt::format("{}", provenance(run).ipus); }),
        factOf(comparison, "replicas",
               [&](std::size_t run) { return fmt::format("{}", provenance(run).replicas); }),
        factOf(comparison, "stages",
               [&](std::size_t run) { return fmt::format("{}", summaries[run].stages.size()); }),
        factOf(comparison, "micro-batches per update",
               [&](std::size_t run) { return fmt::format("{}", provenance(run).microBatches); }),
        factOf(comparison, "effective batch",
               [&](std::size_t run) { return fmt::format("{}", summaries[run].effectiveBatch); }),
        factOf(comparison, "slots with compute",
               [&](std::size_t run) { return fmt::format("{}", slots[run]); }),
        factOf(comparison, "FIFO depth per stage",
               [&](std::size_t run) { return depthsText(summaries[run]); }),
        factOf(comparison, "fits", [&](std::size_t run) { return summaries[run].fits ? "yes" : "no"; }),
        factOf(comparison, "program version",
               [&](std::size_t run) { return provenance(run).programVersion; }),
        factOf(comparison, "cost model", [&](std::size_t run) { return provenance(run).costModelVersion; }),
        factOf(comparison, "seed", [&](std::size_t run) { return fmt::format("{}", provenance(run).seed); }),
    };
    return {};
}

/// Where the difference of two predicted figures lies once both are measured; the same project differs by
/// nothing.
void addIntervals(RunComparison& comparison) {
    const RunSummary& baseline = comparison.summaries[comparison.baseline];
    for (ComparedMetric& metric : comparison.metrics) {
        metric.intervals.resize(comparison.runs.size());
        const bool isRate = metric.name == "samples_per_second";
        const bool isTime = metric.name == "step_ns" || metric.name == "step_cycles";
        if (!isRate && !isTime && metric.name != "peak_bytes")
            continue;
        for (std::size_t run = 0; run < comparison.runs.size(); ++run) {
            const RunSummary& summary = comparison.summaries[run];
            if (run == comparison.baseline || !metric.relative[run])
                continue;
            const bool isOneModel = comparison.differences[run].layers.empty() &&
                                    comparison.differences[run].trouble.empty() &&
                                    summary.provenance.targetName == baseline.provenance.targetName;
            const PredictionIntervals known = intervalsOfTarget(summary.provenance.targetFigures);
            const PredictionIntervals knownBaseline = intervalsOfTarget(baseline.provenance.targetFigures);
            const PredictionInterval rate =
                rateQuotientInterval(known, familyOf(summary), knownBaseline, familyOf(baseline), isOneModel);
            const PredictionInterval factor = isRate   ? rate
                                              : isTime ? inverseInterval(rate)
                                                       : quotientInterval(known.peak(), knownBaseline.peak());
            const double quotient = 1 + *metric.relative[run];
            if (summary.provenance.projectText == baseline.provenance.projectText && quotient == 1)
                metric.intervals[run] = RelativeInterval{0, 0};
            else
                metric.intervals[run] =
                    RelativeInterval{quotient * factor.low - 1, quotient * factor.high - 1};
        }
    }
}

} // namespace

bool ComparedLayer::isMoved() const {
    const std::vector<StageId>* first = nullptr;
    for (const std::vector<StageId>& run : stages) {
        if (run.empty())
            continue;
        if (first != nullptr && std::set(run.begin(), run.end()) != std::set(first->begin(), first->end()))
            return true;
        first = &run;
    }
    return false;
}

bool ComparedFact::differs() const {
    return std::any_of(values.begin(), values.end(),
                       [&](const std::string& value) { return value != values.front(); });
}

Cycles inOtherClock(Cycles cycles, double fromHz, double toHz) {
    if (fromHz == toHz || fromHz <= 0 || toHz <= 0)
        return cycles;
    return Cycles(std::llround(real(cycles.value()) * toHz / fromHz));
}

Result<RunComparison> compareRuns(const ProfileDatabase& database, std::span<const RunId> runs,
                                  RunId baseline) {
    const auto at = std::find(runs.begin(), runs.end(), baseline);
    if (at == runs.end())
        return failure(makeError(Trouble::Usage, "compare/baseline", {},
                                 fmt::format("the baseline, run {}, is not among the compared runs",
                                             baseline.isValid() ? baseline.value() : 0),
                                 {"name it among the runs"}));
    RunComparison comparison;
    comparison.runs.assign(runs.begin(), runs.end());
    comparison.baseline = static_cast<std::size_t>(at - runs.begin());
    for (const RunId run : runs) {
        Result<RunSummary> summary = loadRun(database, run);
        if (!summary)
            return failure(summary.error());
        comparison.summaries.push_back(*std::move(summary));
    }
    MetricTable table(comparison);
    addTimes(table, betterStep(comparison));
    addMemory(table, comparison);
    addTrainingMetrics(table, comparison);
    if (const Result<void> added = addLayers(database, comparison); !added)
        return failure(added.error());
    if (const Result<void> added = addFacts(database, comparison); !added)
        return failure(added.error());
    for (const RunSummary& summary : comparison.summaries)
        comparison.differences.push_back(
            differenceOf(comparison.summaries[comparison.baseline].provenance.projectText,
                         summary.provenance.projectText));
    addIntervals(comparison);
    return comparison;
}

} // namespace core
