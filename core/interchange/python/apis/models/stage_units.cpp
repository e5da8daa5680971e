#include "core/interchange/python/apis/models/stage_units.h"

#include "core/interchange/keras/keras_json.h"
#include "core/model/graph/flattened_model.h"

#include <map>

namespace core {

namespace {

/// The call in the program; null: the layer is none of its own.
const PythonCall* callOf(const PythonDraft& draft, std::int64_t layer, std::size_t call) {
    if (layer < 0)
        return nullptr;
    const auto& calls = draft.layers[static_cast<std::size_t>(layer)].calls;
    return calls.empty() ? nullptr : &calls[std::min(call, calls.size() - 1)];
}

/// The layers of a program, by name.
using LayersByName = std::map<std::string, std::int64_t>;

/// The layer of the program that a call is a part of; 0: none. All calls in a model that such a layer calls
/// are parts of it.
std::int64_t groupOfCall(const PythonDraft& draft, const LayersByName& byName, const ModelGraph& graph,
                         const FlattenedInvocation& one, const std::string& path) {
    const auto outer = byName.find(path.substr(0, path.find('/')));
    if (path.find('/') == std::string::npos || outer == byName.end() || !one.drawn.isValid())
        return 0;
    const PythonCall* call = callOf(draft, outer->second, graph.invocations[one.drawn.index()].call);
    return call == nullptr ? 0 : call->group;
}

} // namespace

Result<std::vector<PythonStageUnit>> stageUnits(const PythonDraft& draft, std::int64_t model,
                                                const std::string& file) {
    Diagnostics warnings;
    const auto graph = readKerasModelText(toText(draft.kerasJson(model)), file, warnings);
    if (!graph)
        return failure(graph.error());
    const auto flat = flattenModel(*graph);
    if (!flat)
        return failure(flat.error());
    LayersByName byName;
    for (std::size_t i = 0; i < draft.layers.size(); ++i)
        byName[draft.layers[i].name] = static_cast<std::int64_t>(i);
    std::vector<PythonStageUnit> units;
    std::map<std::int64_t, std::size_t> unitOfGroup;
    const std::vector<InvocationId> calls = flat->assignable();
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const FlattenedInvocation& one = flat->invocations[calls[i].index()];
        const FlattenedLayer& layer = flat->layers[one.layer.index()];
        const std::string name = layer.path.substr(layer.path.rfind('/') + 1);
        const auto known = byName.find(name);
        const std::int64_t own = known == byName.end() ? -1 : known->second;
        const PythonCall* call = callOf(draft, own, one.call);
        const Json scope = call != nullptr && call->stage ? Json(*call->stage) : Json();
        const std::int64_t around = groupOfCall(draft, byName, *graph, one, layer.path);
        const std::int64_t group = around > 0 ? around : call == nullptr ? 0 : call->group;
        if (const auto part = unitOfGroup.find(group); group > 0 && part != unitOfGroup.end()) {
            units[part->second].entry.calls.push_back(static_cast<std::int64_t>(i));
            units[part->second].scopes.push_back(scope);
            continue;
        }
        if (group > 0)
            unitOfGroup.emplace(group, units.size());
        PythonStageEntry entry;
        entry.model = model;
        entry.calls.push_back(static_cast<std::int64_t>(i));
        entry.layer = name;
        entry.className = layer.layer->className;
        entry.ownLayer = layer.path == name ? own : -1;
        entry.node = static_cast<std::int64_t>(one.call);
        if (group > 0) {
            const PythonLayerGroup& made = draft.groups[static_cast<std::size_t>(group - 1)];
            entry.layer = made.name;
            entry.className = made.className;
            entry.definition = made.definition;
            entry.attributes = made.attributes;
            entry.ownLayer = -1;
        }
        units.push_back({std::move(entry), {scope}});
    }
    return units;
}

Json stagesOfScopes(const std::vector<PythonStageUnit>& units) {
    Json stages = Json(countCalls(units), Json());
    bool isAny = false;
    for (const PythonStageUnit& unit : units)
        for (std::size_t i = 0; i < unit.entry.calls.size(); ++i) {
            isAny = isAny || !unit.scopes[i].is_null();
            stages[static_cast<std::size_t>(unit.entry.calls[i])] = unit.scopes[i];
        }
    return isAny ? stages : Json();
}

std::size_t countCalls(const std::vector<PythonStageUnit>& units) {
    std::size_t count = 0;
    for (const PythonStageUnit& unit : units)
        count += unit.entry.calls.size();
    return count;
}

Json stagesOfCalls(const std::vector<PythonStageUnit>& units, Json stages) {
    const std::size_t count = countCalls(units);
    if (!stages.is_array() || stages.size() != units.size() || count == units.size())
        return stages;
    Json flat = Json(count, Json());
    for (std::size_t i = 0; i < units.size(); ++i)
        for (const std::int64_t call : units[i].entry.calls)
            flat[static_cast<std::size_t>(call)] = stages[i];
    return flat;
}

PythonGroupScope::PythonGroupScope(PythonProgramBuilder& builder, PythonLayerGroup group)
    : m_builder(builder)
    , m_before(builder.group) {
    if (m_before != 0)
        return;
    if (group.name.empty())
        group.name = builder.freshName("lambda");
    builder.facts.draft.groups.push_back(std::move(group));
    builder.group = static_cast<std::int64_t>(builder.facts.draft.groups.size());
}

} // namespace core
