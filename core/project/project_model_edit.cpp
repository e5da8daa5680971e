#include "core/model/edit/graph_edit.h"
#include "core/model/graph/infer_shapes.h"
#include "core/plan/assignment_entries.h"
#include "core/project/project_edit.h"

#include <algorithm>
#include <set>

namespace core {

namespace {

using CallKey = std::pair<std::string, std::uint32_t>;

/// The path a layer had before, with the first part renamed back.
std::string renamedPath(const std::string& path, const std::map<std::string, std::string>& names) {
    const std::size_t end = std::min(path.find('/'), path.size());
    const auto found = names.find(path.substr(0, end));
    return found == names.end() ? path : found->second + path.substr(end);
}

/// Stages of the calls of a new model, taken from the same calls of the old one; invalid for new calls.
std::vector<StageId> stagesThatStay(const Project& project, const std::vector<AssignmentEntry>& entries,
                                    const std::map<std::string, std::string>& oldNames) {
    std::map<CallKey, StageId> before;
    for (const AssignmentEntry& entry : flattened(assignmentEntries(project.model))) {
        if (entry.index < project.assignment.stages.size())
            before[{entry.path, entry.call}] = project.assignment.stages[entry.index];
    }
    std::vector<StageId> stages;
    for (const AssignmentEntry& entry : entries) {
        const auto found = before.find({renamedPath(entry.path, oldNames), entry.call});
        stages.push_back(found == before.end() ? StageId() : found->second);
    }
    return stages;
}

/// The entry ranges of the calls of the outermost model: one entry, or all of a nested model's.
struct DrawnCall {
    InvocationId invocation;
    std::size_t first = 0;
    std::size_t count = 0;
};

std::vector<DrawnCall> drawnCalls(const ModelGraph& model) {
    std::vector<DrawnCall> calls;
    const auto entries = assignmentEntries(model);
    const auto order = assignableInvocations(model);
    for (std::size_t i = 0; i < order.size(); ++i)
        calls.push_back(
            {order[i], entries[i].index, entries[i].isNestedModel ? countOf(entries[i].entries) : 1});
    return calls;
}

/// New calls take the latest stage of what they read, else the earliest of what reads them, else stage 0.
void fillNewStages(const ModelGraph& model, std::vector<StageId>& stages) {
    const std::vector<DrawnCall> calls = drawnCalls(model);
    std::vector<StageId> lastStage(model.invocations.size());
    std::vector<StageId> firstStage(model.invocations.size());
    const auto note = [&](const DrawnCall& call) {
        for (std::size_t entry = call.first; entry < call.first + call.count; ++entry) {
            const StageId stage = stages[entry];
            StageId& last = lastStage[call.invocation.index()];
            StageId& first = firstStage[call.invocation.index()];
            if (stage.isValid() && (!last.isValid() || stage > last))
                last = stage;
            if (stage.isValid() && (!first.isValid() || stage < first))
                first = stage;
        }
    };
    for (const DrawnCall& call : calls)
        note(call);
    std::vector<StageId> readBy(model.invocations.size());
    for (const DrawnCall& call : calls) {
        for (const TensorRef& input : model.invocation(call.invocation).inputs) {
            StageId& earliest = readBy[input.invocation.index()];
            const StageId reader = firstStage[call.invocation.index()];
            if (reader.isValid() && (!earliest.isValid() || reader < earliest))
                earliest = reader;
        }
    }
    for (const DrawnCall& call : calls) {
        StageId stage;
        for (const TensorRef& input : model.invocation(call.invocation).inputs) {
            const StageId maker = lastStage[input.invocation.index()];
            if (maker.isValid() && (!stage.isValid() || maker > stage))
                stage = maker;
        }
        if (!stage.isValid())
            stage = readBy[call.invocation.index()];
        for (std::size_t entry = call.first; entry < call.first + call.count; ++entry) {
            if (!stages[entry].isValid())
                stages[entry] = stage.isValid() ? stage : StageId(0);
        }
        note(call);
    }
}

/// Keeps what belongs to layers that exist, under their new names. Names of inner layers ("outer/inner")
/// follow their outer one.
template <class Value>
std::map<std::string, Value> carriedOver(const std::map<std::string, Value>& byLayer, const ModelGraph& model,
                                         const std::map<std::string, std::string>& renamed) {
    std::set<std::string, std::less<>> names;
    for (const Layer& layer : model.layers)
        names.insert(layer.name);
    std::map<std::string, Value> kept;
    for (const auto& [layer, value] : byLayer) {
        const std::string path = renamedPath(layer, renamed);
        if (names.contains(path.substr(0, path.find('/'))))
            kept.emplace(path, value);
    }
    return kept;
}

} // namespace

Result<Project> editModel(const Project& project,
                          const std::function<Result<ModelGraph>(const ModelGraph&)>& edit) {
    auto model = edit(project.model);
    if (!model)
        return failure(std::move(model.error()));
    return withModel(project, std::move(*model));
}

Result<Project> withOpaqueLayer(const Project& project, const std::vector<TensorRef>& inputs) {
    auto graph = addLayer(project.model, {"OpaqueLayer", {}, Json::object(), true}, inputs);
    if (!graph)
        return failure(std::move(graph.error()));
    OpaqueLayer declared;
    declared.outputShape.dimensions = {Dimension{}, Dimension{1}};
    InferenceOptions options;
    options.opaqueLayers = project.opaqueLayers;
    options.requiresKnownShapes = false;
    if (const auto known = inferKnownShapes(project.model, options).drawnOutputs; !inputs.empty()) {
        const TensorRef& read = inputs.front();
        if (read.invocation.index() < known.size() && read.output < known[read.invocation.index()].size())
            declared.outputShape = known[read.invocation.index()][read.output].shape;
    }
    Project next = withModel(project, std::move(*graph));
    next.opaqueLayers[next.model.layers.back().name] = std::move(declared);
    return next;
}

Result<Project> withLayerName(const Project& project, const std::string& layer, const std::string& name) {
    const auto id = project.model.findLayer(layer);
    if (!id)
        return failure(makeError(Trouble::Input, "edit/layer", {"", layer}, "there is no layer of that name",
                                 {"name a layer of the model"}));
    auto model = renameLayer(project.model, *id, name);
    if (!model)
        return failure(std::move(model.error()));
    return withModel(project, std::move(*model), {{layer, name}});
}

Project withModel(const Project& project, ModelGraph model,
                  const std::map<std::string, std::string>& renamed) {
    Project next = project;
    next.model = std::move(model);
    next.canvas.positions = carriedOver(project.canvas.positions, next.model, renamed);
    next.canvas.notes = notesThatStay(project.canvas.notes, next.model, renamed);
    next.opaqueLayers = carriedOver(project.opaqueLayers, next.model, renamed);
    if (const std::set<std::string> locked = lockedLayers(project); !locked.empty()) {
        std::map<std::string, bool> byLayer;
        for (const std::string& layer : locked)
            byLayer[layer] = true;
        next.canvas.other.erase("locked");
        std::vector<std::string> kept;
        for (const auto& [layer, isLocked] : carriedOver(byLayer, next.model, renamed))
            kept.push_back(layer);
        next = withLocks(next, kept, true);
    }
    if (const auto muted = project.canvas.other.find("muted");
        muted != project.canvas.other.end() && muted->is_object()) {
        std::map<std::string, Json> byLayer;
        for (const auto& [layer, what] : muted->items())
            byLayer[layer] = what;
        next.canvas.other.erase("muted");
        for (auto& [layer, what] : carriedOver(byLayer, next.model, renamed))
            next.canvas.other["muted"][layer] = std::move(what);
    }
    if (const auto folded = project.canvas.other.find("repeats");
        folded != project.canvas.other.end() && folded->is_array() && !renamed.empty()) {
        for (Json& layer : next.canvas.other["repeats"]) {
            if (layer.is_string())
                layer = renamedPath(layer.get<std::string>(), renamed);
        }
    }
    if (project.assignment.stages.empty())
        return next;
    std::map<std::string, std::string> oldNames;
    for (const auto& [before, after] : renamed)
        oldNames[after] = before;
    const auto entries = flattened(assignmentEntries(next.model));
    next.assignment.stages = stagesThatStay(project, entries, oldNames);
    fillNewStages(next.model, next.assignment.stages);
    return next;
}

} // namespace core
