#include "core/model/edit/edit_rules.h"
#include "core/model/edit/graph_edit.h"
#include "core/model/graph/chain_input.h"
#include "core/model/graph/layer_catalogue.h"
#include "core/model/layer_naming.h"
#include "core/text/nearest_name.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace core {

Result<ModelGraph> renameLayer(const ModelGraph& graph, LayerId id, const std::string& name) {
    if (auto objection = objectionTo(graph, id))
        return failure(*objection);
    const bool hasControl =
        std::any_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; });
    if (name.empty() || hasControl)
        return refuseEdit(
            "name", graph.layer(id).name, "a layer's name is one line of text",
            {fmt::format("the next free name is \"{}\"", newLayerName(graph, graph.layer(id).className))});
    const auto other = graph.findLayer(name);
    if (other && *other != id)
        return refuseEdit("duplicate-name", graph.layer(id).name,
                          fmt::format("another layer is named \"{}\" already", name),
                          {fmt::format("the next free name is \"{}\"", uniqueLayerName(graph, name))});
    ModelGraph edited = graph;
    Layer& layer = edited.layers[id.index()];
    layer.name = name;
    if (layer.isNestedModel()) {
        ModelGraph inner = *layer.model;
        inner.name = name;
        layer.model = std::make_shared<const ModelGraph>(std::move(inner));
    } else {
        layer.config["name"] = name;
    }
    followFirstLayer(edited);
    return edited;
}

namespace {

void setTrainable(Layer& layer, bool trainable) {
    if (!layer.isNestedModel()) {
        layer.trainable = trainable;
        layer.config["trainable"] = trainable;
        return;
    }
    ModelGraph inner = *layer.model;
    if (!inner.extra.contains("config"))
        inner.extra["config"] = Json::object();
    inner.extra["config"]["trainable"] = trainable;
    inner.extra.erase("$list");
    layer.model = std::make_shared<const ModelGraph>(std::move(inner));
}

std::string nearestLegal(const AttributeDefinition& attribute, const Json& value) {
    if (!value.is_number())
        return fmt::format("give {}", acceptedValues(attribute));
    const double low = attribute.excludesLow ? std::max(attribute.low * 1.001, 1e-6) : attribute.low;
    const double legal = std::clamp(value.get<double>(), low, attribute.high);
    const bool isWhole =
        attribute.kind == AttributeKind::Integer || attribute.kind == AttributeKind::IntegerTuple;
    return isWhole ? fmt::format("the nearest legal value is {}", static_cast<std::int64_t>(legal))
                   : fmt::format("the nearest legal value is {}", legal);
}

Result<ModelGraph> refuseUnknownAttribute(const Layer& layer, const LayerDefinition* definition,
                                          const std::string& attribute) {
    std::vector<std::string> names;
    for (std::size_t i = 0; definition != nullptr && i < definition->attributes.size(); ++i)
        names.push_back(definition->attributes[i].name);
    const auto near = nearestName(attribute, names);
    return refuseEdit("unknown-attribute", layer.name,
                      fmt::format("{} has no attribute \"{}\"", layer.className, attribute),
                      {near ? fmt::format("did you mean \"{}\"?", *near)
                            : fmt::format("its attributes: {}", fmt::join(names, ", "))});
}

} // namespace

Result<ModelGraph> setAttribute(const ModelGraph& graph, LayerId id, const std::string& attribute,
                                const Json& value) {
    if (auto objection = objectionTo(graph, id))
        return failure(*objection);
    const Layer& before = graph.layer(id);
    if (attribute == "name")
        return renameLayer(graph, id, value.is_string() ? value.get<std::string>() : std::string());
    const LayerDefinition* definition = findLayerDefinition(before.className);
    const bool isTrainable = attribute == "trainable";
    const AttributeDefinition* known = definition != nullptr ? definition->findAttribute(attribute) : nullptr;
    // An unknown class may have any attribute.
    if ((before.isNestedModel() || definition != nullptr) && known == nullptr && !isTrainable)
        return refuseUnknownAttribute(before, definition, attribute);
    if (known != nullptr) {
        if (const auto objection = objectionTo(value, *known);
            objection && !(value.is_null() && !known->isRequired))
            return refuseEdit("attribute", before.name, *objection, {nearestLegal(*known, value)});
    }
    ModelGraph edited = graph;
    Layer& layer = edited.layers[id.index()];
    if (isTrainable) {
        setTrainable(layer, value != false);
        return edited;
    }
    if (known != nullptr) {
        for (const std::string& alias : known->aliases)
            layer.config.erase(alias);
    }
    // An input that is not listed would lose the value: from now on it is.
    if (layer.isImplicit) {
        layer.isImplicit = false;
        edited.extra.erase("$list");
    }
    const std::string key = known != nullptr ? known->name : attribute;
    if (value.is_null() && !(known != nullptr && known->isNullable))
        layer.config.erase(key);
    else
        layer.config[key] = value;
    followFirstLayer(edited);
    Diagnostics findings =
        definition != nullptr ? checkAttributes(*definition, layer.config, "", "") : Diagnostics{};
    for (Diagnostic& finding : findings) {
        finding.code = "edit/attribute";
        finding.location.place = layer.name;
    }
    return findings.empty() ? Result<ModelGraph>(std::move(edited)) : failure(std::move(findings));
}

Result<ModelGraph> replaceClass(const ModelGraph& graph, LayerId id, const std::string& className) {
    if (auto objection = objectionTo(graph, id))
        return failure(*objection);
    const Layer& before = graph.layer(id);
    const LayerDefinition* target = findLayerDefinition(className);
    if (before.isNestedModel() || before.className == "InputLayer" || className == "InputLayer")
        return refuseEdit("class", before.name, "nested models and inputs keep their class",
                          {"add a layer of that class, and remove this one"});
    NewLayer wanted{className, "", Json::object()};
    for (const auto& [key, value] : before.config.items()) {
        const AttributeDefinition* attribute = target != nullptr ? target->findAttribute(key) : nullptr;
        const bool fits = attribute != nullptr && !value.is_null() && !objectionTo(value, *attribute);
        if (fits)
            wanted.attributes[key] = value;
    }
    // Where the layer says what a chain is fed with, the next one does.
    if (const Layer& input = graph.layers.front(); id.index() == 1 && input.isImplicit) {
        if (const Json& shape = input.config["batch_input_shape"]; !shape.is_null())
            wanted.attributes["batch_input_shape"] = shape;
    }
    Result<Layer> made = makeLayer(graph, wanted);
    if (!made)
        return failure(made.error());
    made->id = id;
    made->name = before.name;
    made->config["name"] = before.name;
    ModelGraph edited = graph;
    for (LayerInvocation& invocation : edited.invocations) {
        if (invocation.layer != id)
            continue;
        if (invocation.inputs.size() > mostInputs(*made))
            return refuseEdit("too-many-inputs", before.name,
                              fmt::format("{} takes at most {} inputs, the layer has {}", className,
                                          mostInputs(*made), invocation.inputs.size()),
                              {"disconnect some first"});
        invocation.arguments = withNamedInputs(*target, invocation.inputs.size(), Json::object());
    }
    edited.layers[id.index()] = std::move(*made);
    followFirstLayer(edited);
    return edited;
}

} // namespace core
