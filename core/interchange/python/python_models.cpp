// Layers, models and what programs tell them.
#include "core/interchange/keras/keras_json.h"
#include "core/interchange/python/python_evaluator.h"
#include "core/interchange/templates/template_project.h"
#include "core/model/graph/flattened_model.h"
#include "core/model/graph/layer_catalogue.h"
#include "core/model/layer_naming.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace core {

namespace {

using Value = PythonValue;

PythonTensor tensorOf(const Value& value) {
    return {value.index, value.call, value.output};
}

/// [extents…] or one extent as a list with the batch axis before it.
Json withBatch(const Json& shape, const Json& batch) {
    Json whole = Json::array({batch});
    if (shape.is_array())
        whole.insert(whole.end(), shape.begin(), shape.end());
    else
        whole.push_back(shape);
    return whole;
}

/// Extents of a sample of the datasets that come with Keras; null for others.
Json sampleShape(const std::string& dataset) {
    if (dataset == "mnist" || dataset == "fashion_mnist")
        return {28, 28};
    if (dataset == "cifar10" || dataset == "cifar100")
        return {32, 32, 3};
    return dataset == "boston_housing" ? Json::array({13}) : Json();
}

/// input_shape, input_dim and batch_size as Keras keeps them.
void keepInputShape(Json& config, const LayerDefinition& definition) {
    const auto take = [&](const char* key) {
        Json value = config.contains(key) ? config[key] : Json();
        config.erase(key);
        return value;
    };
    const bool ownsDimension = definition.findAttribute("input_dim") != nullptr;
    const Json batch = definition.findAttribute("batch_size") == nullptr ? take("batch_size") : Json();
    const Json shape = take("input_shape");
    const Json dimension = ownsDimension ? Json() : take("input_dim");
    if (!shape.is_null())
        config["batch_input_shape"] = withBatch(shape, batch);
    else if (!dimension.is_null())
        config["batch_input_shape"] = Json::array({batch, dimension});
}

} // namespace

Json PythonEvaluator::datasetShape(const std::string& dataset) {
    const Json shape = sampleShape(dataset);
    return shape.is_null() ? Json::array({nullptr}) : shape;
}

// ---- layers ---------------------------------------------------------------------------------------------

Value PythonEvaluator::makeLayer(const std::string& className, Arguments& arguments) {
    const LayerDefinition* definition = findLayerDefinition(className);
    if (definition == nullptr)
        refuse(arguments.place, "python/unsupported",
               fmt::format("there is no layer class \"{}\"", className.substr(0, 60)),
               {"use a layer of Keras or of the IPU extensions"});
    PythonLayer layer;
    layer.className = className;
    layer.place = arguments.place;
    layer.config["name"] = nullptr;
    if (arguments.list.size() > definition->attributes.size())
        refuse(arguments.place, "python/value", fmt::format("{} has too many arguments", className));
    for (std::size_t i = 0; i < arguments.list.size(); ++i)
        layer.config[definition->attributes[i].name] = json(arguments.list[i], arguments.place);
    for (const auto& [name, value] : arguments.keywords)
        layer.config[name] = json(value, arguments.place);
    keepInputShape(layer.config, *definition);
    if (layer.config["name"].is_string()) {
        layer.name = layer.config["name"].get<std::string>();
        m_usedNames.insert(layer.name);
    } else {
        layer.name =
            freshName(className == "InputLayer" ? "input" : snakeCase(className), className == "InputLayer");
        layer.config["name"] = layer.name;
    }
    if (className == "InputLayer")
        layer.calls.emplace_back();
    m_facts.draft.layers.push_back(std::move(layer));
    return Value::of(Value::Kind::Layer, static_cast<std::int64_t>(m_facts.draft.layers.size()) - 1);
}

