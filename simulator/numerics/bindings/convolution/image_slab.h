#pragma once

#include "simulator/numerics/kernels/window.h"

#include <array>
#include <cstdint>

namespace simulator {

/// A position (or the extents) of an image.
using FieldPosition = std::array<std::int64_t, fieldAxes>;

/// Visits positions of a box [begin, end) in order.
template <class Function>
void eachPosition(const FieldPosition& begin, const FieldPosition& end, Function function) {
    for (std::int64_t i = begin[0]; i < end[0]; ++i) {
        for (std::int64_t j = begin[1]; j < end[1]; ++j) {
            for (std::int64_t k = begin[2]; k < end[2]; ++k)
                function(FieldPosition{i, j, k});
        }
    }
}

inline FieldPosition fieldPosition(const std::int64_t* values) {
    return {values[0], values[1], values[2]};
}

/// A box of an image [field…, channels] copied with zeros around it.
struct ImageSlab {
    /// First position of the box in the image, may be negative.
    FieldPosition begin{};
    FieldPosition extents{};
    std::int64_t channels = 0;

    [[nodiscard]] std::int64_t size() const { return extents[0] * extents[1] * extents[2] * channels; }
    [[nodiscard]] std::int64_t stride(int axis) const {
        std::int64_t stride = channels;
        for (int i = fieldAxes - 1; i > axis; --i)
            stride *= extents[static_cast<std::size_t>(i)];
        return stride;
    }
    [[nodiscard]] bool isInside(const std::int64_t* image) const {
        for (std::size_t i = 0; i < fieldAxes; ++i) {
            if (begin[i] < 0 || begin[i] + extents[i] > image[i])
                return false;
        }
        return true;
    }
};

/// `slab` with the extents, and so the strides, of the whole image.
[[nodiscard]] ImageSlab wholeImage(ImageSlab slab, const std::int64_t* extents);

/// Input of one part: where it lies when no padding is needed, else copied into scratch.
struct SlabSource {
    const float* data = nullptr;
    /// The slab whose strides address `data`.
    ImageSlab slab;
    bool isDirect = false;

    SlabSource(const ImageSlab& wanted, const float* image, const std::int64_t* extents, float* scratch);
};

} // namespace simulator
