// Models and layers that classes of the program compute.
#include "core/interchange/python/apis/models/model_objects.h"

#include "core/interchange/python/apis/models/model_methods.h"
#include "core/interchange/python/apis/models/model_training.h"
#include "core/interchange/python/apis/models/stage_units.h"
#include "core/interchange/python/apis/weights/program_weights.h"
#include "core/interchange/python/draft/layers.h"
#include "core/interchange/python/draft/models.h"
#include "core/interchange/python/draft/sample_computation.h"
#include "core/interchange/python/draft/sample_shapes.h"
#include "core/interchange/python/draft/tensor_shape.h"
#include "core/model/layer_naming.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace core {

namespace {

constexpr const char* itsModel = "$model";
constexpr const char* itsName = "$name";
constexpr const char* itsType = "$dtype";
constexpr const char* wasBuilt = "$built";
/// The pipeline stage in whose scope it was made.
constexpr const char* stageOfObject = "$stage";
constexpr const char* trainingPath = "keras.training";

/// Functions of a model that a class may override, in the order in which one of them is named.
constexpr std::array<const char*, 6> modelFunctions{"train_step",         "test_step",
                                                    "predict_step",       "make_train_function",
                                                    "make_test_function", "make_predict_function"};

const PythonTensor* firstTensor(const PythonValue& value) {
    if (const auto* tensor = value.as<PythonTensor>())
        return tensor;
    for (const PythonValue& item : value.items())
        if (const PythonTensor* tensor = firstTensor(item))
            return tensor;
    if (const auto* dictionary = value.as<PythonDictionary>())
        for (const auto& entry : *dictionary->entries)
            if (const PythonTensor* tensor = firstTensor(entry.second))
                return tensor;
    return nullptr;
}

const PythonTensor* firstTensor(const PythonArguments& arguments) {
    for (const PythonValue& value : arguments.list)
        if (const PythonTensor* tensor = firstTensor(value))
            return tensor;
    for (const auto& entry : arguments.keywords)
        if (const PythonTensor* tensor = firstTensor(entry.second))
            return tensor;
    return nullptr;
}

/// The function of a class that computes what its objects answer.
const char* computingFunction(const PythonInstance& object) {
    return isModuleBase(object.definition->base) ? "__call__" : "call";
}

/// `training` of a function call(), where nobody says what it is.
void passTraining(const PythonInstance& object, PythonArguments& arguments) {
    const PythonFunction* function = object.definition->function(computingFunction(object));
    if (function == nullptr)
        return;
    const auto& parameters = function->definition->parameters;
    for (std::size_t i = 1; i < parameters.size(); ++i) {
        if (parameters[i].name != "training")
            continue;
        const PythonValue* given = arguments.find("training", i - 1);
        if (given == nullptr) {
            arguments.keywords.emplace_back("training", trainingFlag());
        } else if (given->isNone() || given->constant() == true) {
            if (i - 1 < arguments.list.size())
                arguments.list[i - 1] = trainingFlag();
            else
                std::erase_if(arguments.keywords,
                              [](const auto& entry) { return entry.first == "training"; });
            if (i - 1 >= arguments.list.size())
                arguments.keywords.emplace_back("training", trainingFlag());
        }
    }
}

PythonValue shapeTuple(const Json& shape) {
    if (!shape.is_array())
        return PythonData();
    PythonValues extents;
    for (const Json& extent : shape)
        extents.push_back(pythonConstant(extent));
    return pythonList(std::move(extents), true);
}

/// A layer makes its parts in build(), once, for the shape that it is called on.
void buildLayer(const PythonApiCall& call, const PythonInstance& object, const PythonTensor& tensor,
                const PythonValue& given) {
    if (object.definition->function("build") == nullptr || object.attributes->contains(wasBuilt))
        return;
    (*object.attributes)[wasBuilt] = pythonConstant(true);
    PythonValues shapes;
    for (const PythonValue& one : given.items())
        if (const auto* part = one.as<PythonTensor>())
            shapes.push_back(shapeTuple(tensorShape(call.builder, *part)));
    const bool areSeveral = !shapes.empty();
    PythonArguments shape{
        {areSeveral ? pythonList(std::move(shapes)) : shapeTuple(tensorShape(call.builder, tensor))},
        {},
        call.place()};
    static_cast<void>(call.interpreter.callOwn(object, "build", shape));
}

/// Inputs of the structure of the samples.
PythonValue inputsLike(const PythonApiCall& call, const PythonValue& samples, const std::string& name,
                       std::vector<PythonTensor>& inputs, bool& isKnown) {
    if (const auto* data = samples.as<PythonData>()) {
        const Json& shape = data->shape;
        isKnown = isKnown && shape.is_array() && !shape.empty() &&
                  std::ranges::none_of(shape.begin() + 1, shape.end(),
                                       [](const Json& extent) { return extent.is_null(); });
        if (!isKnown)
            return {};
        PythonArguments arguments{
            {}, {{"shape", pythonConstant(Json(shape.begin() + 1, shape.end()))}}, call.place()};
        inputs.push_back(makeInput(call.builder, arguments));
        return inputs.back();
    }
    if (const auto* list = samples.as<PythonList>()) {
        PythonValues items;
        for (const PythonValue& item : *list->items)
            items.push_back(inputsLike(call, item, name, inputs, isKnown));
        return pythonList(std::move(items), list->isTuple);
    }
    if (const auto* dictionary = samples.as<PythonDictionary>()) {
        std::vector<std::pair<PythonValue, PythonValue>> entries;
        for (const auto& [key, entry] : *dictionary->entries)
            entries.emplace_back(key, inputsLike(call, entry, name, inputs, isKnown));
        return pythonDictionary(std::move(entries));
    }
    isKnown = false;
    return {};
}

void collectTensors(const PythonValue& value, std::vector<PythonTensor>& tensors) {
    if (const auto* tensor = value.as<PythonTensor>())
        tensors.push_back(*tensor);
    for (const PythonValue& item : value.items())
        collectTensors(item, tensors);
    if (const auto* dictionary = value.as<PythonDictionary>())
        for (const auto& entry : *dictionary->entries)
            collectTensors(entry.second, tensors);
}

/// What the model computes of tensors.
PythonValue compute(const PythonApiCall& call, const PythonValue& computed, PythonArguments& arguments) {
    const PythonTensor* const tensor = firstTensor(arguments);
    const std::optional<PythonTensor> before = call.builder.anchor;
    if (tensor != nullptr)
        call.builder.anchor = *tensor;
    PythonValue result;
    const PythonScope around = call.builder.scope;
    ++call.builder.calledObjects;
    if (const auto* object = computed.as<PythonInstance>()) {
        if (const auto stage = object->attributes->find(stageOfObject);
            !around.stage && stage != object->attributes->end())
            call.builder.scope.stage = stage->second.constant().get<std::int64_t>();
        const char* const function = computingFunction(*object);
        if (object->definition->function(function) == nullptr)
            call.refuse("python/unsupported",
                        fmt::format("{} has no {}(), so the program does not say what it answers for samples",
                                    object->definition->name, function),
                        {fmt::format("define {}(self, inputs)", function),
                         "train each network that it holds by compile() and fit() of its own"});
        if (tensor != nullptr)
            buildLayer(call, *object, *tensor,
                       arguments.list.empty() ? PythonValue() : arguments.list.front());
        passTraining(*object, arguments);
        result = call.interpreter.callOwn(*object, function, arguments);
    } else {
        result = arguments.list.empty() ? PythonValue() : arguments.list.front();
        for (const PythonValue& layer : computed.items()) {
            if (layer.is<PythonTensor>())
                continue;
            PythonArguments one{{result}, {}, call.place()};
            result = call.interpreter.call(layer, one);
        }
    }
    --call.builder.calledObjects;
    call.builder.scope = around;
    call.builder.anchor = before;
    return result;
}

/// Indices are whole numbers where a table is looked up with them.
void settleInputTypes(PythonProgramBuilder& builder, const std::vector<PythonTensor>& inputs) {
    for (const PythonLayer& layer : builder.facts.draft.layers) {
        const bool gathers =
            layer.config.value("function", Json()) == "gather"; // of a table, then the places
        for (const PythonCall& one : layer.calls)
            for (std::size_t i = gathers ? 1 : 0; i < one.tensors.size(); ++i)
                if ((gathers || layer.className.ends_with("Embedding")) &&
                    std::ranges::find(inputs, one.tensors[i]) != inputs.end())
                    builder.layer(one.tensors[i].layer).config["dtype"] = "int32";
    }
}

/// The samples that the first layer of a sequence says it takes; nothing: it does not say.
std::optional<PythonValue> ownSamples(PythonProgramBuilder& builder, const PythonValue& computed) {
    if (computed.items().empty())
        return std::nullopt;
    if (const auto* object = computed.items().front().as<PythonLibraryObject>())
        if (const auto shape = object->attributes->find("input_shape"); shape != object->attributes->end())
            return arrayOfShape(shapeWithBatch(writtenShape(shape->second), nullptr));
    const auto* layer = computed.items().front().as<PythonLayerName>();
    if (layer == nullptr)
        return std::nullopt;
    Json& config = builder.layer(layer->layer).config;
    const Json shape = config.value("batch_input_shape", Json());
    config.erase("batch_input_shape");
    return shape.is_array() ? std::optional<PythonValue>(arrayOfShape(shape)) : std::nullopt;
}

PythonValue unknownFunction(const std::string& name) {
    constexpr std::array<std::string_view, 3> nothing{"build", "__init__", "summary"};
    return std::ranges::find(nothing, name) != nothing.end() ? PythonValue() : PythonValue(PythonData());
}

/// Functions of layers that a class of the program inherits.
std::optional<PythonValue> callOfLayer(const PythonApiCall& call) {
    if (call.path == "add_weight" || call.path == "add_variable")
        return makeWeight(call);
    if (call.path == "add_loss")
        return addLoss(call);
    constexpr std::array<std::string_view, 9> known{"build",       "__init__",     "add_metric",
                                                    "get_weights", "count_params", "compute_output_shape",
                                                    "set_weights", "summary",      "compute_mask"};
    if (std::ranges::find(known, call.path) == known.end())
        return std::nullopt;
    return unknownFunction(call.path);
}

/// A layer of the program as Keras knows it: by the name that it was given, or one of its class.
PythonLayerGroup groupOf(PythonProgramBuilder& builder, const PythonInstance& object) {
    PythonValue& name = (*object.attributes)[itsName];
    if (!name.isText())
        name = pythonText(builder.freshName(snakeCase(object.definition->name)));
    return {name.constant().get<std::string>(), object.definition->name, object.definition,
            object.attributes};
}

} // namespace

