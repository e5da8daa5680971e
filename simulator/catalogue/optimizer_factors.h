#pragma once

namespace simulator {

/// The numbers of one update that the kernels read; each formula fills in those of its kernels. "1 −" of a
/// decay rate is a number of its own, because a float near 1 has few digits left of it.
struct OptimizerFactors {
    float rate = 0;
    float momentum = 0;
    float epsilon = 0;
    float rho = 0;
    float oneMinusRho = 0;
    float beta1 = 0;
    float beta2 = 0;
    float oneMinusBeta1 = 0;
    float oneMinusBeta2 = 0;
    /// Share of the parameter itself that a step takes away.
    float decay = 0;
    /// 1 / (1 − beta^t): what undoes the moments' start from zero.
    float correction1 = 1;
    float correction2 = 1;
    /// Nadam: weights of the gradient and of its mean.
    float gradientShare = 0;
    float momentumShare = 0;
    /// Ftrl.
    float power = 0;
    float l1 = 0;
    float l2 = 0;
    float shrinkage = 0;
};

} // namespace simulator
