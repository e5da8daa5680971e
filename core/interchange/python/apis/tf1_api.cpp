// The names of TensorFlow 1 that TensorFlow 2 keeps under compat.v1: placeholders, losses, optimizers.
#include "core/interchange/python/apis/api_catalogue.h"
#include "core/interchange/python/apis/calls/training_loop.h"
#include "core/interchange/python/apis/contrib_functions.h"
#include "core/interchange/python/apis/data/data_methods.h"
#include "core/interchange/python/apis/standard/program_flags.h"
#include "core/interchange/python/apis/tf1_objects.h"
#include "core/interchange/python/draft/layers.h"
#include "core/interchange/python/draft/losses.h"
#include "core/interchange/python/draft/sample_computation.h"
#include "core/interchange/python/draft/sample_shapes.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace core {

namespace {

/// A loss function: the class that computes the same, and what its operands are called.
struct OlderLoss {
    std::string_view name;
    std::string_view className;
    bool fromLogits;
    std::string_view target;
    std::string_view prediction;
};
constexpr std::array<OlderLoss, 9> olderLosses{{
    {"huber_loss", "Huber", false, "labels", "predictions"},
    {"sparse_softmax_cross_entropy_with_logits", "SparseCategoricalCrossentropy", true, "labels", "logits"},
    {"softmax_cross_entropy_with_logits", "CategoricalCrossentropy", true, "labels", "logits"},
    {"softmax_cross_entropy_with_logits_v2", "CategoricalCrossentropy", true, "labels", "logits"},
    {"sigmoid_cross_entropy_with_logits", "BinaryCrossentropy", true, "labels", "logits"},
    {"sparse_softmax_cross_entropy", "SparseCategoricalCrossentropy", true, "labels", "logits"},
    {"softmax_cross_entropy", "CategoricalCrossentropy", true, "onehot_labels", "logits"},
    {"mean_squared_error", "MeanSquaredError", false, "labels", "predictions"},
    {"absolute_difference", "MeanAbsoluteError", false, "labels", "predictions"},
}};

/// An optimizer of tf.train: the Keras class that does the same, its arguments in order with Keras' names and
/// their defaults where those differ from Keras'. Source: the constructors' signatures in TensorFlow's
/// documentation.
struct OlderOptimizer {
    struct Argument {
        const char* name;
        const char* keras;
        const char* defaultText = nullptr;
    };
    std::string_view name;
    std::string_view className;
    std::vector<Argument> arguments;
};
const std::vector<OlderOptimizer>& olderOptimizers() {
    static const std::vector<OlderOptimizer> list{
        {"GradientDescentOptimizer", "SGD", {{"learning_rate", "learning_rate"}}},
        {"MomentumOptimizer",
         "SGD",
         {{"learning_rate", "learning_rate"},
          {"momentum", "momentum"},
          {"use_locking", nullptr},
          {"name", nullptr},
          {"use_nesterov", "nesterov"}}},
        {"AdamOptimizer",
         "Adam",
         {{"learning_rate", "learning_rate", "0.001"},
          {"beta1", "beta_1"},
          {"beta2", "beta_2"},
          {"epsilon", "epsilon", "1e-08"}}},
        {"RMSPropOptimizer",
         "RMSprop",
         {{"learning_rate", "learning_rate"},
          {"decay", "rho", "0.9"},
          {"momentum", "momentum"},
          {"epsilon", "epsilon", "1e-10"},
          {"use_locking", nullptr},
          {"centered", "centered"}}},
        {"AdagradOptimizer",
         "Adagrad",
         {{"learning_rate", "learning_rate"},
          {"initial_accumulator_value", "initial_accumulator_value", "0.1"}}},
        {"AdadeltaOptimizer",
         "Adadelta",
         {{"learning_rate", "learning_rate", "0.001"},
          {"rho", "rho", "0.95"},
          {"epsilon", "epsilon", "1e-08"}}},
    };
    return list;
}

/// What a loss is told beside its operands, by name or behind their places.
void refuseFurther(const PythonApiCall& call, const OlderLoss& known) {
    constexpr std::size_t operands = 2;
    for (const auto& [name, value] : call.arguments.keywords)
        if (name != known.target && name != known.prediction && name != "name" &&
            (name != "label_smoothing" || !known.fromLogits))
            call.refuse("python/unsupported",
                        fmt::format("\"{}\" of this loss is not read", quotedName(name)),
                        {"use the loss of keras.losses that has it"});
    if (call.arguments.list.size() > operands)
        call.refuse("python/unsupported", "a third argument of this loss is not read",
                    {"use the loss of keras.losses that has it"});
}

PythonValue olderLoss(const PythonApiCall& call, const OlderLoss& known) {
    refuseFurther(call, known);
    Json config = known.fromLogits ? Json{{"from_logits", true}} : Json(Json::object());
    if (const PythonValue* smoothing = call.arguments.keyword("label_smoothing"))
        config["label_smoothing"] = call.builder.json(*smoothing, call.place());
    PythonValue made = makeLoss(
        call.builder, std::string(known.className), std::move(config), call.arguments.find(known.target, 0),
        call.arguments.find(known.prediction, 1), call.place(), known.name.starts_with("sigmoid"));
    if (auto* loss = std::get_if<PythonLoss>(&made.content))
        loss->isReduced = call.path.starts_with("tf.losses."); // they are means
    return made;
}

/// tf.gradients(loss, variables): gradients of a graph, applied by an optimizer as those of
/// compute_gradients() are.
PythonValue gradientsOfTarget(const PythonApiCall& call) {
    const PythonValue* target = call.arguments.find("ys", 0);
    PythonData gradients;
    gradients.isGradient = true;
    if (target != nullptr && (target->is<PythonLoss>() || target->is<PythonTensor>()))
        static_cast<void>(gradientsOfGraph(call, *target));
    return gradients;
}

PythonValue olderOptimizer(const PythonApiCall& call, const OlderOptimizer& known) {
    Json config = Json::object();
    if (call.arguments.list.size() > known.arguments.size())
        call.refuse("python/unsupported", fmt::format("name the arguments of {}", known.name),
                    {"write name=value for each of them"});
    for (std::size_t i = 0; i < known.arguments.size(); ++i) {
        const OlderOptimizer::Argument& argument = known.arguments[i];
        const PythonValue* given = call.arguments.find(argument.name, i);
        if (argument.keras == nullptr)
            continue;
        if (given != nullptr)
            config[argument.keras] = call.builder.optimizerNumber(*given, call.place());
        else if (argument.defaultText != nullptr)
            config[argument.keras] = Json::parse(argument.defaultText);
        else if (i == 0)
            call.refuse("python/name", fmt::format("{}() lacks its learning rate", known.name),
                        {fmt::format("write {}(0.01)", known.name)});
    }
    for (const auto& entry : call.arguments.keywords) {
        const std::string& name = entry.first;
        const bool isKnown =
            std::ranges::any_of(known.arguments, [&](const auto& argument) { return name == argument.name; });
        if (!isKnown && name != "name" && name != "use_locking")
            call.refuse("python/value",
                        fmt::format("{}() has no argument \"{}\"", known.name, quotedName(name)),
                        {"leave it out"});
    }
    return PythonConfigured{
        {{"class_name", known.className}, {"config", std::move(config)}, {pythonOptimizerAlone, true}},
        call.path};
}

PythonValue placeholder(const PythonApiCall& call) {
    const PythonValue* shape = call.arguments.given("shape", 1);
    return call.builder.addPlaceholder(shape == nullptr ? Json() : call.builder.json(*shape, call.place()));
}

/// Functions that make a layer of Keras and call it at once.
struct OlderLayer {
    std::string_view name;
    std::string_view className;
};
constexpr std::array<OlderLayer, 17> olderLayers{{{"dense", "Dense"},
                                                  {"flatten", "Flatten"},
                                                  {"dropout", "Dropout"},
                                                  {"batch_normalization", "BatchNormalization"},
                                                  {"conv1d", "Conv1D"},
                                                  {"conv2d", "Conv2D"},
                                                  {"conv3d", "Conv3D"},
                                                  {"separable_conv1d", "SeparableConv1D"},
                                                  {"separable_conv2d", "SeparableConv2D"},
                                                  {"conv2d_transpose", "Conv2DTranspose"},
                                                  {"conv3d_transpose", "Conv3DTranspose"},
                                                  {"max_pooling1d", "MaxPooling1D"},
                                                  {"max_pooling2d", "MaxPooling2D"},
                                                  {"max_pooling3d", "MaxPooling3D"},
                                                  {"average_pooling1d", "AveragePooling1D"},
                                                  {"average_pooling2d", "AveragePooling2D"},
                                                  {"average_pooling3d", "AveragePooling3D"}}};

bool asksForReuse(const PythonValue* reuse) {
    const auto* name = reuse == nullptr ? nullptr : reuse->as<PythonLibraryName>();
    return (name != nullptr && lastPart(name->path) == "AUTO_REUSE") ||
           (reuse != nullptr && reuse->constant() == true);
}

/// with tf.variable_scope("layer1", reuse=tf.AUTO_REUSE):
PythonValue variableScope(const PythonApiCall& call) {
    const PythonValue* name = call.arguments.given("name_or_scope", 0);
    if (name == nullptr)
        name = call.arguments.given("default_name", 1);
    PythonScope scope;
    if (name != nullptr && name->isText())
        scope.variables = name->constant().get<std::string>();
    constexpr std::size_t reuseAt = 7;
    scope.reuses = asksForReuse(call.arguments.given("reuse", reuseAt));
    return scope;
}

/// The name of a layer, which is unique in its scope only; and the layer of that name that is used again.
struct ScopedName {
    std::string key;
    std::optional<PythonLayerName> known;
};
ScopedName scopedName(const PythonApiCall& call) {
    const PythonValue* name = call.arguments.keyword("name");
    if (name == nullptr || !name->isText())
        return {};
    ScopedName scoped{call.builder.scope.variables + "/" + name->constant().get<std::string>(), {}};
    const bool reuses = call.builder.scope.reuses || asksForReuse(call.arguments.keyword("reuse"));
    if (const auto found = call.builder.variables.find(scoped.key);
        reuses && found != call.builder.variables.end() && found->second.is<PythonLayerName>())
        scoped.known = *found->second.as<PythonLayerName>();
    return scoped;
}

PythonValue olderLayer(const PythonApiCall& call, const OlderLayer& known) {
    const PythonValue* given = call.arguments.find("inputs", 0);
    if (given == nullptr || !given->is<PythonTensor>())
        return samplesOfArguments(call.arguments);
    PythonArguments tensors{{*given}, {}, call.place()};
    const ScopedName scoped = scopedName(call);
    if (scoped.known)
        return callLayer(call.builder, *scoped.known, tensors);
    PythonArguments own{{}, {}, call.place()};
    const bool isFirst = call.arguments.keyword("inputs") == nullptr;
    own.list.assign(call.arguments.list.begin() + (isFirst ? 1 : 0), call.arguments.list.end());
    bool trains = false;
    for (const auto& [name, value] : call.arguments.keywords) {
        if (name == "training")
            trains = value.constant() != false;
        else if (name != "inputs" && name != "reuse" && name != "fused" && !value.isNone())
            own.keywords.emplace_back(name, value);
    }
    // A dropout that is not told that it trains lets everything pass.
    if (known.name == "dropout" && !trains)
        return *given;
    for (auto& [name, value] : own.keywords)
        if (name == "name" && value.isText() && call.builder.isUsed(value.constant().get<std::string>()))
            value = pythonText(call.builder.freshName(value.constant().get<std::string>()));
    const PythonLayerName layer = makeLayer(call.builder, std::string(known.className), own);
    if (!scoped.key.empty())
        call.builder.variables[scoped.key] = layer;
    return callLayer(call.builder, layer, tensors);
}

/// tf.nn.max_pool(x, ksize, strides, padding) and tf.nn.avg_pool(): windows and strides are a number, one for
/// each axis of an image, or one for each axis.
PythonValue pooled(const PythonApiCall& call, const char* className) {
    const PythonValue* given = call.arguments.find("input", 0);
    given = given == nullptr ? call.arguments.keyword("value") : given;
    if (given == nullptr || !given->is<PythonTensor>())
        return samplesOfArguments(call.arguments);
    constexpr std::size_t axes = 4;
    const auto extents = [&](const char* name, std::size_t position) {
        const PythonValue* value = call.arguments.given(name, position);
        const Json all = value == nullptr ? Json() : call.builder.json(*value, call.place());
        return all.is_array() && all.size() == axes ? Json{all[1], all[2]} : all;
    };
    const PythonValue* padding = call.arguments.given("padding", 3);
    const PythonValue* format = call.arguments.given("data_format", axes);
    const Json window = extents("ksize", 1);
    const Json strides = extents("strides", 2);
    if (padding == nullptr || !padding->isText() || window.is_null() || strides.is_null() ||
        (format != nullptr && format->constant() != "NHWC"))
        call.refuse("python/unsupported", fmt::format("this call of {}() is not read", call.name()),
                    {"give ksize, strides, padding=\"SAME\" or \"VALID\", and channels last",
                     fmt::format("use tf.keras.layers.{}", className)});
    PythonArguments own{{},
                        {{"pool_size", pythonConstant(window)},
                         {"strides", pythonConstant(strides)},
                         {"padding", pythonText(padding->constant() == "SAME" ? "same" : "valid")}},
                        call.place()};
    PythonArguments tensors{{*given}, {}, call.place()};
    return callLayer(call.builder, makeLayer(call.builder, className, own), tensors);
}

/// tf.nn.dropout(x, rate=…), or keep_prob in TensorFlow 1.
PythonValue droppedOut(const PythonApiCall& call) {
    const PythonValue* given = call.arguments.find("x", 0);
    if (given == nullptr || !given->is<PythonTensor>())
        return samplesOfArguments(call.arguments);
    const PythonValue* rate = call.arguments.keyword("rate");
    const PythonValue* kept = call.arguments.keyword("keep_prob");
    // The second argument is what is kept in TensorFlow 1, and the rate since.
    const PythonValue* second = call.arguments.list.size() > 1 ? &call.arguments.list[1] : nullptr;
    if (rate == nullptr && kept == nullptr)
        (call.builder.importsOlderApi ? kept : rate) = second;
    const PythonValue* number = rate != nullptr ? rate : kept;
    if (number == nullptr || !number->isNumber())
        call.refuse("python/value", "how much dropout() leaves out is no number of the program",
                    {"write rate=0.1, or keep_prob=0.9 in TensorFlow 1"});
    const double share = number->constant().get<double>();
    PythonArguments own{{}, {{"rate", pythonConstant(rate != nullptr ? share : 1 - share)}}, call.place()};
    PythonArguments tensors{{*given}, {}, call.place()};
    return callLayer(call.builder, makeLayer(call.builder, "Dropout", own), tensors);
}

/// tf.trainable_variables(); those of a scope are not told apart.
PythonValue trainedWeights(const PythonApiCall& call) {
    const bool isOfAll = call.arguments.list.empty() && call.arguments.keywords.empty();
    return isOfAll ? weightsOfModel() : PythonData();
}

std::vector<PythonApiName> tf1Names() {
    std::vector<PythonApiName> names{
        readName("tf.**.placeholder", placeholder),
        readName("tf.**.trainable_variables", trainedWeights),
        readName("tf.gradients", gradientsOfTarget),
        readName("tf.control_dependencies", [](const PythonApiCall&) { return PythonValue(PythonScope()); }),
        readName("tf.variable_scope", variableScope),
        readName("tf.python.ops.variable_scope.variable_scope", variableScope)};
    for (const char* flags : {"tf.flags", "tf.app.flags"})
        for (PythonApiName& name : flagFunctions(flags))
            names.push_back(std::move(name));
    names.push_back(mainFunction("tf.app.run"));
    for (const char* name : {"max_pool", "max_pool2d"})
        names.push_back(readName(std::string("tf.nn.") + name,
                                 [](const auto& call) { return pooled(call, "MaxPooling2D"); }));
    for (const char* name : {"avg_pool", "avg_pool2d"})
        names.push_back(readName(std::string("tf.nn.") + name,
                                 [](const auto& call) { return pooled(call, "AveragePooling2D"); }));
    names.push_back(readName("tf.nn.dropout", droppedOut));
    for (PythonApiName& name : contribNames())
        names.push_back(std::move(name));
    for (PythonApiName& name : olderObjectNames())
        names.push_back(std::move(name));
    for (const OlderLayer& known : olderLayers) {
        names.push_back(readName("tf.layers." + std::string(known.name),
                                 [&known](const auto& call) { return olderLayer(call, known); }));
        names.push_back(readName("tf.layers." + std::string(known.className), [&known](const auto& call) {
            return makeLayer(call.builder, std::string(known.className), call.arguments);
        }));
    }
    for (const OlderLoss& known : olderLosses)
        for (const char* module : {"tf.nn.**.", "tf.losses.**."})
            names.push_back(readName(module + std::string(known.name),
                                     [&known](const auto& call) { return olderLoss(call, known); }));
    for (const OlderOptimizer& known : olderOptimizers())
        names.push_back(readName("tf.**." + std::string(known.name),
                                 [&known](const auto& call) { return olderOptimizer(call, known); }));
    return names;
}

} // namespace

const PythonApiTable& tf1Api() {
    static const PythonApiTable api{
        {}, {"tensorflow.python.training.gradient_descent.GradientDescentOptimizer"}, tf1Names()};
    return api;
}

} // namespace core
