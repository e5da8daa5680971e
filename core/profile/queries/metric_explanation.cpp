#include "core/profile/queries/metric_explanation.h"

#include "core/plan/prediction_interval.h"
#include "core/profile/records/span_label.h"
#include "core/text/nearest_name.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <functional>

namespace core {

namespace {

/// Cycles of all IPUs of a replica over a step.
double ipuCycles(const RunSummary& s) {
    return real(s.step.value()) * real(std::max<std::int64_t>(1, s.provenance.ipusPerReplica));
}

ExplainedInput clock(const RunSummary& s) {
    return {"clock_hz", s.provenance.clockHz, "1/s", "Cycles of a tile per second.", FigureSource::Target};
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
            "IPUs that hold the stages of one replica, unused ones included.", FigureSource::Setting};
}

ExplainedInput microBatchesInput(const RunSummary& s) {
    return {"micro_batches", real(s.provenance.microBatches), "", "Micro-batches of one step.",
            FigureSource::Setting};
}

ExplainedInput tileMemoryInput(const RunSummary& s) {
    return {"memory_per_tile_bytes", real(s.provenance.memoryPerTile.value()), "bytes", "Memory of one tile.",
            FigureSource::Target};
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

ExplainedInput launchInput(const RunSummary& s) {
    return {"launch_cycles", launchCyclesPerStep(s), "cycles",
            "The share of a step in what an execution costs once: the rendezvous with the host that launches "
            "it, and its last results. More steps_per_execution make it smaller."};
}

ExplainedInput busyInput(const RunSummary& s) {
    return {"busy_cycles", ipuCycles(s) - real(idleTotal(s).value()), "cycles",
            "Work of all IPUs of a replica over one step."};
}

/// Digits that a share of a double cannot hold are none of a count.
double wholeOrThousandths(double cycles) {
    return std::round(cycles * 1e3) / 1e3;
}

double stallCycles(const RunSummary& s) {
    return wholeOrThousandths(s.hostStallFraction * (real(s.step.value()) + launchCyclesPerStep(s)));
}

/// A figure between those of the summary: the input of one that has inputs itself.
MetricExplanation innerFigure(ExplainedInput input, std::string formula, std::vector<ExplainedInput> inputs) {
    MetricExplanation e;
    e.value = input.value;
    e.unit = std::move(input.unit);
    e.meaning = std::move(input.meaning);
    e.formula = std::move(formula);
    e.inputs = std::move(inputs);
    e.boundMeaning = "None of its own: that of the figure that is made of it.";
    return e;
}

MetricExplanation busyCycles(const RunSummary& s) {
    return innerFigure(busyInput(s), "the sum of what the IPUs do; `v_utilisation` has it by IPU", {});
}

MetricExplanation idleCycles(const RunSummary& s) {
    MetricExplanation e = innerFigure(idleInput(s), "the sum over the causes of waiting", {});
    double sum = 0;
    for (std::size_t cause = 0; cause < s.idleByCause.size(); ++cause) {
        const double cycles = real(s.idleByCause[cause].value());
        sum += cycles;
        if (cycles > 0)
            e.inputs.push_back(
                {fmt::format("idle.{}", toString(static_cast<IdleCause>(cause))), cycles, "cycles",
                 fmt::format("Waiting by this cause: {}.", idleCauseLabel(static_cast<IdleCause>(cause)))});
    }
    e.computed = sum;
    e.boundMeaning = "Nothing has to wait.";
    e.bound = 0;
    return e;
}

MetricExplanation launchCycles(const RunSummary& s) {
    return innerFigure(launchInput(s), "(host_before_cycles + host_after_cycles) / updates_of_execution", {});
}

ExplainedInput stallInput(const RunSummary& s) {
    return {"stall_cycles", stallCycles(s), "cycles",
            "Launch, last results and transfers that nothing hides, in an execution by its steps; among them "
            "what an outside_compilation_scope() sends to the host and takes back."};
}

MetricExplanation stalls(const RunSummary& s) {
    const double launch = launchCyclesPerStep(s);
    const double exposed = wholeOrThousandths(stallCycles(s) - launch);
    MetricExplanation e =
        innerFigure(stallInput(s), "launch_cycles + exposed_host_cycles",
                    {launchInput(s),
                     {"exposed_host_cycles", exposed, "cycles",
                      "Infeeds, outfeeds and visits of the host in a step that nothing hides."}});
    e.computed = launch + exposed;
    e.boundMeaning = "The host is always ahead.";
    e.bound = 0;
    return e;
}

MetricExplanation throughput(const RunSummary& s) {
    const double launch = launchCyclesPerStep(s);
    MetricExplanation e;
    e.value = s.samplesPerSecond;
    e.unit = "1/s";
    e.meaning =
        "Samples per second over whole executions of the program, the host before and after them counted.";
    e.formula = "effective_batch · clock_hz / (step_cycles + launch_cycles)";
    e.inputs = {batchInput(s), clock(s), stepInput(s), launchInput(s)};
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
    e.inputs = {busyInput(s), idleInput(s), ipusInput(s)};
    e.computed = ipuCycles(s) / real(std::max<std::int64_t>(1, s.provenance.ipusPerReplica));
    e.boundMeaning = "The work alone, evenly over the IPUs.";
    e.bound = real(s.step.value()) * (1 - s.idleFraction);
    return e;
}

MetricExplanation stepNanoseconds(const RunSummary& s) {
    MetricExplanation e = stepCycles(s);
    const double factor = s.provenance.clockHz > 0 ? 1e9 / s.provenance.clockHz : 0;
    // Whole, as the JSON of a run has it.
    e.value = real(nanoseconds(s.step, s.provenance.clockHz));
    e.unit = "ns";
    e.formula = "step_cycles / clock_hz · 1e9, rounded";
    e.inputs = {stepInput(s), clock(s)};
    e.computed = e.value;
    e.bound = std::round(*e.bound * factor);
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
    e.boundMeaning = "Nothing has to wait.";
    e.bound = 0;
    return e;
}

MetricExplanation hostStalls(const RunSummary& s) {
    MetricExplanation e;
    e.value = s.hostStallFraction;
    e.meaning = "The share of an execution in which the device waits for the host or for a host transfer.";
    e.formula = "stall_cycles / (step_cycles + launch_cycles)";
    e.inputs = {stallInput(s), stepInput(s), launchInput(s)};
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
        {"batch_size", real(s.provenance.batchSize), "", "Samples of one micro-batch on one replica.",
         FigureSource::Setting},
        microBatchesInput(s),
        {"batch_serialization_iterations", serial, "", "Pieces one micro-batch goes through in.",
         FigureSource::Setting},
        {"replicas", real(s.provenance.replicas), "", "Copies of the model, each with its own IPUs."}};
    e.computed = perReplica * serial * real(s.provenance.replicas);
    e.boundMeaning = "None: how many samples an update is made of is a choice of the training.";
    return e;
}

/// A number of the project as it was run.
std::optional<double> projectNumber(const RunSummary& s, const Json::json_pointer& place) {
    const Json project = Json::parse(s.provenance.projectText, nullptr, false);
    if (!project.is_object() || !project.contains(place) || !project.at(place).is_number())
        return std::nullopt;
    return project.at(place).get<double>();
}

MetricExplanation executions(const RunSummary& s) {
    const bool isTraining = s.provenance.mode == RunMode::Train;
    const double epochs =
        isTraining ? std::max(1.0, projectNumber(s, "/training/epochs"_json_pointer).value_or(1)) : 1;
    MetricExplanation e;
    e.value = real(s.executions);
    e.meaning = "Launches of the compiled program in the whole run.";
    e.formula = "epochs · executions_per_epoch";
    e.inputs = {{"epochs", epochs, "", "Rounds through the data; one where nothing is trained.",
                 FigureSource::Setting},
                {"executions_per_epoch", e.value / epochs, "",
                 "steps_per_epoch / steps_per_execution of the project, or of what its dataset holds."}};
    e.computed = e.value;
    e.boundMeaning = "One launch each epoch.";
    e.bound = epochs;
    return e;
}

MetricExplanation fits(const RunSummary& s) {
    MetricExplanation e;
    e.value = s.fits ? 1 : 0;
    e.meaning = "Whether every IPU's memory holds its part, 1 or 0.";
    e.formula = "peak_bytes ≤ limit_bytes, and worst_tile_bytes ≤ memory_per_tile_bytes, on every IPU";
    for (std::size_t ipu = 0; ipu < s.memory.size(); ++ipu) {
        const IpuMemorySummary& memory = s.memory[ipu];
        const std::string own = fmt::format("memory.{}.", ipu);
        e.inputs.push_back({own + "peak_bytes", real(memory.peak.value()), "bytes",
                            "The most that is live on this IPU at once."});
        e.inputs.push_back(
            {own + "limit_bytes", real(memory.limit.value()), "bytes", "What this IPU's tiles hold."});
        e.inputs.push_back({own + "worst_tile_bytes", real(memory.worstTileBytes.value()), "bytes",
                            "What its fullest tile holds."});
    }
    e.inputs.push_back(tileMemoryInput(s));
    e.boundMeaning = "Every IPU holds its part.";
    e.bound = 1;
    return e;
}

ExplainedInput replicasInput(const RunSummary& s) {
    return {"replicas", real(s.provenance.replicas), "", "Copies of the model, each with its own IPUs."};
}

MetricExplanation ipus(const RunSummary& s) {
    MetricExplanation e;
    e.value = real(s.provenance.ipus);
    e.meaning = "IPUs of all replicas.";
    e.formula = "ipus_per_replica · replicas";
    e.inputs = {ipusInput(s), replicasInput(s)};
    e.computed = real(s.provenance.ipusPerReplica) * real(s.provenance.replicas);
    e.boundMeaning = "None: given by the project's stages and its system.";
    return e;
}

MetricExplanation replicas(const RunSummary& s) {
    MetricExplanation e;
    e.value = real(s.provenance.replicas);
    e.meaning = "Copies of the model.";
    if (projectNumber(s, "/replicas"_json_pointer)) {
        e.formula = "project_replicas";
        e.inputs = {
            {"project_replicas", e.value, "", "The `replicas` of the project.", FigureSource::Setting}};
        e.computed = e.value;
    } else {
        e.formula = "device_ipus / ipus_per_replica: as many as the system holds";
        e.inputs = {{"device_ipus", real(s.provenance.ipus), "",
                     "IPUs that the program is attached to: those of the system, or what ipu_config selects.",
                     FigureSource::Setting},
                    ipusInput(s)};
        e.computed = real(s.provenance.ipus) / real(std::max<std::int64_t>(1, s.provenance.ipusPerReplica));
    }
    e.boundMeaning = "None: given by the project and its system.";
    return e;
}

struct StageFigure {
    const char* name;
    const char* unit;
    const char* meaning;
    const char* formula;
    double (*value)(const StageSummary&);
    /// A pipeline is as fast as its slowest stage: the best of it is the mean. Otherwise it is 0 where that
    /// says why, or none.
    bool isBalanced = false;
    const char* zero = nullptr;
    const char* none = nullptr;
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
                [](const StageSummary& s) { return real(s.recompute.value()); }, false,
                "Nothing runs again where memory holds all activations."},
    StageFigure{"update_cycles", "cycles", "The optimizer on the stage's weights, once per step.",
                "the sum of its operations, exchanges and remote memory",
                [](const StageSummary& s) { return real(s.update.value()); }, true},
    StageFigure{"transfer_bytes", "bytes", "What leaves the stage for other IPUs with each micro-batch.",
                "the sum of the tensors that cross; `v_transfer` has them",
                [](const StageSummary& s) { return real(s.transfer.value()); }, false, nullptr,
                "None: the layers beside the cut make it; `plan` looks for cuts that little crosses."},
    StageFigure{"fifo_depth", "", "Micro-batches whose activations wait for their backward pass.",
                "the most forward programs between the forward and the backward pass of one micro-batch",
                [](const StageSummary& s) { return real(s.fifoDepth); }, false, nullptr,
                "None: given by the schedule and the stage's place in it."},
    StageFigure{"stash_bytes", "bytes", "Memory of the stage's FIFOs on the chip.", "fifo_depth · kept_bytes",
                [](const StageSummary& s) { return real(s.stash.value()); }, false,
                "Nothing waits on the chip where it is recomputed from little, or offloaded."},
};

