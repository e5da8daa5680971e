#pragma once

#include "simulator/graph/graph_builder.h"

#include <cstdint>

namespace simulator {

/// How images are read between their elements.
enum class SampleInterpolation : std::uint8_t { Nearest, Linear, Cubic };

/// What lies outside an image: zeros; the outermost elements; the image mirrored; the image again.
enum class SampleBorder : std::uint8_t { Zeros, Edge, Mirror, Wrap };

struct SampleMode {
    SampleInterpolation interpolation = SampleInterpolation::Linear;
    SampleBorder border = SampleBorder::Zeros;
    /// Mirror at the centres of the outermost elements, else at their outer edges.
    bool mirrorsAtCentres = false;
};

/// Images [N, H, W, C] read at rows y and columns x [N, rows, columns] (elements of the image, whole or
/// between two) → [N, rows, columns, C]. A weighted sum of gathered elements, so that it has a gradient for
/// the images and, where it interpolates, for the places. Cubic is the convolution with a = −0.75.
[[nodiscard]] core::TensorId addSamples(GraphBuilder& build, core::TensorId images, core::TensorId y,
                                        core::TensorId x, const SampleMode& mode);

/// Elements of images [N, H, W, C] by whole places inside them.
class PixelTable {
public:
    PixelTable(GraphBuilder& build, core::TensorId images);

    [[nodiscard]] std::int64_t height() const { return m_extents[1]; }
    [[nodiscard]] std::int64_t width() const { return m_extents[2]; }
    /// [places…, C]: what is at row y and column x of image `image` (int32 of common extents).
    [[nodiscard]] core::TensorId at(core::TensorId image, core::TensorId y, core::TensorId x);

private:
    GraphBuilder& m_build;
    Extents m_extents;
    core::TensorId m_table;
};

} // namespace simulator
