#include "core/base/whole_number.h"
#include "core/project/options/option_field.h"
#include "core/project/options/option_rows.h"

#include <algorithm>
#include <fmt/format.h>

namespace core {

namespace {

using Type = ProjectOptionType;

/// Some of the stages; null: all.
template <auto member>
constexpr OptionField someStagesField() {
    return {[](ObjectReader& reader, const ProjectOption& option, Project& project) {
                const Json* list = reader.readList(option.key());
                if (list == nullptr)
                    return;
                std::vector<std::int64_t> stages;
                for (const Json& item : *list) {
                    const auto stage = wholeNumber(item);
                    if (!stage || *stage < 0) {
                        reader.refuse(option.key(), "type-error/stages",
                                      fmt::format("{} holds {}, not only whole numbers from 0", option.key(),
                                                  item.dump()),
                                      {"write stages, for example [0, 2]; null means all of them"});
                        return;
                    }
                    stages.push_back(*stage);
                }
                std::ranges::sort(stages);
                const auto repeats = std::ranges::unique(stages);
                stages.erase(repeats.begin(), repeats.end());
                project.pipeline.*member = std::move(stages);
            },
            [](const Project& project) {
                return project.pipeline.*member ? Json(*(project.pipeline.*member)) : Json();
            },
            copyOption<&Project::pipeline, member>};
}

} // namespace

std::vector<ProjectOption> stageChoiceRows() {
    return {{"pipeline.recompute_stages",
             Type::Json,
             "Stages that recompute where ipu_config.allow_recompute is on, such as [0, 1]; null: all but "
             "the last. "
             "The Python API has no such choice.",
             "The other stages keep their activations and run no recomputation.",
             "Per stage",
             "recompute_stages",
             someStagesField<&PipelineOptions::recomputedStages>(),
             {.place = 23}},
            {"pipeline.offload_stages",
             Type::Json,
             "Stages that keep stashed activations in remote memory where offload_activations is on; null: "
             "all. The "
             "Python API has no such choice.",
             "The stashes of the other stages stay in tile memory.",
             "Per stage",
             "offload_stages",
             someStagesField<&PipelineOptions::offloadedStages>(),
             {.place = 24}}};
}

} // namespace core
