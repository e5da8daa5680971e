#pragma once

#include <cstdint>

namespace simulator {

/// One parameter and what its optimizer keeps. `factors` are the numbers of this update that the formula of
/// the class reads, in the order the class' function in optimizer.cpp names them.
struct OptimizerMap {
    float* parameter = nullptr;
    const float* gradient = nullptr;
    float* slot[3] = {};
    float factors[10] = {};
};

/// Sums over a parameter that LAMB's trust ratio needs.
struct TrustSums {
    double parameter = 0;
    double update = 0;
};

/// Elements [begin, end); formulas of Keras' OptimizerV2 unless said otherwise. "1 −" of a decay rate is a
/// factor of its own, because a float near 1 has few digits left of it.
struct OptimizerKernels {
    using Update = void (*)(const OptimizerMap&, std::int64_t begin, std::int64_t end);
    Update sgd;                     ///< rate
    Update momentum;                ///< rate, momentum; slot momentum
    Update nesterov;                ///< rate, momentum; slot momentum
    Update rmsprop;                 ///< rate, rho, epsilon, –, 1 − rho; slots rms
    Update rmspropMomentum;         ///< rate, rho, epsilon, momentum, 1 − rho; slots rms, momentum
    Update rmspropCentered;         ///< as rmsprop; slots rms, mg
    Update rmspropCenteredMomentum; ///< as rmspropMomentum; slots rms, momentum, mg
    Update adam; ///< corrected rate, beta 1, beta 2, epsilon, decay, 1 − beta 1, 1 − beta 2; slots m, v
    Update amsgrad;  ///< the same; slots m, v, vhat
    Update adamax;   ///< corrected rate, beta 1, beta 2, epsilon, 1 − beta 1; slots m, v
    Update nadam;    ///< rate, beta 1, beta 2, epsilon, gradient share, momentum share, variance correction,
                     ///< 1 − beta 1, 1 − beta 2
    Update adagrad;  ///< rate, epsilon; slot accumulator
    Update adadelta; ///< rate, rho, epsilon, 1 − rho; slots accum_grad, accum_var
    Update ftrl;     ///< rate, power, l1, l2, shrinkage; slots accumulator, linear
    /// beta 1, beta 2, epsilon, decay, correction 1, correction 2, –, 1 − beta 1, 1 − beta 2; slots m, v.
    /// Moves the slots and sums up.
    TrustSums (*lambMoments)(const OptimizerMap&, std::int64_t begin, std::int64_t end);
    /// The same factors, then rate · trust ratio.
    Update lamb;
};

} // namespace simulator
