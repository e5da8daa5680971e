// What programs tell a model. One row per function.
#include "core/interchange/python/apis/models/model_methods.h"

#include "core/interchange/keras/keras_json.h"
#include "core/interchange/python/apis/calls/loss_function.h"
#include "core/interchange/python/apis/calls/training_loop.h"
#include "core/interchange/python/apis/models/model_objects.h"
#include "core/interchange/python/draft/layers.h"
#include "core/interchange/python/draft/models.h"
#include "core/interchange/python/draft/sample_shapes.h"
#include "core/model/graph/flattened_model.h"
#include "core/project/options/option_table.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <functional>

namespace core {

namespace {

/// A call of a function of a model.
struct ModelCall {
    const PythonApiCall& call;
    PythonModelName name;

    [[nodiscard]] PythonModel& model() const { return call.builder.model(name.model); }
    [[nodiscard]] PythonArguments& arguments() const { return call.arguments; }
    [[nodiscard]] PythonPlace place() const { return call.arguments.place; }
    [[nodiscard]] Json json(const PythonValue& value) const {
        return call.builder.json(value, call.arguments.place);
    }
};

/// The optimizer that compile() is given: what it says of the pipeline, and what its class overrides, is the
/// model's.
void takeOptimizer(const ModelCall& call, Json& value) {
    PythonModel& model = call.model();
    if (!value.is_object())
        return;
    if (takeOptimizerOptions(model, value))
        model.pipelinePlace = call.place();
}

/// A list: what single outputs are measured by is measured at each, and metrics of the program at none.
PythonValue metricsOf(const ModelCall& call, const PythonValue& given) {
    PythonValues wanted;
    const auto add = [&](const PythonValue& metric) {
        if (metric.is<PythonInstance>() || metric.is<PythonFunction>() || metric.is<PythonData>()) {
            call.call.warn("python/ignored", "a metric that the program computes by itself is left out",
                           {"use a metric of tf.keras.metrics to have it measured"});
            return;
        }
        const Json json = call.json(metric);
        if (std::ranges::none_of(wanted, [&](const PythonValue& one) { return call.json(one) == json; }))
            wanted.push_back(metric);
    };
    if (const auto* outputs = given.as<PythonDictionary>()) {
        for (const auto& entry : *outputs->entries)
            for (const PythonValue& metric :
                 entry.second.is<PythonList>() ? entry.second.items() : PythonValues{entry.second})
                add(metric);
        call.call.warn("python/ignored", "metrics of single outputs are measured at every output",
                       {"give compile() a list of metrics"});
    } else if (given.is<PythonList>()) {
        for (const PythonValue& item : given.items())
            for (const PythonValue& metric : item.is<PythonList>() ? item.items() : PythonValues{item})
                add(metric);
    } else if (!given.isNone()) {
        add(given);
    }
    return pythonList(std::move(wanted));
}

PythonValue compile(const ModelCall& call) {
    enum class Use : std::uint8_t { Kept, LeftOut, Eager };
    struct Argument {
        const char* name;
        Use use;
    };
    constexpr std::array<Argument, 7> known{{{"optimizer", Use::Kept},
                                             {"loss", Use::Kept},
                                             {"metrics", Use::Kept},
                                             {"loss_weights", Use::LeftOut},
                                             {"weighted_metrics", Use::LeftOut},
                                             {"run_eagerly", Use::Eager},
                                             {"steps_per_execution", Use::Kept}}};
    call.model().use = std::max(call.model().use, 2);
    call.model().trainingPlace = call.place();
    const auto warnOf = [&](std::string_view name) {
        call.call.warn("python/ignored", fmt::format("compile's \"{}\" is left out", quotedName(name)),
                       {"remove it, or set it in the project where the project has such an option"});
    };
    for (std::size_t i = 0; i < known.size(); ++i) {
        const PythonValue* given = call.arguments().given(known[i].name, i);
        if (given == nullptr)
            continue;
        if (known[i].use == Use::Eager && given->constant() == true)
            call.model().eager = call.place();
        if (known[i].use == Use::LeftOut)
            warnOf(known[i].name);
        if (known[i].use != Use::Kept)
            continue;
        Json value = call.json(i == 1   ? lossOfProgram(call.call, call.name, *given)
                               : i == 2 ? metricsOf(call, *given)
                                        : *given);
        if (i == 0)
            takeOptimizer(call, value);
        const bool isEmptyList = value.is_array() && value.empty();
        if (!isEmptyList || known[i].name != std::string_view("metrics"))
            call.model().training[known[i].name] = std::move(value); // reading a loss makes models
    }
    for (const auto& entry : call.arguments().keywords)
        if (std::ranges::find(known, std::string_view(entry.first), [](const Argument& argument) {
                return std::string_view(argument.name);
            }) == known.end())
            warnOf(entry.first);
    return {};
}

/// How many steps an epoch has, where the program says how many samples there are.
void takeSteps(const ModelCall& call, const PythonValue& x) {
    Json& training = call.model().training;
    Json& derived = call.model().derived;
    const auto* dataset = x.as<PythonData>();
    const PythonData* first =
        dataset == nullptr || dataset->element == nullptr ? nullptr : firstSamples(*dataset->element);
    const bool isOnIpu = call.model().isInStrategy || call.call.builder.scope.isStrategy;
    if (isOnIpu && first != nullptr && first->batchSize > 0 && first->shape.is_array() &&
        !first->shape.empty() && first->shape[0].is_null())
        call.call.refuse(
            "value-error/unknown-batch",
            "the last batch of this dataset may be smaller, and an IPU takes batches of one size",
            {"write batch(size, drop_remainder=True)"});
    if (dataset != nullptr && dataset->element == nullptr && !dataset->shape.is_array())
        dataset = dataset->batchSize > 0 || !dataset->dataset.empty() ? dataset : nullptr;
    if (dataset != nullptr && dataset->batchSize > 0)
        training["batch_size"] = dataset->batchSize;
    if (training.contains("steps_per_epoch"))
        return;
    if (dataset != nullptr && dataset->element != nullptr) {
        if (dataset->count == PythonData::endless)
            call.call.warn("python/endless-dataset",
                           "the dataset repeats for ever, so fit() must be told how many steps an epoch has",
                           {"write fit(…, steps_per_epoch=N)", "remove repeat() of the dataset"});
        if (dataset->count > 0)
            derived["steps_per_epoch"] = dataset->count;
        return;
    }
    constexpr int byDefault = 32;
    const std::int64_t count = countSamples(x);
    if (count <= 0)
        return;
    derived["batch_size"] = byDefault;
    const PythonValue* part = call.arguments().keyword("validation_split");
    const double share = part != nullptr && part->isNumber() ? 1 - part->constant().get<double>() : 1;
    const Json batch = training.value("batch_size", derived["batch_size"]);
    if (batch.is_number_integer() && batch.get<std::int64_t>() > 0)
        derived["steps_per_epoch"] = std::max<std::int64_t>(
            static_cast<std::int64_t>(static_cast<double>(count) * share) / batch.get<std::int64_t>(), 1);
}

PythonValue fit(const ModelCall& call) {
    PythonModel& model = call.model();
    model.use = 3;
    model.trainingPlace = call.place();
    const auto take = [&](std::string_view keyword, std::size_t position, std::string_view option) {
        const PythonValue* given = call.arguments().given(keyword, position);
        if (given != nullptr && given->is<PythonConstant>())
            model.training[std::string(option)] = given->constant();
    };
    // Written programs batch their dataset; others may leave that to fit().
    take("batch_size", 2, "batch_size");
    constexpr std::size_t byKeywordOnly = 99;
    for (const ProjectOption* option : projectOptionsInFileOrder("training"))
        for (const PythonSpelling& python : {option->python, option->olderPython.value_or(PythonSpelling{})})
            if (python.site == PythonSite::Fit || python.site == PythonSite::LastOfFit)
                take(python.keyword.empty() ? option->key() : python.keyword,
                     python.position.value_or(byKeywordOnly), option->key());
    if (const PythonValue* callbacks = call.arguments().find("callbacks", 5)) {
        Json list = Json::array();
        for (const PythonValue& callback : callbacks->items())
            if (const auto* object = callback.as<PythonConfigured>())
                list.push_back(object->json);
        if (!list.empty())
            model.training["callbacks"] = std::move(list);
    }
    if (const PythonValue* x = call.arguments().find("x", 0)) {
        takeSteps(call, *x);
        useSamples(call.call, call.name, featuresOf(*x));
        followOwnStep(call.call, call.name, *x);
    }
    return PythonData();
}

/// evaluate() and predict() build a model like fit().
PythonValue samples(const ModelCall& call) {
    if (const PythonValue* x = call.arguments().find("x", 0))
        useSamples(call.call, call.name, featuresOf(*x));
    return PythonData();
}

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
    constexpr std::array<Argument, 7> own{
        {{"outfeed_mask", "leave it out: Keras decides what it reads of the outfeed"},
         {"infeed_queue", "leave it out, and use set_infeed_queue_options()"},
         {"outfeed_queue", "leave it out, and use set_outfeed_queue_options()"},
         {"computational_stages", "use PipelineStage or set_pipeline_stage_assignment()"},
         {"inputs", "leave it out: fit() gives the samples"},
         {"optimizer_function", "leave it out: compile() names the optimizer"},
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
    if (arguments.list.size() > 1)
        call.call.refuse("python/value", "name the further options",
                         {"write name=value for each option behind the first"});
    Json given = Json::object();
    if (!arguments.list.empty())
        given["gradient_accumulation_steps_per_replica"] = call.json(arguments.list[0]);
    for (const auto& [key, value] : arguments.keywords) {
        // Of the optimizer that accumulates without a pipeline.
        const bool isType = call.call.path == "set_gradient_accumulation_options" && key == "dtype";
        if (!isType)
            checkPipelineOption(call, key, value);
        if (const auto* list = value.as<PythonList>();
            key == "device_mapping" && list != nullptr && list->isTuple)
            call.call.refuse("value-error/device-mapping", "the device mapping is a tuple",
                             {"write it as a list: [0, 1]"});
        given[key == "pipeline_schedule" ? "schedule"
              : isType                   ? "gradient_accumulation_dtype"
                                         : key] = call.json(value);
    }
    for (const auto& [key, value] : options.items()) {
        if (given.contains(key))
            continue;
        if (std::ranges::find(stays, key) != stays.end())
            given[key] = value;
        else
            call.call.warn("python/replaced",
                           fmt::format("this call of {}() replaces the one before, which set \"{}\"",
                                       call.call.name(), key),
                           {fmt::format("give {} to this call, too", key)});
    }
    options = std::move(given);
    return {};
}

PythonValue setPipelining(const ModelCall& call) {
    return setOptions(call, call.model().pipelining);
}

PythonValue setAccumulation(const ModelCall& call) {
    return setOptions(call, call.model().accumulation);
}

PythonValue setStages(const ModelCall& call) {
    const PythonValue* list = call.arguments().find("pipeline_stage_assignment", 0);
    refuseOlder(call, "give the stages to the model's constructor");
    if (list == nullptr || !list->is<PythonList>() || list->as<PythonList>()->isTuple)
        call.call.refuse("python/value", "the stage assignment is a list",
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
    return {};
}

PythonValue getStages(const ModelCall& call) {
    refuseOlder(call, "give the stages to the model's constructor");
    PythonProgramBuilder& builder = call.call.builder;
    Diagnostics warnings;
    const auto graph =
        readKerasModelText(toText(builder.facts.draft.kerasJson(call.name.model)), builder.file(), warnings);
    const auto flat = graph ? flattenModel(*graph) : failure(graph.error());
    if (!flat)
        call.call.refuse("python/value", flat.error().front().message, flat.error().front().hints);
    PythonModel& model = call.model();
    const std::vector<InvocationId> calls = flat->assignable();
    if (!model.stages.is_array() || model.stages.size() != calls.size())
        model.stages = Json(calls.size(), Json());
    PythonValues list;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const std::string& path = flat->layers[flat->invocations[calls[i].index()].layer.index()].path;
        list.emplace_back(PythonStageEntry{call.name.model, static_cast<std::int64_t>(i),
                                           path.substr(path.rfind('/') + 1), false});
    }
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
    for (const auto& [key, given] : call.arguments().keywords)
        options[key] = call.json(given);
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

PythonValue nothing(const ModelCall&) {
    return {};
}

PythonValue layerOf(const ModelCall& call) {
    const PythonModel& model = call.model();
    const PythonValue* name = call.arguments().find("name", 0);
    const PythonValue* index = call.arguments().keyword("index");
    if (model.isSubclass || !model.document.is_null())
        return PythonData();
    const auto layers = model.isSequential ? model.layers : call.call.builder.facts.draft.layersOf(model);
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const bool isNamed = name != nullptr && name->constant() == call.call.builder.layer(layers[i]).name;
        if (isNamed || (index != nullptr && index->constant() == i))
            return PythonLayerName{layers[i]};
    }
    call.call.refuse("python/name", "the model has no such layer", {"take a name of model.summary()"});
}

struct ModelMethod {
    std::string_view name;
    PythonValue (*meaning)(const ModelCall&);
    bool takesSamples = false;
};
constexpr std::array<ModelMethod, 35> modelMethods{{
    {"compiled_loss", [](const ModelCall& call) { return compiledLoss(call.call, call.name); }},
    {"compute_loss", [](const ModelCall& call) { return compiledLoss(call.call, call.name); }},
    {"compile", compile},
    {"fit", fit, true},
    {"evaluate", samples, true},
    {"predict", samples, true},
    {"train_on_batch", samples},
    {"test_on_batch", samples},
    {"predict_on_batch", samples},
    {"add", add},
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
    {"count_params", anyValue},
    {"get_weights", anyValue},
    {"set_weights", nothing},
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
    if (asksForStages && model.isSubclass && !model.isBuilt)
        call.call.refuse("runtime-error/model-not-built",
                         fmt::format("{} has no layers to assign before it is built", quotedName(model.name)),
                         {"call build() or the model itself first"});
}

} // namespace

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
    const Json shape =
        isBatch ? Json(data->shape.begin() + 1, data->shape.end()) : sampleShape(data->dataset);
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
    if (!model.isSequential || model.layers.empty() || !isKnown)
        return;
    Json& first = call.builder.layer(model.layers[0]).config;
    if (!first.contains("batch_input_shape") && !first.contains("batch_shape"))
        first["batch_input_shape"] = shapeWithBatch(shape, nullptr);
}

bool modelMethodTakesSamples(const std::string& name) {
    const auto row = std::ranges::find(modelMethods, name, &ModelMethod::name);
    return row != modelMethods.end() && row->takesSamples;
}

} // namespace core
