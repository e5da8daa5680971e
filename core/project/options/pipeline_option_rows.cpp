#include "core/base/file.h"
#include "core/base/file_limit.h"
#include "core/plan/schedule/schedule_catalogue.h"
#include "core/plan/schedule/schedule_cells.h"
#include "core/plan/stage_assignment_json.h"
#include "core/project/options/option_field.h"
#include "core/project/options/option_rows.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace core {

namespace {

using Type = ProjectOptionType;

PythonSpelling argument(std::optional<std::size_t> pipelinePosition = {}) {
    return {.site = PythonSite::Options, .pipelinePosition = pipelinePosition};
}

PythonSpelling memberOf(std::string_view enumeration, std::size_t pipelinePosition,
                        std::string_view keyword = {}) {
    return {.site = PythonSite::Options,
            .keyword = keyword,
            .form = PythonForm::Member,
            .text = enumeration,
            .pipelinePosition = pipelinePosition};
}

std::vector<std::string_view> listOf(std::span<const std::string_view> names) {
    return {names.begin(), names.end()};
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
    options.schedule = tableSchedule().name;
    options.scheduleTable.file = *file;
    const std::filesystem::path path = std::filesystem::path(outer.file()).parent_path() / *file;
    options.scheduleTable.path = path.string();
    auto text = readFile(path, FileLimit::table);
    if (text) {
        options.scheduleTable.text = std::move(*text);
        options.schedule = scheduleOfCells(options.scheduleTable.text).name;
    } else
        reader.refuse("table", text.error().front().code,
                      fmt::format("the table of the schedule, \"{}\", cannot be read: {}", *file,
                                  text.error().front().message),
                      {"the path is relative to the project's folder",
                       "the verb schedule with --cells writes such a table"});
}

/// The name of a schedule, or a table of one's own.
void readScheduleAt(std::string_view key, ObjectReader& reader, const ProjectOption& option,
                    PipelineOptions& options) {
    const Json* value = reader.readValue(key);
    if (value == nullptr)
        return;
    if (value->is_object())
        return readTable(*value, reader, key, options);
    if (auto name = scheduleFromName(value->is_string() ? value->get<std::string>() : std::string()))
        options.schedule = std::move(*name);
    else
        refuseOptionName(reader, option, key, *value);
}

/// The option has two names in the Python API.
void readSchedule(ObjectReader& reader, const ProjectOption& option, Project& project) {
    constexpr std::string_view longName = "pipeline_schedule";
    if (reader.has(longName) && reader.readValue(option.key()) != nullptr &&
        reader.readValue(longName) != nullptr)
        reader.refuse(longName, "project/duplicate-key", "schedule and pipeline_schedule are the same option",
                      {"keep one of the two"});
    readScheduleAt(longName, reader, option, project.pipeline);
    readScheduleAt(option.key(), reader, option, project.pipeline);
}

Json scheduleOf(const Project& project) {
    const PipelineOptions& options = project.pipeline;
    return options.scheduleTable.file.empty() ? Json(options.schedule)
                                              : Json{{"table", options.scheduleTable.file}};
}

constexpr OptionField deviceMappingField{[](ObjectReader& reader, const ProjectOption&, Project& project) {
                                             project.deviceMapping = readDeviceMapping(reader);
                                         },
                                         [](const Project& project) { return toJson(project.deviceMapping); },
                                         copyOption<&Project::deviceMapping>};

constexpr OptionField scheduleField{readSchedule, scheduleOf, [](const Project& from, Project& to) {
                                        to.pipeline.schedule = from.pipeline.schedule;
                                        to.pipeline.scheduleTable = from.pipeline.scheduleTable;
                                    }};

/// Decides on the schedule where a file names none.
constexpr OptionField serializationField{
    countField<&Project::pipeline, &PipelineOptions::batchSerializationIterations>().read,
    countField<&Project::pipeline, &PipelineOptions::batchSerializationIterations>().value};

} // namespace

