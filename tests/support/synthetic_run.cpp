#include "tests/support/synthetic_run.h"

#include "core/profile/records/callback_record.h"
#include "core/profile/records/output_records.h"
#include "core/profile/records/program_records.h"
#include "core/profile/records/time_records.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace tests {

using namespace core;

namespace {

/// Backward passes are whole: no weight gradients of their own.
constexpr std::size_t synthesizedPhases = 4;

constexpr std::int64_t tilesPerIpu = 1472;
constexpr Bytes memoryPerTile{638976};

/// A small generator with the same numbers everywhere (SplitMix64).
class Noise {
public:
    explicit Noise(std::uint64_t seed)
        : m_state(seed) {}

    /// 0 ≤ x < 1.
    double next() {
        m_state += 0x9e3779b97f4a7c15ULL;
        std::uint64_t z = m_state;
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
        return static_cast<double>((z ^ (z >> 31U)) >> 11U) * 0x1.0p-53;
    }

private:
    std::uint64_t m_state;
};

struct LayerShape {
    std::string name;
    std::string kind;
    std::string shape;
    Bytes activation;
    Bytes weights;
};

/// ResNet-50's layers, without the input: names and output shapes for a micro-batch of 16 in float16.
std::vector<LayerShape> residualNetwork() {
    std::vector<LayerShape> layers;
    const auto add = [&](const std::string& name, const std::string& kind, int side, int channels,
                         std::int64_t weights) {
        const std::int64_t elements = 16LL * side * side * channels;
        layers.push_back(
            {name, kind,
             "16×" + std::to_string(side) + "×" + std::to_string(side) + "×" + std::to_string(channels),
             Bytes(2 * elements), Bytes(2 * weights)});
    };
    add("conv1_conv", "Conv", 112, 64, 9472);
    add("conv1_bn", "BatchNorm", 112, 64, 256);
    add("conv1_relu", "Relu", 112, 64, 0);
    add("pool1_pool", "MaxPool", 56, 64, 0);
    constexpr std::array<int, 4> blocks{3, 4, 6, 3};
    for (std::size_t group = 0; group < blocks.size(); ++group) {
        const int side = 56 >> group;
        const int width = 64 << group;
        for (int block = 1; block <= blocks[group]; ++block) {
            const std::string prefix =
                "conv" + std::to_string(group + 2) + "_block" + std::to_string(block) + "_";
            for (int part = 1; part <= 3; ++part) {
                const int channels = part == 3 ? 4 * width : width;
                const int kernel = part == 2 ? 9 : 1;
                const std::string name = prefix + std::to_string(part);
                add(name + "_conv", "Conv", side, channels,
                    kernel * channels * (part == 1 ? 4 * width : width));
                add(name + "_bn", "BatchNorm", side, channels, 4 * channels);
                if (part < 3)
                    add(name + "_relu", "Relu", side, channels, 0);
            }
            add(prefix + "add", "Add", side, 4 * width, 0);
            add(prefix + "out", "Relu", side, 4 * width, 0);
        }
    }
    add("avg_pool", "AvgPool", 1, 2048, 0);
    add("predictions", "MatMul", 1, 1000, 2049000);
    return layers;
}

struct Work {
    SpanKind kind;
    std::int64_t microBatch;
};

/// schedule[slot][ipu] = work in order.
using Slots = std::vector<std::vector<std::vector<Work>>>;

Slots slotsOf(const SyntheticRun& run) {
    const auto stages = static_cast<std::int64_t>(run.stages);
    const bool isSequential = run.schedule == "Sequential";
    const std::int64_t stride = run.schedule == "Interleaved" ? 2 : isSequential ? 2 * stages : 1;
    Slots schedule(static_cast<std::size_t>(stride * (run.microBatches - 1) + 2 * stages),
                   std::vector<std::vector<Work>>(run.stages));
    // The order inside a slot: backward, forward, recompute.
    for (const SpanKind kind : {SpanKind::Backward, SpanKind::Forward, SpanKind::Recompute}) {
        for (std::int64_t k = 0; k < stages; ++k) {
            if (kind == SpanKind::Recompute && (!run.recompute || isSequential || k == stages - 1))
                continue;
            for (std::int64_t m = 0; m < run.microBatches; ++m) {
                const std::int64_t base = kind == SpanKind::Forward    ? k
                                          : kind == SpanKind::Backward ? 2 * stages - 1 - k
                                                                       : 2 * stages - 2 - k;
                schedule[static_cast<std::size_t>(stride * m + base)][static_cast<std::size_t>(k)].push_back(
                    {kind, m});
            }
        }
    }
    return schedule;
}

SpanRecord makeSpan(std::size_t lane, SpanKind kind, std::int64_t start, std::int64_t end,
                    std::size_t stage) {
    SpanRecord span;
    span.lane = LaneId(lane);
    span.kind = kind;
    span.start = Cycles(start);
    span.duration = Cycles(end - start);
    span.stage = StageId(stage);
    return span;
}

class Recorder {
public:
    Recorder(const SyntheticRun& run, ProfileSink& sink)
        : m_run(run)
        , m_sink(sink)
        , m_layers(residualNetwork()) {}

