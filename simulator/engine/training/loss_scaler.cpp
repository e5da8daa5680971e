#include "simulator/engine/training/loss_scaler.h"

#include "simulator/engine/replica/finite_watch.h"

#include <algorithm>
#include <cmath>

namespace simulator {

bool LossScaler::accepts(const TrainingReplica& replica) {
    const bool isFinite = !firstNotFiniteGradient(replica).isValid();
    if (!isFinite) {
        m_scale = std::max(m_scale / 2, 1.0F);
        m_goodSteps = 0;
    } else if (++m_goodSteps >= m_rules.growthSteps) {
        if (std::isfinite(m_scale * 2))
            m_scale *= 2;
        m_goodSteps = 0;
    }
    return isFinite;
}

void LossScaler::setState(const core::Json& state, std::span<TrainingReplica> replicas) {
    m_scale = state.at("scale").get<float>();
    m_goodSteps = state.at("good_steps").get<std::int64_t>();
    write(replicas);
}

void LossScaler::write(std::span<TrainingReplica> replicas) const {
    for (const TrainingReplica& replica : replicas)
        replica.store().write(m_tensor, std::span(&m_scale, 1));
}

} // namespace simulator
