#pragma once

#include "core/model/data_type.h"

#include <cstdint>

namespace simulator {

inline constexpr int movementAxes = 8;

/// Moves the elements of one strided view into another of the same extents. Strides in elements, may be 0
/// (source: broadcast) or negative; unused leading axes have extent 1.
struct StridedMove {
    std::int64_t extents[movementAxes] = {1, 1, 1, 1, 1, 1, 1, 1};
    std::int64_t fromStrides[movementAxes] = {};
    std::int64_t toStrides[movementAxes] = {};
    const void* from = nullptr;
    void* to = nullptr;
};

/// table [outer, rows, inner] at indices → out [outer, count, inner].
struct GatherMap {
    const float* table = nullptr;
    const std::int32_t* indices = nullptr;
    float* out = nullptr;
    std::int64_t outer = 1;
    std::int64_t rows = 0;
    std::int64_t count = 0;
    std::int64_t inner = 1;
};

struct MovementKernels {
    /// Rows (positions of all axes but the last) [begin, end). For elements of 1, 2 and 4 bytes.
    using Move = void (*)(const StridedMove&, std::int64_t begin, std::int64_t end);
    Move (*move)(int elementBytes);
    /// Elements [begin, end); to float or int32 and back, or from one to the other. float16 rounds to nearest
    /// even, whole numbers are cut off towards zero. Null when the two are alike.
    using Convert = void (*)(const void* from, void* to, std::int64_t begin, std::int64_t end);
    Convert (*convert)(core::DataType from, core::DataType to);
    /// Positions [begin, end) of outer · count. An index outside the table gives NaN.
    void (*gather)(const GatherMap&, std::int64_t begin, std::int64_t end);
    /// The table's gradient [outer, rows, inner] = sum of out's; `out` is read, `table` written. Inner
    /// elements [begin, end).
    void (*gatherGradient)(const GatherMap&, float* table, std::int64_t begin, std::int64_t end);
    void (*fill)(float* to, float value, std::int64_t begin, std::int64_t end);
};

} // namespace simulator
