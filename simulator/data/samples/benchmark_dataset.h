#pragma once

#include "core/base/job_context.h"
#include "simulator/data/samples/sample_source.h"

namespace simulator {

/// What one pass of a benchmark measured.
struct DatasetStatistics {
    std::int64_t elements = 0;
    std::int64_t bytes = 0;
    double seconds = 0;

    [[nodiscard]] double elementsPerSecond() const { return perSecond(static_cast<double>(elements)); }
    /// In GB (10⁹ bytes) per second.
    [[nodiscard]] double bandwidth() const { return perSecond(static_cast<double>(bytes)) / 1e9; }

private:
    [[nodiscard]] double perSecond(double amount) const { return seconds > 0 ? amount / seconds : 0; }
};

/// Reads `elements` batches of `batchSize` samples in each of `epochs` passes, over and over where the
/// dataset has fewer, and copies each into a buffer as an infeed would: what `dataset_benchmark` of the
/// Python API measures. Values count as the 4 bytes they have on the device.
[[nodiscard]] core::Result<std::vector<DatasetStatistics>>
benchmarkDataset(const SampleSource& source, std::int64_t batchSize, std::int64_t epochs,
                 std::int64_t elements, const core::JobContext& job = {});

} // namespace simulator