ExplainedInput keptInput(const StageSummary& own, std::size_t stage) {
    return {fmt::format("stages.{}.kept_bytes", stage),
            own.fifoDepth > 0 ? real(own.stash.value()) / real(own.fifoDepth) : 0, "bytes",
            "What is kept of each micro-batch."};
}

MetricExplanation stageFigure(const RunSummary& s, std::size_t stage, const StageFigure& figure) {
    const StageSummary& own = s.stages[stage];
    MetricExplanation e;
    e.value = figure.value(own);
    e.unit = figure.unit;
    e.meaning = figure.meaning;
    e.formula = figure.formula;
    if (figure.isBalanced && s.stages.size() > 1) {
        double sum = 0;
        for (const StageSummary& other : s.stages)
            sum += figure.value(other);
        e.boundMeaning = "The mean of all stages: a pipeline is as fast as its slowest stage.";
        e.bound = sum / real(static_cast<std::int64_t>(s.stages.size()));
    } else if (figure.zero != nullptr) {
        e.boundMeaning = figure.zero;
        e.bound = 0;
    } else {
        e.boundMeaning = figure.none != nullptr
                             ? figure.none
                             : "None for one stage, which has no other to be balanced with; `roofline` says "
                               "how near its operations come to the machine's peak.";
    }
    const std::string_view name = figure.name;
    if (name == "fifo_depth")
        e.inputs = {{"stage", real(static_cast<std::int64_t>(own.stage.index())), "", "Its place, from 0.",
                     FigureSource::Setting},
                    {"stages", real(static_cast<std::int64_t>(s.stages.size())), "",
                     "Stages of the pipeline.", FigureSource::Setting},
                    microBatchesInput(s)};
    if (name == "stash_bytes") {
        const ExplainedInput kept = keptInput(own, stage);
        e.inputs = {{fmt::format("stages.{}.fifo_depth", stage), real(own.fifoDepth), "",
                     "Micro-batches whose activations wait."},
                    kept};
        e.computed = real(own.fifoDepth) * kept.value;
    }
    return e;
}

