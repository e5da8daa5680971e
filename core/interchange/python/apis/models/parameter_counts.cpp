#include "core/interchange/python/apis/models/parameter_counts.h"

#include "core/interchange/keras/keras_json.h"
#include "core/model/graph/model_summary.h"

#include <algorithm>

namespace core {

namespace {

/// The row of a layer, in nested models as well; null: there is none.
const LayerSummary* rowOf(const std::vector<LayerSummary>& rows, const std::string& name) {
    for (const LayerSummary& row : rows) {
        if (row.name == name)
            return &row;
        if (const LayerSummary* inner = rowOf(row.layers, name))
            return inner;
    }
    return nullptr;
}

} // namespace

PythonValue parametersOf(const PythonProgramBuilder& builder, std::int64_t model, const std::string& layer) {
    const PythonModel& counted = builder.facts.draft.models[static_cast<std::size_t>(model)];
    if (builder.computed.contains(model) || (counted.isSubclass && !counted.isBuilt))
        return PythonData();
    Diagnostics warnings;
    const auto graph = readKerasModel(builder.facts.draft.kerasJson(model), "", warnings);
    if (!graph)
        return PythonData();
    const auto summary = summarize(*graph, 1);
    if (!summary)
        return PythonData();
    if (layer.empty())
        return pythonConstant(summary->parameters);
    const LayerSummary* row = rowOf(summary->layers, layer);
    return row == nullptr ? PythonValue(PythonData()) : pythonConstant(row->parameters);
}

PythonValue parametersOf(const PythonProgramBuilder& builder, PythonLayerName layer) {
    const PythonDraft& draft = builder.facts.draft;
    const std::string& name = draft.layers[static_cast<std::size_t>(layer.layer)].name;
    for (std::size_t i = draft.models.size(); i-- > 0;) {
        const PythonModel& model = draft.models[i];
        const std::vector<std::int64_t> layers = draft.ownLayers(model);
        if (model.document.is_null() && std::ranges::find(layers, layer.layer) != layers.end())
            return parametersOf(builder, static_cast<std::int64_t>(i), name);
    }
    return PythonData();
}

} // namespace core
