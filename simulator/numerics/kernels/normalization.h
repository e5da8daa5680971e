#pragma once

#include <cstdint>

namespace simulator {

/// Normalisation of channels-last values. Batch: x [rows, channels], statistics per channel. Layer:
/// statistics per row, gamma and beta per column. Group: x [samples, rows, channels], statistics per sample
/// and group.
struct NormalizationMap {
    const float* x = nullptr;
    const float* gamma = nullptr;
    const float* beta = nullptr;
    float* y = nullptr;
    /// Written by the forward pass, read by the gradient. With moving statistics: read as mean and
    /// *variance*.
    float* mean = nullptr;
    float* inverseDeviation = nullptr;
    std::int64_t samples = 1;
    std::int64_t rows = 0;
    std::int64_t channels = 0;
    std::int64_t groups = 1;
    bool stridedGroups = true;
    float epsilon = 0;
};
struct NormalizationGradientMap {
    NormalizationMap forward;
    const float* dy = nullptr;
    float* dx = nullptr;
    float* dgamma = nullptr;
    float* dbeta = nullptr;
    /// [blocks, partialRows, channels]: what each sample (Group) or block of rows (Layer) adds to dgamma and
    /// dbeta.
    static constexpr std::int64_t partialRows = 4;
    float* partial = nullptr;
};

struct NormalizationKernels {
    /// Channels [begin, end).
    void (*batch)(const NormalizationMap&, std::int64_t begin, std::int64_t end);
    /// Only the statistics; `inverseDeviation` gets the population *variance*.
    void (*batchStatistics)(const NormalizationMap&, std::int64_t begin, std::int64_t end);
    void (*batchMoving)(const NormalizationMap&, std::int64_t begin, std::int64_t end);
    /// dgamma and dbeta.
    void (*batchGradientSums)(const NormalizationGradientMap&, std::int64_t begin, std::int64_t end);
    /// dx, from what dgamma (`sumScaled`) and dbeta (`sum`) are over all `rows` that share statistics.
    void (*batchGradientInput)(const NormalizationGradientMap&, const float* sumScaled, const float* sum,
                               std::int64_t rows, std::int64_t begin, std::int64_t end);
    void (*batchMovingGradient)(const NormalizationGradientMap&, std::int64_t begin, std::int64_t end);
    /// Rows [begin, end).
    void (*layer)(const NormalizationMap&, std::int64_t begin, std::int64_t end);
    /// dx of rows [begin, end) and their sums into partial block `block`.
    void (*layerGradient)(const NormalizationGradientMap&, std::int64_t begin, std::int64_t end,
                          std::int64_t block);
    /// Samples [begin, end).
    void (*group)(const NormalizationMap&, std::int64_t begin, std::int64_t end);
    void (*groupGradient)(const NormalizationGradientMap&, std::int64_t begin, std::int64_t end);
    /// dgamma and dbeta from `count` partial blocks, in order.
    void (*joinPartials)(const NormalizationGradientMap&, std::int64_t count);
};

} // namespace simulator
