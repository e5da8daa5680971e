#include "core/interchange/python/apis/models/applications.h"

#include "core/interchange/python/apis/data/data_methods.h"
#include "core/interchange/python/apis/models/keras_networks.h"
#include "core/interchange/python/draft/models.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <utility>

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

/// Height, width and channels of `input_shape`; nothing: it is not given.
std::optional<std::array<std::int64_t, 3>> givenShape(const PythonApiCall& call, std::string_view network,
                                                      std::size_t position) {
    const Json extents = argumentOf(call, "input_shape", position);
    if (extents.is_null())
        return std::nullopt;
    std::array<std::int64_t, 3> shape{};
    const bool isShape = extents.is_array() && extents.size() == shape.size() &&
                         std::ranges::all_of(extents, [](const Json& extent) {
                             return extent.is_number_integer() && extent.get<std::int64_t>() > 0;
                         });
    if (!isShape)
        call.refuse("python/unsupported", fmt::format("{} needs the extents of its images", network),
                    {"write input_shape=(height, width, channels)"});
    std::ranges::transform(extents, shape.begin(),
                           [](const Json& extent) { return extent.get<std::int64_t>(); });
    return shape;
}

/// Where the arguments of a network stand, and which it has.
struct NetworkArguments {
    std::vector<std::string_view> inOrder;

    [[nodiscard]] Json value(const PythonApiCall& call, const char* name) const {
        const auto found = std::ranges::find(inOrder, name);
        return argumentOf(call, name, static_cast<std::size_t>(found - inOrder.begin()));
    }
    [[nodiscard]] std::size_t place(const char* name) const {
        return static_cast<std::size_t>(std::ranges::find(inOrder, name) - inOrder.begin());
    }
    void check(const PythonApiCall& call, std::string_view network) const {
        constexpr std::array<std::string_view, 8> read{
            "include_top", "weights", "input_shape", "pooling",
            "classes",     "alpha",   "dropout",     "classifier_activation"};
        for (const auto& [key, value] : call.arguments.keywords)
            if (std::ranges::find(read, key) == read.end() && !value.isNone() && key != "name")
                call.refuse("python/unsupported",
                            fmt::format("the argument \"{}\" of {} is not read", quotedName(key), network),
                            {"leave it out, or save the model with to_json() and import that"});
    }
};

NetworkArguments argumentsOf(std::string_view network) {
    if (network == "MobileNet")
        return {{"input_shape", "alpha", "depth_multiplier", "dropout", "include_top", "weights",
                 "input_tensor", "pooling", "classes", "classifier_activation"}};
    if (network == "MobileNetV2")
        return {{"input_shape", "alpha", "include_top", "weights", "input_tensor", "pooling", "classes",
                 "classifier_activation"}};
    return {{"include_top", "weights", "input_tensor", "input_shape", "pooling", "classes",
             "classifier_activation"}};
}

/// What the last layer makes of its numbers; Keras' default is a softmax.
void setTop(const PythonApiCall& call, const NetworkArguments& arguments, Json& config) {
    const PythonValue* given =
        call.arguments.find("classifier_activation", arguments.place("classifier_activation"));
    Json& layers = config["layers"];
    const auto top = std::ranges::find(layers, "predictions", nameOf);
    if (top == layers.end())
        return;
    (*top)["config"]["activation"] = given == nullptr  ? Json("softmax")
                                     : given->isNone() ? Json("linear")
                                                       : call.builder.json(*given, call.place());
}

/// Weights that were trained elsewhere are a file that no program has.
void warnOfWeights(const PythonApiCall& call, const NetworkArguments& arguments, std::string_view network) {
    const PythonValue* given = call.arguments.find("weights", arguments.place("weights"));
    if (given == nullptr || !given->isNone())
        call.warn(
            "python/weights", fmt::format("the trained weights of {} are not part of the project", network),
            {"write weights=None where it is trained from its beginning", "set training.weights to a file"});
}

PythonValue makeApplication(const PythonApiCall& call, const Application& known) {
    const NetworkArguments arguments = argumentsOf(known.name);
    arguments.check(call, known.name);
    warnOfWeights(call, arguments, known.name);
    Json values{{"depth", known.depth}};
    if (known.templateName == "resnet")
        values["version"] = "v1";
    if (const auto shape = givenShape(call, known.name, arguments.place("input_shape"))) {
        const auto [height, width, channels] = *shape;
        const bool takesChannels = known.templateName == "resnet";
        if (height != width || (channels != 3 && !takesChannels))
            call.refuse("python/unsupported",
                        fmt::format("{} is known for square images{}", known.name,
                                    takesChannels ? "" : " of three channels"),
                        {"write input_shape=(n, n, 3)", "save the model with to_json() and import that"});
        values["image"] = height;
        if (takesChannels)
            values["channels"] = channels;
    }
    if (const Json classes = arguments.value(call, "classes"); classes.is_number_integer())
        values["classes"] = classes;
    Json document = templateDocument(call.builder, std::string(known.templateName), values, call.place());
    Json& config = document["config"];
    constexpr int stem = 3;
    padBefore(config["layers"], "conv1_conv", "conv1_pad", stem);
    padBefore(config["layers"], "pool1_pool", "pool1_pad", 1);
    if (arguments.value(call, "include_top") == false) {
        const Json pooling = arguments.value(call, "pooling");
        leaveOutTop(config, pooling.is_string() ? pooling.get<std::string>() : std::string());
    }
    setTop(call, arguments, config);
    return makeDocumentModel(call.builder, document, call.place());
}

