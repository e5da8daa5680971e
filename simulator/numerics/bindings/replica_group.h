#pragma once

#include "simulator/graph/operation_attributes.h"
#include "simulator/numerics/bindings/bound_operation.h"
#include "simulator/numerics/replica_exchange.h"

#include <algorithm>

namespace simulator {

/// The replicas that combine their tensors, as one of them sees it.
struct ReplicaGroup {
    std::int64_t size = 1;
    std::int64_t first = 0;
    std::int64_t step = 1;
    /// Position of this replica.
    std::int64_t own = 0;

    ReplicaGroup(const Collective& collective, std::int64_t replica, std::int64_t replicas) {
        const std::int64_t asked = collective.groupSize == 0 ? replicas : collective.groupSize;
        if (!collective.orthogonal || collective.groupSize == 0) {
            size = asked;
            first = replica / asked * asked;
            own = replica % asked;
        } else {
            size = std::max<std::int64_t>(1, replicas / asked);
            step = asked;
            first = replica % asked;
            own = replica / asked;
        }
    }
};

/// Tensors of a group's members, readable as long as this lives: all members wait for one another when it is
/// made and when it goes. A replica that does not exist is like this one: all have the same weights.
class GroupContributions {
public:
    GroupContributions(const Collective& collective, const StepState& state, const float* own)
        : m_group(collective, state.replica, state.exchange == nullptr ? 1 : state.exchange->replicas())
        , m_exchange(state.exchange)
        , m_own(own) {
        if (m_exchange != nullptr)
            m_all = m_exchange->meet(state.replica, own);
    }
    ~GroupContributions() {
        if (m_exchange != nullptr)
            m_exchange->part();
    }
    GroupContributions(const GroupContributions&) = delete;
    GroupContributions& operator=(const GroupContributions&) = delete;

    [[nodiscard]] const ReplicaGroup& group() const { return m_group; }
    [[nodiscard]] const float* of(std::int64_t member) const {
        const auto replica = static_cast<std::size_t>(m_group.first + member * m_group.step);
        // One that left before it gave anything has nothing to read.
        return replica < m_all.size() && m_all[replica] != nullptr ? m_all[replica] : m_own;
    }

private:
    ReplicaGroup m_group;
    ReplicaExchange* m_exchange;
    const float* m_own;
    std::span<const float* const> m_all;
};

} // namespace simulator
