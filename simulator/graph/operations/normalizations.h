#pragma once

#include <cstdint>
#include <vector>

namespace simulator {

enum class NormalizationKind : std::uint8_t { Batch, Layer, Group, Instance };

/// Training or per-sample statistics: x, gamma, beta → y, mean, inverse standard deviation. The statistics
/// are [C] for Batch, [N · groups] (sample-major) for Group and Instance, the extents of the other axes for
/// Layer; variance is the population variance. Batch normalisation at inference (`useMovingStatistics`): x,
/// gamma, beta, moving mean, moving variance → y. gamma and beta are always given (ones and zeros as
/// constants where the layer has none); they have the extents of the channel axis, for Layer of the
/// normalised axes.
struct Normalization {
    NormalizationKind kind = NormalizationKind::Batch;
    /// Axes the statistics run over for Layer; channel axis is the last for the others.
    std::vector<std::int64_t> axes;
    std::int64_t groups = 1;
    /// Channels of one group are strided over the channel axis (the IPU default), not neighbours.
    bool stridedGroups = true;
    double epsilon = 1e-3;
    bool useMovingStatistics = false;
    bool stableStatistics = false;
    /// Replicas that share statistics (distributed batch norm).
    std::int64_t replicaGroup = 1;
    bool operator==(const Normalization&) const = default;
};
/// x, gamma, mean, inverse standard deviation (with `useMovingStatistics`: moving mean, moving variance), dy
/// → dx, dgamma, dbeta.
struct NormalizationGradient {
    Normalization forward;
    bool operator==(const NormalizationGradient&) const = default;
};
/// moving, batch statistic → moving' = moving·momentum + statistic·(1 − momentum), in place.
/// `fromInverseDeviation`: the statistic is an inverse standard deviation and the population variance is
/// recovered from it.
struct MovingAverage {
    double momentum = 0.99;
    bool fromInverseDeviation = false;
    double epsilon = 1e-3;
    bool operator==(const MovingAverage&) const = default;
};

// clang-format off
#define NORMALIZATION_KINDS(KIND)                                                                           \
    KIND(Normalization) KIND(NormalizationGradient) KIND(MovingAverage)
// clang-format on

} // namespace simulator
