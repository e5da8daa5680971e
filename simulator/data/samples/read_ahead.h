#pragma once

#include "simulator/data/samples/sample_source.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace simulator {

/// A source whose inputs are read ahead on a thread of its own: the samples that its one reader is asked to
/// expect. Values, and the sample at which an error is met, are those of the source itself.
class ReadAheadSource final : public SampleSource {
public:
    explicit ReadAheadSource(std::shared_ptr<const SampleSource> source);
    ~ReadAheadSource() override;

    /// These samples are read next; what was expected before and not read is dropped.
    void expect(const std::vector<std::int64_t>& samples);

    [[nodiscard]] std::int64_t samples() const override { return m_source->samples(); }
    [[nodiscard]] const std::vector<SampleField>& inputs() const override { return m_source->inputs(); }
    [[nodiscard]] const std::vector<SampleField>& targets() const override { return m_source->targets(); }
    /// Waits for a sample that is expected; reads any other at once.
    [[nodiscard]] core::Result<void> readInput(std::size_t field, std::int64_t sample,
                                               std::span<float> values) const override;
    [[nodiscard]] core::Result<void> readTarget(std::size_t field, std::int64_t sample,
                                                std::span<float> values) const override {
        return m_source->readTarget(field, sample, values);
    }

private:
    /// Field and sample.
    using Place = std::pair<std::size_t, std::int64_t>;
    using Values = core::Result<std::vector<float>>;

    void readOn(const std::stop_token& stop);

    std::shared_ptr<const SampleSource> m_source;
    mutable std::mutex m_mutex;
    mutable std::condition_variable_any m_changed;
    std::deque<Place> m_waiting;
    /// Nothing until it is read.
    std::map<Place, std::optional<Values>> m_expected;
    std::jthread m_thread;
};

} // namespace simulator