std::vector<ProjectOption> pipelineOptionRows() {
    return {
        {"pipeline.schedule",
         Type::Choice,
         "Order of the forward and backward steps in the pipeline. Left out with "
         "batch_serialization_iterations: Sequential.",
         "The order of work on every IPU, and with it slots, ramps, FIFOs and memory.",
         "Schedule",
         "schedule",
         scheduleField,
         {.place = 2},
         {.choices = scheduleNames(), .errorCode = "type-error/schedule"},
         memberOf("ipu.ops.pipelining_ops.PipelineSchedule", 10, "pipeline_schedule")},
        {"pipeline.gradient_accumulation_steps_per_replica",
         Type::Integer,
         "Micro-batches per weight update and replica (gradient_accumulation_steps_per_replica).",
         "The micro-batches that run between two weight updates.",
         "Schedule",
         "micro-batches",
         countField<&Project::pipeline, &PipelineOptions::gradientAccumulationSteps>(),
         {.place = 4},
         {.low = 1, .high = mostInt32},
         argument(1),
         PythonSpelling{.site = PythonSite::Options, .keyword = "gradient_accumulation_count"}},
        {"pipeline.recomputation_mode",
         Type::Choice,
         "How activations are recomputed where ipu_config.allow_recompute is on.",
         "Which activations are kept for the backward pass and which are computed again, and when.",
         "Schedule",
         "recomputation_mode",
         enumField<recomputationModeFromName, &Project::pipeline, &PipelineOptions::recomputationMode>(),
         {.place = 3},
         {.choices = listOf(namesOfRecomputationModes()), .errorCode = "type-error/recomputation-mode"},
         memberOf("ipu.ops.pipelining_ops.RecomputationMode", 11)},
        {"pipeline.device_mapping",
         Type::Integers,
         "IPU of every stage, such as 0, 1, 1, 0. Default: stage k on IPU k.",
         "Where each stage runs, and so which of its transfers cross links.",
         "Schedule",
         "device_mapping",
         deviceMappingField,
         {.place = 1},
         {},
         {.site = PythonSite::Options, .place = 1, .pipelinePosition = 9}},
        {"pipeline.batch_serialization_iterations",
         Type::Integer,
         "Iterations into which each micro-batch is cut.",
         "Each micro-batch runs as that many smaller ones, one after the other.",
         "Schedule",
         "batch_serialization",
         serializationField,
         {.place = 9},
         {.low = 1, .high = mostInt32},
         argument(4)},
        {"pipeline.repeat_count",
         Type::Integer,
         "Times the pipeline runs in one execution.",
         "Executions that one call of the program makes.",
         "Schedule",
         "repeat_count",
         countField<&Project::pipeline, &PipelineOptions::repeatCount>(),
         {.place = 8},
         {.low = 1, .high = mostInt32},
         argument(3)},
        {"pipeline.gradient_accumulation_reduction_method",
         Type::Choice,
         "How the gradients of micro-batches are put together.",
         "The numbers that the optimizer sees: sum, mean or running mean.",
         "Gradient accumulation",
         "reduction_method",
         enumField<reductionMethodFromName, &Project::pipeline, &PipelineOptions::reductionMethod>(),
         {.place = 5},
         {.choices = listOf(namesOfReductionMethods()), .errorCode = "value-error/reduction-method"},
         argument()},
        {"pipeline.gradient_accumulation_dtype",
         Type::Choice,
         "Type of the accumulators. Default: that of each variable.",
         "Bytes of the accumulators and the rounding of their sums.",
         "Gradient accumulation",
         "accumulation dtype",
         field<&Project::pipeline, &PipelineOptions::gradientAccumulationType>(),
         {.place = 6},
         {.choices = {"float16", "float32"}},
         {.site = PythonSite::Options, .form = PythonForm::DataType, .pipelinePosition = 2}},
    };
}

} // namespace core