MetricExplanation keptBytes(const RunSummary& s, std::size_t stage) {
    return innerFigure(keptInput(s.stages[stage], stage),
                       "the sum of the stashed tensors of a micro-batch; `v_tensor` has them for all", {});
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
                 "the sum of the categories that come and go, at that step",
                 [](const IpuMemorySummary& m) { return real(m.notAlwaysLivePeak.value()); }},
    MemoryFigure{"worst_tile", "", "The tile that holds most.", "the place of the largest tile",
                 [](const IpuMemorySummary& m) { return real(m.worstTile); }},
    MemoryFigure{"worst_tile_bytes", "bytes", "What the fullest tile holds at its peak.",
                 "the sum of the categories on that tile; `v_tile` has all tiles",
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
        e.inputs = {{"tiles", real(s.provenance.tiles), "", "Tiles of the IPU.", FigureSource::Target},
                    tileMemoryInput(s)};
        e.computed = real(s.provenance.tiles) * real(s.provenance.memoryPerTile.value());
    } else if (name == "peak_bytes") {
        e.inputs = {
            {own + "always_live_bytes", real(memory.alwaysLive.value()), "bytes", memoryFigures[2].meaning},
            {own + "not_always_live_peak_bytes", real(memory.notAlwaysLivePeak.value()), "bytes",
             memoryFigures[3].meaning}};
        e.computed = real((memory.alwaysLive + memory.notAlwaysLivePeak).value());
        e.boundMeaning = "The IPU's memory; beyond it the model does not fit.";
        e.bound = real(memory.limit.value());
        e.isLimited = true;
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
    } else if (name == "not_always_live_peak_bytes") {
        for (std::size_t i = 0; i < memory.byCategory.size(); ++i) {
            const auto category = static_cast<MemoryCategory>(i);
            if (!isAlwaysLive(category) && memory.byCategory[i].value() > 0)
                e.inputs.push_back({fmt::format("{}by_category.{}", own, toString(category)),
                                    real(memory.byCategory[i].value()), "bytes",
                                    "A category of what comes and goes, at its peak."});
        }
        e.boundMeaning = "What the memory leaves beside that which is always live.";
        e.bound = std::max(0.0, real((memory.limit - memory.alwaysLive).value()));
        e.isLimited = true;
    } else if (name == "worst_tile") {
        e.inputs = {{own + "worst_tile_bytes", real(memory.worstTileBytes.value()), "bytes",
                     memoryFigures[5].meaning}};
        e.boundMeaning = "None: it is a place, not an amount.";
    } else if (name == "worst_tile_bytes") {
        e.boundMeaning = "The tile's memory; beyond it the model does not fit.";
        e.bound = real(s.provenance.memoryPerTile.value());
        e.isLimited = true;
    }
    if (name == "limit_bytes")
        e.boundMeaning = "None: given by the target.";
    if (name == "always_live_bytes") {
        e.boundMeaning = "The IPU's memory; what comes and goes needs room beside it.";
        e.bound = real(memory.limit.value());
        e.isLimited = true;
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
    const IpuMemorySummary& memory = s.memory[ipu];
    e.boundMeaning = "What the other categories leave of the IPU's memory.";
    e.bound = std::max(0.0, real((memory.limit - memory.peak + memory.byCategory[category]).value()));
    e.isLimited = true;
    return e;
}

