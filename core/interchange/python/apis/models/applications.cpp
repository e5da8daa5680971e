#include "core/interchange/python/apis/models/applications.h"

#include "core/interchange/python/draft/models.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string>

namespace core {

namespace {

/// A network of keras.applications: the template of this program that is the same, and its depth.
struct Application {
    std::string_view name;
    std::string_view templateName;
    std::string_view depth;
};
constexpr std::array<Application, 5> applications{{{"ResNet50", "resnet", "50"},
                                                   {"ResNet101", "resnet", "101"},
                                                   {"ResNet152", "resnet", "152"},
                                                   {"VGG16", "vgg", "16"},
                                                   {"VGG19", "vgg", "19"}}};

/// Layers that are left out without the top, of either network.
constexpr std::array<std::string_view, 5> top{"avg_pool", "flatten", "fc1", "fc2", "predictions"};

Json nodesFrom(const std::string& layer) {
    return Json::array({Json::array({Json::array({layer, 0, 0, Json::object()})})});
}

std::string nameOf(const Json& layer) {
    return layer["config"].value("name", layer.value("name", std::string()));
}

/// Keras pads by a layer of its own and then convolves or pools without padding.
void padBefore(Json& layers, const std::string& name, const std::string& padding, int amount) {
    for (std::size_t i = 0; i < layers.size(); ++i) {
        if (nameOf(layers[i]) != name)
            continue;
        const Json sides = Json::array({amount, amount});
        Json pad{{"class_name", "ZeroPadding2D"},
                 {"config", {{"name", padding}, {"padding", Json::array({sides, sides})}}},
                 {"name", padding},
                 {"inbound_nodes", layers[i]["inbound_nodes"]}};
        layers[i]["config"]["padding"] = "valid";
        layers[i]["inbound_nodes"] = nodesFrom(padding);
        layers.insert(layers.begin() + static_cast<std::ptrdiff_t>(i), std::move(pad));
        return;
    }
}

/// The network up to its last block, and the mean of that where `pooling` is "avg".
void leaveOutTop(Json& config, const std::string& pooling) {
    Json& layers = config["layers"];
    Json kept = Json::array();
    for (Json& layer : layers)
        if (std::ranges::find(top, nameOf(layer)) == top.end())
            kept.push_back(std::move(layer));
    layers = std::move(kept);
    std::string last = nameOf(layers.back());
    if (pooling == "avg" || pooling == "max") {
        const std::string name = pooling + "_pool";
        layers.push_back({{"class_name", pooling == "avg" ? "GlobalAveragePooling2D" : "GlobalMaxPooling2D"},
                          {"config", {{"name", name}}},
                          {"name", name},
                          {"inbound_nodes", nodesFrom(last)}});
        last = name;
    }
    config["output_layers"] = Json::array({Json::array({last, 0, 0})});
}

/// An argument of a network: by name, or at its place.
Json argumentOf(const PythonApiCall& call, const char* name, std::size_t position) {
    const PythonValue* given = call.arguments.given(name, position);
    return given == nullptr ? Json() : call.builder.json(*given, call.place());
}

void checkArguments(const PythonApiCall& call, const Application& known) {
    constexpr std::array<std::string_view, 5> read{"include_top", "weights", "input_shape", "pooling",
                                                   "classes"};
    for (const auto& [key, value] : call.arguments.keywords) {
        const bool isDefault = value.isNone() || (key == "classifier_activation" && value.isText() &&
                                                  value.constant() == "softmax");
        if (std::ranges::find(read, key) == read.end() && !isDefault)
            call.refuse("python/unsupported",
                        fmt::format("the argument \"{}\" of {} is not read", quotedName(key), known.name),
                        {"leave it out, or save the model with to_json() and import that"});
    }
}

PythonValue makeApplication(const PythonApiCall& call, const Application& known) {
    checkArguments(call, known);
    Json values{{"depth", known.depth}};
    constexpr std::size_t shapeAt = 3;
    if (const Json extents = argumentOf(call, "input_shape", shapeAt); !extents.is_null()) {
        constexpr std::size_t axes = 3;
        if (!extents.is_array() || extents.size() != axes || extents[0] != extents[1] || extents[2] != 3)
            call.refuse("python/unsupported",
                        fmt::format("{} is known for square images of three channels", known.name),
                        {"write input_shape=(n, n, 3)", "save the model with to_json() and import that"});
        values["image"] = extents[0];
    }
    if (const Json classes = argumentOf(call, "classes", shapeAt + 2); classes.is_number_integer())
        values["classes"] = classes;
    const PythonModelName made =
        makeTemplateModel(call.builder, std::string(known.templateName), values, call.place());
    Json& config = call.builder.model(made.model).document["config"];
    // Convolutions of Keras' networks have biases, those of the papers none before a normalisation.
    for (Json& layer : config["layers"])
        if (layer["class_name"] == "Conv2D")
            layer["config"]["use_bias"] = true;
    constexpr int stem = 3;
    padBefore(config["layers"], "conv1_conv", "conv1_pad", stem);
    padBefore(config["layers"], "pool1_pool", "pool1_pad", 1);
    if (argumentOf(call, "include_top", 0) == false) {
        const Json pooling = argumentOf(call, "pooling", shapeAt + 1);
        leaveOutTop(config, pooling.is_string() ? pooling.get<std::string>() : std::string());
    }
    return made;
}

} // namespace

std::vector<PythonApiName> applicationNames() {
    std::vector<PythonApiName> names;
    for (const Application& known : applications)
        names.push_back(readName("keras.**.*applications*.**." + std::string(known.name),
                                 [known](const auto& call) { return makeApplication(call, known); }));
    return names;
}

} // namespace core
