#pragma once

#include "core/base/result.h"
#include "core/project/run_figures.h"

#include <cstddef>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace app {

/// What can be known of the dataset of a run without running it. Nothing where there is no dataset. Errors:
/// those of opening its files.
[[nodiscard]] core::Result<std::optional<core::DatasetFacts>>
datasetFacts(const core::Project& project, core::RunMode mode, const std::filesystem::path& folder);

/// The same, remembered while the files of a dataset stay as they are (sizes and times of change), so that an
/// edit of the model does not read them again. Errors are not remembered. May be asked from several threads.
class DatasetFactsCache {
public:
    [[nodiscard]] core::Result<std::optional<core::DatasetFacts>>
    facts(const core::Project& project, core::RunMode mode, const std::filesystem::path& folder);

    /// How many times a dataset was opened.
    [[nodiscard]] std::size_t openings() const;

private:
    struct Entry {
        core::DatasetSpec spec;
        std::filesystem::path folder;
        /// Sizes and times of change of the files it names.
        std::string stamp;
        /// Of the whole dataset, a validation split included.
        std::int64_t samples = 0;
    };

    mutable std::mutex m_mutex;
    /// The latest first.
    std::vector<Entry> m_entries;
    std::size_t m_openings = 0;
};

} // namespace app
