#include "core/project/project_edit.h"

#include "core/config/ipu_config/ipu_config_json.h"
#include "core/config/ipu_config/ipu_config_values.h"
#include "core/config/ipu_config/poplar_option_table.h"
#include "core/plan/assignment_entries.h"
#include "core/plan/schedule/schedule_catalogue.h"
#include "core/plan/schedule/schedule_cells.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <set>

namespace core {

namespace {

constexpr std::int64_t largestCount = 2147483647;

tl::unexpected<Diagnostics> refuse(std::string code, std::string place, std::string message,
                                   std::string hint) {
    return failure(makeError(Trouble::Input, "edit/" + std::move(code), {"", std::move(place)},
                             std::move(message), {std::move(hint)}));
}

std::size_t entryCount(const Project& project) {
    return countOf(assignmentEntries(project.model));
}

/// The stages to change: those there are, or stage 0 throughout where the model had none.
std::vector<StageId> stagesOrZero(const Project& project, std::size_t entries) {
    return project.assignment.stages.size() == entries ? project.assignment.stages
                                                       : std::vector<StageId>(entries, StageId(0));
}

bool isInside(const std::string& path, const std::string& layer) {
    return path == layer || (path.starts_with(layer) && path[layer.size()] == '/');
}

/// In order, each once.
std::vector<std::string> sortedPaths(std::vector<std::string> layers) {
    std::ranges::sort(layers);
    const auto repeats = std::ranges::unique(layers);
    layers.erase(repeats.begin(), repeats.end());
    return layers;
}

} // namespace

Result<Project> assignToStage(const Project& project, std::span<const std::size_t> entries, StageId stage) {
    const std::size_t count = entryCount(project);
    if (!stage.isValid() || stage.index() >= static_cast<std::size_t>(largestSystem))
        return refuse("stage", "", "there is no such stage", "number the stages from 0");
    Project next = project;
    next.assignment.stages = stagesOrZero(project, count);
    for (const std::size_t entry : entries) {
        if (entry >= count)
            return refuse("entry", "", fmt::format("the model has no layer call {}", entry),
                          fmt::format("name a call from 0 to {}", count - 1));
        next.assignment.stages[entry] = stage;
    }
    return withoutLostStages(std::move(next));
}

Result<Project> assignLayersToStage(const Project& project, std::span<const std::string> layers,
                                    StageId stage) {
    std::vector<std::size_t> entries;
    const auto all = flattened(assignmentEntries(project.model));
    for (const std::string& layer : layers) {
        const std::size_t before = entries.size();
        for (const AssignmentEntry& entry : all) {
            if (isInside(entry.path, layer))
                entries.push_back(entry.index);
        }
        if (entries.size() == before)
            return refuse("layer", layer, fmt::format("no layer called {} takes a stage", layer),
                          "name a layer of the model that is no input");
    }
    return assignToStage(project, entries, stage);
}

Result<Project> moveCut(const Project& project, std::size_t cut, std::size_t entry) {
    const std::vector<StageId>& stages = project.assignment.stages;
    const StageId left(cut);
    const StageId right(cut + 1);
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < stages.size(); ++i) {
        if (stages[i] == left || stages[i] == right)
            members.push_back(i);
    }
    const bool hasBoth =
        std::ranges::find(stages, left) != stages.end() && std::ranges::find(stages, right) != stages.end();
    if (!hasBoth)
        return refuse("cut", "/pipeline/stages",
                      fmt::format("the stages {} and {} have no boundary to move", cut, cut + 1),
                      "assign layers to both stages first");
    if (entry <= members.front() || entry > members.back())
        return refuse("empty-stage", "/pipeline/stages",
                      fmt::format("the boundary would leave stage {} without a layer",
                                  entry <= members.front() ? cut : cut + 1),
                      "leave at least one layer on each side");
    Project next = project;
    for (const std::size_t member : members)
        next.assignment.stages[member] = member < entry ? left : right;
    return next;
}