/// Of a metric by its name, without "val_": the value of a model that is always right.
std::optional<double> bestOf(std::string_view name) {
    constexpr std::array<std::string_view, 8> shares{"accuracy", "acc", "auc",   "precision",
                                                     "recall",   "f1",  "top_k", "cosine"};
    constexpr std::array<std::string_view, 6> errors{"loss", "error", "mse", "mae", "entropy", "divergence"};
    if (name.starts_with("val_"))
        name.remove_prefix(4);
    const auto isIn = [&](std::string_view word) { return name.find(word) != std::string_view::npos; };
    if (std::ranges::any_of(errors, isIn))
        return 0;
    if (std::ranges::any_of(shares, isIn))
        return 1;
    return std::nullopt;
}

MetricExplanation seriesFigure(const RunSummary& s, const MetricSeries& series) {
    MetricExplanation e;
    const bool isRate = series.name == "learning_rate";
    const auto count = real(static_cast<std::int64_t>(series.values.size()));
    e.value = series.values.empty() ? 0 : series.values.back();
    e.meaning =
        isRate
            ? fmt::format("The last of {} values: what the optimizer multiplies gradients with.",
                          series.values.size())
            : fmt::format("The last of {} values; each is the mean over a step's micro-batches and replicas.",
                          series.values.size());
    e.formula = isRate ? "the optimizer's learning_rate, or what its schedule gives at that update"
                       : "the mean over micro_batches and replicas";
    e.inputs = {{"values", count, "", "Values that the run has of it."},
                {"first_value", series.values.empty() ? 0 : series.values.front(), "", "The first of them."}};
    if (!isRate) {
        e.inputs.push_back(microBatchesInput(s));
        e.inputs.push_back(replicasInput(s));
    }
    e.bound = isRate ? std::nullopt : bestOf(series.name);
    e.boundMeaning = isRate    ? "None: a choice of the training."
                     : e.bound ? "A model that is always right; data with noise does not let it get there."
                               : "None that its name says: the function's own best value.";
    return e;
}

