#pragma once

#include "core/base/json.h"
#include "core/base/quantity.h"
#include "core/model/model_graph.h"

namespace core {

/// What a program is made of, as far as published measurements tell its kinds apart.
enum class ProgramFamily : std::uint8_t {
    Transformer,   ///< a layer of attention
    Convolutional, ///< a convolution, and no attention
    Other,
};

/// The family of a model in the form of `model.to_json()`; nested models count.
[[nodiscard]] ProgramFamily programFamily(const Json& model);
[[nodiscard]] ProgramFamily programFamily(const ModelGraph& model);

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
/// Of the quotient of two programs' samples per second over the predicted quotient. `isOneModel`: one model
/// on one kind of chip, whatever else differs. What a prediction is off by is then largely the same for both
/// and cancels; what is left is taken from the rows "scaling" of `calibrate`, pairs of one model in two
/// sizes, of which six of seven lie inside. Otherwise the two are off independently of each other.
[[nodiscard]] PredictionInterval throughputQuotientInterval(ProgramFamily program, ProgramFamily baseline,
                                                            bool isOneModel);
/// Of the memory of the fullest IPU. Source: the rows "memory: variables and totals" of `calibrate`.
[[nodiscard]] PredictionInterval peakInterval();
/// Of the quotient of two programs' peaks. Nothing is published of one model in two ways, so both are taken
/// to be off independently.
[[nodiscard]] PredictionInterval peakQuotientInterval();

/// Where the measured figures of one program lie, for `intervalCoverage` of programs.
struct PredictedRanges {
    /// Of samples per second, as a factor: the step's is its inverse.
    PredictionInterval throughput;
    PredictionInterval peak = peakInterval();
    double leastSamplesPerSecond = 0;
    double mostSamplesPerSecond = 0;
    Cycles leastStep;
    Cycles mostStep;
    /// Of the fullest IPU.
    Bytes leastPeak;
    Bytes mostPeak;
};

/// Of a program's predicted samples per second, cycles of a step, and bytes of its fullest IPU.
[[nodiscard]] PredictedRanges predictedRanges(ProgramFamily family, double samplesPerSecond, Cycles step,
                                              Bytes peak);

} // namespace core