Result<Project> withStages(const Project& project, StageAssignment assignment) {
    const std::size_t count = entryCount(project);
    if (!assignment.stages.empty() && assignment.stages.size() != count)
        return refuse("stage-count", "/pipeline/stages",
                      fmt::format("{} stages are given for {} layer calls", assignment.stages.size(), count),
                      "give one stage per layer call in post-order");
    Project next = project;
    next.assignment = std::move(assignment);
    return withoutLostStages(std::move(next));
}

Result<Project> splitEvenly(const Project& project, std::size_t stages) {
    const std::size_t count = entryCount(project);
    if (stages < 1 || stages > count)
        return refuse("stage-count", "/pipeline/stages",
                      fmt::format("{} layer calls cannot make {} stages", count, stages),
                      fmt::format("choose from 1 to {} stages", count));
    Project next = project;
    next.assignment = {};
    for (std::size_t entry = 0; stages > 1 && entry < count; ++entry)
        next.assignment.stages.emplace_back(entry * stages / count);
    if (next.deviceMapping.ipus.size() != stages)
        next.deviceMapping.ipus.clear();
    if (next.deviceMapping.ipus.empty())
        next.system.ipus =
            std::max(next.system.ipus, static_cast<std::int64_t>(std::bit_ceil(stages)) *
                                           std::max<std::int64_t>(1, next.replicas.value_or(1)));
    return withoutLostStages(std::move(next));
}

Result<Project> withDeviceMapping(const Project& project, DeviceMapping mapping) {
    for (const IpuId ipu : mapping.ipus) {
        if (!ipu.isValid() || ipu.index() >= static_cast<std::size_t>(largestSystem))
            return refuse("device-mapping", "/pipeline/device_mapping", "there is no such IPU",
                          "number the IPUs of a replica from 0");
    }
    Project next = project;
    next.deviceMapping = std::move(mapping);
    return next;
}

Result<Project> withStageOnIpu(const Project& project, StageId stage, IpuId ipu) {
    DeviceMapping mapping = project.deviceMapping;
    for (std::size_t i = mapping.ipus.size(); i < project.assignment.stageCount(); ++i)
        mapping.ipus.emplace_back(i);
    if (stage.index() < mapping.ipus.size())
        mapping.ipus[stage.index()] = ipu;
    return withDeviceMapping(project, std::move(mapping));
}

namespace {

constexpr std::string_view proportionOption = "availableMemoryProportion";

void setProportion(std::vector<std::pair<std::string, std::string>>& options,
                   const std::optional<std::string>& proportion) {
    std::erase_if(options, [](const auto& option) { return option.first == proportionOption; });
    if (proportion)
        options.emplace_back(proportionOption, *proportion);
}

} // namespace

Result<Project> withStageProportion(const Project& project, StageId stage,
                                    std::optional<std::string> proportion) {
    if (proportion) {
        Diagnostics findings;
        checkPoplarFlags(PoplarOperation::MatMul, {{std::string(proportionOption), *proportion}}, {}, {},
                         findings);
        if (hasErrors(findings))
            return failure(std::move(findings));
    }
    Project next = project;
    for (auto* stages :
         {&next.pipeline.forwardStagesPoplarOptions, &next.pipeline.backwardStagesPoplarOptions}) {
        stages->resize(project.assignment.stageCount());
        if (stage.index() >= stages->size())
            continue;
        setProportion((*stages)[stage.index()].convolution, proportion);
        setProportion((*stages)[stage.index()].matmul, proportion);
        if (std::ranges::all_of(*stages, [](const PoplarOptions& each) { return each == PoplarOptions(); }))
            stages->clear();
    }
    return next;
}

