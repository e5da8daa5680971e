// The names of the IPU extensions, except for those of pipelines of stage functions.
#include "core/interchange/python/apis/api_catalogue.h"
#include "core/interchange/python/apis/calls/ipu_configuration.h"
#include "core/interchange/python/draft/layers.h"
#include "core/interchange/python/draft/models.h"

#include <fmt/format.h>

namespace core {

namespace {

PythonValue strategy(const PythonApiCall&) {
    return PythonScope();
}

/// A strategy over several workers: how many there are is not in the program.
PythonValue workerStrategy(const PythonApiCall& call) {
    call.warn("python/ignored",
              fmt::format("the program does not say on how many workers {} runs", call.name()),
              {"set ipu_config.experimental.multi_replica_distribution.process_count in the project"});
    return PythonScope();
}

std::int64_t scopeNumber(const PythonApiCall& call, const char* argument, const char* what) {
    const PythonValue* number = call.arguments.find(argument, 0);
    if (number == nullptr || !number->isWhole())
        call.refuse("python/value", fmt::format("{}() takes the number of {}", call.name(), what),
                    {fmt::format("write with {}(0):", call.name())});
    return number->constant().get<std::int64_t>();
}

PythonValue stageScope(const PythonApiCall& call) {
    return PythonScope{scopeNumber(call, "stage", "a stage"), std::nullopt};
}

PythonValue shardScope(const PythonApiCall& call) {
    return PythonScope{std::nullopt, scopeNumber(call, "index", "an IPU")};
}

/// Classes that Keras has, too, keep the module that says whose they are.
PythonValue ipuLayer(const PythonApiCall& call) {
    const PythonLayerName layer = makeLayer(call.builder, call.name(), call.arguments);
    const std::string name = call.name();
    if (name == "Dropout" || name == "Embedding" || name == "LayerNormalization")
        call.builder.layer(layer.layer).module = "ipu.keras.layers";
    return layer;
}

/// The classes of models of TensorFlow 2.1.
PythonValue olderModel(const PythonApiCall& call) {
    const std::string name = call.name();
    const bool isSequential = name.find("Sequential") != std::string::npos;
    call.warn("python/older-api", fmt::format("ipu.keras.{} is of TensorFlow 2.1", name),
              {isSequential ? "today: tensorflow.keras.Sequential and set_pipeline_stage_assignment()"
                            : "today: tensorflow.keras.Model and ipu.keras.PipelineStage"});
    if (!isSequential)
        return makeFunctionalModel(call.builder, call.arguments);
    return makeSequentialModel(call.builder, call.arguments, name.find("Pipeline") != std::string::npos);
}

/// The optimizer that one of the IPU wraps.
PythonConfigured wrappedOptimizer(const PythonApiCall& call, const char* argument) {
    const PythonValue* wrapped = call.arguments.find(argument, 0);
    const auto* optimizer = wrapped == nullptr ? nullptr : wrapped->as<PythonConfigured>();
    if (optimizer == nullptr)
        call.refuse("python/value", fmt::format("{}() takes an optimizer first", call.name()),
                    {fmt::format("write {}(tf.keras.optimizers.SGD(…))", call.name())});
    return *optimizer;
}

/// Gradients are summed over replicas whether or not an optimizer says so.
PythonValue crossReplicaOptimizer(const PythonApiCall& call) {
    return wrappedOptimizer(call, "opt");
}

PythonValue shardedOptimizer(const PythonApiCall& call) {
    return wrappedOptimizer(call, "optimizer");
}

/// What it adds to the optimizer that it wraps are options of the pipeline.
PythonValue accumulationOptimizer(const PythonApiCall& call) {
    PythonConfigured optimizer = wrappedOptimizer(call, "opt");
    Json& options = optimizer.json[pythonOptimizerOptions];
    options = Json::object();
    if (const PythonValue* count = call.arguments.find("num_mini_batches", 1))
        options["gradient_accumulation_steps_per_replica"] = call.builder.json(*count, call.place());
    if (!call.name().ends_with("V2"))
        return optimizer;
    struct Argument {
        const char* name;
        const char* option;
    };
    constexpr Argument known[]{{"offload_weight_update_variables", "offload_weight_update_variables"},
                               {"replicated_optimizer_state_sharding", "replicated_optimizer_state_sharding"},
                               {"dtype", "gradient_accumulation_dtype"}};
    for (std::size_t i = 0; i < std::size(known); ++i)
        if (const PythonValue* given = call.arguments.given(known[i].name, 2 + i))
            options[known[i].option] = call.builder.json(*given, call.place());
    return optimizer;
}

std::vector<PythonApiName> ipuNames() {
    std::vector<PythonApiName> names{
        readName("ipu.**.IPUHorovodStrategy", workerStrategy),
        readName("ipu.**.IPUMultiWorkerStrategy", workerStrategy),
        readName("ipu.**.ipu_strategy.**", strategy),
        readName("ipu.**.IPUStrategy", strategy),
        readName("ipu.**.IPUStrategyV1", strategy),
        readName("ipu.**.ipu_scope", strategy),
        readName("ipu.**.PipelineStage", stageScope),
        readName("ipu.**.ipu_shard", shardScope),
        readName("ipu.**.keras.layers.**", ipuLayer),
        readName("ipu.**.GradientAccumulationOptimizer", accumulationOptimizer),
        readName("ipu.**.GradientAccumulationOptimizerV2", accumulationOptimizer),
        readName("ipu.**.CrossReplicaGradientAccumulationOptimizer", accumulationOptimizer),
        readName("ipu.**.CrossReplicaGradientAccumulationOptimizerV2", accumulationOptimizer),
        readName("ipu.**.CrossReplicaOptimizer", crossReplicaOptimizer),
        readName("ipu.**.ShardedOptimizer", shardedOptimizer),
        refusedName("ipu.**.*optimizer*.**", "is an optimizer that is not read",
                    "a function on gradients has no place in a project: use clipnorm or clipvalue of a Keras "
                    "optimizer"),
        readName("ipu.**.Model", olderModel),
        readName("ipu.**.IPUModel", olderModel),
        readName("ipu.**.PipelineModel", olderModel),
        readName("ipu.**.Sequential", olderModel),
        readName("ipu.**.IPUSequential", olderModel),
        readName("ipu.**.PipelineSequential", olderModel),
        readName("ipu.**.SequentialPipelineModel", olderModel),
        hostName("ipu.**.reset_ipu_seed"),
        hostName("ipu.**.get_ipu_config"),
        refusedName("ipu.**.*horovod*.**", "is not read", "a model and its fit() are"),
        refusedName("ipu.**.loops.**", "is not read", "a model and its fit() are"),
        refusedName("ipu.**", "is not read", "a model of Keras layers and its fit() are"),
    };
    std::vector<PythonApiName> configuration = ipuConfigurationNames();
    names.insert(names.begin(), configuration.begin(), configuration.end());
    return names;
}

} // namespace

const PythonApiTable& ipuApi() {
    static const PythonApiTable api{
        {{"tensorflow.python.ipu", "ipu"}, {"tf.python.ipu", "ipu"}},
        {"tensorflow.python.ipu", "tensorflow.python.ipu.scopes.ipu_scope",
         "tensorflow.python.ipu.horovod.ipu_horovod_strategy.IPUHorovodStrategy",
         "tensorflow.python.ipu.ipu_multi_worker_strategy.IPUMultiWorkerStrategy"},
        ipuNames()};
    return api;
}

} // namespace core
