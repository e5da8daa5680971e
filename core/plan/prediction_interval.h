#pragma once

#include "core/base/json.h"

namespace core {

/// What a program is made of, as far as published measurements tell its kinds apart.
enum class ProgramFamily : std::uint8_t {
    Transformer,   ///< a layer of attention
    Convolutional, ///< a convolution, and no attention
    Other,
};

/// The family of a model in the form of `model.to_json()`; nested models count.
[[nodiscard]] ProgramFamily programFamily(const Json& model);

/// Where a measured figure lies for 80 % of programs: predicted × low … predicted × high.
struct PredictionInterval {
    double low = 1;
    double high = 1;
};

/// The share of programs whose figure lies inside.
inline constexpr double intervalCoverage = 0.8;

/// Of samples per second. Source: the rows of `calibrate` of each family, each row's bounds from the others
/// (`simulator/calibration/calibration.h`); of other programs too few are published, they get the widest. All
/// rows are of training: nothing is published of whole programs that infer.
[[nodiscard]] PredictionInterval throughputInterval(ProgramFamily family);
/// Of the memory of the fullest IPU. Source: the rows "memory: variables and totals" of `calibrate`.
[[nodiscard]] PredictionInterval peakInterval();

} // namespace core
