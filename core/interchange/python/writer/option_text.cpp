#include "core/interchange/python/writer/option_text.h"

#include "core/interchange/python/writer/layers/library_classes.h"
#include "core/interchange/python/writer/text/python_text.h"
#include "core/project/options/option_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <optional>

namespace core {

namespace {

/// What a call takes, by the key of the option, and what it says of the rest.
struct OptionCall {
    std::string_view name;
    std::string_view takes;
    /// Options that only a pipeline looks at: without one they are not missed.
    std::string_view idle = {};
};
constexpr std::string_view idleWithoutStages =
    "schedule recomputation_mode device_mapping forward_propagation_stages_poplar_options "
    "backward_propagation_stages_poplar_options weight_update_poplar_options repeat_count";

// Sources: pipelining_ops.pipeline() and optimizers.GradientAccumulationOptimizerV2 of the Python API
// reference, and its table of what moved from the constructors of 2.1. Keras itself sets repeat_count.
constexpr OptionCall pipelining{
    "set_pipelining_options",
    "gradient_accumulation_steps_per_replica gradient_accumulation_reduction_method "
    "gradient_accumulation_dtype batch_serialization_iterations device_mapping schedule recomputation_mode "
    "forward_propagation_stages_poplar_options backward_propagation_stages_poplar_options "
    "weight_update_poplar_options offload_weight_update_variables replicated_optimizer_state_sharding "
    "offload_activations offload_gradient_accumulation_buffers replicated_weight_sharding offload_weights "
    "continuous_weight_updates accumulate_outfeed accumulate_outfeed_dtype",
    "repeat_count"};
constexpr OptionCall accumulation{"set_gradient_accumulation_options",
                                  "gradient_accumulation_steps_per_replica "
                                  "gradient_accumulation_reduction_method gradient_accumulation_dtype "
                                  "offload_weight_update_variables replicated_optimizer_state_sharding",
                                  idleWithoutStages};
constexpr OptionCall olderPipeline{
    "a pipelined model of TensorFlow 2.1",
    "gradient_accumulation_steps_per_replica gradient_accumulation_dtype batch_serialization_iterations "
    "device_mapping schedule recomputation_mode forward_propagation_stages_poplar_options "
    "backward_propagation_stages_poplar_options weight_update_poplar_options "
    "offload_weight_update_variables replicated_optimizer_state_sharding offload_activations "
    "offload_gradient_accumulation_buffers replicated_weight_sharding offload_weights",
    "repeat_count"};
constexpr OptionCall olderModel{"a model of TensorFlow 2.1 without stages",
                                "gradient_accumulation_steps_per_replica gradient_accumulation_dtype",
                                idleWithoutStages};

/// Arguments of PipelineStageOptions.
constexpr std::string_view stageArguments = "convolution_options matmul_options";

std::string stageOptionsText(const Json& entry) {
    if (!entry.is_object())
        return pythonLiteral(entry);
    std::vector<std::string> arguments;
    for (const auto& [name, given] : entry.items())
        arguments.push_back(name + "=" + pythonLiteral(given));
    return fmt::format("ipu.ops.pipelining_ops.PipelineStageOptions({})", fmt::join(arguments, ", "));
}

/// The value of an option as its row says that Python writes it.
std::string valueText(const PythonSpelling& python, const Json& value) {
    switch (python.form) {
    case PythonForm::Literal:
        break;
    case PythonForm::Member:
        return fmt::format("{}.{}", python.text, value.get<std::string>());
    case PythonForm::DataType:
        return fmt::format("tf.{}", value.get<std::string>());
    case PythonForm::StageOptions:
        return stageOptionsText(value);
    case PythonForm::StageOptionsList: {
        std::vector<std::string> list;
        std::ranges::transform(value, std::back_inserter(list), stageOptionsText);
        return fmt::format("[{}]", fmt::join(list, ", "));
    }
    }
    return pythonLiteral(value);
}

/// Options of stages that PipelineStageOptions has no argument for.
std::optional<std::string> unknownStageOption(const Json& value) {
    const Json stages = value.is_array() ? value : Json::array({value});
    for (const Json& stage : stages)
        for (const auto& [name, given] : stage.items())
            if (stage.is_object() && !hasWord(stageArguments, name) && !given.empty())
                return name;
    return std::nullopt;
}

Diagnostic refusal(const ProjectOption& option, std::string message, std::string hint) {
    std::string place = "/" + std::string(option.path);
    std::ranges::replace(place, '.', '/');
    return makeError(Trouble::Input, "python/api", {"", std::move(place)}, std::move(message),
                     {std::move(hint)});
}

} // namespace

const PythonSpelling& spellingOf(const ProjectOption& option, PythonApi api) {
    return api == PythonApi::TensorFlow21 && option.olderPython ? *option.olderPython : option.python;
}

std::vector<const ProjectOption*> optionsOf(const Project& project, PythonSite site, PythonApi api) {
    std::vector<const ProjectOption*> found;
    for (const std::string_view parent : {"pipeline", "training", "training.infeed", "training.outfeed"})
        for (const ProjectOption* option : projectOptionsInFileOrder(parent))
            if (spellingOf(*option, api).site == site && differsFromDefault(project, *option))
                found.push_back(option);
    std::ranges::stable_sort(found, {},
                             [&](const ProjectOption* option) { return spellingOf(*option, api).place; });
    return found;
}

std::vector<std::string> optionArguments(const Project& project, PythonSite site, PythonApi api) {
    std::vector<std::string> arguments;
    for (const ProjectOption* option : optionsOf(project, site, api)) {
        const PythonSpelling& python = spellingOf(*option, api);
        arguments.push_back(fmt::format("{}={}", python.keyword.empty() ? option->key() : python.keyword,
                                        valueText(python, option->field.value(project))));
    }
    return arguments;
}

std::vector<std::string> pipelineArguments(const Project& project, PythonApi api, Diagnostics& problems) {
    const bool isOld = api == PythonApi::TensorFlow21;
    const bool isPipelined = project.assignment.isPipelined();
    const OptionCall& call =
        isPipelined ? (isOld ? olderPipeline : pipelining) : (isOld ? olderModel : accumulation);
    std::vector<std::string> arguments;
    for (const ProjectOption* option : optionsOf(project, PythonSite::Options, api)) {
        const PythonSpelling& python = spellingOf(*option, api);
        const Json value = option->field.value(project);
        // Keras gives the loss to the host in any case, and with it what metrics measure.
        const bool isLossOfKeras = option->key() == "outfeed_loss" && project.training.metrics.empty();
        if (hasWord(call.idle, option->key()) || isLossOfKeras)
            continue;
        if (!hasWord(call.takes, option->key())) {
            const char* const cure =
                option->key() == "outfeed_loss"
                    ? "leave out the metrics, for then Keras gives the host the loss alone, or the option"
                : isOld ? "export for 2.4, or leave the option out"
                        : "leave the option out: only a pipeline of stage functions has it";
            problems.push_back(
                refusal(*option, fmt::format("{} has no option {}", call.name, option->key()), cure));
            continue;
        }
        const bool isOfStages =
            python.form == PythonForm::StageOptions || python.form == PythonForm::StageOptionsList;
        if (const auto unknown = isOfStages ? unknownStageOption(value) : std::nullopt) {
            problems.push_back(refusal(*option, fmt::format("PipelineStageOptions has no {}", *unknown),
                                       fmt::format("leave {} out before exporting", *unknown)));
            continue;
        }
        std::string keyword(python.keyword.empty() ? option->key() : python.keyword);
        if (!isPipelined && !isOld && keyword == "gradient_accumulation_dtype")
            keyword = "dtype"; // the argument of the optimizer that accumulates
        arguments.push_back(fmt::format("{}={}", keyword, valueText(python, value)));
    }
    return arguments;
}

} // namespace core
