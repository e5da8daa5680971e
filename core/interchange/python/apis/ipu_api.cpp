// The names of the IPU extensions, except for those of pipelines of stage functions.
#include "core/interchange/python/apis/api_catalogue.h"
#include "core/interchange/python/apis/calls/element_expression.h"
#include "core/interchange/python/apis/calls/gradients.h"
#include "core/interchange/python/apis/calls/ipu_configuration.h"
#include "core/interchange/python/apis/calls/operation_layers.h"
#include "core/interchange/python/apis/graphs/device_loops.h"
#include "core/interchange/python/apis/graphs/estimators.h"
#include "core/interchange/python/apis/graphs/pipeline_call.h"
#include "core/interchange/python/apis/weights/program_weights.h"
#include "core/interchange/python/apis/weights/weight_penalty.h"
#include "core/interchange/python/apis/worker_clusters.h"
#include "core/interchange/python/draft/layers.h"
#include "core/interchange/python/draft/models.h"
#include "core/interchange/python/draft/sample_computation.h"
#include "core/interchange/python/draft/sample_shapes.h"
#include "core/interchange/python/draft/tensor_functions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace core {

namespace {

/// "/device:IPU:1" of a strategy or a scope: the second device of those that are selected.
void takeDevice(const PythonApiCall& call, const char* argument) {
    const PythonValue* named = call.arguments.find(argument, 0);
    const std::string text = named != nullptr && named->isText() ? named->constant().get<std::string>() : "";
    const std::size_t at = text.rfind(':');
    const std::string number =
        text.find("IPU") == std::string::npos || at == std::string::npos ? "" : text.substr(at + 1);
    constexpr std::size_t longest = 4;
    if (!number.empty() && number.size() <= longest &&
        number.find_first_not_of("0123456789") == std::string::npos)
        call.builder.facts.device = {std::stoll(number), call.place()};
}

PythonValue strategy(const PythonApiCall& call) {
    takeDevice(call, "ipu_device");
    call.builder.makesStrategy = call.builder.makesStrategy || call.name().starts_with("IPUStrategy");
    return PythonScope();
}

/// A device, as TensorFlow 1 names it: what is within is for the IPU.
PythonValue deviceScope(const PythonApiCall& call) {
    takeDevice(call, "device");
    return PythonScope{std::nullopt, std::nullopt, true};
}

std::int64_t scopeNumber(const PythonApiCall& call, const char* argument, const char* what) {
    const PythonValue* number = call.arguments.find(argument, 0);
    if (number == nullptr || !number->isWhole())
        call.refuse("python/value", fmt::format("{}() takes the number of {}", call.name(), what),
                    {fmt::format("write with {}(0):", call.name())});
    return number->constant().get<std::int64_t>();
}

PythonValue stageScope(const PythonApiCall& call) {
    if (call.builder.scope.stage)
        call.refuse("runtime-error/nested-stage",
                    fmt::format("this pipeline stage is within stage {}", *call.builder.scope.stage),
                    {"end the outer `with` before it: an operation is in one stage only"});
    if (!call.builder.scope.isStrategy)
        call.refuse("runtime-error/no-strategy", "a pipeline stage is used outside of a strategy",
                    {"build the model within `with ipu.ipu_strategy.IPUStrategy().scope():`"});
    const std::int64_t stage = scopeNumber(call, "stage", "a stage");
    if (stage < 0)
        call.refuse("value-error/stage-number", fmt::format("stage {} is below 0", stage),
                    {"write the number of a stage, counted from 0"});
    return PythonScope{stage, std::nullopt, false};
}

/// What only the host looks at is no part of the model; what the model needs of it is refused with the model.
PythonValue hostScope(const PythonApiCall&) {
    PythonScope scope;
    scope.isHost = true;
    return scope;
}

PythonValue shardScope(const PythonApiCall& call) {
    return PythonScope{std::nullopt, scopeNumber(call, "index", "an IPU"), false};
}

/// Arguments of Keras that the documentation of the IPU's recurrent layers names as unsupported.
void checkRecurrence(const PythonApiCall& call, const PythonLayer& layer) {
    constexpr std::array<const char*, 11> unsupported{"kernel_regularizer",
                                                      "recurrent_regularizer",
                                                      "bias_regularizer",
                                                      "activity_regularizer",
                                                      "kernel_constraint",
                                                      "recurrent_constraint",
                                                      "bias_constraint",
                                                      "recurrent_dropout",
                                                      "implementation",
                                                      "go_backwards",
                                                      "unroll"};
    if (layer.config.value("recurrent_activation", Json()) == "relu")
        call.refuse(
            "value-error/unsupported-argument",
            fmt::format("the recurrent_activation of the IPU's {} is not to be \"relu\"", call.name()),
            {"use tanh, softmax, sigmoid or hard_sigmoid"});
    for (const char* option : unsupported) {
        const Json value = layer.config.value(option, Json());
        const bool isPlain = value.is_null() || value == false || value == 0 || value == 0.0 ||
                             (value == 1 && option == std::string_view("implementation"));
        if (!isPlain)
            call.refuse("value-error/unsupported-argument",
                        fmt::format("\"{}\" is not supported by the IPU's {}", option, call.name()),
                        {"leave it out", fmt::format("use tf.keras.layers.{}",
                                                     call.name().ends_with("GRU") ? "GRU" : "LSTM")});
    }
}

/// GRU and LSTM are other names of the IPU's own implementations; classes that Keras has, too, keep the
/// module that says whose they are.
PythonValue ipuLayer(const PythonApiCall& call) {
    const std::string name = call.name();
    const bool isAlias = name == "GRU" || name == "LSTM";
    const PythonLayerName layer = makeLayer(call.builder, isAlias ? "Popnn" + name : name, call.arguments);
    if (name == "Dropout" || name == "Embedding" || name == "LayerNormalization")
        call.builder.layer(layer.layer).module = "ipu.keras.layers";
    if (isAlias || name.starts_with("Popnn"))
        checkRecurrence(call, call.builder.layer(layer.layer));
    return layer;
}

/// What a call of an enumeration answers: the value itself.
PythonValue enumeration(const PythonApiCall& call) {
    return call.arguments.list.empty() ? PythonValue(PythonData()) : call.arguments.list.front();
}

PythonValue resetSeed(const PythonApiCall& call) {
    if (const PythonValue* seed = call.arguments.find("seed", 0); seed != nullptr && seed->isWhole())
        call.builder.facts.training["seed"] = seed->constant();
    if (const PythonValue* same = call.arguments.keyword("experimental_identical_replicas");
        same != nullptr && same->constant() == true)
        call.warn("python/ignored", "the simulated replicas draw numbers of their own",
                  {"leave experimental_identical_replicas out"});
    return {};
}

/// As many as the last configuration that was applied selects.
PythonValue countIpus(const PythonApiCall& call) {
    return pythonConstant(configuredNumber(call, "auto_select_ipus").value_or(1));
}

PythonValue runsOnModel(const PythonApiCall&) {
    return pythonConstant(false);
}

/// What follows has every option at its default.
PythonValue resetConfiguration(const PythonApiCall& call) {
    if (call.interpreter.isBehindYield()) // when a scope of the program is left
        return {};
    call.builder.applyConfiguration(call.builder.addConfiguration().configuration);
    return {};
}

constexpr const char* joinedClass = "ipu.nn_ops.joined";

/// Called, the convolutions of its function join.
PythonLibraryObject joinedObject(const PythonValue& function) {
    return {joinedClass, std::make_shared<std::map<std::string, PythonValue>>(
                             std::map<std::string, PythonValue>{{"func", function}})};
}

/// multi_conv(function). Without a function, as a decorator with options is made, it is called with each of
/// its functions.
PythonValue joinedFunction(const PythonApiCall& call) {
    const PythonValue* function = call.arguments.find("func", 0);
    if (call.arguments.given("options", 1) != nullptr)
        warnOfJoinedOptions(call.builder, call.place());
    return joinedObject(function == nullptr ? PythonValue() : *function);
}

PythonValue callJoined(const PythonApiCall& call) {
    const PythonValue function = call.arguments.list.at(0).as<PythonLibraryObject>()->attributes->at("func");
    call.arguments.list.erase(call.arguments.list.begin());
    if (function.isNone()) {
        if (call.arguments.list.empty())
            call.refuse("python/value", "multi_conv() lacks its function", {"write multi_conv(function)"});
        return joinedObject(call.arguments.list.front());
    }
    const std::vector<std::size_t> before = call.builder.callCounts();
    PythonValue result = call.interpreter.call(function, call.arguments);
    joinConvolutions(call.builder, before, result, call.place());
    return result;
}

/// A wrapper of a dataset hands its samples on.
PythonValue bufferedDataset(const PythonApiCall& call) {
    const PythonValue* dataset = call.arguments.find("input_dataset", 0);
    return dataset == nullptr ? PythonValue(PythonData()) : *dataset;
}

/// The classes of models of TensorFlow 2.1.
PythonValue olderModel(const PythonApiCall& call) {
    const std::string name = call.name();
    const bool isSequential = name.find("Sequential") != std::string::npos;
    call.warn("python/older-api", fmt::format("ipu.keras.{} is of TensorFlow 2.1", name),
              {isSequential ? "today: tensorflow.keras.Sequential and set_pipeline_stage_assignment()"
                            : "today: tensorflow.keras.Model and ipu.keras.PipelineStage"});
    const PythonModelName made =
        isSequential
            ? makeSequentialModel(call.builder, call.arguments, name.find("Pipeline") != std::string::npos)
            : makeFunctionalModel(call.builder, call.arguments);
    call.builder.model(made.model).isOlder = true;
    // Source: "The model must be both instantiated and called from within an IPUStrategy context".
    if (!call.builder.scope.isStrategy)
        call.warn(
            "python/no-strategy",
            fmt::format("ipu.keras.{} is made outside of the scope of an IPUStrategy, where it would not "
                        "run on an IPU",
                        name),
            {"make and train it within: with ipu.ipu_strategy.IPUStrategy().scope()"});
    call.builder.model(made.model).pipelineCall = fmt::format("ipu.keras.{}()", name);
    // Source: "the pipeline stage at which a Layer is to be executed is given by the PipelineModel context".
    if (name == "PipelineModel" && call.builder.facts.draft.stagesByLayer(made.model).is_null())
        call.refuse("value-error/stage-missing",
                    "no layer of this PipelineModel was called in a PipelineStage",
                    {"call the layers of each stage in with ipu.keras.PipelineStage(number):",
                     "use ipu.keras.Model for a model without stages"});
    return made;
}

/// The optimizer that one of the IPU wraps.
PythonConfigured wrappedOptimizer(const PythonApiCall& call, const char* argument) {
    const PythonValue* wrapped = call.arguments.find(argument, 0);
    const auto* optimizer = wrapped == nullptr ? nullptr : wrapped->as<PythonConfigured>();
    if (optimizer == nullptr)
        call.refuse("python/value", fmt::format("{}() takes an optimizer first", call.name()),
                    {fmt::format("write {}(tf.compat.v1.train.GradientDescentOptimizer(…))", call.name())});
    if (optimizer->path.starts_with("keras.") && call.path.find(".keras.") == std::string::npos)
        call.refuse("value-error/optimizer",
                    fmt::format("{}() wraps an optimizer of tf.compat.v1.train, and {} is one of Keras",
                                call.name(), optimizer->json.value("class_name", std::string("this"))),
                    {"take tf.compat.v1.train.GradientDescentOptimizer, MomentumOptimizer or the like",
                     fmt::format("give the model the optimizer of Keras itself, or ipu.keras.optimizers.{}",
                                 call.name())});
    return *optimizer;
}

PythonValue crossReplicaOptimizer(const PythonApiCall& call) {
    PythonConfigured optimizer = wrappedOptimizer(call, "opt");
    optimizer.json[pythonOptimizerAverages] = true;
    return optimizer;
}

PythonValue shardedOptimizer(const PythonApiCall& call) {
    return wrappedOptimizer(call, "optimizer");
}

PythonValue baseOptimizer(const PythonApiCall& call) {
    return wrappedOptimizer(call, "opt");
}

/// A function of a gradient and its variable: one that clips, or lets the variable decay, is an option of the
/// optimizer.
PythonValue mappedOptimizer(const PythonApiCall& call) {
    PythonConfigured optimizer = wrappedOptimizer(call, "wrapped_optimizer");
    const PythonValue* function = call.arguments.find("gradient_mapping_function", 1);
    PythonData gradient;
    gradient.isGradient = true;
    // It may ask which variable it is given: one of each kind is tried.
    std::map<std::string, double> decays;
    std::optional<Json> clipping;
    std::optional<double> factor;
    constexpr double exact = 1e-6;
    for (const PythonValue& weight : weightsByKind(weightsOfModel()).value_or(PythonValues())) {
        PythonArguments pair{{gradient, weight}, {}, call.place()};
        call.builder.clipping = Json::object();
        const PythonValue mapped =
            function == nullptr ? PythonValue() : call.interpreter.call(*function, pair);
        Json own = std::exchange(call.builder.clipping, Json());
        const auto* made = mapped.as<PythonData>();
        if (made == nullptr || !made->isGradient || !made->factor || made->decaysClipped ||
            own != clipping.value_or(own) || std::abs(*made->factor - factor.value_or(*made->factor)) > exact)
            call.refuse(
                "python/unsupported",
                "what this function makes of gradients, beside decay and clipping after it, no project holds",
                {"add a multiple of the variable to its gradient",
                 "clip all of them by tf.clip_by_norm or tf.clip_by_value"});
        clipping = std::move(own);
        factor = *made->factor;
        decays[weight.as<PythonData>()->weightKind] = made->decay / *made->factor;
    }
    const bool isMultiplied = factor && std::abs(*factor - 1) > exact;
    if (isMultiplied && (!clipping->empty() || !multiplyGradients(optimizer.json, *factor)))
        call.refuse(
            "python/unsupported",
            "no option of this optimizer says what it makes of gradients that are multiplied by a number",
            {"multiply the loss or the learning rate instead",
             "use gradient descent, Adam, RMSProp or Adagrad, without clipping behind it"});
    optimizer.json["config"].update(clipping.value_or(Json::object()));
    // It changes what compute_gradients() answers, which is what accumulates.
    if (call.path.find(".keras.") == std::string::npos)
        optimizer.json[pythonOptimizerDecaysEach] = true;
    const bool areAlike = std::ranges::all_of(
        decays, [&](const auto& entry) { return entry.second == decays.begin()->second; });
    if (areAlike && !decays.empty() && decays.begin()->second != 0)
        optimizer.json["config"]["gradient_decay"] = decays.begin()->second;
    // decay * w is the gradient of the regularizer L2(decay / 2).
    for (const auto& [kind, decay] : decays)
        if (!areAlike && decay != 0)
            call.builder.penalties[{call.place().file, call.place().line, call.place().column}][kind] =
                decay / 2;
    return optimizer;
}

/// What it adds to the optimizer that it wraps are options of the pipeline.
PythonValue accumulationOptimizer(const PythonApiCall& call) {
    PythonConfigured optimizer = wrappedOptimizer(call, "opt");
    // Source: `verify_usage` of GradientAccumulationOptimizer in the API reference.
    constexpr std::size_t verifyAt = 2;
    const PythonValue* verifies = call.arguments.given("verify_usage", verifyAt);
    const bool isVerified = verifies == nullptr || verifies->constant() != false;
    if (!call.name().ends_with("V2") && isVerified && optimizer.json.is_object() &&
        optimizer.json.value("class_name", "SGD") != "SGD")
        call.refuse("value-error/gradient-accumulation",
                    fmt::format("{} accumulates for gradient descent and momentum only, not for {}",
                                call.name(), optimizer.json["class_name"].get<std::string>()),
                    {fmt::format("use {}V2", call.name()), "give it verify_usage=False"});
    if (call.name().starts_with("CrossReplica"))
        optimizer.json[pythonOptimizerAverages] = true;
    Json& options = optimizer.json[pythonOptimizerOptions];
    options = Json::object();
    if (const PythonValue* count = call.arguments.find("num_mini_batches", 1))
        options["gradient_accumulation_steps_per_replica"] = call.builder.json(*count, call.place());
    if (!call.name().ends_with("V2"))
        return optimizer;
    const PythonValue* offloads = call.arguments.given("offload_weight_update_variables", 2);
    const PythonValue* shards = call.arguments.given("replicated_optimizer_state_sharding", 3);
    if (shards != nullptr && shards->constant() == true && offloads != nullptr &&
        offloads->constant() == false)
        call.refuse(
            "value-error/optimizer-state-sharding",
            "the state of the optimizer is sharded over the replicas only where it is offloaded",
            {"set offload_weight_update_variables=True", "leave replicated_optimizer_state_sharding out"});
    struct Argument {
        const char* name;
        const char* option;
    };
    constexpr Argument known[]{{"offload_weight_update_variables", "offload_weight_update_variables"},
                               {"replicated_optimizer_state_sharding", "replicated_optimizer_state_sharding"},
                               {"dtype", "gradient_accumulation_dtype"}};
    for (std::size_t i = 0; i < std::size(known); ++i)
        if (const PythonValue* given = call.arguments.given(known[i].name, 2 + i))
            options[known[i].option] =
                call.builder.json(typeOfVariables(call, known[i].name, *given), call.place());
    return optimizer;
}

/// Enumerations of the API.
std::vector<PythonApiName> enumerationNames() {
    std::vector<PythonApiName> names;
    for (const char* name :
         {"IPUOutfeedMode", "DeviceConnectionType", "ExecutionProfileType", "MergeRemoteBuffersBehaviour",
          "SchedulingAlgorithm", "SelectionOrder", "PipelineSchedule", "RecomputationMode"})
        names.push_back(readName(std::string("ipu.**.") + name, enumeration));
    return names;
}

PythonValue loggingHook(const PythonApiCall& call) {
    const auto isGiven = [&](const char* name, std::size_t position) {
        return call.arguments.given(name, position) != nullptr;
    };
    const bool byRounds = isGiven("every_n_iter", 0);
    const PythonValue* atEnd = call.arguments.given("at_end", 2);
    const bool isAtEnd = atEnd != nullptr && atEnd->constant() == true;
    if (byRounds == isGiven("every_n_secs", 1) && (byRounds || !isAtEnd))
        call.refuse("value-error/logging-hook",
                    fmt::format("IPULoggingTensorHook() is given {} of every_n_iter and every_n_secs",
                                byRounds ? "both" : "neither"),
                    {"give one of the two"});
    call.warn("python/ignored",
              "IPULoggingTensorHook() is left out: a run of the project writes its own reports",
              {"look at the metrics of the run"});
    PythonData hook;
    hook.origin = call.path + "()";
    return hook;
}

/// Partials are those of all matrix products and convolutions of a project.
PythonValue partialsScope(const PythonApiCall& call) {
    const PythonValue* given = call.arguments.find("override_type", 0);
    const bool isHalf = given != nullptr && typeNamed(given) == "float16";
    call.warn("python/ignored",
              fmt::format("ipu.scopes.partials_type() is left out: what is computed in it has the partials "
                          "of the whole model, {} unless an option says otherwise",
                          isHalf ? "float, not half," : "float"),
              {fmt::format("set {{'partialsType': '{}'}} in matmuls.poplar_options and "
                           "convolutions.poplar_options, for the whole model",
                           isHalf ? "half" : "float")});
    return PythonScope();
}

/// Rounding is that of the whole system.
PythonValue roundingScope(const PythonApiCall& call) {
    const PythonValue* given = call.arguments.find("override", 0);
    const bool isOff = given != nullptr && given->constant() == false;
    call.warn("python/ignored",
              fmt::format("ipu.scopes.stochastic_rounding({}) is left out: what is computed in it is rounded "
                          "as floating_point_behaviour.esr says for the whole system",
                          isOff ? "False" : "True"),
              {fmt::format("set floating_point_behaviour.esr to {}, for the whole system",
                           isOff ? "False" : "True")});
    return PythonScope();
}

/// What runs beside the model on the host, and scopes that a project has no place for.
std::vector<PythonApiName> leftOutNames() {
    constexpr const char* reports = "is left out: a run of the project writes its own reports";
    constexpr const char* profile = "run the project with --profile and look at its database";
    constexpr const char* benchmarks = "is left out: it measures the machine that the program runs on";
    constexpr const char* benchmark = "use `ipu-workbench benchmark-dataset` on the project";
    constexpr const char* sharding = "is left out: shards are those that ipu_shard() names";
    constexpr const char* shard = "write with ipu.scopes.ipu_shard(0): around the layers";
    std::vector<PythonApiName> names{
        warnedName("ipu.**.frontend_attribute", "is left out: a project has no attributes of operations",
                   "set the options of ipu_config instead"),
        warnedName("ipu.**.ipu_jit_scope", "is left out: a project is always compiled as a whole",
                   "remove the scope"),
        readName("ipu.**.partials_type", partialsScope),
        readName("ipu.**.stochastic_rounding", roundingScope),
        warnedName("ipu.**.move_variable_initialization_to_cpu",
                   "is left out: weights are always made on the host", "remove the call"),
        warnedName("ipu.**.use_synthetic_data_for", "is left out: it is chosen when the project runs",
                   "set training.synthetic_data in the project"),
        hostName("ipu.**.KeyId"),
        warnedName("ipu.**.VerificationOptions", "is left out: transfers are not verified", "remove it"),
        warnedName("ipu.**.AttributeMetadata", "is left out: it describes the API itself", "remove it"),
        warnedName("ipu.**.get_ipu_config", "is left out: the program made the configuration itself",
                   "use the configuration that the program made"),
        readName("ipu.**.IPULoggingTensorHook", loggingHook),
        warnedName("ipu.**.print_tensor", "is left out: a run prints no tensors",
                   "record samples with RecordTraining among training.callbacks"),
        warnedName("ipu.**.ipu_compile_summary", reports, profile),
        warnedName("ipu.**.tensor_summary", reports, profile),
        warnedName("ipu.**.get_shard_from_colocation", sharding, shard),
        warnedName("ipu.**.propagate_sharding", sharding, shard),
        warnedName("ipu.**.sharding.dependencies", sharding, shard),
        warnedName("ipu.**.sharding.has_attr", sharding, shard),
        warnedName("ipu.**.outlined_function",
                   "is left out: blocks of equal layers share their code wherever they are",
                   "remove it, or keep it for the real system: nothing changes here"),
    };
    for (const char* name :
         {"export_dataset_to_file", "export_inputs_to_file", "extract_all_events",
          "extract_all_strings_from_event_trace", "extract_all_types_from_event_trace",
          "extract_compile_reports", "extract_execute_reports", "extract_poplar_serialized_graphs"})
        names.push_back(warnedName(std::string("ipu.**.") + name, reports, profile));
    for (const char* name : {"dataset_benchmark", "infeed_benchmark"})
        names.push_back(warnedName(std::string("ipu.**.dataset_benchmark.") + name, benchmarks, benchmark));
    return names;
}

std::vector<PythonApiName> optimizerNames() {
    return {
        readName("ipu.**.GradientAccumulationOptimizer", accumulationOptimizer),
        readName("ipu.**.GradientAccumulationOptimizerV2", accumulationOptimizer),
        readName("ipu.**.CrossReplicaGradientAccumulationOptimizer", accumulationOptimizer),
        readName("ipu.**.CrossReplicaGradientAccumulationOptimizerV2", accumulationOptimizer),
        readName("ipu.**.CrossReplicaOptimizer", crossReplicaOptimizer),
        readName("ipu.**.ShardedOptimizer", shardedOptimizer),
        readName("ipu.**.IpuOptimizer", baseOptimizer),
        readName("ipu.**.MapGradientOptimizer", mappedOptimizer),
        refusedName("ipu.**.*optimizer*.**", "is no optimizer of the IPU extensions",
                    "use an optimizer of tf.keras.optimizers"),
    };
}

bool takesOwnWeights(const std::string& function) {
    return function == "nce_loss" || function == "sampled_softmax_loss";
}

/// A loss over sampled classes: its layer has the weights that it is given.
PythonValue sampledLoss(const PythonApiCall& call, const PythonMeaning& meaning) {
    const PythonValue* weights = call.arguments.find("weights", 0);
    const PythonValue* biases = call.arguments.find("biases", 1);
    const PythonValue kernel = weights == nullptr ? PythonValue() : *weights;
    const PythonValue bias = biases == nullptr ? PythonValue() : *biases;
    const PythonValue made = meaning(call);
    if (const auto* tensor = made.as<PythonTensor>()) {
        giveWeight(call, kernel, {tensor->layer}, "kernel_initializer");
        giveWeight(call, bias, {tensor->layer}, "bias_initializer");
    }
    return made;
}

/// The rows of a host embedding are those of a variable of the program: its extents, and how it begins.
PythonValue hostEmbedding(const PythonApiCall& call, const PythonMeaning& meaning) {
    const PythonValue* given = call.arguments.find("embedding_tensor", 1);
    const Json shape = given == nullptr ? Json() : shapeOfVariable(*given);
    if (!shape.is_array())
        return meaning(call);
    PythonData rows;
    rows.shape = shape;
    if (const auto* weight = given->as<PythonLibraryObject>())
        if (const auto begins = weight->attributes->find("initializer"); begins != weight->attributes->end())
            rows.initializer = call.builder.json(begins->second, call.place());
    const PythonValue* strategy = call.arguments.find("partition_strategy", 2);
    const PythonValue* optimizer = call.arguments.find("optimizer_spec", 3);
    const PythonValue* name = call.arguments.find("name", 0);
    const auto orNone = [](const PythonValue* value) { return value == nullptr ? PythonValue() : *value; };
    PythonArguments read{{orNone(name), rows, orNone(strategy), orNone(optimizer)}, {}, call.place()};
    return meaning(PythonApiCall{call.builder, call.interpreter, call.path, read});
}

std::vector<PythonApiName> scopeNames() {
    return {
        readName("ipu.**.IPUStrategy", strategy),     readName("tf.distribute.get_strategy", strategy),
        readName("ipu.**.IPUStrategyV1", strategy),   readName("ipu.**.ipu_strategy.**", strategy),
        readName("ipu.**.ipu_scope", deviceScope),    readName("ipu.**.outside_compilation_scope", hostScope),
        readName("ipu.**.PipelineStage", stageScope), readName("ipu.**.ipu_shard", shardScope),
    };
}

std::vector<PythonApiName> modelNames() {
    std::vector<PythonApiName> names{readName("ipu.**.keras.layers.**", ipuLayer),
                                     readName("ipu.layers.**", ipuLayer)};
    for (const char* name : {"Model", "IPUModel", "PipelineModel", "Sequential", "IPUSequential",
                             "PipelineSequential", "SequentialPipelineModel"})
        names.push_back(readName(std::string("ipu.**.") + name, olderModel));
    return names;
}

/// The last rows: what is not named above.
std::vector<PythonApiName> otherNames() {
    return {
        readName("ipu.**.embedding_ops.embedding_lookup", lookupInVariable),
        readName("ipu.**.reset_ipu_seed", resetSeed),
        readName("ipu.**.get_num_of_ipus_in_device", countIpus),
        readName("ipu.**.running_on_ipu_model", runsOnModel),
        readName("ipu.**.reset_ipu_configuration", resetConfiguration),
        readName("ipu.**.BufferDataset", bufferedDataset),
        readName("ipu.**.nn_ops.multi_conv", joinedFunction),
        readName(std::string(joinedClass) + ".__call__", callJoined),
        readName("ipu.**.codelet_expression_op", callElementExpression),
        warnedName("ipu.**.horovod.**.broadcast", "is left out: all replicas start with the same weights",
                   "remove the call"),
        // One process, as the program is started by itself.
        readName("ipu.**.horovod.**.size", [](const PythonApiCall&) { return pythonConstant(1); }),
        readName("ipu.**.horovod.**.local_size", [](const PythonApiCall&) { return pythonConstant(1); }),
        readName("ipu.**.horovod.**.rank", [](const PythonApiCall&) { return pythonConstant(0); }),
        readName("ipu.**.horovod.**.local_rank", [](const PythonApiCall&) { return pythonConstant(0); }),
        warnedName("ipu.**.horovod.**", "is left out: it speaks to other processes",
                   "set experimental.multi_replica_distribution.process_count in the project"),
        warnedName("ipu.**.utils.**", "is no function that a project depends on", "remove the call"),
        refusedName("tf.python.ipu.**", "is not reached by way of tf",
                    "import it: from tensorflow.python import ipu"),
        refusedName("ipu.**", "is no name of the IPU extensions that programs are read with",
                    "build the model of layers, or of functions of ipu.nn_ops and the other ipu.*_ops"),
    };
}

/// Operations that a weight of the program may be given to.
std::vector<PythonApiName> weightedOperationNames() {
    std::vector<PythonApiName> names = operationNames();
    for (PythonApiName& name : names)
        if (name.meaning)
            name.meaning = [meaning = name.meaning](const auto& call) {
                if (takesOwnWeights(call.name()))
                    return sampledLoss(call, meaning);
                weightsBesideTensors(call);
                return meaning(call);
            };
    return names;
}

/// Objects that become layers; the table of one may be a variable.
std::vector<PythonApiName> layerObjectNames() {
    std::vector<PythonApiName> names = operationObjectNames();
    for (PythonApiName& name : names)
        if (name.pattern.ends_with(".HostEmbedding"))
            name.meaning = [meaning = name.meaning](const auto& call) {
                return hostEmbedding(call, meaning);
            };
    return names;
}

std::vector<PythonApiName> ipuNames() {
    std::vector<PythonApiName> names;
    for (const auto& part :
         {ipuConfigurationNames(), weightedOperationNames(), layerObjectNames(), deviceLoopNames(),
          estimatorNames(), enumerationNames(), leftOutNames(), workerStrategyNames(), scopeNames(),
          optimizerNames(), modelNames(), otherNames()})
        names.insert(names.end(), part.begin(), part.end());
    return names;
}

} // namespace

