#include "simulator/numerics/bindings/conversion.h"

#include "simulator/numerics/kernel_choice.h"
#include "simulator/numerics/kernels/kernel_table.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace simulator {
namespace {

using core::DataType;

constexpr std::int64_t convertGrain = 65536;
constexpr std::int64_t roundedAtOnce = 256;
constexpr float largestHalf = 65504.0F;

/// x moved to a multiple of float16's spacing at x: up with the probability of the remainder.
float stochasticallyRounded(float x, float uniform) {
    if (!std::isfinite(x) || x == 0)
        return x;
    constexpr int smallestExponent = -14; // of normal numbers; below, the spacing stays
    constexpr int mantissaBits = 10;
    const int exponent = std::max(std::ilogb(x), smallestExponent) - mantissaBits;
    const double steps = std::ldexp(static_cast<double>(std::abs(x)), -exponent);
    const double rounded = std::ldexp(std::floor(steps + static_cast<double>(uniform)), exponent);
    return static_cast<float>(std::copysign(rounded, static_cast<double>(x)));
}

/// Random numbers of a conversion: apart from those of every other operation.
RandomPlace placeOf(const StepState& state, core::OperationId operation) {
    constexpr std::uint64_t conversionStreams = std::uint64_t{1} << 40;
    return {state.seed, conversionStreams + operation.index(), state.draw};
}

} // namespace

BoundPhase convertPhase(const BindRequest& request, DataType from, DataType to, const std::byte* source,
                        std::byte* target, std::int64_t count) {
    const auto convert = kernels().movement.convert(from, to);
    const HalfRounding half = request.half;
    if (from != DataType::Float32 || to != DataType::Float16 || half == HalfRounding{})
        return rangePhase(Partition{count, convertGrain},
                          [=](const StepState&, std::int64_t begin, std::int64_t end, std::byte*) {
                              convert(source, target, begin, end);
                          });
    const auto* x = reinterpret_cast<const float*>(source);
    const core::OperationId operation = request.operation->id;
    const auto run = [=](const StepState& state, std::int64_t begin, std::int64_t end, std::byte*) {
        std::array<float, roundedAtOnce> values{};
        for (std::int64_t at = begin; at < end; at += roundedAtOnce) {
            const std::int64_t size = std::min(roundedAtOnce, end - at);
            std::copy_n(x + at, size, values.begin());
            if (half.stochastic) {
                std::array<float, roundedAtOnce> uniform{};
                kernels().random.uniform(placeOf(state, operation), uniform.data() - at, at, at + size);
                std::transform(values.begin(), values.begin() + size, uniform.begin(), values.begin(),
                               stochasticallyRounded);
            }
            for (std::int64_t i = 0; half.saturates && i < size; ++i)
                values[static_cast<std::size_t>(i)] =
                    std::clamp(values[static_cast<std::size_t>(i)], -largestHalf, largestHalf);
            convert(values.data(), target + at * 2, 0, size);
        }
    };
    return rangePhase(Partition{count, convertGrain}, run);
}

} // namespace simulator
