// What programs tell a model. One row per function.
#include "core/interchange/python/apis/models/model_methods.h"

#include "core/interchange/keras/keras_json.h"
#include "core/interchange/python/apis/calls/loss_function.h"
#include "core/interchange/python/apis/calls/training_loop.h"
#include "core/interchange/python/apis/graphs/pipeline_call.h"
#include "core/interchange/python/apis/models/model_objects.h"
#include "core/interchange/python/apis/models/model_training.h"
#include "core/interchange/python/apis/models/stage_units.h"
#include "core/interchange/python/apis/weights/parameter_counts.h"
#include "core/interchange/python/draft/layers.h"
#include "core/interchange/python/draft/losses.h"
#include "core/interchange/python/draft/models.h"
#include "core/interchange/python/draft/sample_shapes.h"
#include "core/model/graph/flattened_model.h"
#include "core/project/options/option_table.h"
#include "core/text/nearest_name.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <functional>

namespace core {

namespace {

PythonValue add(const ModelCall& call) {
    PythonProgramBuilder& builder = call.call.builder;
    const auto computed = builder.computed.find(call.name.model);
    const bool isComputed = computed != builder.computed.end() && computed->second.is<PythonList>();
    if ((!call.model().isSequential && !isComputed) || call.arguments().list.size() != 1)
        call.call.refuse("python/value", "add() takes one layer of a Sequential model",
                         {"write model.add(layer)"});
    const PythonValue& layer = call.arguments().list[0];
    if (isComputed || layer.is<PythonInstance>() || layer.is<PythonLibraryObject>()) {
        computeSequential(builder, call.name);
        PythonValues layers = builder.computed.at(call.name.model).items();
        layers.push_back(layer);
        builder.computed[call.name.model] = pythonList(std::move(layers));
        return {};
    }
    addToSequential(call.call.builder, call.model(), call.arguments().list[0], call.place());
    return {};
}

/// Functions of today's models are no functions of the classes of TensorFlow 2.1.
void refuseOlder(const ModelCall& call, const char* cure) {
    if (call.model().isOlder)
        call.call.refuse("python/mixed-api",
                         fmt::format("{}() is of TensorFlow 2.4, but the model's class is of TensorFlow 2.1",
                                     call.call.name()),
                         {cure, "make the model with tf.keras.Model or tf.keras.Sequential"});
}

/// What Keras keeps for itself of pipeline()'s arguments, or has under another name.
void checkPipelineOption(const ModelCall& call, const std::string& key, const PythonValue& value) {
    struct Argument {
        std::string_view name;
        const char* cure;
    };
    constexpr std::array<Argument, 9> own{
        {{"outfeed_loss", "leave it out: Keras reads the loss by itself"},
         {"outfeed_mask", "leave it out: Keras decides what it reads of the outfeed"},
         {"infeed_queue", "leave it out, and use set_infeed_queue_options()"},
         {"outfeed_queue", "leave it out, and use set_outfeed_queue_options()"},
         {"computational_stages", "use PipelineStage or set_pipeline_stage_assignment()"},
         {"inputs", "leave it out: fit() gives the samples"},
         {"optimizer_function", "leave it out: compile() names the optimizer"},
         {"repeat_count", "leave it out: fit() says how often the pipeline runs"},
         {"gradient_accumulation_count", "write gradient_accumulation_steps_per_replica"}}};
    const auto row = std::ranges::find(own, key, &Argument::name);
    if (row != own.end())
        call.call.refuse("value-error/pipeline-option",
                         fmt::format("{}() does not take \"{}\"", call.call.name(), key), {row->cure});
    if ((key == "schedule" || key == "pipeline_schedule") && value.isText())
        call.call.refuse("type-error/schedule", "the schedule is a text",
                         {fmt::format("write ipu.ops.pipelining_ops.PipelineSchedule.{}",
                                      value.constant().get<std::string>())});
}

/// A keyword that no option has; the cure names the option that begins so, or the one that is nearest.
void refuseUnknownOption(const ModelCall& call, const std::string& keyword, const std::string& key) {
    if (findProjectOption("pipeline." + key) != nullptr)
        return;
    std::vector<std::string> known;
    for (const ProjectOption* option : projectOptionsInFileOrder("pipeline"))
        if (option->python.site != PythonSite::None)
            known.emplace_back(option->key());
    const auto longer =
        std::ranges::find_if(known, [&](const std::string& name) { return name.starts_with(keyword); });
    const auto nearest = nearestName(keyword, known);
    call.call.refuse("type-error/argument",
                     fmt::format("{}() has no argument \"{}\"", call.call.name(), quotedName(keyword)),
                     {longer != known.end() ? fmt::format("write {}=", *longer)
                      : nearest             ? fmt::format("did you mean {}=?", *nearest)
                                            : "leave it out"});
}

/// Options behind the first argument. Those that are named in `stays` stay when a later call leaves them
/// out; all others are replaced by that call. Source: set_pipelining_options() of the Keras extensions.
PythonValue setOptions(const ModelCall& call, Json& options) {
    constexpr std::array<std::string_view, 3> stays{"gradient_accumulation_steps_per_replica",
                                                    "device_mapping", "accumulate_outfeed"};
    refuseOlder(call, "give the options to the model's constructor");
    PythonModel& model = call.model();
    model.use = std::max(model.use, 1);
    model.pipelinePlace = call.place();
    const PythonArguments& arguments = call.arguments();
    // Source: pipelining.md §5.5, the order of the setter's arguments.
    constexpr std::array<std::string_view, 4> order{"gradient_accumulation_steps_per_replica",
                                                    "device_mapping", "accumulate_outfeed",
                                                    "gradient_accumulation_reduction_method"};
    const std::size_t places = call.call.path == "set_pipelining_options" ? order.size() : 1;
    if (arguments.list.size() > places)
        call.call.refuse("python/value", "name the further options",
                         {fmt::format("write name=value for each option behind {}",
                                      places == 1 ? std::string("the first") : std::string(order.back()))});
    std::vector<std::pair<std::string, PythonValue>> named;
    for (std::size_t i = 0; i < arguments.list.size(); ++i)
        named.emplace_back(order[i], arguments.list[i]);
    named.insert(named.end(), arguments.keywords.begin(), arguments.keywords.end());
    Json given = Json::object();
    for (const auto& [key, value] : named) {
        // Of the optimizer that accumulates without a pipeline.
        const bool isAccumulation = call.call.path == "set_gradient_accumulation_options";
        const bool isType = isAccumulation && key == "dtype";
        // Which of two optimizers accumulates makes no difference to what is computed, nor does a name.
        if (key == "name" || (isAccumulation && key == "use_v2_gradient_accumulation_optimizer"))
            continue;
        if (!isType)
            checkPipelineOption(call, key, value);
        if (const auto* list = value.as<PythonList>();
            key == "device_mapping" && list != nullptr && list->isTuple)
            call.call.refuse("value-error/device-mapping", "the device mapping is a tuple",
                             {"write it as a list: [0, 1]"});
        const std::string option = key == "pipeline_schedule" ? "schedule"
                                   : isType                   ? "gradient_accumulation_dtype"
                                                              : key;
        refuseUnknownOption(call, key, option);
        // pipeline() has no such argument: that shows once the pipeline is built, if no later call replaces
        // it.
        if (key == "schedule" && !isAccumulation)
            given[pythonUnknownArgument] = {call.place().line, call.place().column, call.place().file};
        given[option] = call.json(typeOfVariables(call.call, key, value));
    }
    for (const auto& [key, value] : options.items()) {
        if (given.contains(key) || key == pythonUnknownArgument)
            continue;
        if (std::ranges::find(stays, key) != stays.end())
            given[key] = value;
        else
            model.replaced.push_back(
                {call.place(),
                 fmt::format("this call of {}() replaces the one before, which set \"{}\"", call.call.name(),
                             key),
                 fmt::format("give {} to this call, too", key)});
    }
    options = std::move(given);
    return {};
}

/// Models know these functions where they are made for the IPU. Source: "Keras model creation must be inside
/// the strategy.scope of an IPUStrategy". Snippets leave the strategy out.
void requireStrategy(const ModelCall& call) {
    const PythonProgramBuilder& builder = call.call.builder;
    if (builder.makesStrategy && !call.model().isInStrategy && !builder.scope.isStrategy)
        builder.refuse(call.model().place, "runtime-error/no-strategy",
                       fmt::format("the model is made outside of the scope of the strategy, where it has no "
                                   "{}()",
                                   call.call.name()),
                       {"make the model within `with strategy.scope():`"});
}

PythonValue setPipelining(const ModelCall& call) {
    requireStrategy(call);
    return setOptions(call, call.model().pipelining);
}

PythonValue setAccumulation(const ModelCall& call) {
    requireStrategy(call);
    return setOptions(call, call.model().accumulation);
}

PythonValue setStages(const ModelCall& call) {
    const PythonValue* list = call.arguments().find("pipeline_stage_assignment", 0);
    refuseOlder(call, "give the stages to the model's constructor");
    requireStrategy(call);
    if (list == nullptr || !list->is<PythonList>() || list->as<PythonList>()->isTuple)
        call.call.refuse("python/value",
                         list != nullptr && list->is<PythonData>()
                             ? "how many stages this list has is not known"
                             : "the stage assignment is a list",
                         {"give a stage for each layer, or what get_pipeline_stage_assignment() answers"});
    for (const PythonValue& stage : list->items())
        if (stage.isNumber() && !stage.isWhole())
            call.call.refuse("value-error/stage-number", "a stage is a whole number",
                             {"write [0, 0, 1], without decimal points"});
    PythonModel& model = call.model();
    const bool areEntries = !list->items().empty() && list->items()[0].is<PythonStageEntry>();
    if (!areEntries)
        model.stages = call.json(*list);
    model.use = std::max(model.use, 1);
    model.pipelinePlace = call.place();
    model.stagesPlace = call.place();
    return {};
}

PythonValue getStages(const ModelCall& call) {
    refuseOlder(call, "give the stages to the model's constructor");
    PythonProgramBuilder& builder = call.call.builder;
    const auto units = stageUnits(builder.facts.draft, call.name.model, builder.file());
    if (!units)
        call.call.refuse("python/value", units.error().front().message, units.error().front().hints);
    PythonModel& model = call.model();
    const std::size_t calls = countCalls(*units);
    if (!model.stages.is_array())
        model.stages = stagesOfScopes(*units);
    if (model.stages.is_array())
        model.stages = stagesOfCalls(*units, std::move(model.stages));
    if (!model.stages.is_array() || model.stages.size() != calls)
        model.stages = Json(calls, Json());
    PythonValues list;
    for (const PythonStageUnit& unit : *units)
        list.emplace_back(unit.entry);
    return pythonList(std::move(list));
}

PythonValue resetStages(const ModelCall& call) {
    call.model().stages = nullptr;
    return {};
}

PythonValue setCallbacks(const ModelCall& call) {
    refuseOlder(call, "leave it out: callbacks are called after each execution");
    const PythonValue* isOn = call.arguments().find("asynchronous", 0);
    call.model().training["asynchronous_callbacks"] = isOn == nullptr ? Json(true) : call.json(*isOn);
    call.model().trainingPlace = call.place();
    return {};
}

PythonValue setQueue(const ModelCall& call) {
    refuseOlder(call, "leave it out: the model makes its own queues");
    Json& options =
        call.model().training[call.call.name() == "set_infeed_queue_options" ? "infeed" : "outfeed"];
    options = Json::object();
    if (call.arguments().keyword("dataset") != nullptr)
        call.call.refuse(
            "type-error/argument",
            fmt::format("{}() takes no dataset: fit() makes the queue of its own", call.call.name()),
            {"leave dataset out, and give the dataset to fit()"});
    // Source: the keywords that set_infeed_queue_options() and set_outfeed_queue_options() forbid.
    constexpr std::array<std::string_view, 4> own{"infeed_spec", "element_spec", "outfeed_mode",
                                                  "device_ordinal"};
    for (const auto& [key, given] : call.arguments().keywords) {
        if (std::ranges::find(own, key) != own.end())
            call.call.refuse("value-error/forbidden-key",
                             fmt::format("{}() does not take \"{}\": Keras makes the queue of its own",
                                         call.call.name(), key),
                             {fmt::format("leave {} out", key)});
        options[key] = call.json(given);
    }
    call.model().trainingPlace = call.place();
    return {};
}

/// How replicas join what they measure: a run has the mean of all of them.
PythonValue leftOutOptions(const ModelCall& call) {
    call.call.warn("python/ignored", fmt::format("{}() is left out", call.call.path),
                   {"remove it: metrics are those of all replicas"});
    return {};
}

PythonValue loadWeights(const ModelCall& call) {
    if (const PythonValue* file = call.arguments().find("filepath", 0); file != nullptr && file->isText())
        call.model().training["weights"] = file->constant();
    return {};
}

/// build(input_shape): a shape with its batch axis, or several.
PythonValue build(const ModelCall& call) {
    const PythonValue* shape = call.arguments().find("input_shape", 0);
    if (shape == nullptr)
        return {};
    const std::function<PythonValue(const PythonValue&)> samplesOf = [&](const PythonValue& given) {
        const bool areSeveral = !given.items().empty() && given.items().front().is<PythonList>();
        if (!areSeveral)
            return PythonValue(arrayOfShape(writtenShape(given)));
        PythonValues parts;
        for (const PythonValue& one : given.items())
            parts.push_back(samplesOf(one));
        return pythonList(std::move(parts));
    };
    useSamples(call.call, call.name, samplesOf(*shape));
    return {};
}

PythonValue anyValue(const ModelCall&) {
    return PythonData();
}

/// A metric of a tensor within the model has no label, which those of a project are of.
PythonValue addMetric(const ModelCall& call) {
    call.call.warn("python/ignored", "a metric of a tensor within the model is left out",
                   {"make the tensor an output of the model, and name a metric in compile()"});
    return {};
}

/// A project's weights come from its initializers, or from a file.
PythonValue leaveWeightsOut(const ModelCall& call) {
    call.call.warn("python/ignored", "the weights that set_weights() gives are left out",
                   {"save them to a file of weights, and name it in training.weights of the project"});
    return PythonData();
}

PythonValue nothing(const ModelCall&) {
    return {};
}

/// train_on_batch(x, y): samples of one batch.
PythonValue takeBatch(const ModelCall& call) {
    PythonValue answer = takeSamples(call);
    const PythonValue* x = call.arguments().find("x", 0);
    const PythonValue* first = x == nullptr || x->items().empty() ? x : &x->items().front();
    const auto* data = first == nullptr ? nullptr : first->as<PythonData>();
    if (data != nullptr && data->shape.is_array() && !data->shape.empty() &&
        data->shape[0].is_number_integer())
        call.model().derived["batch_size"] = data->shape[0];
    call.model().isTrainedByBatch = true;
    call.call.builder.tally.step(call.name.model);
    return answer;
}

PythonValue countParameters(const ModelCall& call) {
    return parametersOf(call.call.builder, call.name.model);
}

PythonValue layerOf(const ModelCall& call) {
    const PythonModel& model = call.model();
    const PythonValue* name = call.arguments().find("name", 0);
    const PythonValue* index = call.arguments().keyword("index");
    if (model.isSubclass)
        return PythonData();
    const auto layers = call.call.builder.facts.draft.listedLayers(model);
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const bool isNamed = name != nullptr && name->constant() == call.call.builder.layer(layers[i]).name;
        if (isNamed || (index != nullptr && index->constant() == i))
            return PythonLayerName{layers[i]};
    }
    call.call.refuse("python/name", "the model has no such layer", {"take a name of model.summary()"});
}

/// The last layer of a sequence is taken away.
PythonValue pop(const ModelCall& call) {
    PythonModel& model = call.model();
    if (!model.isSequential || model.isSubclass || model.layers.empty())
        call.call.refuse("python/unsupported", "pop() is read of a sequence of layers of Keras alone",
                         {"make the model without the layer"});
    PythonLayer& last = call.call.builder.layer(model.layers.back());
    if (!last.calls.empty())
        last.calls.pop_back();
    model.layers.pop_back();
    return {};
}

struct ModelMethod {
    std::string_view name;
    PythonValue (*meaning)(const ModelCall&);
    bool takesSamples = false;
};

PythonValue lossOfCompile(const ModelCall& call) {
    settleOwnLoss(call.call.builder, call.call.interpreter, call.name, nullptr);
    return compiledLoss(call.call, call.name);
}

constexpr std::array<ModelMethod, 38> modelMethods{{
    {"compiled_loss", lossOfCompile},
    {"compute_loss", lossOfCompile},
    {"compile", compileModel},
    {"fit", fitModel, true},
    {"evaluate", takeSamples, true},
    {"predict", takeSamples, true},
    {"train_on_batch", takeBatch},
    {"test_on_batch", takeSamples},
    {"predict_on_batch", takeSamples},
    {"add", add},
    {"pop", pop},
    {"add_loss", [](const ModelCall& call) { return addLoss(call.call); }},
    {"add_metric", addMetric},
    {"set_pipelining_options", setPipelining},
    {"set_gradient_accumulation_options", setAccumulation},
    {"set_pipeline_stage_assignment", setStages},
    {"get_pipeline_stage_assignment", getStages},
    {"reset_pipeline_stage_assignment", resetStages},
    {"set_asynchronous_callbacks", setCallbacks},
    {"set_infeed_queue_options", setQueue},
    {"set_outfeed_queue_options", setQueue},
    {"set_replication_options", leftOutOptions},
    {"load_weights", loadWeights},
    {"get_layer", layerOf},
    {"to_json", anyValue},
    {"get_config", anyValue},
    {"count_params", countParameters},
    {"get_weights", anyValue},
    {"set_weights", leaveWeightsOut},
    {"compute_output_shape", anyValue},
    {"reset_metrics", nothing},
    {"export", nothing},
    {"summary", nothing},
    {"build", build},
    {"save", nothing},
    {"save_weights", nothing},
    {"print_pipeline_stage_assignment_summary", nothing},
    {"reset_states", nothing},
}};

/// Of a model whose class builds it in call(), nothing is known.
void checkSubclass(const ModelCall& call, const std::string& name) {
    const bool asksForStages =
        name == "get_pipeline_stage_assignment" || name == "set_pipeline_stage_assignment";
    if (asksForStages)
        buildModel(call.call, call.name, nullptr);
    const PythonModel& model = call.model();
    const auto computed = call.call.builder.computed.find(call.name.model);
    const bool isListed = computed != call.call.builder.computed.end() && computed->second.is<PythonList>() &&
                          name == "set_pipeline_stage_assignment"; // of a Sequential: its layers are known
    if (asksForStages && !isListed && model.isSubclass && !model.isBuilt)
        call.call.refuse("runtime-error/model-not-built",
                         fmt::format("{} has no layers to assign before it is built", quotedName(model.name)),
                         {"call build() or the model itself first"});
}

} // namespace