const PythonApiTable& ipuApi() {
    static const PythonApiTable api{{{"tensorflow.python.ipu", "ipu"},
                                     {"ipu_tensorflow_addons", "ipu"},
                                     {"tf.contrib.ipu.python", "ipu"},
                                     {"tf.contrib.ipu", "ipu"}},
                                    {"tensorflow.python.ipu",
                                     "tensorflow.python.ipu.scopes.ipu_scope",
                                     "tensorflow.python.ipu.horovod.ipu_horovod_strategy.IPUHorovodStrategy",
                                     "tensorflow.python.ipu.ipu_multi_worker_strategy.IPUMultiWorkerStrategy",
                                     "tensorflow.python.ipu.config.IPUConfig",
                                     "tensorflow.python.ipu.utils.create_ipu_config",
                                     "tensorflow.python.ipu.utils.auto_select_ipus",
                                     "tensorflow.python.ipu.utils.select_ipus",
                                     "tensorflow.python.ipu.utils.set_verification_options",
                                     "tensorflow.python.ipu.utils.set_compilation_options",
                                     "tensorflow.python.ipu.utils.set_convolution_options",
                                     "tensorflow.python.ipu.utils.set_matmul_options",
                                     "tensorflow.python.ipu.utils.set_optimization_options",
                                     "tensorflow.python.ipu.utils.set_pooling_options",
                                     "tensorflow.python.ipu.utils.set_report_options",
                                     "tensorflow.python.ipu.utils.set_serialization_options",
                                     "tensorflow.python.ipu.utils.set_transfer_options",
                                     "tensorflow.python.ipu.rnn_ops.PopnnAUGRU",
                                     "tensorflow.python.ipu.rnn_ops.PopnnDynamicGRU",
                                     "tensorflow.python.ipu.rnn_ops.PopnnGRU",
                                     "tensorflow.python.ipu.rnn_ops.PopnnLSTM",
                                     "tensorflow.python.ipu.slicing_ops.sequence_slice"},
                                    ipuNames()};
    return api;
}

} // namespace core
