// What the names of the IPU extensions take. One row per name.
#include "core/interchange/python/apis/call_signatures.h"

#include "core/model/graph/layer_catalogue.h"
#include "core/text/nearest_name.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace core {

namespace {

/// Where it hands further arguments on by name, the arguments of what takes them.
constexpr std::string_view nothing;
constexpr std::string_view ofLayers = "name dtype trainable dynamic input_shape batch_input_shape batch_size "
                                      "input_dim weights activity_regularizer autocast";
constexpr std::string_view ofRunConfig =
    "model_dir tf_random_seed save_summary_steps save_checkpoints_steps save_checkpoints_secs session_config "
    "keep_checkpoint_max keep_checkpoint_every_n_hours log_step_count_steps train_distribute device_fn "
    "protocol "
    "eval_distribute experimental_distribute experimental_max_worker_delay_secs "
    "session_creation_timeout_secs "
    "checkpoint_save_graph_def";
constexpr std::string_view ofPipelines =
    "gradient_accumulation_dtype repeat_count batch_serialization_iterations inputs infeed_queue "
    "outfeed_queue "
    "pipeline_schedule recomputation_mode forward_propagation_stages_poplar_options "
    "backward_propagation_stages_poplar_options weight_update_poplar_options offload_weight_update_variables "
    "replicated_optimizer_state_sharding offload_activations offload_gradient_accumulation_buffers "
    "replicated_weight_sharding offload_weights continuous_weight_updates outfeed_loss accumulate_outfeed "
    "accumulate_outfeed_dtype outfeed_mask name";
/// The arguments of names that take the same.
constexpr std::string_view ofGruLayers =
    "units activation recurrent_activation use_bias kernel_initializer recurrent_initializer "
    "bias_initializer kernel_regularizer recurrent_regularizer bias_regularizer activity_regularizer "
    "kernel_constraint recurrent_constraint bias_constraint dropout dropout_seed recurrent_dropout "
    "implementation return_sequences return_state go_backwards stateful unroll reset_after seed "
    "partials_dtype time_major";
constexpr std::string_view ofLstmLayers =
    "units activation recurrent_activation use_bias kernel_initializer recurrent_initializer "
    "bias_initializer unit_forget_bias kernel_regularizer recurrent_regularizer bias_regularizer "
    "activity_regularizer kernel_constraint recurrent_constraint bias_constraint dropout dropout_seed "
    "recurrent_dropout implementation return_sequences return_state go_backwards stateful unroll "
    "partials_dtype seed time_major";
constexpr std::string_view ofGruOperations =
    "num_units dtype partials_dtype seed weights_initializer bias_initializer activation "
    "recurrent_activation name reset_after";
constexpr std::string_view ofAccumulation =
    "opt num_mini_batches offload_weight_update_variables replicated_optimizer_state_sharding dtype name";

struct Signature {
    /// With its module where another one has the same.
    std::string_view name;
    /// In their order.
    std::string_view arguments;
    std::string_view further;
};

constexpr Signature signatures[]{
    {"IPUConfig", "", nothing},
    {"config.configure_ipu_system", "config device reset_configuration", nothing},
    {"utils.configure_ipu_system", "config device reset_configuration", nothing},
    {"get_ipu_config", "session", nothing},
    {"reset_ipu_configuration", "", nothing},
    {"PipelineStage", "stage", nothing},
    {"BufferDataset", "input_dataset buffer_size", nothing},
    {"CrossReplicaGradientAccumulationOptimizer", "opt num_mini_batches verify_usage name", nothing},
    {"CrossReplicaGradientAccumulationOptimizerV2", ofAccumulation, nothing},
    {"CrossReplicaOptimizer", "opt name", nothing},
    {"Dropout", "rate noise_shape seed", ofLayers},
    {"Embedding", "input_dim output_dim embeddings_initializer", ofLayers},
    {"GRU", ofGruLayers, ofLayers},
    {"GradientAccumulationOptimizer", "opt num_mini_batches verify_usage name", nothing},
    {"GradientAccumulationOptimizerV2", ofAccumulation, nothing},
    {"GroupNormalization",
     "dtype groups channels_axis center scale epsilon beta_initializer gamma_initializer "
     "strided_channel_grouping trainable name",
     nothing},
    {"embedding_ops.HostEmbedding", "name embedding_tensor partition_strategy optimizer_spec", nothing},
    {"HostEmbeddingOptimizerSpec", "learning_rate optimizer_name", nothing},
    {"HostEmbeddingSGDGAOptimizerSpec", "learning_rate accumulation_factor", nothing},
    {"IPUEstimator",
     "model_fn model_dir config params warm_start_from train_batch_size eval_batch_size predict_batch_size",
     nothing},
    {"IPUEstimatorSpec",
     "mode predictions loss train_op eval_metric_ops eval_metrics host_call training_hooks evaluation_hooks "
     "prediction_hooks",
     nothing},
    {"IPUHorovodStrategy", "ipu_device variables_on_host", nothing},
    {"IPULoggingTensorHook",
     "every_n_iter every_n_secs at_end formatter logging_mode feed_name replication_factor", nothing},
    {"IPUMultiReplicaStrategy", "ipu_device add_ipu_cross_replica_reductions", nothing},
    {"IPUMultiWorkerStrategy", "cluster_resolver ipu_device variables_on_host", nothing},
    {"IPUPipelineEstimator", "model_fn model_dir config params warm_start_from", nothing},
    {"IPUPipelineEstimatorSpec",
     "mode computational_stages gradient_accumulation_count eval_metrics_fn optimizer_function "
     "device_mapping loss_accumulator_dtype",
     ofPipelines},
    {"IPURunConfig",
     "iterations_per_loop ipu_options compile_summary num_replicas num_shards ordinal prefetch_depth",
     nothing},
    {"InstanceNormalization",
     "dtype channels_axis center scale epsilon beta_initializer gamma_initializer trainable name", nothing},
    {"IpuOptimizer", "opt name", nothing},
    {"LSTM", ofLstmLayers, ofLayers},
    {"LayerNormalization",
     "dtype axis epsilon center scale beta_initializer gamma_initializer trainable name", ofLayers},
    {"MapGradientOptimizer", "wrapped_optimizer gradient_mapping_function name", nothing},
    {"OptimizerFunctionOutput",
     "opt loss compute_gradients_args compute_gradients_kwargs apply_gradients_args apply_gradients_kwargs",
     nothing},
    {"PopnnAUGRU", ofGruOperations, nothing},
    {"PopnnDynamicGRU", ofGruOperations, nothing},
    {"layers.PopnnGRU", ofGruLayers, ofLayers},
    {"rnn_ops.PopnnGRU", ofGruOperations, nothing},
    {"layers.PopnnLSTM", ofLstmLayers, ofLayers},
    {"rnn_ops.PopnnLSTM",
     "num_units dtype partials_dtype seed weights_initializer bias_initializer activation "
     "recurrent_activation name",
     nothing},
    {"RecomputationCheckpoint", "", ofLayers},
    {"RunConfig", "ipu_run_config master", ofRunConfig},
    {"ShardedOptimizer", "optimizer", nothing},
    {"allgather", "tensor name", nothing},
    {"allreduce", "tensor op", nothing},
    {"assume_equal_across_replicas", "tensors inplace", nothing},
    {"broadcast", "tensor root_rank name", nothing},
    {"cpu_user_operation",
     "inputs library_path outs name op_name separate_gradients inputs_with_gradients attributes "
     "gradient_attributes",
     nothing},
    {"create_host_embedding", "name shape dtype partition_strategy optimizer_spec initializer", nothing},
    {"dataset_benchmark", "dataset number_of_epochs elements_per_epochs print_stats apply_options do_memcpy",
     nothing},
    {"dependencies", "roots", nothing},
    {"embedding_lookup", "params ids name serialization_factor", nothing},
    {"export_dataset_to_file", "dataset_or_infeed output_filename num_elements feed_name apply_options",
     nothing},
    {"export_inputs_to_file", "inputs output_filename feed_dict", nothing},
    {"extract_all_events", "events", nothing},
    {"extract_all_strings_from_event_trace", "events", nothing},
    {"extract_all_types_from_event_trace", "events", nothing},
    {"extract_compile_reports", "events", nothing},
    {"extract_execute_reports", "events", nothing},
    {"extract_poplar_serialized_graphs", "events", nothing},
    {"frontend_attribute", "attribute_name attribute_value restore_to", nothing},
    {"get_num_of_ipus_in_device", "ipu_device device", nothing},
    {"get_shard_from_colocation", "op", nothing},
    {"has_attr", "o attr_name", nothing},
    {"infeed_benchmark", "infeed_queue number_of_epochs elements_per_epochs print_stats do_memcpy", nothing},
    {"ipu_compile_summary", "name op_list collections", nothing},
    {"ipu_jit_scope", "ipu_scope", nothing},
    {"ipu_scope", "device", nothing},
    {"ipu_shard", "index", nothing},
    {"move_variable_initialization_to_cpu", "graph", nothing},
    {"multi_conv", "func options", nothing},
    {"outlined_function", "func unique_sharding keep_input_layouts name", nothing},
    {"outside_compilation_scope", "name", nothing},
    {"partials_type", "override_type", nothing},
    {"precompiled_user_op",
     "inputs library_path gp_path outs name op_name separate_gradients inputs_with_gradients attributes "
     "gradient_attributes",
     nothing},
    {"print_tensor", "input name", nothing},
    {"propagate_sharding", "g", nothing},
    {"recomputation_checkpoint", "tensors name", nothing},
    {"repeat", "n body inputs infeed_queue use_while_v1", nothing},
    {"replication_index", "name", nothing},
    {"reset_ipu_seed", "seed device cpu_device experimental_identical_replicas", nothing},
    {"running_on_ipu_model", "", nothing},
    {"stochastic_rounding", "override", nothing},
    {"tensor_summary", "name tensor summary_description collections summary_metadata family display_name",
     nothing},
    {"use_synthetic_data_for", "synthetic_data_category", nothing},
    {"while_loop", "condition body inputs infeed_queue maximum_iterations use_while_v1", nothing},
};

std::vector<std::string> namesIn(std::string_view text) {
    std::vector<std::string> names;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        names.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return names;
}

[[noreturn]] void raiseTypeError(const PythonApiCall& call, std::string message, std::string cure) {
    call.interpreter.messages().raise(call.place(), {"TypeError", "Exception"}, "python/value",
                                      std::move(message), {std::move(cure)});
}

} // namespace