bool isLayerBase(const std::string& base) {
    return base == "keras.layers.Layer" || base == "keras.Layer" || base == "keras.engine.base_layer.Layer";
}

bool isModelBase(const std::string& base) {
    const std::string name = lastPart(base);
    return base.starts_with("keras.") && (name == "Model" || name == "Sequential" || name == "Functional");
}

PythonValue policyNamed(const std::string& name) {
    PythonLibraryObject policy = pythonObject("keras.mixed_precision.Policy");
    const bool isMixed = name.starts_with("mixed_");
    (*policy.attributes)["name"] = pythonText(name);
    (*policy.attributes)["compute_dtype"] = pythonText(isMixed ? name.substr(name.find('_') + 1) : name);
    (*policy.attributes)["variable_dtype"] = pythonText(isMixed ? "float32" : name);
    (*policy.attributes)["loss_scale"] = PythonData();
    return policy;
}

std::optional<PythonValue> typeOfLayer(const PythonProgramBuilder& builder, const PythonInstance& object,
                                       const std::string& attribute) {
    const bool isCompute = attribute == "compute_dtype" || attribute == "_compute_dtype";
    if (!isLayerBase(object.definition->base) ||
        (!isCompute && attribute != "variable_dtype" && attribute != "dtype"))
        return std::nullopt;
    const auto own = object.attributes->find(itsType);
    const Json named = own == object.attributes->end() ? Json() : own->second.constant();
    const PrecisionPolicy policy = precisionFromJson(named).value_or(programPrecision(builder));
    return pythonText(std::string(toString(isCompute ? policy.compute : policy.variable)));
}