/// A bound of where a predicted figure lies once it is measured.
MetricExplanation intervalFigure(std::string_view name, const char* unit, double predicted,
                                 const char* meaning, const PredictionInterval& interval, double value,
                                 bool isLow) {
    MetricExplanation e;
    e.value = value;
    e.unit = unit;
    e.meaning = fmt::format("{}, once it is measured, lies {} this for nine of ten programs.", meaning,
                            isLow ? "above" : "below");
    const bool isWhole = std::string_view(unit) != "1/s";
    e.formula = fmt::format("{} · factor{}", name, isWhole ? ", rounded" : "");
    e.inputs = {
        {std::string(name), predicted, unit, "The predicted figure."},
        {"factor", isLow ? interval.low : interval.high, "",
         "Measured over predicted, of the rows of `calibrate` or of the target's own file.",
         FigureSource::Measured},
        {"rows", real(interval.rows), "", "Measurements that it was made of.", FigureSource::Measured}};
    e.computed = isWhole ? std::round(predicted * e.inputs[1].value) : predicted * e.inputs[1].value;
    e.bound = predicted;
    e.boundMeaning = "The prediction: measurements nearer to their predictions make it narrower.";
    return e;
}

using ExplainedRows = std::vector<std::pair<std::string, std::function<MetricExplanation()>>>;