    RunSummary record() {
        m_sink.begin(provenance());
        recordOperations();
        recordLanes();
        recordProgram();
        recordTransfers();
        recordSpans();
        for (std::size_t ipu = 0; ipu < m_run.stages; ++ipu)
            recordMemory(ipu);
        recordTraining();
        fillSummary();
        m_sink.finish(m_summary);
        return m_summary;
    }

private:
    struct StageOperation {
        OperationId id;
        std::size_t layer;
        Cycles exchange;
        Cycles compute;
        Cycles sync{64};
        [[nodiscard]] Cycles total() const { return exchange + compute + sync; }
    };

    [[nodiscard]] RunProvenance provenance() const {
        RunProvenance p;
        p.projectName = "resnet50-4x2";
        p.projectText = m_run.projectText;
        p.projectHash = "0123456789abcdef0123456789abcdef";
        p.programVersion = "0.1.0";
        p.costModelVersion = "1";
        p.seed = 0xfedcba9876543210ULL;
        p.targetName = "ipu2";
        p.targetFigures = m_run.targetFigures;
        p.tiles = tilesPerIpu;
        p.memoryPerTile = memoryPerTile;
        p.clockHz = 1.33e9;
        p.ipusPerReplica = static_cast<std::int64_t>(m_run.stages);
        p.replicas = m_run.replicas;
        p.ipus = p.ipusPerReplica * p.replicas;
        p.microBatches = m_run.microBatches;
        p.batchSize = 16;
        p.schedule = m_run.schedule;
        p.profileLevel = "tile";
        p.started = "2024-05-01T12:00:00+02:00";
        return p;
    }

    [[nodiscard]] std::size_t firstLayer(std::size_t stage) const {
        return m_layers.size() * stage / m_run.stages;
    }

    /// Operations of every stage and phase, in order of execution.
    void recordOperations() {
        Noise noise(7);
        std::vector<OperationRecord> records;
        m_operations.assign(m_run.stages, {});
        for (std::size_t stage = 0; stage < m_run.stages; ++stage) {
            for (std::size_t phase = 0; phase < synthesizedPhases; ++phase)
                addOperations(stage, static_cast<ProgramPhase>(phase), noise, records);
        }
        m_sink.operations(records);
    }

    void addOperations(std::size_t stage, ProgramPhase phase, Noise& noise,
                       std::vector<OperationRecord>& records) {
        constexpr std::array<double, synthesizedPhases> weight{1.0, 2.1, 1.0, 0.25};
        constexpr std::array<const char*, synthesizedPhases> suffix{"", "/grad", "", "/update"};
        std::vector<std::size_t> layers;
        for (std::size_t layer = firstLayer(stage); layer < firstLayer(stage + 1); ++layer)
            layers.push_back(layer);
        if (phase == ProgramPhase::Backward)
            std::reverse(layers.begin(), layers.end());
        for (const std::size_t index : layers) {
            const LayerShape& layer = m_layers[index];
            if (phase == ProgramPhase::WeightUpdate && layer.weights.value() == 0)
                continue;
            const double scale = (stage == 0 ? m_run.firstStageScale : 1.0) *
                                 weight[static_cast<std::size_t>(phase)] * (0.8 + 0.4 * noise.next());
            const double flops = layer.kind == "Conv" || layer.kind == "MatMul" ? 40e3 : 8e3;
            StageOperation operation;
            operation.id = OperationId(records.size());
            operation.layer = index;
            operation.compute = Cycles(static_cast<std::int64_t>(flops * scale));
            operation.exchange = Cycles(static_cast<std::int64_t>(4e3 * scale));
            m_operations[stage][static_cast<std::size_t>(phase)].push_back(operation);

            OperationRecord record;
            record.id = operation.id;
            record.name = layer.name + suffix[static_cast<std::size_t>(phase)];
            record.kind = layer.kind;
            record.layer = layer.name;
            record.stage = StageId(stage);
            record.phase = phase;
            record.compute = operation.compute;
            record.exchange = operation.exchange;
            record.sync = operation.sync;
            record.flops = Flops(operation.compute.value() * 9000);
            record.tilesUsed = tilesPerIpu - static_cast<std::int64_t>(noise.next() * 100);
            record.exchangeBytes = layer.activation;
            record.temporaryPerTile = Bytes(layer.activation.value() / tilesPerIpu);
            record.outputBytes = layer.activation;
            record.plan = "inChanParallelSplit=4 outChanParallelSplit=2";
            record.precision = "float16";
            record.peakPerCycle = Flops(128 * tilesPerIpu);
            records.push_back(record);
        }
    }