std::optional<PythonValue> nameOfLayer(const PythonInstance& object) {
    const auto name = object.attributes->find(itsName);
    return isLayerBase(object.definition->base) && name != object.attributes->end() && name->second.isText()
               ? std::optional(name->second)
               : std::nullopt;
}

bool isModuleBase(const std::string& base) {
    return base == "tf.Module";
}

PythonValue trainingFlag() {
    return PythonLibraryName{trainingPath};
}

bool isTrainingFlag(const PythonValue& value) {
    const auto* name = value.as<PythonLibraryName>();
    return name != nullptr && name->path == trainingPath;
}

std::optional<PythonModelName> modelOfObject(const PythonInstance& object) {
    const auto found = object.attributes->find(itsModel);
    return found == object.attributes->end() ? std::nullopt
                                             : std::optional(*found->second.as<PythonModelName>());
}

namespace {

/// The model of an object, which is built once it is known what it is called on.
void beginModel(PythonProgramBuilder& builder, const PythonInstance& object, PythonPlace place) {
    const PythonModelName name =
        makeSubclassModel(builder, builder.freshName(snakeCase(object.definition->name)), place);
    PythonModel& model = builder.model(name.model);
    model.isInStrategy = builder.scope.isStrategy;
    for (const char* function : modelFunctions)
        if (const PythonFunction* own = object.definition->function(function)) {
            model.overridden = {function, own->definition->place};
            break;
        }
    if (model.overridden.name == "train_step")
        builder.ownSteps.emplace(name.model, object);
    (*object.attributes)[itsModel] = name;
    // The map holds the object, and the object only the model's number.
    builder.computed[name.model] =
        lastPart(object.definition->base) == "Sequential" && object.definition->function("call") == nullptr
            ? pythonList({})
            : PythonValue(object);
}

} // namespace

