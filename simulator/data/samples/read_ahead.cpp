#include "simulator/data/samples/read_ahead.h"

#include <algorithm>

namespace simulator {

ReadAheadSource::ReadAheadSource(std::shared_ptr<const SampleSource> source)
    : m_source(std::move(source))
    , m_thread([this](const std::stop_token& stop) { readOn(stop); }) {}

ReadAheadSource::~ReadAheadSource() = default;

void ReadAheadSource::expect(const std::vector<std::int64_t>& samples) {
    const std::scoped_lock lock(m_mutex);
    m_waiting.clear();
    m_expected.clear();
    for (std::size_t field = 0; field < inputs().size(); ++field)
        for (const std::int64_t sample : samples)
            if (m_expected.try_emplace({field, sample}).second)
                m_waiting.emplace_back(field, sample);
    m_changed.notify_all();
}

core::Result<void> ReadAheadSource::readInput(std::size_t field, std::int64_t sample,
                                              std::span<float> values) const {
    std::unique_lock lock(m_mutex);
    const auto found = m_expected.find({field, sample});
    if (found == m_expected.end()) {
        lock.unlock();
        return m_source->readInput(field, sample, values);
    }
    m_changed.wait(lock, [&] { return found->second.has_value(); });
    const Values& read = *found->second;
    if (!read)
        return core::failure(read.error());
    std::ranges::copy(*read, values.begin());
    return {};
}

void ReadAheadSource::readOn(const std::stop_token& stop) {
    std::unique_lock lock(m_mutex);
    while (m_changed.wait(lock, stop, [&] { return !m_waiting.empty(); })) {
        const Place place = m_waiting.front();
        m_waiting.pop_front();
        lock.unlock();
        std::vector<float> values(static_cast<std::size_t>(inputs()[place.first].elements()));
        const auto result = m_source->readInput(place.first, place.second, values);
        lock.lock();
        // Unless something else is expected by now.
        if (const auto found = m_expected.find(place); found != m_expected.end())
            found->second = result ? Values(std::move(values)) : core::failure(result.error());
        m_changed.notify_all();
    }
}

} // namespace simulator
