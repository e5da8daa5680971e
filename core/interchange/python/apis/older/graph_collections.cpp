#include "core/interchange/python/apis/older/graph_collections.h"

#include "core/interchange/python/apis/calls/training_loop.h"
#include "core/interchange/python/apis/weights/program_weights.h"
#include "core/interchange/python/apis/weights/weight_penalty.h"
#include "core/interchange/python/draft/sample_computation.h"
#include "core/model/graph/layer_catalogue.h"
#include "core/model/layer_definition.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <set>

namespace core {

namespace {

using Collected = PythonProgramBuilder::CollectedPenalty;

/// A variable of the graph: what it is called, which weight of a layer it is.
struct GraphVariable {
    std::string name;
    std::string kind;
    std::int64_t layer = 0;
};

constexpr std::string_view initializerSuffix = "_initializer";
constexpr std::string_view regularizerSuffix = "_regularizer";

bool isSwitchedOff(const Json& config, const char* option) {
    return config.value(option, Json()) == false;
}

/// Kinds of weights that a layer has: "kernel", "bias", …
std::vector<std::string> kindsOf(const PythonLayer& layer) {
    std::vector<std::string> kinds;
    const LayerDefinition* definition = findLayerDefinition(layer.className);
    if (definition == nullptr || layer.model >= 0)
        return kinds;
    for (const auto& attribute : definition->attributes) {
        const std::string& option = attribute.name;
        const bool isWeight = option.ends_with(initializerSuffix) && !option.starts_with("moving_");
        const bool isOff = (option == "bias_initializer" && isSwitchedOff(layer.config, "use_bias")) ||
                           (option == "gamma_initializer" && isSwitchedOff(layer.config, "scale")) ||
                           (option == "beta_initializer" && isSwitchedOff(layer.config, "center"));
        if (isWeight && !isOff)
            kinds.push_back(option.substr(0, option.size() - initializerSuffix.size()));
    }
    return kinds;
}

/// A scope's name begins behind the slash.
std::string withoutFirstSlashes(const std::string& name) {
    return name.substr(std::min(name.find_first_not_of('/'), name.size()));
}

std::string kindOfOption(const std::string& option) {
    return option.ends_with(regularizerSuffix) ? option.substr(0, option.size() - regularizerSuffix.size())
                                               : "variable";
}

/// The trained variables of the graph, layer by layer.
std::vector<GraphVariable> graphVariables(const PythonProgramBuilder& builder) {
    std::vector<GraphVariable> variables;
    std::set<std::int64_t> ofProgram; // layers whose weights the program made itself
    for (const auto& [name, weight] : builder.graphWeights)
        if (const auto part = regularizedPart(builder, weight)) {
            variables.push_back({name, kindOfOption(part->second), part->first.layer});
            ofProgram.insert(part->first.layer);
        }
    const std::vector<PythonLayer>& layers = builder.facts.draft.layers;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const auto index = static_cast<std::int64_t>(i);
        if (!ofProgram.contains(index) && !isSwitchedOff(layers[i].config, "trainable"))
            for (const std::string& kind : kindsOf(layers[i]))
                variables.push_back({layers[i].variableName + "/" + kind, kind, index});
    }
    std::ranges::stable_sort(variables, {}, &GraphVariable::layer);
    for (GraphVariable& variable : variables)
        variable.name = withoutFirstSlashes(variable.name) + ":0";
    return variables;
}

/// Whether a value of the program is that variable: one of a collection, or a weight that the program made.
bool isVariable(const PythonProgramBuilder& builder, const GraphVariable& variable,
                const PythonValue& value) {
    const auto* data = value.as<PythonData>();
    if (data != nullptr)
        return !data->weightName.empty() && data->weightName == variable.name;
    const auto part = regularizedPart(builder, value);
    return part && part->first.layer == variable.layer && kindOfOption(part->second) == variable.kind;
}

/// Variables of the graph by the layers that have them; nothing: some of the values are none of the graph.
std::optional<std::map<std::int64_t, std::set<std::string>>> namesByLayer(const PythonProgramBuilder& builder,
                                                                          const PythonValue& variables) {
    const std::vector<GraphVariable> known = graphVariables(builder);
    std::map<std::int64_t, std::set<std::string>> given;
    for (const PythonValue& value :
         variables.is<PythonList>() ? variables.items() : PythonValues{variables}) {
        const auto variable = std::ranges::find_if(
            known, [&](const GraphVariable& one) { return isVariable(builder, one, value); });
        if (variable == known.end())
            return std::nullopt;
        given[variable->layer].insert(variable->name);
    }
    return given;
}

PythonValue valueOf(const GraphVariable& variable) {
    PythonData weight = weightsOfModel();
    weight.weightKind = variable.kind;
    weight.weightName = variable.name;
    weight.weightOwners = std::make_shared<const PythonValue>(pythonList({PythonLayerName{variable.layer}}));
    return weight;
}

std::string scopeOf(const PythonApiCall& call, std::size_t position) {
    const PythonValue* scope = call.arguments.given("scope", position);
    return scope != nullptr && scope->isText() ? scope->constant().get<std::string>() : "";
}

/// tf.trainable_variables(scope).
PythonValue trainableVariables(const PythonApiCall& call, std::size_t scopeAt) {
    const std::string scope = scopeOf(call, scopeAt);
    PythonValues values;
    const std::vector<GraphVariable> variables = graphVariables(call.builder);
    for (const GraphVariable& variable : variables)
        if (variable.name.starts_with(scope))
            values.push_back(valueOf(variable));
    if (variables.empty())
        return scope.empty() ? PythonValue(weightsOfModel()) : PythonValue(PythonData());
    return pythonList(std::move(values));
}

/// The regularizers that were collected so far, each a sum that the program may add to its loss.
PythonValues penaltiesWithin(const PythonApiCall& call, const std::string& scope) {
    PythonValues values;
    for (std::size_t i = 0; i < call.builder.collected.size(); ++i) {
        const std::string& name = call.builder.collected[i].scope;
        if (!withoutFirstSlashes(name).starts_with(scope))
            continue;
        PythonData sum;
        sum.origin = regularizers;
        sum.penalty["@" + std::to_string(i)] = 1;
        values.emplace_back(std::move(sum));
    }
    return values;
}

PythonValue sumOf(const PythonApiCall& call, PythonValues values) {
    PythonValue sum = pythonConstant(0.0);
    for (const PythonValue& value : values)
        sum = call.interpreter.operation("+", sum, value, call.place());
    return sum;
}

PythonValue regularizationLosses(const PythonApiCall& call) {
    return pythonList(penaltiesWithin(call, scopeOf(call, 0)));
}

PythonValue regularizationLoss(const PythonApiCall& call) {
    return sumOf(call, penaltiesWithin(call, scopeOf(call, 0)));
}

PythonValue collectedLosses(const PythonApiCall& call) {
    return pythonList(call.builder.collectedLosses);
}

/// tf.losses.get_total_loss(add_regularization_losses=True): all of them in one sum.
PythonValue totalLoss(const PythonApiCall& call) {
    if (call.builder.collectedLosses.empty())
        return PythonData();
    const PythonValue* adds = call.arguments.given("add_regularization_losses", 0);
    PythonValue sum = call.builder.collectedLosses.front();
    for (std::size_t i = 1; i < call.builder.collectedLosses.size(); ++i)
        sum = call.interpreter.operation("+", sum, call.builder.collectedLosses[i], call.place());
    const PythonValues penalties = penaltiesWithin(call, "");
    if (penalties.empty() || (adds != nullptr && adds->constant() == false))
        return sum;
    return call.interpreter.operation("+", sum, sumOf(call, penalties), call.place());
}

/// What a collection is called, whether by tf.GraphKeys or as a text.
std::string collectionNamed(const PythonApiCall& call) {
    const PythonValue* key = call.arguments.find("key", 0);
    key = key == nullptr ? call.arguments.find("name", 0) : key;
    if (key == nullptr)
        return "";
    if (const auto* name = key->as<PythonLibraryName>())
        return lastPart(name->path);
    std::string text = key->isText() ? key->constant().get<std::string>() : "";
    std::ranges::transform(text, text.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    return text;
}

PythonValue collection(const PythonApiCall& call) {
    const std::string key = collectionNamed(call);
    if (key == "TRAINABLE_VARIABLES")
        return trainableVariables(call, 1);
    if (key == "REGULARIZATION_LOSSES")
        return pythonList(penaltiesWithin(call, scopeOf(call, 1)));
    if (key == "LOSSES")
        return collectedLosses(call);
    return PythonData();
}

/// tf.add_to_collection(): losses and sums of squares that the program reads again by the collection.
PythonValue addToCollection(const PythonApiCall& call) {
    const std::string key = collectionNamed(call);
    const PythonValue* value = call.arguments.find("value", 1);
    const bool isLoss = value != nullptr && (value->is<PythonLoss>() || value->is<PythonTensor>());
    const auto* data = value == nullptr ? nullptr : value->as<PythonData>();
    if (key == "LOSSES" && isLoss)
        call.builder.collectedLosses.push_back(*value);
    else if ((key == "LOSSES" || key == "REGULARIZATION_LOSSES") && data != nullptr && !data->penalty.empty())
        call.builder.collected.push_back({*value, "", nullptr, call.builder.scope.variables, call.place()});
    return {};
}

} // namespace

void collectRegularizers(const PythonApiCall& call, PythonLayerName name) {
    const LayerDefinition* definition = findLayerDefinition(call.builder.layer(name.layer).className);
    if (definition == nullptr)
        return;
    for (const auto& attribute : definition->attributes) {
        if (!attribute.name.ends_with(regularizerSuffix) || attribute.name.starts_with("activity"))
            continue;
        PythonLayer& layer = call.builder.layer(name.layer);
        Json regularizer = layer.config.value(attribute.name, Json());
        layer.config.erase(attribute.name);
        const std::string variable = layer.variableName;
        if (const auto& around = call.builder.scope.regularizer; regularizer.is_null() && around != nullptr)
            regularizer = regularizerJson(call, *around);
        if (!regularizer.is_null())
            call.builder.collected.push_back(
                {name, attribute.name, std::move(regularizer), variable, call.place()});
    }
}

void collectLoss(const PythonApiCall& call, const PythonValue& loss) {
    const PythonValue* key = call.arguments.keyword("loss_collection");
    if ((key == nullptr || !key->isNone()) && (loss.is<PythonLoss>() || loss.is<PythonTensor>()))
        call.builder.collectedLosses.push_back(loss);
}

PythonValues graphVariableValues(const PythonProgramBuilder& builder) {
    PythonValues values;
    for (const GraphVariable& variable : graphVariables(builder))
        values.push_back(valueOf(variable));
    return values;
}

std::optional<std::vector<std::int64_t>> layersWithout(const PythonProgramBuilder& builder,
                                                       const PythonValue& variables) {
    const auto given = namesByLayer(builder, variables);
    if (!given)
        return std::nullopt;
    std::set<std::int64_t> left;
    for (const GraphVariable& variable : graphVariables(builder))
        if (!given->contains(variable.layer))
            left.insert(variable.layer);
    return std::vector<std::int64_t>(left.begin(), left.end());
}

std::optional<std::vector<std::int64_t>> layersLeft(PythonProgramBuilder& builder, PythonPlace place,
                                                    const PythonValue& variables) {
    const auto given = namesByLayer(builder, variables);
    if (!given)
        return std::nullopt;
    std::map<std::int64_t, std::size_t> all;
    for (const GraphVariable& variable : graphVariables(builder))
        ++all[variable.layer];
    for (const auto& [layer, names] : *given)
        if (names.size() < all[layer])
            builder.refuse(place, "python/unsupported",
                           fmt::format("only some weights of the layer \"{}\" are trained, which a project "
                                       "does not hold",
                                       quotedName(builder.layer(layer).name)),
                           {"train all weights of a layer or none of them"});
    return layersWithout(builder, variables);
}

std::vector<PythonApiName> collectionNames() {
    std::vector<PythonApiName> names{
        readName("tf.**.trainable_variables", [](const auto& call) { return trainableVariables(call, 0); }),
        readName("tf.get_collection", collection),
        readName("tf.get_collection_ref", collection),
        readName("tf.add_to_collection", addToCollection),
        readName("tf.losses.get_regularization_losses", regularizationLosses),
        readName("tf.losses.get_regularization_loss", regularizationLoss),
        readName("tf.losses.get_losses", collectedLosses),
        readName("tf.losses.get_total_loss", totalLoss),
        readName("tf.losses.add_loss", [](const auto& call) {
            if (!call.arguments.list.empty())
                collectLoss(call, call.arguments.list.front());
            return PythonValue();
        })};
    return names;
}

} // namespace core