/// Low and high as the lists of the JSON have them, 0 and 1.
void addIntervals(const RunSummary& s, ExplainedRows& list) {
    for (const bool isLow : {true, false}) {
        const auto name = [&](const char* figure) {
            return fmt::format("intervals.{}.{}", figure, isLow ? 0 : 1);
        };
        list.emplace_back(name("samples_per_second"), [&s, isLow] {
            const PredictedRanges known = rangesOf(s);
            return intervalFigure("samples_per_second", "1/s", s.samplesPerSecond, "The throughput",
                                  known.throughput,
                                  isLow ? known.leastSamplesPerSecond : known.mostSamplesPerSecond, isLow);
        });
        list.emplace_back(name("step_cycles"), [&s, isLow] {
            const PredictedRanges known = rangesOf(s);
            return intervalFigure("step_cycles", "cycles", real(s.step.value()), "The step",
                                  inverseInterval(known.throughput),
                                  real((isLow ? known.leastStep : known.mostStep).value()), isLow);
        });
        list.emplace_back(name("peak_bytes"), [&s, isLow] {
            const PredictedRanges known = rangesOf(s);
            const auto fullest = std::ranges::max_element(s.memory, {}, &IpuMemorySummary::peak);
            const double peak = fullest == s.memory.end() ? 0 : real(fullest->peak.value());
            return intervalFigure(fmt::format("memory.{}.peak_bytes", fullest - s.memory.begin()), "bytes",
                                  peak, "The memory of the fullest IPU", known.peak,
                                  real((isLow ? known.leastPeak : known.mostPeak).value()), isLow);
        });
    }
}

/// Every name with what explains it; one list, so that what is listed can be explained.
ExplainedRows rows(const RunSummary& s) {
    ExplainedRows list{
        {"fits", [&] { return fits(s); }},
        {"ipus", [&] { return ipus(s); }},
        {"replicas", [&] { return replicas(s); }},
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
        list.emplace_back("metrics." + series.name, [&s, &series] { return seriesFigure(s, series); });
    addIntervals(s, list);
    return list;
}

/// What figures of the summary are made of and has a formula itself.
ExplainedRows innerRows(const RunSummary& s) {
    ExplainedRows list{
        {"busy_cycles", [&] { return busyCycles(s); }},
        {"idle_cycles", [&] { return idleCycles(s); }},
        {"launch_cycles", [&] { return launchCycles(s); }},
        {"stall_cycles", [&] { return stalls(s); }},
    };
    for (std::size_t stage = 0; stage < s.stages.size(); ++stage)
        list.emplace_back(fmt::format("stages.{}.kept_bytes", stage),
                          [&s, stage] { return keptBytes(s, stage); });
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
    return predictedRanges(known.ofProgram(familyOf(summary)), summary.samplesPerSecond, summary.step,
                           fullest);
}

Cycles idleTotal(const RunSummary& summary) {
    Cycles total;
    for (const Cycles cycles : summary.idleByCause)
        total += cycles;
    return total;
}

std::string_view toString(FigureSource source) {
    constexpr std::array<std::string_view, 5> names{"formula", "counted", "setting", "target", "measured"};
    return names[static_cast<std::size_t>(source)];
}

MetricExplainer::MetricExplainer(const RunSummary& summary)
    : m_rows(rows(summary))
    , m_metricCount(m_rows.size()) {
    std::ranges::move(innerRows(summary), std::back_inserter(m_rows));
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        m_places.emplace(m_rows[i].first, i);
}

std::vector<std::string> MetricExplainer::metrics() const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < m_metricCount; ++i)
        names.push_back(m_rows[i].first);
    return names;
}

std::optional<MetricExplanation> MetricExplainer::explain(std::string_view metric) const {
    const auto place = m_places.find(metric);
    if (place == m_places.end())
        return std::nullopt;
    MetricExplanation result = m_rows[place->second].second();
    result.metric = place->first;
    return result;
}

std::vector<std::string> explainedMetrics(const RunSummary& summary) {
    return MetricExplainer(summary).metrics();
}

Result<MetricExplanation> explain(const RunSummary& summary, std::string_view metric) {
    const MetricExplainer explainer(summary);
    if (auto known = explainer.explain(metric))
        return *std::move(known);
    const auto near = nearestName(metric, explainer.metrics());
    return failure(makeError(
        Trouble::Usage, "explain/metric", {"", "METRIC"},
        fmt::format("a run has no figure \"{}\"", metric.substr(0, 60)),
        {near ? fmt::format("did you mean \"{}\"?", *near) : std::string("`explain RUN` alone lists them")}));
}

} // namespace core
