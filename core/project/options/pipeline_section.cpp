#include "core/plan/schedule/schedule_catalogue.h"
#include "core/project/options/option_sections.h"
#include "core/project/options/section_walk.h"

#include <array>
#include <fmt/format.h>
#include <utility>

namespace core {

namespace {

/// Keys of the pipeline operation that Keras refuses, and what to write instead.
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> refusedKeys{{
    {"gradient_accumulation_count", "write gradient_accumulation_steps_per_replica instead"},
    {"num_mini_batches", "write gradient_accumulation_steps_per_replica instead"},
    {"opt", "the optimizer is set in training.optimizer"},
    {"optimizer_function", "Keras sets it; the optimizer is set in training.optimizer"},
    {"computational_stages", "Keras sets it from the stages of the layers"},
    {"inputs", "Keras sets it"},
    {"infeed_queue", "Keras sets it; its options are in training.infeed"},
    {"outfeed_queue", "Keras sets it; its options are in training.outfeed"},
    {"gradient_accumulation_normalise_gradients",
     "it was removed; use gradient_accumulation_reduction_method \"mean\""},
}};

void refuseKerasKeys(ObjectReader& reader) {
    for (const auto& [key, hint] : refusedKeys) {
        if (reader.readValue(key) != nullptr)
            reader.refuse(key, "value-error/forbidden-key", fmt::format("{} cannot be set here", key),
                          {std::string(hint)});
    }
}

} // namespace

void readPipelineOptions(ObjectReader& reader, Project& project) {
    readSection("pipeline", reader, project);
    // The pipeline operation runs serialised batches one after the other where nothing else is said.
    const bool saysSchedule =
        reader.readValue("schedule") != nullptr || reader.readValue("pipeline_schedule") != nullptr;
    if (!saysSchedule && project.pipeline.batchSerializationIterations > 1)
        project.pipeline.schedule = serialSchedule().name;
    refuseKerasKeys(reader);
}

void writePipelineOptions(const Project& project, Json& object) {
    writeSection("pipeline", project, object);
    // Left out, it would be read as Sequential.
    if (project.pipeline.batchSerializationIterations > 1 && !object.contains("schedule"))
        object["schedule"] = project.pipeline.schedule;
}

} // namespace core