PythonValue addLoss(const PythonApiCall& call) {
    const PythonValue* given = call.arguments.find("losses", 0);
    const PythonValues terms = given == nullptr          ? PythonValues()
                               : given->is<PythonList>() ? given->items()
                                                         : PythonValues{*given};
    for (const PythonValue& term : terms) {
        const auto* loss = term.as<PythonLoss>();
        const auto* tensor = term.as<PythonTensor>();
        if (tensor == nullptr && (loss == nullptr || loss->model >= 0))
            call.refuse("python/unsupported",
                        "add_loss() takes what layers compute; this is of weights, or only a run knows it",
                        {"compute it of the inputs of the layer, with functions of tf",
                         "use kernel_regularizer for what depends on weights"});
        const PythonTensor computed =
            tensor != nullptr ? *tensor : tensorOfLoss(call.builder, *loss, call.place());
        addLossOf(call.builder, computed, call.place());
    }
    return {};
}

PythonValue callModelMethod(const PythonApiCall& call, PythonModelName name) {
    const ModelCall own{call, name};
    if (own.model().isSubclass)
        checkSubclass(own, call.path);
    const auto row = std::ranges::find(modelMethods, call.path, &ModelMethod::name);
    if (row == modelMethods.end())
        call.refuse("python/unsupported",
                    fmt::format("the method \"{}\" of a model is not read", quotedName(call.path)),
                    {"leave it out, or say it with compile() and fit()"});
    call.builder.useConfiguration(own.model());
    return row->meaning(own);
}

