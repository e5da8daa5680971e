#include "app/services/plan/target_trial.h"

#include "app/services/run/moved_project.h"
#include "simulator/target/target_catalogue.h"
#include "simulator/target/target_file.h"

#include <algorithm>

namespace app {

namespace {

/// Where the figure of a target comes from.
std::string sourceOf(const std::string& target, std::size_t figure) {
    if (const simulator::CatalogueTarget* entry = simulator::findTarget(target))
        return std::string(entry->sources[figure].source);
    return target;
}

} // namespace

std::vector<views::TargetFigureValue> targetFigureValues(const core::Project& project,
                                                         const std::filesystem::path& folder) {
    const auto own = simulator::resolveTarget(project.system.target, folder);
    if (!own)
        return {};
    const auto set = simulator::overrideFigures(*own, project.system.other, "", "/system");
    // A figure out of its bounds is reported where the project is checked; the slider shows the target's.
    const simulator::IpuTarget& present = set ? *set : *own;
    std::vector<views::TargetFigureValue> values;
    const auto figures = simulator::targetFigures();
    for (std::size_t i = 0; i < figures.size(); ++i) {
        const simulator::TargetFigure& figure = figures[i];
        if (std::holds_alternative<bool simulator::IpuTarget::*>(figure.member))
            continue;
        views::TargetFigureValue value;
        value.key = figure.key;
        value.own = simulator::figureValue(*own, figure);
        value.value = simulator::figureValue(present, figure);
        value.low = figure.low;
        value.high = figure.high;
        // The part that holds code is a part of it.
        if (figure.key == "memory_per_tile_bytes")
            value.low = std::max(value.low, static_cast<double>(present.executableBytesPerTile));
        value.isWhole = std::holds_alternative<std::int64_t simulator::IpuTarget::*>(figure.member);
        value.source = sourceOf(project.system.target, i);
        values.push_back(std::move(value));
    }
    return values;
}

core::Result<std::string> targetFileText(const core::Project& project, const std::filesystem::path& folder,
                                         std::string name) {
    const auto own = simulator::resolveTarget(project.system.target, folder);
    if (!own)
        return core::failure(own.error());
    auto target = simulator::overrideFigures(*own, project.system.other, project.name, "/system");
    if (!target)
        return core::failure(target.error());
    if (name.empty() || simulator::findTarget(name) != nullptr)
        name += "-tried";
    constexpr std::size_t longestName = 100;
    target->name = name.substr(0, longestName);
    return simulator::toJson(*target).dump(2) + "\n";
}

core::Project withTargetFile(core::Project project, const std::filesystem::path& file,
                             const std::filesystem::path& folder) {
    project.system.target = pathFromFolder(file, folder);
    for (const simulator::TargetFigure& figure : simulator::targetFigures())
        project.system.other.erase(std::string(figure.key));
    return project;
}

} // namespace app
