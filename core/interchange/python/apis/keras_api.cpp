// The names of Keras.
#include "core/config/keras_catalogue.h"
#include "core/interchange/python/apis/api_catalogue.h"
#include "core/interchange/python/apis/calls/configured_objects.h"
#include "core/interchange/python/apis/calls/gradients.h"
#include "core/interchange/python/apis/calls/training_loop.h"
#include "core/interchange/python/apis/data/array_functions.h"
#include "core/interchange/python/apis/data/batched_files.h"
#include "core/interchange/python/apis/data/data_methods.h"
#include "core/interchange/python/apis/functions/own_recurrence.h"
#include "core/interchange/python/apis/models/applications.h"
#include "core/interchange/python/apis/models/epoch_rates.h"
#include "core/interchange/python/apis/models/model_objects.h"
#include "core/interchange/python/apis/models/stage_units.h"
#include "core/interchange/python/apis/older/graph_metrics.h"
#include "core/interchange/python/apis/rates/set_rates.h"
#include "core/interchange/python/draft/layers.h"
#include "core/interchange/python/draft/losses.h"
#include "core/interchange/python/draft/models.h"
#include "core/interchange/python/draft/tensor_shape.h"
#include "core/model/graph/layer_catalogue.h"
#include "core/model/layer_naming.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>

