#pragma once

#include "simulator/numerics/bindings/bound_operation.h"

namespace simulator {

/// What a product's kernel does with its finished elements, after FusedEnd: see MatrixProduct.
struct ProductFinish {
    const float* scale = nullptr;
    const float* bias = nullptr;
    /// The whole tensor; null: none.
    const float* addend = nullptr;
    ProductEnd end = ProductEnd::Nothing;

    /// All but the addend, whose place depends on how the kernel is given its rows.
    template <class Product>
    void applyTo(Product& product) const {
        product.scale = scale;
        product.bias = bias;
        product.end = end;
    }
    /// The same for the columns from `column` on; the addend stays whole.
    [[nodiscard]] ProductFinish from(std::int64_t column) const {
        return {scale == nullptr ? nullptr : scale + column, bias == nullptr ? nullptr : bias + column,
                addend, end};
    }
};

/// Adds the phase that prepares a fused normalisation: its statistics may change between runs.
[[nodiscard]] ProductFinish productFinish(BindRequest& request, BoundOperation& bound);

} // namespace simulator
