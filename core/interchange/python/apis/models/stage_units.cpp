#include "core/interchange/python/apis/models/stage_units.h"

#include "core/interchange/keras/keras_json.h"
#include "core/model/graph/flattened_model.h"

#include <map>

namespace core {

namespace {

/// The call in the program; null: the layer is none of its own.
const PythonCall* callOf(const std::map<std::string, const PythonLayer*>& byName, const std::string& name,
                         std::size_t call) {
    const auto found = byName.find(name);
    if (found == byName.end() || found->second->calls.empty())
        return nullptr;
    const auto& calls = found->second->calls;
    return &calls[std::min(call, calls.size() - 1)];
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
    std::map<std::string, const PythonLayer*> byName;
    for (const PythonLayer& layer : draft.layers)
        byName[layer.name] = &layer;
    std::vector<PythonStageUnit> units;
    std::map<std::int64_t, std::size_t> unitOfGroup;
    const std::vector<InvocationId> calls = flat->assignable();
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const FlattenedInvocation& one = flat->invocations[calls[i].index()];
        const FlattenedLayer& layer = flat->layers[one.layer.index()];
        const std::string name = layer.path.substr(layer.path.rfind('/') + 1);
        const PythonCall* call = callOf(byName, name, one.call);
        const Json scope = call != nullptr && call->stage ? Json(*call->stage) : Json();
        const std::int64_t group = call == nullptr ? 0 : call->group; // of a layer of the program
        if (const auto known = unitOfGroup.find(group); group > 0 && known != unitOfGroup.end()) {
            units[known->second].calls.push_back(static_cast<std::int64_t>(i));
            units[known->second].scopes.push_back(scope);
            continue;
        }
        if (group > 0)
            unitOfGroup.emplace(group, units.size());
        PythonStageUnit unit{{static_cast<std::int64_t>(i)}, name, layer.layer->className, nullptr, {scope}};
        if (group > 0) {
            const PythonLayerGroup& made = draft.groups[static_cast<std::size_t>(group - 1)];
            unit.layer = made.name;
            unit.className = made.className;
            unit.definition = made.definition;
        }
        units.push_back(std::move(unit));
    }
    return units;
}

Json stagesOfScopes(const std::vector<PythonStageUnit>& units) {
    Json stages = Json(countCalls(units), Json());
    bool isAny = false;
    for (const PythonStageUnit& unit : units)
        for (std::size_t i = 0; i < unit.calls.size(); ++i) {
            isAny = isAny || !unit.scopes[i].is_null();
            stages[static_cast<std::size_t>(unit.calls[i])] = unit.scopes[i];
        }
    return isAny ? stages : Json();
}

std::size_t countCalls(const std::vector<PythonStageUnit>& units) {
    std::size_t count = 0;
    for (const PythonStageUnit& unit : units)
        count += unit.calls.size();
    return count;
}

Json stagesOfCalls(const std::vector<PythonStageUnit>& units, Json stages) {
    const std::size_t count = countCalls(units);
    if (!stages.is_array() || stages.size() != units.size() || count == units.size())
        return stages;
    Json flat = Json(count, Json());
    for (std::size_t i = 0; i < units.size(); ++i)
        for (const std::int64_t call : units[i].calls)
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
