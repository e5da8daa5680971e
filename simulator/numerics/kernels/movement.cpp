#include "simulator/numerics/kernels/movement.h"

#include "simulator/numerics/kernels/functions.h"
#include "simulator/numerics/kernels/kernel_table.h"

namespace simulator::KERNEL_VARIANT {
namespace {

using core::DataType;

/// A row of a move, by its indices on all axes but the last, and where it lies.
struct RowPosition {
    std::int64_t index[movementAxes - 1] = {};
    std::int64_t from = 0;
    std::int64_t to = 0;

    RowPosition(const StridedMove& move, std::int64_t row) {
        for (int axis = movementAxes - 2; axis >= 0; --axis) {
            index[axis] = row % move.extents[axis];
            row /= move.extents[axis];
            from += index[axis] * move.fromStrides[axis];
            to += index[axis] * move.toStrides[axis];
        }
    }
    /// Goes on by `rows`, which end within the innermost of the axes or with it.
    void advance(const StridedMove& move, std::int64_t rows) {
        for (int axis = movementAxes - 2; axis >= 0; --axis, rows = 1) {
            index[axis] += rows;
            from += rows * move.fromStrides[axis];
            to += rows * move.toStrides[axis];
            if (index[axis] < move.extents[axis])
                return;
            from -= index[axis] * move.fromStrides[axis];
            to -= index[axis] * move.toStrides[axis];
            index[axis] = 0;
        }
    }
};

template <class Element>
void moveRow(const Element* from, std::int64_t fromStep, Element* to, std::int64_t toStep,
             std::int64_t count) {
    if (fromStep == 1 && toStep == 1) {
#pragma GCC ivdep
        for (std::int64_t i = 0; i < count; ++i)
            to[i] = from[i];
    } else if (fromStep == 0 && toStep == 1) {
        const Element same = count > 0 ? *from : Element{};
        for (std::int64_t i = 0; i < count; ++i)
            to[i] = same;
    } else {
        for (std::int64_t i = 0; i < count; ++i)
            to[i * toStep] = from[i * fromStep];
    }
}

template <class Element>
void moveRows(const StridedMove& move, std::int64_t begin, std::int64_t end) {
    constexpr int last = movementAxes - 1;
    constexpr int outer = last - 1;
    const std::int64_t length = move.extents[last];
    const std::int64_t fromStep = move.fromStrides[last];
    const std::int64_t toStep = move.toStrides[last];
    const std::int64_t fromRow = move.fromStrides[outer];
    const std::int64_t toRow = move.toStrides[outer];
    const bool isOneRun = fromRow == length * fromStep && toRow == length * toStep;
    if (begin >= end)
        return;
    RowPosition at(move, begin);
    for (std::int64_t row = begin; row < end;) {
        const std::int64_t rows = smaller(end - row, move.extents[outer] - at.index[outer]);
        const Element* from = static_cast<const Element*>(move.from) + at.from;
        Element* to = static_cast<Element*>(move.to) + at.to;
        if (isOneRun)
            moveRow(from, fromStep, to, toStep, rows * length);
        else if (length == 1)
            moveRow(from, fromRow, to, toRow, rows);
        else
            for (std::int64_t i = 0; i < rows; ++i)
                moveRow(from + i * fromRow, fromStep, to + i * toRow, toStep, length);
        row += rows;
        at.advance(move, rows);
    }
}

MovementKernels::Move move(int elementBytes) {
    if (elementBytes == 1)
        return moveRows<std::uint8_t>;
    return elementBytes == 2 ? moveRows<std::uint16_t> : moveRows<std::uint32_t>;
}

/// IEEE half precision in 16 bits.
struct Half {
    std::uint16_t bits;
};

[[gnu::always_inline]] inline float widen(Half half) {
    const std::uint32_t sign = (half.bits & 0x8000U) << 16;
    const std::uint32_t rest = half.bits & 0x7fffU;
    // Exponent rebiased by a multiplication, which also normalises subnormal numbers.
    const float scaled = bitsToFloat(rest << 13) * bitsToFloat(0x77800000U);
    const std::uint32_t special = 0x7f800000U | (rest << 13);
    return bitsToFloat(sign | (rest >= 0x7c00U ? special : floatToBits(scaled)));
}

[[gnu::always_inline]] inline Half narrow(float value) {
    const std::uint32_t bits = floatToBits(value);
    const std::uint32_t sign = bits & 0x80000000U;
    const std::uint32_t magnitude = bits & 0x7fffffffU;
    // Normal results: round to nearest even by adding half of the last place, then rebias.
    const std::uint32_t odd = (magnitude >> 13) & 1U;
    std::uint32_t result = (magnitude + 0xfffU + odd - 0x38000000U) >> 13;
    // Subnormal results: an addition that lines the bits up rounds them.
    const float aligned = bitsToFloat(magnitude) + 0.5F;
    const std::uint32_t subnormal = floatToBits(aligned) - 0x3f000000U;
    result = magnitude < 0x38800000U ? subnormal : result;
    result = magnitude >= 0x47800000U ? (magnitude > 0x7f800000U ? 0x7e00U : 0x7c00U) : result;
    return {static_cast<std::uint16_t>(result | (sign >> 16))};
}

/// True and false as one byte.
struct Boolean {
    std::uint8_t value;
};

[[gnu::always_inline]] inline std::int32_t truncated(float value) {
    // Beyond the range of int32 a conversion is undefined in C++; hold the ends instead.
    if (!(value > -2147483648.0F))
        return value == value ? -2147483647 - 1 : 0;
    return value < 2147483648.0F ? static_cast<std::int32_t>(value) : 2147483647;
}

template <class To>
struct Converted {
    template <class From>
    static To from(From value) {
        return static_cast<To>(value);
    }
    static To from(Half value) { return from(widen(value)); }
    static To from(Boolean value) { return static_cast<To>(value.value != 0 ? 1 : 0); }
    static To from(float value) {
        if constexpr (static_cast<To>(0.5F) == 0)
            return static_cast<To>(truncated(value));
        else
            return value;
    }
};
template <>
struct Converted<Half> {
    template <class From>
    static Half from(From value) {
        return narrow(static_cast<float>(value));
    }
    static Half from(Boolean value) { return narrow(value.value != 0 ? 1.0F : 0.0F); }
};
template <>
struct Converted<Boolean> {
    template <class From>
    static Boolean from(From value) {
        return {static_cast<std::uint8_t>(value != From{} ? 1 : 0)};
    }
    static Boolean from(Half value) { return from(widen(value)); }
};

template <class From, class To>
void convertRange(const void* from, void* to, std::int64_t begin, std::int64_t end) {
    const From* x = static_cast<const From*>(from);
    To* y = static_cast<To*>(to);
#pragma GCC ivdep
    for (std::int64_t i = begin; i < end; ++i)
        y[i] = Converted<To>::from(x[i]);
}

template <class From, class To>
struct Conversion {
    static constexpr MovementKernels::Convert range = convertRange<From, To>;
};
template <class Same>
struct Conversion<Same, Same> {
    static constexpr MovementKernels::Convert range = nullptr;
};

template <class From>
MovementKernels::Convert convertFrom(DataType to) {
    switch (to) {
    case DataType::Float32:
        return Conversion<From, float>::range;
    case DataType::Float16:
        return Conversion<From, Half>::range;
    case DataType::Int32:
        return Conversion<From, std::int32_t>::range;
    case DataType::Int16:
        return Conversion<From, std::int16_t>::range;
    case DataType::Int8:
        return Conversion<From, std::int8_t>::range;
    case DataType::UInt32:
        return Conversion<From, std::uint32_t>::range;
    case DataType::UInt16:
        return Conversion<From, std::uint16_t>::range;
    case DataType::UInt8:
        return Conversion<From, std::uint8_t>::range;
    case DataType::Bool:
        return Conversion<From, Boolean>::range;
    }
    return nullptr;
}

MovementKernels::Convert convert(DataType from, DataType to) {
    if (from == to)
        return nullptr;
    switch (from) {
    case DataType::Float32:
        return convertFrom<float>(to);
    case DataType::Float16:
        return convertFrom<Half>(to);
    case DataType::Int32:
        return convertFrom<std::int32_t>(to);
    case DataType::Int16:
        return convertFrom<std::int16_t>(to);
    case DataType::Int8:
        return convertFrom<std::int8_t>(to);
    case DataType::UInt32:
        return convertFrom<std::uint32_t>(to);
    case DataType::UInt16:
        return convertFrom<std::uint16_t>(to);
    case DataType::UInt8:
        return convertFrom<std::uint8_t>(to);
    case DataType::Bool:
        return convertFrom<Boolean>(to);
    }
    return nullptr;
}

void gather(const GatherMap& map, std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
        const std::int64_t outer = i / map.count;
        const std::int64_t index = map.indices[i % map.count];
        float* out = map.out + i * map.inner;
        if (index < 0 || index >= map.rows) {
            for (std::int64_t j = 0; j < map.inner; ++j)
                out[j] = bitsToFloat(0x7fc00000U);
            continue;
        }
        const float* row = map.table + (outer * map.rows + index) * map.inner;
#pragma GCC ivdep
        for (std::int64_t j = 0; j < map.inner; ++j)
            out[j] = row[j];
    }
}

void gatherGradient(const GatherMap& map, float* table, std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = 0; row < map.outer * map.rows; ++row) {
        for (std::int64_t j = begin; j < end; ++j)
            table[row * map.inner + j] = 0;
    }
    for (std::int64_t i = 0; i < map.outer * map.count; ++i) {
        const std::int64_t index = map.indices[i % map.count];
        if (index < 0 || index >= map.rows)
            continue;
        float* to = table + (i / map.count * map.rows + index) * map.inner;
        const float* from = map.out + i * map.inner;
#pragma GCC ivdep
        for (std::int64_t j = begin; j < end; ++j)
            to[j] += from[j];
    }
}

void fill(float* to, float value, std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
        to[i] = value;
}

} // namespace

const MovementKernels& movementKernels() {
    static constexpr MovementKernels kernels{move, convert, gather, gatherGradient, fill};
    return kernels;
}

} // namespace simulator::KERNEL_VARIANT
