#include "core/config/pipeline_options_json.h"

#include "core/base/file.h"
#include "core/base/file_limit.h"
#include "core/base/nearest_name.h"
#include "core/base/whole_number.h"
#include "core/config/ipu_config/poplar_option_table.h"
#include "core/plan/schedule/schedule_catalogue.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <utility>

namespace core {

namespace {

/// Keys of the pipeline operation that Keras refuses, and what to write instead.
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> refusedKeys{{
    {"gradient_accumulation_count", "write gradient_accumulation_steps_per_replica instead"},
    {"num_mini_batches", "write gradient_accumulation_steps_per_replica instead"},
    {"opt", "the optimizer stands in training.optimizer"},
    {"optimizer_function", "Keras sets it; the optimizer stands in training.optimizer"},
    {"computational_stages", "Keras sets it from the stages of the layers"},
    {"inputs", "Keras sets it"},
    {"infeed_queue", "Keras sets it; its options stand in training.infeed"},
    {"outfeed_queue", "Keras sets it; its options stand in training.outfeed"},
    {"gradient_accumulation_normalise_gradients",
     "it was removed; use gradient_accumulation_reduction_method \"mean\""},
}};

/// The switches that also know "as the system decides".
struct SwitchRow {
    std::string_view name;
    OptionalSwitch PipelineOptions::*member;
};
constexpr std::array<SwitchRow, 6> optionalSwitches{{
    {"offload_weight_update_variables", &PipelineOptions::offloadWeightUpdateVariables},
    {"replicated_optimizer_state_sharding", &PipelineOptions::replicatedOptimizerStateSharding},
    {"offload_activations", &PipelineOptions::offloadActivations},
    {"offload_gradient_accumulation_buffers", &PipelineOptions::offloadGradientAccumulationBuffers},
    {"replicated_weight_sharding", &PipelineOptions::replicatedWeightSharding},
    {"offload_weights", &PipelineOptions::offloadWeights},
}};

struct FlagRow {
    std::string_view name;
    bool PipelineOptions::*member;
};
constexpr std::array<FlagRow, 3> flags{{
    {"continuous_weight_updates", &PipelineOptions::continuousWeightUpdates},
    {"outfeed_loss", &PipelineOptions::outfeedLoss},
    {"accumulate_outfeed", &PipelineOptions::accumulateOutfeed},
}};

struct TypeRow {
    std::string_view name;
    std::optional<DataType> PipelineOptions::*member;
};
constexpr std::array<TypeRow, 2> types{{
    {"gradient_accumulation_dtype", &PipelineOptions::gradientAccumulationType},
    {"accumulate_outfeed_dtype", &PipelineOptions::accumulateOutfeedType},
}};

struct StageOptionsRow {
    std::string_view name;
    std::vector<PoplarOptions> PipelineOptions::*member;
};
constexpr std::array<StageOptionsRow, 2> stageOptions{{
    {"forward_propagation_stages_poplar_options", &PipelineOptions::forwardStagesPoplarOptions},
    {"backward_propagation_stages_poplar_options", &PipelineOptions::backwardStagesPoplarOptions},
}};

struct PoplarOptionsRow {
    std::string_view name;
    PoplarFlags PoplarOptions::*member;
    PoplarOperation operation;
};
constexpr std::array<PoplarOptionsRow, 3> poplarOptions{{
    {"convolution_options", &PoplarOptions::convolution, PoplarOperation::Convolution},
    {"matmul_options", &PoplarOptions::matmul, PoplarOperation::MatMul},
    {"slice_options", &PoplarOptions::slice, PoplarOperation::Slice},
}};

constexpr std::array<std::string_view, 3> modeNames{"Auto", "RecomputeThenBackpropagate",
                                                    "RecomputeAndBackpropagateInterleaved"};
constexpr std::array<std::string_view, 3> methodNames{"sum", "mean", "running_mean"};

/// A text that must be a member of an enumeration of the Python API; `code` says which kind of error its
/// absence is.
template <class Enum>
std::optional<Enum> readEnum(ObjectReader& reader, std::string_view key, std::string_view code,
                             std::optional<Enum> (*fromName)(std::string_view),
                             std::span<const std::string_view> names) {
    const Json* value = reader.readValue(key);
    if (value == nullptr)
        return std::nullopt;
    const std::string text = value->is_string() ? value->get<std::string>() : std::string();
    if (const auto found = fromName(text); found && value->is_string())
        return found;
    std::vector<std::string> hints;
    if (const auto near = nearestName(text, std::vector<std::string>(names.begin(), names.end())))
        hints.push_back(fmt::format("did you mean \"{}\"?", *near));
    hints.push_back(fmt::format("allowed: {}", fmt::join(names, ", ")));
    reader.refuse(key, std::string(code),
                  fmt::format("{} cannot be {}", key,
                              value->is_string() ? toText(Json(text.substr(0, 80)), -1)
                                                 : std::string(typeName(*value))),
                  std::move(hints));
    return std::nullopt;
}

std::optional<std::string> scheduleFromName(std::string_view name) {
    const ScheduleDefinition* schedule = findSchedule(name);
    return schedule && !schedule->takesTable ? std::optional(std::string(schedule->name)) : std::nullopt;
}

/// {"table": "slots.csv"}: a schedule of one's own, from the folder of the project.
void readTable(const Json& value, ObjectReader& outer, std::string_view key, PipelineOptions& options) {
    ObjectReader reader(value, outer.file(), outer.pointerTo(key), outer.findings());
    const auto file = reader.readText("table");
    reader.finish();
    if (!file)
        return;
    options.schedule = std::ranges::find(scheduleCatalogue(), true, &ScheduleDefinition::takesTable)->name;
    options.scheduleTable.file = *file;
    auto text = readFile(std::filesystem::path(outer.file()).parent_path() / *file, FileLimit::table);
    if (text)
        options.scheduleTable.text = std::move(*text);
    else
        reader.refuse("table", text.error().front().code,
                      fmt::format("the table of the schedule, \"{}\", cannot be read: {}", *file,
                                  text.error().front().message),
                      {"the path is relative to the project's folder",
                       "the verb schedule with --cells writes such a table"});
}

void readSchedule(ObjectReader& reader, std::string_view key, PipelineOptions& options) {
    if (const Json* value = reader.readValue(key); value != nullptr && value->is_object())
        return readTable(*value, reader, key, options);
    const std::vector<std::string_view> names = scheduleNames();
    if (auto name = readEnum(reader, key, "type-error/schedule", scheduleFromName, names))
        options.schedule = std::move(*name);
}

/// A count whose limits are rules of the programming system.
std::optional<std::int64_t> readCount(ObjectReader& reader, std::string_view key) {
    const auto count = reader.readInteger(key, anyLow, anyHigh);
    if (!count || (*count >= 1 && *count <= int32Limit))
        return count;
    std::string code = "value-error/" + std::string(key);
    std::replace(code.begin(), code.end(), '_', '-');
    reader.refuse(key, std::move(code), fmt::format("{} is {}, allowed are 1 to {}", key, *count, int32Limit),
                  {*count < 1 ? "write at least 1" : "write a smaller number"});
    return std::nullopt;
}

std::optional<DataType> readType(ObjectReader& reader, std::string_view key) {
    const auto text = reader.readText(key);
    if (!text)
        return std::nullopt;
    const auto type = dataTypeFromName(*text);
    if (type && isFloating(*type))
        return type;
    reader.refuse(key, "type-error/data-type", fmt::format("{} cannot be \"{}\"", key, text->substr(0, 80)),
                  {"allowed: float32, float16"});
    return std::nullopt;
}

PoplarOptions readStageOptions(const Json& value, const std::string& file, const std::string& pointer,
                               Diagnostics& findings) {
    PoplarOptions options;
    ObjectReader reader(value, file, pointer, findings);
    for (const PoplarOptionsRow& row : poplarOptions) {
        const Json* object = reader.readObject(row.name);
        if (object == nullptr)
            continue;
        options.*row.member = readPoplarFlags(*object, file, reader.pointerTo(row.name), findings);
        checkPoplarFlags(row.operation, options.*row.member, file, reader.pointerTo(row.name), findings);
    }
    reader.finish();
    return options;
}

std::vector<PoplarOptions> readStageOptionsList(ObjectReader& reader, std::string_view key) {
    std::vector<PoplarOptions> list;
    const Json* value = reader.readValue(key);
    if (value == nullptr)
        return list;
    if (!value->is_array()) {
        reader.refuse(
            key, "type-error/stage-options",
            fmt::format("{} must be a list with one entry per stage, not {}", key, typeName(*value)),
            {R"(write [{"matmul_options": {"availableMemoryProportion": "0.3"}}, {}])"});
        return list;
    }
    for (std::size_t i = 0; i < value->size(); ++i) {
        const Json& item = (*value)[i];
        list.push_back(item.is_null()
                           ? PoplarOptions{}
                           : readStageOptions(item, reader.file(), childPointer(reader.pointerTo(key), i),
                                              reader.findings()));
    }
    return list;
}

std::optional<std::vector<bool>> readMask(ObjectReader& reader) {
    constexpr std::string_view key = "outfeed_mask";
    const Json* list = reader.readList(key);
    if (list == nullptr)
        return std::nullopt;
    std::vector<bool> mask;
    for (const Json& item : *list) {
        if (!item.is_boolean()) {
            reader.refuse(key, "type-error/outfeed-mask",
                          fmt::format("outfeed_mask holds {}, not only true and false", typeName(item)),
                          {"write one true or false per output"});
            return std::nullopt;
        }
        mask.push_back(item.get<bool>());
    }
    return mask;
}

Json toJson(const PoplarOptions& options) {
    Json object = Json::object();
    for (const PoplarOptionsRow& row : poplarOptions) {
        if (!(options.*row.member).empty())
            object[std::string(row.name)] = core::toJson(options.*row.member);
    }
    return object;
}

void refuseKerasKeys(ObjectReader& reader) {
    for (const auto& [key, hint] : refusedKeys) {
        if (reader.readValue(key) != nullptr)
            reader.refuse(key, "value-error/forbidden-key", fmt::format("{} cannot be set here", key),
                          {std::string(hint)});
    }
}

} // namespace

PipelineOptions readPipelineOptions(ObjectReader& reader) {
    PipelineOptions options;
    const bool isLong = reader.has("pipeline_schedule");
    if (isLong && reader.readValue("schedule") != nullptr && reader.readValue("pipeline_schedule") != nullptr)
        reader.refuse("pipeline_schedule", "project/duplicate-key",
                      "schedule and pipeline_schedule are the same option", {"keep one of the two"});
    readSchedule(reader, "pipeline_schedule", options);
    readSchedule(reader, "schedule", options);
    options.recomputationMode = readEnum(reader, "recomputation_mode", "type-error/recomputation-mode",
                                         recomputationModeFromName, modeNames)
                                    .value_or(options.recomputationMode);
    options.reductionMethod = readEnum(reader, "gradient_accumulation_reduction_method",
                                       "value-error/reduction-method", reductionMethodFromName, methodNames)
                                  .value_or(options.reductionMethod);
    options.gradientAccumulationSteps = readCount(reader, "gradient_accumulation_steps_per_replica");
    options.repeatCount = readCount(reader, "repeat_count");
    options.batchSerializationIterations =
        readCount(reader, "batch_serialization_iterations").value_or(options.batchSerializationIterations);
    for (const TypeRow& row : types)
        options.*row.member = readType(reader, row.name);
    for (const StageOptionsRow& row : stageOptions)
        options.*row.member = readStageOptionsList(reader, row.name);
    if (const Json* update = reader.readObject("weight_update_poplar_options"))
        options.weightUpdatePoplarOptions = readStageOptions(
            *update, reader.file(), reader.pointerTo("weight_update_poplar_options"), reader.findings());
    for (const SwitchRow& row : optionalSwitches) {
        if (const auto value = reader.readBool(row.name))
            options.*row.member = value;
    }
    for (const FlagRow& row : flags)
        options.*row.member = reader.readBool(row.name).value_or(false);
    options.outfeedMask = readMask(reader);
    refuseKerasKeys(reader);
    return options;
}

void writePipelineOptions(const PipelineOptions& options, Json& object) {
    const PipelineOptions defaults;
    if (options.schedule != defaults.schedule)
        object["schedule"] = options.scheduleTable.file.empty() ? Json(options.schedule)
                                                                : Json{{"table", options.scheduleTable.file}};
    if (options.recomputationMode != defaults.recomputationMode)
        object["recomputation_mode"] = toString(options.recomputationMode);
    if (options.gradientAccumulationSteps)
        object["gradient_accumulation_steps_per_replica"] = *options.gradientAccumulationSteps;
    if (options.reductionMethod != defaults.reductionMethod)
        object["gradient_accumulation_reduction_method"] = toString(options.reductionMethod);
    for (const TypeRow& row : types) {
        if (options.*row.member)
            object[std::string(row.name)] = toString(*(options.*row.member));
    }
    if (options.repeatCount)
        object["repeat_count"] = *options.repeatCount;
    if (options.batchSerializationIterations != defaults.batchSerializationIterations)
        object["batch_serialization_iterations"] = options.batchSerializationIterations;
    for (const StageOptionsRow& row : stageOptions) {
        for (const PoplarOptions& stage : options.*row.member)
            object[std::string(row.name)].push_back(toJson(stage));
    }
    if (options.weightUpdatePoplarOptions)
        object["weight_update_poplar_options"] = toJson(*options.weightUpdatePoplarOptions);
    for (const SwitchRow& row : optionalSwitches) {
        if (options.*row.member && options.*row.member != defaults.*row.member)
            object[std::string(row.name)] = *(options.*row.member);
    }
    for (const FlagRow& row : flags) {
        if (options.*row.member)
            object[std::string(row.name)] = true;
    }
    if (options.outfeedMask) {
        object["outfeed_mask"] = Json::array();
        for (const bool enabled : *options.outfeedMask)
            object["outfeed_mask"].push_back(enabled);
    }
}

} // namespace core