void checkSignature(const PythonApiCall& call) {
    if (!call.path.starts_with("ipu."))
        return;
    const std::string name = call.name();
    const auto* const row = std::ranges::find_if(signatures, [&](const Signature& known) {
        return call.path.ends_with("." + std::string(known.name));
    });
    if (row == std::end(signatures))
        return;
    std::vector<std::string> known = namesIn(row->arguments);
    if (call.arguments.list.size() > known.size())
        raiseTypeError(call,
                       fmt::format("{}() takes {} arguments and gets {}", name, known.size(),
                                   call.arguments.list.size()),
                       "remove the last ones");
    const std::vector<std::string> further = namesIn(row->further);
    known.insert(known.end(), further.begin(), further.end());
    if (row->further == ofLayers)
        if (const LayerDefinition* layer = findLayerDefinition(name))
            for (const AttributeDefinition& attribute : layer->attributes)
                known.push_back(attribute.name);
    for (const auto& [argument, value] : call.arguments.keywords) {
        if (std::ranges::find(known, argument) != known.end())
            continue;
        const auto meant = nearestName(argument, known);
        raiseTypeError(call, fmt::format("{}() has no argument \"{}\"", name, quotedName(argument)),
                       meant ? fmt::format("write {}=…", *meant) : "leave it out");
    }
}

} // namespace core
