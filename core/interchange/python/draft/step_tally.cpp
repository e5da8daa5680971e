#include "core/interchange/python/draft/step_tally.h"

#include <algorithm>

namespace core {

namespace {

/// More than any run has; products stay below it.
constexpr std::int64_t mostCountedSteps = std::int64_t{1} << 40;

std::int64_t product(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    return __builtin_mul_overflow(a, b, &result) ? mostCountedSteps : std::min(result, mostCountedSteps);
}

} // namespace

void PythonStepTally::beginLoop(const std::string& variable, std::int64_t rounds, bool isFollowed) {
    m_loops.push_back({variable, std::max<std::int64_t>(rounds, 1), isFollowed, !isFollowed && rounds < 0});
}

void PythonStepTally::endLoop() {
    if (!m_loops.empty())
        m_loops.pop_back();
}

void PythonStepTally::beginExecution() {
    if (m_depth++ > 0)
        return;
    m_around = m_loops.size();
    m_updates.inExecution.clear();
    m_answers.inExecution.clear();
}

void PythonStepTally::endExecution() {
    if (--m_depth > 0)
        return;
    for (Counts* counts : {&m_updates, &m_answers}) {
        for (const auto& [model, steps] : counts->inExecution)
            counts->steps[model].perExecution = std::max(counts->steps[model].perExecution, steps);
        counts->inExecution.clear();
    }
}

std::int64_t PythonStepTally::weightFrom(std::size_t first) const {
    std::int64_t weight = 1;
    for (std::size_t i = first; i < m_loops.size(); ++i)
        weight = m_loops[i].isFollowed ? weight : product(weight, m_loops[i].rounds);
    return weight;
}

void PythonStepTally::count(Counts& counts, std::int64_t model) {
    PythonSteps& steps = counts.steps[model];
    if (steps.total == 0) {
        const std::size_t around = m_depth > 0 ? m_around : m_loops.size();
        const bool isEpoch =
            around > 1 || (around == 1 && m_loops[0].variable.find("epoch") != std::string::npos);
        steps.epochs = isEpoch ? m_loops[0].rounds : 1;
        steps.areEpochsOpen = isEpoch && m_loops[0].isOpen;
    }
    // A loop that was followed before its end was unknown is met again as one without a number of rounds.
    steps.areStepsOpen =
        steps.areStepsOpen || std::any_of(m_loops.begin() + (steps.areEpochsOpen ? 1 : 0), m_loops.end(),
                                          [](const Loop& loop) { return loop.isOpen; });
    steps.endsByCondition = steps.endsByCondition || std::ranges::any_of(m_loops, [](const Loop& loop) {
                                return loop.isOpen && loop.variable.empty();
                            });
    steps.total = std::min(steps.total + weightFrom(0), mostCountedSteps);
    if (m_depth > 0)
        counts.inExecution[model] =
            std::min(counts.inExecution[model] + weightFrom(m_around), mostCountedSteps);
}

} // namespace core