Value PythonEvaluator::makeInput(Arguments& arguments) {
    PythonLayer layer;
    layer.className = "InputLayer";
    layer.place = arguments.place;
    const auto given = [&](const char* name, std::size_t position) {
        const Value* value = arguments.find(name, position);
        return value == nullptr ? Json() : json(*value, arguments.place);
    };
    if (const Value* whole = arguments.keyword("batch_shape"))
        layer.config["batch_shape"] = json(*whole, arguments.place);
    else
        layer.config["batch_input_shape"] = withBatch(given("shape", 0), given("batch_size", 1));
    if (!layer.config.contains("batch_shape") && given("shape", 0).is_null())
        refuse(arguments.place, "python/value", "Input() lacks its shape");
    for (const auto& [name, value] : arguments.keywords) {
        if (name != "shape" && name != "batch_size" && name != "batch_shape" && name != "name" &&
            !value.isNone())
            layer.config[name] = json(value, arguments.place);
    }
    const Json name = given("name", 2);
    layer.name = name.is_string() ? name.get<std::string>() : freshName("input", true);
    m_usedNames.insert(layer.name);
    layer.config["name"] = layer.name;
    layer.calls.emplace_back();
    m_facts.draft.layers.push_back(std::move(layer));
    return Value::of(Value::Kind::Tensor, static_cast<std::int64_t>(m_facts.draft.layers.size()) - 1);
}

/// JSON of an argument in which every tensor is a reference.
Json PythonEvaluator::structure(const Value& value, PythonCall& call, PythonPlace place) {
    if (value.kind == Value::Kind::Tensor) {
        call.tensors.push_back(tensorOf(value));
        return {{"$tensor", call.tensors.size() - 1}};
    }
    if (value.kind == Value::Kind::List) {
        Json list = Json::array();
        for (const Value& item : value.items)
            list.push_back(structure(item, call, place));
        return list;
    }
    if (value.kind == Value::Kind::Data && m_stage)
        refuse(place, "value-error/captured-tensor",
               fmt::format("stage {} captures a tensor from outside that is no variable", *m_stage),
               {"pass it as an input of the model, so that it comes through the infeed"});
    return json(value, place);
}

Value PythonEvaluator::callLayer(std::int64_t index, Arguments& arguments) {
    PythonDraft& draft = m_facts.draft;
    const std::string className = draft.layers[static_cast<std::size_t>(index)].className;
    const LayerDefinition* definition = findLayerDefinition(className);
    PythonCall call;
    call.stage = m_stage;
    call.shard = m_shard;
    if (arguments.list.empty() && !arguments.keywords.empty()) {
        arguments.list.push_back(arguments.keywords.front().second);
        arguments.keywords.erase(arguments.keywords.begin());
    }
    if (arguments.list.empty())
        refuse(arguments.place, "python/value", "a layer is called on a tensor");
    Json first = structure(arguments.list[0], call, arguments.place);
    if (call.tensors.empty())
        refuse(arguments.place, "python/value", "a layer is called on a tensor of the model",
               {"start with tf.keras.Input(shape=…)"});
    call.structure = first.is_array() ? std::move(first) : Json::array({std::move(first)});
    for (std::size_t i = 1; i < arguments.list.size(); ++i) {
        const bool isNamed = definition != nullptr && i < definition->inputNames.size();
        const std::string name = isNamed ? definition->inputNames[i] : i == 1 ? "initial_state" : "";
        if (name.empty())
            refuse(arguments.place, "python/unsupported", "this argument of the call has no known name");
        call.keywords[name] = structure(arguments.list[i], call, arguments.place);
    }
    for (const auto& [name, value] : arguments.keywords)
        call.keywords[name] = structure(value, call, arguments.place);
    PythonLayer& layer = draft.layers[static_cast<std::size_t>(index)];
    layer.calls.push_back(std::move(call));
    Value result = Value::of(Value::Kind::Tensor, index);
    result.call = static_cast<std::int64_t>(layer.calls.size()) - 1;
    // Layers with several outputs answer a list.
    std::int64_t outputs = 1;
    const Json& inner = layer.config.contains("layer") && layer.config["layer"].is_object() &&
                                layer.config["layer"].contains("config")
                            ? layer.config["layer"]["config"]
                            : layer.config;
    if (layer.model >= 0)
        outputs =
            static_cast<std::int64_t>(draft.models[static_cast<std::size_t>(layer.model)].outputs.size());
    else if (inner.contains("return_state") && inner["return_state"] == true)
        outputs = className == "Bidirectional" ? 5 : className.find("LSTM") != std::string::npos ? 3 : 2;
    if (outputs <= 1)
        return result;
    Value list = Value::of(Value::Kind::List);
    for (std::int64_t i = 0; i < outputs; ++i) {
        result.output = i;
        list.items.push_back(result);
    }
    return list;
}