namespace core {

namespace {

PythonValue input(const PythonApiCall& call) {
    return makeInput(call.builder, call.arguments);
}

/// Classes of Keras take no options of a pipeline; those of TensorFlow 2.1 did.
void refuseOlderArguments(const PythonApiCall& call) {
    constexpr std::array<std::string_view, 5> own{"inputs", "outputs", "name", "layers", "trainable"};
    for (const auto& entry : call.arguments.keywords)
        if (std::ranges::find(own, entry.first) == own.end())
            call.refuse("python/mixed-api",
                        fmt::format("{}() has no argument \"{}\"", call.name(), quotedName(entry.first)),
                        {"give options of a pipeline to set_pipelining_options(), and of one IPU to "
                         "set_gradient_accumulation_options()"});
}

constexpr const char* lambdaClass = "keras.layers.Lambda";

/// The function of a Lambda layer; null where a value is none.
const PythonValue* lambdaFunction(const PythonValue& value) {
    const auto* object = value.as<PythonLibraryObject>();
    if (object == nullptr || object->className != lambdaClass)
        return nullptr;
    return &object->attributes->at("function");
}

// A layer whose activation is a function of the program is its layer without one, and then the function.
constexpr const char* activatedClass = "$class";
constexpr const char* activatedArguments = "$arguments";
constexpr const char* activatedKeywords = "$keywords";
constexpr const char* activatedLayer = "$layer";

bool isProgramFunction(const PythonValue* value) {
    return value != nullptr && value->is<PythonFunction>();
}

/// What a Lambda hands to its function beside the tensors.
constexpr const char* furtherArguments = "$further";

/// Such a layer, made when it is called first; nothing: the layer's activation has a name.
std::optional<PythonValue> activatedByProgram(const PythonApiCall& call) {
    PythonArguments others = call.arguments;
    const auto activation = std::ranges::find_if(others.keywords, [](const auto& entry) {
        return entry.first == "activation" && isProgramFunction(&entry.second);
    });
    if (activation == others.keywords.end())
        return std::nullopt;
    PythonLibraryObject object = pythonObject(lambdaClass);
    (*object.attributes)["function"] = activation->second;
    others.keywords.erase(activation);
    (*object.attributes)[activatedClass] = pythonText(call.name());
    (*object.attributes)[activatedArguments] = pythonList(others.list);
    std::vector<std::pair<PythonValue, PythonValue>> keywords;
    for (const auto& [name, value] : others.keywords)
        keywords.emplace_back(pythonText(name), value);
    (*object.attributes)[activatedKeywords] = pythonDictionary(std::move(keywords));
    for (const char* name : {"input_shape", "name"})
        if (const PythonValue* given = others.keyword(name))
            (*object.attributes)[name] = *given;
    return object;
}

/// What a Lambda, or a layer with an activation of the program, makes of the tensors in `arguments`.
PythonValue computeLambda(const PythonApiCall& call, const PythonValue& lambda, PythonArguments& arguments) {
    auto& attributes = *lambda.as<PythonLibraryObject>()->attributes;
    const PythonValue function = attributes.at("function");
    if (const auto further = attributes.find(furtherArguments); further != attributes.end())
        for (const auto& [name, value] : *further->second.as<PythonDictionary>()->entries)
            if (name.isText())
                arguments.keywords.emplace_back(name.constant().get<std::string>(), value);
    if (!attributes.contains(activatedClass))
        return call.interpreter.call(function, arguments);
    if (!attributes.contains(activatedLayer)) {
        PythonArguments made{attributes.at(activatedArguments).items(), {}, arguments.place};
        for (const auto& [name, value] : *attributes.at(activatedKeywords).as<PythonDictionary>()->entries)
            made.keywords.emplace_back(name.constant().get<std::string>(), value);
        attributes[activatedLayer] =
            makeLayer(call.builder, attributes.at(activatedClass).constant().get<std::string>(), made);
    }
    PythonArguments one{
        {callLayer(call.builder, *attributes.at(activatedLayer).as<PythonLayerName>(), arguments)},
        {},
        arguments.place};
    return call.interpreter.call(function, one);
}

/// What Keras calls a Lambda.
PythonLayerGroup lambdaGroup(const PythonValue& value) {
    const auto& attributes = *value.as<PythonLibraryObject>()->attributes;
    const auto name = attributes.find("name");
    const bool isNamed = name != attributes.end() && name->second.isText();
    return {isNamed ? name->second.constant().get<std::string>() : "", "Lambda", nullptr};
}

/// A Lambda layer is what its function makes of the tensors that it is called on.
PythonValue callLambda(const PythonApiCall& call) {
    const PythonValue lambda = call.arguments.list.at(0);
    const PythonGroupScope group(call.builder, lambdaGroup(call.arguments.list.at(0)));
    call.arguments.list.erase(call.arguments.list.begin());
    const std::optional<PythonTensor> before = call.builder.anchor;
    for (const PythonValue& given : call.arguments.list)
        if (const auto* tensor =
                given.items().empty() ? given.as<PythonTensor>() : given.items().front().as<PythonTensor>())
            call.builder.anchor = *tensor;
    PythonValue result = computeLambda(call, lambda, call.arguments);
    call.builder.anchor = before;
    return result;
}

/// The layers, one after the other, that a Lambda is in a Sequential model; nothing: it is no such chain.
std::optional<PythonValues> layersOfLambda(const PythonApiCall& call, const PythonValue& lambda) {
    const PythonGroupScope group(call.builder, lambdaGroup(lambda));
    PythonDraft& draft = call.builder.facts.draft;
    PythonLayer probe;
    probe.className = "InputLayer";
    probe.place = call.place();
    probe.calls.emplace_back();
    const std::int64_t input = call.builder.addLayer(std::move(probe)).layer;
    PythonArguments passed{{PythonTensor{input, 0, 0}}, {}, call.place()};
    const PythonValue result = computeLambda(call, lambda, passed);
    const auto* last = result.as<PythonTensor>();
    PythonValues layers;
    std::int64_t before = input;
    for (std::size_t i = static_cast<std::size_t>(input) + 1; i < draft.layers.size(); ++i) {
        PythonLayer& made = draft.layers[i];
        const bool follows = made.calls.size() == 1 && made.calls.front().tensors.size() == 1 &&
                             made.calls.front().keywords.empty() &&
                             made.calls.front().tensors.front().layer == before;
        if (!follows)
            return std::nullopt;
        made.calls.clear();
        made.group = call.builder.group;
        before = static_cast<std::int64_t>(i);
        layers.emplace_back(PythonLayerName{before});
    }
    if (last == nullptr)
        call.refuse("python/unsupported", "this Lambda answers no tensor",
                    {"return what its last function answers"});
    return last->layer == before ? std::optional(layers) : std::nullopt;
}

/// Puts the layers of every Lambda in its place in the list of a Sequential model. False: a layer of the list
/// is no chain of layers of the catalogue.
bool openLambdas(const PythonApiCall& call) {
    const PythonValue* layers = call.arguments.given("layers", 0);
    if (layers == nullptr || !layers->is<PythonList>())
        return true;
    if (std::ranges::any_of(layers->items(),
                            [](const PythonValue& item) { return item.is<PythonInstance>(); }))
        return false;
    PythonValues opened;
    for (const PythonValue& item : layers->items()) {
        const auto list = lambdaFunction(item) == nullptr ? PythonValues{item} : layersOfLambda(call, item);
        if (!list)
            return false;
        opened.insert(opened.end(), list->begin(), list->end());
    }
    PythonValue value = pythonList(std::move(opened));
    for (auto& [name, given] : call.arguments.keywords)
        if (name == "layers")
            given = value;
    if (!call.arguments.list.empty())
        call.arguments.list[0] = std::move(value);
    return true;
}

/// clone_model(model): the same layers with weights of their own, not compiled.
PythonValue clonedModel(const PythonApiCall& call) {
    const PythonValue* given = call.arguments.find("model", 0);
    const auto* model = given == nullptr ? nullptr : given->as<PythonModelName>();
    if (model == nullptr || call.arguments.given("input_tensors", 1) != nullptr ||
        call.arguments.given("clone_function", 2) != nullptr)
        call.refuse("python/unsupported", "clone_model() is read of a model alone",
                    {"give it a model of the program and nothing else", "make the model by a function"});
    const PythonModel& original = call.builder.model(model->model);
    PythonModel clone;
    clone.name = original.name;
    clone.isSequential = original.isSequential;
    clone.layers = original.layers;
    clone.inputs = original.inputs;
    clone.outputs = original.outputs;
    clone.config = original.config;
    clone.isBuilt = original.isBuilt;
    clone.isInStrategy = call.builder.scope.isStrategy;
    clone.place = call.place();
    if (original.isSubclass || call.builder.computed.contains(model->model))
        call.refuse("python/unsupported", "clone_model() of a class of the program is not read",
                    {"make another object of the class"});
    return call.builder.addModel(std::move(clone));
}

PythonValue functionalModel(const PythonApiCall& call) {
    refuseOlderArguments(call);
    return makeFunctionalModel(call.builder, call.arguments);
}

PythonValue sequentialModel(const PythonApiCall& call) {
    refuseOlderArguments(call);
    if (!openLambdas(call)) {
        const PythonValue* name = call.arguments.find("name", 1);
        return makeComputedSequential(
            call.builder, call.arguments.given("layers", 0)->items(),
            name != nullptr && name->isText() ? name->constant().get<std::string>() : "", call.place());
    }
    return makeSequentialModel(call.builder, call.arguments, false);
}

/// A layer as {"class_name", "config"}.
PythonValue deserializeLayer(const PythonApiCall& call) {
    const PythonValue* config = call.arguments.find("config", 0);
    const Json entry = config == nullptr ? Json() : call.builder.json(*config, call.place());
    const bool isEntry = entry.is_object() && entry.contains("class_name") &&
                         entry["class_name"].is_string() && entry.contains("config") &&
                         entry["config"].is_object();
    if (!isEntry)
        call.refuse("python/value", "deserialize() takes {\"class_name\", \"config\"}",
                    {"give what serialize() answers"});
    PythonLayer layer{entry["class_name"].get<std::string>(), "", entry["config"], {}, -1, call.place()};
    layer.name = layer.config.value("name", Json()).is_string() ? layer.config["name"].get<std::string>()
                                                                : call.builder.freshName("layer");
    return call.builder.addLayer(std::move(layer));
}

/// A class of layers; concatenate([a, b]) and the like call the layer of that name at once.
/// Layers that a layer of the program holds are none of the model: their names are their own.
void nameParts(const PythonApiCall& call) {
    const PythonInstance* object = call.interpreter.runningObject();
    if (object == nullptr || !isLayerBase(object->definition->base))
        return;
    for (auto& [key, value] : call.arguments.keywords)
        if (key == "name" && value.isText() && call.builder.isUsed(value.constant().get<std::string>()))
            value = pythonText(call.builder.freshName(value.constant().get<std::string>()));
}

PythonValue layer(const PythonApiCall& call) {
    const std::string name = call.name();
    if (const PythonValue* cell = name == "RNN" ? call.arguments.find("cell", 0) : nullptr;
        cell != nullptr && cell->is<PythonInstance>())
        return makeOwnRecurrence(call);
    nameParts(call);
    const PythonValue* function = name == "Lambda"       ? call.arguments.find("function", 0)
                                  : name == "Activation" ? call.arguments.find("activation", 0)
                                                         : nullptr;
    if (function != nullptr &&
        (function->is<PythonFunction>() || (name == "Lambda" && function->is<PythonLibraryName>()))) {
        PythonLibraryObject object = pythonObject(lambdaClass);
        (*object.attributes)["function"] = *function;
        if (const PythonValue* further = name == "Lambda" ? call.arguments.keyword("arguments") : nullptr;
            further != nullptr && further->is<PythonDictionary>())
            (*object.attributes)[furtherArguments] = *further;
        if (const PythonValue* shape = call.arguments.keyword("input_shape"))
            (*object.attributes)["input_shape"] = *shape;
        if (const PythonValue* title = call.arguments.keyword("name"))
            (*object.attributes)["name"] = *title;
        return object;
    }
    if (auto activated = activatedByProgram(call))
        return std::move(*activated);
    const bool isFunction = !name.empty() && name[0] >= 'a' && name[0] <= 'z';
    std::string merging = name;
    if (isFunction)
        merging[0] = static_cast<char>(merging[0] - 'a' + 'A');
    const LayerDefinition* definition = isFunction ? findLayerDefinition(merging) : nullptr;
    if (definition == nullptr || definition->category != LayerCategory::Merging ||
        call.arguments.list.empty())
        return makeLayer(call.builder, name, call.arguments);
    PythonArguments tensors{{call.arguments.list.front()}, {}, call.place()};
    call.arguments.list.erase(call.arguments.list.begin());
    return callLayer(call.builder, makeLayer(call.builder, merging, call.arguments), tensors);
}

/// A model that a file holds. Behind the training it is what the program has saved itself.
PythonValue savedModel(const PythonApiCall& call) {
    const bool wasTrained = std::ranges::any_of(call.builder.facts.draft.models, &PythonModel::isFitted);
    if (!wasTrained)
        call.refuse("python/unsupported", "the model of this file is not part of the program",
                    {"import the file itself: .h5, .keras, .json and SavedModels are read",
                     "build the model from layers in the program"});
    call.warn("python/ignored", "the model that load_model() reads is left out",
              {"import the file to have it as a project of its own"});
    return PythonData();
}

/// Names that are neither of a family nor a layer.
PythonValue otherName(const PythonApiCall& call) {
    if (findLayerDefinition(call.name()) != nullptr)
        return makeLayer(call.builder, call.name(), call.arguments);
    call.refuse("python/unsupported", fmt::format("\"{}\" is not read", quotedName(call.path)),
                {"build the model from layers in the program itself"});
}

/// Losses of backends: that of two classes is one of every element.
PythonValue backendLoss(const PythonApiCall& call) {
    constexpr std::array<std::pair<std::string_view, const char*>, 3> classes{
        {{"binary_crossentropy", "BinaryCrossentropy"},
         {"categorical_crossentropy", "CategoricalCrossentropy"},
         {"sparse_categorical_crossentropy", "SparseCategoricalCrossentropy"}}};
    const std::string name = call.name();
    const auto* const known = std::ranges::find(classes, name, [](const auto& entry) { return entry.first; });
    if (known == classes.end())
        call.refuse("python/unsupported", fmt::format("\"{}\" is not read", quotedName(name)),
                    {"use a loss of tf.keras.losses"});
    Json config = Json::object();
    if (const PythonValue* logits = call.arguments.find("from_logits", 2))
        config["from_logits"] = call.builder.json(*logits, call.place());
    return makeLoss(call.builder, known->second, std::move(config), call.arguments.find("target", 0),
                    call.arguments.find("output", 1), call.place(), name.starts_with("binary"));
}

/// Arguments of activation functions behind x, in their order, and those of the layers that take them; "":
/// none. Source: the signatures of keras.activations.
struct ActivationArguments {
    std::string_view function;
    const char* className;
    std::array<std::pair<std::string_view, const char*>, 3> names;
};
constexpr std::array<ActivationArguments, 3> activationArguments{
    {{"relu",
      "ReLU",
      {{{"alpha", "negative_slope"}, {"max_value", "max_value"}, {"threshold", "threshold"}}}},
     {"elu", "ELU", {{{"alpha", "alpha"}}}},
     {"softmax", "Softmax", {{{"axis", "axis"}}}}}};

/// keras.activations.relu(x) is a layer; with arguments it is the layer of these.
PythonValue activation(const PythonApiCall& call) {
    const auto* tensor = call.arguments.list.empty() ? nullptr : call.arguments.list[0].as<PythonTensor>();
    if (call.name() == "get" && !call.arguments.list.empty())
        return call.arguments.list[0].isNone() ? PythonValue(PythonLibraryName{"keras.activations.linear"})
               : call.arguments.list[0].isText()
                   ? PythonValue(PythonLibraryName{"keras.activations." +
                                                   call.arguments.list[0].constant().get<std::string>()})
                   : call.arguments.list[0];
    if (tensor == nullptr)
        return samplesOfArguments(call.arguments);
    PythonArguments tensors{{*tensor}, {}, call.place()};
    PythonArguments layer{{}, {{"activation", pythonText(call.name())}}, call.place()};
    if (call.arguments.list.size() == 1 && call.arguments.keywords.empty())
        return callLayer(call.builder, makeLayer(call.builder, "Activation", layer), tensors);
    const auto row = std::ranges::find(activationArguments, call.name(), &ActivationArguments::function);
    layer.keywords.clear();
    std::size_t given = 0;
    if (row != activationArguments.end())
        for (std::size_t i = 0; i < row->names.size() && row->names[i].second != nullptr; ++i) {
            const auto& [name, option] = row->names[i];
            const bool isNamed = call.arguments.keyword(name) != nullptr;
            given += isNamed || i + 1 < call.arguments.list.size() ? 1 : 0;
            if (const PythonValue* value = call.arguments.given(name, i + 1))
                layer.keywords.emplace_back(option, *value);
        }
    if (given != call.arguments.list.size() - 1 + call.arguments.keywords.size())
        call.refuse("python/unsupported",
                    fmt::format("what {}() is told beside its tensor is not read", call.name()),
                    {"use the function of tf.nn or the layer of tf.keras.layers that has it"});
    return callLayer(call.builder, makeLayer(call.builder, row->className, layer), tensors);
}

/// keras.backend.batch_dot(x, y, axes) is what the layer Dot computes.
PythonValue batchDot(const PythonApiCall& call, const PythonTensor& x, const PythonTensor& y) {
    const PythonValue* axes = call.arguments.given("axes", 2);
    PythonArguments options{{}, {}, call.place()};
    if (axes != nullptr) {
        options.keywords.emplace_back("axes", *axes);
    } else { // the last axis of x, and the last but one of y
        const auto rankOf = [&](const PythonTensor& of) {
            return static_cast<std::int64_t>(tensorShape(call.builder, of).size());
        };
        options.keywords.emplace_back(
            "axes", pythonConstant(Json::array({rankOf(x) - 1, std::max<std::int64_t>(rankOf(y) - 2, 1)})));
    }
    PythonArguments tensors{{pythonList({x, y})}, {}, call.place()};
    return callLayer(call.builder, makeLayer(call.builder, "Dot", options), tensors);
}

/// Functions of backends are those of TensorFlow by other names.
PythonValue backend(const PythonApiCall& call) {
    if (const auto* rate = call.arguments.list.empty() ? nullptr : call.arguments.list[0].as<PythonData>();
        rate != nullptr && rate->rateOf != -1 && call.name() == "set_value")
        if (const PythonValue* value = call.arguments.find("value", 1)) {
            setLearningRate(call.builder, *rate, *value, call.place());
            return {};
        }
    if (call.name() == "set_value" && call.arguments.list.size() > 1 &&
        call.arguments.list[0].is<PythonData>() &&
        call.arguments.list[0].as<PythonData>()->array != nullptr) {
        PythonArguments one{{call.arguments.list[1]}, {}, call.place()};
        return call.interpreter.call(
            PythonMethod{std::make_shared<const PythonValue>(call.arguments.list[0]), "assign"}, one);
    }
    if (const auto* rate = call.arguments.list.empty() ? nullptr : call.arguments.list[0].as<PythonData>();
        rate != nullptr && rate->rateOf != -1 && (call.name() == "get_value" || call.name() == "eval"))
        if (const auto now = rateNow(call.builder, *rate))
            return pythonConstant(*now);
    constexpr std::array<std::pair<std::string_view, const char*>, 24> others{
        {{"mean", "tf.reduce_mean"},
         {"sum", "tf.reduce_sum"},
         {"max", "tf.reduce_max"},
         {"min", "tf.reduce_min"},
         {"prod", "tf.reduce_prod"},
         {"dot", "tf.matmul"},
         {"concatenate", "tf.concat"},
         {"permute_dimensions", "tf.transpose"},
         {"softmax", "tf.nn.softmax"},
         {"relu", "keras.activations.relu"},
         {"sigmoid", "tf.math.sigmoid"},
         {"tanh", "tf.math.tanh"},
         {"elu", "keras.activations.elu"},
         {"square", "tf.math.square"},
         {"sqrt", "tf.math.sqrt"},
         {"exp", "tf.math.exp"},
         {"log", "tf.math.log"},
         {"abs", "tf.math.abs"},
         {"pow", "tf.math.pow"},
         {"clip", "tf.clip_by_value"},
         {"l2_normalize", "tf.math.l2_normalize"},
         {"repeat_elements", "tf.repeat"},
         {"std", "tf.math.reduce_std"},
         {"var", "tf.math.reduce_variance"}}};
    const std::string name = call.name();
    const auto* tensor = call.arguments.list.empty() ? nullptr : call.arguments.list[0].as<PythonTensor>();
    if (const PythonValue* format = call.arguments.find("data_format", 0);
        name == "set_image_data_format" && format != nullptr && format->constant() == "channels_first")
        call.refuse("python/unsupported", "the order of axes that this sets for all layers is not followed",
                    {"give each layer of images data_format=\"channels_first\""});
    if (const PythonValue* other = call.arguments.find("y", 1);
        name == "batch_dot" && tensor != nullptr && other != nullptr && other->is<PythonTensor>())
        return batchDot(call, *tensor, *other->as<PythonTensor>());
    if (const PythonValue* level = call.arguments.find("level", 1);
        name == "dropout" && tensor != nullptr && level != nullptr) {
        PythonArguments rate{{}, {{"rate", *level}}, call.place()};
        PythonArguments tensors{{*tensor}, {}, call.place()};
        return callLayer(call.builder, makeLayer(call.builder, "Dropout", rate), tensors);
    }
    if (name == "flatten" && tensor != nullptr) {
        PythonArguments flat{{*tensor, pythonList({pythonConstant(-1)})}, {}, call.place()};
        return call.interpreter.call(PythonLibraryName{"tf.reshape"}, flat);
    }
    if (name == "batch_flatten" && tensor != nullptr) {
        PythonArguments none{{}, {}, call.place()};
        PythonArguments tensors{{*tensor}, {}, call.place()};
        return callLayer(call.builder, makeLayer(call.builder, "Flatten", none), tensors);
    }
    const bool hasLastAxis = name == "expand_dims" || name == "argmax" || name == "argmin";
    if (tensor != nullptr && hasLastAxis && call.arguments.given("axis", 1) == nullptr)
        call.arguments.keywords.emplace_back("axis", pythonConstant(-1));
    if (name == "epsilon") {
        constexpr double usual = 1e-7;
        return pythonConstant(usual);
    }
    if (name == "learning_phase")
        return trainingFlag();
    if (name == "int_shape" && !call.arguments.list.empty())
        return call.interpreter.attributeOf(call.arguments.list[0], "shape");
    const auto row = std::ranges::find(others, name, [](const auto& entry) { return entry.first; });
    const std::string path = row != others.end() ? row->second : "tf." + name;
    return call.interpreter.call(PythonLibraryName{path}, call.arguments);
}

PythonValue makePolicy(const PythonApiCall& call) {
    const PythonValue* name = call.arguments.find("name", 0);
    if (name == nullptr || !name->isText())
        call.refuse("python/value", "Policy() takes the name of a policy",
                    {"write Policy(\"mixed_float16\")"});
    return policyNamed(name->constant().get<std::string>());
}

PythonValue setPolicy(const PythonApiCall& call) {
    const PythonValue* policy = call.arguments.find("policy", 0);
    if (const auto* object = policy == nullptr ? nullptr : policy->as<PythonLibraryObject>())
        if (const auto name = object->attributes->find("name"); name != object->attributes->end())
            policy = &name->second;
    if (policy != nullptr && policy->isText())
        call.builder.setPrecision(policy->constant());
    return {};
}

PythonValue dataset(const PythonApiCall& call) {
    return loadedDataset(lastPart(call.path.substr(0, call.path.rfind('.'))));
}

/// A loss of labels and predictions, by the name of its function: "sparse_categorical_crossentropy".
PythonApiName lossFunction(const KerasClass& known, const std::string& name) {
    const std::string className(known.className);
    return readName("keras.**.losses." + name, [className](const PythonApiCall& call) {
        Json config = Json::object();
        for (const auto& [key, value] : call.arguments.keywords)
            if (key != "y_true" && key != "y_pred")
                config[key] = call.builder.json(value, call.place());
        if (call.arguments.list.size() > 2)
            call.refuse("python/unsupported", fmt::format("name the further arguments of {}", call.name()),
                        {"write name=value behind labels and predictions"});
        return makeLoss(call.builder, className, std::move(config), call.arguments.find("y_true", 0),
                        call.arguments.find("y_pred", 1), call.place());
    });
}

/// metrics.get("accuracy"): compile() takes the name alike.
PythonValue metricOfName(const PythonApiCall& call) {
    const PythonValue* given = call.arguments.list.empty() ? nullptr : &call.arguments.list.front();
    return given != nullptr && given->isText() ? *given : objectOfName(call);
}

/// losses.get("mse"): the function of that name, or an object of the class.
PythonValue lossOfName(const PythonApiCall& call) {
    const PythonValue* given = call.arguments.list.empty() ? nullptr : &call.arguments.list.front();
    const bool isText = given != nullptr && given->isText();
    const std::string name = isText ? given->constant().get<std::string>() : std::string();
    if (!name.empty() && std::islower(static_cast<unsigned char>(name.front())) != 0)
        return PythonLibraryName{fullPythonName("keras.losses." + name)};
    return objectOfName(call);
}

/// Objects of a class with a configuration, whose positional arguments a catalogue names.
PythonApiName configuredFamily(const char* pattern, const KerasCatalogue* catalogue) {
    return readName(pattern, [catalogue](const auto& call) { return makeConfigured(call, catalogue); });
}

/// metrics.accuracy(labels, predictions) measures samples; metrics.Accuracy() is what compile() takes.
PythonValue metric(const PythonApiCall& call) {
    const bool isFunction = std::islower(static_cast<unsigned char>(call.name().front())) != 0;
    return isFunction ? PythonValue(samplesOfArguments(call.arguments))
                      : makeConfigured(call, &metricCatalogue());
}

/// Functions about samples.
PythonApiName arraysOf(const char* pattern) {
    return readName(pattern, [](const PythonApiCall& call) {
        return callArrayFunction(call, call.name()).value_or(samplesOfArguments(call.arguments));
    });
}

/// What the modules of Keras have beside their classes: objects of names and configurations, and back.
std::vector<PythonApiName> objectNames() {
    struct Family {
        const char* module;
        PythonMeaning named;
    };
    const std::array<Family, 7> families{{{"optimizers", objectOfName},
                                          {"*schedules*", objectOfName},
                                          {"losses", lossOfName},
                                          {"metrics", metricOfName},
                                          {"initializers", objectOfName},
                                          {"regularizers", objectOfName},
                                          {"constraints", objectOfName}}};
    std::vector<PythonApiName> names{readName("keras.**.layers*.**.from_config", objectOfConfig)};
    for (const auto& [family, named] : families) {
        const std::string module = fmt::format("keras.**.{}", family);
        names.push_back(readName(module + ".get", named));
        names.push_back(readName(module + ".deserialize", named));
        names.push_back(readName(module + ".serialize", serializedObject));
        names.push_back(readName(module + ".**.from_config", objectOfConfig));
    }
    return names;
}

/// The optimizers of tensorflow_addons that Keras has since. Its AdamW subtracts weight_decay times the
/// weight, that of Keras learning_rate times as much.
PythonValue addonOptimizer(const PythonApiCall& call) {
    const std::string name = call.name();
    PythonArguments own{call.arguments.list, call.arguments.keywords, call.place()};
    if (name == "AdamW") {
        const PythonValue* decay = call.arguments.find("weight_decay", 0);
        const PythonValue* rate = call.arguments.given("learning_rate", 1);
        const PythonValue byDefault = pythonConstant(0.001);
        rate = rate == nullptr ? &byDefault : rate;
        if (decay == nullptr || !decay->isNumber() || !rate->isNumber() ||
            rate->constant().get<double>() <= 0 || call.arguments.list.size() > 2)
            call.refuse("python/unsupported",
                        "AdamW of tensorflow_addons is read with numbers as weight_decay and learning_rate",
                        {"write AdamW(weight_decay=1e-4, learning_rate=1e-3)"});
        own.list.clear();
        std::erase_if(own.keywords, [](const auto& entry) {
            return entry.first == "weight_decay" || entry.first == "learning_rate";
        });
        const double perRate = decay->constant().get<double>() / rate->constant().get<double>();
        own.keywords.emplace_back("learning_rate", *rate);
        own.keywords.emplace_back("weight_decay", pythonConstant(perRate));
    }
    return call.interpreter.call(PythonLibraryName{"keras.optimizers." + name}, own);
}

/// weight.assign_sub(…) of a weight that the program made.
PythonValue changeWeight(const PythonApiCall& call) {
    const PythonValue* value = call.arguments.find(call.name() == "assign" ? "value" : "delta", 1);
    return updateByHand(call, call.arguments.list.front(), value);
}

std::vector<PythonApiName> kerasNames() {
    std::vector<PythonApiName> names;
    for (const KerasClass& known : lossCatalogue().classes)
        names.push_back(lossFunction(known, snakeCase(std::string(known.className))));
    constexpr std::array<std::pair<const char*, const char*>, 7> shortNames{
        {{"mse", "MeanSquaredError"},
         {"MSE", "MeanSquaredError"},
         {"mae", "MeanAbsoluteError"},
         {"MAE", "MeanAbsoluteError"},
         {"mape", "MeanAbsolutePercentageError"},
         {"msle", "MeanSquaredLogarithmicError"},
         {"kld", "KLDivergence"}}};
    for (const auto& [shortName, className] : shortNames)
        if (const KerasClass* known = lossCatalogue().find(className))
            names.push_back(lossFunction(*known, shortName));
    const std::vector<PythonApiName> functions = names;
    for (PythonApiName again : functions) { // TensorFlow 2 has them there, too
        const std::string function = lastPart(again.pattern);
        again.pattern = "tf.losses." + function;
        if (function != "mean_squared_error") // TensorFlow 1 has its own of that name
            names.push_back(std::move(again));
    }
    for (const KerasClass& known : lossCatalogue().classes)
        names.push_back(readName("tf.losses." + std::string(known.className),
                                 [](const auto& call) { return makeConfigured(call, &lossCatalogue()); }));
    for (PythonApiName& known : applicationNames())
        names.push_back(std::move(known));
    for (PythonApiName& known : objectNames())
        names.push_back(std::move(known));
    for (PythonApiName& known : graphMetricNames())
        names.push_back(std::move(known));
    for (PythonApiName& known : batchedFileNames())
        names.push_back(std::move(known));
    const std::vector<PythonApiName> rows{
        readName("keras.**.Input", input),
        readName("keras.**.Model", functionalModel),
        readName("keras.**.Functional", functionalModel),
        readName("keras.**.Sequential", sequentialModel),
        readName("keras.**.clone_model", clonedModel),
        readName("keras.layers.Lambda.__call__", callLambda),
        readName(std::string(pythonOwnRecurrence) + ".__call__", callOwnRecurrence),
        readName("keras.**.layers*.**.deserialize", deserializeLayer),
        readName("keras.**.layers*.**", layer),
        readName("keras.**.load_model", savedModel),
        hostName("keras.**.*applications*.**.decode_predictions"),
        refusedName("keras.**.*applications*.**", "is not among the known networks",
                    "save it with to_json() and import that"),
        configuredFamily("keras.**.*schedules*.**", &learningRateScheduleCatalogue()),
        configuredFamily("keras.experimental.*Decay*", &learningRateScheduleCatalogue()),
        readName("keras.**.*optimizers*.**", makeOptimizer),
        configuredFamily("keras.**.losses.**", &lossCatalogue()),
        readName("keras.**.metrics.**", metric),
        configuredFamily("keras.**.initializers.**", nullptr),
        readName("keras.**.regularizers.**", makeRegularizer),
        configuredFamily("keras.**.constraints.**", nullptr),
        readName("keras.**.set_floatx", setPolicy),
        readName("keras.**.set_policy", setPolicy),
        readName("keras.**.Policy", makePolicy),
        readName("keras.**.set_global_policy", setPolicy),
        readName("keras.**.callbacks.**",
                 [](const PythonApiCall& call) { return makeCallback(call, call.name()); }),
        readName("keras.**.LossScaleOptimizer", makeLossScaleOptimizer),
        readName("keras.**.datasets.*.**.load_data", dataset),
        hostName("keras.**.datasets.**"),
        arraysOf("keras.**.utils.**"),
        arraysOf("keras.**.preprocessing.**"),
        readName("tensorflow_addons.**.AdamW", addonOptimizer),
        readName("tensorflow_addons.**.LAMB", addonOptimizer),
        readName("keras.weight.assign_sub", changeWeight),
        readName("keras.weight.assign_add", changeWeight),
        readName("keras.weight.assign", changeWeight),
        hostName("keras.weight.**"),
        readName("keras.**.backend.*_crossentropy", backendLoss),
        readName("keras.**.backend.**", backend),
        readName("keras.**.activations.**", activation),
        hostName("keras.**.mixed_precision.**"),
        readName("keras.**", otherName),
    };
    names.insert(names.end(), rows.begin(), rows.end());
    return names;
}

} // namespace

const PythonApiTable& kerasApi() {
    static const PythonApiTable api{{{"tensorflow.python.keras", "keras"},
                                     {"tensorflow.keras", "keras"},
                                     {"tf.keras", "keras"},
                                     {"tf.optimizers", "keras.optimizers"},
                                     {"tf.metrics", "keras.metrics"},
                                     {"tf.initializers", "keras.initializers"},
                                     {"tf.python.keras", "keras"},
                                     {"keras.optimizer_v2", "keras.optimizers"},
                                     {"tf.compat.v1.keras", "keras"}},
                                    {"keras"},
                                    kerasNames()};
    return api;
}

} // namespace core