void beginModelObject(PythonProgramBuilder& builder, const PythonInstance& object, PythonPlace place) {
    if (builder.scope.stage && isLayerBase(object.definition->base))
        (*object.attributes)[stageOfObject] = pythonConstant(*builder.scope.stage);
    if (isModelBase(object.definition->base))
        beginModel(builder, object, place);
}

void beginModule(PythonProgramBuilder& builder, const PythonInstance& object, const std::string& attribute) {
    constexpr std::array<std::string_view, 5> ofModels{
        "trainable_variables", "variables", "trainable_weights", "weights", "non_trainable_variables"};
    const bool isAsked = isModuleBase(object.definition->base) && !modelOfObject(object) &&
                         std::ranges::find(ofModels, attribute) != ofModels.end() &&
                         object.definition->function("__call__") != nullptr;
    if (isAsked)
        beginModel(builder, object, object.definition->function("__call__")->definition->place);
}

PythonModelName makeComputedSequential(PythonProgramBuilder& builder, const PythonValues& layers,
                                       const std::string& name, PythonPlace place) {
    const PythonModelName made =
        makeSubclassModel(builder, name.empty() ? builder.freshName("sequential") : name, place);
    builder.model(made.model).isInStrategy = builder.scope.isStrategy;
    PythonValues parts = layers;
    for (PythonValue& part : parts) // an input is what the first layer is called on
        if (const auto* layer = part.as<PythonLayerName>();
            layer != nullptr && builder.layer(layer->layer).className == "InputLayer") {
            if (builder.layer(layer->layer).calls.empty())
                builder.layer(layer->layer).calls.emplace_back();
            part = PythonTensor{layer->layer, 0, 0};
        }
    builder.computed[made.model] = pythonList(std::move(parts));
    return made;
}

void computeSequential(PythonProgramBuilder& builder, PythonModelName name) {
    PythonModel& model = builder.model(name.model);
    if (builder.computed.contains(name.model))
        return;
    PythonValues layers;
    for (const std::int64_t index : model.layers) {
        PythonLayer& layer = builder.layer(index);
        if (layer.className == "InputLayer") {
            layers.emplace_back(PythonTensor{index, 0, 0});
            continue;
        }
        if (!layer.calls.empty())
            layer.calls.pop_back();
        layers.emplace_back(PythonLayerName{index});
    }
    model.layers.clear();
    model.isSequential = false;
    model.isSubclass = true;
    model.isInStrategy = builder.scope.isStrategy;
    builder.computed[name.model] = pythonList(std::move(layers));
}

