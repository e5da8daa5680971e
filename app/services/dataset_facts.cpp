#include "app/services/dataset_facts.h"

#include "simulator/data/readers/open_dataset.h"
#include "simulator/data/samples/dataset_split.h"

namespace app {

core::Result<std::optional<core::DatasetFacts>> datasetFacts(const core::Project& project, core::RunMode mode,
                                                             const std::filesystem::path& folder) {
    const core::DatasetSpec* dataset = core::datasetOf(project.training, mode);
    if (dataset == nullptr)
        return std::optional<core::DatasetFacts>();
    const auto source = simulator::openDataset({*dataset, folder, {}, {}});
    if (!source)
        return core::failure(source.error());
    return core::DatasetFacts{simulator::runSamples((*source)->samples(), project.training, mode).count};
}

} // namespace app
