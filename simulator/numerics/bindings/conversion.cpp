#include "simulator/numerics/bindings/conversion.h"

#include "simulator/numerics/kernel_choice.h"
#include "simulator/numerics/kernels/kernel_table.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace simulator {
namespace {

using core::DataType;

constexpr std::int64_t convertGrain = 65536;
constexpr std::int64_t roundedAtOnce = 256;
constexpr float largestHalf = 65504.0F;

/// x moved to a multiple of float16's spacing at x: up with the probability of the remainder. `uniform` has
/// 24 random bits.
float stochasticallyRounded(float x, float uniform) {
    constexpr std::uint32_t signBit = 0x80000000U;
    constexpr std::uint32_t infinite = 0x7f800000U;
    constexpr std::uint32_t smallestNormal = 0x38800000U; // 2⁻¹⁴; below, the spacing stays 2⁻²⁴
    constexpr int droppedBits = 13;                       // of float32's mantissa
    const auto bits = std::bit_cast<std::uint32_t>(x);
    const std::uint32_t magnitude = bits & ~signBit;
    if (magnitude >= infinite)
        return x;
    if (magnitude >= smallestNormal) {
        const auto random = static_cast<std::uint32_t>(uniform * static_cast<float>(1U << droppedBits));
        return std::bit_cast<float>(((magnitude + random) >> droppedBits << droppedBits) | (bits & signBit));
    }
    constexpr double spacing = 1.0 / (1 << 24);
    const double steps = static_cast<double>(std::bit_cast<float>(magnitude)) / spacing;
    const auto rounded = static_cast<float>(std::floor(steps + static_cast<double>(uniform)) * spacing);
    return std::copysign(rounded, x);
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
        return rangePhase(WorkPartition{count, convertGrain},
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
    return rangePhase(WorkPartition{count, convertGrain}, run);
}

} // namespace simulator
