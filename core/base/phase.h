#pragma once

#include <cstddef>
#include <cstdint>

namespace core {

/// Which part of a micro-batch's way, or of a weight update, a piece of work belongs to. The numbers are
/// stored in profiles: new phases come at the end.
enum class Phase : std::uint8_t {
    Forward = 0,
    /// The whole backward pass; where a schedule splits it, the gradients of the activations.
    Backward = 1,
    /// Forward work done again for the sake of the backward pass.
    Recompute = 2,
    /// Once per weight update.
    WeightUpdate = 3,
    /// The gradients of the weights, where a schedule runs them apart from those of the activations.
    WeightGradient = 4,
};
inline constexpr std::size_t phaseCount = 5;

} // namespace core
