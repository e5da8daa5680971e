#pragma once

#include "core/model/data_type.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace simulator {

/// Codelet families: code that a tile holds once, whatever number of operations uses it.
enum class CodeletFamily : std::uint8_t {
    MatrixProduct, ///< 1x1 partials with their zeroing and packing
    Convolution,   ///< partials of larger kernels
    Reduction,     ///< reductions by one function
    Slice,         ///< multiSlice and its index search
    SliceUpdate,   ///< multiUpdateAdd
    Elementwise,   ///< one function of one type
    Pooling,
    Random,
    Layout, ///< transpositions and packing copies
    Loss,
    PartialsReduction, ///< sums of a product's partials over tiles
};

/// Name of a family for a type, and for element-wise codelets and reductions the function, for products other
/// vertices than those of the matrix unit: "matmul/half", "conv/half/VMAC", "elementwise/float/Relu",
/// "reduce/half/Add".
[[nodiscard]] std::string codeletName(CodeletFamily family, core::DataType type,
                                      std::string_view function = {});

/// Bytes of code per tile of the codelet of that name (Poplar compilations of BERT-Large: matrix product
/// 1.45 kB, with a reduction 1.6 kB, norm 2.0 kB, gather 0.85 kB, element-wise 0.25 kB each).
[[nodiscard]] std::int64_t codeletBytes(std::string_view name);

} // namespace simulator
