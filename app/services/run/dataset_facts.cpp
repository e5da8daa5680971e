#include "app/services/run/dataset_facts.h"

#include "simulator/data/readers/open_dataset.h"
#include "simulator/data/samples/dataset_split.h"

#include <algorithm>
#include <fmt/format.h>

namespace app {

namespace fs = std::filesystem;

namespace {

/// A project has a dataset and perhaps one for validation; some more for undo and another project.
constexpr std::size_t mostRemembered = 8;

core::Result<std::int64_t> countSamples(const core::DatasetSpec& spec, const fs::path& folder) {
    const auto source = simulator::openDataset({spec, folder, {}, {}});
    if (!source)
        return core::failure(source.error());
    return (*source)->samples();
}

core::DatasetFacts factsOf(std::int64_t samples, const core::Project& project, core::RunMode mode) {
    return {simulator::runSamples(samples, project.training, mode).count};
}

void addStamp(const fs::directory_entry& entry, std::string& stamp) {
    std::error_code error;
    const auto time = entry.last_write_time(error);
    if (error)
        return;
    const std::uintmax_t size = entry.is_regular_file(error) ? entry.file_size(error) : 0;
    stamp += fmt::format("{} {} {}\n", entry.path().string(), size, time.time_since_epoch().count());
}

/// Sizes and times of every file that a text of the parameters names, folders with all that is in them.
/// Readers differ in their keys, so every text counts; one that names no file adds nothing.
void addStamps(const core::Json& parameters, const fs::path& folder, std::string& stamp) {
    if (parameters.is_structured()) {
        for (const core::Json& value : parameters)
            addStamps(value, folder, stamp);
        return;
    }
    if (!parameters.is_string() || parameters.get_ref<const std::string&>().empty())
        return;
    std::error_code error;
    const fs::directory_entry entry(folder / parameters.get_ref<const std::string&>(), error);
    if (error || !entry.exists(error))
        return;
    addStamp(entry, stamp);
    if (!entry.is_directory(error))
        return;
    std::vector<std::string> inside;
    for (fs::recursive_directory_iterator it(entry.path(), error), end; !error && it != end;
         it.increment(error))
        addStamp(*it, inside.emplace_back());
    // A file system lists a folder in an order of its own.
    std::sort(inside.begin(), inside.end());
    for (const std::string& one : inside)
        stamp += one;
}

} // namespace

core::Result<std::optional<core::DatasetFacts>> datasetFacts(const core::Project& project, core::RunMode mode,
                                                             const fs::path& folder) {
    const core::DatasetSpec* dataset = core::datasetOf(project.training, mode);
    if (dataset == nullptr)
        return std::optional<core::DatasetFacts>();
    const auto samples = countSamples(*dataset, folder);
    if (!samples)
        return core::failure(samples.error());
    return factsOf(*samples, project, mode);
}

core::Result<std::optional<core::DatasetFacts>>
DatasetFactsCache::facts(const core::Project& project, core::RunMode mode, const fs::path& folder) {
    const core::DatasetSpec* dataset = core::datasetOf(project.training, mode);
    if (dataset == nullptr)
        return std::optional<core::DatasetFacts>();
    // Taken before the files are read: a change while they are is seen the next time.
    Entry entry{*dataset, folder, {}, 0};
    addStamps(dataset->parameters, folder, entry.stamp);
    const std::scoped_lock lock(m_mutex);
    const auto isSame = [&](const Entry& other) {
        return other.spec == entry.spec && other.folder == entry.folder && other.stamp == entry.stamp;
    };
    if (const auto known = std::ranges::find_if(m_entries, isSame); known != m_entries.end())
        return factsOf(known->samples, project, mode);
    ++m_openings;
    const auto samples = countSamples(*dataset, folder);
    if (!samples)
        return core::failure(samples.error());
    entry.samples = *samples;
    m_entries.insert(m_entries.begin(), std::move(entry));
    if (m_entries.size() > mostRemembered)
        m_entries.pop_back();
    return factsOf(*samples, project, mode);
}

std::size_t DatasetFactsCache::openings() const {
    const std::scoped_lock lock(m_mutex);
    return m_openings;
}

} // namespace app
