#include "app/services/run/project_wants.h"

#include "core/base/write_door.h"
#include "core/interchange/project/project_file.h"

#include <algorithm>
#include <string_view>

namespace app {

namespace fs = std::filesystem;

namespace {

void addOnce(std::vector<fs::path>& paths, fs::path path) {
    if (std::ranges::find(paths, path) == paths.end())
        paths.push_back(std::move(path));
}

/// Layers are inside wrappers and models, so every object counts.
void addLibraries(const core::Json& json, const fs::path& folder, std::vector<fs::path>& libraries) {
    constexpr std::string_view key = "library_path";
    if (json.is_object() && json.contains(key) && json.at(key).is_string())
        addOnce(libraries, core::namedFile(folder, json.at(key).get<std::string>()));
    if (json.is_structured()) {
        for (const core::Json& value : json)
            addLibraries(value, folder, libraries);
    }
}

void addData(const core::Json& json, const fs::path& folder, std::vector<fs::path>& files) {
    if (json.is_structured()) {
        for (const core::Json& value : json)
            addData(value, folder, files);
        return;
    }
    std::error_code error;
    if (!json.is_string() || json.get_ref<const std::string&>().empty())
        return;
    fs::path path = core::namedFile(folder, json.get<std::string>());
    if (fs::exists(path, error))
        addOnce(files, std::move(path));
}

} // namespace

ProjectWants projectWants(const core::Project& project, const fs::path& folder) {
    ProjectWants wants;
    const auto document = core::parseJson(core::writeProject(project), "");
    if (document && document->contains("model"))
        addLibraries(document->at("model"), folder, wants.libraries);
    const fs::path inside = core::namedFile(folder, ".");
    for (const core::KerasObject& callback : project.training.callbacks) {
        for (const std::string_view key : {"filepath", "filename", "backup_dir"}) {
            if (!callback.config.contains(key) || !callback.config.at(key).is_string())
                continue;
            fs::path path = core::namedFile(folder, callback.config.at(key).get<std::string>());
            const bool isFolder = key == "backup_dir";
            if (!core::isInside(inside, path) && !(isFolder && path == inside))
                addOnce(wants.outside, std::move(path));
        }
    }
    return wants;
}

std::vector<fs::path> dataFiles(const core::Project& project, const fs::path& folder) {
    const core::TrainingOptions& training = project.training;
    std::vector<fs::path> files;
    for (const auto* dataset : {&training.dataset, &training.validationDataset}) {
        if (*dataset)
            addData((*dataset)->parameters, folder, files);
    }
    if (training.weights)
        addData(core::Json(*training.weights), folder, files);
    for (const std::string& file : {project.pipeline.scheduleTable.file, project.system.target})
        addData(core::Json(file), folder, files);
    return files;
}

std::optional<core::Diagnostic> dataOutside(const core::Project& project, const fs::path& folder,
                                            const std::string& file) {
    const fs::path inside = core::namedFile(folder, ".");
    std::string names;
    for (const fs::path& path : dataFiles(project, folder)) {
        if (path != inside && !core::isInside(inside, path))
            names += (names.empty() ? "" : ", ") + path.string();
    }
    if (names.empty())
        return std::nullopt;
    return core::makeNote(core::Trouble::Input, "project/data-outside", {file, ""},
                          "reads data outside the project's folder: " + names,
                          {"this is allowed; to hand the project on, copy the data into its folder"});
}

} // namespace app
