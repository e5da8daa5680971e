#pragma once

#include "core/base/result.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace simulator {
struct ModelOutput;
}

namespace app {

enum class PredictionFormat {
    Npz, ///< NumPy's archive: an array per output, under the output's name
    Csv, ///< a row per sample, a column per value
};

/// By the name's ending, ".npz" or ".csv"; nothing for any other.
[[nodiscard]] std::optional<PredictionFormat> predictionFormat(const std::string& file);

/// The file of what a model gave. In a .npz outputs of whole numbers are int32, others float32, the samples
/// first. In a .csv a column is named "output" or, where a sample has several values, "output[2]",
/// "output[1][0]"; an output with fewer samples than another has empty cells behind.
[[nodiscard]] std::string predictionBytes(std::span<const simulator::ModelOutput> outputs,
                                          PredictionFormat format);

} // namespace app
