#include "simulator/numerics/kernels/optimizer.h"

#include "simulator/numerics/kernels/functions.h"
#include "simulator/numerics/kernels/kernel_table.h"

namespace simulator::KERNEL_VARIANT {
namespace {

/// Runs function(i) over the elements; everything it touches is disjoint.
template <class Function>
[[gnu::always_inline]] inline void each(std::int64_t begin, std::int64_t end, Function function) {
#pragma GCC ivdep
    for (std::int64_t i = begin; i < end; ++i)
        function(i);
}

float root(float x) {
    return __builtin_sqrtf(x);
}

void sgd(const OptimizerMap& map, std::int64_t begin, std::int64_t end) {
    float* p = map.parameter;
    const float* g = map.gradient;
    const float rate = map.factors.rate;
    each(begin, end, [=](std::int64_t i) { p[i] -= rate * g[i]; });
}

void momentum(const OptimizerMap& map, std::int64_t begin, std::int64_t end) {
    float* p = map.parameter;
    const float* g = map.gradient;
    float* m = map.slot[0];
    const float rate = map.factors.rate;
    const float momentumShare = map.factors.momentum;
    each(begin, end, [=](std::int64_t i) {
        m[i] = momentumShare * m[i] - rate * g[i];
        p[i] += m[i];
    });
}

void nesterov(const OptimizerMap& map, std::int64_t begin, std::int64_t end) {
    float* p = map.parameter;
    const float* g = map.gradient;
    float* m = map.slot[0];
    const float rate = map.factors.rate;
    const float momentumShare = map.factors.momentum;
    each(begin, end, [=](std::int64_t i) {
        m[i] = momentumShare * m[i] - rate * g[i];
        p[i] += momentumShare * m[i] - rate * g[i];
    });
}

/// Gradients are added up as they are, and their sum takes the learning rate of the update.
template <bool IsNesterov>
void unscaledMomentumOf(const OptimizerMap& map, std::int64_t begin, std::int64_t end) {
    float* p = map.parameter;
    const float* g = map.gradient;
    float* m = map.slot[0];
    const float rate = map.factors.rate;
    const float momentumShare = map.factors.momentum;
    each(begin, end, [=](std::int64_t i) {
        m[i] = momentumShare * m[i] + g[i];
        if constexpr (IsNesterov)
            p[i] -= rate * (g[i] + momentumShare * m[i]);
        else
            p[i] -= rate * m[i];
    });
}

/// `mean`: running mean of the gradient (centered) or null; `velocity`: momentum slot or null.
template <bool IsCentered, bool HasMomentum>
void rmspropOf(const OptimizerMap& map, std::int64_t begin, std::int64_t end) {
    float* p = map.parameter;
    const float* g = map.gradient;
    float* rms = map.slot[0];
    float* velocity = HasMomentum ? map.slot[1] : nullptr;
    float* mean = IsCentered ? map.slot[HasMomentum ? 2 : 1] : nullptr;
    const float rate = map.factors.rate;
    const float rho = map.factors.rho;
    const float epsilon = map.factors.epsilon;
    const float momentumShare = map.factors.momentum;
    const float newShare = map.factors.oneMinusRho;
    each(begin, end, [=](std::int64_t i) {
        rms[i] = rho * rms[i] + newShare * g[i] * g[i];
        float spread = rms[i];
        if constexpr (IsCentered) {
            mean[i] = rho * mean[i] + newShare * g[i];
            spread -= mean[i] * mean[i];
        }
        if constexpr (HasMomentum) {
            velocity[i] = momentumShare * velocity[i] + rate * g[i] / root(spread + epsilon);
            p[i] -= velocity[i];
        } else {
            p[i] -= rate * g[i] / (root(spread) + epsilon);
        }
    });
}

template <bool IsAmsgrad>
void adamOf(const OptimizerMap& map, std::int64_t begin, std::int64_t end) {
    float* p = map.parameter;
    const float* g = map.gradient;
    float* m = map.slot[0];
    float* v = map.slot[1];
    float* highest = IsAmsgrad ? map.slot[2] : nullptr;
    const float rate = map.factors.rate;
    const float epsilon = map.factors.epsilon;
    const float decay = map.factors.decay;
    const float newShare1 = map.factors.oneMinusBeta1;
    const float newShare2 = map.factors.oneMinusBeta2;
    each(begin, end, [=](std::int64_t i) {
        m[i] += newShare1 * (g[i] - m[i]);
        v[i] += newShare2 * (g[i] * g[i] - v[i]);
        float spread = v[i];
        if constexpr (IsAmsgrad) {
            highest[i] = larger(highest[i], v[i]);
            spread = highest[i];
        }
        p[i] -= decay * p[i] + rate * m[i] / (root(spread) + epsilon);
    });
}

void lion(const OptimizerMap& map, std::int64_t begin, std::int64_t end) {
    float* p = map.parameter;
    const float* g = map.gradient;
    float* m = map.slot[0];
    const float rate = map.factors.rate;
    const float decay = map.factors.decay;
    const float beta1 = map.factors.beta1;
    const float beta2 = map.factors.beta2;
    const float newShare1 = map.factors.oneMinusBeta1;
    const float newShare2 = map.factors.oneMinusBeta2;
    each(begin, end, [=](std::int64_t i) {
        const float direction = beta1 * m[i] + newShare1 * g[i];
        const float sign = direction == 0 ? 0.0F : withSign(1, direction);
        m[i] = beta2 * m[i] + newShare2 * g[i];
        p[i] -= decay * p[i] + rate * sign;
    });
}

void adamax(const OptimizerMap& map, std::int64_t begin, std::int64_t end) {
    float* p = map.parameter;
    const float* g = map.gradient;
    float* m = map.slot[0];
    float* v = map.slot[1];
    const float rate = map.factors.rate;
    const float beta2 = map.factors.beta2;
    const float epsilon = map.factors.epsilon;
    const float newShare1 = map.factors.oneMinusBeta1;
    each(begin, end, [=](std::int64_t i) {
        m[i] += newShare1 * (g[i] - m[i]);
        v[i] = larger(beta2 * v[i], absolute(g[i]));
        p[i] -= rate * m[i] / (v[i] + epsilon);
    });
}

void nadam(const OptimizerMap& map, std::int64_t begin, std::int64_t end) {
    float* p = map.parameter;
    const float* g = map.gradient;
    float* m = map.slot[0];
    float* v = map.slot[1];
    const float rate = map.factors.rate;
    const float beta1 = map.factors.beta1;
    const float beta2 = map.factors.beta2;
    const float epsilon = map.factors.epsilon;
    const float gradientShare = map.factors.gradientShare;
    const float momentumShare = map.factors.momentumShare;
    const float correction = map.factors.correction2;
    const float newShare1 = map.factors.oneMinusBeta1;
    const float newShare2 = map.factors.oneMinusBeta2;
    each(begin, end, [=](std::int64_t i) {
        m[i] = beta1 * m[i] + newShare1 * g[i];
        v[i] = beta2 * v[i] + newShare2 * g[i] * g[i];
        const float step = gradientShare * g[i] + momentumShare * m[i];
        p[i] -= rate * step / (root(v[i] * correction) + epsilon);
    });
}

void adagrad(const OptimizerMap& map, std::int64_t begin, std::int64_t end) {
    float* p = map.parameter;
    const float* g = map.gradient;
    float* sum = map.slot[0];
    const float rate = map.factors.rate;
    const float epsilon = map.factors.epsilon;
    each(begin, end, [=](std::int64_t i) {
        sum[i] += g[i] * g[i];
        p[i] -= rate * g[i] / (root(sum[i]) + epsilon);
    });
}

void adadelta(const OptimizerMap& map, std::int64_t begin, std::int64_t end) {
    float* p = map.parameter;
    const float* g = map.gradient;
    float* gradients = map.slot[0];
    float* updates = map.slot[1];
    const float rate = map.factors.rate;
    const float rho = map.factors.rho;
    const float epsilon = map.factors.epsilon;
    const float newShare = map.factors.oneMinusRho;
    each(begin, end, [=](std::int64_t i) {
        gradients[i] = rho * gradients[i] + newShare * g[i] * g[i];
        const float update = root(updates[i] + epsilon) / root(gradients[i] + epsilon) * g[i];
        updates[i] = rho * updates[i] + newShare * update * update;
        p[i] -= rate * update;
    });
}

void ftrl(const OptimizerMap& map, std::int64_t begin, std::int64_t end) {
    float* p = map.parameter;
    const float* g = map.gradient;
    float* sum = map.slot[0];
    float* linear = map.slot[1];
    const float rate = map.factors.rate;
    const float power = map.factors.power;
    const float l1 = map.factors.l1;
    const float l2 = map.factors.l2;
    const float shrinkage = map.factors.shrinkage;
    for (std::int64_t i = begin; i < end; ++i) {
        const float next = sum[i] + g[i] * g[i];
        const float before = power == -0.5F ? root(sum[i]) : __builtin_powf(sum[i], -power);
        const float after = power == -0.5F ? root(next) : __builtin_powf(next, -power);
        linear[i] += g[i] + 2.0F * shrinkage * p[i] - (after - before) / rate * p[i];
        const float quadratic = after / rate + 2.0F * l2;
        const float excess = absolute(linear[i]) - l1;
        p[i] = excess > 0 ? -withSign(excess, linear[i]) / quadratic : 0.0F;
        sum[i] = next;
    }
}

/// LAMB's step before the trust ratio.
[[gnu::always_inline]] inline float lambStep(const OptimizerMap& map, std::int64_t i) {
    const float m = map.slot[0][i] * map.factors.correction1;
    const float v = map.slot[1][i] * map.factors.correction2;
    return m / (root(v) + map.factors.epsilon) + map.factors.decay * map.parameter[i];
}

TrustSums lambMoments(const OptimizerMap& map, std::int64_t begin, std::int64_t end) {
    TrustSums sums;
    for (std::int64_t i = begin; i < end; ++i) {
        const float g = map.gradient[i];
        map.slot[0][i] = map.factors.beta1 * map.slot[0][i] + map.factors.oneMinusBeta1 * g;
        map.slot[1][i] = map.factors.beta2 * map.slot[1][i] + map.factors.oneMinusBeta2 * g * g;
        const float step = lambStep(map, i);
        sums.parameter += static_cast<double>(map.parameter[i]) * map.parameter[i];
        sums.update += static_cast<double>(step) * step;
    }
    return sums;
}

void lamb(const OptimizerMap& map, std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
        map.parameter[i] -= map.factors.rate * lambStep(map, i);
}

} // namespace

const OptimizerKernels& optimizerKernels() {
    static constexpr OptimizerKernel rows[]{
        {"sgd", sgd},
        {"momentum", momentum},
        {"nesterov", nesterov},
        {"unscaled momentum", unscaledMomentumOf<false>},
        {"unscaled nesterov", unscaledMomentumOf<true>},
        {"rmsprop", rmspropOf<false, false>},
        {"rmsprop momentum", rmspropOf<false, true>},
        {"rmsprop centered", rmspropOf<true, false>},
        {"rmsprop centered momentum", rmspropOf<true, true>},
        {"adam", adamOf<false>},
        {"amsgrad", adamOf<true>},
        {"lion", lion},
        {"adamax", adamax},
        {"nadam", nadam},
        {"adagrad", adagrad},
        {"adadelta", adadelta},
        {"ftrl", ftrl},
        {"lamb", lamb, lambMoments},
    };
    static constexpr OptimizerKernels kernels{rows};
    return kernels;
}

} // namespace simulator::KERNEL_VARIANT
