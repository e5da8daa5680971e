#include "core/project/options/section_walk.h"

#include <algorithm>
#include <utility>

namespace core {

namespace {

/// An option or, where it is null, a part.
struct SectionStep {
    int place = 0;
    const ProjectOption* option = nullptr;
    const SectionPart* part = nullptr;
};

std::vector<SectionStep> stepsOf(std::string_view section, std::span<const SectionPart> parts) {
    std::vector<SectionStep> steps;
    for (const ProjectOption* option : projectOptionsInFileOrder(section))
        steps.push_back({option->file.place, option, nullptr});
    for (const SectionPart& part : parts)
        steps.push_back({part.place, nullptr, &part});
    std::ranges::stable_sort(steps, {}, &SectionStep::place);
    return steps;
}

} // namespace

void readSection(std::string_view section, ObjectReader& reader, Project& project,
                 std::span<const SectionPart> parts) {
    for (const SectionStep& step : stepsOf(section, parts)) {
        if (step.part != nullptr)
            step.part->read(reader);
        else
            step.option->field.read(reader, *step.option, project);
    }
}

void writeSection(std::string_view section, const Project& project, Json& object,
                  std::span<const SectionPart> parts) {
    for (const SectionStep& step : stepsOf(section, parts)) {
        if (step.part != nullptr)
            step.part->write(object);
        else if (step.option->file.isAlwaysWritten || differsFromDefault(project, *step.option))
            object[std::string(step.option->key())] = step.option->field.value(project);
    }
}

} // namespace core