/// A TensorFlow function called on tensors: Keras makes a layer of it.
Value PythonEvaluator::callOnTensors(const std::string& function, Arguments& arguments) {
    const std::string last = function.substr(function.rfind('.') + 1);
    std::string name = function;
    const bool startsWithTensor = arguments.list.empty() || arguments.list[0].kind == Value::Kind::Tensor ||
                                  arguments.list[0].kind == Value::Kind::List;
    if (!startsWithTensor) { // 2 − x: the reversed operator of x
        Value* other = nullptr;
        for (auto& [key, value] : arguments.keywords)
            other = value.kind == Value::Kind::Tensor ? &value : other;
        if (other == nullptr && arguments.list.size() > 1)
            other = &arguments.list[1];
        constexpr std::array<std::pair<std::string_view, std::string_view>, 5> reversed{{
            {"add", "__operators__.radd"},
            {"subtract", "__operators__.rsub"},
            {"multiply", "__operators__.rmul"},
            {"truediv", "__operators__.rtruediv"},
            {"pow", "__operators__.rpow"},
        }};
        const auto row = std::ranges::find(reversed, last, [](const auto& entry) { return entry.first; });
        if (other == nullptr || row == reversed.end())
            refuse(arguments.place, "python/unsupported", "this call on tensors is not read");
        std::swap(arguments.list[0], *other);
        name = row->second;
    }
    constexpr std::array<std::pair<std::string_view, std::string_view>, 14> second{{
        {"reshape", "shape"},
        {"transpose", "perm"},
        {"concat", "axis"},
        {"matmul", "b"},
        {"cast", "dtype"},
        {"expand_dims", "axis"},
        {"squeeze", "axis"},
        {"tile", "multiples"},
        {"gather", "indices"},
        {"pad", "paddings"},
        {"softmax", "axis"},
        {"stack", "axis"},
        {"split", "num_or_size_splits"},
        {"argmax", "axis"},
    }};
    for (std::size_t i = 1; i < arguments.list.size(); ++i) {
        const auto row = std::ranges::find(second, last, [](const auto& entry) { return entry.first; });
        const std::string key = last.starts_with("reduce_") ? "axis"
                                : row != second.end()       ? std::string(row->second)
                                                            : "y";
        if (i > 1)
            refuse(arguments.place, "python/unsupported", "name the further arguments of this call");
        arguments.keywords.emplace_back(key, arguments.list[i]);
    }
    if (arguments.list.size() > 1)
        arguments.list.resize(1);
    PythonLayer layer;
    layer.className = "TFOpLambda";
    layer.place = arguments.place;
    layer.name = freshName("tf." + name);
    layer.config = {{"name", layer.name}, {"trainable", true}, {"dtype", "float32"}, {"function", name}};
    m_facts.draft.layers.push_back(std::move(layer));
    return callLayer(static_cast<std::int64_t>(m_facts.draft.layers.size()) - 1, arguments);
}

