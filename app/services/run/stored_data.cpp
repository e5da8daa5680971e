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

void nameDataArchive(core::Project& project, const std::string& name) {
    for (auto* dataset : {&project.training.dataset, &project.training.validationDataset})
        if (*dataset && (*dataset)->kind == "npz" &&
            (*dataset)->parameters.value("file", "") == std::string(core::dataFileName))
            (*dataset)->parameters["file"] = name;
}

std::string digitsFolder() {
    namespace fs = std::filesystem;
    const fs::path program = core::currentProgram().parent_path();
    const fs::path inside = fs::path("data") / "mnist";
    std::error_code error;
    const fs::path installed = (program / "../share/ipu-workbench/projects" / inside).lexically_normal();
    if (fs::is_directory(installed, error))
        return installed.string();
    for (fs::path folder = program; folder.has_relative_path(); folder = folder.parent_path())
        if (fs::exists(folder / "CMakeLists.txt", error) &&
            fs::is_directory(folder / "projects" / inside, error))
            return (folder / "projects" / inside).string();
    return "";
}

} // namespace app