    [[nodiscard]] const std::vector<StageOperation>& operationsOf(std::size_t stage, SpanKind kind) const {
        return m_operations[stage][static_cast<std::size_t>(kind)];
    }

    [[nodiscard]] std::int64_t cyclesOf(std::size_t stage, SpanKind kind) const {
        Cycles total;
        for (const StageOperation& operation : operationsOf(stage, kind))
            total += operation.total();
        return total.value();
    }

    static std::size_t lane(std::size_t ipu, LaneKind kind) {
        return ipu * laneKindCount + static_cast<std::size_t>(kind);
    }

    void recordLanes() {
        std::vector<LaneRecord> lanes;
        for (std::size_t ipu = 0; ipu < m_run.stages; ++ipu) {
            for (std::size_t kind = 0; kind < laneKindCount; ++kind)
                lanes.push_back({LaneId(lanes.size()), static_cast<LaneKind>(kind), IpuId(ipu)});
        }
        m_sink.lanes(lanes);
    }

    ProgramStepRecord& addStep(ProgramStepId parent, StepKind kind, std::string label) {
        ProgramStepRecord step;
        step.id = ProgramStepId(m_steps.size());
        step.parent = parent;
        step.kind = kind;
        step.label = std::move(label);
        return m_steps.emplace_back(std::move(step));
    }

    void recordProgram() {
        const ProgramStepId root = addStep({}, StepKind::Sequence, "training loop").id;
        ProgramStepRecord& repeat = addStep(root, StepKind::Repeat, "updates per execution");
        repeat.count = m_run.updatesPerExecution;
        const ProgramStepId body = addStep(repeat.id, StepKind::Sequence, "pipeline").id;
        constexpr std::array<const char*, synthesizedPhases> names{"forward", "backward", "recompute",
                                                                   "weight update"};
        for (std::size_t stage = 0; stage < m_run.stages; ++stage) {
            for (std::size_t phase = 0; phase < synthesizedPhases; ++phase) {
                ProgramStepRecord& call =
                    addStep(body, StepKind::Call, "stage " + std::to_string(stage) + " " + names[phase]);
                call.stage = StageId(stage);
                call.phase = static_cast<ProgramPhase>(phase);
                call.duration = Cycles(cyclesOf(stage, static_cast<SpanKind>(phase)));
                addStageProgram(call.id, stage, static_cast<ProgramPhase>(phase));
            }
        }
        m_sink.programSteps(m_steps);
    }

    void addStageProgram(ProgramStepId parent, std::size_t stage, ProgramPhase phase) {
        Cycles time;
        for (const StageOperation& operation : operationsOf(stage, static_cast<SpanKind>(phase))) {
            const auto leaf = [&](StepKind kind, Cycles duration) {
                ProgramStepRecord& step = addStep(parent, kind, m_layers[operation.layer].name);
                step.stage = StageId(stage);
                step.phase = phase;
                step.operation = operation.id;
                step.start = time;
                step.duration = duration;
                time += duration;
            };
            leaf(StepKind::Sync, operation.sync);
            leaf(StepKind::DoExchange, operation.exchange);
            leaf(StepKind::OnTileExecute, operation.compute);
        }
    }

    [[nodiscard]] Bytes cutBytes(std::size_t stage) const {
        return stage + 1 < m_run.stages ? m_layers[firstLayer(stage + 1) - 1].activation : Bytes();
    }

    void recordTransfers() {
        std::vector<TransferRecord> transfers;
        for (std::size_t stage = 0; stage + 1 < m_run.stages; ++stage) {
            const std::string tensor = m_layers[firstLayer(stage + 1) - 1].name + "/out";
            transfers.push_back({tensor, StageId(stage), StageId(stage + 1), ProgramPhase::Forward,
                                 cutBytes(stage), 1, false});
            transfers.push_back({tensor + "/grad", StageId(stage + 1), StageId(stage), ProgramPhase::Backward,
                                 cutBytes(stage), 1, false});
        }
        m_sink.transfers(transfers);
    }