std::optional<std::string> stageProportion(const Project& project, StageId stage) {
    const auto& stages = project.pipeline.forwardStagesPoplarOptions;
    if (stage.index() >= stages.size())
        return std::nullopt;
    for (const auto& [option, value] : stages[stage.index()].matmul)
        if (option == proportionOption)
            return value;
    return std::nullopt;
}

namespace {

using SomeStages = std::optional<std::vector<std::int64_t>>;

bool isAmong(const SomeStages& some, StageId stage) {
    return !some || std::ranges::find(*some, static_cast<std::int64_t>(stage.index())) != some->end();
}

/// The stages that do something, with one of them put in or taken out; nothing where it is all of `count`.
SomeStages changed(bool isOn, const SomeStages& some, std::size_t count, StageId stage, bool does) {
    std::vector<std::int64_t> next;
    for (std::size_t each = 0; each < count; ++each) {
        if (each == stage.index() ? does : isOn && isAmong(some, StageId(each)))
            next.push_back(static_cast<std::int64_t>(each));
    }
    return next.size() == count ? SomeStages() : SomeStages(std::move(next));
}

} // namespace

bool stageRecomputes(const Project& project, StageId stage) {
    return optionIsOn(project.ipuConfig, "allow_recompute") &&
           isAmong(project.pipeline.recomputedStages, stage);
}

bool stageOffloads(const Project& project, StageId stage) {
    return project.pipeline.offloadActivations.value_or(false) &&
           isAmong(project.pipeline.offloadedStages, stage);
}

Result<Project> withStageRecomputing(const Project& project, StageId stage, bool recomputes) {
    // The last stage is left out of the list: it recomputes nothing anyway.
    const std::size_t count = std::max<std::size_t>(1, project.assignment.stageCount()) - 1;
    if (stage.index() >= count)
        return project;
    SomeStages some = changed(optionIsOn(project.ipuConfig, "allow_recompute"),
                              project.pipeline.recomputedStages, count, stage, recomputes);
    const bool isAny = !some || !some->empty();
    Result<Project> next = withIpuOption(project, "allow_recompute", isAny ? Json(true) : Json());
    if (next)
        next->pipeline.recomputedStages = isAny ? std::move(some) : SomeStages();
    return next;
}

Project withStageOffloading(const Project& project, StageId stage, bool offloads) {
    Project next = project;
    if (stage.index() >= project.assignment.stageCount())
        return next;
    SomeStages some =
        changed(project.pipeline.offloadActivations.value_or(false), project.pipeline.offloadedStages,
                project.assignment.stageCount(), stage, offloads);
    const bool isAny = !some || !some->empty();
    next.pipeline.offloadActivations = isAny;
    next.pipeline.offloadedStages = isAny ? std::move(some) : SomeStages();
    return next;
}

Project withoutLostStages(Project project) {
    const auto count = static_cast<std::int64_t>(project.assignment.stageCount());
    for (SomeStages* some : {&project.pipeline.recomputedStages, &project.pipeline.offloadedStages}) {
        if (*some)
            std::erase_if(**some, [count](std::int64_t stage) { return stage >= count; });
        if (count == 0)
            some->reset();
    }
    return project;
}

Project withSchedule(const Project& project, std::string schedule) {
    Project next = project;
    next.pipeline.schedule = std::move(schedule);
    if (!scheduleDefinition(next.pipeline.schedule).takesTable)
        next.pipeline.scheduleTable = {};
    return next;
}

Project withScheduleTable(const Project& project, ScheduleTable table) {
    Project next = project;
    next.pipeline.schedule = scheduleOfCells(table.text).name;
    next.pipeline.scheduleTable = std::move(table);
    return next;
}

Project withPipelineOptions(const Project& project, PipelineOptions options) {
    Project next = project;
    next.pipeline = std::move(options);
    return next;
}

