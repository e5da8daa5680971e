#include "simulator/compiler/memory/memory_findings.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace simulator {

namespace {

using core::MemoryCategory;

core::Diagnostic finding(std::string code, std::size_t ipu, std::string message,
                         std::vector<std::string> hints) {
    return core::makeError(core::Trouble::Negative, std::move(code), {"", fmt::format("IPU {}", ipu)},
                           std::move(message), std::move(hints));
}

constexpr const char* outOfMemoryCode = "memory/out-of-memory";

/// Without what holds the memory.
core::Diagnostic outOfMemory(const core::IpuMemorySummary& ipu, const IpuTarget& target) {
    return finding(outOfMemoryCode, ipu.ipu.index(),
                   fmt::format("IPU {}: tile {} needs {} bytes, {} bytes more than it has", ipu.ipu.index(),
                               ipu.worstTile, ipu.worstTileBytes.value(),
                               ipu.worstTileBytes.value() - target.memoryPerTileBytes),
                   {"move layers to another stage, recompute or offload activations, lower "
                    "availableMemoryProportion, or use a smaller batch"});
}

/// Bytes that a block puts on one tile.
std::int64_t bytesOn(const IpuMemoryPlan& plan, const MemoryBlock& block, std::int64_t tile) {
    const TileMapping& mapping = block.mapping;
    const std::int64_t offset = (tile - mapping.firstTile + plan.tiles) % plan.tiles;
    if (offset >= mapping.tileCount)
        return 0;
    return offset + 1 == mapping.tileCount ? mapping.lastTileBytes : mapping.bytesPerTile;
}

/// "stash 41 %, weights 22 %, …" of the worst tile.
std::string holdersText(const IpuMemoryPlan& plan) {
    std::vector<std::int64_t> held(core::memoryCategoryCount, 0);
    for (const MemoryBlock& block : plan.blocks)
        if (isLiveAt(plan, block, plan.worst.step))
            held[static_cast<std::size_t>(block.category)] += bytesOn(plan, block, plan.worst.tile);
    std::vector<std::size_t> order(held.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, std::greater<>{}, [&](std::size_t category) { return held[category]; });
    std::string text;
    for (std::size_t rank = 0; rank < 3 && held[order[rank]] > 0; ++rank)
        text += fmt::format("{}{} {} %", rank == 0 ? "" : ", ",
                            core::toString(static_cast<MemoryCategory>(order[rank])),
                            held[order[rank]] * 100 / plan.worst.bytes);
    return text;
}

std::string largestText(const IpuMemoryPlan& plan, const TrainingGraph& graph) {
    std::vector<const MemoryBlock*> live;
    for (const MemoryBlock& block : plan.blocks)
        if (isLiveAt(plan, block, plan.worst.step))
            live.push_back(&block);
    const auto shown = std::min<std::ptrdiff_t>(3, std::ssize(live));
    std::ranges::partial_sort(live, live.begin() + shown, std::greater<>{},
                              [](const MemoryBlock* block) { return block->bytes(); });
    std::string text = "largest:";
    for (std::ptrdiff_t rank = 0; rank < shown; ++rank)
        text += fmt::format("{} {} ({} bytes)", rank == 0 ? "" : ",",
                            nameOf(*live[static_cast<std::size_t>(rank)], graph),
                            live[static_cast<std::size_t>(rank)]->bytes());
    return text;
}

} // namespace

core::Diagnostics memoryFindings(std::span<const IpuMemoryPlan> ipus, const TrainingGraph& graph,
                                 const IpuTarget& target) {
    core::Diagnostics findings;
    for (const IpuMemoryPlan& plan : ipus) {
        if (plan.worst.bytes > target.memoryPerTileBytes) {
            core::Diagnostic found = outOfMemory(plan.summary, target);
            found.message += "; held by " + holdersText(plan);
            found.hints.insert(found.hints.begin(), largestText(plan, graph));
            findings.push_back(std::move(found));
        }
        if (plan.worstTileCode > target.executableBytesPerTile)
            findings.push_back(finding(
                "memory/code-does-not-fit", plan.ipu.index(),
                fmt::format("IPU {}: a tile holds {} bytes of code; only {} of its memory can hold code",
                            plan.ipu.index(), plan.worstTileCode, target.executableBytesPerTile),
                {"put fewer operations on this IPU"}));
    }
    return findings;
}

void findOutOfMemory(MemoryPlan& memory, const IpuTarget& target) {
    std::erase_if(memory.findings,
                  [](const core::Diagnostic& found) { return found.code == outOfMemoryCode; });
    for (const IpuMemoryPlan& plan : memory.ipus)
        if (plan.summary.worstTileBytes.value() > target.memoryPerTileBytes)
            memory.findings.push_back(outOfMemory(plan.summary, target));
}

core::SharedText nameOf(const MemoryBlock& block, const TrainingGraph& graph) {
    static const core::SharedText program("the program");
    const core::SharedText tensor =
        block.tensor.isValid() ? graph.tensor(block.tensor).name : core::SharedText();
    const core::SharedText& operation =
        block.operation.isValid() ? graph.operation(block.operation).name : program;
    switch (block.kind) {
    case BlockKind::Tensor:
        return tensor;
    case BlockKind::Arrival:
        return tensor + " (arrived)";
    case BlockKind::Fifo:
        return fmt::format("FIFO of {}", tensor);
    case BlockKind::Popped:
        return tensor + " (from its FIFO)";
    case BlockKind::Recomputed:
        return tensor + " (recomputed)";
    case BlockKind::Clone:
        return tensor + " (shared code's copy)";
    case BlockKind::Fetched:
        return tensor + " (from streaming memory)";
    case BlockKind::Temporary:
        return "temporaries of " + operation.str();
    case BlockKind::Code: {
        std::string category(core::toString(block.category));
        std::ranges::replace(category, '_', ' ');
        return fmt::format("{} of {}", category, operation);
    }
    }
    return tensor;
}

} // namespace simulator
