#include "core/interchange/python/apis/weights/parameter_counts.h"

#include "core/interchange/keras/keras_json.h"
#include "core/model/graph/model_summary.h"

#include <algorithm>
#include <set>

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

/// Nothing where the model has no layers yet, or the shape of its input is not known.
std::optional<ModelSummary> summaryOf(const PythonProgramBuilder& builder, std::int64_t model) {
    const PythonModel& counted = builder.facts.draft.models[static_cast<std::size_t>(model)];
    if (builder.computed.contains(model) || (counted.isSubclass && !counted.isBuilt))
        return std::nullopt;
    Diagnostics warnings;
    const auto graph = readKerasModel(builder.facts.draft.kerasJson(model), "", warnings);
    if (!graph)
        return std::nullopt;
    auto summary = summarize(*graph, 1);
    return summary ? std::optional(std::move(*summary)) : std::nullopt;
}

} // namespace

PythonValue parametersOf(const PythonProgramBuilder& builder, std::int64_t model, const std::string& layer) {
    const auto summary = summaryOf(builder, model);
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
        if (std::ranges::find(layers, layer.layer) != layers.end())
            return parametersOf(builder, static_cast<std::int64_t>(i), name);
    }
    return PythonData();
}

std::optional<std::int64_t> layerLeftOut(const PythonProgramBuilder& builder, std::int64_t model,
                                         const PythonValues& owners) {
    const PythonDraft& draft = builder.facts.draft;
    const PythonModel& trained = draft.models[static_cast<std::size_t>(model)];
    const bool isLayerwise = !builder.computed.contains(model);
    if (!isLayerwise || trained.config.value("trainable", Json(true)) == false)
        return std::nullopt;
    std::set<std::int64_t> held;
    std::set<std::int64_t> models;
    for (const PythonValue& owner : owners)
        if (const auto* layer = owner.as<PythonLayerName>()) {
            held.insert(layer->layer);
        } else if (const auto* other = owner.as<PythonModelName>()) {
            models.insert(other->model);
            const PythonModel& part = draft.models[static_cast<std::size_t>(other->model)];
            if (builder.computed.contains(other->model))
                return std::nullopt;
            const std::vector<std::int64_t> layers = draft.ownLayers(part);
            held.insert(layers.begin(), layers.end());
        }
    if (models.contains(model))
        return std::nullopt;
    const auto summary = summaryOf(builder, model);
    for (const std::int64_t at : draft.ownLayers(trained)) {
        const PythonLayer& layer = draft.layers[static_cast<std::size_t>(at)];
        if (held.contains(at) || models.contains(layer.model))
            continue;
        if (layer.model >= 0) {
            if (auto inner = layerLeftOut(builder, layer.model, owners))
                return inner;
            continue;
        }
        const LayerSummary* row = summary ? rowOf(summary->layers, layer.name) : nullptr;
        if (layer.config.value("trainable", Json(true)) != false && row != nullptr && row->parameters > 0)
            return at;
    }
    return std::nullopt;
}

} // namespace core
