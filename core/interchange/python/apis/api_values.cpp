// Attributes, elements and operators of what libraries make.
#include "core/config/ipu_config/ipu_config_table.h"
#include "core/interchange/python/apis/api_catalogue.h"
#include "core/interchange/python/apis/api_library.h"
#include "core/interchange/python/apis/calls/element_expression.h"
#include "core/interchange/python/apis/calls/gradients.h"
#include "core/interchange/python/apis/calls/ipu_configuration.h"
#include "core/interchange/python/apis/calls/loss_function.h"
#include "core/interchange/python/apis/calls/training_loop.h"
#include "core/interchange/python/apis/data/constants/constant_functions.h"
#include "core/interchange/python/apis/data/dataset_functions.h"
#include "core/interchange/python/apis/data/enumerations.h"
#include "core/interchange/python/apis/data/fed_samples.h"
#include "core/interchange/python/apis/data/part_functions.h"
#include "core/interchange/python/apis/files/array_files.h"
#include "core/interchange/python/apis/files/ini_files.h"
#include "core/interchange/python/apis/files/program_files.h"
#include "core/interchange/python/apis/models/device_operations.h"
#include "core/interchange/python/apis/models/model_objects.h"
#include "core/interchange/python/apis/models/opened_sequence.h"
#include "core/interchange/python/apis/models/program_variables.h"
#include "core/interchange/python/apis/older/step_formulas.h"
#include "core/interchange/python/apis/rates/set_rates.h"
#include "core/interchange/python/apis/standard/command_line.h"
#include "core/interchange/python/apis/standard/iterator_functions.h"
#include "core/interchange/python/apis/standard/program_flags.h"
#include "core/interchange/python/apis/weights/program_weights.h"
#include "core/interchange/python/apis/weights/shared_weights.h"
#include "core/interchange/python/apis/weights/weight_penalty.h"
#include "core/interchange/python/draft/constant_array.h"
#include "core/interchange/python/draft/layers.h"
#include "core/interchange/python/draft/models.h"
#include "core/interchange/python/draft/sample_computation.h"
#include "core/interchange/python/draft/sample_shapes.h"
#include "core/interchange/python/draft/tensor_functions.h"
#include "core/interchange/python/draft/tensor_shape.h"
#include "core/interchange/python/language/operators.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <numeric>

