#include "core/project/validation_rules.h"

#include <algorithm>

namespace core {

void RuleContext::refuse(std::string code, std::string place, std::string message, std::string hint) const {
    findings.push_back(makeError(Trouble::Input, std::move(code), {file, std::move(place)},
                                 std::move(message), {std::move(hint)}));
}

void RuleContext::warn(std::string code, std::string place, std::string message, std::string hint) const {
    refuse(std::move(code), std::move(place), std::move(message), std::move(hint));
    findings.back().severity = Severity::Warning;
}

void RuleContext::add(Diagnostic finding) const {
    // What is wrong inside another file names that one.
    if (finding.location.file.empty())
        finding.location.file = file;
    findings.push_back(std::move(finding));
}

bool RuleContext::isAligned() const {
    return figures.isPipelined && flattened != nullptr && assignableCalls == project.assignment.stages.size();
}

bool RuleContext::hasUsableStages() const {
    return isAligned() &&
           std::ranges::all_of(project.assignment.stages, [](StageId stage) { return stage.isValid(); });
}

std::vector<std::size_t> RuleContext::emptyStages() const {
    std::vector<bool> isUsed(figures.stages, false);
    isUsed.front() = true;
    for (const StageId stage : project.assignment.stages)
        isUsed[stage.index()] = true;
    std::vector<std::size_t> empty;
    for (std::size_t stage = 0; stage < isUsed.size(); ++stage) {
        if (!isUsed[stage])
            empty.push_back(stage);
    }
    return empty;
}

bool RuleContext::predictsOnly() const {
    const TrainingOptions& training = project.training;
    return training.dataset && !training.optimizer && training.losses.empty();
}

bool RuleContext::hasWholePipeline() const {
    constexpr std::size_t mostStages = 16384; // as many as `core/plan/schedule_rules` lays out
    return hasUsableStages() && figures.stages >= 2 && figures.stages <= mostStages && emptyStages().empty();
}

} // namespace core
