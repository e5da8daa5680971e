#include "core/config/ipu_config/poplar_option_table.h"
#include "core/project/options/option_field.h"
#include "core/project/options/option_rows.h"

#include <array>
#include <fmt/format.h>
#include <type_traits>

namespace core {

namespace {

using Type = ProjectOptionType;

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

std::optional<std::vector<bool>> readMask(ObjectReader& reader, std::string_view key) {
    const Json* list = reader.readList(key);
    if (list == nullptr)
        return std::nullopt;
    std::vector<bool> mask;
    for (const Json& item : *list) {
        if (!item.is_boolean()) {
            reader.refuse(key, "type-error/outfeed-mask",
                          fmt::format("{} holds {}, not only true and false", key, typeName(item)),
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

constexpr OptionField outfeedMaskField{
    [](ObjectReader& reader, const ProjectOption& option, Project& project) {
        project.pipeline.outfeedMask = readMask(reader, option.key());
    },
    [](const Project& project) -> Json {
        if (!project.pipeline.outfeedMask)
            return nullptr;
        Json mask = Json::array();
        for (const bool enabled : *project.pipeline.outfeedMask)
            mask.push_back(enabled);
        return mask;
    },
    copyOption<&Project::pipeline, &PipelineOptions::outfeedMask>};

template <auto member>
constexpr OptionField stagesField() {
    return {[](ObjectReader& reader, const ProjectOption& option, Project& project) {
                project.pipeline.*member = readStageOptionsList(reader, option.key());
            },
            [](const Project& project) {
                Json list;
                for (const PoplarOptions& stage : project.pipeline.*member)
                    list.push_back(toJson(stage));
                return list;
            },
            copyOption<&Project::pipeline, member>};
}

constexpr OptionField weightUpdateField{
    [](ObjectReader& reader, const ProjectOption& option, Project& project) {
        if (const Json* update = reader.readObject(option.key()))
            project.pipeline.weightUpdatePoplarOptions =
                readStageOptions(*update, reader.file(), reader.pointerTo(option.key()), reader.findings());
    },
    [](const Project& project) {
        const auto& options = project.pipeline.weightUpdatePoplarOptions;
        return options ? toJson(*options) : Json();
    },
    copyOption<&Project::pipeline, &PipelineOptions::weightUpdatePoplarOptions>};

/// A switch of the pipeline under `section`. `place`: in the file; `position`: among the arguments of
/// pipeline().
template <auto member>
ProjectOption pipelineSwitch(std::string_view section, std::string_view path, int place, std::size_t position,
                             std::string_view documentation, std::string_view effect,
                             std::string_view label) {
    constexpr bool isOptional =
        std::is_same_v<std::remove_const_t<decltype(member)>, OptionalSwitch PipelineOptions::*>;
    return {path,
            isOptional ? Type::OptionalSwitch : Type::Switch,
            documentation,
            effect,
            section,
            label,
            field<&Project::pipeline, member>(),
            {.place = place},
            {},
            {.site = PythonSite::Options, .pipelinePosition = position}};
}

ProjectOption poplarOptionsOf(std::string_view path, int place, std::size_t position,
                              std::string_view documentation, std::string_view label, OptionField field,
                              PythonForm form) {
    return {
        path,
        Type::Json,
        documentation,
        "How products, convolutions and lookups of that part are planned: memory bounds and partial types.",
        "Poplar options",
        label,
        field,
        {.place = place},
        {},
        {.site = PythonSite::Options, .form = form, .pipelinePosition = position}};
}

std::vector<ProjectOption> offloadingRows() {
    using Options = PipelineOptions;
    return {
        pipelineSwitch<&Options::offloadActivations>(
            "Offloading", "pipeline.offload_activations", 15, 17,
            "Keep stashed activations in remote memory.",
            "Stashes leave tile memory and travel to and from remote buffers.", "activations"),
        pipelineSwitch<&Options::offloadGradientAccumulationBuffers>(
            "Offloading", "pipeline.offload_gradient_accumulation_buffers", 16, 18,
            "Keep gradient accumulation buffers in remote memory.",
            "Accumulators leave tile memory and travel once per micro-batch.", "accumulators"),
        pipelineSwitch<&Options::offloadWeightUpdateVariables>(
            "Offloading", "pipeline.offload_weight_update_variables", 13, 15,
            "Keep variables that only the weight update needs in remote memory.",
            "Optimizer state leaves tile memory and travels once per weight update.", "optimizer state"),
        pipelineSwitch<&Options::offloadWeights>(
            "Offloading", "pipeline.offload_weights", 18, 20, "Keep weights in remote memory.",
            "Weights leave tile memory and travel whenever a stage needs them.", "weights"),
        pipelineSwitch<&Options::replicatedOptimizerStateSharding>(
            "Offloading", "pipeline.replicated_optimizer_state_sharding", 14, 16,
            "Each replica keeps a part of the offloaded optimizer state.",
            "Replicas hold and move a part each, and gather it for the update.", "shard optimizer state"),
        pipelineSwitch<&Options::replicatedWeightSharding>(
            "Offloading", "pipeline.replicated_weight_sharding", 17, 19,
            "Each replica keeps a part of the offloaded weights.",
            "Replicas hold and move a part each, and gather it before use.", "shard weights"),
    };
}

std::vector<ProjectOption> outfeedRows() {
    using Options = PipelineOptions;
    return {
        pipelineSwitch<&Options::continuousWeightUpdates>(
            "Outfeed", "pipeline.continuous_weight_updates", 19, 21,
            "Apply gradients after every micro-batch.",
            "Refused as the programming system refuses it where it cannot be.", "continuous updates"),
        pipelineSwitch<&Options::outfeedLoss>(
            "Outfeed", "pipeline.outfeed_loss", 20, 22,
            "The loss goes to the outfeed instead of the last stage's outputs.",
            "What travels to the host after each micro-batch.", "outfeed_loss"),
        pipelineSwitch<&Options::accumulateOutfeed>(
            "Outfeed", "pipeline.accumulate_outfeed", 21, 23,
            "Outfeed once per weight update instead of once per micro-batch.",
            "How often results travel to the host.", "accumulate_outfeed"),
        {"pipeline.accumulate_outfeed_dtype",
         Type::Choice,
         "Type of the accumulated outfeed.",
         "Bytes of the results that travel to the host.",
         "Outfeed",
         "outfeed dtype",
         field<&Project::pipeline, &Options::accumulateOutfeedType>(),
         {.place = 7},
         {.choices = {"float16", "float32"}},
         {.site = PythonSite::Options, .form = PythonForm::DataType, .pipelinePosition = 24}},
        {"pipeline.outfeed_mask",
         Type::Json,
         "Which outputs are left out, such as [false, true].",
         "Which outputs travel to the host.",
         "Outfeed",
         "outfeed_mask",
         outfeedMaskField,
         {.place = 22},
         {},
         {.site = PythonSite::Options, .pipelinePosition = 25}},
    };
}

} // namespace

std::vector<ProjectOption> memoryOptionRows() {
    std::vector<ProjectOption> rows = offloadingRows();
    for (ProjectOption& row : outfeedRows())
        rows.push_back(std::move(row));
    for (ProjectOption& row : std::vector<ProjectOption>{
             poplarOptionsOf("pipeline.forward_propagation_stages_poplar_options", 10, 12,
                             "Poplar options of the forward pass, one entry per stage.", "forward",
                             stagesField<&PipelineOptions::forwardStagesPoplarOptions>(),
                             PythonForm::StageOptionsList),
             poplarOptionsOf("pipeline.backward_propagation_stages_poplar_options", 11, 13,
                             "Poplar options of the backward pass, one entry per stage.", "backward",
                             stagesField<&PipelineOptions::backwardStagesPoplarOptions>(),
                             PythonForm::StageOptionsList),
             poplarOptionsOf("pipeline.weight_update_poplar_options", 12, 14,
                             "Poplar options of the weight update.", "weight update", weightUpdateField,
                             PythonForm::StageOptions)})
        rows.push_back(std::move(row));
    return rows;
}

} // namespace core