void useSamples(const PythonApiCall& call, PythonModelName name, const PythonValue& samples) {
    const PythonData* data = firstSamples(samples);
    PythonModel& model = call.builder.model(name.model);
    if (data == nullptr)
        return;
    const bool isBatch = data->shape.is_array() && !data->shape.empty();
    if (data->batchSize > 0 && !model.training.contains("batch_size"))
        model.training["batch_size"] = data->batchSize;
    // Keras builds a Sequential model without an input shape from the first samples it sees.
    const Json shape = isBatch ? Json(data->shape.begin() + 1, data->shape.end()) : Json();
    const bool isKnown = shape.is_array() && !shape.empty() &&
                         std::ranges::none_of(shape, [](const Json& extent) { return extent.is_null(); });
    if (model.isSubclass) {
        const PythonValue given =
            isBatch || !isKnown ? samples : PythonValue(arrayOfShape(shapeWithBatch(shape, nullptr)));
        const bool isBuilt = buildModel(call, name, &given);
        if (!isBuilt)
            call.interpreter.refuseData(call.place(), samples,
                                        fmt::format("the program does not say what shape the input of {} has",
                                                    quotedName(model.name)),
                                        {"write model.build((None, …)) with its extents before",
                                         "begin with tf.keras.Input(shape=…)"});
        return;
    }
    if (isKnown)
        setInputShape(call.builder, model, shapeWithBatch(shape, nullptr));
}

bool modelMethodTakesSamples(const std::string& name) {
    const auto row = std::ranges::find(modelMethods, name, &ModelMethod::name);
    return row != modelMethods.end() && row->takesSamples;
}

} // namespace core
