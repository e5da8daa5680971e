#pragma once

#include <cstdint>
#include <vector>

namespace simulator {

enum class ReduceFunction : std::uint8_t {
    Sum,
    Mean,
    Product,
    Maximum,
    Minimum,
    SumOfSquares,
    LogSumExp,
    Any,
    All
};

/// x → reduced over `axes`.
struct Reduce {
    ReduceFunction function = ReduceFunction::Sum;
    std::vector<std::int64_t> axes;
    bool keepAxes = false;
    bool operator==(const Reduce&) const = default;
};
/// x → running sums (products) along `axis`; `exclusive` leaves the own element out.
struct Cumulative {
    ReduceFunction function = ReduceFunction::Sum;
    std::int64_t axis = 0;
    bool exclusive = false;
    bool reverse = false;
    bool operator==(const Cumulative&) const = default;
};
/// x → position of the largest (smallest) element along `axis` as int32; the first of equals.
struct ArgReduce {
    bool minimum = false;
    std::int64_t axis = -1;
    bool keepAxis = false;
    bool operator==(const ArgReduce&) const = default;
};
/// x → the `count` largest of the last axis in falling order, their positions as int32.
struct TopK {
    std::int64_t count = 1;
    bool operator==(const TopK&) const = default;
};
/// indices → `on` at the index along a new last axis of `depth`, else `off`; an index outside gives all
/// `off`.
struct OneHot {
    std::int64_t depth = 0;
    double on = 1;
    double off = 0;
    bool operator==(const OneHot&) const = default;
};
/// x → `extents` by NumPy broadcasting (the gradient of a sum).
struct Broadcast {
    std::vector<std::int64_t> extents;
    bool operator==(const Broadcast&) const = default;
};

/// x → softmax over `axis` (log of it when `logarithm`).
struct Softmax {
    std::int64_t axis = -1;
    bool logarithm = false;
    bool operator==(const Softmax&) const = default;
};
/// y, dy → dx.
struct SoftmaxGradient {
    Softmax forward;
    bool operator==(const SoftmaxGradient&) const = default;
};

// clang-format off
#define REDUCTION_KINDS(KIND)                                                                               \
    KIND(Reduce) KIND(Cumulative) KIND(ArgReduce) KIND(TopK) KIND(OneHot) KIND(Broadcast) KIND(Softmax)     \
    KIND(SoftmaxGradient)
// clang-format on

} // namespace simulator
