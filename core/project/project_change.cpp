#include "core/project/project_change.h"

#include "core/config/ipu_config/ipu_config_json.h"
#include "core/config/pipeline_options_json.h"
#include "core/config/training_options_json.h"
#include "core/plan/assignment_entries.h"
#include "core/plan/stage_assignment_json.h"
#include "core/project/project_sections.h"

#include <map>

namespace core {

namespace {

/// Inputs of the calls of every layer, as names, so that they can be compared between models.
using CallInputs = std::vector<std::vector<std::pair<std::string, std::uint32_t>>>;

std::map<std::string, CallInputs> callsByLayer(const ModelGraph& model) {
    std::map<std::string, CallInputs> calls;
    for (const LayerInvocation& invocation : model.invocations) {
        auto& inputs = calls[model.layer(invocation.layer).name].emplace_back();
        for (const TensorRef& input : invocation.inputs)
            inputs.emplace_back(model.layer(input.invocation).name, input.output);
    }
    return calls;
}

void compareModels(const ModelGraph& before, const ModelGraph& after, ProjectChange& change) {
    std::map<std::string, const Layer*> old;
    for (const Layer& layer : before.layers)
        old[layer.name] = &layer;
    const auto oldCalls = callsByLayer(before);
    const auto newCalls = callsByLayer(after);
    for (const Layer& layer : after.layers) {
        const auto found = old.find(layer.name);
        if (found == old.end()) {
            change.addedLayers.push_back(layer.name);
            continue;
        }
        const Layer& was = *found->second;
        ProjectChange::ChangedLayer changed{layer.name, {}};
        if (was.className != layer.className)
            changed.what.emplace_back("class");
        if (was.config != layer.config)
            changed.what.emplace_back("config");
        if (was.trainable != layer.trainable)
            changed.what.emplace_back("trainable");
        const bool sameModel =
            was.model == layer.model || (was.model && layer.model && *was.model == *layer.model);
        if (!sameModel)
            changed.what.emplace_back("model");
        const auto callsOf = [&](const auto& calls) {
            const auto at = calls.find(layer.name);
            return at == calls.end() ? CallInputs{} : at->second;
        };
        if (callsOf(oldCalls) != callsOf(newCalls))
            changed.what.emplace_back("calls");
        if (!changed.what.empty())
            change.changedLayers.push_back(std::move(changed));
        old.erase(found);
    }
    for (const Layer& layer : before.layers) {
        if (old.contains(layer.name))
            change.removedLayers.push_back(layer.name);
    }
    const auto namesOf = [](const ModelGraph& model, const std::vector<TensorRef>& refs) {
        std::vector<std::string> names;
        for (const TensorRef& ref : refs)
            names.push_back(model.layer(ref.invocation).name);
        return names;
    };
    change.interfaceChanged = before.name != after.name || before.kind != after.kind ||
                              namesOf(before, before.inputs) != namesOf(after, after.inputs) ||
                              namesOf(before, before.outputs) != namesOf(after, after.outputs);
}

std::int64_t stageNumber(const StageAssignment& assignment, std::size_t entry) {
    const bool isSet = entry < assignment.stages.size() && assignment.stages[entry].isValid();
    return isSet ? static_cast<std::int64_t>(assignment.stages[entry].index()) : -1;
}

void compareStages(const Project& before, const Project& after, ProjectChange& change) {
    if (before.assignment.stages.empty() && after.assignment.stages.empty())
        return;
    std::map<std::pair<std::string, std::uint32_t>, std::int64_t> old;
    for (const AssignmentEntry& entry : flattened(assignmentEntries(before.model)))
        old[{entry.path, entry.call}] = stageNumber(before.assignment, entry.index);
    for (const AssignmentEntry& entry : flattened(assignmentEntries(after.model))) {
        const auto found = old.find({entry.path, entry.call});
        const std::int64_t now = stageNumber(after.assignment, entry.index);
        if (found != old.end() && found->second != now)
            change.movedCalls.push_back({entry.path, entry.call, found->second, now});
    }
}

/// Everything but the model, the stages and the canvas, as JSON.
Json sectionsOf(const Project& project) {
    Json pipeline = Json::object();
    if (!project.deviceMapping.ipus.empty())
        pipeline["device_mapping"] = toJson(project.deviceMapping);
    writePipelineOptions(project.pipeline, pipeline);
    Json sections = {{"name", project.name},
                     {"pipeline", std::move(pipeline)},
                     {"training", toJson(project.training)},
                     {"system", toJson(project.system)},
                     {"ipu_config", toJson(project.ipuConfig)},
                     {"opaque_layers", toJson(project.opaqueLayers)}};
    if (project.replicas)
        sections["replicas"] = *project.replicas;
    return sections;
}

void compareValues(const Json& before, const Json& after, const std::string& path, ProjectChange& change) {
    if (before == after)
        return;
    if (!before.is_object() || !after.is_object()) {
        change.changedValues.push_back({path, before, after});
        return;
    }
    const auto inside = [&](const std::string& key) { return path.empty() ? key : path + "." + key; };
    for (const auto& [key, value] : before.items()) {
        const auto found = after.find(key);
        compareValues(value, found == after.end() ? Json() : *found, inside(key), change);
    }
    for (const auto& [key, value] : after.items()) {
        if (!before.contains(key))
            compareValues(Json(), value, inside(key), change);
    }
}

} // namespace

bool ProjectChange::isEmpty() const {
    return *this == ProjectChange{};
}

ProjectChange differenceBetween(const Project& before, const Project& after) {
    ProjectChange change;
    compareModels(before.model, after.model, change);
    compareStages(before, after, change);
    compareValues(sectionsOf(before), sectionsOf(after), "", change);
    change.canvasChanged = before.canvas != after.canvas;
    return change;
}

} // namespace core
