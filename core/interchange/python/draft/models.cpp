#include "core/interchange/python/draft/models.h"

#include "core/interchange/keras/keras_json.h"
#include "core/interchange/templates/template_project.h"
#include "core/model/layer_naming.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>

namespace core {

namespace {

/// Arguments of the IPU-specific classes of TensorFlow 2.1, and the options of the pipeline that they are;
/// other arguments have the option's own name.
struct OlderArgument {
    std::string_view name;
    std::string_view option;
};
constexpr std::array<OlderArgument, 4> olderArguments{{
    {"gradient_accumulation_count", "gradient_accumulation_steps_per_replica"},
    {"pipeline_depth", "gradient_accumulation_steps_per_replica"},
    {"accumulation_count", "gradient_accumulation_steps_per_replica"},
    {"pipeline_schedule", "schedule"},
}};
/// What says what the model is, and not how it runs.
constexpr std::array<std::string_view, 7> modelArguments{
    "inputs", "outputs", "name", "layers", "stages", "trainable", "layer_replacement"};

void setPipelineArguments(PythonProgramBuilder& builder, PythonModel& model,
                          const PythonArguments& arguments) {
    for (const auto& [name, value] : arguments.keywords) {
        if (std::ranges::find(modelArguments, name) != modelArguments.end())
            continue;
        const auto older = std::ranges::find(olderArguments, name, &OlderArgument::name);
        const std::string key = older == olderArguments.end() ? name : std::string(older->option);
        model.pipeline[key] = builder.json(value, arguments.place);
        model.pipelinePlace = arguments.place;
    }
}

std::string modelName(PythonProgramBuilder& builder, const PythonArguments& arguments, std::size_t position,
                      const char* stem) {
    const PythonValue* name = arguments.find("name", position);
    return name != nullptr && name->isText() ? name->constant().get<std::string>() : builder.freshName(stem);
}

/// The tensors that a model is given as its inputs or outputs.
std::vector<PythonTensor> endsOf(const PythonProgramBuilder& builder, const PythonArguments& arguments,
                                 const char* name, std::size_t position) {
    const PythonValue* given = arguments.find(name, position);
    if (given == nullptr)
        builder.refuse(arguments.place, "python/unsupported",
                       fmt::format("a model without {} is not read", name),
                       {"use the functional API: Model(inputs, outputs)"});
    PythonValues values{*given};
    if (given->is<PythonList>())
        values = given->items();
    if (const auto* dictionary = given->as<PythonDictionary>()) {
        values.clear();
        for (const auto& entry : *dictionary->entries)
            values.push_back(entry.second);
    }
    std::vector<PythonTensor> tensors;
    for (const PythonValue& value : values) {
        const auto* tensor = value.as<PythonTensor>();
        if (tensor == nullptr)
            builder.refuse(arguments.place, "python/value",
                           fmt::format("the {} of a model are its tensors", name),
                           {"give what tf.keras.Input() and the layers answer"});
        tensors.push_back(*tensor);
    }
    return tensors;
}

/// Keras tells the layers of a model apart by their names; those that one of its layers holds have their own.
void requireOwnNames(PythonProgramBuilder& builder, const std::vector<std::int64_t>& layers,
                     PythonPlace place) {
    std::map<std::string, std::int64_t> known;
    for (const std::int64_t index : layers) {
        const PythonLayer& layer = builder.layer(index);
        const bool isPart = layer.isInner || layer.group > 0 ||
                            std::ranges::any_of(layer.calls, [](const auto& one) { return one.group > 0; });
        const std::string& name = layer.ownName.empty() ? layer.name : layer.ownName;
        if (!isPart && known.emplace(name, index).first->second != index)
            builder.refuse(place, "keras/duplicate-name",
                           fmt::format("two layers are named \"{}\"", quotedName(name)),
                           {"rename one of them"});
    }
}

} // namespace

void setInputShape(PythonProgramBuilder& builder, PythonModel& model, const Json& shape) {
    if (!model.isSequential || model.layers.empty())
        return;
    PythonLayer& first = builder.layer(model.layers.front());
    if (first.model >= 0)
        setInputShape(builder, builder.model(first.model), shape);
    else if (!first.config.contains("batch_input_shape") && !first.config.contains("batch_shape"))
        first.config["batch_input_shape"] = shape;
}

void refuseSubclass(const PythonProgramBuilder& builder, const std::string& className, PythonPlace place) {
    builder.refuse(
        place, "python/unsupported",
        fmt::format("{} is a class of the program; what it does is not read", quotedName(className)),
        {"build the model from Keras layers with the functional API"});
}

PythonLayerName asLayer(PythonProgramBuilder& builder, const PythonValue& value, PythonPlace place) {
    if (const auto* layer = value.as<PythonLayerName>())
        return *layer;
    if (const auto* tensor = value.as<PythonTensor>();
        tensor != nullptr && builder.layer(tensor->layer).className == "InputLayer")
        return {tensor->layer};
    const auto* name = value.as<PythonModelName>();
    if (name == nullptr)
        builder.refuse(place, "python/value", "this is no layer", {"give a layer of tf.keras.layers"});
    PythonModel& model = builder.model(name->model);
    if (model.isSubclass)
        refuseSubclass(builder, model.name, place);
    if (model.asLayer < 0) {
        PythonLayer layer;
        layer.className = model.isSequential ? "Sequential" : "Functional";
        layer.name = model.name;
        layer.model = name->model;
        layer.place = model.place;
        model.asLayer = builder.addLayer(std::move(layer)).layer;
    }
    return {model.asLayer};
}

void addToSequential(PythonProgramBuilder& builder, PythonModel& model, const PythonValue& layer,
                     PythonPlace place) {
    const PythonLayerName name = asLayer(builder, layer, place);
    PythonLayer& added = builder.layer(name.layer);
    if (added.className != "InputLayer") {
        PythonCall call;
        call.stage = builder.scope.stage ? builder.scope.stage : added.stage;
        call.shard = builder.scope.shard;
        call.group = added.group;
        added.calls.push_back(std::move(call));
    }
    model.layers.push_back(name.layer);
}

PythonModelName makeFunctionalModel(PythonProgramBuilder& builder, const PythonArguments& arguments) {
    PythonModel model;
    model.place = arguments.place;
    model.inputs = endsOf(builder, arguments, "inputs", 0);
    model.outputs = endsOf(builder, arguments, "outputs", 1);
    model.name = modelName(builder, arguments, 2, "model");
    setPipelineArguments(builder, model, arguments);
    requireOwnNames(builder, builder.facts.draft.layersOf(model), arguments.place);
    builder.separateNames(model);
    return builder.addModel(std::move(model));
}

PythonModelName makeSequentialModel(PythonProgramBuilder& builder, const PythonArguments& arguments,
                                    bool isPipelined) {
    PythonModel model;
    model.isSequential = true;
    model.place = arguments.place;
    model.name = modelName(builder, arguments, 1, "sequential");
    Json stages = Json::array();
    const bool namesStages = isPipelined && arguments.keyword("stages") != nullptr;
    if (const PythonValue* layers = arguments.given(namesStages ? "stages" : "layers", 0)) {
        if (layers->is<PythonData>()) // says what only a run knows of it
            static_cast<void>(builder.json(*layers, arguments.place));
        if (!layers->is<PythonList>())
            builder.refuse(arguments.place, "python/value", "Sequential takes a list of layers",
                           {"write Sequential([layer, layer])"});
        std::int64_t stage = -1;
        const PythonValues entries = layers->items();
        for (const PythonValue& item : entries) {
            const bool isGroup = item.is<PythonList>();
            stage += isGroup ? 1 : 0;
            for (const PythonValue& layer : isGroup ? item.items() : PythonValues{item}) {
                addToSequential(builder, model, layer, arguments.place);
                if (builder.layer(model.layers.back()).className != "InputLayer")
                    stages.push_back(isGroup ? Json(stage) : Json());
            }
        }
    }
    setPipelineArguments(builder, model, arguments);
    const bool hasStages = !stages.empty() && !stages[0].is_null();
    if (isPipelined && hasStages) {
        model.stages = std::move(stages);
    } else if (isPipelined && model.pipeline.contains("device_mapping") &&
               model.pipeline["device_mapping"].size() == stages.size()) {
        // A flat list of layers: the mapping stands for the stages.
        model.stages = model.pipeline["device_mapping"];
        model.pipeline.erase("device_mapping");
    }
    return builder.addModel(std::move(model));
}

Json templateDocument(const PythonProgramBuilder& builder, const std::string& templateName,
                      const Json& parameters, PythonPlace place) {
    auto project = newProject(templateName, parameters);
    if (!project)
        builder.refuse(place, "python/unsupported", project.error().front().message,
                       project.error().front().hints);
    project->model.kind = ModelKind::Functional; // as all networks of Keras are
    return writeKerasModel(project->model);
}

PythonModelName makeDocumentModel(PythonProgramBuilder& builder, const Json& document, PythonPlace place) {
    const Json& config = document["config"];
    std::map<std::string, std::int64_t> known;
    PythonModel model;
    model.place = place;
    model.name = config["name"].get<std::string>();
    for (const Json& entry : config["layers"]) {
        PythonLayer layer;
        layer.className = entry["class_name"].get<std::string>();
        layer.place = place;
        layer.config = entry["config"];
        const auto name = entry["name"].get<std::string>();
        const bool isInput = layer.className == "InputLayer";
        const bool isCounted = isInput || name.starts_with(snakeCase(layer.className));
        layer.name = isInput                             ? builder.freshName("input", true)
                     : isCounted && builder.isUsed(name) ? builder.freshName(snakeCase(layer.className))
                                                         : name;
        builder.useName(layer.name);
        layer.config["name"] = layer.name;
        if (isInput)
            layer.calls.emplace_back();
        known.emplace(name, builder.addLayer(std::move(layer)).layer);
    }
    const auto tensorOf = [&](const Json& history) -> PythonTensor {
        return {known.at(history[0].get<std::string>()), history[1].get<std::int64_t>(),
                history[2].get<std::int64_t>()};
    };
    for (const Json& entry : config["layers"])
        for (const Json& node : entry["inbound_nodes"]) {
            PythonCall call;
            call.stage = builder.scope.stage;
            call.shard = builder.scope.shard;
            for (const Json& history : node) {
                call.structure.push_back({{"$tensor", call.tensors.size()}});
                call.tensors.push_back(tensorOf(history));
                if (history.size() > 3)
                    call.keywords.update(history[3]);
            }
            builder.layer(known.at(entry["name"].get<std::string>())).calls.push_back(std::move(call));
        }
    for (const Json& history : config["input_layers"])
        model.inputs.push_back(tensorOf(history));
    for (const Json& history : config["output_layers"])
        model.outputs.push_back(tensorOf(history));
    return builder.addModel(std::move(model));
}

PythonModelName makeSubclassModel(PythonProgramBuilder& builder, const std::string& className,
                                  PythonPlace place) {
    PythonModel model;
    model.place = place;
    model.name = className;
    model.isSubclass = true;
    return builder.addModel(std::move(model));
}

} // namespace core
