#include "core/project/options/option_table.h"

#include "core/project/options/option_rows.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <stdexcept>

namespace core {

std::span<const ProjectOption> projectOptions() {
    static const std::vector<ProjectOption> rows = [] {
        std::vector<ProjectOption> all;
        for (auto* part :
             {pipelineOptionRows, stageChoiceRows, memoryOptionRows, trainingOptionRows, systemOptionRows}) {
            const std::vector<ProjectOption> more = part();
            all.insert(all.end(), more.begin(), more.end());
        }
        return all;
    }();
    return rows;
}

const ProjectOption* findProjectOption(std::string_view path) {
    const auto rows = projectOptions();
    const auto found = std::ranges::find(rows, path, &ProjectOption::path);
    return found == rows.end() ? nullptr : &*found;
}

const ProjectOption& projectOption(std::string_view path) {
    const ProjectOption* found = findProjectOption(path);
    if (found == nullptr)
        throw std::logic_error(fmt::format("there is no option {}", path));
    return *found;
}

std::vector<std::string_view> projectOptionSections() {
    std::vector<std::string_view> sections;
    for (const ProjectOption& option : projectOptions()) {
        if (std::ranges::find(sections, option.section) == sections.end())
            sections.push_back(option.section);
    }
    return sections;
}

const std::vector<const ProjectOption*>& projectOptionsInFileOrder(std::string_view parent) {
    using Options = std::vector<const ProjectOption*>;
    static const std::map<std::string_view, Options> ofParents = [] {
        std::map<std::string_view, Options> all;
        for (const ProjectOption& option : projectOptions())
            all[option.parent()].push_back(&option);
        for (auto& [name, rows] : all)
            std::ranges::stable_sort(rows, {},
                                     [](const ProjectOption* option) { return option->file.place; });
        return all;
    }();
    static const Options none;
    const auto found = ofParents.find(parent);
    return found == ofParents.end() ? none : found->second;
}

Json defaultValue(const ProjectOption& option) {
    static const Project fromNothing;
    Json value = option.field.value(fromNothing);
    // People write 0, not 0.0.
    if (value.is_number_float() && std::floor(value.get<double>()) == value.get<double>())
        value = static_cast<std::int64_t>(value.get<double>());
    return value;
}

std::string defaultText(const ProjectOption& option) {
    return toText(defaultValue(option), -1);
}

Json valueIn(const Project& project, const ProjectOption& option) {
    Json value = option.field.value(project);
    Json byDefault = defaultValue(option);
    return value.is_null() || value == byDefault ? byDefault : value;
}

bool differsFromDefault(const Project& project, const ProjectOption& option) {
    const Json value = option.field.value(project);
    return !value.is_null() && value != defaultValue(option);
}

} // namespace core