bool buildModel(const PythonApiCall& call, PythonModelName name, const PythonValue* samples) {
    PythonProgramBuilder& builder = call.builder;
    const auto found = builder.computed.find(name.model);
    if (found == builder.computed.end() || !builder.model(name.model).isSubclass)
        return true;
    const PythonValue computed = found->second;
    std::vector<PythonTensor> inputs;
    bool isKnown = true;
    PythonValue given;
    const auto* first = computed.items().empty() ? nullptr : computed.items().front().as<PythonTensor>();
    if (first != nullptr) {
        inputs.push_back(*first);
        given = *first;
    } else if (const auto own = ownSamples(builder, computed)) {
        given = inputsLike(call, *own, builder.model(name.model).name, inputs, isKnown);
    } else if (samples != nullptr) {
        given = inputsLike(call, *samples, builder.model(name.model).name, inputs, isKnown);
    } else {
        return false;
    }
    if (!isKnown)
        return false;
    builder.model(name.model).isSubclass = false; // from here on it has layers
    PythonArguments arguments{{given}, {}, call.place()};
    const PythonScope before = builder.scope;
    builder.scope.isStrategy = before.isStrategy || builder.model(name.model).isInStrategy;
    const PythonValue result = compute(call, computed, arguments);
    builder.scope = before;
    std::vector<PythonTensor> outputs;
    collectTensors(result, outputs);
    PythonModel& model = builder.model(name.model);
    if (outputs.empty())
        builder.refuse(model.place, "python/unsupported",
                       fmt::format("{} answers no tensor of its layers", quotedName(model.name)),
                       {"return what its last layer answers in call()"});
    model.inputs = std::move(inputs);
    model.outputs = std::move(outputs);
    model.isBuilt = true;
    builder.separateNames(model);
    settleInputTypes(builder, model.inputs);
    return true;
}

PythonValue featuresOf(const PythonValue& given) {
    const auto* data = given.as<PythonData>();
    if (data == nullptr || data->element == nullptr)
        return given;
    const auto* tuple = data->element->as<PythonList>();
    return tuple != nullptr && tuple->isTuple && tuple->items->size() > 1 ? tuple->items->front()
                                                                          : *data->element;
}

