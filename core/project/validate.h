#pragma once

#include "core/base/result.h"
#include "core/model/graph/model_examiner.h"
#include "core/project/run_figures.h"
#include "core/project/validated_project.h"

#include <optional>
#include <string>

namespace core {

/// What validation found, warnings and notes included, in the order in which the programming system would
/// meet it; and the validated project when none of it is an error.
struct ValidationOutcome {
    Diagnostics findings;
    std::optional<ValidatedProject> project;
};

/// Asks every rule of the rule table (`validation_rules.h`) and collects all findings. `facts` says what is
/// known of the dataset; without it the rules about the number of steps are asked only as far as
/// steps_per_epoch goes. `file` names the project in diagnostics.
[[nodiscard]] ValidationOutcome validateAll(const Project& project, RunMode mode,
                                            const std::optional<DatasetFacts>& facts = {},
                                            const std::string& file = {});

/// The same for a project whose model is the examiner's: what the examiner knows of the model is not worked
/// out again.
[[nodiscard]] ValidationOutcome validateAll(Project&& project, RunMode mode,
                                            const std::optional<DatasetFacts>& facts, const std::string& file,
                                            ModelExaminer& examiner);

/// The same for a caller that needs a project without errors.
[[nodiscard]] Result<ValidatedProject> validate(const Project& project, RunMode mode,
                                                const std::optional<DatasetFacts>& facts = {},
                                                const std::string& file = {});

} // namespace core
