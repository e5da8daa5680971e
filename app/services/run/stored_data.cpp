#include "app/services/run/stored_data.h"

#include "core/base/write_door.h"
#include "core/platform/process_identity.h"
#include "simulator/data/files/npy_array.h"
#include "simulator/data/files/npz_archive.h"

#include <filesystem>
#include <utility>
#include <variant>

namespace app {

std::string dataArchive(const std::vector<core::DataArray>& arrays) {
    std::vector<std::pair<std::string, std::string>> members;
    for (const core::DataArray& array : arrays) {
        const auto bytes = [&](const auto& numbers) { return simulator::npyBytes(array.extents, numbers); };
        members.emplace_back(array.name + ".npy", std::visit(bytes, array.numbers));
    }
    return members.empty() ? "" : simulator::zipBytes(members, core::productMark);
}

std::vector<core::DatasetSpec*> storedDatasets(core::Project& project) {
    std::vector<core::DatasetSpec*> found;
    for (auto* dataset : {&project.training.dataset, &project.training.validationDataset})
        if (*dataset && (*dataset)->kind == "npz" &&
            (*dataset)->parameters.value("file", "") == std::string(core::dataFileName))
            found.push_back(&**dataset);
    return found;
}

void nameDataArchive(core::Project& project, const std::string& name) {
    for (core::DatasetSpec* dataset : storedDatasets(project))
        dataset->parameters["file"] = name;
}

std::filesystem::path projectsFolder(const std::function<bool(const std::filesystem::path&)>& isIt) {
    namespace fs = std::filesystem;
    const fs::path program = core::currentProgram().parent_path();
    const fs::path installed = (program / "../share/ipu-workbench/projects").lexically_normal();
    if (isIt(installed))
        return installed;
    std::error_code error;
    for (fs::path folder = program; folder.has_relative_path(); folder = folder.parent_path())
        if (fs::exists(folder / "CMakeLists.txt", error) && isIt(folder / "projects"))
            return folder / "projects";
    return {};
}

std::string digitsFolder() {
    const auto digitsOf = [](const std::filesystem::path& projects) { return projects / "data" / "mnist"; };
    const std::filesystem::path projects = projectsFolder([&](const std::filesystem::path& folder) {
        std::error_code error;
        return std::filesystem::is_directory(digitsOf(folder), error);
    });
    return projects.empty() ? "" : digitsOf(projects).string();
}

} // namespace app
