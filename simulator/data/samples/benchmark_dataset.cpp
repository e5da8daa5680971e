#include "simulator/data/samples/benchmark_dataset.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <numeric>

namespace simulator {
namespace {

std::int64_t valuesOf(const std::vector<SampleField>& fields) {
    return std::accumulate(fields.begin(), fields.end(), std::int64_t{0},
                           [](std::int64_t sum, const SampleField& field) { return sum + field.elements(); });
}

/// Reads samples one after the other, from the first again at the end.
class SampleReader {
public:
    SampleReader(const SampleSource& source, std::int64_t batchSize)
        : m_source(source)
        , m_batchSize(batchSize)
        , m_sample(static_cast<std::size_t>(valuesOf(source.inputs()) + valuesOf(source.targets())))
        , m_buffer(m_sample.size() * static_cast<std::size_t>(batchSize)) {}

    /// Answers the bytes of the element.
    core::Result<std::int64_t> readElement() {
        auto place = m_buffer.begin();
        for (std::int64_t i = 0; i < m_batchSize; ++i) {
            if (auto result = readSample(); !result)
                return core::failure(result.error());
            place = std::copy(m_sample.begin(), m_sample.end(), place);
        }
        return static_cast<std::int64_t>(m_buffer.size() * sizeof(float));
    }

private:
    core::Result<void> readSample() {
        const std::int64_t sample = m_next++ % m_source.samples();
        std::span<float> rest(m_sample);
        for (std::size_t field = 0; field < m_source.inputs().size(); ++field) {
            const auto count = static_cast<std::size_t>(m_source.inputs()[field].elements());
            if (auto result = m_source.readInput(field, sample, rest.first(count)); !result)
                return result;
            rest = rest.subspan(count);
        }
        for (std::size_t field = 0; field < m_source.targets().size(); ++field) {
            const auto count = static_cast<std::size_t>(m_source.targets()[field].elements());
            if (auto result = m_source.readTarget(field, sample, rest.first(count)); !result)
                return result;
            rest = rest.subspan(count);
        }
        return {};
    }

    const SampleSource& m_source;
    std::int64_t m_batchSize;
    std::int64_t m_next = 0;
    std::vector<float> m_sample;
    std::vector<float> m_buffer;
};

} // namespace

core::Result<std::vector<DatasetStatistics>> benchmarkDataset(const SampleSource& source,
                                                              std::int64_t batchSize, std::int64_t epochs,
                                                              std::int64_t elements,
                                                              const core::JobContext& job) {
    using Clock = std::chrono::steady_clock;
    std::vector<DatasetStatistics> passes;
    SampleReader reader(source, batchSize);
    for (std::int64_t epoch = 0; epoch < epochs; ++epoch) {
        job.report(static_cast<double>(epoch) / static_cast<double>(epochs),
                   fmt::format("reading, epoch {} of {}", epoch + 1, epochs));
        DatasetStatistics statistics;
        const Clock::time_point start = Clock::now();
        for (; statistics.elements < elements; ++statistics.elements) {
            if (job.isCancelled())
                return core::failure(core::makeError(core::Trouble::Interrupted, "interrupted", {},
                                                     "stopped on request",
                                                     {"start it again to have the whole answer"}));
            const auto bytes = reader.readElement();
            if (!bytes)
                return core::failure(bytes.error());
            statistics.bytes += *bytes;
        }
        statistics.seconds = std::chrono::duration<double>(Clock::now() - start).count();
        passes.push_back(statistics);
    }
    return passes;
}

} // namespace simulator
