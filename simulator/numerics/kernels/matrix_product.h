#pragma once

#include <cstdint>

namespace simulator {

/// What happens to a finished element of a product before it is stored.
enum class ProductEnd : std::uint8_t { Nothing, Relu };

/// How sums of products are kept until they are complete.
struct PartialSums {
    /// As float16 instead of float32: the products of `group` inner elements are summed as float32, then
    /// added to the float16 sum, which rounds to the nearest. The model of the IPU's half partials, whose
    /// unit takes 16 inner elements of float16 operands at once.
    bool half = false;
    /// Larger sums become this large, of their sign; infinity: they overflow.
    float largest = __builtin_inff();

    static constexpr std::int64_t group = 16;
};

/// out [rows, columns] = left [rows, inner] × right [inner, columns], plus what `out` holds when
/// `accumulate`, times `scale` [columns], plus `bias` [columns] and plus `addend` [rows, columns] where there
/// is one. Strides in elements; one stride of each operand is 1; the rows of out are contiguous.
struct MatrixProduct {
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t inner = 0;
    const float* left = nullptr;
    std::int64_t leftRow = 0;
    std::int64_t leftColumn = 1;
    const float* right = nullptr;
    std::int64_t rightRow = 0;
    std::int64_t rightColumn = 1;
    float* out = nullptr;
    std::int64_t outRow = 0;
    /// Only with a bias.
    const float* scale = nullptr;
    const float* bias = nullptr;
    /// Its rows lie as far apart as those of out, but it is not out.
    const float* addend = nullptr;
    bool accumulate = false;
    ProductEnd end = ProductEnd::Nothing;
    /// Groups begin with the inner extent.
    PartialSums partials;
};

/// The left operand of a convolution's product is never built: row r of it consists of `segments` runs of
/// `segmentLength` elements, run s starting at rowStarts[r] + segmentOffsets[s], `step` apart. Row r of the
/// result goes to outStarts[r].
struct SegmentedProduct {
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t segments = 0;
    std::int64_t segmentLength = 0;
    std::int64_t step = 1;
    const float* const* rowStarts = nullptr;
    const std::int64_t* segmentOffsets = nullptr;
    /// In panels as `packRight` lays them out: inner = segments · segmentLength rows.
    const float* packedRight = nullptr;
    float* const* outStarts = nullptr;
    /// Only with a bias.
    const float* scale = nullptr;
    const float* bias = nullptr;
    /// Rows that are added to those of the result; null: none.
    const float* const* addStarts = nullptr;
    bool accumulate = false;
    ProductEnd end = ProductEnd::Nothing;
    /// Groups begin with every run.
    PartialSums partials;
};

/// What the matrix products of one instruction set offer. All calls are free of allocation; disjoint ranges
/// may run on different threads. The order of additions of an element depends on the shape alone.
struct MatrixKernels {
    /// Floats of scratch that `product` needs.
    std::int64_t (*productScratch)();
    /// Computes the rows [rowBegin, rowEnd) and columns [columnBegin, columnEnd) of the result.
    void (*product)(const MatrixProduct& product, std::int64_t rowBegin, std::int64_t rowEnd,
                    std::int64_t columnBegin, std::int64_t columnEnd, float* scratch);
    /// Floats that packing a right operand needs.
    std::int64_t (*packedSize)(std::int64_t inner, std::int64_t columns);
    /// right[k·rowStride + j·columnStride] into column panels, padded with zeros.
    void (*packRight)(const float* right, std::int64_t rowStride, std::int64_t columnStride,
                      std::int64_t inner, std::int64_t columns, float* packed);
    void (*segmentedProduct)(const SegmentedProduct& product, std::int64_t rowBegin, std::int64_t rowEnd);
    /// Columns whose results are computed together: ranges of columns begin at multiples of it.
    std::int64_t columnGrain;
};

} // namespace simulator
