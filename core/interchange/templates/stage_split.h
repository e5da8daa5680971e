#pragma once

#include "core/interchange/templates/model_template.h"
#include "core/plan/stage_assignment.h"

namespace core {

/// Stages of a template's model and the IPU of each; both empty for a model on one IPU.
struct StageSplit {
    StageAssignment assignment;
    DeviceMapping mapping;
    /// IPU of each stage, whether the mapping says so or leaves it to the default.
    std::vector<std::size_t> ipus;

    /// Highest IPU + 1, rounded up to a power of two.
    [[nodiscard]] std::int64_t ipusPerReplica() const;
};

/// Reads split, stages, attention_split, ffn_split, embedding_ipu and head_ipu. Errors: "template/value".
[[nodiscard]] Result<StageSplit> splitStages(const TemplateModel& model, const TemplateArguments& arguments);

} // namespace core
