#pragma once

#include "core/base/json.h"
#include "simulator/engine/replica/training_replica.h"
#include "simulator/graph/dynamic_loss_scale.h"

#include <span>

namespace simulator {

/// Keeps the dynamic scale of a loss between updates: see DynamicLossScale for the rules.
class LossScaler {
public:
    /// `tensor` holds the scale in every replica.
    LossScaler(const DynamicLossScale& rules, core::TensorId tensor)
        : m_rules(rules)
        , m_tensor(tensor)
        , m_scale(static_cast<float>(rules.initial)) {}

    /// Looks at the reduced gradients of a replica and decides on the next scale. False: one is not finite,
    /// so this update is left out.
    [[nodiscard]] bool accepts(const TrainingReplica& replica);
    /// Gives the scale to all replicas: after the update, which still divides by the one before.
    void write(std::span<TrainingReplica> replicas) const;

    [[nodiscard]] float scale() const { return m_scale; }
    /// Numbers to go on from after an interruption, and back.
    [[nodiscard]] core::Json state() const { return {{"scale", m_scale}, {"good_steps", m_goodSteps}}; }
    void setState(const core::Json& state, std::span<TrainingReplica> replicas);

private:
    DynamicLossScale m_rules;
    core::TensorId m_tensor;
    float m_scale;
    /// Updates in a row with finite gradients at this scale.
    std::int64_t m_goodSteps = 0;
};

} // namespace simulator
