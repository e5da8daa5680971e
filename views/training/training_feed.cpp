#include "views/training/training_feed.h"

#include <algorithm>

namespace views {

namespace {

constexpr qint64 millisecondsBetweenNews = 100;

} // namespace

TrainingFeed::TrainingFeed(QObject* parent)
    : TrainingFeed(0, 0, parent) {}

TrainingFeed::TrainingFeed(std::int64_t plannedExecutions, std::int64_t plannedEpochs, QObject* parent)
    : QObject(parent) {
    m_training.plannedExecutions = plannedExecutions;
    m_training.plannedEpochs = plannedEpochs;
    m_training.isRunning = true;
    m_clock.start();
}

void TrainingFeed::setPlan(std::int64_t executions, std::int64_t epochs) {
    const std::lock_guard lock(m_mutex);
    m_training.plannedExecutions = executions;
    m_training.plannedEpochs = epochs;
}

TrainingData TrainingFeed::snapshot() const {
    const std::lock_guard lock(m_mutex);
    TrainingData copy = m_training;
    copy.elapsedSeconds = static_cast<double>(m_clock.elapsed()) / 1000;
    return copy;
}

void TrainingFeed::begin(const core::RunProvenance& provenance) {
    const std::lock_guard lock(m_mutex);
    m_training.provenance = provenance;
    m_training.provenance.projectText.clear();
}

void TrainingFeed::executions(std::span<const core::ExecutionRecord> records) {
    {
        const std::lock_guard lock(m_mutex);
        m_training.executions.insert(m_training.executions.end(), records.begin(), records.end());
    }
    announce();
}

void TrainingFeed::callbacks(std::span<const core::CallbackRecord> records) {
    const std::lock_guard lock(m_mutex);
    m_training.callbacks.assign(records.begin(), records.end());
}

void TrainingFeed::metrics(std::span<const core::MetricRecord> records) {
    {
        const std::lock_guard lock(m_mutex);
        m_training.metrics.insert(m_training.metrics.end(), records.begin(), records.end());
    }
    announce();
}

void TrainingFeed::finish(const core::RunSummary& summary) {
    {
        const std::lock_guard lock(m_mutex);
        m_training.isRunning = false;
        m_training.step = summary.step;
        m_training.idleFraction = summary.idleFraction;
        for (const core::IpuMemorySummary& memory : summary.memory)
            m_training.peak = std::max(m_training.peak, memory.peak);
    }
    emit changed();
}

void TrainingFeed::announce() {
    {
        const std::lock_guard lock(m_mutex);
        if (m_clock.elapsed() - m_announced < millisecondsBetweenNews)
            return;
        m_announced = m_clock.elapsed();
    }
    emit changed();
}

} // namespace views
