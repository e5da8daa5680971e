#include "core/profile/queries/metric_explanation.h"

#include "core/profile/records/span_label.h"
#include "core/text/nearest_name.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <functional>

namespace core {

namespace {

/// Cycles of all IPUs of a replica over a step.
double ipuCycles(const RunSummary& s) {
    return real(s.step.value()) * real(std::max<std::int64_t>(1, s.provenance.ipusPerReplica));
}

ExplainedInput clock(const RunSummary& s) {
    return {"clock_hz", s.provenance.clockHz, "1/s", "Cycles of a tile per second, a figure of the target."};
}

ExplainedInput stepInput(const RunSummary& s) {
    return {"step_cycles", real(s.step.value()), "cycles",
            "One weight update (training) or one pipeline execution: slots, exchanges and the update."};
}

ExplainedInput idleInput(const RunSummary& s) {
    return {"idle_cycles", real(idleTotal(s).value()), "cycles",
            "Waiting of all IPUs of a replica over one step, whatever its cause."};
}

ExplainedInput ipusInput(const RunSummary& s) {
    return {"ipus_per_replica", real(s.provenance.ipusPerReplica), "",
            "IPUs that hold the stages of one replica, unused ones included."};
}

ExplainedInput batchInput(const RunSummary& s) {
    return {"effective_batch", real(s.effectiveBatch), "", "Samples of one step over all replicas."};
}

/// Cycles of one execution, from the throughput that was measured over it, in steps of one.
double launchCyclesPerStep(const RunSummary& s) {
    return s.samplesPerSecond > 0
               ? real(s.effectiveBatch) * s.provenance.clockHz / s.samplesPerSecond - real(s.step.value())
               : 0;
}

MetricExplanation throughput(const RunSummary& s) {
    const double launch = launchCyclesPerStep(s);
    MetricExplanation e;
    e.value = s.samplesPerSecond;
    e.unit = "1/s";
    e.meaning =
        "Samples per second over whole executions of the program, the host before and after them counted.";
    e.formula = "effective_batch · clock_hz / (step_cycles + launch_cycles)";
    e.inputs = {
        batchInput(s),
        clock(s),
        stepInput(s),
        {"launch_cycles", launch, "cycles",
         "The share of a step in what an execution costs once: the rendezvous with the host that launches "
         "it, and its last results. More steps_per_execution make it smaller."}};
    e.computed = real(s.effectiveBatch) * s.provenance.clockHz / (real(s.step.value()) + launch);
    e.boundMeaning = "The same work without idle time and launches: every IPU busy all the time.";
    const double busy = real(s.step.value()) * (1 - s.idleFraction);
    if (busy > 0)
        e.bound = real(s.effectiveBatch) * s.provenance.clockHz / busy;
    return e;
}

MetricExplanation stepCycles(const RunSummary& s) {
    MetricExplanation e;
    e.value = real(s.step.value());
    e.unit = "cycles";
    e.meaning = stepInput(s).meaning;
    e.formula = "busy_cycles / ipus_per_replica + idle_cycles / ipus_per_replica";
    const double idle = real(idleTotal(s).value());
    e.inputs = {
        {"busy_cycles", ipuCycles(s) - idle, "cycles", "Work of all IPUs of a replica over one step."},
        idleInput(s),
        ipusInput(s)};
    e.computed = ipuCycles(s) / real(std::max<std::int64_t>(1, s.provenance.ipusPerReplica));
    e.boundMeaning = "The work alone, evenly over the IPUs.";
    e.bound = real(s.step.value()) * (1 - s.idleFraction);
    return e;
}

MetricExplanation stepNanoseconds(const RunSummary& s) {
    MetricExplanation e = stepCycles(s);
    const double factor = s.provenance.clockHz > 0 ? 1e9 / s.provenance.clockHz : 0;
    e.value = real(s.step.value()) * factor;
    e.unit = "ns";
    e.formula = "step_cycles / clock_hz · 1e9";
    e.inputs = {stepInput(s), clock(s)};
    e.computed = e.value;
    e.bound = *e.bound * factor;
    return e;
}

MetricExplanation idleFraction(const RunSummary& s) {
    MetricExplanation e;
    e.value = s.idleFraction;
    e.meaning = "The share of a step that the IPUs of a replica wait, all of them together.";
    e.formula = "idle_cycles / (ipus_per_replica · step_cycles)";
    e.inputs = {idleInput(s), ipusInput(s), stepInput(s)};
    e.computed = ipuCycles(s) > 0 ? real(idleTotal(s).value()) / ipuCycles(s) : 0;
    const double stages = real(static_cast<std::int64_t>(s.stages.size()));
    const double microBatches = real(s.provenance.microBatches);
    if (stages > 1 && microBatches > 0) {
        e.boundMeaning =
            "The ramps of a pipeline of equal stages, (S − 1) / (N + S − 1); more micro-batches make "
            "it smaller.";
        e.bound = (stages - 1) / (microBatches + stages - 1);
    } else {
        e.boundMeaning = "Nothing has to wait.";
        e.bound = 0;
    }
    return e;
}

MetricExplanation idleOfCause(const RunSummary& s, std::size_t cause) {
    MetricExplanation e;
    e.value = real(s.idleByCause[cause].value());
    e.unit = "cycles";
    e.meaning = fmt::format("Waiting of all IPUs of a replica over one step by its cause: {}.",
                            idleCauseLabel(static_cast<IdleCause>(cause)));
    e.formula = "the sum of the gaps with this cause; `v_idle` has them by IPU";
    e.inputs = {idleInput(s)};
    e.boundMeaning = "Nothing has to wait.";
    e.bound = 0;
    return e;
}

MetricExplanation hostStalls(const RunSummary& s) {
    MetricExplanation e;
    e.value = s.hostStallFraction;
    e.meaning = "The share of an execution in which the device waits for the host or for a host transfer.";
    e.formula = "(launch + last results + transfers that nothing hides) / execution";
    e.boundMeaning = "The host is always ahead, and one execution holds all steps.";
    e.bound = 0;
    return e;
}

MetricExplanation effectiveBatch(const RunSummary& s) {
    MetricExplanation e;
    const auto perReplica = real(s.provenance.batchSize) * real(s.provenance.microBatches);
    const double serial = perReplica * real(s.provenance.replicas) > 0
                              ? real(s.effectiveBatch) / (perReplica * real(s.provenance.replicas))
                              : 1;
    e.value = real(s.effectiveBatch);
    e.meaning = batchInput(s).meaning;
    e.formula = "batch_size · micro_batches · batch_serialization_iterations · replicas";
    e.inputs = {
        {"batch_size", real(s.provenance.batchSize), "", "Samples of one micro-batch on one replica."},
        {"micro_batches", real(s.provenance.microBatches), "", "Micro-batches of one step."},
        {"batch_serialization_iterations", serial, "", "Pieces one micro-batch goes through in."},
        {"replicas", real(s.provenance.replicas), "", "Copies of the model, each with its own IPUs."}};
    e.computed = perReplica * serial * real(s.provenance.replicas);
    return e;
}

MetricExplanation executions(const RunSummary& s) {
    MetricExplanation e;
    e.value = real(s.executions);
    e.meaning = "Launches of the compiled program in the whole run.";
    e.formula = "epochs · steps_per_epoch / steps_per_execution";
    e.boundMeaning = "One launch each epoch.";
    return e;
}

MetricExplanation count(double value, const char* meaning, const char* formula) {
    MetricExplanation e;
    e.value = value;
    e.meaning = meaning;
    e.formula = formula;
    return e;
}

struct StageFigure {
    const char* name;
    const char* unit;
    const char* meaning;
    const char* formula;
    double (*value)(const StageSummary&);
    /// The best stage of a balanced pipeline has the mean.
    bool isBalanced = false;
};

constexpr std::array<StageFigure, 7> stageFigures{
    StageFigure{"forward_cycles", "cycles", "The stage's forward program on one micro-batch.",
                "the sum of its operations, exchanges and syncs; `v_layer` has them by layer",
                [](const StageSummary& s) { return real(s.forward.value()); }, true},
    StageFigure{"backward_cycles", "cycles",
                "The stage's backward program on one micro-batch, weight gradients included.",
                "the sum of its operations, exchanges and syncs; `v_layer` has them by layer",
                [](const StageSummary& s) { return real(s.backward.value()); }, true},
    StageFigure{"recompute_cycles", "cycles", "Forward operations that run again before the backward pass.",
                "the sum of the operations whose results are not kept",
                [](const StageSummary& s) { return real(s.recompute.value()); }},
    StageFigure{"update_cycles", "cycles", "The optimizer on the stage's weights, once per step.",
                "the sum of its operations", [](const StageSummary& s) { return real(s.update.value()); }},
    StageFigure{"transfer_bytes", "bytes", "What leaves the stage for other IPUs with each micro-batch.",
                "the sum of the tensors that cross; `v_transfer` has them",
                [](const StageSummary& s) { return real(s.transfer.value()); }},
    StageFigure{"fifo_depth", "", "Micro-batches whose activations wait for their backward pass.",
                "the most forward programs between the forward and the backward pass of one micro-batch",
                [](const StageSummary& s) { return real(s.fifoDepth); }},
    StageFigure{"stash_bytes", "bytes", "Memory of the stage's FIFOs on the chip.",
                "fifo_depth · the bytes that are kept of each micro-batch",
                [](const StageSummary& s) { return real(s.stash.value()); }},
};

MetricExplanation stageFigure(const RunSummary& s, std::size_t stage, const StageFigure& figure) {
    MetricExplanation e;
    e.value = figure.value(s.stages[stage]);
    e.unit = figure.unit;
    e.meaning = figure.meaning;
    e.formula = figure.formula;
    if (figure.isBalanced && s.stages.size() > 1) {
        double sum = 0;
        for (const StageSummary& other : s.stages)
            sum += figure.value(other);
        e.boundMeaning = "The mean of all stages: a pipeline is as fast as its slowest stage.";
        e.bound = sum / real(static_cast<std::int64_t>(s.stages.size()));
    }
    return e;
}

struct MemoryFigure {
    const char* name;
    const char* unit;
    const char* meaning;
    const char* formula;
    double (*value)(const IpuMemorySummary&);
};

constexpr std::array<MemoryFigure, 6> memoryFigures{
    MemoryFigure{"limit_bytes", "bytes", "What the tiles of the IPU hold.", "tiles · memory_per_tile_bytes",
                 [](const IpuMemorySummary& m) { return real(m.limit.value()); }},
    MemoryFigure{"peak_bytes", "bytes", "The most that is live at one step of the IPU's program.",
                 "always_live_bytes + not_always_live_peak_bytes",
                 [](const IpuMemorySummary& m) { return real(m.peak.value()); }},
    MemoryFigure{"always_live_bytes", "bytes", "Weights, code and what else stays from step to step.",
                 "the sum of the categories that are always live",
                 [](const IpuMemorySummary& m) { return real(m.alwaysLive.value()); }},
    MemoryFigure{"not_always_live_peak_bytes", "bytes",
                 "Activations, stash and temporaries where they are most together.",
                 "the sum of the blocks that are live at that step; `v_tensor` has them",
                 [](const IpuMemorySummary& m) { return real(m.notAlwaysLivePeak.value()); }},
    MemoryFigure{"worst_tile", "", "The tile that holds most.", "the place of the largest tile",
                 [](const IpuMemorySummary& m) { return real(m.worstTile); }},
    MemoryFigure{"worst_tile_bytes", "bytes", "What the fullest tile holds at its peak.",
                 "the sum of the blocks that lie on the tile; `v_tile` has it by category",
                 [](const IpuMemorySummary& m) { return real(m.worstTileBytes.value()); }},
};

MetricExplanation memoryFigure(const RunSummary& s, std::size_t ipu, const MemoryFigure& figure) {
    const IpuMemorySummary& memory = s.memory[ipu];
    MetricExplanation e;
    e.value = figure.value(memory);
    e.unit = figure.unit;
    e.meaning = figure.meaning;
    e.formula = figure.formula;
    const std::string name = figure.name;
    const std::string own = fmt::format("memory.{}.", ipu);
    if (name == "limit_bytes") {
        e.inputs = {{"tiles", real(s.provenance.tiles), "", "Tiles of the IPU, a figure of the target."},
                    {"memory_per_tile_bytes", real(s.provenance.memoryPerTile.value()), "bytes",
                     "Memory of one tile, a figure of the target."}};
        e.computed = real(s.provenance.tiles) * real(s.provenance.memoryPerTile.value());
    } else if (name == "peak_bytes") {
        e.inputs = {
            {own + "always_live_bytes", real(memory.alwaysLive.value()), "bytes", memoryFigures[2].meaning},
            {own + "not_always_live_peak_bytes", real(memory.notAlwaysLivePeak.value()), "bytes",
             memoryFigures[3].meaning}};
        e.computed = real((memory.alwaysLive + memory.notAlwaysLivePeak).value());
        e.boundMeaning = "The IPU's memory; beyond it the model does not fit.";
        e.bound = real(memory.limit.value());
    } else if (name == "always_live_bytes") {
        double sum = 0;
        for (std::size_t i = 0; i < memory.byCategory.size(); ++i) {
            const auto category = static_cast<MemoryCategory>(i);
            if (!isAlwaysLive(category) || memory.byCategory[i].value() == 0)
                continue;
            e.inputs.push_back({fmt::format("{}by_category.{}", own, toString(category)),
                                real(memory.byCategory[i].value()), "bytes",
                                "A category that is always live."});
            sum += real(memory.byCategory[i].value());
        }
        e.computed = sum;
    } else if (name == "worst_tile_bytes") {
        e.boundMeaning = "The tile's memory; beyond it the model does not fit.";
        e.bound = real(s.provenance.memoryPerTile.value());
    }
    return e;
}

MetricExplanation categoryFigure(const RunSummary& s, std::size_t ipu, std::size_t category) {
    MetricExplanation e;
    e.value = real(s.memory[ipu].byCategory[category].value());
    e.unit = "bytes";
    e.meaning = isAlwaysLive(static_cast<MemoryCategory>(category))
                    ? "Bytes of this category, which stay from step to step."
                    : "Bytes of this category at the step where most is live.";
    e.formula = "the sum of its blocks; `v_tensor` has them with their layers";
    return e;
}

MetricExplanation seriesFigure(const MetricSeries& series) {
    MetricExplanation e;
    e.value = series.values.empty() ? 0 : series.values.back();
    e.meaning =
        fmt::format("The last of {} values; each is the mean over a step's micro-batches and replicas.",
                    series.values.size());
    e.formula = "the mean over micro-batches and replicas";
    return e;
}

/// Every name with what explains it; one list, so that what is listed can be explained.
std::vector<std::pair<std::string, std::function<MetricExplanation()>>> rows(const RunSummary& s) {
    std::vector<std::pair<std::string, std::function<MetricExplanation()>>> list{
        {"fits",
         [&] {
             return count(s.fits ? 1 : 0, "Whether every IPU's memory holds its part, 1 or 0.",
                          "peak_bytes ≤ limit_bytes, and worst_tile_bytes ≤ memory_per_tile_bytes, on "
                          "every IPU");
         }},
        {"ipus",
         [&] {
             return count(real(s.provenance.ipus), "IPUs of all replicas.", "ipus_per_replica · replicas");
         }},
        {"replicas",
         [&] {
             return count(real(s.provenance.replicas), "Copies of the model.",
                          "the project's, else as many as the system holds");
         }},
        {"effective_batch", [&] { return effectiveBatch(s); }},
        {"executions", [&] { return executions(s); }},
        {"step_cycles", [&] { return stepCycles(s); }},
        {"step_ns", [&] { return stepNanoseconds(s); }},
        {"samples_per_second", [&] { return throughput(s); }},
        {"idle_fraction", [&] { return idleFraction(s); }},
        {"host_stall_fraction", [&] { return hostStalls(s); }},
    };
    for (std::size_t cause = 0; cause < s.idleByCause.size(); ++cause)
        list.emplace_back(fmt::format("idle.{}", toString(static_cast<IdleCause>(cause))),
                          [&s, cause] { return idleOfCause(s, cause); });
    for (std::size_t stage = 0; stage < s.stages.size(); ++stage) {
        for (const StageFigure& figure : stageFigures)
            list.emplace_back(fmt::format("stages.{}.{}", stage, figure.name),
                              [&s, stage, &figure] { return stageFigure(s, stage, figure); });
    }
    for (std::size_t ipu = 0; ipu < s.memory.size(); ++ipu) {
        for (const MemoryFigure& figure : memoryFigures)
            list.emplace_back(fmt::format("memory.{}.{}", ipu, figure.name),
                              [&s, ipu, &figure] { return memoryFigure(s, ipu, figure); });
        for (std::size_t i = 0; i < s.memory[ipu].byCategory.size(); ++i)
            list.emplace_back(
                fmt::format("memory.{}.by_category.{}", ipu, toString(static_cast<MemoryCategory>(i))),
                [&s, ipu, i] { return categoryFigure(s, ipu, i); });
    }
    for (const MetricSeries& series : s.metrics)
        list.emplace_back("metrics." + series.name, [&series] { return seriesFigure(series); });
    return list;
}

} // namespace

ProgramFamily familyOf(const RunSummary& summary) {
    const Json project = Json::parse(summary.provenance.projectText, nullptr, false);
    const auto model = project.is_object() ? project.find("model") : project.end();
    return programFamily(model != project.end() ? *model : Json());
}

PredictedRanges rangesOf(const RunSummary& summary) {
    Bytes fullest;
    for (const IpuMemorySummary& memory : summary.memory)
        fullest = std::max(fullest, memory.peak);
    const PredictionIntervals known = intervalsOfTarget(summary.provenance.targetFigures);
    return predictedRanges(known.rate(familyOf(summary)), summary.samplesPerSecond, summary.step,
                           known.peak(), fullest);
}

Cycles idleTotal(const RunSummary& summary) {
    Cycles total;
    for (const Cycles cycles : summary.idleByCause)
        total += cycles;
    return total;
}

std::vector<std::string> explainedMetrics(const RunSummary& summary) {
    std::vector<std::string> names;
    for (const auto& [name, explanation] : rows(summary))
        names.push_back(name);
    return names;
}

Result<MetricExplanation> explain(const RunSummary& summary, std::string_view metric) {
    for (const auto& [name, explanation] : rows(summary)) {
        if (name != metric)
            continue;
        MetricExplanation result = explanation();
        result.metric = name;
        return result;
    }
    const auto near = nearestName(metric, explainedMetrics(summary));
    return failure(makeError(
        Trouble::Usage, "explain/metric", {"", "METRIC"},
        fmt::format("a run has no figure \"{}\"", metric.substr(0, 60)),
        {near ? fmt::format("did you mean \"{}\"?", *near) : std::string("`explain RUN` alone lists them")}));
}

} // namespace core