namespace core {

namespace {

/// The layer that a stage is for, as the program has it.
PythonValue layerOfStage(PythonStageEntry entry) {
    if (entry.ownLayer >= 0)
        return PythonLayerName{entry.ownLayer};
    if (entry.attributes != nullptr)
        return PythonInstance{entry.definition, entry.attributes, entry.definition};
    entry.isLayer = true;
    return entry;
}

PythonValue extentsOf(const Json& shape, const char* origin) {
    PythonData open;
    open.origin = origin;
    PythonValues extents;
    for (const Json& extent : shape)
        extents.push_back(pythonConstant(extent));
    return shape.is_array() ? pythonList(std::move(extents), true) : PythonValue(open);
}

/// Layers that a call of a layer reads; empty where it is not called.
PythonValues layersBefore(const PythonProgramBuilder& builder, std::int64_t layer, std::int64_t call) {
    const auto& calls = builder.facts.draft.layers[static_cast<std::size_t>(layer)].calls;
    PythonValues before;
    if (static_cast<std::size_t>(call) < calls.size())
        for (const PythonTensor& tensor : calls[static_cast<std::size_t>(call)].tensors)
            before.emplace_back(PythonLayerName{tensor.layer});
    return before;
}

/// Weights, with the model or the layer that has them.
PythonValue ownedWeights(PythonData weights, const PythonValue& owner) {
    weights.weightOwners = std::make_shared<const PythonValue>(pythonList({owner}));
    return weights;
}

/// The first call of a layer on tensors: a layer of a sequence has one without any.
std::optional<std::int64_t> firstCall(const PythonLayer& layer) {
    const auto call =
        std::ranges::find_if(layer.calls, [](const PythonCall& one) { return !one.tensors.empty(); });
    return call == layer.calls.end() ? std::nullopt : std::optional<std::int64_t>(call - layer.calls.begin());
}

/// The same of the sequence that a layer belongs to, where nothing calls that layer yet.
void openSequenceOf(PythonProgramBuilder& builder, std::int64_t layer) {
    const auto& models = builder.facts.draft.models;
    for (std::size_t i = 0; i < models.size(); ++i)
        if (models[i].isSequential && std::ranges::find(models[i].layers, layer) != models[i].layers.end()) {
            static_cast<void>(openSequence(builder, static_cast<std::int64_t>(i)));
            return;
        }
}

/// layer.weights[0] of an Embedding.
std::optional<PythonValue> tableAmongWeights(PythonProgramBuilder& builder, const PythonData& data,
                                             const PythonValue& index) {
    const bool isOwned = data.weightOwners != nullptr && data.weightOwners->items().size() == 1;
    const auto* layer = isOwned ? data.weightOwners->items().front().as<PythonLayerName>() : nullptr;
    const bool isFirst = index.isWhole() && index.constant() == 0;
    return layer == nullptr || !isFirst ? std::nullopt : weightOfLayer(builder, *layer, "embeddings");
}

/// What the program asks of a layer: its name, its tensors and their shapes, and what it was made with.
std::optional<PythonValue> attributeOfLayer(PythonProgramBuilder& builder, PythonLayerName name,
                                            const std::string& attribute) {
    const bool asksTensor = attribute == "input" || attribute == "output";
    if (asksTensor && !firstCall(builder.layer(name.layer)))
        openSequenceOf(builder, name.layer);
    const std::int64_t called = firstCall(builder.layer(name.layer)).value_or(0);
    const PythonLayer& layer = builder.layer(name.layer);
    if (attribute == "name")
        return pythonText(layer.name);
    if (attribute == "output")
        return PythonTensor{name.layer, called, 0};
    if (attribute == "__class__")
        return PythonLibraryName{"keras.layers." + layer.className};
    if (attribute == "input" || attribute == "input_shape") {
        const PythonTensor own{name.layer, 0, 0};
        if (layer.className == "InputLayer") // what it takes is what it answers
            return attribute == "input" ? PythonValue(own)
                                        : extentsOf(tensorShape(builder, own), "the shape of a tensor");
        const auto at = static_cast<std::size_t>(called);
        if (at >= layer.calls.size() || layer.calls[at].tensors.size() != 1)
            return PythonData();
        const PythonTensor input = layer.calls[at].tensors.front();
        return attribute == "input" ? PythonValue(input)
                                    : extentsOf(tensorShape(builder, input), "the shape of a tensor");
    }
    if (attribute == "output_shape")
        return layer.calls.empty()
                   ? PythonValue(PythonData())
                   : extentsOf(tensorShape(builder, {name.layer, 0, 0}), "the shape of a tensor");
    constexpr std::array<std::string_view, 4> ofWeights{"trainable_variables", "trainable_weights", "weights",
                                                        "variables"};
    if (std::ranges::find(ofWeights, attribute) != ofWeights.end())
        return ownedWeights({}, name);
    if (auto weight = weightOfLayer(builder, name, attribute))
        return weight;
    if (attribute == "dtype_policy" || attribute == "_dtype_policy") {
        const Json own = layer.config.value("dtype", Json());
        const Json whole = builder.facts.training.value("precision", Json("float32"));
        const Json& named = own.is_object() ? own["config"]["name"] : own.is_string() ? own : whole;
        return policyNamed(named.get<std::string>());
    }
    if (attribute == "dtype" || attribute == "variable_dtype" || attribute == "compute_dtype") {
        const PrecisionPolicy policy =
            resolvePrecision(layer.config.value("dtype", Json()), programPrecision(builder));
        return pythonText(
            std::string(toString(attribute == "compute_dtype" ? policy.compute : policy.variable)));
    }
    const auto option = layer.config.find(attribute);
    if (option == layer.config.end() || option->is_object())
        return std::nullopt;
    if (!option->is_array())
        return pythonConstant(*option);
    return std::ranges::none_of(*option, [](const Json& one) { return one.is_structured(); })
               ? std::optional(extentsOf(*option, ""))
               : std::nullopt;
}

} // namespace

/// An output of what a model with several answers.
std::optional<PythonValue> PythonApiLibrary::outputOf(const PythonData& answer, const PythonValue& index) {
    if (answer.model < 0 || answer.computed != nullptr || !index.isWhole())
        return std::nullopt;
    const auto count = static_cast<std::int64_t>(m_builder.model(answer.model).outputs.size());
    const std::int64_t at = index.constant().get<std::int64_t>();
    if (count < 2 || at < -count || at >= count)
        return std::nullopt;
    PythonData output = answer;
    output.output = at < 0 ? at + count : at;
    return output;
}

std::optional<PythonValue> PythonApiLibrary::attribute(const PythonValue& owner, const std::string& name) {
    if (auto flag = attributeOfFlags(m_builder, owner, name))
        return flag;
    if (const auto* object = owner.as<PythonLibraryObject>()) {
        if (name.starts_with('$')) // parts that are not the program's
            return std::nullopt;
        if (name == "__dict__" && object->className == "argparse.Namespace")
            return dictionaryOfAttributes(object->attributes);
        if (auto part = attributeOfPath(*object, name))
            return part;
        const auto found = object->attributes->find(name);
        return found == object->attributes->end() ? std::nullopt : std::optional(found->second);
    }
    if (const auto* module = owner.as<PythonLibraryName>();
        module != nullptr && module->path == "os" && name == "environ")
        return m_builder.environment;
    if (const auto* module = owner.as<PythonLibraryName>();
        module != nullptr && module->path == "sys" && name == "argv")
        return argumentsOfProgram(m_builder);
    if (const auto* module = owner.as<PythonLibraryName>(); module != nullptr && name == "name")
        if (auto member = enumerationMemberName(module->path))
            return pythonText(std::move(*member));
    if (const auto* module = owner.as<PythonLibraryName>(); module != nullptr && name == "__name__")
        return pythonText(lastPart(module->path));
    if (const auto* module = owner.as<PythonLibraryName>())
        return standardConstant(module->path + "." + name);
    if (const auto* options = owner.as<PythonOptions>();
        options != nullptr && name != "configure_ipu_system" && name != "get_attribute_metadata")
        return PythonOptions{options->configuration,
                             options->path.empty() ? name : options->path + "." + name};
    if (const auto* entry = owner.as<PythonStageEntry>()) {
        if (name == "layer" && !entry->isLayer)
            return layerOfStage(*entry);
        if (name == "name")
            return pythonText(entry->layer);
        if (name == "node_index")
            return pythonConstant(entry->node);
        if (name == "inbound_layers" && entry->ownLayer >= 0)
            return pythonList(layersBefore(m_builder, entry->ownLayer, entry->node));
        if (name == "pipeline_stage")
            return pythonConstant(
                m_builder.model(entry->model).stages[static_cast<std::size_t>(entry->calls.front())]);
    }
    if (const auto* layer = owner.as<PythonLayerName>())
        return attributeOfLayer(m_builder, *layer, name);
    if (const auto* model = owner.as<PythonModelName>())
        return attributeOfModel(*model, name);
    if (const auto* object = owner.as<PythonInstance>()) {
        if (name == "name_scope" && isModuleBase(object->definition->base))
            return PythonScope();
        if (name == "name")
            if (auto own = nameOfLayer(*object))
                return own;
        if (auto type = typeOfLayer(m_builder, *object, name))
            return type;
        beginModule(m_builder, *object, name);
        if (const auto model = modelOfObject(*object); model && object->definition->function(name) == nullptr)
            return attributeOfModel(*model, name);
    }
    if (const auto* data = owner.as<PythonData>()) {
        if (auto part = attributeOfWeight(*data, name))
            return part;
        return attributeOfSamples(*data, name);
    }
    if (owner.is<PythonScope>() && name == "num_replicas_in_sync")
        return PythonData();
    if (const auto* optimizer = owner.as<PythonConfigured>();
        optimizer != nullptr && (name == "learning_rate" || name == "lr"))
        return rateOfOptimizer(m_builder, *optimizer);
    if (owner.is<PythonLoss>() && name == "dtype")
        return pythonText("float32");
    if (owner.is<PythonLoss>() || (owner.is<PythonConfigured>() && name == "iterations"))
        return name == "numpy" ? std::nullopt : std::optional<PythonValue>(PythonData());
    if (const auto* tensor = owner.as<PythonTensor>(); tensor != nullptr && name == "shape")
        return extentsOf(tensorShape(m_builder, *tensor), "the shape of a tensor");
    if (const auto* tensor = owner.as<PythonTensor>(); tensor != nullptr && name == "dtype")
        return m_builder.computesLoss ? pythonText("float32") // losses are computed in it
                                      : pythonText(tensorType(m_builder, *tensor));
    // An extent of TensorFlow 1 is an object, and so is a shape.
    if (owner.is<PythonConstant>() && name == "value" && (owner.isWhole() || owner.isNone()))
        return owner;
    if (const auto* shape = owner.as<PythonList>(); shape != nullptr && (name == "ndims" || name == "rank"))
        return pythonConstant(shape->items->size());
    // LSTMStateTuple, and what top_k() answers
    if (const auto* pair = owner.as<PythonList>();
        pair != nullptr && pair->items->size() == 2 && pair->items->front().is<PythonTensor>()) {
        if (name == "c" || name == "values")
            return pair->items->front();
        if (name == "h" || name == "indices")
            return pair->items->back();
    }
    return std::nullopt;
}

std::optional<PythonValue> PythonApiLibrary::attributeOfModel(PythonModelName model,
                                                              const std::string& name) {
    if (name == "name")
        return pythonText(m_builder.model(model.model).name);
    const PythonModel& draft = m_builder.model(model.model);
    const bool areInputs = name == "input" || name == "inputs";
    if (areInputs || name == "output" || name == "outputs") {
        const auto opened = draft.inputs.empty() ? openSequence(m_builder, model.model) : std::nullopt;
        if (opened) {
            const PythonTensor tensor = areInputs ? opened->first : opened->second;
            return name.ends_with("s") ? pythonList({tensor}) : PythonValue(tensor);
        }
        PythonValues list;
        for (const PythonTensor& tensor : areInputs ? draft.inputs : draft.outputs)
            list.emplace_back(tensor);
        const bool isOne = (name == "input" || name == "output") && list.size() == 1;
        return isOne ? list[0] : pythonList(std::move(list));
    }
    if (name == "layers" && !draft.isSubclass) {
        PythonValues list;
        for (const std::int64_t layer : m_builder.facts.draft.listedLayers(draft))
            list.emplace_back(PythonLayerName{layer});
        return pythonList(std::move(list));
    }
    // Of a sequence with a layer of the program.
    if (const auto computed = m_builder.computed.find(model.model);
        name == "layers" && computed != m_builder.computed.end() && computed->second.is<PythonList>()) {
        PythonValues list;
        for (const PythonValue& layer : computed->second.items())
            if (!layer.is<PythonTensor>())
                list.push_back(layer);
        return pythonList(std::move(list));
    }
    if (name == "output_shape" || name == "input_shape") {
        const auto& tensors = name == "output_shape" ? draft.outputs : draft.inputs;
        if (draft.isSequential && name == "output_shape" && !draft.isSubclass)
            return extentsOf(outputShape(m_builder, model.model, 0), "the shape of a model");
        return tensors.size() == 1
                   ? extentsOf(tensorShape(m_builder, tensors.front()), "the shape of a model")
                   : PythonValue(PythonData());
    }
    if (name == "output_names" || name == "input_names") {
        PythonValues names;
        for (const PythonTensor& tensor : name == "output_names" ? draft.outputs : draft.inputs)
            names.push_back(pythonText(m_builder.layer(tensor.layer).name));
        return names.empty() ? PythonValue(PythonData()) : pythonList(std::move(names));
    }
    if (name == "optimizer")
        return compiledOptimizer(m_builder, model);
    constexpr std::array<std::string_view, 10> ofRun{
        "trainable_variables",   "trainable_weights", "weights", "variables",       "losses", "metrics",
        "non_trainable_weights", "history",           "layers",  "compiled_metrics"};
    if (name == "losses")
        return samplesFrom(regularizers);
    if (std::ranges::find(ofRun, name) != ofRun.end())
        return name.find("weights") != std::string::npos || name.find("variables") != std::string::npos
                   ? ownedWeights(weightsOfModel(), model)
                   : PythonValue(PythonData());
    return std::nullopt;
}

std::optional<PythonValue> PythonApiLibrary::attributeOfSamples(const PythonData& data,
                                                                const std::string& name) const {
    if (data.element != nullptr && name == "element_spec")
        return *data.element;
    if (!data.shape.is_array() || data.element != nullptr)
        return std::nullopt;
    if (name == "shape") {
        PythonValues extents;
        for (const Json& extent : data.shape)
            extents.push_back(extent.is_null() ? PythonValue(samplesFrom(data.origin))
                                               : pythonConstant(extent));
        return pythonList(std::move(extents), true);
    }
    if (name == "ndim")
        return pythonConstant(data.shape.size());
    if (name == "T") {
        PythonData turned = data;
        if (data.array != nullptr && !data.array->isOpen) {
            std::vector<std::int64_t> order(data.array->extents.size());
            std::iota(order.rbegin(), order.rend(), 0);
            return pythonArray(*transposedArray(*data.array, order));
        }
        std::reverse(turned.shape.begin(), turned.shape.end());
        return turned;
    }
    return std::nullopt;
}

namespace {

/// array[index]: of NumPy, a number where no axis is left; nothing: the index is of another kind.
std::optional<PythonValue> elementOfArray(const PythonArray& array, const PythonValue& index) {
    const auto axes = arrayAxes(array, index);
    if (!axes)
        return std::nullopt;
    PythonArray chosen = selectedArray(array, *axes);
    if (chosen.extents.empty() && !chosen.isTensor)
        return numberOfArray(chosen, 0);
    return pythonArray(std::move(chosen));
}

/// The numbers, or rows, of an array of NumPy that the program says; nothing: they are not known, or too
/// many.
std::optional<PythonValues> rowsOfConstants(const PythonValue& value) {
    if (!isArrayOfProgram(value))
        return std::nullopt;
    const auto array = samplesArrayOf(value);
    PythonValues rows;
    if (array->extents.size() == 1) {
        for (std::size_t i = 0; i < array->numbers.size(); ++i)
            rows.push_back(numberOfArray(*array, i));
        return rows;
    }
    for (std::int64_t i = 0; i < array->extents.front(); ++i)
        if (auto row = elementOfArray(*array, pythonConstant(i)))
            rows.push_back(std::move(*row));
    return rows;
}

} // namespace

std::optional<PythonValues> PythonApiLibrary::members(const PythonValue& value) const {
    if (auto rows = rowsOfConstants(value))
        return rows;
    if (auto lines = linesOfFile(value))
        return lines;
    if (auto weights = weightsByKind(value))
        return weights;
    // Pairs of gradients and variables: one stands for all.
    if (const auto* data = value.as<PythonData>(); data != nullptr && data->isGradient && data->element)
        return PythonValues{*data->element};
    const auto* name = value.as<PythonLibraryName>();
    return name == nullptr ? std::nullopt : enumerationMembers(name->path);
}

std::optional<PythonValue> PythonApiLibrary::nextWithoutEnd(PythonInterpreter& interpreter,
                                                            const PythonValue& value, PythonPlace place) {
    PythonArguments none{{}, {}, place};
    const std::string path = "next";
    return nextOfEndless({m_builder, interpreter, path, none}, value);
}

std::optional<PythonRounds> PythonApiLibrary::rounds(const PythonValue& value) const {
    if (const auto* queue = value.as<PythonQueue>())
        return queue->isInfeed ? roundsOf(queue->dataset)
                               : std::optional(PythonRounds{PythonData(), PythonData::unknownCount, false});
    const auto* data = value.as<PythonData>();
    if (data == nullptr || data->isGradient || isArrayOfProgram(value))
        return std::nullopt;
    feedLoop(m_builder, value, {});
    return roundsOf(*data);
}

namespace {

/// Programs set what they like in namespaces, and options of layers; what other objects are made of is
/// theirs.
bool maySet(const PythonLibraryObject& object, const std::string& name) {
    constexpr std::array<std::string_view, 2> open{"argparse.Namespace", "click.Context"};
    if (name.starts_with('$'))
        return false;
    return object.className.starts_with("keras.") || !object.attributes->contains(name) ||
           std::ranges::find(open, object.className) != open.end();
}

} // namespace

namespace {

/// Of a model and all layers that it has now.
void setTrainable(PythonProgramBuilder& builder, std::int64_t model, const Json& value) {
    PythonModel& made = builder.model(model);
    made.config["trainable"] = value;
    if (made.isSubclass)
        return;
    for (const std::int64_t at : builder.facts.draft.ownLayers(made)) {
        PythonLayer& layer = builder.layer(at);
        if (layer.className == "InputLayer")
            continue;
        if (layer.model >= 0)
            setTrainable(builder, layer.model, value);
        else
            layer.config["trainable"] = value;
    }
}

} // namespace

bool PythonApiLibrary::setAttribute(const PythonValue& owner, const std::string& name,
                                    const PythonValue& value, PythonPlace place) {
    if (setAttributeOfFlags(m_builder, owner, name, value))
        return true;
    if (const auto* options = owner.as<PythonOptions>()) {
        PythonConfiguration& configuration = m_builder.configuration(options->configuration);
        const std::string path = options->path.empty() ? name : options->path + "." + name;
        if (const IpuConfigOption* known = findIpuConfigOption(path);
            known != nullptr && known->type == OptionType::Choice && known->pythonType != "str" &&
            value.isText())
            m_builder.refuse(place, "type-error/option",
                             fmt::format("{} is set to a text; it takes a {}", path, known->pythonType),
                             {fmt::format("write ipu.config.{}.{}", known->pythonType,
                                          quotedName(value.constant().get<std::string>()))});
        setConfigurationOption(m_builder, configuration, path, m_builder.json(value, place), place);
        return true;
    }
    if (const auto* layer = owner.as<PythonLayerName>()) {
        Json json = m_builder.json(value, place);
        m_builder.layer(layer->layer).config[name] = std::move(json);
        return true;
    }
    if (const auto* model = owner.as<PythonModelName>(); model != nullptr && name == "trainable") {
        setTrainable(m_builder, model->model, m_builder.json(value, place));
        return true;
    }
    if (const auto* optimizer = owner.as<PythonConfigured>();
        optimizer != nullptr && (name == "learning_rate" || name == "lr")) {
        setLearningRate(m_builder, *rateOfOptimizer(m_builder, *optimizer).as<PythonData>(), value, place);
        return true;
    }
    if (const auto* entry = owner.as<PythonStageEntry>(); entry != nullptr && name == "pipeline_stage") {
        const Json stage = m_builder.json(value, place);
        for (const std::int64_t one : entry->calls)
            m_builder.model(entry->model).stages[static_cast<std::size_t>(one)] = stage;
        return true;
    }
    if (const auto* object = owner.as<PythonLibraryObject>();
        object != nullptr && maySet(*object, name) && canHold(object->attributes.get(), value)) {
        (*object->attributes)[name] = value;
        return true;
    }
    return false;
}

/// An entry of an option that is a dictionary.
bool PythonApiLibrary::setElement(const PythonValue& owner, const PythonValue& index,
                                  const PythonValue& value, PythonPlace place) {
    if (const auto* data = owner.as<PythonData>(); data != nullptr && data->array != nullptr) {
        const auto axes = arrayAxes(*data->array, index);
        const auto written = samplesArrayOf(value);
        if (!axes || written == nullptr || !assignArray(*data->array, *axes, *written))
            data->array->isOpen = true;
        return true;
    }
    const auto* options = owner.as<PythonOptions>();
    if (options == nullptr || !index.isText())
        return false;
    PythonConfiguration& configuration = m_builder.configuration(options->configuration);
    Json entries = configuration.options.value(options->path, Json::object());
    if (!entries.is_object())
        return false;
    entries[index.constant().get<std::string>()] = m_builder.json(value, place);
    setConfigurationOption(m_builder, configuration, options->path, std::move(entries), place);
    return true;
}

std::optional<PythonValue> PythonApiLibrary::elementOf(const PythonValue& owner, const PythonValue& index,
                                                       PythonPlace place) {
    if (const auto* data = owner.as<PythonData>()) {
        if (auto output = outputOf(*data, index))
            return output;
        if (const auto array = samplesArrayOf(owner); array != nullptr) {
            if (auto chosen = elementOfArray(*array, index))
                return chosen;
            if (auto rows = rowsOfArray(*array, index))
                return pythonArray(std::move(*rows));
        }
        if (auto table = tableAmongWeights(m_builder, *data, index))
            return table;
        PythonData part = *data;
        part.array = nullptr;
        part.placeholder = 0;
        const auto isWhole = [](const PythonValue& one) {
            const auto* slice = one.as<PythonSlice>();
            return one.isNone() || one.is<PythonEllipsis>() ||
                   (slice != nullptr && slice->bounds != nullptr &&
                    std::ranges::all_of(*slice->bounds,
                                        [](const PythonValue& bound) { return bound.isNone(); }));
        };
        const auto* places = index.as<PythonList>();
        if (!(places != nullptr && places->isTuple ? std::ranges::all_of(*places->items, isWhole)
                                                   : isWhole(index)))
            part.divisor.reset(); // some of them
        if (data->element != nullptr || !data->shape.is_array()) {
            part = samplesFrom(data->origin);
            keepGradients(owner, part);
            if (data->weights && data->weightKind.empty()) {
                part.weights = data->weights;
                part.weightKind = index.isWhole() ? pythonWeightAtPlace : "";
            }
            if (data->weightOwners != nullptr) { // some of them
                PythonValues owners = data->weightOwners->items();
                owners.emplace_back();
                part.weightOwners = std::make_shared<const PythonValue>(pythonList(std::move(owners)));
            }
        } else {
            part.shape = indexedShape(data->shape, index);
        }
        PythonValue made = part;
        rememberComputation(
            made, {PythonComputation::Kind::Element, "[]", PythonArguments{{owner, index}, {}, place}});
        return made;
    }
    if (auto entry = elementOfIni(m_builder, owner, index, place))
        return entry;
    if (auto member = memberOfArchive(owner, index))
        return member;
    if (const auto* maker = owner.as<PythonLibraryName>())
        if (auto made = indexedMaker(maker->path, index))
            return made;
    if (auto part = partOfWeight(m_builder, owner, index, place))
        return part;
    const auto* tensor = owner.as<PythonTensor>();
    return tensor == nullptr ? std::nullopt : std::optional(sliceTensor(m_builder, *tensor, index, place));
}

std::optional<PythonValues> PythonApiLibrary::unpack(const PythonValue& value, std::size_t count) {
    if (const auto* data = value.as<PythonData>()) {
        if (data->model >= 0 && data->computed == nullptr &&
            m_builder.model(data->model).outputs.size() == count) {
            PythonValues outputs(count, value);
            for (std::size_t i = 0; i < count; ++i)
                std::get<PythonData>(outputs[i].content).output = static_cast<std::int64_t>(i);
            return outputs;
        }
        if (data->array != nullptr && !data->array->extents.empty() && !data->array->isOpen) {
            PythonValues rows; // all of them, as lists are unpacked
            for (std::int64_t i = 0; i < data->array->extents.front(); ++i)
                rows.push_back(element(value, pythonConstant(i), {}).value_or(value));
            return rows;
        }
        const auto known = roundsOf(*data);
        const bool isArray =
            data->element == nullptr && known && known->count == static_cast<std::int64_t>(count);
        return PythonValues(count, isArray ? known->element : value);
    }
    if (const auto* tensor = value.as<PythonTensor>()) { // a layer with several outputs
        PythonValues parts;
        for (std::size_t i = 0; i < count; ++i)
            parts.emplace_back(PythonTensor{tensor->layer, tensor->call, static_cast<std::int64_t>(i)});
        return parts;
    }
    return std::nullopt;
}

std::optional<PythonValue> PythonApiLibrary::negated(const PythonValue& value, PythonPlace place) {
    if (auto formula = stepOperation("*", value, pythonConstant(-1)))
        return formula;
    if (isWeight(value))
        return weightOperation(m_builder, "*", value, pythonConstant(-1.0), place);
    PythonArguments arguments{{value}, {}, place};
    if (const auto* data = value.as<PythonData>(); data != nullptr && (data->isGradient || data->weights))
        return gradientOperation(m_builder, "*", value, pythonConstant(-1));
    if (auto constants = constantOperation("*", value, pythonConstant(-1)))
        return constants;
    if (!value.is<PythonTensor>() && areOfSamples(arguments)) {
        PythonValue made = value.is<PythonData>() ? value : PythonValue(PythonData());
        rememberComputation(made, {PythonComputation::Kind::Negative, "-", arguments});
        return made;
    }
    if (!value.is<PythonTensor>())
        return std::nullopt;
    return callOnTensors(m_builder, "math.negative", arguments);
}

std::optional<PythonValue> PythonApiLibrary::remembered(PythonComputation::Kind kind, const std::string& name,
                                                        const PythonValue& left, const PythonValue* right,
                                                        PythonPlace place, std::optional<PythonValue> made) {
    if (!made && kind == PythonComputation::Kind::Negative && left.is<PythonData>())
        made = left; // of which no more is known than its extents
    if (!made || !made->is<PythonData>())
        return made;
    forgetEager(*made);
    if (!m_builder.scope.isStrategy)
        return made;
    PythonArguments arguments{{left}, {}, place};
    if (right != nullptr)
        arguments.list.push_back(*right);
    if (isEager(m_builder, arguments))
        rememberEager(m_builder, {kind, name, std::move(arguments)}, *made);
    return made;
}

std::optional<PythonValue> PythonApiLibrary::combined(const std::string& operation, const PythonValue& left,
                                                      const PythonValue& right, PythonPlace place) {
    if (isRate(left) || isRate(right))
        if (const PythonValue first = withRateNow(m_builder, left), second = withRateNow(m_builder, right);
            first.isNumber() && second.isNumber())
            return binaryOperation(operation, first, second);
    if (auto path = joinedPaths(operation, left, right))
        return path;
    if (const auto entries = dictionaryOfOption(m_builder, left); entries && operation == "|")
        return binaryOperation(operation, *entries, right);
    if (auto gradients = gradientOperation(m_builder, operation, left, right);
        gradients && gradientsIn(*gradients) != nullptr)
        return gradients;
    if (auto formula = stepOperation(operation, left, right))
        return formula;
    if (auto penalty = penaltyOperation(m_builder, operation, left, right, place))
        return penalty;
    if (auto formula = elementOperation(operation, left, right))
        return formula;
    if (auto loss = operationOnLosses(m_builder, operation, left, right, place))
        return loss;
    if (auto loss = lossOperation(m_builder, operation, left, right, place))
        return loss;
    if (auto weights = weightOperation(m_builder, operation, left, right, place))
        return weights;
    if (operation == "+")
        if (auto weights = joinedWeights(left, right))
            return weights;
    if (auto gradients = gradientOperation(m_builder, operation, left, right))
        return gradients;
    if (auto constants = constantOperation(operation, left, right))
        return constants;
    const bool asks =
        operation == "is" || operation == "is not" || operation == "in" || operation == "not in";
    const auto* first = left.as<PythonData>();
    const auto* second = right.as<PythonData>();
    if (!asks && (first != nullptr || second != nullptr) && !left.is<PythonTensor>() &&
        !right.is<PythonTensor>()) {
        PythonData made = first != nullptr ? *first : *second;
        made.initializer = scaledInitializer(operation, left, right);
        made.array = nullptr;
        const bool isDivided = operation == "/" && first != nullptr && first->divisor && right.isNumber();
        made.divisor =
            isDivided ? std::optional(*first->divisor * right.constant().get<double>()) : std::nullopt;
        constexpr std::array<std::string_view, 5> ofNumbers{"+", "-", "*", "//", "%"};
        made.areWhole = std::ranges::find(ofNumbers, operation) != ofNumbers.end() && areWholeNumbers(left) &&
                        areWholeNumbers(right);
        made.weights.reset();
        made.placeholder = 0;
        made.element = nullptr;
        const bool isJoined = left.is<PythonList>() && right.is<PythonList>();
        made.shape = isJoined           ? Json()
                     : operation == "@" ? productShape(shapeOf(left), shapeOf(right))
                                        : broadcastShapes(shapeOf(left), shapeOf(right));
        PythonValue result = made;
        rememberComputation(result, {PythonComputation::Kind::Operator, operation,
                                     PythonArguments{{left, right}, {}, place}});
        return result;
    }
    return tensorOperation(m_builder, operation, left, right, place);
}

PythonScope PythonApiLibrary::enter(const PythonScope& scope) {
    const PythonScope before = m_builder.scope;
    if (scope.stage)
        m_builder.scope.stage = scope.stage;
    if (scope.shard)
        m_builder.scope.shard = scope.shard;
    m_builder.scope.isStrategy = before.isStrategy || scope.isStrategy;
    if (!scope.variables.empty())
        m_builder.scope.variables = before.variables + "/" + scope.variables;
    m_builder.scope.reuses = before.reuses || scope.reuses;
    for (auto part : {&PythonScope::initializer, &PythonScope::regularizer, &PythonScope::type})
        if (scope.*part != nullptr)
            m_builder.scope.*part = scope.*part;
    m_builder.scope.isHost = before.isHost || scope.isHost;
    return before;
}

} // namespace core
