#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "core/project/validated_project.h"
#include "simulator/compiler/compilation_cache.h"
#include "simulator/compiler/ordering/ordering_algorithm.h"

#include <filesystem>
#include <vector>

namespace simulator {

/// What one IPU holds over the program order that an algorithm gives it.
struct IpuLiveness {
    core::IpuId ipu;
    /// Not always live, at every step of a full slot and then of the update.
    std::vector<std::int64_t> live;
    std::int64_t peakBytes = 0;
    std::int64_t worstTileBytes = 0;
    bool fits = true;
};

struct AlgorithmLiveness {
    OrderingAlgorithm algorithm = OrderingAlgorithm::ChooseBest;
    std::vector<IpuLiveness> ipus;

    /// Of the fullest IPU.
    [[nodiscard]] std::int64_t peakBytes() const;
};

/// The liveness that each ordering algorithm gives a project with everything else as the project says:
/// CHOOSE_BEST first, then those of `orderingAlgorithms()`. Errors: those of `compile`.
[[nodiscard]] core::Result<std::vector<AlgorithmLiveness>>
compareAlgorithms(const core::ValidatedProject& project, CompilationCache& cache,
                  const core::JobContext& job = {}, const std::filesystem::path& folder = {});

} // namespace simulator