bool PythonEvaluator::joinsConvolutions(const PythonStatement& function) {
    bool joins = false;
    for (const PythonExpression& decorator : function.decorators) {
        const bool isCall = decorator.kind == PythonExpression::Kind::Call;
        const std::string path = pathOf(isCall ? decorator.children.at(0) : decorator);
        if (path == "ipu.nn_ops.multi_conv") {
            joins = true;
            if (isCall)
                warn(decorator.place, "python/ignored", "the options of multi_conv are left out");
        } else if (path != "tf.function" && !path.starts_with("tf.autograph.")) {
            // Those two say how Python runs, not what the model is.
            warn(decorator.place, "python/ignored",
                 fmt::format("the decorator of {}() is left out", function.text.substr(0, 60)),
                 path.ends_with("outlined_function")
                     ? std::vector<std::string>{"call ipu.keras.layers.OutlinedFunction(layer=…) instead"}
                     : std::vector<std::string>());
        }
    }
    return joins;
}

void PythonEvaluator::joinConvolutions(std::size_t firstLayer, Value& result, PythonPlace place) {
    std::vector<PythonLayer>& layers = m_facts.draft.layers;
    // The convolutions, and which of them each is.
    std::map<std::int64_t, std::int64_t> position;
    for (std::size_t i = firstLayer; i < layers.size(); ++i) {
        const PythonLayer& layer = layers[i];
        if (layer.className.find("Conv") != std::string::npos && layer.className != "MultiConv" &&
            layer.calls.size() == 1 && layer.calls.front().tensors.size() == 1)
            position.emplace(static_cast<std::int64_t>(i), static_cast<std::int64_t>(position.size()));
    }
    if (position.size() < 2)
        return;
    const auto last = static_cast<std::int64_t>(layers.size());
    PythonLayer joined;
    joined.className = "MultiConv";
    joined.name = freshName("multi_conv");
    joined.place = place;
    joined.config = {{"name", joined.name}, {"layers", Json::array()}};
    PythonCall call;
    call.stage = m_stage;
    call.shard = m_shard;
    for (const auto& [index, at] : position) {
        const PythonLayer& layer = layers[static_cast<std::size_t>(index)];
        // What a convolution waits for must be there before the function.
        std::vector<PythonTensor> open = layer.calls.front().tensors;
        while (!open.empty()) {
            const PythonTensor tensor = open.back();
            open.pop_back();
            if (tensor.layer < static_cast<std::int64_t>(firstLayer))
                continue;
            if (position.contains(tensor.layer))
                refuse(layer.place, "python/unsupported",
                       "convolutions of a multi_conv must not depend on one another",
                       {"call the second one outside of the function"});
            const PythonCall& before =
                layers[static_cast<std::size_t>(tensor.layer)].calls[static_cast<std::size_t>(tensor.call)];
            open.insert(open.end(), before.tensors.begin(), before.tensors.end());
        }
        joined.config["layers"].push_back({{"class_name", layer.className}, {"config", layer.config}});
        call.tensors.push_back(layer.calls.front().tensors.front());
        call.structure.push_back({{"$tensor", at}});
    }
    joined.calls.push_back(std::move(call));
    layers.push_back(std::move(joined));
    for (std::size_t i = firstLayer; i < layers.size(); ++i)
        for (PythonCall& other : layers[i].calls)
            for (PythonTensor& tensor : other.tensors)
                if (const auto at = position.find(tensor.layer); at != position.end())
                    tensor = {last, 0, at->second};
    std::vector<Value*> open{&result};
    while (!open.empty()) {
        Value& value = *open.back();
        open.pop_back();
        if (const auto at = position.find(value.index);
            value.kind == Value::Kind::Tensor && at != position.end()) {
            value.index = last;
            value.output = at->second;
        }
        for (Value& item : value.items)
            open.push_back(&item);
    }
}

// ---- models ---------------------------------------------------------------------------------------------

std::int64_t PythonEvaluator::asLayer(const Value& value, PythonPlace place) {
    if (value.kind == Value::Kind::Layer)
        return value.index;
    PythonDraft& draft = m_facts.draft;
    if (value.kind == Value::Kind::Tensor &&
        draft.layers[static_cast<std::size_t>(value.index)].className == "InputLayer")
        return value.index;
    if (value.kind != Value::Kind::Model)
        refuse(place, "python/value", "this is no layer");
    PythonModel& model = draft.models[static_cast<std::size_t>(value.index)];
    if (model.isSubclass)
        refuseSubclass(model, place);
    if (model.asLayer < 0) {
        PythonLayer layer;
        layer.className = model.isSequential ? "Sequential" : "Functional";
        layer.name = model.name;
        layer.model = value.index;
        layer.place = model.place;
        model.asLayer = static_cast<std::int64_t>(draft.layers.size());
        draft.layers.push_back(std::move(layer));
    }
    return model.asLayer;
}

