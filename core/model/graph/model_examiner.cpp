#include "core/model/graph/model_examiner.h"

#include "core/model/graph/layer_catalogue.h"
#include "core/model/initializer_catalogue.h"
#include "core/text/nearest_name.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <set>
#include <string>
#include <vector>

namespace core {

namespace {

/// Batch sizes and precisions of a sweep come in turn; a large model takes about a megabyte for each.
constexpr std::size_t mostExaminations = 16;

Diagnostics uncomputedPenalties(const TypedGraph& graph, const std::string& file) {
    Diagnostics findings;
    std::set<std::string> told;
    for (const TypedLayer& layer : graph.layers) {
        const LayerDefinition* definition = findLayerDefinition(layer.className);
        if (definition == nullptr || !layer.config.is_object())
            continue;
        for (const AttributeDefinition& attribute : definition->attributes) {
            if (attribute.kind != AttributeKind::Regularizer)
                continue;
            const auto value = layer.config.find(attribute.name);
            const std::string name =
                value == layer.config.end() ? std::string() : uncomputedRegularizer(*value);
            if (!name.empty() && told.insert(name).second)
                findings.push_back(makeWarning(
                    Trouble::Input, "warning/penalty", {file, layer.path},
                    fmt::format("the {} \"{}\" of {} adds nothing to the loss: it is none that is computed",
                                attribute.name, name, layer.path),
                    {"take l1, l2 or l1_l2, or leave it out"}));
        }
    }
    return findings;
}

/// Weights that begin otherwise than their layer says.
Diagnostics unknownInitializers(const TypedGraph& graph, const std::string& file) {
    Diagnostics findings;
    std::set<std::string> told;
    std::vector<std::string> names;
    for (const InitializerDefinition& known : initializerCatalogue())
        names.emplace_back(known.name);
    for (const TypedLayer& layer : graph.layers) {
        const LayerDefinition* definition = findLayerDefinition(layer.className);
        if (definition == nullptr || !layer.config.is_object())
            continue;
        for (const AttributeDefinition& attribute : definition->attributes) {
            const auto value = attribute.kind == AttributeKind::Initializer
                                   ? layer.config.find(attribute.name)
                                   : layer.config.end();
            if (value == layer.config.end())
                continue;
            const Json name = value->is_object() ? value->value("class_name", Json()) : *value;
            if (const auto number = initializerOverflow(*value);
                number && told.insert(fmt::format("{}", *number)).second)
                findings.push_back(makeWarning(
                    Trouble::Input, "warning/initial-values", {file, layer.path},
                    fmt::format("the {} of {} gives {}, which float32 does not hold: its weights begin as no "
                                "numbers",
                                attribute.name, layer.path, *number),
                    {"take a number below 3.4e38"}));
            if (!name.is_string() || findInitializer(*value) != nullptr ||
                !told.insert(name.get<std::string>()).second)
                continue;
            const auto meant = nearestName(name.get<std::string>(), names);
            findings.push_back(
                makeWarning(Trouble::Input, "warning/initializer", {file, layer.path},
                            fmt::format("the {} \"{}\" of {} is none that is known: a run takes "
                                        "\"glorot_uniform\" instead",
                                        attribute.name, name.get<std::string>(), layer.path),
                            {meant ? fmt::format("did you mean \"{}\"?", *meant)
                                   : std::string("take one of Keras, such as \"he_normal\"")}));
        }
    }
    return findings;
}

/// A layer that joins tensors and reads one gives what it reads, and is most often not finished.
Diagnostics joinsOfOneTensor(const FlattenedModel& model, const std::string& file) {
    Diagnostics findings;
    std::set<std::string> told;
    for (const FlattenedInvocation& call : model.invocations) {
        if (call.inputs.size() != 1)
            continue;
        const FlattenedLayer& layer = model.layers[call.layer.index()];
        const LayerDefinition* definition = findLayerDefinition(layer.layer->className);
        if (definition != nullptr && definition->category == LayerCategory::Merging &&
            told.insert(layer.path).second)
            findings.push_back(makeWarning(
                Trouble::Input, "warning/nothing-to-join", {file, layer.path},
                fmt::format("{} joins tensors and reads only one, which it passes on", layer.path),
                {"connect what it is to join with it, or delete it and reconnect"}));
    }
    return findings;
}

} // namespace

ExaminedModel examineModel(const ModelGraph& model, const InferenceOptions& options) {
    ExaminedModel examined;
    auto flattened = flattenModel(model, options.file);
    if (!flattened) {
        examined.findings = std::move(flattened.error());
        return examined;
    }
    examined.flattened = std::move(*flattened);
    InferredModel inferred = inferKnownShapes(model, options);
    examined.findings = std::move(inferred.findings);
    examined.layerWarnings = joinsOfOneTensor(*examined.flattened, options.file);
    std::ranges::move(unknownInitializers(inferred.graph, options.file),
                      std::back_inserter(examined.layerWarnings));
    examined.trainingWarnings = uncomputedPenalties(inferred.graph, options.file);
    examined.graph = std::make_shared<const TypedGraph>(std::move(inferred.graph));
    return examined;
}

std::shared_ptr<const ExaminedModel> ModelExaminer::examined(const InferenceOptions& options) {
    const auto known =
        std::ranges::find_if(m_known, [&](const auto& entry) { return entry.first == options; });
    if (known != m_known.end()) {
        m_known.splice(m_known.begin(), m_known, known);
        return m_known.front().second;
    }
    m_known.emplace_front(options, std::make_shared<const ExaminedModel>(examineModel(*m_model, options)));
    if (m_known.size() > mostExaminations)
        m_known.pop_back();
    return m_known.front().second;
}

} // namespace core
