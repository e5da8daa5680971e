#include "app/services/run/moved_project.h"

#include "core/config/dataset_catalogue.h"
#include "simulator/target/target_catalogue.h"

#include <algorithm>

namespace app {

namespace fs = std::filesystem;

namespace {

/// Links are followed, so that ".." leads where it seems to.
fs::path resolved(const fs::path& folder) {
    std::error_code error;
    const fs::path whole = fs::absolute(folder.empty() ? fs::path(".") : folder, error);
    fs::path canonical = fs::weakly_canonical(whole, error);
    return error ? whole.lexically_normal() : canonical;
}

class PathMover {
public:
    PathMover(const fs::path& from, const fs::path& to)
        : m_from(resolved(from))
        , m_to(resolved(to)) {}

    [[nodiscard]] bool isStaying() const { return m_from == m_to; }

    void move(std::string& name) const {
        if (name.empty() || fs::path(name).is_absolute())
            return;
        name = (m_from / name).lexically_normal().lexically_relative(m_to).generic_string();
    }

    void move(core::Json& value) const {
        if (value.is_string())
            move(value.get_ref<std::string&>());
        else if (value.is_array())
            for (core::Json& entry : value)
                move(entry);
    }

    void move(std::optional<core::DatasetSpec>& dataset) const {
        if (!dataset)
            return;
        const auto kind = std::ranges::find(core::datasetKinds(), dataset->kind, &core::DatasetKind::name);
        if (kind == core::datasetKinds().end())
            return;
        for (const core::DatasetKey& key : kind->keys) {
            const bool isPath =
                key.type == core::DatasetKeyType::Path || key.type == core::DatasetKeyType::Paths;
            if (const auto value = dataset->parameters.find(std::string(key.name));
                isPath && value != dataset->parameters.end())
                move(*value);
        }
    }

private:
    fs::path m_from;
    fs::path m_to;
};

} // namespace

core::Project movedProject(core::Project project, const fs::path& from, const fs::path& to) {
    const PathMover mover(from, to);
    if (mover.isStaying())
        return project;
    mover.move(project.training.dataset);
    mover.move(project.training.validationDataset);
    if (!project.pipeline.scheduleTable.file.empty())
        mover.move(project.pipeline.scheduleTable.file);
    if (project.training.weights)
        mover.move(*project.training.weights);
    if (simulator::findTarget(project.system.target) == nullptr)
        mover.move(project.system.target);
    return project;
}

std::string pathFromFolder(const fs::path& file, const fs::path& folder) {
    const fs::path relative = folder.empty() ? fs::path() : file.lexically_relative(folder);
    const bool isBelow = !relative.empty() && *relative.begin() != "..";
    return (isBelow ? relative : file).generic_string();
}

core::Project projectForOutput(core::Project project, const fs::path& from, const std::string& file) {
    if (file.empty() || file == "-")
        return project;
    return movedProject(std::move(project), from, fs::path(file).parent_path());
}

} // namespace app