void PythonEvaluator::addToSequential(PythonModel& model, const Value& layer, PythonPlace place) {
    const std::int64_t index = asLayer(layer, place);
    PythonLayer& added = m_facts.draft.layers[static_cast<std::size_t>(index)];
    if (added.className != "InputLayer") {
        PythonCall call;
        call.stage = m_stage;
        call.shard = m_shard;
        added.calls.push_back(std::move(call));
    }
    model.layers.push_back(index);
}

Value PythonEvaluator::makeModel(const std::string& className, Arguments& arguments) {
    const bool isSequential = className.find("Sequential") != std::string::npos;
    const bool isPipelined = className.find("Pipeline") != std::string::npos;
    if (isSequential)
        return makeSequential(arguments, isPipelined);
    PythonModel model;
    model.place = arguments.place;
    const auto ends = [&](const char* name, std::size_t position, std::vector<PythonTensor>& list) {
        const Value* given = arguments.find(name, position);
        if (given == nullptr)
            refuse(arguments.place, "python/unsupported", fmt::format("a model without {} is not read", name),
                   {"use the functional API: Model(inputs, outputs)"});
        std::vector<Value> values{*given};
        if (given->kind == Value::Kind::List)
            values = given->items;
        if (given->kind == Value::Kind::Dictionary) {
            values.clear();
            for (std::size_t i = 1; i < given->items.size(); i += 2)
                values.push_back(given->items[i]);
        }
        for (const Value& value : values) {
            if (value.kind != Value::Kind::Tensor)
                refuse(arguments.place, "python/value",
                       fmt::format("the {} of a model are its tensors", name));
            list.push_back(tensorOf(value));
        }
    };
    ends("inputs", 0, model.inputs);
    ends("outputs", 1, model.outputs);
    const Value* name = arguments.find("name", 2);
    model.name = name != nullptr && name->isText() ? name->json.get<std::string>() : freshName("model");
    setOlderModelArguments(model, arguments);
    m_facts.draft.models.push_back(std::move(model));
    return Value::of(Value::Kind::Model, static_cast<std::int64_t>(m_facts.draft.models.size()) - 1);
}

Value PythonEvaluator::makeSequential(Arguments& arguments, bool isPipelined) {
    PythonModel model;
    model.isSequential = true;
    model.place = arguments.place;
    const Value* name = arguments.find("name", 1);
    model.name = name != nullptr && name->isText() ? name->json.get<std::string>() : freshName("sequential");
    Json stages = Json::array();
    if (const Value* layers =
            arguments.find(isPipelined && arguments.keyword("stages") != nullptr ? "stages" : "layers", 0);
        layers != nullptr && !layers->isNone()) {
        if (layers->kind != Value::Kind::List)
            refuse(arguments.place, "python/value", "Sequential takes a list of layers");
        std::int64_t stage = -1;
        for (const Value& item : layers->items) {
            stage += item.kind == Value::Kind::List ? 1 : 0;
            // PipelineSequential has a list of layers for each stage.
            const std::vector<Value> group =
                item.kind == Value::Kind::List ? item.items : std::vector<Value>{item};
            for (const Value& layer : group) {
                addToSequential(model, layer, arguments.place);
                if (m_facts.draft.layers[static_cast<std::size_t>(model.layers.back())].className !=
                    "InputLayer")
                    stages.push_back(item.kind == Value::Kind::List ? Json(stage) : Json());
            }
        }
    }
    setOlderModelArguments(model, arguments);
    const bool hasStages = !stages.empty() && !stages[0].is_null();
    if (isPipelined && hasStages) {
        model.stages = std::move(stages);
    } else if (isPipelined && model.pipeline.contains("device_mapping") &&
               model.pipeline["device_mapping"].size() == stages.size()) {
        // A flat list of layers: the mapping stands for the stages.
        model.stages = model.pipeline["device_mapping"];
        model.pipeline.erase("device_mapping");
    }
    m_facts.draft.models.push_back(std::move(model));
    return Value::of(Value::Kind::Model, static_cast<std::int64_t>(m_facts.draft.models.size()) - 1);
}

