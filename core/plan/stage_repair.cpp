#include "core/plan/stage_repair.h"

#include "core/model/graph/flattened_model.h"

#include <algorithm>
#include <limits>
#include <map>

namespace core {

namespace {

constexpr std::size_t anyStage = std::numeric_limits<std::size_t>::max();

/// Entries that every entry takes tensors of; all come before it.
std::vector<std::vector<std::size_t>> sourcesOf(const FlattenedModel& model, bool isSequential) {
    const std::vector<InvocationId> assignable = model.assignable();
    std::vector<std::size_t> entryOf(model.invocations.size(), anyStage);
    for (std::size_t entry = 0; entry < assignable.size(); ++entry)
        entryOf[assignable[entry].index()] = entry;
    std::vector<std::vector<std::size_t>> sources(assignable.size());
    for (std::size_t entry = 0; entry < assignable.size(); ++entry) {
        for (const TensorRef& input : model.invocations[assignable[entry].index()].inputs)
            if (const std::size_t source = entryOf[input.invocation.index()]; source < entry)
                sources[entry].push_back(source);
        // The stages of a Sequential model follow its layers.
        if (isSequential && entry > 0 && sources[entry].empty())
            sources[entry].push_back(entry - 1);
    }
    return sources;
}

/// The calls that read too early go on to the stage of what they read.
void moveOn(const std::vector<std::vector<std::size_t>>& sources, std::vector<std::size_t>& stages) {
    for (std::size_t entry = 0; entry < stages.size(); ++entry)
        for (const std::size_t source : sources[entry])
            stages[entry] = std::max(stages[entry], stages[source]);
}

/// The calls that make too late go back to the stage of what reads them.
void moveBack(const std::vector<std::vector<std::size_t>>& sources, std::vector<std::size_t>& stages) {
    for (std::size_t entry = stages.size(); entry-- > 0;)
        for (const std::size_t source : sources[entry])
            stages[source] = std::min(stages[source], stages[entry]);
}

/// What the kept entries leave to all others: no earlier than those they come after, no later than those
/// before which they come. False where that is impossible.
bool moveAround(const std::vector<std::vector<std::size_t>>& sources, std::span<const std::size_t> kept,
                std::vector<std::size_t>& stages) {
    std::vector<std::size_t> earliest(stages.size(), 0);
    std::vector<std::size_t> latest(stages.size(), anyStage);
    for (const std::size_t entry : kept)
        if (entry < stages.size())
            earliest[entry] = latest[entry] = stages[entry];
    moveOn(sources, earliest);
    moveBack(sources, latest);
    for (std::size_t entry = 0; entry < stages.size(); ++entry) {
        if (earliest[entry] > latest[entry])
            return false;
        stages[entry] = std::clamp(stages[entry], earliest[entry], latest[entry]);
    }
    return true;
}

std::vector<std::size_t> differences(const std::vector<std::size_t>& before,
                                     const std::vector<std::size_t>& after) {
    std::vector<std::size_t> entries;
    for (std::size_t entry = 0; entry < before.size(); ++entry)
        if (before[entry] != after[entry])
            entries.push_back(entry);
    return entries;
}

/// Stages numbered from 0 without a gap.
std::vector<StageId> withoutGaps(const std::vector<std::size_t>& stages) {
    std::map<std::size_t, std::size_t> number;
    for (const std::size_t stage : stages)
        number.emplace(stage, 0);
    std::size_t next = 0;
    for (auto& [stage, as] : number)
        as = next++;
    std::vector<StageId> numbered;
    for (const std::size_t stage : stages)
        numbered.emplace_back(number[stage]);
    return numbered;
}

} // namespace

std::optional<StageRepair> repairStages(const ModelGraph& model, const StageAssignment& assignment,
                                        std::span<const std::size_t> kept) {
    const auto flattened = flattenModel(model);
    if (!flattened || !assignment.isPipelined() ||
        flattened->assignable().size() != assignment.stages.size() ||
        !std::ranges::all_of(assignment.stages, [](StageId stage) { return stage.isValid(); }))
        return std::nullopt;
    const auto sources = sourcesOf(*flattened, model.kind == ModelKind::Sequential);
    std::vector<std::size_t> before;
    for (const StageId stage : assignment.stages)
        before.push_back(stage.index());
    std::vector<std::size_t> after = before;
    if (!kept.empty()) {
        if (!moveAround(sources, kept, after))
            return std::nullopt;
        // What was wrong between others stays to be mended.
        moveOn(sources, after);
    } else {
        std::vector<std::size_t> back = before;
        moveOn(sources, after);
        moveBack(sources, back);
        if (differences(before, back).size() < differences(before, after).size())
            after = std::move(back);
    }
    StageRepair repair{{withoutGaps(after), false}, differences(before, after)};
    if (repair.assignment == assignment)
        return std::nullopt;
    return repair;
}

} // namespace core