PythonValue makeNetwork(const PythonApiCall& call, const std::string& name) {
    const NetworkArguments arguments = argumentsOf(name);
    arguments.check(call, name);
    warnOfWeights(call, arguments, name);
    NetworkRequest request;
    const bool hasTop = arguments.value(call, "include_top") != false;
    const std::int64_t usual = networkExtent(name).value_or(0);
    const auto [height, width, channels] = givenShape(call, name, arguments.place("input_shape"))
                                               .value_or(std::array<std::int64_t, 3>{usual, usual, 3});
    request.height = height;
    request.width = width;
    request.channels = channels;
    request.hasTop = hasTop;
    if (const Json classes = arguments.value(call, "classes"); classes.is_number_integer())
        request.classes = classes.get<std::int64_t>();
    if (const Json pooling = arguments.value(call, "pooling"); pooling.is_string())
        request.pooling = pooling.get<std::string>();
    if (name.starts_with("MobileNet"))
        if (const Json alpha = arguments.value(call, "alpha"); alpha.is_number())
            request.alpha = alpha.get<double>();
    constexpr std::int64_t smallest = 32; // Source: imagenet_utils.obtain_input_shape(), min_size
    constexpr std::int64_t largest = 100'000;
    constexpr double widest = 16;
    if (std::min(height, width) < smallest || std::max(height, width) > largest)
        call.refuse("python/value",
                    fmt::format("{} takes images of {} to {} pixels each way", name, smallest, largest),
                    {fmt::format("write input_shape=({0}, {0}, 3)", std::max(usual, smallest))});
    if (request.classes < 1 || request.classes > largest * largest ||
        !(request.alpha > 0 && request.alpha <= widest))
        call.refuse("python/value", fmt::format("classes or alpha of {} is out of range", name),
                    {"give at least one class, and an alpha above 0"});
    Json document = kerasNetwork(name, request);
    Json& config = document["config"];
    if (const Json rate = arguments.value(call, "dropout"); name == "MobileNet" && rate.is_number())
        for (Json& layer : config["layers"])
            if (layer["class_name"] == "Dropout")
                layer["config"]["rate"] = rate;
    setTop(call, arguments, config);
    return makeDocumentModel(call.builder, document, call.place());
}

} // namespace

namespace {

/// preprocess_input(x) of a network on a tensor of the model. Source: imagenet_utils.preprocess_input().
PythonValue preprocessed(const PythonApiCall& call) {
    const PythonValue* given = call.arguments.find("x", 0);
    if (const auto* data = given == nullptr ? nullptr : given->as<PythonData>()) { // samples stay as many
        PythonData made = *data;
        made.array = nullptr;
        made.areWhole = false;
        made.byteType.clear();
        return made;
    }
    if (given == nullptr || !given->is<PythonTensor>())
        return samplesOfArguments(call.arguments);
    constexpr std::array<std::string_view, 6> unchanged{"efficientnet", "mobilenet_v3",    "regnet",
                                                        "convnext",     "efficientnet_v2", "resnet_rs"};
    constexpr std::array<std::string_view, 5> ofCaffe{"resnet50", "resnet", "vgg16", "vgg19",
                                                      "imagenet_utils"};
    const std::string module = lastPart(call.path.substr(0, call.path.rfind('.')));
    const PythonValue* asked = call.arguments.keyword("mode");
    const std::string mode = asked != nullptr && asked->isText() ? asked->constant().get<std::string>()
                             : module == "densenet"              ? "torch"
                             : std::ranges::find(ofCaffe, module) != ofCaffe.end() ? "caffe"
                                                                                   : "tf";
    if (std::ranges::find(unchanged, module) != unchanged.end())
        return *given;
    const auto reckon = [&](const char* operation, const PythonValue& value, const PythonValue& other) {
        return call.interpreter.operation(operation, value, other, call.place());
    };
    const auto numbers = [](std::initializer_list<double> list) {
        PythonValues values;
        for (const double number : list)
            values.push_back(pythonConstant(number));
        return pythonList(std::move(values));
    };
    constexpr double half = 127.5;
    constexpr double largest = 255.0;
    if (mode == "tf")
        return reckon("-", reckon("/", *given, pythonConstant(half)), pythonConstant(1.0));
    if (mode == "torch")
        return reckon(
            "/", reckon("-", reckon("/", *given, pythonConstant(largest)), numbers({0.485, 0.456, 0.406})),
            numbers({0.229, 0.224, 0.225}));
    PythonArguments last{{*given}, {{"axis", pythonConstant(Json::array({-1}))}}, call.place()};
    return reckon("-", call.interpreter.call(PythonLibraryName{"tf.reverse"}, last),
                  numbers({103.939, 116.779, 123.68}));
}

} // namespace

std::vector<PythonApiName> applicationNames() {
    std::vector<PythonApiName> names;
    const auto add = [&](std::string_view name, auto make) {
        names.push_back(readName("keras.**.*applications*.**." + std::string(name), make));
    };
    add("preprocess_input", preprocessed);
    for (const Application& known : applications)
        add(known.name, [known](const auto& call) { return makeApplication(call, known); });
    for (const std::string_view name : networkNames())
        add(name, [name](const auto& call) { return makeNetwork(call, std::string(name)); });
    return names;
}

} // namespace core
