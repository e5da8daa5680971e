#include "simulator/compiler/compile_rules.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace simulator {

namespace {

core::Diagnostic refusal(std::string code, std::string place, std::string message, std::string hint) {
    return {core::Severity::Error,  core::Trouble::Input, std::move(code),
            {"", std::move(place)}, std::move(message),   {std::move(hint)}};
}

bool hasUpdateVariables(const TrainingGraph& graph) {
    return graph.training && std::ranges::any_of(graph.parameters, [](const ParameterSlots& slots) {
               return !slots.optimizerSlots.empty();
           });
}

std::optional<core::Diagnostic> checkRemoteMemory(const StagedGraph& staged, const OffloadOptions& options) {
    struct Wish {
        const char* option;
        bool isOn;
    };
    const bool weights = options.weights ? *options.weights : options.shardedWeights.value_or(false);
    // Activations and accumulators are checked for inference too, update variables only where there are any.
    const std::array wishes{
        Wish{"offload_activations", options.activations.value_or(false)},
        Wish{"offload_gradient_accumulation_buffers", options.accumulators.value_or(false)},
        Wish{"offload_weight_update_variables",
             options.updateVariables.value_or(false) && hasUpdateVariables(staged.graph)},
        Wish{"offload_weights", weights},
    };
    const auto wish = std::ranges::find(wishes, true, &Wish::isOn);
    if (options.remoteMemory || wish == wishes.end())
        return std::nullopt;
    return refusal("failed-precondition/remote-memory", fmt::format("/pipeline/{}", wish->option),
                   fmt::format("{} is on, but the system has no remote memory", wish->option),
                   fmt::format("turn {} off, or use a system with remote memory (system.remote_memory, "
                               "device_connection.enable_remote_buffers)",
                               wish->option));
}

} // namespace

std::optional<core::Diagnostic> checkReplication(std::int64_t ipus, std::int64_t ipusPerReplica) {
    if (ipus % ipusPerReplica == 0)
        return std::nullopt;
    return refusal("internal-error/ipus-not-divisible", "/system/ipus",
                   fmt::format("{} IPUs cannot be divided into replicas of {}", ipus, ipusPerReplica),
                   fmt::format("use a multiple of {} IPUs", ipusPerReplica));
}

std::optional<core::Diagnostic> checkVariables(const StagedGraph& staged, const TensorUses& uses) {
    for (const Tensor& tensor : staged.graph.tensors) {
        if (tensor.role != TensorRole::Parameter && tensor.role != TensorRole::State)
            continue;
        std::set<std::size_t> stages;
        for (const core::OperationId reader : uses.readers(tensor.id))
            if (staged.graph.operation(reader).phase != Phase::WeightUpdate)
                stages.insert(staged.stageOf(reader).index());
        const auto ipuOf = [&](std::size_t stage) { return staged.ipus[stage]; };
        if (stages.size() < 2 || std::ranges::all_of(stages, [&](std::size_t stage) {
                return ipuOf(stage) == ipuOf(*stages.begin());
            }))
            continue;
        return refusal("unimplemented/shared-variable", tensor.name,
                       fmt::format("the variable {} is used by the stages {}, which are on different IPUs",
                                   tensor.name, fmt::join(stages, ", ")),
                       "put these stages on one IPU with device_mapping, or its layer calls on one stage");
    }
    return std::nullopt;
}

std::optional<core::Diagnostic> checkOffloading(const StagedGraph& staged, const OffloadOptions& options) {
    if (auto broken = checkRemoteMemory(staged, options))
        return broken;
    if (options.shardedWeights.value_or(false) && options.weights && !*options.weights)
        return refusal(
            "unimplemented/weight-sharding", "/pipeline/replicated_weight_sharding",
            "replicated_weight_sharding is on while offload_weights is off; only offloaded weights "
            "can be sharded",
            "turn offload_weights on, or leave it unset");
    return std::nullopt;
}

} // namespace simulator