    void idle(std::size_t ipu, std::int64_t start, std::int64_t end, IdleCause cause, std::size_t blame) {
        if (end <= start)
            return;
        SpanRecord span = makeSpan(lane(ipu, LaneKind::Compute), SpanKind::Idle, start, end, ipu);
        span.slot = m_slot;
        span.cause = cause;
        span.blame = StageId(blame);
        m_spans.push_back(span);
        m_idle[static_cast<std::size_t>(cause)] += span.duration;
    }

    /// A stage program: its span, its exchanges and syncs.
    void work(std::size_t ipu, const Work& item, std::int64_t start) {
        const std::int64_t end = start + cyclesOf(ipu, item.kind);
        SpanRecord span = makeSpan(lane(ipu, LaneKind::Compute), item.kind, start, end, ipu);
        span.microBatch = item.microBatch;
        span.slot = m_slot;
        m_spans.push_back(span);
        for (const StageOperation& operation : operationsOf(ipu, item.kind)) {
            SpanRecord sync = makeSpan(lane(ipu, LaneKind::Sync), SpanKind::Sync, start,
                                       start + operation.sync.value(), ipu);
            SpanRecord exchange =
                makeSpan(lane(ipu, LaneKind::Exchange), SpanKind::Exchange, start + operation.sync.value(),
                         start + operation.sync.value() + operation.exchange.value(), ipu);
            sync.microBatch = exchange.microBatch = item.microBatch;
            sync.slot = exchange.slot = m_slot;
            exchange.bytes = m_layers[operation.layer].activation;
            m_spans.push_back(sync);
            m_spans.push_back(exchange);
            start += operation.total().value();
        }
    }

    void recordSpans() {
        const Slots schedule = slotsOf(m_run);
        std::int64_t time = 0;
        for (std::size_t slot = 0; slot < schedule.size(); ++slot) {
            m_slot = static_cast<std::int64_t>(slot);
            time = recordSlot(schedule, slot, time);
        }
        m_slot = -1;
        m_step = Cycles(recordUpdate(time));
        m_sink.spans(m_spans);
    }

    std::int64_t recordSlot(const Slots& schedule, std::size_t slot, std::int64_t begin) {
        std::int64_t end = begin;
        std::size_t slowest = 0;
        std::vector<std::int64_t> ends(m_run.stages, begin);
        for (std::size_t ipu = 0; ipu < m_run.stages; ++ipu) {
            for (const Work& item : schedule[slot][ipu]) {
                if (ipu == 0 && item.kind == SpanKind::Forward)
                    hostStream(begin, item.microBatch);
                work(ipu, item, ends[ipu]);
                ends[ipu] += cyclesOf(ipu, item.kind);
            }
            if (ends[ipu] > end) {
                end = ends[ipu];
                slowest = ipu;
            }
        }
        const std::int64_t copyEnd = end + (end > begin ? 260'000 : 30'000);
        for (std::size_t ipu = 0; ipu < m_run.stages; ++ipu) {
            idle(ipu, ends[ipu], end, causeInSlot(schedule, slot, ipu), slowest);
            idle(ipu, end, copyEnd, IdleCause::Transfer, ipu);
            copy(ipu, end, copyEnd);
        }
        return copyEnd;
    }

    /// Before its first work an IPU warms up, after its last it drains, between them it waits.
    [[nodiscard]] IdleCause causeInSlot(const Slots& schedule, std::size_t slot, std::size_t ipu) const {
        if (!schedule[slot][ipu].empty())
            return IdleCause::Imbalance;
        const auto hasWork = [&](const auto& row) { return !row[ipu].empty(); };
        const auto at = schedule.begin() + static_cast<std::ptrdiff_t>(slot);
        if (m_run.schedule == "Sequential")
            return IdleCause::Serial;
        if (std::none_of(schedule.begin(), at, hasWork))
            return IdleCause::WarmUp;
        return std::none_of(at, schedule.end(), hasWork) ? IdleCause::Drain : IdleCause::Imbalance;
    }

    void copy(std::size_t ipu, std::int64_t begin, std::int64_t end) {
        const std::int64_t gap = ipu + 1 == m_run.stages ? (end - begin) * 3 / 4 : 0;
        SpanRecord span =
            makeSpan(lane(ipu, LaneKind::Exchange), SpanKind::InterIpuCopy, begin, end - gap, ipu);
        span.bytes = cutBytes(ipu);
        span.slot = m_slot;
        m_spans.push_back(span);
    }