namespace {

/// Layers one behind the other that take what they are given as it is, without stages of their own.
bool isPlainSequence(const PythonProgramBuilder& builder, const PythonModel& model) {
    return model.isSequential && !model.isSubclass && !model.layers.empty() && model.stages.is_null() &&
           std::ranges::all_of(model.layers, [&](std::int64_t index) {
               const auto& calls = builder.facts.draft.layers[static_cast<std::size_t>(index)].calls;
               return std::ranges::none_of(
                   calls, [](const PythonCall& call) { return call.stage || call.shard || call.isOnHost; });
           });
}

/// The input of a sequence: the layer that it begins with, or one of the shape that its first layer says.
/// Nothing: the shape is not known.
std::optional<PythonTensor> inputOfSequence(PythonProgramBuilder& builder, const PythonModel& model,
                                            PythonPlace place) {
    PythonLayer& first = builder.layer(model.layers.front());
    if (first.className == "InputLayer") {
        if (first.calls.empty())
            first.calls.emplace_back();
        return PythonTensor{model.layers.front(), 0, 0};
    }
    const Json shape = declaredInputShape(first.config);
    if (shape.is_null())
        return std::nullopt;
    PythonValues extents;
    for (const Json& extent : shape)
        extents.push_back(pythonConstant(extent));
    return makeInput(builder, {{}, {{"batch_shape", pythonList(std::move(extents), true)}}, place});
}

/// The inputs and outputs of a model as a graph of its layers; those of a sequence are called once more for
/// it.
struct GraphEnds {
    std::vector<PythonTensor> inputs;
    std::vector<PythonTensor> outputs;
};
std::optional<GraphEnds> graphEnds(PythonProgramBuilder& builder, std::int64_t index, PythonPlace place) {
    const PythonModel model = builder.model(index);
    if (!model.isSequential)
        return GraphEnds{model.inputs, model.outputs};
    const auto input = inputOfSequence(builder, model, place);
    if (!input)
        return std::nullopt;
    PythonValue answered = *input;
    for (const std::int64_t layer : model.layers) {
        if (layer == input->layer)
            continue;
        PythonArguments given{{answered}, {}, place};
        answered = callLayer(builder, {layer}, given);
        builder.layer(layer).calls.back().group = builder.layer(layer).group;
    }
    GraphEnds ends{{*input}, {}};
    collectTensors(answered, ends.outputs);
    settleInputTypes(builder, ends.inputs);
    return ends;
}

/// A model that is called on what another one answers: an output of both together. Nothing where one of them
/// is not known as a graph of layers.
std::optional<PythonData> answerOfChain(const PythonApiCall& call, PythonModelName name,
                                        const PythonValue& samples) {
    PythonProgramBuilder& builder = call.builder;
    const auto* given = samples.as<PythonData>();
    const auto isGraph = [&](std::int64_t model) {
        const PythonModel& one = builder.model(model);
        return isPlainSequence(builder, one) ||
               (!one.isSubclass && !one.inputs.empty() && !one.outputs.empty());
    };
    if (given == nullptr || given->model < 0 || given->computed != nullptr || given->isChained ||
        given->model == name.model || !isGraph(given->model) || !isGraph(name.model))
        return std::nullopt;
    const std::array<std::int64_t, 3> key{given->model, given->output, name.model};
    auto known = builder.chains.find(key);
    if (known == builder.chains.end()) {
        const std::size_t before = builder.countParts();
        const PythonModel first = builder.model(given->model);
        auto ends = graphEnds(builder, given->model, call.place());
        if (!ends)
            return std::nullopt;
        PythonModel chain;
        chain.name = builder.freshName(first.name + "_" + builder.model(name.model).name);
        chain.inputs = ends->inputs;
        chain.outputs = ends->outputs;
        chain.isInStrategy = first.isInStrategy;
        chain.isPart = true;
        chain.place = call.place();
        PythonArguments tensor{{ends->outputs.at(static_cast<std::size_t>(given->output))}, {}, call.place()};
        std::vector<PythonTensor> answered;
        collectTensors(callLayer(builder, asLayer(builder, name, call.place()), tensor), answered);
        chain.outputs.insert(chain.outputs.end(), answered.begin(), answered.end());
        chain.firstOutputs = static_cast<std::int64_t>(ends->outputs.size());
        known = builder.chains.emplace(key, builder.addModel(std::move(chain)).model).first;
        if (builder.fedWhole.contains(given->model))
            builder.fedWhole.insert(known->second);
        builder.chainParts += builder.countParts() - before;
    }
    // The samples of the first are those of both.
    const auto take = [](const Json& from, Json& to) {
        if (from.contains("batch_size") && !to.contains("batch_size"))
            to["batch_size"] = from["batch_size"];
    };
    take(builder.model(given->model).training, builder.model(known->second).training);
    take(builder.model(given->model).derived, builder.model(known->second).derived);
    PythonData answer;
    answer.model = known->second;
    answer.output = builder.model(known->second).firstOutputs;
    return answer;
}

} // namespace

PythonValue callModelOnSamples(const PythonApiCall& call, PythonModelName name) {
    const PythonValue* samples = call.arguments.list.empty() ? nullptr : call.arguments.list.data();
    if (const PythonModel& model = call.builder.model(name.model); model.isOlder)
        call.refuse("type-error/called-directly",
                    "a model of TensorFlow 2.1 for IPUs cannot be called directly, so no loop of the program "
                    "can train it",
                    {"use its fit(), evaluate() and predict()", "make it of tf.keras in a loop of your own"});
    if (samples != nullptr)
        if (const auto answer = answerOfChain(call, name, *samples))
            return *answer;
    PythonData answer;
    answer.model = name.model;
    if (samples == nullptr)
        return answer;
    const PythonData* given = firstSamples(*samples);
    answer.isChained = given != nullptr && (given->model >= 0 || given->isChained);
    if (const std::string drawn = given == nullptr ? "" : drawnIn(*given); !drawn.empty())
        call.warn("python/ignored",
                  fmt::format("what {} draws for these samples is left out", quotedName(drawn)),
                  {"begin the model with a layer such as GaussianNoise"});
    else if (given != nullptr && call.builder.tally.isInExecution() && areReckoned(*given))
        call.warn("python/ignored",
                  "what the program computes of these samples before the model is left out, with its time",
                  {"compute it in the model, by its first layers", "compute it in the dataset, by map()"});
    if (given != nullptr && given->shape.is_array() && !holdsParts(*samples))
        call.builder.fedWhole.insert(name.model);
    useSamples(call, name, *samples);
    // Whole arrays that a step of the program is given are its batch.
    Json& derived = call.builder.model(name.model).derived;
    if (given != nullptr && given->shape.is_array() && !given->shape.empty() &&
        given->shape[0].is_number_integer() &&
        (call.builder.tally.isInExecution() || !derived.contains("batch_size")))
        derived["batch_size"] = given->shape[0];
    buildModel(call, name, samples);
    return answer;
}

