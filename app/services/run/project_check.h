#pragma once

#include "app/services/run/dataset_facts.h"
#include "core/model/graph/model_examiner.h"
#include "core/project/validate.h"

#include <filesystem>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace app {

/// What is known of a project before it is compiled: every finding (the rules', its system's, its dataset's)
/// and, when none of them is an error, the validated project for training.
struct ProjectCheck {
    core::ValidationOutcome outcome;
    /// Nothing without a dataset, or where it cannot be opened.
    std::optional<core::DatasetFacts> facts;
};

/// `file` names the project in diagnostics; its relative paths start at `folder`.
[[nodiscard]] ProjectCheck checkProject(const core::Project& project, const std::string& file,
                                        const std::filesystem::path& folder, DatasetFactsCache& datasets);

/// The same for a project whose model is the examiner's.
[[nodiscard]] ProjectCheck checkProject(const core::Project& project, const std::string& file,
                                        const std::filesystem::path& folder, DatasetFactsCache& datasets,
                                        core::ModelExaminer& examiner);

/// Checks each snapshot of the open project once, whoever asks and from whatever thread: findings, estimate,
/// advice and alternatives of one edit share one check.
class ProjectChecks {
public:
    using Snapshot = std::shared_ptr<const core::Project>;

    /// Waits where another thread is checking the same snapshot.
    [[nodiscard]] std::shared_ptr<const ProjectCheck> check(const Snapshot& project, const std::string& file,
                                                            const std::filesystem::path& folder);

    /// Counts of openings and files that stay as they are; shared with runs.
    [[nodiscard]] DatasetFactsCache& datasets() { return m_datasets; }
    /// How many checks were made.
    [[nodiscard]] std::size_t count() const;

private:
    struct Entry {
        Snapshot project;
        std::string file;
        std::filesystem::path folder;
        std::shared_future<std::shared_ptr<const ProjectCheck>> result;
    };

    [[nodiscard]] ProjectCheck examined(const core::Project& project, const std::string& file,
                                        const std::filesystem::path& folder);

    DatasetFactsCache m_datasets;
    std::mutex m_examining;
    /// Of the latest model: most edits move layers between stages or change an option.
    std::optional<core::ModelExaminer> m_examiner;
    mutable std::mutex m_mutex;
    /// The latest first: the project and what is under the mouse.
    std::vector<Entry> m_entries;
    std::size_t m_count = 0;
};

} // namespace app
