#include "app/batch/dataset_facts.h"

namespace app {

core::Result<std::optional<core::DatasetFacts>> datasetFacts(const core::Project& project, core::RunMode mode,
                                                             const std::filesystem::path&) {
    const core::DatasetSpec* dataset = core::datasetOf(project.training, mode);
    if (dataset == nullptr || dataset->kind != "synthetic")
        return std::optional<core::DatasetFacts>();
    constexpr std::int64_t defaultSamples = 1024;
    return core::DatasetFacts{dataset->parameters.value("samples", defaultSamples)};
}

} // namespace app
