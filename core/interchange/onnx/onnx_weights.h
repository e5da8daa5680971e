#pragma once

#include "core/interchange/keras/hdf5_weights.h"
#include "core/model/onnx/onnx_model.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace core {

/// The values of an initializer on their way into the arrangement that Keras gives a layer's weight.
struct OnnxWeight {
    std::vector<std::int64_t> extents;
    std::vector<float> values;

    /// Empty where the values are in another file.
    explicit OnnxWeight(const OnnxTensor& tensor);
    OnnxWeight() = default;

    /// Axis i of the result is axis order[i] of this.
    [[nodiscard]] OnnxWeight transposed(std::span<const std::size_t> order) const;
    [[nodiscard]] OnnxWeight scaled(double factor) const;
    /// Entry `index` of the first axis.
    [[nodiscard]] OnnxWeight entry(std::size_t index) const;
    /// Entries [begin, begin + count) of the first axis.
    [[nodiscard]] OnnxWeight entries(std::size_t begin, std::size_t count) const;
    /// The same values in another shape of as many elements.
    [[nodiscard]] OnnxWeight reshaped(std::vector<std::int64_t> newExtents) const;
    /// The first axis in blocks of equal length, put into another order.
    [[nodiscard]] OnnxWeight blocksReordered(std::span<const std::size_t> order) const;
    [[nodiscard]] OnnxWeight plus(const OnnxWeight& other) const;
};

/// Kernel of a convolution: [filters, inputs, field…] to [field…, inputs, filters]; of a transposed one
/// [inputs, filters, field…] to [field…, filters, inputs].
[[nodiscard]] OnnxWeight convolutionKernel(const OnnxTensor& tensor);

/// One direction of a recurrence in Keras' arrangement: kernel [inputs, gates·units], recurrent kernel
/// [units, gates·units] and the bias that `OnnxRecurrence::bias` tells. ONNX orders the gates of an LSTM
/// i, o, f, c, Keras i, f, c, o; those of a GRU are z, r, h in both.
struct OnnxRecurrence {
    enum class Bias : std::uint8_t { None, Joint, Separate };
    OnnxWeight kernel;
    OnnxWeight recurrentKernel;
    /// Joint: one vector, the sum of both of ONNX; separate (GRU with reset_after): [2, gates·units].
    OnnxWeight bias;
};
[[nodiscard]] OnnxRecurrence recurrenceWeights(std::string_view operation, std::size_t direction,
                                               const OnnxTensor& kernel, const OnnxTensor& recurrentKernel,
                                               const OnnxTensor* bias, OnnxRecurrence::Bias kind);

} // namespace core