/// Arguments of the IPU-specific classes of TensorFlow 2.1.
void PythonEvaluator::setOlderModelArguments(PythonModel& model, Arguments& arguments) {
    for (const auto& [name, value] : arguments.keywords) {
        if (name == "inputs" || name == "outputs" || name == "name" || name == "layers" || name == "stages" ||
            name == "trainable" || name == "layer_replacement")
            continue;
        std::string key = name;
        if (name == "gradient_accumulation_count" || name == "pipeline_depth" || name == "accumulation_count")
            key = "gradient_accumulation_steps_per_replica";
        if (name == "pipeline_schedule")
            key = "schedule";
        model.pipeline[key] = json(value, arguments.place);
        model.pipelinePlace = arguments.place;
    }
}

/// A network of keras.applications, from the templates.
Value PythonEvaluator::makeApplication(const std::string& name, Arguments& arguments) {
    constexpr std::array<std::array<const char*, 3>, 5> known{{{"ResNet50", "resnet", "50"},
                                                               {"ResNet101", "resnet", "101"},
                                                               {"ResNet152", "resnet", "152"},
                                                               {"VGG16", "vgg", "16"},
                                                               {"VGG19", "vgg", "19"}}};
    const auto row = std::ranges::find_if(known, [&](const auto& entry) { return name == entry[0]; });
    for (const auto& [key, value] : arguments.keywords) {
        if (key != "weights" && key != "classes" && key != "input_shape")
            refuse(arguments.place, "python/unsupported",
                   fmt::format("the argument \"{}\" of {} is not read", key.substr(0, 60), name));
    }
    if (row == known.end())
        refuse(arguments.place, "python/unsupported",
               fmt::format("{} is not among the known networks", name.substr(0, 60)),
               {"save it with to_json() and import that"});
    Json values{{"depth", (*row)[2]}};
    if (const Value* classes = arguments.keyword("classes");
        classes != nullptr && classes->json.is_number_integer())
        values["classes"] = classes->json;
    const auto project = newProject((*row)[1], values);
    if (!project)
        refuse(arguments.place, "python/unsupported", project.error().front().message);
    PythonModel model;
    model.place = arguments.place;
    model.name = project->model.name;
    model.document = writeKerasModel(project->model);
    m_facts.draft.models.push_back(std::move(model));
    return Value::of(Value::Kind::Model, static_cast<std::int64_t>(m_facts.draft.models.size()) - 1);
}

// ---- what a model is told -------------------------------------------------------------------------------