    void hostStream(std::int64_t begin, std::int64_t microBatch) {
        SpanRecord span = makeSpan(lane(0, LaneKind::Host), SpanKind::Infeed, begin, begin + 150'000, 0);
        span.microBatch = microBatch;
        span.slot = m_slot;
        span.bytes = Bytes(16LL * 224 * 224 * 3 * 2);
        m_spans.push_back(span);
    }

    /// Gradients are reduced over the replicas, then each IPU updates its weights.
    std::int64_t recordUpdate(std::int64_t begin) {
        std::vector<std::int64_t> ends(m_run.stages, begin);
        std::size_t slowest = 0;
        for (std::size_t ipu = 0; ipu < m_run.stages; ++ipu) {
            const std::int64_t reduced =
                m_run.replicas > 1 ? begin + static_cast<std::int64_t>(ipu * ipu) * 400'000 + 50'000 : begin;
            idle(ipu, begin, reduced, IdleCause::AllReduce, ipu);
            if (reduced > begin)
                m_spans.push_back(
                    makeSpan(lane(ipu, LaneKind::Exchange), SpanKind::AllReduce, begin, reduced, ipu));
            work(ipu, {SpanKind::WeightUpdate, -1}, reduced);
            ends[ipu] = reduced + cyclesOf(ipu, SpanKind::WeightUpdate);
            if (ends[ipu] > ends[slowest])
                slowest = ipu;
        }
        for (std::size_t ipu = 0; ipu < m_run.stages; ++ipu)
            idle(ipu, ends[ipu], ends[slowest], IdleCause::Imbalance, slowest);
        return ends[slowest];
    }

    [[nodiscard]] Bytes weightsOf(std::size_t stage) const {
        Bytes total;
        for (std::size_t layer = firstLayer(stage); layer < firstLayer(stage + 1); ++layer)
            total += m_layers[layer].weights;
        return total;
    }

    void recordMemory(std::size_t ipu) {
        IpuMemorySummary memory;
        memory.ipu = IpuId(ipu);
        memory.limit = tilesPerIpu * memoryPerTile;
        memory.byCategory.assign(memoryCategoryCount, Bytes());
        m_ranges.clear();
        m_livenessSteps.clear();
        m_address = Bytes();
        const std::int64_t lastStep = countSteps(ipu) - 1;
        addAlwaysLive(ipu, lastStep);
        addActivations(ipu);
        fillLiveness(ipu, memory);
        addTiles(ipu, memory);
        m_sink.livenessSteps(m_livenessSteps);
        m_sink.liveRanges(m_ranges);
        m_summary.memory.push_back(memory);
    }

    static constexpr std::array<SpanKind, 4> programOrder{SpanKind::Backward, SpanKind::Forward,
                                                          SpanKind::Recompute, SpanKind::WeightUpdate};

    [[nodiscard]] std::int64_t countSteps(std::size_t ipu) const {
        std::size_t steps = 0;
        for (const SpanKind kind : programOrder)
            steps += operationsOf(ipu, kind).size();
        return static_cast<std::int64_t>(steps);
    }

    void addRange(std::size_t ipu, std::string name, MemoryCategory category, Bytes bytes, std::int64_t first,
                  std::int64_t last, const LayerShape* layer) {
        LiveRangeRecord range;
        range.ipu = IpuId(ipu);
        range.name = std::move(name);
        range.category = category;
        range.alwaysLive = isAlwaysLive(category);
        range.bytes = bytes;
        range.address = m_address;
        range.firstStep = first;
        range.lastStep = last;
        range.stage = StageId(ipu);
        if (layer != nullptr) {
            range.layer = layer->name;
            range.shape = layer->shape;
        }
        if (range.alwaysLive)
            m_address += bytes;
        m_ranges.push_back(std::move(range));
    }

    void addAlwaysLive(std::size_t ipu, std::int64_t lastStep) {
        const auto mebibytes = [](double value) {
            return Bytes(static_cast<std::int64_t>(value * 1024 * 1024));
        };
        using enum MemoryCategory;
        addRange(ipu, "vertex code", VertexCode, mebibytes(22), 0, lastStep, nullptr);
        addRange(ipu, "vertex state", VertexState, mebibytes(17), 0, lastStep, nullptr);
        addRange(ipu, "exchange code", ExchangeCode, mebibytes(31), 0, lastStep, nullptr);
        addRange(ipu, "control code", ControlCode, mebibytes(6), 0, lastStep, nullptr);
        for (std::size_t layer = firstLayer(ipu); layer < firstLayer(ipu + 1); ++layer) {
            const LayerShape& shape = m_layers[layer];
            if (shape.weights.value() == 0)
                continue;
            addRange(ipu, shape.name + "/kernel", Weights, shape.weights, 0, lastStep, &shape);
            addRange(ipu, shape.name + "/momentum", OptimizerState, shape.weights, 0, lastStep, &shape);
            addRange(ipu, shape.name + "/gradient sum", Accumulators, shape.weights, 0, lastStep, &shape);
        }
        addRange(ipu, "host buffers", HostIo, mebibytes(4.6), 0, lastStep, nullptr);
        addRange(ipu, "stash of the stage's input", Stash,
                 Bytes(static_cast<std::int64_t>(2 * (m_run.stages - 1 - ipu)) * 2'300'000), 0, lastStep,
                 nullptr);
    }

    /// The recomputed activations of a micro-batch live from the recompute at the end of one slot to the
    /// backward at the beginning of the next.
    void addActivations(std::size_t ipu) {
        std::int64_t step = 0;
        const double temporaryScale = m_run.overLimit && ipu == 0 ? 6.0 : 2.2;
        for (const SpanKind kind : programOrder) {
            const std::vector<StageOperation>& operations = operationsOf(ipu, kind);
            const std::int64_t end = step + static_cast<std::int64_t>(operations.size()) - 1;
            for (const StageOperation& operation : operations) {
                const LayerShape& layer = m_layers[operation.layer];
                if (kind == SpanKind::Backward) {
                    addRange(ipu, layer.name + "/out", MemoryCategory::Activations, layer.activation, 0, step,
                             &layer);
                    addRange(ipu, layer.name + " ∂W partials", MemoryCategory::Temporary,
                             Bytes(static_cast<std::int64_t>(layer.activation.value() * temporaryScale)),
                             step, std::min(step + 1, end), &layer);
                } else if (kind == SpanKind::Recompute) {
                    addRange(ipu, layer.name + "/out", MemoryCategory::Activations, layer.activation, step,
                             end, &layer);
                } else if (kind == SpanKind::Forward) {
                    addRange(ipu, layer.name + "/out", MemoryCategory::Activations, layer.activation, step,
                             std::min(step + 1, end), &layer);
                } else {
                    addRange(ipu, layer.name + " update", MemoryCategory::Temporary, layer.weights, step,
                             step, &layer);
                }
                ++step;
            }
        }
    }

    void fillLiveness(std::size_t ipu, IpuMemorySummary& memory) {
        std::vector<Bytes> live(static_cast<std::size_t>(countSteps(ipu)));
        for (const LiveRangeRecord& range : m_ranges) {
            if (range.alwaysLive) {
                memory.alwaysLive += range.bytes;
                memory.byCategory[static_cast<std::size_t>(range.category)] += range.bytes;
                continue;
            }
            for (std::int64_t step = range.firstStep; step <= range.lastStep; ++step)
                live[static_cast<std::size_t>(step)] += range.bytes;
        }
        const auto peakStep =
            static_cast<std::int64_t>(std::max_element(live.begin(), live.end()) - live.begin());
        memory.notAlwaysLivePeak = live[static_cast<std::size_t>(peakStep)];
        memory.peak = memory.alwaysLive + memory.notAlwaysLivePeak;
        for (const LiveRangeRecord& range : m_ranges) {
            if (!range.alwaysLive && range.firstStep <= peakStep && peakStep <= range.lastStep)
                memory.byCategory[static_cast<std::size_t>(range.category)] += range.bytes;
        }
        std::int64_t step = 0;
        for (const SpanKind kind : programOrder) {
            for (const StageOperation& operation : operationsOf(ipu, kind)) {
                m_livenessSteps.push_back({IpuId(ipu), step, StageId(ipu), static_cast<ProgramPhase>(kind),
                                           operation.id, live[static_cast<std::size_t>(step)]});
                ++step;
            }
        }
    }

    void addTiles(std::size_t ipu, IpuMemorySummary& memory) {
        Noise noise(ipu + 11);
        TileMemoryRecord tiles;
        tiles.ipu = IpuId(ipu);
        tiles.bytes.assign(memoryCategoryCount, std::vector<std::int32_t>(tilesPerIpu));
        std::vector<std::int64_t> totals(tilesPerIpu);
        for (std::size_t category = 0; category < memoryCategoryCount; ++category) {
            const double mean = static_cast<double>(memory.byCategory[category].value()) / tilesPerIpu;
            for (std::size_t tile = 0; tile < tilesPerIpu; ++tile) {
                const bool isEdge = tile % 97 < 9 && category >= 9;
                const double factor = (isEdge ? 1.08 : 0.97) + 0.06 * noise.next();
                tiles.bytes[category][tile] = static_cast<std::int32_t>(mean * factor);
                totals[tile] += tiles.bytes[category][tile];
            }
        }
        const auto worst = std::max_element(totals.begin(), totals.end());
        memory.worstTile = worst - totals.begin();
        memory.worstTileBytes = Bytes(*worst);
        m_summary.fits = m_summary.fits && memory.worstTileBytes <= memoryPerTile;
        m_sink.tileMemory(tiles);
    }

    void recordTraining() {
        Noise noise(3);
        std::vector<ExecutionRecord> executions;
        std::vector<MetricRecord> metrics;
        MetricSeries loss{"loss", {}};
        MetricSeries accuracy{"accuracy", {}};
        MetricSeries validationLoss{"val_loss", {}};
        MetricSeries validationAccuracy{"val_accuracy", {}};
        const std::int64_t perEpoch = std::max<std::int64_t>(1, m_run.executions / m_run.epochs);
        Cycles time;
        for (std::int64_t e = 0; e < m_run.executions; ++e) {
            const std::int64_t epoch = std::min(e / perEpoch, m_run.epochs - 1);
            const Cycles wait(e % perEpoch == 0 ? m_step.value() / 2 : 20'000);
            const Cycles duration = m_step * m_run.updatesPerExecution + wait;
            executions.push_back({e, epoch, time, duration, wait, Cycles(), m_run.updatesPerExecution});
            time += duration;
            for (std::int64_t u = 0; u < m_run.updatesPerExecution; ++u) {
                const std::int64_t update = e * m_run.updatesPerExecution + u + 1;
                const double x = static_cast<double>(update) /
                                 static_cast<double>(m_run.executions * m_run.updatesPerExecution);
                loss.values.push_back(2.3 * std::exp(-4 * x) + 0.09 + 0.03 * noise.next());
                accuracy.values.push_back(0.98 - 0.88 * std::exp(-6 * x) - 0.01 * noise.next());
                metrics.push_back({"loss", update, epoch, loss.values.back()});
                metrics.push_back({"accuracy", update, epoch, accuracy.values.back()});
            }
            if (e % perEpoch == perEpoch - 1) {
                const std::int64_t update = (e + 1) * m_run.updatesPerExecution;
                validationLoss.values.push_back(loss.values.back() + 0.02);
                validationAccuracy.values.push_back(accuracy.values.back() - 0.01);
                metrics.push_back({"val_loss", update, epoch, validationLoss.values.back()});
                metrics.push_back({"val_accuracy", update, epoch, validationAccuracy.values.back()});
            }
        }
        m_sink.executions(executions);
        recordCallbacks();
        m_sink.metrics(metrics);
        m_summary.metrics = {loss, accuracy, validationLoss, validationAccuracy};
        recordTrainingDetails(perEpoch * m_run.updatesPerExecution);
    }

    /// The calls of a batch callback for every step of an execution, on time.
    void recordCallbacks() {
        std::vector<CallbackRecord> calls;
        for (std::int64_t step = 0; step < m_run.updatesPerExecution; ++step) {
            const Cycles begin = m_step * step;
            const Cycles end = m_step * (step + 1);
            calls.push_back({"on_train_batch_begin", step, 0, begin, begin});
            calls.push_back({"on_train_batch_end", step, 0, end, end});
        }
        m_sink.callbacks(calls);
    }

    /// Bell-shaped histograms of two tensors, a confusion matrix of three classes, three samples with
    /// pictures.
    void recordTrainingDetails(std::int64_t updatesPerEpoch) {
        TrainingRecords records;
        for (std::int64_t epoch = 0; epoch < m_run.epochs; ++epoch) {
            const double share = 1.0 / static_cast<double>(epoch + 1);
            for (const TrainedTensorKind kind : {TrainedTensorKind::Weight, TrainedTensorKind::Gradient})
                for (const char* tensor : {"conv1/kernel", "fc1000/kernel"}) {
                    const double size = kind == TrainedTensorKind::Weight ? 2 - share : share;
                    TensorStatisticsRecord& record = records.tensors.emplace_back();
                    record = {tensor,      std::string(tensor, std::string_view(tensor).find('/')),
                              kind,        epoch * updatesPerEpoch,
                              epoch,       512,
                              0,           8 * size,
                              -size,       size,
                              0.01 * size, {}};
                    for (std::int64_t bin = 0; bin < 16; ++bin)
                        record.histogram.push_back(64 - (2 * bin - 15) * (2 * bin - 15) / 4);
                }
            for (std::int64_t truth = 0; truth < 3; ++truth)
                for (std::int64_t predicted = 0; predicted < 3; ++predicted)
                    records.confusion.push_back(
                        {"fc1000", epoch, truth, predicted, truth == predicted ? 20 + epoch : 5 - epoch % 5});
            for (std::int64_t sample = 0; sample < 3; ++sample)
                records.predictions.push_back({"fc1000", epoch, sample, static_cast<double>(sample),
                                               static_cast<double>((sample + (epoch == 0 ? 1 : 0)) % 3),
                                               1 - share / 2});
        }
        for (std::int64_t sample = 0; sample < 3; ++sample) {
            SampleImageRecord& image = records.images.emplace_back();
            image = {sample, 8, 6, 3, {}};
            for (int i = 0; i < 8 * 6 * 3; ++i)
                image.pixels.push_back(static_cast<std::uint8_t>((i * 5 + sample * 40) % 256));
        }
        m_sink.trainingRecords(records);
        m_sink.modelOutputs(m_run.predictions);
    }

    void fillSummary() {
        m_summary.provenance = provenance();
        m_summary.effectiveBatch = 16 * m_run.microBatches * m_run.replicas;
        m_summary.executions = m_run.executions;
        m_summary.step = m_step;
        const double seconds = static_cast<double>(m_step.value()) / 1.33e9;
        m_summary.samplesPerSecond = static_cast<double>(m_summary.effectiveBatch) / seconds;
        m_summary.idleByCause.assign(m_idle.begin(), m_idle.end());
        Cycles idleCycles;
        for (const Cycles cycles : m_idle)
            idleCycles += cycles;
        m_summary.idleFraction = ratio(idleCycles, m_step * static_cast<std::int64_t>(m_run.stages));
        m_summary.hostStallFraction = 0.011;
        for (std::size_t stage = 0; stage < m_run.stages; ++stage) {
            StageSummary s;
            s.stage = StageId(stage);
            s.ipu = IpuId(stage);
            s.forward = Cycles(cyclesOf(stage, SpanKind::Forward));
            s.backward = Cycles(cyclesOf(stage, SpanKind::Backward));
            s.recompute = Cycles(cyclesOf(stage, SpanKind::Recompute));
            s.update = Cycles(cyclesOf(stage, SpanKind::WeightUpdate));
            s.transfer = cutBytes(stage);
            s.fifoDepth = static_cast<std::int64_t>(2 * (m_run.stages - 1 - stage));
            s.stash = Bytes(s.fifoDepth * 2'300'000);
            m_summary.stages.push_back(s);
        }
        m_summary.diagnostics.push_back({Severity::Warning,
                                         Trouble::Input,
                                         "batch-norm-momentum",
                                         {"resnet50.ipuproj", "conv1_bn"},
                                         "moving statistics are not updated properly in a pipeline",
                                         {"set momentum to 1", "or freeze the layer"}});
    }

    SyntheticRun m_run;
    ProfileSink& m_sink;
    std::vector<LayerShape> m_layers;
    std::vector<std::array<std::vector<StageOperation>, synthesizedPhases>> m_operations;
    std::vector<ProgramStepRecord> m_steps;
    std::vector<SpanRecord> m_spans;
    std::vector<LiveRangeRecord> m_ranges;
    std::vector<LivenessStepRecord> m_livenessSteps;
    std::array<Cycles, idleCauseCount> m_idle{};
    std::int64_t m_slot = -1;
    Bytes m_address;
    Cycles m_step;
    RunSummary m_summary;
};

} // namespace

RunSummary record(const SyntheticRun& run, ProfileSink& sink) {
    return Recorder(run, sink).record();
}

RunSummary recordDenseRun(std::size_t lanes, std::size_t spansPerLane, ProfileSink& sink) {
    RunSummary summary;
    summary.provenance.projectName = "dense";
    summary.provenance.clockHz = 1e9;
    summary.provenance.targetName = "ipu2";
    summary.provenance.ipus = static_cast<std::int64_t>(lanes);
    summary.step = Cycles(static_cast<std::int64_t>(spansPerLane) * 1000);
    sink.begin(summary.provenance);
    std::vector<LaneRecord> laneRecords;
    std::vector<SpanRecord> spans;
    spans.reserve(lanes * spansPerLane);
    Noise noise(1);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        laneRecords.push_back({LaneId(lane), LaneKind::Compute, IpuId(lane)});
        for (std::size_t i = 0; i < spansPerLane; ++i) {
            const std::int64_t start = static_cast<std::int64_t>(i) * 1000;
            const auto kind = static_cast<SpanKind>(static_cast<int>(noise.next() * 4));
            spans.push_back(makeSpan(lane, i % 5 == 4 ? SpanKind::Idle : kind, start, start + 1000, lane));
        }
    }
    sink.lanes(laneRecords);
    sink.spans(spans);
    sink.finish(summary);
    return summary;
}

} // namespace tests