Result<Project> withMicroBatches(const Project& project, std::optional<std::int64_t> steps) {
    if (steps && (*steps < 1 || *steps > largestCount))
        return refuse("micro-batches", "/pipeline/gradient_accumulation_steps_per_replica",
                      fmt::format("{} micro-batches are not possible", *steps),
                      fmt::format("choose from 1 to {}", largestCount));
    Project next = project;
    next.pipeline.gradientAccumulationSteps = steps;
    return next;
}

Project withTraining(const Project& project, TrainingOptions training) {
    Project next = project;
    next.training = std::move(training);
    return next;
}

Result<Project> withReplicas(const Project& project, std::optional<std::int64_t> replicas) {
    if (replicas && (*replicas < 1 || *replicas > largestSystem))
        return refuse("replicas", "/replicas", fmt::format("{} replicas are not possible", *replicas),
                      fmt::format("choose from 1 to {}", largestSystem));
    Project next = project;
    next.replicas = replicas;
    return next;
}

Result<Project> withSystem(const Project& project, SystemOptions system) {
    if (system.ipus < 1 || system.ipus > largestSystem)
        return refuse("ipus", "/system/ipus", fmt::format("a system of {} IPUs is not possible", system.ipus),
                      fmt::format("choose from 1 to {}", largestSystem));
    Project next = project;
    next.system = std::move(system);
    return next;
}

Result<Project> withIpuOption(const Project& project, std::string_view option, const Json& value) {
    Diagnostics findings;
    Json section = Json::object();
    section[std::string(option)] = value;
    const IpuConfig read = readIpuConfig(section, "", "/ipu_config", findings);
    if (hasErrors(findings))
        return failure(std::move(findings));
    Project next = project;
    next.ipuConfig.values.erase(std::string(option));
    next.ipuConfig.values.insert(read.values.begin(), read.values.end());
    return next;
}

Result<Project> withName(const Project& project, std::string name) {
    if (name.empty())
        return refuse("name", "/name", "a project needs a name", "type at least one character");
    Project next = project;
    next.name = std::move(name);
    return next;
}

Project withPositions(const Project& project,
                      const std::map<std::string, CanvasLayout::Position>& positions) {
    Project next = project;
    for (const auto& [layer, position] : positions)
        next.canvas.positions[layer] = position;
    return next;
}

bool readsLeftToRight(const Project& project) {
    const auto view = project.canvas.other.find("view");
    if (view == project.canvas.other.end() || !view->is_object())
        return false;
    const auto flow = view->find("flow");
    return flow != view->end() && *flow == "right";
}

Project withLeftToRight(const Project& project, bool isLeftToRight) {
    if (readsLeftToRight(project) == isLeftToRight)
        return project;
    Project next = project;
    Json& view = next.canvas.other["view"];
    if (!view.is_object())
        view = Json::object();
    if (isLeftToRight)
        view["flow"] = "right";
    else
        view.erase("flow");
    if (view.empty())
        next.canvas.other.erase("view");
    // Boxes are wider than high: their distances from left to right are greater than those from the top down.
    constexpr double along = 3.75;
    constexpr double across = 0.3;
    for (auto& [name, place] : next.canvas.positions)
        place = isLeftToRight ? CanvasLayout::Position{place.y * along, place.x * across}
                              : CanvasLayout::Position{place.y / across, place.x / along};
    return next;
}

std::set<std::string> lockedLayers(const Project& project) {
    std::set<std::string> layers;
    const auto stored = project.canvas.other.find("locked");
    if (stored == project.canvas.other.end() || !stored->is_array())
        return layers;
    for (const Json& name : *stored)
        if (name.is_string())
            layers.insert(name.get<std::string>());
    return layers;
}

Project withLocks(const Project& project, std::span<const std::string> layers, bool isLocked) {
    std::set<std::string> locked = lockedLayers(project);
    for (const std::string& layer : layers) {
        if (isLocked)
            locked.insert(layer);
        else
            locked.erase(layer);
    }
    Project next = project;
    next.canvas.other.erase("locked");
    if (!locked.empty())
        next.canvas.other["locked"] = std::vector<std::string>(locked.begin(), locked.end());
    return next;
}