Value PythonEvaluator::callModelMethod(const Value& value, const std::string& name, Arguments& arguments) {
    PythonModel& model = m_facts.draft.models[static_cast<std::size_t>(value.index)];
    if (model.isSubclass) {
        const bool asksForStages =
            name == "get_pipeline_stage_assignment" || name == "set_pipeline_stage_assignment";
        if (asksForStages && !model.isBuilt)
            refuse(arguments.place, "runtime-error/model-not-built",
                   fmt::format("{} has no layers to assign before it is built", model.name.substr(0, 60)),
                   {"call build() or the model itself first"});
        if (name != "build")
            refuseSubclass(model, arguments.place);
        model.isBuilt = true;
    } else if (name == "compile") {
        compile(model, arguments);
    } else if (name == "fit") {
        fit(model, arguments);
        return Value::of(Value::Kind::Data);
    } else if (name == "evaluate" || name == "predict" || name == "train_on_batch") {
        return Value::of(Value::Kind::Data);
    } else if (name == "add") {
        if (!model.isSequential || arguments.list.size() != 1)
            refuse(arguments.place, "python/value", "add() takes one layer of a Sequential model");
        addToSequential(model, arguments.list[0], arguments.place);
    } else if (name == "set_pipelining_options" || name == "set_gradient_accumulation_options") {
        setPipelining(model, arguments);
    } else if (name == "set_pipeline_stage_assignment") {
        const Value* list = arguments.find("pipeline_stage_assignment", 0);
        if (list == nullptr || list->kind != Value::Kind::List)
            refuse(arguments.place, "python/value", "the stage assignment is a list");
        const bool areObjects = !list->items.empty() && list->items[0].kind == Value::Kind::Assignment;
        if (!areObjects)
            model.stages = json(*list, arguments.place);
        model.use = std::max(model.use, 1);
        model.pipelinePlace = arguments.place;
    } else if (name == "get_pipeline_stage_assignment") {
        return stageAssignment(value.index, arguments.place);
    } else if (name == "reset_pipeline_stage_assignment") {
        model.stages = nullptr;
    } else if (name == "set_asynchronous_callbacks") {
        const Value* isOn = arguments.find("asynchronous", 0);
        model.training["asynchronous_callbacks"] =
            isOn == nullptr ? Json(true) : json(*isOn, arguments.place);
        model.trainingPlace = arguments.place;
    } else if (name == "set_infeed_queue_options" || name == "set_outfeed_queue_options") {
        Json& options = model.training[name == "set_infeed_queue_options" ? "infeed" : "outfeed"];
        options = Json::object();
        for (const auto& [key, given] : arguments.keywords)
            options[key] = json(given, arguments.place);
        model.trainingPlace = arguments.place;
    } else if (name == "load_weights") {
        if (const Value* file = arguments.find("filepath", 0); file != nullptr && file->isText())
            model.training["weights"] = file->json;
    } else if (name == "get_layer" || name == "to_json" || name == "get_config" || name == "count_params") {
        return Value::of(Value::Kind::Data);
    } else if (name != "summary" && name != "build" && name != "save" && name != "save_weights" &&
               name != "print_pipeline_stage_assignment_summary" && name != "reset_states") {
        refuse(arguments.place, "python/unsupported",
               fmt::format("the method \"{}\" of a model is not read", name.substr(0, 60)));
    }
    return Value::plain(nullptr);
}

void PythonEvaluator::refuseSubclass(const PythonModel& model, PythonPlace place) {
    refuse(place, "python/unsupported",
           fmt::format("{} is a class of the program; what it does is not read", model.name.substr(0, 60)),
           {"build the model from Keras layers with the functional API"});
}

void PythonEvaluator::compile(PythonModel& model, Arguments& arguments) {
    model.use = std::max(model.use, 2);
    model.trainingPlace = arguments.place;
    constexpr std::array<const char*, 7> names{
        "optimizer",          "loss", "metrics", "loss_weights", "weighted_metrics", "run_eagerly",
        "steps_per_execution"};
    for (std::size_t i = 0; i < names.size(); ++i) {
        const Value* given = arguments.find(names[i], i);
        if (given == nullptr || given->isNone())
            continue;
        if (i == 5 && given->json == true)
            model.eager = arguments.place;
        if (i >= 3 && i <= 5) {
            if (i != 5)
                warn(arguments.place, "python/ignored",
                     fmt::format("compile's \"{}\" is left out", names[i]));
            continue;
        }
        Json value = json(*given, arguments.place);
        if (i == 0 && value.is_object() && value.contains(pythonOptimizerOverride)) {
            const Json& function = value[pythonOptimizerOverride];
            model.optimizerOverridden = {function[0].get<std::string>(),
                                         {function[1].get<int>(), function[2].get<int>()}};
            value.erase(pythonOptimizerOverride);
        }
        if (i == 0 && value.is_object() && value.contains(pythonOptimizerOptions)) {
            model.pipeline.update(value[pythonOptimizerOptions]);
            model.pipelinePlace = arguments.place;
            value.erase(pythonOptimizerOptions);
        }
        if (i == 2 && value.is_array() && value.empty())
            continue;
        model.training[names[i]] = std::move(value);
    }
    for (const auto& [key, value] : arguments.keywords) {
        if (std::ranges::find(names, key, [](const char* name) { return std::string(name); }) == names.end())
            warn(arguments.place, "python/ignored",
                 fmt::format("compile's \"{}\" is left out", key.substr(0, 60)));
    }
}

