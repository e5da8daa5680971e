#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace core {

/// Values of each output that a database keeps of a run; a file of predictions has all of them.
inline constexpr std::int64_t storedOutputValues = 65'536;

/// An output of the model, as a run that predicts computed it.
struct ModelOutputRecord {
    std::string output;
    /// Of all its values, the samples first.
    std::vector<std::int64_t> shape;
    /// "float32", "int32", …
    std::string type;
    /// Samples, from the first on, whose values are stored.
    std::int64_t storedSamples = 0;

    bool operator==(const ModelOutputRecord&) const = default;
};

/// One value of an output.
struct OutputValueRecord {
    std::string output;
    /// Counted from 0 in the order of the dataset.
    std::int64_t sample = 0;
    /// Position among the sample's values, row-major.
    std::int64_t element = 0;
    double value = 0;

    bool operator==(const OutputValueRecord&) const = default;
};

/// What a run that predicts computed.
struct ModelOutputRecords {
    std::vector<ModelOutputRecord> outputs;
    /// Output after output, of each the samples that are stored.
    std::vector<OutputValueRecord> values;

    bool operator==(const ModelOutputRecords&) const = default;
};

} // namespace core
