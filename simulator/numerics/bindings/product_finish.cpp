#include "simulator/numerics/bindings/product_finish.h"

#include <cmath>

namespace simulator {

ProductFinish productFinish(BindRequest& request, BoundOperation& bound) {
    const FusedEnd& end = request.end;
    ProductFinish finish;
    finish.end = end.relu ? ProductEnd::Relu : ProductEnd::Nothing;
    const float* bias = end.hasBias() ? end.bias.as() : nullptr;
    finish.bias = bias;
    finish.addend = end.hasAddend() ? end.addend.as() : nullptr;
    if (!end.normalization)
        return finish;
    // (x + bias − mean) · gamma / √(variance + epsilon) + beta, as x · scale + shift.
    const FusedNormalization& normalization = *end.normalization;
    const float* gamma = normalization.gamma.as();
    const float* beta = normalization.beta.as();
    const float* mean = normalization.mean.as();
    const float* variance = normalization.variance.as();
    const std::int64_t channels = normalization.gamma.elements();
    const auto epsilon = static_cast<float>(normalization.epsilon);
    float* scale = request.takeFloats(channels);
    float* shift = request.takeFloats(channels);
    bound.phases.push_back({1, [=](const StepState&, std::int64_t, std::byte*) {
                                for (std::int64_t c = 0; c < channels; ++c) {
                                    scale[c] = gamma[c] / std::sqrt(variance[c] + epsilon);
                                    const float offset = bias == nullptr ? mean[c] : mean[c] - bias[c];
                                    shift[c] = beta[c] - offset * scale[c];
                                }
                            }});
    finish.scale = scale;
    finish.bias = shift;
    return finish;
}

} // namespace simulator
