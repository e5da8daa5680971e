#pragma once

#include "simulator/data/samples/sample_source.h"

#include <memory>

namespace simulator {

/// How samples become batches.
struct BatchOptions {
    std::int64_t batchSize = 1;
    /// Every pass in another order, which depends on the seed and the pass alone.
    bool shuffles = false;
    std::uint64_t seed = 0;
    /// The samples taken: `count` from `first` on (a validation split leaves some to the other side); −1:
    /// all.
    std::int64_t first = 0;
    std::int64_t count = -1;
    /// Samples that are decoded are read a batch ahead, on a thread of its own.
    bool readsAhead = false;
};

/// Batches of a dataset, numbered over all passes: what batch 7 holds does not depend on what was read
/// before, so a run can go on from any place. The last partial batch of a pass is left out.
class BatchStream {
public:
    BatchStream(std::shared_ptr<const SampleSource> source, BatchOptions options);

    [[nodiscard]] const SampleSource& source() const { return *m_source; }
    /// Of one pass.
    [[nodiscard]] std::int64_t batches() const { return m_count / m_options.batchSize; }

    /// The samples of a batch.
    [[nodiscard]] std::vector<std::int64_t> samplesOf(std::int64_t batch);

private:
    void orderPass(std::int64_t pass);

    std::shared_ptr<const SampleSource> m_source;
    BatchOptions m_options;
    std::int64_t m_count = 0;
    /// The order of the pass that was asked for last.
    std::vector<std::int64_t> m_order;
    std::int64_t m_orderedPass = -1;
};

} // namespace simulator