std::optional<PythonValue> callModelObject(const PythonApiCall& call, const PythonInstance& object) {
    const bool hasTensor = firstTensor(call.arguments) != nullptr;
    const bool isModule = isModuleBase(object.definition->base);
    if (!isModule && object.definition->function("__call__") != nullptr)
        return std::nullopt;
    if (isModule && !hasTensor && !modelOfObject(object) &&
        firstSamples(pythonList(call.arguments.list)) != nullptr)
        beginModel(call.builder, object, call.place());
    const auto name = modelOfObject(object);
    if (!name && !isLayerBase(object.definition->base))
        return std::nullopt;
    if (name && !hasTensor && firstSamples(pythonList(call.arguments.list)) != nullptr)
        return callModelOnSamples(call, *name);
    if (name && !hasTensor)
        return std::nullopt;
    if (name && !call.builder.computed.contains(name->model)) // super().__init__(inputs, outputs)
        return callLayer(call.builder, asLayer(call.builder, *name, call.place()), call.arguments);
    if (object.definition->function(computingFunction(object)) == nullptr && !name)
        return std::nullopt;
    if (name)
        return compute(call, call.builder.computed.at(name->model), call.arguments);
    const PythonGroupScope group(call.builder, groupOf(call.builder, object));
    return compute(call, PythonValue(object), call.arguments);
}

std::optional<PythonValue> callInheritedFunction(const PythonApiCall& call, const PythonInstance& object) {
    const auto name = modelOfObject(object);
    if (!name && isLayerBase(object.definition->base) && call.path == "__init__")
        if (const PythonValue* title = call.arguments.keyword("name"); title != nullptr && title->isText())
            (*object.attributes)[itsName] = *title;
    if (!name && isLayerBase(object.definition->base) && call.path == "__init__")
        if (const PythonValue* type = call.arguments.keyword("dtype"); type != nullptr && type->isText())
            (*object.attributes)[itsType] = *type;
    if (!name)
        return isLayerBase(object.definition->base) ? callOfLayer(call) : std::nullopt;
    if (call.path == "__init__") {
        const PythonValue* given = call.arguments.find("inputs", 0);
        const PythonValue* layers = call.arguments.find("layers", 0);
        if (const PythonValue* title = call.arguments.keyword("name"); title != nullptr && title->isText())
            call.builder.model(name->model).name = title->constant().get<std::string>();
        const bool isSequential = lastPart(object.definition->base) == "Sequential";
        if (isSequential && layers != nullptr && layers->is<PythonList>())
            call.builder.computed[name->model] = *layers;
        if (isSequential || given == nullptr || call.arguments.find("outputs", 1) == nullptr)
            return PythonValue();
        const PythonModelName whole = makeFunctionalModel(call.builder, call.arguments);
        call.builder.model(whole.model).overridden = call.builder.model(name->model).overridden;
        call.builder.computed.erase(name->model);
        if (call.builder.ownSteps.erase(name->model) > 0)
            call.builder.ownSteps.emplace(whole.model, object);
        (*object.attributes)[itsModel] = whole;
        return PythonValue();
    }
    if (call.path == "call" || call.path == "__call__")
        return callModelObject(call, object);
    if (call.path == "add_weight" || call.path == "add_variable" || call.path == "add_loss")
        return callOfLayer(call);
    return callModelMethod(call, *name);
}

} // namespace core
