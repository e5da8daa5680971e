#include "simulator/numerics/kernels/matrix_product.h"

#include "simulator/numerics/kernels/kernel_table.h"
#include "simulator/numerics/kernels/products/panel.h"
#include "simulator/numerics/kernels/vector.h"

namespace simulator::KERNEL_VARIANT {
namespace {

/// Inner extent of one packed block: blockRows rows of it and a panel of the right operand stay in the first
/// two cache levels.
constexpr std::int64_t innerBlock = 256;
/// Columns of one packed block.
constexpr std::int64_t columnBlock = blockColumns * (lanes == 16 ? 16 : 24);
/// With as few rows, or as short an inner extent, the right operand is read where it lies: packing would cost
/// more than it saves.
constexpr std::int64_t directLimit = 64;
/// With so long an inner extent there is time to fetch the result's place while it is computed.
constexpr std::int64_t longInner = 64;
/// Rows this far apart fall into the same few cache sets.
constexpr std::int64_t conflictStride = 1024;

/// The register block: up to blockRows × blockVectors accumulators over the whole inner extent.
struct Tile {
    const float* rowStarts[blockRows];
    const std::int64_t* segmentOffsets = nullptr;
    std::int64_t segments = 1;
    std::int64_t segmentLength = 0;
    std::int64_t step = 1;
    const float* right = nullptr;
    std::int64_t rightRow = 0;
    float* outStarts[blockRows];
    /// Valid columns, at most vectors · lanes.
    std::int64_t columns = 0;
    /// Elements of a row of out are this far apart.
    std::int64_t outColumn = 1;
    const float* scale = nullptr;
    const float* bias = nullptr;
    /// Where the rows of the summand begin, if there is one.
    const float* addStarts[blockRows];
    bool hasAddend = false;
    bool accumulate = false;
    /// Rows of the right operand lie apart and are fetched before they are needed.
    bool readsAhead = false;
    ProductEnd end = ProductEnd::Nothing;
    PartialSums partials;
};

template <int Vectors>
[[gnu::always_inline]] inline void finishVectors(const Tile& tile, int row, Vector* sums) {
    float* out = tile.outStarts[row];
#pragma GCC unroll 4
    for (int j = 0; j < Vectors; ++j) {
        if (tile.accumulate)
            sums[j] += loadVector(out + j * lanes);
        if (tile.scale != nullptr)
            sums[j] *= loadVector(tile.scale + j * lanes);
        if (tile.bias != nullptr)
            sums[j] += loadVector(tile.bias + j * lanes);
        if (tile.hasAddend)
            sums[j] += loadVector(tile.addStarts[row] + j * lanes);
        if (tile.end == ProductEnd::Relu)
            sums[j] = sums[j] < 0.0F ? Vector{} : sums[j];
        storeVector(out + j * lanes, sums[j]);
    }
}

/// The same, one element at a time: a block that ends inside a vector, or that is stored with rows and
/// columns exchanged.
template <int Rows, int Vectors>
[[gnu::noinline]] void finishElements(const Tile& tile, const Vector (*sums)[Vectors]) {
    float values[Rows][Vectors * lanes];
    for (int i = 0; i < Rows; ++i) {
        for (int j = 0; j < Vectors; ++j)
            storeVector(values[i] + j * lanes, sums[i][j]);
    }
    for (std::int64_t j = 0; j < tile.columns; ++j) {
        for (int i = 0; i < Rows; ++i) {
            float* out = tile.outStarts[i] + j * tile.outColumn;
            float value = values[i][j];
            if (tile.accumulate)
                value += *out;
            if (tile.scale != nullptr)
                value *= tile.scale[j];
            if (tile.bias != nullptr)
                value += tile.bias[j];
            if (tile.hasAddend)
                value += tile.addStarts[i][j];
            if (tile.end == ProductEnd::Relu && value < 0)
                value = 0;
            *out = value;
        }
    }
}

template <int Rows, int Vectors, bool ReadsAhead>
[[gnu::noinline]] void computeTile(const Tile& tile) {
    Vector sums[Rows][Vectors] = {};
    const float* right = tile.right;
    const std::int64_t rightRow = tile.rightRow;
    const std::int64_t step = tile.step;
    [[maybe_unused]] const std::int64_t ahead = 8 * rightRow;
    if (tile.outColumn == 1 && tile.segments * tile.segmentLength >= longInner) {
        for (int i = 0; i < Rows; ++i)
            for (int j = 0; j < Vectors; ++j)
                __builtin_prefetch(tile.outStarts[i] + j * lanes, 1);
        if (tile.hasAddend) {
            for (int i = 0; i < Rows; ++i)
                for (int j = 0; j < Vectors; ++j)
                    __builtin_prefetch(tile.addStarts[i] + j * lanes);
        }
    }
    for (std::int64_t segment = 0; segment < tile.segments; ++segment) {
        const std::int64_t offset = tile.segmentOffsets == nullptr ? 0 : tile.segmentOffsets[segment];
        const float* left[Rows];
        for (int i = 0; i < Rows; ++i)
            left[i] = tile.rowStarts[i] + offset;
#pragma GCC unroll 4
        for (std::int64_t k = 0; k < tile.segmentLength; ++k) {
            Vector row[Vectors];
#pragma GCC unroll 4
            for (int j = 0; j < Vectors; ++j)
                row[j] = loadVector(right + j * lanes);
            if constexpr (ReadsAhead) {
#pragma GCC unroll 4
                for (int j = 0; j < Vectors; ++j)
                    __builtin_prefetch(right + ahead + j * lanes);
            }
            right += rightRow;
#pragma GCC unroll 16
            for (int i = 0; i < Rows; ++i) {
                const float factor = left[i][k * step];
#pragma GCC unroll 4
                for (int j = 0; j < Vectors; ++j)
                    sums[i][j] += factor * row[j];
            }
        }
    }
    const bool isWhole = tile.columns == Vectors * lanes && tile.outColumn == 1;
    if (!isWhole) {
        // A copy, so that the sums themselves need no address and stay in registers.
        Vector complete[Rows][Vectors];
#pragma GCC unroll 16
        for (int i = 0; i < Rows; ++i) {
#pragma GCC unroll 4
            for (int j = 0; j < Vectors; ++j)
                complete[i][j] = sums[i][j];
        }
        finishElements<Rows, Vectors>(tile, complete);
        return;
    }
#pragma GCC unroll 16
    for (int i = 0; i < Rows; ++i)
        finishVectors<Vectors>(tile, i, sums[i]);
}

using Bits = std::uint32_t __attribute__((vector_size(lanes * sizeof(float))));

/// Float16's nearest value, to even between two; what is too large becomes infinite.
[[gnu::always_inline]] inline Vector roundedToHalf(Vector value) {
    const Bits bits = reinterpret_cast<Bits>(value);
    const Bits sign = bits & 0x80000000U;
    const Bits magnitude = bits & 0x7fffffffU;
    // Normal numbers: half of the last place added, then what is behind it cut off.
    const Bits normal = (magnitude + 0xfffU + ((magnitude >> 13) & 1U)) & 0xffffe000U;
    // Below, the spacing stays 2⁻²⁴: that of float32 at one half.
    const Vector aligned = reinterpret_cast<Vector>(magnitude) + 0.5F - 0.5F;
    Bits result = magnitude < 0x38800000U ? reinterpret_cast<Bits>(aligned) : normal;
    const Bits infinite = Bits{} + 0x7f800000U;
    result = (result >= 0x47800000U) & (magnitude <= 0x7f800000U) ? infinite : result;
    result = magnitude > 0x7f800000U ? magnitude : result;
    result |= sign;
    return reinterpret_cast<Vector>(result);
}

[[gnu::always_inline]] inline Vector bounded(Vector value, float largest) {
    const Vector high = Vector{} + largest;
    value = value > high ? high : value;
    return value < -high ? -high : value;
}

/// The same with sums that are float16 between groups of inner elements.
template <int Rows, int Vectors>
[[gnu::noinline]] void computeHalfTile(const Tile& tile) {
    Vector sums[Rows][Vectors] = {};
    for (int i = 0; tile.accumulate && i < Rows; ++i) {
        float values[Vectors * lanes] = {};
        for (std::int64_t j = 0; j < tile.columns; ++j)
            values[j] = tile.outStarts[i][j * tile.outColumn];
        for (int j = 0; j < Vectors; ++j)
            sums[i][j] = loadVector(values + j * lanes);
    }
    const float* right = tile.right;
    for (std::int64_t segment = 0; segment < tile.segments; ++segment) {
        const std::int64_t offset = tile.segmentOffsets == nullptr ? 0 : tile.segmentOffsets[segment];
        for (std::int64_t begin = 0; begin < tile.segmentLength; begin += PartialSums::group) {
            const std::int64_t end = smaller(tile.segmentLength, begin + PartialSums::group);
            Vector parts[Rows][Vectors] = {};
            for (std::int64_t k = begin; k < end; ++k) {
                for (int i = 0; i < Rows; ++i)
                    for (int j = 0; j < Vectors; ++j)
                        parts[i][j] +=
                            tile.rowStarts[i][offset + k * tile.step] * loadVector(right + j * lanes);
                right += tile.rightRow;
            }
            for (int i = 0; i < Rows; ++i)
                for (int j = 0; j < Vectors; ++j)
                    sums[i][j] = roundedToHalf(bounded(sums[i][j] + parts[i][j], tile.partials.largest));
        }
    }
    Tile complete = tile;
    complete.accumulate = false;
    finishElements<Rows, Vectors>(complete, sums);
}

using TileFunction = void (*)(const Tile&);

template <int Rows, bool ReadsAhead>
constexpr TileFunction tileOfVectors(std::int64_t vectors) {
    if (vectors == 1)
        return computeTile<Rows, 1, ReadsAhead>;
    if constexpr (blockVectors >= 3) {
        if (vectors == 3)
            return computeTile<Rows, 3, ReadsAhead>;
    }
    return computeTile<Rows, 2, ReadsAhead>;
}

struct TileTable {
    TileFunction of[blockRows + 1][blockVectors + 1] = {};
};

template <bool ReadsAhead>
constexpr TileTable tileTable() {
    TileTable table;
    for (std::int64_t v = 1; v <= blockVectors; ++v) {
        table.of[1][v] = tileOfVectors<1, ReadsAhead>(v);
        table.of[2][v] = tileOfVectors<2, ReadsAhead>(v);
        table.of[3][v] = tileOfVectors<3, ReadsAhead>(v);
        table.of[4][v] = tileOfVectors<4, ReadsAhead>(v);
        if constexpr (blockRows > 4) {
            table.of[5][v] = tileOfVectors<5, ReadsAhead>(v);
            table.of[6][v] = tileOfVectors<6, ReadsAhead>(v);
            table.of[7][v] = tileOfVectors<7, ReadsAhead>(v);
            table.of[8][v] = tileOfVectors<8, ReadsAhead>(v);
        }
    }
    return table;
}

void computeHalfTileOf(std::int64_t rows, std::int64_t vectors, const Tile& tile) {
    // A row at a time: what half partials save on the IPU is memory, and here nothing.
    for (std::int64_t i = 0; i < rows; ++i) {
        Tile one = tile;
        one.rowStarts[0] = tile.rowStarts[i];
        one.outStarts[0] = tile.outStarts[i];
        one.addStarts[0] = tile.addStarts[i];
        if (vectors == 1)
            computeHalfTile<1, 1>(one);
        else if (vectors == 2)
            computeHalfTile<1, 2>(one);
        else
            computeHalfTile<1, 3>(one);
    }
}

void computeTileOf(std::int64_t rows, std::int64_t vectors, const Tile& tile) {
    static constexpr TileTable near = tileTable<false>();
    static constexpr TileTable far = tileTable<true>();
    if (tile.partials.half)
        computeHalfTileOf(rows, vectors, tile);
    else
        (tile.readsAhead ? far : near).of[rows][vectors](tile);
}

/// One panel of up to blockColumns columns; vectors that stick out are filled with zeros.
void packPanel(const float* right, std::int64_t rowStride, std::int64_t columnStride, std::int64_t inner,
               std::int64_t columns, float* packed) {
    const std::int64_t width = blocks(columns, lanes) * lanes;
    if (columnStride == 1) {
        for (std::int64_t k = 0; k < inner; ++k) {
            const float* row = right + k * rowStride;
            for (std::int64_t j = 0; j < columns; ++j)
                packed[k * width + j] = row[j];
        }
    } else {
        for (std::int64_t j = 0; j < columns; ++j) {
            const float* column = right + j * columnStride;
            for (std::int64_t k = 0; k < inner; ++k)
                packed[k * width + j] = column[k * rowStride];
        }
    }
    for (std::int64_t k = 0; width > columns && k < inner; ++k) {
        for (std::int64_t j = columns; j < width; ++j)
            packed[k * width + j] = 0;
    }
}

std::int64_t packedSize(std::int64_t inner, std::int64_t columns) {
    return blocks(columns, lanes) * lanes * inner;
}

/// All whole panels of a right operand with contiguous rows, a row at a time: what is read lies together.
std::int64_t packRows(const float* right, std::int64_t rowStride, std::int64_t inner, std::int64_t columns,
                      float* packed) {
    const std::int64_t whole = columns / blockColumns * blockColumns;
    for (std::int64_t k = 0; k < inner; ++k) {
        const float* row = right + k * rowStride;
        for (std::int64_t j = 0; j < whole; j += blockColumns) {
            float* to = packed + j * inner + k * blockColumns;
            for (std::int64_t v = 0; v < blockVectors; ++v)
                storeVector(to + v * lanes, loadVector(row + j + v * lanes));
        }
    }
    return whole;
}

void packRight(const float* right, std::int64_t rowStride, std::int64_t columnStride, std::int64_t inner,
               std::int64_t columns, float* packed) {
    std::int64_t first = 0;
    // The last panels share what is left of four vectors.
    if (columnStride == 1 && columns > (blockVectors + 1) * lanes) {
        first = packRows(right, rowStride, inner, columns - (blockVectors + 1) * lanes, packed);
        packed += first * inner;
    }
    for (std::int64_t j = first, width = 0; j < columns; j += width) {
        width = panelColumns(columns - j);
        packPanel(right + j * columnStride, rowStride, columnStride, inner, width, packed);
        packed += packedSize(inner, width);
    }
}

std::int64_t productScratch() {
    return innerBlock * columnBlock;
}

/// One block of the product: `inner` of the inner extent, right operand in panels or where it lies.
struct ProductBlock {
    const MatrixProduct* product;
    std::int64_t innerBegin;
    std::int64_t inner;
    /// Right operand of the first column; `panelStride` floats to the next panel.
    const float* right;
    std::int64_t rightRow;
    bool isPacked;
    /// The result is stored with rows and columns exchanged.
    bool isSwapped;
    bool isFirst;
    bool isLast;
};

void computeBlock(const ProductBlock& block, std::int64_t rowBegin, std::int64_t rowEnd,
                  std::int64_t columnBegin, std::int64_t columnEnd) {
    const MatrixProduct& product = *block.product;
    Tile tile;
    tile.partials = product.partials;
    tile.segmentLength = block.inner;
    tile.step = product.leftColumn;
    tile.accumulate = product.accumulate || !block.isFirst;
    tile.end = block.isLast ? product.end : ProductEnd::Nothing;
    tile.outColumn = block.isSwapped ? product.outRow : 1;
    tile.hasAddend = block.isLast && product.addend != nullptr;
    tile.readsAhead = !block.isPacked && block.inner > directLimit;
    for (std::int64_t i = rowBegin; i < rowEnd; i += blockRows) {
        const std::int64_t rows = smaller(rowEnd - i, blockRows);
        for (std::int64_t r = 0; r < rows; ++r)
            tile.rowStarts[r] =
                product.left + (i + r) * product.leftRow + block.innerBegin * product.leftColumn;
        const float* right = block.right;
        for (std::int64_t j = columnBegin; j < columnEnd; j += tile.columns) {
            tile.columns = panelColumns(columnEnd - j);
            const std::int64_t vectors = blocks(tile.columns, lanes);
            tile.right = right;
            tile.rightRow = block.isPacked ? vectors * lanes : block.rightRow;
            right += block.isPacked ? vectors * lanes * block.inner : tile.columns;
            tile.scale = block.isLast && product.scale != nullptr ? product.scale + j : nullptr;
            tile.bias = block.isLast && product.bias != nullptr ? product.bias + j : nullptr;
            for (std::int64_t r = 0; r < rows; ++r)
                tile.outStarts[r] = block.isSwapped ? product.out + j * product.outRow + i + r
                                                    : product.out + (i + r) * product.outRow + j;
            for (std::int64_t r = 0; tile.hasAddend && r < rows; ++r)
                tile.addStarts[r] = product.addend + (i + r) * product.outRow + j;
            computeTileOf(rows, vectors, tile);
        }
    }
}

/// Few rows and a right operand with contiguous rows: no packing but of the columns behind the last whole
/// vector.
void computeDirect(const MatrixProduct& product, std::int64_t rowBegin, std::int64_t rowEnd,
                   std::int64_t columnBegin, std::int64_t columnEnd, float* scratch) {
    const std::int64_t whole = columnBegin + (columnEnd - columnBegin) / lanes * lanes;
    ProductBlock block{&product, 0,    product.inner, product.right + columnBegin, product.rightRow, false,
                       false,    true, true};
    computeBlock(block, rowBegin, rowEnd, columnBegin, whole);
    if (whole == columnEnd)
        return;
    block.isPacked = true;
    block.right = scratch;
    const std::int64_t innerStep = productScratch() / lanes;
    for (std::int64_t k = 0; k == 0 || k < product.inner; k += innerStep) {
        block.innerBegin = k;
        block.inner = smaller(product.inner - k, innerStep);
        block.isFirst = k == 0;
        block.isLast = k + innerStep >= product.inner;
        packPanel(product.right + k * product.rightRow + whole, product.rightRow, 1, block.inner,
                  columnEnd - whole, scratch);
        computeBlock(block, rowBegin, rowEnd, whole, columnEnd);
    }
}

void computePacked(const MatrixProduct& product, bool isSwapped, std::int64_t rowBegin, std::int64_t rowEnd,
                   std::int64_t columnBegin, std::int64_t columnEnd, float* scratch) {
    for (std::int64_t j = columnBegin; j < columnEnd; j += columnBlock) {
        const std::int64_t columns = smaller(columnEnd - j, columnBlock);
        // Narrow blocks may be deeper: fewer passes over the result.
        std::int64_t depth =
            larger(innerBlock, smaller(4 * innerBlock, productScratch() / packedSize(1, columns)));
        if (product.partials.half)
            depth = depth / PartialSums::group * PartialSums::group;
        for (std::int64_t k = 0; k == 0 || k < product.inner; k += depth) {
            const std::int64_t inner = smaller(product.inner - k, depth);
            packRight(product.right + k * product.rightRow + j * product.rightColumn, product.rightRow,
                      product.rightColumn, inner, columns, scratch);
            const ProductBlock block{
                &product, k, inner, scratch, 0, true, isSwapped, k == 0, k + depth >= product.inner};
            computeBlock(block, rowBegin, rowEnd, j, j + columns);
        }
    }
}

/// The transposed product right^T × left^T, whose result is stored transposed again.
MatrixProduct swapped(const MatrixProduct& product) {
    MatrixProduct result = product;
    result.rows = product.columns;
    result.columns = product.rows;
    result.left = product.right;
    result.leftRow = product.rightColumn;
    result.leftColumn = product.rightRow;
    result.right = product.left;
    result.rightRow = product.leftColumn;
    result.rightColumn = product.leftRow;
    return result;
}

void product(const MatrixProduct& whole, std::int64_t rowBegin, std::int64_t rowEnd, std::int64_t columnBegin,
             std::int64_t columnEnd, float* scratch) {
    // Packing touches the whole right operand; where that is the larger one and lies the wrong way, the roles
    // are exchanged. What is added lies along the columns, so a product with that keeps its roles.
    const bool canSwap = whole.bias == nullptr && whole.addend == nullptr && whole.rightColumn != 1;
    if (canSwap && whole.rows * 4 <= whole.columns) {
        computePacked(swapped(whole), true, columnBegin, columnEnd, rowBegin, rowEnd, scratch);
        return;
    }
    const bool conflicts = whole.rightRow % conflictStride == 0 && whole.inner > innerBlock;
    if (whole.rightColumn == 1 && (whole.rows <= directLimit || whole.inner <= directLimit) && !conflicts)
        computeDirect(whole, rowBegin, rowEnd, columnBegin, columnEnd, scratch);
    else
        computePacked(whole, false, rowBegin, rowEnd, columnBegin, columnEnd, scratch);
}

void segmentedProduct(const SegmentedProduct& product, std::int64_t rowBegin, std::int64_t rowEnd) {
    // Panels of the right operand stay in the second cache level for all rows: the inner extent goes in
    // blocks of whole segments.
    constexpr std::int64_t panelFloats = 64 * 1024;
    const std::int64_t segmentsAtOnce =
        larger<std::int64_t>(1, panelFloats / larger<std::int64_t>(1, product.segmentLength * blockColumns));
    const std::int64_t inner = product.segments * product.segmentLength;
    Tile tile;
    tile.partials = product.partials;
    tile.segmentLength = product.segmentLength;
    tile.step = product.step;
    const float* panel = product.packedRight;
    for (std::int64_t j = 0; j < product.columns; j += tile.columns) {
        tile.columns = panelColumns(product.columns - j);
        const std::int64_t vectors = blocks(tile.columns, lanes);
        tile.rightRow = vectors * lanes;
        for (std::int64_t s = 0; s == 0 || s < product.segments; s += segmentsAtOnce) {
            tile.segments = smaller(product.segments - s, segmentsAtOnce);
            tile.segmentOffsets = product.segmentOffsets + s;
            tile.right = panel + s * product.segmentLength * tile.rightRow;
            const bool isLast = s + segmentsAtOnce >= product.segments;
            tile.accumulate = product.accumulate || s > 0;
            tile.scale = isLast && product.scale != nullptr ? product.scale + j : nullptr;
            tile.bias = isLast && product.bias != nullptr ? product.bias + j : nullptr;
            tile.hasAddend = isLast && product.addStarts != nullptr;
            tile.end = isLast ? product.end : ProductEnd::Nothing;
            for (std::int64_t i = rowBegin; i < rowEnd; i += blockRows) {
                const std::int64_t rows = smaller(rowEnd - i, blockRows);
                for (std::int64_t r = 0; r < rows; ++r) {
                    tile.rowStarts[r] = product.rowStarts[i + r];
                    tile.outStarts[r] = product.outStarts[i + r] + j;
                    if (tile.hasAddend)
                        tile.addStarts[r] = product.addStarts[i + r] + j;
                }
                computeTileOf(rows, vectors, tile);
            }
        }
        panel += inner * tile.rightRow;
    }
}

} // namespace

const MatrixKernels& matrixKernels() {
    static constexpr MatrixKernels kernels{productScratch, product,          packedSize,
                                           packRight,      segmentedProduct, blockColumns};
    return kernels;
}

} // namespace simulator::KERNEL_VARIANT
