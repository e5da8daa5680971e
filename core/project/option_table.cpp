#include "core/project/option_table.h"

#include "core/plan/schedule/schedule_catalogue.h"

#include <algorithm>

namespace core {

namespace {

using Type = ProjectOptionType;

constexpr double mostInt32 = std::numeric_limits<std::int32_t>::max();
constexpr double mostIpus = 65536;

const std::vector<std::string_view> floatTypes{"float16", "float32"};

std::vector<ProjectOption> pipelineOptions() {
    return {
        {"pipeline.schedule", Type::Choice, "\"Grouped\"",
         "Order of the forward and backward steps in the pipeline.",
         "The order of work on every IPU, and with it slots, ramps, FIFOs and memory.", "Schedule",
         "schedule", scheduleNames()},
        {"pipeline.gradient_accumulation_steps_per_replica",
         Type::Integer,
         "null",
         "Micro-batches per weight update and replica (gradient_accumulation_steps_per_replica).",
         "The micro-batches that run between two weight updates.",
         "Schedule",
         "micro-batches",
         {},
         1,
         mostInt32},
        {"pipeline.recomputation_mode",
         Type::Choice,
         "\"Auto\"",
         "How activations are recomputed where ipu_config.allow_recompute is on.",
         "Which activations are kept for the backward pass and which are computed again, and when.",
         "Schedule",
         "recomputation_mode",
         {"Auto", "RecomputeThenBackpropagate", "RecomputeAndBackpropagateInterleaved"}},
        {"pipeline.device_mapping", Type::Integers, "null",
         "IPU of every stage, such as 0, 1, 1, 0. Default: stage k on IPU k.",
         "Where each stage runs, and so which of its transfers cross links.", "Schedule", "device_mapping"},
        {"pipeline.batch_serialization_iterations",
         Type::Integer,
         "1",
         "Iterations into which each micro-batch is cut.",
         "Each micro-batch runs as that many smaller ones, one after the other.",
         "Schedule",
         "batch_serialization",
         {},
         1,
         mostInt32},
        {"pipeline.repeat_count",
         Type::Integer,
         "null",
         "Times the pipeline runs in one execution.",
         "Executions that one call of the program makes.",
         "Schedule",
         "repeat_count",
         {},
         1,
         mostInt32},
        {"pipeline.gradient_accumulation_reduction_method",
         Type::Choice,
         "\"sum\"",
         "How the gradients of micro-batches are put together.",
         "The numbers that the optimizer sees: sum, mean or running mean.",
         "Gradient accumulation",
         "reduction_method",
         {"sum", "mean", "running_mean"}},
        {"pipeline.gradient_accumulation_dtype", Type::Choice, "null",
         "Type of the accumulators. Default: that of each variable.",
         "Bytes of the accumulators and the rounding of their sums.", "Gradient accumulation",
         "accumulation dtype", floatTypes},
    };
}

ProjectOption offloading(std::string_view path, std::string_view defaultText, std::string_view documentation,
                         std::string_view effect, std::string_view label) {
    return {path, Type::OptionalSwitch, defaultText, documentation, effect, "Offloading", label};
}

ProjectOption outfeed(std::string_view path, std::string_view documentation, std::string_view effect,
                      std::string_view label) {
    return {path, Type::Switch, "false", documentation, effect, "Outfeed", label};
}

ProjectOption stagePoplarOptions(std::string_view path, std::string_view documentation,
                                 std::string_view label) {
    return {
        path,
        Type::Json,
        "null",
        documentation,
        "How products, convolutions and lookups of that part are planned: memory bounds and partial types.",
        "Poplar options",
        label};
}

std::vector<ProjectOption> memoryOptions() {
    return {
        offloading("pipeline.offload_activations", "null", "Keep stashed activations in remote memory.",
                   "Stashes leave tile memory and travel to and from remote buffers.", "activations"),
        offloading("pipeline.offload_gradient_accumulation_buffers", "null",
                   "Keep gradient accumulation buffers in remote memory.",
                   "Accumulators leave tile memory and travel once per micro-batch.", "accumulators"),
        offloading("pipeline.offload_weight_update_variables", "null",
                   "Keep variables that only the weight update needs in remote memory.",
                   "Optimizer state leaves tile memory and travels once per weight update.",
                   "optimizer state"),
        offloading("pipeline.offload_weights", "null", "Keep weights in remote memory.",
                   "Weights leave tile memory and travel whenever a stage needs them.", "weights"),
        offloading("pipeline.replicated_optimizer_state_sharding", "false",
                   "Each replica keeps a part of the offloaded optimizer state.",
                   "Replicas hold and move a part each, and gather it for the update.",
                   "shard optimizer state"),
        offloading("pipeline.replicated_weight_sharding", "null",
                   "Each replica keeps a part of the offloaded weights.",
                   "Replicas hold and move a part each, and gather it before use.", "shard weights"),
        outfeed("pipeline.continuous_weight_updates", "Apply gradients after every micro-batch.",
                "Refused as the programming system refuses it where it cannot be.", "continuous updates"),
        outfeed("pipeline.outfeed_loss", "The loss goes to the outfeed instead of the last stage's outputs.",
                "What travels to the host after each micro-batch.", "outfeed_loss"),
        outfeed("pipeline.accumulate_outfeed",
                "Outfeed once per weight update instead of once per micro-batch.",
                "How often results travel to the host.", "accumulate_outfeed"),
        {"pipeline.accumulate_outfeed_dtype", Type::Choice, "null", "Type of the accumulated outfeed.",
         "Bytes of the results that travel to the host.", "Outfeed", "outfeed dtype", floatTypes},
        {"pipeline.outfeed_mask", Type::Json, "null", "Which outputs are left out, such as [false, true].",
         "Which outputs travel to the host.", "Outfeed", "outfeed_mask"},
        stagePoplarOptions("pipeline.forward_propagation_stages_poplar_options",
                           "Poplar options of the forward pass, one entry per stage.", "forward"),
        stagePoplarOptions("pipeline.backward_propagation_stages_poplar_options",
                           "Poplar options of the backward pass, one entry per stage.", "backward"),
        stagePoplarOptions("pipeline.weight_update_poplar_options", "Poplar options of the weight update.",
                           "weight update"),
    };
}

ProjectOption fitCount(std::string_view path, std::string_view defaultText, std::string_view documentation,
                       std::string_view effect, std::string_view label) {
    return {path, Type::Integer, defaultText, documentation, effect, "Fit", label, {}, 1, mostInt32};
}

std::vector<ProjectOption> trainingOptions() {
    return {
        fitCount("training.batch_size", "32", "Samples of one micro-batch on one replica.",
                 "Extents of every tensor that has the batch axis.", "batch_size"),
        fitCount("training.steps_per_execution", "1",
                 "Batches per call of the program; with a pipeline a multiple of the micro-batches.",
                 "Micro-batches between two meetings with the host program.", "steps_per_execution"),
        fitCount("training.steps_per_epoch", "null", "Batches per epoch. Default: the whole dataset.",
                 "Length of an epoch.", "steps_per_epoch"),
        fitCount("training.epochs", "1", "Passes over the dataset.", "Length of the run.", "epochs"),
        {"training.precision",
         Type::Choice,
         "\"float32\"",
         "Element types of variables and computation.",
         "Types, bytes and rounding of tensors; the vertices that compute them.",
         "Fit",
         "precision",
         {"float32", "float16", "mixed_float16"}},
        {"training.seed",
         Type::Integer,
         "0",
         "Same project and seed: same results, bit for bit.",
         "Initial weights, order of samples, dropout and random numbers.",
         "Fit",
         "seed",
         {},
         0},
        {"training.validation_split",
         Type::Number,
         "0",
         "Share of the dataset, taken from its end, for validation.",
         "Samples that every epoch is measured on instead of trained with.",
         "Fit",
         "validation_split",
         {},
         0,
         1},
        {"training.asynchronous_callbacks", Type::Switch, "false",
         "Call callbacks as soon as each batch's results are there.",
         "When callbacks run on the lane of the host program.", "Fit", "asynchronous_callbacks"},
        {"training.weights", Type::Text, "null", "File of initial weights.",
         "Weights are read from it instead of drawn.", "Fit", "weights"},
        {"training.infeed.prefetch_depth",
         Type::Integer,
         "3",
         "Batches that the host prepares ahead, 1 to 255.",
         "How far the host runs ahead of the device.",
         "Host queues",
         "infeed prefetch_depth",
         {},
         0,
         255},
        {"training.infeed.feed_name", Type::Text, "null", "Name of the infeed queue.",
         "A name for people; nothing is computed from it.", "Host queues", "infeed feed_name"},
        {"training.outfeed.buffer_depth",
         Type::Integer,
         "3",
         "Results that wait for the host before the IPU does.",
         "How far the device runs ahead of the host.",
         "Host queues",
         "outfeed buffer_depth",
         {},
         1,
         mostInt32},
        {"training.outfeed.feed_name", Type::Text, "null", "Name of the outfeed queue.",
         "A name for people; nothing is computed from it.", "Host queues", "outfeed feed_name"},
        {"training.synthetic_data", Type::Json, "[]",
         "What a run neither takes from nor gives to the host: a list of infeed, outfeed, parameters, seed "
         "and hostembedding, or true for all of them.",
         "Those transfers take no time, and numbers are made up on the device.", "Host queues",
         "synthetic_data"},
    };
}

std::vector<ProjectOption> systemOptions() {
    return {
        {"system.ipus",
         Type::Integer,
         "1",
         "IPUs of all replicas together.",
         "Chips of the simulated machine, and how many replicas fit.",
         "System",
         "ipus",
         {},
         1,
         mostIpus},
        {"system.target",
         Type::OpenChoice,
         "\"ipu2\"",
         "Generation of the IPU, or the path of a target file.",
         "Tiles, memory, clock and links: every figure of the cost model.",
         "System",
         "target",
         {"ipu1", "ipu2", "bow"}},
        {"replicas",
         Type::Integer,
         "null",
         "Copies of the whole pipeline that share the data. Default: as many as the system holds.",
         "Replicas, their all-reduce, and the samples of an update.",
         "System",
         "replicas",
         {},
         1,
         mostIpus},
        {"system.remote_memory", Type::Switch, "true",
         "The system has memory beside its IPUs, which offloading needs.",
         "Offloading is refused where it is off.", "System", "remote_memory"},
        {"system.machines",
         Type::Integer,
         "null",
         "Host machines. Default: as many as the IPUs need.",
         "Which collectives cross the network between hosts.",
         "System",
         "machines",
         {},
         1,
         mostIpus},
    };
}

} // namespace

std::span<const ProjectOption> projectOptions() {
    static const std::vector<ProjectOption> rows = [] {
        std::vector<ProjectOption> all;
        for (auto* part : {pipelineOptions, memoryOptions, trainingOptions, systemOptions}) {
            const std::vector<ProjectOption> more = part();
            all.insert(all.end(), more.begin(), more.end());
        }
        return all;
    }();
    return rows;
}

const ProjectOption* findProjectOption(std::string_view path) {
    const auto rows = projectOptions();
    const auto found = std::ranges::find(rows, path, &ProjectOption::path);
    return found == rows.end() ? nullptr : &*found;
}

std::vector<std::string_view> projectOptionSections() {
    std::vector<std::string_view> sections;
    for (const ProjectOption& option : projectOptions()) {
        if (std::ranges::find(sections, option.section) == sections.end())
            sections.push_back(option.section);
    }
    return sections;
}

} // namespace core