std::vector<std::string> layersOfStage(const Project& project, StageId stage) {
    std::vector<std::string> layers;
    for (const AssignmentEntry& entry : flattened(assignmentEntries(project.model)))
        if (entry.index < project.assignment.stages.size() && project.assignment.stages[entry.index] == stage)
            layers.push_back(entry.path);
    return layers;
}

std::vector<std::optional<std::size_t>> lockedStages(const Project& project) {
    const std::set<std::string> layers = lockedLayers(project);
    if (layers.empty() || !project.assignment.isPipelined())
        return {};
    std::vector<std::optional<std::size_t>> stages(project.assignment.stages.size());
    bool isAny = false;
    for (const AssignmentEntry& entry : flattened(assignmentEntries(project.model))) {
        if (entry.index >= stages.size() || !project.assignment.stages[entry.index].isValid())
            continue;
        if (layers.contains(entry.path)) {
            stages[entry.index] = project.assignment.stages[entry.index].index();
            isAny = true;
        }
    }
    return isAny ? stages : std::vector<std::optional<std::size_t>>();
}

Result<Project> withNote(const Project& project, std::vector<std::string> layers, std::string text) {
    layers = sortedPaths(std::move(layers));
    if (layers.empty())
        return failure(makeError(Trouble::Input, "edit/note", {"", "/canvas/notes"},
                                 "a note needs layers to stand on", {"select one layer or more"}));
    if (text.size() > longestNote)
        return failure(makeError(Trouble::Input, "edit/note", {"", "/canvas/notes"},
                                 fmt::format("the note has {} bytes, more than {}", text.size(), longestNote),
                                 {"write less"}));
    Project next = project;
    const auto known = std::ranges::find(next.canvas.notes, layers, &CanvasNote::layers);
    if (known == next.canvas.notes.end()) {
        if (!text.empty())
            next.canvas.notes.push_back({std::move(text), std::move(layers), 0});
    } else if (text.empty()) {
        next.canvas.notes.erase(known);
    } else {
        known->text = std::move(text);
    }
    return next;
}

Project withNoteColour(const Project& project, std::vector<std::string> layers, std::int64_t colour) {
    Project next = project;
    const auto known =
        std::ranges::find(next.canvas.notes, sortedPaths(std::move(layers)), &CanvasNote::layers);
    if (known != next.canvas.notes.end())
        known->colour = std::clamp<std::int64_t>(colour, 0, noteColours - 1);
    return next;
}

const CanvasNote* noteOn(const Project& project, std::vector<std::string> layers) {
    const auto known =
        std::ranges::find(project.canvas.notes, sortedPaths(std::move(layers)), &CanvasNote::layers);
    return known == project.canvas.notes.end() ? nullptr : &*known;
}

std::vector<CanvasNote> notesThatStay(const std::vector<CanvasNote>& notes, const ModelGraph& model,
                                      const std::map<std::string, std::string>& renamed) {
    if (notes.empty())
        return {};
    std::set<std::string, std::less<>> names;
    for (const Layer& layer : model.layers)
        names.insert(layer.name);
    std::vector<CanvasNote> kept;
    for (const CanvasNote& note : notes) {
        CanvasNote next{note.text, {}, note.colour};
        for (const std::string& path : note.layers) {
            const std::size_t slash = path.find('/');
            const std::string outer = path.substr(0, slash);
            const auto found = renamed.find(outer);
            const std::string name = found == renamed.end() ? outer : found->second;
            if (names.contains(name))
                next.layers.push_back(name + (slash == std::string::npos ? "" : path.substr(slash)));
        }
        next.layers = sortedPaths(std::move(next.layers));
        if (!next.layers.empty())
            kept.push_back(std::move(next));
    }
    return kept;
}

} // namespace core
