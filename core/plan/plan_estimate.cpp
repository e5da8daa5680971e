#include "core/plan/plan_estimate.h"

#include <algorithm>

namespace core {

Bytes peakOf(const PlanEstimate& estimate) {
    Bytes peak;
    for (const IpuEstimate& ipu : estimate.ipus)
        peak = std::max(peak, ipu.peak);
    return peak;
}

PredictedRanges rangesOf(const PlanEstimate& estimate) {
    return predictedRanges(estimate.intervals, estimate.samplesPerSecond, estimate.step, peakOf(estimate));
}

} // namespace core