void PythonEvaluator::fit(PythonModel& model, Arguments& arguments) {
    model.use = 3;
    model.trainingPlace = arguments.place;
    const auto take = [&](const char* name, std::size_t position, const char* key) {
        const Value* given = arguments.find(name, position);
        if (given != nullptr && given->kind == Value::Kind::Plain && !given->isNone())
            model.training[key] = given->json;
    };
    take("batch_size", 2, "batch_size");
    take("epochs", 3, "epochs");
    take("validation_split", 6, "validation_split");
    take("steps_per_epoch", 12, "steps_per_epoch");
    take("steps_per_run", 99, "steps_per_execution");
    if (const Value* callbacks = arguments.find("callbacks", 5); callbacks != nullptr) {
        Json list = Json::array();
        for (const Value& callback : callbacks->items)
            if (callback.kind == Value::Kind::Object)
                list.push_back(callback.json);
        if (!list.empty())
            model.training["callbacks"] = std::move(list);
    }
    const Value* data = arguments.find("x", 0);
    if (data == nullptr || data->kind != Value::Kind::Data)
        return;
    if (data->index > 0)
        model.training["batch_size"] = data->index;
    // Keras builds a Sequential model without an input shape from the first samples it sees.
    const Json shape = sampleShape(data->text);
    if (!model.isSequential || model.layers.empty() || shape.is_null())
        return;
    Json& first = m_facts.draft.layers[static_cast<std::size_t>(model.layers[0])].config;
    if (!first.contains("batch_input_shape") && !first.contains("batch_shape"))
        first["batch_input_shape"] = withBatch(shape, nullptr);
}

void PythonEvaluator::setPipelining(PythonModel& model, Arguments& arguments) {
    model.use = std::max(model.use, 1);
    model.pipelinePlace = arguments.place;
    if (!arguments.list.empty())
        model.pipeline["gradient_accumulation_steps_per_replica"] = json(arguments.list[0], arguments.place);
    if (arguments.list.size() > 1)
        refuse(arguments.place, "python/value", "name the further options");
    for (const auto& [key, value] : arguments.keywords)
        model.pipeline[key == "pipeline_schedule" ? "schedule" : key] = json(value, arguments.place);
}

Value PythonEvaluator::stageAssignment(std::int64_t index, PythonPlace place) {
    PythonDraft& draft = m_facts.draft;
    Diagnostics warnings;
    const auto graph = readKerasModelText(toText(draft.kerasJson(index)), m_file, warnings);
    const auto flat = graph ? flattenModel(*graph) : failure(graph.error());
    if (!flat)
        refuse(place, "python/value", flat.error().front().message);
    PythonModel& model = draft.models[static_cast<std::size_t>(index)];
    const std::vector<InvocationId> calls = flat->assignable();
    if (!model.stages.is_array() || model.stages.size() != calls.size())
        model.stages = Json(calls.size(), Json());
    Value list = Value::of(Value::Kind::List);
    for (std::size_t i = 0; i < calls.size(); ++i) {
        Value entry = Value::of(Value::Kind::Assignment, index);
        entry.call = static_cast<std::int64_t>(i);
        const std::string& path = flat->layers[flat->invocations[calls[i].index()].layer.index()].path;
        entry.text = path.substr(path.rfind('/') + 1);
        list.items.push_back(std::move(entry));
    }
    return list;
}

} // namespace core
