#include "app/services/run/project_check.h"

#include "app/services/run/project_wants.h"
#include "app/services/run/system_findings.h"

#include <algorithm>

namespace app {

namespace {

constexpr std::size_t mostSnapshots = 2;

} // namespace

ProjectCheck checkProject(const core::Project& project, const std::string& file,
                          const std::filesystem::path& folder, DatasetFactsCache& datasets) {
    core::ModelExaminer examiner(project.model);
    return checkProject(project, file, folder, datasets, examiner);
}

ProjectCheck checkProject(const core::Project& project, const std::string& file,
                          const std::filesystem::path& folder, DatasetFactsCache& datasets,
                          core::ModelExaminer& examiner) {
    constexpr auto mode = core::RunMode::Train;
    const auto facts = datasets.facts(project, mode, folder);
    ProjectCheck check;
    if (facts)
        check.facts = *facts;
    check.outcome = core::validateAll(core::Project(project), mode, check.facts, file, examiner);
    core::Diagnostics more = systemFindings(project, file, folder);
    if (const auto note = dataOutside(project, folder, file))
        more.push_back(*note);
    if (!facts)
        more.insert(more.end(), facts.error().begin(), facts.error().end());
    if (core::hasErrors(more))
        check.outcome.project.reset();
    check.outcome.findings.insert(check.outcome.findings.end(), more.begin(), more.end());
    return check;
}

ProjectCheck ProjectChecks::examined(const core::Project& project, const std::string& file,
                                     const std::filesystem::path& folder) {
    const std::scoped_lock lock(m_examining);
    if (!m_examiner || m_examiner->model() != project.model)
        m_examiner.emplace(project.model);
    return checkProject(project, file, folder, m_datasets, *m_examiner);
}

std::shared_ptr<const ProjectCheck> ProjectChecks::check(const Snapshot& project, const std::string& file,
                                                         const std::filesystem::path& folder) {
    std::promise<std::shared_ptr<const ProjectCheck>> promise;
    {
        std::unique_lock lock(m_mutex);
        const auto known = std::ranges::find_if(m_entries, [&](const Entry& entry) {
            return entry.project == project && entry.file == file && entry.folder == folder;
        });
        if (known != m_entries.end()) {
            const auto result = known->result;
            lock.unlock();
            return result.get();
        }
        ++m_count;
        m_entries.insert(m_entries.begin(), {project, file, folder, promise.get_future().share()});
        if (m_entries.size() > mostSnapshots)
            m_entries.pop_back();
    }
    auto check = std::make_shared<const ProjectCheck>(examined(*project, file, folder));
    promise.set_value(check);
    return check;
}

std::size_t ProjectChecks::count() const {
    const std::scoped_lock lock(m_mutex);
    return m_count;
}

} // namespace app
