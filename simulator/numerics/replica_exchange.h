#pragma once

#include <atomic>
#include <barrier>
#include <cstdint>
#include <span>
#include <vector>

namespace simulator {

/// Where replicas that run side by side, each on threads of its own, meet to exchange tensors in the middle
/// of a step. All run the same operations in the same order.
class ReplicaExchange {
public:
    explicit ReplicaExchange(std::int64_t replicas)
        : m_barrier(static_cast<std::ptrdiff_t>(replicas))
        , m_contributions(static_cast<std::size_t>(replicas)) {}

    [[nodiscard]] std::int64_t replicas() const { return static_cast<std::int64_t>(m_contributions.size()); }

    /// Waits until every replica has called; the contributions of all, readable until `part`.
    [[nodiscard]] std::span<const float* const> meet(std::int64_t replica, const float* contribution) {
        m_contributions[static_cast<std::size_t>(replica)] = contribution;
        m_barrier.arrive_and_wait();
        return m_contributions;
    }
    /// Waits until no replica reads the contributions any more.
    void part() { m_barrier.arrive_and_wait(); }
    /// A replica comes no more: the others go on with what it gave last, and should stop as well.
    void leave() {
        m_isBroken = true;
        m_barrier.arrive_and_drop();
    }
    [[nodiscard]] bool isBroken() const { return m_isBroken; }

private:
    std::barrier<> m_barrier;
    std::vector<const float*> m_contributions;
    std::atomic<bool> m_isBroken{false};
};

} // namespace simulator
