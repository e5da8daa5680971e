#include "simulator/compiler/passes/product_text.h"

#include "core/plan/schedule/schedule_table.h"
#include "simulator/compiler/memory/memory_findings.h"
#include "simulator/compiler/planning/step_names.h"

#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace simulator {

namespace {

std::string phaseName(Phase phase) {
    return std::string(core::toString(phase));
}

/// "1 tile", "2 tiles".
std::string countText(std::int64_t count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

/// "float32[16, 64]".
std::string typeText(const Tensor& tensor) {
    return fmt::format("{}[{}]", core::toString(tensor.type), fmt::join(tensor.extents, ", "));
}

std::string namesText(const TrainingGraph& graph, const std::vector<core::TensorId>& tensors) {
    std::vector<std::string> names;
    for (const core::TensorId tensor : tensors)
        names.push_back(graph.tensor(tensor).name);
    return fmt::format("{}", fmt::join(names, ", "));
}

std::string operationText(const TrainingGraph& graph, const Operation& operation) {
    std::vector<std::string> made;
    for (const core::TensorId output : operation.outputs)
        made.push_back(fmt::format("{} {}", graph.tensor(output).name, typeText(graph.tensor(output))));
    return fmt::format("{}: {}({}) -> {}\n", operation.name, kindName(operation.attributes),
                       namesText(graph, operation.inputs), fmt::join(made, ", "));
}

/// "live 3..7" or, around the end of a slot, "live 7..slot end and 0..3".
std::string intervalText(const LiveInterval& interval) {
    if (interval.wraps())
        return fmt::format("live {}..slot end and 0..{}", interval.first, interval.last);
    return fmt::format("live {}..{}", interval.first, interval.last);
}

std::string stageHead(const StagedGraph& staged, std::size_t stage) {
    return fmt::format("stage {} on IPU {}\n", stage, staged.ipus[stage].index());
}

std::string programText(const StageProgram& program, const TrainingGraph& graph) {
    if (program.steps.empty())
        return {};
    std::string text = fmt::format("  {}: {} cycles (compute {}, exchange {}, sync {})\n",
                                   phaseName(program.phase), program.total().value(), program.compute.value(),
                                   program.exchange.value(), program.sync.value());
    if (program.iterations > 1)
        text += fmt::format("    steps {}..{} run {} times\n", program.loopBegin, program.loopEnd - 1,
                            program.iterations);
    for (const Step& step : program.steps)
        text += fmt::format("    {} {}: {} cycles, {} bytes\n", core::toString(step.kind),
                            stepName(step, graph), step.duration.value(), step.bytes.value());
    return text;
}

} // namespace

std::string stagesText(const StagedGraph& staged) {
    std::string text;
    for (std::size_t stage = 0; stage < staged.stageCount; ++stage) {
        text += stageHead(staged, stage);
        for (const Phase phase : {Phase::Forward, Phase::Backward, Phase::WeightUpdate}) {
            std::string operations;
            for (const Operation& operation : staged.graph.operations)
                if (operation.phase == phase && staged.stageOf(operation.id).index() == stage)
                    operations += "    " + operationText(staged.graph, operation);
            if (!operations.empty())
                text += fmt::format("  {}\n{}", phaseName(phase), operations);
        }
    }
    return text + fmt::format("outfeeds: {}\n", namesText(staged.graph, staged.outfeeds));
}

std::string scheduleText(const ScheduledGraph& scheduled) {
    const PipelineSchedule& schedule = scheduled.schedule;
    std::string text =
        fmt::format("recomputation mode: {}\nFIFO depths by stage: {}\n",
                    core::toString(scheduled.recomputationMode), fmt::join(schedule.fifoDepths, ", "));
    if (schedule.weightUpdateAfterSlot)
        text += fmt::format("weight update after slot {}\n", *schedule.weightUpdateAfterSlot);
    return text + toText(schedule);
}

std::string transfersText(const RoutedGraph& routed) {
    static constexpr std::array<std::string_view, 4> paths{"inter-IPU copy", "copy on the IPU", "local FIFO",
                                                           "read in place"};
    std::string text;
    for (const StageTransfer& transfer : routed.transfers) {
        text +=
            fmt::format("{} {}: stage {} -> {}, {} bytes, {}", phaseName(transfer.phase),
                        routed.graph.tensor(transfer.tensor).name, transfer.from.index(), transfer.to.index(),
                        transfer.bytes, paths[static_cast<std::size_t>(transfer.path)]);
        if (transfer.fifoDepth > 0)
            text += fmt::format(" of {} micro-batches", transfer.fifoDepth);
        text += transfer.passThrough ? ", passed through\n" : "\n";
    }
    return text.empty() ? "no transfers\n" : text;
}

std::string activationsText(const KeptGraph& kept) {
    static constexpr std::array<std::string_view, 4> places{
        "on chip", "in streaming memory", "in streaming memory, a slice per replica", "on the host"};
    std::string text;
    for (std::size_t stage = 0; stage < kept.stageCount; ++stage) {
        text += stageHead(kept, stage);
        for (const Stash& stash : kept.stashes)
            if (stash.stage.index() == stage)
                text += fmt::format("  keep {}: {} bytes, {}{}\n", kept.graph.tensor(stash.tensor).name,
                                    stash.bytesPerEntry,
                                    stash.depth == 0 ? std::string("alive until it is read")
                                                     : fmt::format("FIFO of {}", stash.depth),
                                    stash.offloaded ? " in streaming memory" : "");
        for (const Stash& stash : kept.gradientStashes)
            if (stash.stage.index() == stage)
                text += fmt::format("  keep {} for the weight gradients: {} bytes, {}{}\n",
                                    kept.graph.tensor(stash.tensor).name, stash.bytesPerEntry,
                                    stash.depth == 0 ? std::string("alive until it is read")
                                                     : fmt::format("FIFO of {}", stash.depth),
                                    stash.offloaded ? " in streaming memory" : "");
        for (const core::OperationId id : kept.recomputed[stage])
            text += fmt::format("  recompute {}{}\n", kept.graph.operation(id).name,
                                kept.recomputeInsideBackward ? " inside the backward program" : "");
    }
    for (const Tensor& tensor : kept.graph.tensors)
        if (const Placement placement = kept.placements[tensor.id.index()]; placement != Placement::OnChip)
            text += fmt::format("{}: {} bytes {}\n", tensor.name, tensor.bytes(),
                                places[static_cast<std::size_t>(placement)]);
    return text;
}

std::string plansText(const PlannedGraph& planned) {
    std::string text;
    for (const Operation& operation : planned.graph.operations) {
        const OperationPlan& plan = planned.plans[operation.id.index()];
        const core::Bytes code = plan.vertexCodePerTile + plan.exchangeCodePerTile + plan.controlCodePerTile;
        text +=
            fmt::format("{}: {}, compute {}, exchange {}, sync {} cycles, {}, {} temporary and {} code bytes "
                        "per tile",
                        operation.name, countText(plan.tilesUsed, "tile"), plan.compute.value(),
                        plan.exchange.value(), plan.sync.value(), countText(plan.supersteps, "superstep"),
                        plan.temporaryPerTile.value(), code.value());
        for (const auto& [dimension, parts] : plan.split)
            if (parts > 1)
                text += fmt::format(", {} {}", dimension, parts);
        text += '\n';
    }
    return text;
}

std::string ordersText(const OrderedGraph& ordered) {
    std::string text;
    for (std::size_t stage = 0; stage < ordered.stageCount; ++stage) {
        text += stageHead(ordered, stage);
        const StageOrders& orders = ordered.orders[stage];
        const std::array<std::pair<Phase, const std::vector<core::OperationId>*>, 5> programs{
            {{Phase::Forward, &orders.forward},
             {Phase::Recompute, &orders.recompute},
             {Phase::Backward, &orders.backward},
             {Phase::WeightGradient, &orders.weightGradient},
             {Phase::WeightUpdate, &orders.weightUpdate}}};
        for (const auto& [phase, order] : programs) {
            if (order->empty())
                continue;
            text += fmt::format("  {}\n", phaseName(phase));
            for (const core::OperationId id : *order)
                text += fmt::format("    {}\n", ordered.graph.operation(id).name);
        }
    }
    return text;
}

std::string programsText(const LoweredPipeline& lowered) {
    std::string text;
    for (std::size_t stage = 0; stage < lowered.stages.size(); ++stage) {
        text += stageHead(lowered, stage);
        const StagePrograms& programs = lowered.stages[stage];
        for (const StageProgram* program : {&programs.forward, &programs.recompute, &programs.backward,
                                            &programs.weightGradient, &programs.weightUpdate})
            text += programText(*program, lowered.graph);
    }
    for (const UpdateCollective& collective : lowered.collectives)
        text += fmt::format("all-reduce on IPU {}: {}, {} bytes, {} cycles\n", collective.ipu.index(),
                            countText(static_cast<std::int64_t>(collective.gradients.size()), "gradient"),
                            collective.bytes.value(), collective.total().value());
    text += fmt::format("host: {} bytes come for each micro-batch in {}, {} bytes go",
                        lowered.infeedBytes.value(), countText(lowered.infeedCopies, "transfer"),
                        lowered.outfeedBytes.value());
    if (lowered.execution.accumulateOutfeed)
        text += fmt::format(", {} bytes once per update", lowered.updateOutfeedBytes.value());
    return text + '\n';
}

std::string memoryText(const CompiledPipeline& pipeline) {
    std::string text;
    for (const IpuMemoryPlan& plan : pipeline.memory.ipus) {
        const core::IpuMemorySummary& summary = plan.summary;
        text += fmt::format("IPU {}: {} bytes always live, {} more at the peak (step {} of {}); fullest tile "
                            "{} with {} of {} bytes\n",
                            plan.ipu.index(), summary.alwaysLive.value(), summary.notAlwaysLivePeak.value(),
                            plan.peakStep, plan.steps.size(), plan.worst.tile, plan.worst.bytes,
                            pipeline.system.target.memoryPerTileBytes);
        for (std::size_t category = 0; category < summary.byCategory.size(); ++category)
            if (summary.byCategory[category].value() > 0)
                text += fmt::format("  {}: {} bytes\n",
                                    core::toString(static_cast<core::MemoryCategory>(category)),
                                    summary.byCategory[category].value());
        for (const MemoryBlock& block : plan.blocks)
            if (block.kind != BlockKind::Code)
                text += fmt::format("  {}: {} bytes on {}, {}\n", nameOf(block, pipeline.graph),
                                    block.bytes(), countText(block.mapping.tileCount, "tile"),
                                    block.alwaysLive() ? "always live" : intervalText(block.interval));
    }
    for (const core::Diagnostic& finding : pipeline.memory.findings)
        text += finding.message + '\n';
    return text;
}

} // namespace simulator
