#pragma once

#include "core/model/data_type.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace core {

/// Extent of one axis; nothing where it is only known when data arrives (Keras' None).
using Dimension = std::optional<std::int64_t>;

/// Extents of a tensor, outermost first. In a model graph the first axis is Keras' batch axis (usually free).
struct Shape {
    std::vector<Dimension> dimensions;

    Shape() = default;
    Shape(std::initializer_list<Dimension> extents)
        : dimensions(extents) {}
    explicit Shape(std::vector<Dimension> extents)
        : dimensions(std::move(extents)) {}

    [[nodiscard]] std::size_t rank() const { return dimensions.size(); }
    [[nodiscard]] const Dimension& operator[](std::size_t axis) const { return dimensions[axis]; }
    [[nodiscard]] Dimension& operator[](std::size_t axis) { return dimensions[axis]; }
    /// Product of the extents; nothing when one is free or the product does not fit 63 bits.
    [[nodiscard]] Dimension elementCount() const;

    bool operator==(const Shape&) const = default;
};

/// "(None, 28, 28, 1)", as Keras prints it.
[[nodiscard]] std::string toText(const Shape& shape);

/// What flows along an edge of a model.
struct TensorSpec {
    Shape shape;
    DataType type = DataType::Float32;

    bool operator==(const TensorSpec&) const = default;
};

} // namespace core
