#include "simulator/data/samples/batch_stream.h"

#include <numeric>
#include <random>

namespace simulator {

BatchStream::BatchStream(std::shared_ptr<const SampleSource> source, BatchOptions options)
    : m_source(std::move(source))
    , m_options(options)
    , m_count(options.count < 0 ? m_source->samples() - options.first : options.count) {}

std::vector<std::int64_t> BatchStream::samplesOf(std::int64_t batch) {
    const std::int64_t first = batch % batches() * m_options.batchSize;
    std::vector<std::int64_t> samples(static_cast<std::size_t>(m_options.batchSize));
    if (!m_options.shuffles) {
        std::iota(samples.begin(), samples.end(), m_options.first + first);
        return samples;
    }
    orderPass(batch / batches());
    for (std::size_t i = 0; i < samples.size(); ++i)
        samples[i] = m_order[static_cast<std::size_t>(first) + i];
    return samples;
}

void BatchStream::orderPass(std::int64_t pass) {
    if (pass == m_orderedPass)
        return;
    m_orderedPass = pass;
    m_order.resize(static_cast<std::size_t>(m_count));
    std::iota(m_order.begin(), m_order.end(), m_options.first);
    // The engine is the standard's, the distribution is not: libraries differ in theirs.
    std::seed_seq seed{static_cast<std::uint32_t>(m_options.seed),
                       static_cast<std::uint32_t>(m_options.seed >> 32U), static_cast<std::uint32_t>(pass)};
    std::mt19937_64 random(seed);
    for (std::size_t left = m_order.size(); left > 1; --left)
        std::swap(m_order[left - 1], m_order[random() % left]);
}

} // namespace simulator
