// The names of TensorFlow 1 that TensorFlow 2 keeps under compat.v1: placeholders, losses, optimizers.
#include "core/catalogue/older_optimizers.h"
#include "core/interchange/python/apis/api_catalogue.h"
#include "core/interchange/python/apis/calls/gradients.h"
#include "core/interchange/python/apis/calls/loss_function.h"
#include "core/interchange/python/apis/calls/training_loop.h"
#include "core/interchange/python/apis/data/data_methods.h"
#include "core/interchange/python/apis/older/contrib_functions.h"
#include "core/interchange/python/apis/older/graph_collections.h"
#include "core/interchange/python/apis/older/step_formulas.h"
#include "core/interchange/python/apis/older/tf1_objects.h"
#include "core/interchange/python/apis/standard/program_flags.h"
#include "core/interchange/python/apis/weights/weight_penalty.h"
#include "core/interchange/python/draft/constant_array.h"
#include "core/interchange/python/draft/layers.h"
#include "core/interchange/python/draft/losses.h"
#include "core/interchange/python/draft/sample_computation.h"
#include "core/interchange/python/draft/sample_shapes.h"
#include "core/model/graph/layer_catalogue.h"
#include "core/model/layer_definition.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace core {

namespace {

/// A loss function: the class that computes the same, and what its operands are called. `further`: what
/// follows them, by the names of the class; "weights" multiply the loss.
struct OlderLoss {
    std::string_view name;
    std::string_view className;
    bool fromLogits;
    std::string_view target;
    std::string_view prediction;
    std::array<std::string_view, 2> further = {};
};
constexpr std::array<OlderLoss, 12> olderLosses{{
    {"huber_loss", "Huber", false, "labels", "predictions", {"weights", "delta"}},
    {"sparse_softmax_cross_entropy_with_logits", "SparseCategoricalCrossentropy", true, "labels", "logits"},
    {"softmax_cross_entropy_with_logits", "CategoricalCrossentropy", true, "labels", "logits"},
    {"softmax_cross_entropy_with_logits_v2", "CategoricalCrossentropy", true, "labels", "logits"},
    {"sigmoid_cross_entropy_with_logits", "BinaryCrossentropy", true, "labels", "logits"},
    {"sparse_softmax_cross_entropy", "SparseCategoricalCrossentropy", true, "labels", "logits", {"weights"}},
    {"softmax_cross_entropy",
     "CategoricalCrossentropy",
     true,
     "onehot_labels",
     "logits",
     {"weights", "label_smoothing"}},
    {"sigmoid_cross_entropy",
     "BinaryCrossentropy",
     true,
     "multi_class_labels",
     "logits",
     {"weights", "label_smoothing"}},
    {"mean_squared_error", "MeanSquaredError", false, "labels", "predictions", {"weights"}},
    {"absolute_difference", "MeanAbsoluteError", false, "labels", "predictions", {"weights"}},
    {"hinge_loss", "Hinge", false, "labels", "logits", {"weights"}},
    {"log_loss", "BinaryCrossentropy", false, "labels", "predictions", {"weights"}},
}};

/// An update of the weights that no project holds.
PythonValue otherOptimizer(const PythonApiCall& call) {
    call.refuse("python/unsupported",
                fmt::format("a project has no optimizer that does what {}() does", call.name()),
                {"take GradientDescentOptimizer, MomentumOptimizer, AdamOptimizer, RMSPropOptimizer, "
                 "AdagradOptimizer, AdadeltaOptimizer or FtrlOptimizer",
                 "take an optimizer of tf.keras.optimizers"});
}

/// What Keras calls a reduction of TensorFlow 1; "": the mean, which these losses are by default. Nothing: it
/// is not read.
std::optional<std::string> reductionNamed(const PythonValue& reduction) {
    constexpr std::array<std::string_view, 3> means{"SUM_BY_NONZERO_WEIGHTS", "SUM_OVER_BATCH_SIZE", "MEAN"};
    const auto* member = reduction.as<PythonLibraryName>();
    std::string name = member != nullptr    ? lastPart(member->path)
                       : reduction.isText() ? reduction.constant().get<std::string>()
                       : reduction.isNone() ? "MEAN"
                                            : "";
    std::ranges::transform(name, name.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    if (std::ranges::find(means, name) != means.end() || name == "WEIGHTED_MEAN")
        return "";
    return name == "SUM" || name == "WEIGHTED_SUM" ? std::optional<std::string>("sum")
           : name == "NONE"                        ? std::optional<std::string>("none")
                                                   : std::nullopt;
}

/// What a loss is told beside its operands, by name or behind their places: keys of its class. Answers the
/// weight of the loss; null: it has none.
const PythonValue* takeFurther(const PythonApiCall& call, const OlderLoss& known, Json& config) {
    constexpr std::size_t operands = 2;
    constexpr std::array<std::string_view, 3> silent{"name", "scope", "loss_collection"};
    const PythonValue* weights = nullptr;
    const auto take = [&](std::string_view name, const PythonValue& value) {
        const bool isKnown = !name.empty() && std::ranges::find(known.further, name) != known.further.end();
        const bool isSmoothing = name == "label_smoothing" && known.fromLogits;
        if (std::ranges::find(silent, name) != silent.end())
            return;
        if (const auto reduction = name == "reduction" ? reductionNamed(value) : std::nullopt) {
            if (!reduction->empty())
                config["reduction"] = *reduction;
            return;
        }
        if (name == "weights" && isKnown && value.isNumber())
            weights = &value;
        else if ((isKnown && name != "weights") || isSmoothing)
            config[std::string(name)] = call.builder.json(value, call.place());
        else
            call.refuse("python/unsupported",
                        fmt::format("\"{}\" of this loss is not read", quotedName(name)),
                        {name == "weights" ? "multiply the loss by a number, or set sample_weights of the "
                                             "dataset in the project"
                                           : "use the loss of keras.losses that has it"});
    };
    for (const auto& [name, value] : call.arguments.keywords)
        if (name != known.target && name != known.prediction)
            take(name, value);
    for (std::size_t i = operands; i < call.arguments.list.size(); ++i) {
        const std::size_t at = i - operands;
        if (at >= known.further.size() || known.further[at].empty())
            call.refuse("python/unsupported", "a further argument of this loss is not read",
                        {"use the loss of keras.losses that has it"});
        take(known.further[at], call.arguments.list[i]);
    }
    return weights;
}

PythonValue olderLoss(const PythonApiCall& call, const OlderLoss& known) {
    const bool isOfLosses = call.path.starts_with("tf.losses."); // they are means
    Json config = known.fromLogits ? Json{{"from_logits", true}} : Json(Json::object());
    const PythonValue* weights = takeFurther(call, known, config);
    PythonValue made =
        makeLoss(call.builder, std::string(known.className), std::move(config),
                 call.arguments.find(known.target, 0), call.arguments.find(known.prediction, 1), call.place(),
                 !isOfLosses && known.name.starts_with("sigmoid"));
    if (auto* loss = std::get_if<PythonLoss>(&made.content))
        loss->isReduced = isOfLosses;
    if (weights != nullptr)
        made = call.interpreter.operation("*", made, *weights, call.place());
    if (isOfLosses)
        collectLoss(call, made);
    return made;
}

/// tf.losses.cosine_distance(labels, predictions, axis): 1 minus the sum of their products, which are taken
/// to be of length 1.
PythonValue cosineDistance(const PythonApiCall& call) {
    const PythonValue* labels = call.arguments.find("labels", 0);
    const PythonValue* predictions = call.arguments.find("predictions", 1);
    const PythonValue* axis = call.arguments.given("axis", 2);
    axis = axis == nullptr ? call.arguments.keyword("dim") : axis;
    const PythonValue* weights = call.arguments.given("weights", 3);
    if (labels == nullptr || predictions == nullptr || axis == nullptr)
        call.refuse("python/value", "cosine_distance() takes labels, predictions and an axis",
                    {"write cosine_distance(labels, predictions, axis=-1)"});
    if (weights != nullptr && !weights->isNumber())
        call.refuse("python/unsupported", "\"weights\" of this loss is not read",
                    {"multiply the loss by a number"});
    PythonArguments products{{call.interpreter.operation("*", *labels, *predictions, call.place())},
                             {{"axis", *axis}, {"keepdims", pythonConstant(true)}},
                             call.place()};
    const PythonValue sum = call.interpreter.call(PythonLibraryName{"tf.reduce_sum"}, products);
    PythonArguments distance{
        {call.interpreter.operation("-", pythonConstant(1.0), sum, call.place())}, {}, call.place()};
    PythonValue mean = call.interpreter.call(PythonLibraryName{"tf.reduce_mean"}, distance);
    return weights == nullptr ? mean : call.interpreter.operation("*", mean, *weights, call.place());
}

/// tf.gradients(loss, variables): gradients of a graph, applied by an optimizer as those of
/// compute_gradients() are, or by the program itself.
PythonValue gradientsOfTarget(const PythonApiCall& call) {
    const PythonValue* target = call.arguments.find("ys", 0);
    const PythonValue* variables = call.arguments.given("xs", 1);
    PythonData gradients;
    gradients.isGradient = true;
    PythonValue sum;
    if (target != nullptr && target->is<PythonList>() && !target->items().empty()) { // of all of them
        sum = target->items().front();
        for (std::size_t i = 1; i < target->items().size(); ++i)
            sum = call.interpreter.operation("+", sum, target->items()[i], call.place());
        target = &sum;
    }
    if (target == nullptr || (!target->is<PythonLoss>() && !target->is<PythonTensor>()))
        return gradients;
    for (const char* name : {"grad_ys", "stop_gradients"})
        if (call.arguments.given(name, name[0] == 'g' ? 2 : 6) != nullptr)
            call.refuse("python/unsupported", fmt::format("\"{}\" of tf.gradients() is not read", name),
                        {"take the gradients of one loss, and use tf.stop_gradient() in it"});
    const auto left = variables == nullptr ? std::nullopt : layersWithout(call.builder, *variables);
    PythonValues given;
    if (left && variables != nullptr)
        given = variables->is<PythonList>() ? variables->items() : PythonValues{*variables};
    const PythonValue pairs = gradientsOfGraph(call, summedTarget(call, *target), given,
                                               left.value_or(std::vector<std::int64_t>()));
    PythonValues each;
    for (const PythonValue& pair : pairs.items())
        each.push_back(pair.items().front());
    return given.empty() ? each.front() : pythonList(std::move(each));
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
            config[argument.keras] =
                call.builder.optimizerNumber(rateOfFormula(call.builder, *given, call.place()), call.place());
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
    config.update(known.rule);
    PythonConfigured made{{{"class_name", known.className}, {"config", std::move(config)}}, call.path};
    if (!call.builder.reducesReplicas)
        made.json[pythonOptimizerAlone] = true;
    return made;
}

PythonValue placeholder(const PythonApiCall& call) {
    const PythonValue* shape = call.arguments.given("shape", 1);
    PythonData made =
        call.builder.addPlaceholder(shape == nullptr ? Json() : call.builder.json(*shape, call.place()));
    setType(made, typeNamed(call.arguments.find("dtype", 0)));
    return made;
}

/// tf.placeholder_with_default(0.7, []): the number, unless a session feeds another one.
PythonValue placeholderWithDefault(const PythonApiCall& call) {
    const PythonValue* value = call.arguments.find("input", 0);
    const PythonValue* shape = call.arguments.find("shape", 1);
    const Json extents = shape == nullptr ? Json() : call.builder.json(*shape, call.place());
    PythonData made = call.builder.addPlaceholder(extents);
    if (value != nullptr && value->isNumber())
        call.builder.feedByDefault(made, value->constant());
    return made;
}

/// tf.train.ExponentialMovingAverage(decay): a second set of weights, which a project does not keep.
PythonValue movingAverage(const PythonApiCall& call) {
    call.warn("python/ignored",
              "moving averages of weights are left out: neither their memory nor their "
              "time is in the project",
              {"remove them where a run should only train"});
    return pythonObject("tf.train.ExponentialMovingAverage");
}

PythonValue averagedVariable(const PythonApiCall& call) {
    const PythonValue* variable = call.arguments.find("var", 1);
    return variable == nullptr ? PythonValue(PythonData()) : *variable;
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
    constexpr std::size_t reuseAt = 8;
    scope.reuses = asksForReuse(call.arguments.given("reuse", reuseAt));
    const auto keep = [&](const char* argument, std::size_t position) {
        const PythonValue* given = call.arguments.given(argument, position);
        return given == nullptr || given->is<PythonData>() ? nullptr
                                                           : std::make_shared<const PythonValue>(*given);
    };
    scope.initializer = keep("initializer", 3);
    scope.regularizer = keep("regularizer", 4);
    scope.type = keep("dtype", reuseAt + 1);
    if (call.arguments.given("custom_getter", reuseAt - 1) != nullptr)
        call.warn(
            "python/ignored",
            "what custom_getter makes of variables is left out: they are what get_variable() makes",
            {"set training.precision to mixed_float16 where it keeps weights in float32 and computes in "
             "float16"});
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

/// What TensorFlow 1 calls the variables of a layer: names that nobody gives are counted in each scope.
std::string variableNameOf(const PythonApiCall& call, const PythonValue* name, std::string_view function) {
    const std::string scope = call.builder.scope.variables + "/";
    if (name != nullptr && name->isText())
        return scope + name->constant().get<std::string>();
    std::string stem = scope + std::string(function);
    const auto isTaken = [&](const std::string& whole) {
        return std::ranges::find(call.builder.facts.draft.layers, whole, &PythonLayer::variableName) !=
               call.builder.facts.draft.layers.end();
    };
    std::int64_t& count = call.builder.layersOfStem[stem];
    for (;; ++count)
        if (std::string whole = count == 0 ? stem : fmt::format("{}_{}", stem, count); !isTaken(whole))
            return whole;
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
    // Groups of filters are younger than these functions.
    constexpr std::size_t groupsAt = 6;
    constexpr std::array<const char*, 3> behind{"activation", "use_bias", "kernel_initializer"};
    if (known.className.starts_with("Conv") && !known.className.ends_with("Transpose"))
        while (own.list.size() > groupsAt && own.list.size() <= groupsAt + behind.size()) {
            own.keywords.emplace_back(behind[own.list.size() - 1 - groupsAt], own.list.back());
            own.list.pop_back();
        }
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
    if (known.name == "batch_normalization" && !trains) // it keeps its mean and variance
        tensors.keywords.emplace_back("training", pythonConstant(false));
    const std::string variableName = variableNameOf(call, own.keyword("name"), known.name);
    for (auto& [name, value] : own.keywords)
        if (name == "name" && value.isText() && call.builder.isUsed(value.constant().get<std::string>()))
            value = pythonText(call.builder.freshName(value.constant().get<std::string>()));
    for (const char* option : {"kernel_initializer", "depthwise_initializer", "pointwise_initializer"})
        if (const LayerDefinition* definition = findLayerDefinition(known.className);
            call.builder.scope.initializer != nullptr && own.keyword(option) == nullptr &&
            definition != nullptr && definition->findAttribute(option) != nullptr)
            own.keywords.emplace_back(option, *call.builder.scope.initializer);
    for (auto& [name, value] : own.keywords)
        if (name.ends_with("_regularizer") && value.is<PythonFunction>())
            value = pythonConstant(regularizerJson(call, value));
    const PythonLayerName layer = makeLayer(call.builder, std::string(known.className), own);
    if (!call.builder.layer(layer.layer).calls.empty()) // of an earlier round
        return callLayer(call.builder, layer, tensors);
    call.builder.layer(layer.layer).variableName = variableName;
    collectRegularizers(call, layer);
    takeTypeOfInput(call.builder, layer, *given->as<PythonTensor>());
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

/// Source: IPUPipelineEstimator in the API reference.
PythonValue beginsFromCheckpoint(const PythonApiCall& call) {
    if (call.builder.isInPipelineEstimator)
        call.refuse("value-error/init-from-checkpoint",
                    "the model function of an IPUPipelineEstimator is compiled for the IPU: "
                    "tf.train.init_from_checkpoint() cannot be called in it",
                    {"give IPUPipelineEstimator warm_start_from=\"FOLDER\""});
    call.warn(
        "python/ignored",
        "tf.train.init_from_checkpoint() is left out: the weights of a checkpoint of TensorFlow are not "
        "read",
        {"save them by save_weights(\"weights.h5\") and set training.weights to the file"});
    return {};
}

std::vector<PythonApiName> tf1Names() {
    std::vector<PythonApiName> names{
        readName("tf.**.placeholder", placeholder),
        readName("tf.**.placeholder_with_default", placeholderWithDefault),
        readName("tf.train.init_from_checkpoint", beginsFromCheckpoint),
        readName("tf.gradients", gradientsOfTarget),
        readName("tf.train.ExponentialMovingAverage", movingAverage),
        readName("tf.train.ExponentialMovingAverage.apply",
                 [](const PythonApiCall&) -> PythonValue { return PythonData(); }),
        readName("tf.train.ExponentialMovingAverage.average", averagedVariable),
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
    for (PythonApiName& name : globalStepNames())
        names.push_back(std::move(name));
    for (PythonApiName& name : collectionNames())
        names.push_back(std::move(name));
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
    names.push_back(readName("tf.losses.**.cosine_distance", cosineDistance));
    for (const OlderOptimizer& known : olderOptimizers())
        names.push_back(readName("tf.**." + std::string(known.name),
                                 [&known](const auto& call) { return olderOptimizer(call, known); }));
    for (const char* name :
         {"AdagradDAOptimizer", "ProximalGradientDescentOptimizer", "ProximalAdagradOptimizer",
          "AdamWOptimizer", "MomentumWOptimizer", "AddSignOptimizer", "PowerSignOptimizer",
          "SyncReplicasOptimizer", "enable_mixed_precision_graph_rewrite"})
        names.push_back(readName(std::string("tf.**.") + name, otherOptimizer));
    return names;
}

} // namespace

const PythonApiTable& tf1Api() {
    static const PythonApiTable api{
        {}, {"tensorflow.python.training.gradient_descent.GradientDescentOptimizer"}, tf1Names()};
    return api;
}

} // namespace core
