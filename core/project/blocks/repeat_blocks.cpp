#include "core/project/blocks/repeat_blocks.h"

#include "core/model/edit/graph_edit.h"
#include "core/model/edit/repeat_edit.h"
#include "core/plan/assignment_entries.h"
#include "core/project/project_edit.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <map>
#include <numeric>

namespace core {

namespace {

constexpr const char* repeatsKey = "repeats";

std::set<std::string> foldedIds(const Project& project) {
    std::set<std::string> ids;
    const auto stored = project.canvas.other.find(repeatsKey);
    if (stored == project.canvas.other.end() || !stored->is_array())
        return ids;
    for (const Json& id : *stored)
        if (id.is_string())
            ids.insert(id.get<std::string>());
    return ids;
}

RepeatBlock blockOf(const ModelGraph& graph, const RepeatedLayers& run) {
    RepeatBlock block;
    block.id = graph.layer(run.copies.front().front()).name;
    block.title = repeatTitle(graph, run);
    for (const std::vector<LayerId>& copy : run.copies) {
        std::vector<std::string>& names = block.copies.emplace_back();
        for (const LayerId id : copy)
            names.push_back(graph.layer(id).name);
    }
    return block;
}

tl::unexpected<Diagnostics> noBlock(const std::string& id) {
    return failure(makeError(Trouble::Input, "edit/block", {"", id},
                             fmt::format("\"{}\" begins no block that is repeated", id),
                             {"its copies have become different: expand it to see how"}));
}

/// Stage of the first call of each layer.
std::map<std::string, std::size_t> stagesByLayer(const Project& project) {
    std::map<std::string, std::size_t> stages;
    for (const AssignmentEntry& entry : flattened(assignmentEntries(project.model))) {
        if (entry.index < project.assignment.stages.size() &&
            project.assignment.stages[entry.index].isValid())
            stages.try_emplace(entry.path.substr(0, entry.path.find('/')),
                               project.assignment.stages[entry.index].index());
    }
    return stages;
}

} // namespace

std::vector<std::string> RepeatBlock::counterparts(const std::string& layer) const {
    for (const std::vector<std::string>& copy : copies) {
        const auto place = std::ranges::find(copy, layer) - copy.begin();
        if (std::size_t(place) == copy.size())
            continue;
        std::vector<std::string> same;
        for (const std::vector<std::string>& other : copies)
            same.push_back(other[std::size_t(place)]);
        return same;
    }
    return {layer};
}

std::vector<RepeatBlock> repeatBlocks(const Project& project) {
    const std::set<std::string> folded = foldedIds(project);
    std::vector<RepeatBlock> blocks;
    for (const RepeatedLayers& run : findRepeats(project.model)) {
        blocks.push_back(blockOf(project.model, run));
        blocks.back().isFolded = folded.contains(blocks.back().id);
    }
    return blocks;
}

bool hasFoldedBlocks(const Project& project) {
    return !foldedIds(project).empty();
}

std::vector<RepeatBlock> foldedBlocks(const Project& project) {
    if (!hasFoldedBlocks(project))
        return {};
    std::vector<RepeatBlock> blocks = repeatBlocks(project);
    std::erase_if(blocks, [](const RepeatBlock& block) { return !block.isFolded; });
    return blocks;
}

Project withFolded(const Project& project, std::span<const std::string> ids, bool isFolded) {
    std::set<std::string> folded = foldedIds(project);
    for (const std::string& id : ids) {
        if (isFolded)
            folded.insert(id);
        else
            folded.erase(id);
    }
    Project next = project;
    next.canvas.other.erase(repeatsKey);
    if (!folded.empty())
        next.canvas.other[repeatsKey] = std::vector<std::string>(folded.begin(), folded.end());
    return next;
}

Result<Project> withRepeatCount(const Project& project, const std::string& id, std::size_t times) {
    for (const RepeatedLayers& run : findRepeats(project.model)) {
        if (project.model.layer(run.copies.front().front()).name != id)
            continue;
        auto model = withRepeatCount(project.model, run, times);
        if (!model)
            return failure(std::move(model.error()));
        return withModel(project, std::move(*model));
    }
    return noBlock(id);
}

Result<Project> withLayersRepeated(const Project& project, std::span<const std::string> layers,
                                   std::size_t times) {
    std::vector<LayerId> chosen;
    for (const std::string& name : layers) {
        if (const auto id = project.model.findLayer(name))
            chosen.push_back(*id);
    }
    auto model = repeatLayers(project.model, chosen, times);
    if (!model)
        return failure(std::move(model.error()));
    Project next = withModel(project, std::move(*model));
    // Whatever run of equal pieces holds the chosen layers now.
    for (const RepeatBlock& block : repeatBlocks(next)) {
        const bool holdsThem = std::ranges::any_of(
            layers, [&](const std::string& layer) { return block.counterparts(layer).size() > 1; });
        if (holdsThem)
            return withFolded(next, std::vector{block.id}, true);
    }
    return next;
}

std::vector<std::size_t> copiesByStage(const Project& project, const RepeatBlock& block) {
    const std::map<std::string, std::size_t> stages = stagesByLayer(project);
    std::vector<std::size_t> copies;
    std::optional<std::size_t> first;
    for (const std::vector<std::string>& copy : block.copies) {
        const auto stage = stages.find(copy.front());
        if (stage == stages.end())
            return {};
        first = std::min(first.value_or(stage->second), stage->second);
        copies.resize(std::max(copies.size(), stage->second - *first + 1), 0);
        ++copies[stage->second - *first];
    }
    return copies;
}

Result<Project> withCopiesByStage(const Project& project, const std::string& id,
                                  std::span<const std::size_t> copies) {
    const std::vector<RepeatBlock> blocks = repeatBlocks(project);
    const auto block = std::ranges::find(blocks, id, &RepeatBlock::id);
    if (block == blocks.end())
        return noBlock(id);
    const std::size_t sum = std::accumulate(copies.begin(), copies.end(), std::size_t{0});
    if (sum != block->times() || std::ranges::find(copies, std::size_t{0}) != copies.end())
        return failure(
            makeError(Trouble::Input, "edit/copies", {"", id},
                      fmt::format("{} copies are placed, and the block has {}", sum, block->times()),
                      {fmt::format("give a number for each stage that add up to {}, as in \"{}, {}\"",
                                   block->times(), (block->times() + 1) / 2, block->times() / 2)}));
    std::map<std::string, std::size_t> copyOf;
    for (std::size_t copy = 0; copy < block->times(); ++copy) {
        for (const std::string& layer : block->copies[copy])
            copyOf[layer] = copy;
    }
    const std::vector<AssignmentEntry> entries = flattened(assignmentEntries(project.model));
    StageAssignment assignment = project.assignment;
    if (assignment.stages.size() != entries.size())
        assignment.stages.assign(entries.size(), StageId(0));
    std::vector<std::size_t> stageOfCopy;
    for (std::size_t step = 0; step < copies.size(); ++step)
        stageOfCopy.insert(stageOfCopy.end(), copies[step], step);
    const auto copyAt = [&](const AssignmentEntry& entry) {
        const auto copy = copyOf.find(entry.path.substr(0, entry.path.find('/')));
        return copy == copyOf.end() ? std::optional<std::size_t>() : copy->second;
    };
    std::optional<std::size_t> first;
    std::size_t lastBefore = 0;
    std::size_t lastEntry = 0;
    for (const AssignmentEntry& entry : entries) {
        if (!copyAt(entry))
            continue;
        const std::size_t stage = assignment.stages[entry.index].index();
        first = std::min(first.value_or(stage), stage);
        lastBefore = std::max(lastBefore, stage);
        lastEntry = std::max(lastEntry, entry.index);
    }
    const std::size_t lastNow = first.value_or(0) + copies.size() - 1;
    for (const AssignmentEntry& entry : entries) {
        StageId& stage = assignment.stages[entry.index];
        if (const auto copy = copyAt(entry))
            stage = StageId(first.value_or(0) + stageOfCopy[*copy]);
        else if (entry.index > lastEntry)
            stage = StageId(lastNow + std::max(lastBefore, stage.index()) - lastBefore);
    }
    auto next = withStages(project, std::move(assignment));
    if (!next)
        return next;
    const std::size_t stages = next->assignment.stageCount();
    if (next->deviceMapping.ipus.size() != stages)
        next->deviceMapping.ipus.clear();
    if (next->deviceMapping.ipus.empty())
        next->system.ipus =
            std::max(next->system.ipus, static_cast<std::int64_t>(std::bit_ceil(stages)) *
                                            std::max<std::int64_t>(1, next->replicas.value_or(1)));
    return next;
}

} // namespace core
